"""Sheets and evenings without a club that nobody has opened for long. The owner may delete them; nobody else does."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.lookups import LessThan
from django.utils import timezone

from clubs.erasure.club import delete_club, delete_sheets
from clubs.models import Club, Night, Table
from clubs.models.club import ClubQuerySet
from clubs.owner.backup_first import backup_first
from clubs.owner.clubs import clubs_with_counts
from clubs.owner.deletion import plural
from clubs.owner.sheets import sheets_without_club
from scoresheets.models import Revision, Sheet
from scoresheets.models.sheet import SheetQuerySet

#: So many are listed at once: who deletes them finds the next.
MOST_LISTED = 100
A_YEAR = 365


@dataclass(frozen=True)
class Chosen:
    """The sheets, by their codes, and the evenings, by their slugs, that the owner has ticked."""

    sheets: Collection[str]
    evenings: Collection[str] = ()


@dataclass(frozen=True)
class Outcome:
    """How many sheets and evenings were deleted, those that were used meanwhile and stay, and the backup, if any."""

    sheets: int
    evenings: int
    kept_sheets: Sequence[Sheet]
    kept_evenings: Sequence[Club]
    backup: Path | None


def long_ago() -> datetime.datetime:
    """The moment since which nobody has used what is forgotten."""
    return timezone.now() - datetime.timedelta(days=settings.SHEETS_FORGOTTEN_AFTER_DAYS)


def unused(sheets: SheetQuerySet) -> SheetQuerySet:
    """Those of the sheets that nobody has opened or written on since. Each has the moment of its `last_write`."""
    moment = long_ago()
    writes = Revision.objects.filter(sheet=OuterRef("pk"), version=OuterRef("version"))
    sheets = sheets.filter(opened_at__lt=moment).exclude(last_opened__gte=timezone.localdate(moment))
    sheets = sheets.exclude(Exists(writes.filter(at__gte=moment)))
    return sheets.annotate(last_write=Subquery(writes.values("at")[:1]))


def forgotten_sheets() -> SheetQuerySet:
    """Sheets without a club that were not used for `SHEETS_FORGOTTEN_AFTER_DAYS`, oldest first (`unused`).

    With 0 days there are none.
    """
    sheets = unused(sheets_without_club()).order_by("opened_at", "pk")
    return sheets if settings.SHEETS_FORGOTTEN_AFTER_DAYS > 0 else sheets.none()


def forgotten_evenings() -> ClubQuerySet:
    """Evenings without a club that nobody has opened for as long, and on whose sheets nobody wrote, oldest first.

    Rows of `clubs_with_counts`, with the day `last_opened` and the moment `last_write` of their sheets. With 0 days
    there are none.
    """
    tables = Table.objects.filter(night__club=OuterRef("pk"), sheet__isnull=False)
    used = tables.exclude(sheet__in=unused(Sheet.objects.all()).values("pk"))
    # As a lookup, since the types know no column of that name.
    evenings = clubs_with_counts().filter(LessThan(F("last"), long_ago()), is_evening=True, moved_to__isnull=True)
    sheets = tables.order_by().values("night__club")
    evenings = evenings.exclude(Exists(used)).annotate(
        last_opened=Subquery(sheets.annotate(day=Max("sheet__last_opened")).values("day")),
        last_write=Subquery(sheets.annotate(moment=Max("sheet__revisions__at")).values("moment")),
    )
    evenings = evenings.order_by(F("last"), "pk")
    return evenings if settings.SHEETS_FORGOTTEN_AFTER_DAYS > 0 else evenings.none()


def last_day(row: Sheet | Club) -> datetime.date:
    """The day on which a row of `forgotten_sheets` or `forgotten_evenings` was opened or written on last."""
    moments = [row.opened_at if isinstance(row, Sheet) else vars(row)["last"], vars(row)["last_write"]]
    days = [vars(row)["last_opened"], *(timezone.localdate(moment) for moment in moments if moment)]
    return max(day for day in days if day)


def for_how_long() -> str:
    """How long nobody has opened them, in words: “a year”, “90 days”."""
    years, rest = divmod(settings.SHEETS_FORGOTTEN_AFTER_DAYS, A_YEAR)
    if rest or not years:
        return f"{settings.SHEETS_FORGOTTEN_AFTER_DAYS} day{plural(settings.SHEETS_FORGOTTEN_AFTER_DAYS)}"
    return "a year" if years == 1 else f"{years} years"


def delete_forgotten(chosen: Chosen, *, has_backup: bool) -> Outcome:
    """Delete what is still forgotten of it, after a backup; `has_backup`: the owner has one.

    Raises `BackupProblem`: then nothing is gone. Where nothing is forgotten any more, no backup is made.
    """
    backup, sheets, evenings = None, 0, 0
    if sheets_of(chosen).exists() or evenings_of(chosen).exists():
        backup = backup_first(has_own=has_backup)
        sheets, evenings = delete_still_forgotten(chosen)
    kept_sheets = Sheet.objects.filter(code__in=chosen.sheets).order_by("opened_at").prefetch_related("seats")
    kept_evenings = Club.objects.filter(slug__in=chosen.evenings).order_by("created").prefetch_related("members")
    return Outcome(sheets, evenings, list(kept_sheets), list(kept_evenings), backup)


@transaction.atomic
def delete_still_forgotten(chosen: Chosen) -> tuple[int, int]:
    """Delete them under their locks: who uses one just now waits. Returns how many sheets and evenings it deleted."""
    of_evenings = Q(night__club__slug__in=chosen.evenings)
    lock(Club.objects.filter(slug__in=chosen.evenings))
    lock(Night.objects.filter(club__slug__in=chosen.evenings))
    lock(Sheet.objects.filter(Q(code__in=chosen.sheets) | Q(table__in=Table.objects.filter(of_evenings))))
    evenings = list(evenings_of(chosen))
    for evening in evenings:
        delete_club(evening)
    return delete_sheets(list(sheets_of(chosen).values_list("pk", flat=True))), len(evenings)


def lock(rows: QuerySet[Any]) -> None:
    """Hold the rows until the transaction is over."""
    list(rows.select_for_update(of=["self"]).order_by("pk").values_list("pk", flat=True))


def sheets_of(chosen: Chosen) -> SheetQuerySet:
    """Those of the sheets that are forgotten now."""
    return forgotten_sheets().filter(code__in=chosen.sheets)


def evenings_of(chosen: Chosen) -> ClubQuerySet:
    """Those of the evenings that are forgotten now."""
    return forgotten_evenings().filter(slug__in=chosen.evenings)
