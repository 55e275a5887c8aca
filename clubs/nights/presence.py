"""Presence: which nights of the last year one member came to."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from clubs.models import Attendance, Club, Member, Night, Placing, Table
from rules.core.numbers import percent_text

A_YEAR = datetime.timedelta(days=365)


@dataclass(frozen=True)
class Presence:
    """The nights held in the last year, the earliest first, each with whether the member was there."""

    nights: tuple[tuple[datetime.date, bool], ...]

    @property
    def present(self) -> int:
        return sum(was_there for _, was_there in self.nights)

    @property
    def share(self) -> str:
        return percent_text(self.present, len(self.nights))


def presence_of(club: Club, member: Member, records: Collection[int]) -> Presence | None:
    """The nights of the last year for a member with all their `records` (ids); None without any, and for who is erased.

    Nights before they joined do not count, nor those after they left. A member was there if the roll call has them as
    here, or if a game of the night placed them. One query.
    """
    if member.erased_at is not None:
        return None
    today = club.today()
    rows = held_nights(club, today - A_YEAR, today).annotate(
        was_there=Exists(Attendance.objects.filter(night=OuterRef("pk"), member__in=records, says=Attendance.Says.HERE))
        | Exists(Placing.objects.filter(table__night=OuterRef("pk"), member__in=records)),
    )
    nights = tuple(rows.order_by("on", "pk").values_list("on", "was_there"))
    # Results of the past came before the day on which they joined here.
    first = min((on for on, was_there in nights if was_there), default=today)
    begin = min(first, timezone.localdate(member.joined_at, club.zone))
    end = today if member.left_at is None else timezone.localdate(member.left_at, club.zone)
    counted = tuple((on, was_there) for on, was_there in nights if was_there or begin <= on <= end)
    return Presence(counted) if counted else None


def held_nights(club: Club, after: datetime.date, until: datetime.date) -> QuerySet[Night]:
    """The nights on which the club met: those that were begun, or have a table."""
    tables = Table.objects.filter(night=OuterRef("pk"), withdrawn_at__isnull=True)
    nights = club.nights.filter(archived_at__isnull=True, on__gt=after, on__lte=until)
    return nights.filter(Q(begun_at__isnull=False) | Exists(tables))
