"""Running a night: what its organiser says to the tables, and closing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from clubs.diary import write_down
from clubs.models import Night, PlayOff, Stage, Table
from scoresheets.announcing import announce, take_back
from scoresheets.answers import Answer, Done
from scoresheets.models import Keeper, Sheet, Write
from scoresheets.sharing import who_may

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

    from clubs.doors import Visit

    Says = Callable[[Sheet, str, Keeper], Answer]


def announce_last_hand(request: HttpRequest, visit: Visit, night: Night, *, key: str) -> int:
    """All tables stop after the hand that is open there; how many were told. The same tap again tells nobody anew."""
    many = at_all_tables(request, night, key, lambda sheet, tap, by: announce(sheet, key=tap, by=by))
    if many:
        write_down(visit.club, f"Announced on {night} that all tables stop after their hand.", by=visit.member)
    return many


def play_on_everywhere(request: HttpRequest, visit: Visit, night: Night, *, key: str) -> int:
    """Take it back; how many tables were told."""
    many = at_all_tables(request, night, key, lambda sheet, tap, by: take_back(sheet, key=tap, by=by))
    if many:
        write_down(visit.club, f"Announced on {night} that all tables play on.", by=visit.member)
    return many


def at_all_tables(request: HttpRequest, night: Night, key: str, says: Says) -> int:
    """Write the same on the sheet of every table that plays for itself, all or none; on how many it was news.

    Those of a play-off stop after the same number of hands (`clubs.stages.stop_stage`).
    """
    in_play_off = PlayOff.objects.standing().filter(night=night)
    singles = night.tables.standing().exclude(stage__in=Stage.objects.filter(play_off__in=in_play_off))
    sheets = Sheet.objects.running().filter(table__in=singles).order_by("pk")
    with transaction.atomic():
        return sum(is_news(says(sheet, f"{key}-{sheet.pk}", keeper_of(request, sheet))) for sheet in sheets)


def keeper_of(request: HttpRequest, sheet: Sheet) -> Keeper:
    """As whom the organiser writes: by the pencil of his phone, else by his account."""
    keeper = who_may(request, sheet)
    if keeper is None:
        raise PermissionError("An organiser writes on every sheet of his club.")
    return keeper


def is_news(answer: Answer) -> bool:
    """Whether something was written just now that was not said before."""
    return isinstance(answer, Done) and not answer.again and answer.verb != Write.Verb.AGREE


def answer_table(table: Table) -> bool:
    """The organiser is on his way to the table, which asks for him no more; whether it did."""
    return bool(Sheet.objects.filter(table=table, asks_since__isnull=False).update(asks_since=None))


def close(night: Night, visit: Visit) -> bool:
    """The night is over; whether it was not before. Tables that still play keep their sheets and go on counting."""
    closed = Night.objects.filter(pk=night.pk, closed_at__isnull=True).update(closed_at=timezone.now())
    if closed:
        write_down(visit.club, f"Closed {night} of {night.on:%-d %B %Y}.", by=visit.member)
    return bool(closed)


def open_again(night: Night, visit: Visit) -> bool:
    """The way back."""
    opened = Night.objects.filter(pk=night.pk, closed_at__isnull=False).update(closed_at=None)
    if opened:
        write_down(visit.club, f"Opened {night} of {night.on:%-d %B %Y} again.", by=visit.member)
    return bool(opened)
