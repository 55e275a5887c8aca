"""Announcing what no command of the club announces itself: receivers of signals, and what the clock says."""

from __future__ import annotations

import datetime
from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from clubs.evening.summary import evenings
from clubs.models import Award, Club, Dispute, Event, Night, PendingUpdate, PlayOff, Table
from clubs.outbox.events import announce
from clubs.stories.story import story_of

Kind = Event.Kind

#: The evening before a night begins, where the club is.
EVENING = datetime.time(18)
A_DAY = datetime.timedelta(days=1)
#: What was typed in about the past is no news: awards of so many days are.
NEWS = datetime.timedelta(days=7)
#: So long after a night its story is still told of.
STORY_NEWS = datetime.timedelta(days=3)


def award_saved(
    instance: Award, *, created: bool, raw: bool, update_fields: Collection[str] | None,
    **signal: Any,  # noqa: ARG001 - as Django gives
) -> None:  # fmt: skip
    """The receiver of `post_save`: an award counts from now on, or no longer. One query, and the event."""
    is_moved = update_fields is None or not {"confirmed_at", "set_aside_at"}.isdisjoint(update_fields)
    if raw or not is_moved or instance.confirmed_at is None or (created and instance.set_aside_at is not None):
        return
    club, night = instance.trophy.club, instance.table.night if instance.table else None
    # A row that was just made still has its day as it was given, perhaps in letters.
    day = Award._meta.get_field("on").to_python(instance.on)
    if instance.source == Award.Source.TYPED and abs(club.today() - day) > NEWS:
        return
    key = f"{night.pk if night else day}-{instance.pk}-{timezone.now().timestamp()}"
    counted = awards_that_count(club, night, f"{day}")
    announce(club, Kind.TROPHIES, key, night=night, on="" if night else f"{day}", awards=counted)


def awards_that_count(club: Club, night: Night | None, on: str) -> list[int]:
    """The awards (ids) of a night that count now; without a night those that were given by hand `on` a day."""
    awards = Award.objects.confirmed().filter(trophy__club=club)
    awards = awards.filter(table__night=night) if night else awards.filter(table__isnull=True, on=on)
    return sorted(awards.values_list("pk", flat=True))


def tell_tomorrow() -> int:
    """Announce the nights of tomorrow, once each, as soon as it is evening where their clubs are; how many.

    A night that was planned later than that is not told of again. One that is moved to another day is.
    """
    now = timezone.now()
    # Somewhere it is today already, or tomorrow still, what it is not by the clock of the site.
    near = Night.objects.standing().filter(on__range=(now.date(), now.date() + 2 * A_DAY), begun_at__isnull=True)
    nights = near.filter(closed_at__isnull=True, club__archived_at__isnull=True, club__is_evening=False)
    due = [night for night in nights.select_related("club") if is_due(night, now)]
    if not due:
        return 0
    events = Event.objects.filter(kind=Kind.TOMORROW, night__in=due)
    announced = {(night, details.get("on")) for night, details in events.values_list("night", "details")}
    due = [night for night in due if (night.pk, f"{night.on}") not in announced]
    for night in due:
        with transaction.atomic():
            announce(night.club, Kind.TOMORROW, f"{night.pk}-{night.on}", night=night, on=f"{night.on}")
    return len(due)


def is_due(night: Night, now: datetime.datetime) -> bool:
    """Whether it is the evening before the night, and the night was planned before that evening."""
    there = now.astimezone(night.club.zone)
    evening = datetime.datetime.combine(there.date(), EVENING, night.club.zone)
    return night.on == there.date() + A_DAY and there >= evening and night.created < evening


def tell_stories() -> int:
    """Announce the stories of nights that are over, once each, as soon as their trophies are settled; how many."""
    announced = 0
    for night in nights_to_tell():
        if story_of(evenings([night])[0]):
            with transaction.atomic():
                announce(night.club, Kind.STORY, f"{night.pk}", night=night)
            announced += 1
    return announced


def nights_to_tell() -> list[Night]:
    """The nights of these days at which nothing plays, is counted, waits for an organiser or was told. One query."""
    since = timezone.now().date() - STORY_NEWS
    nights = Night.objects.standing().filter(on__gte=since, club__archived_at__isnull=True, club__is_evening=False)
    here = Table.objects.standing().filter(night=OuterRef("pk"))
    awards = Award.objects.standing().filter(table__night=OuterRef("pk"), confirmed_at__isnull=True)
    disputes = Dispute.objects.filter(award__table__night=OuterRef("pk"), answered_at__isnull=True)
    play_offs = PlayOff.objects.filter(night=OuterRef("pk"), called_off_at__isnull=True, decided_at__isnull=True)
    waits = (
        here.playing(), play_offs, awards, disputes, PendingUpdate.objects.filter(club=OuterRef("club")),
        Event.objects.filter(kind=Kind.STORY, night=OuterRef("pk")),
    )  # fmt: skip
    nights = nights.filter(Exists(here), *(~Exists(rows) for rows in waits))
    return list(nights.select_related("club", "trophies_table").order_by("pk"))
