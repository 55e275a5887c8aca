"""Controlling a night: announcements to its tables, and closing it."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from clubs.access.audit_log import write_down
from clubs.access.visit import Visit
from clubs.models import Event, Night, Stage, Table
from clubs.outbox import events
from scoresheets.access.scorekeepers import scorekeeper_for
from scoresheets.commands.last_hand import announce, take_back
from scoresheets.log.answers import Answer, Done
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.pad.help_call import answer
from scoresheets.sheet.summary import read_whole_sheets

Says = Callable[[Sheet, str, Scorekeeper], Answer]


class NotStopped(Exception):
    """The tables cannot stop after that hand, because one is further: at the least it is hand `least`."""

    def __init__(self, least: int) -> None:
        super().__init__(f"One of the tables is further: hand {least} is the first after which all can stop.")
        self.least = least


def announce_last_hand(request: HttpRequest, visit: Visit, night: Night, *, key: str) -> int:
    """All tables stop after the hand that is open there; how many were told. The same tap again tells nobody anew.

    Tables of one round of a play-off stop after the same hand: the furthest that is open at one of them.
    """
    furthest = furthest_hands(night)
    hands: dict[int, int | None] = {sheet: furthest.get(round_) for sheet, round_ in rounds_of_sheets(night).items()}
    with transaction.atomic():
        many = at_all_tables(
            request, night, key, lambda sheet, tap, by: announce(sheet, hands.get(sheet.pk), key=tap, by=by)
        )
        if many:
            write_down(visit.club, f"Announced on {night} that all tables stop after their hand.", by=visit.member)
            events.announce(visit.club, Event.Kind.LAST_HAND, f"{night.pk}-{key}", night=night)
    return many


def play_on_everywhere(request: HttpRequest, visit: Visit, night: Night, *, key: str) -> int:
    """Take it back; how many tables were told."""
    many = at_all_tables(request, night, key, lambda sheet, tap, by: take_back(sheet, key=tap, by=by))
    if many:
        write_down(visit.club, f"Announced on {night} that all tables play on.", by=visit.member)
    return many


def at_all_tables(request: HttpRequest, night: Night, key: str, says: Says, *, stage: Stage | None = None) -> int:
    """Write the same on the sheet of every table that plays, of the `stage` alone if one is given, all or none.

    On how many it was news.
    """
    tables = night.tables.standing().filter(**({"stage": stage} if stage else {}))
    sheets = Sheet.objects.running().filter(table__in=tables).order_by("pk")
    with transaction.atomic():
        return sum(is_news(says(sheet, f"{key}-{sheet.pk}", keeper_of(request, sheet))) for sheet in sheets)


def stop_after(request: HttpRequest, visit: Visit, stage: Stage, hand: int | None, *, key: str) -> int:
    """All tables of a stage of a play-off stop after the same hand (None: the furthest that is open in its round).

    Where they play fewer they stop after those. How many were told; the same tap again tells nobody anew. Raises
    `NotStopped`.
    """
    night = stage.play_off.night
    with transaction.atomic():
        least = furthest_hands(night).get((stage.number, stage.hands), 0)
        last = least if hand is None else hand
        if last < least:
            raise NotStopped(least)
        last = min(last, stage.hands or last)
        many = at_all_tables(
            request, night, key, lambda sheet, tap, by: announce(sheet, last, key=tap, by=by), stage=stage
        )
        if many:
            sentence = f"Announced on {night} that all tables of the {stage.get_side_display()} stop after hand {last}."
            write_down(visit.club, sentence, by=visit.member)
            events.announce(
                visit.club, Event.Kind.LAST_HAND, f"{night.pk}-{key}", night=night, stage=stage.pk, hand=last
            )
    return many


def rounds_of_sheets(night: Night) -> dict[int, tuple[int, int]]:
    """The round of a play-off that stands, by sheet (id): its number and hands. Both finals are of one. One query."""
    tables = night.tables.standing().filter(stage__play_off__called_off_at__isnull=True, sheet__isnull=False)
    rows = tables.filter(stage__isnull=False).values_list("sheet", "stage__number", "stage__hands")
    return {sheet: (number, hands) for sheet, number, hands in rows if sheet}


def furthest_hands(night: Night) -> dict[tuple[int, int], int]:
    """By round of the night's play-off: the hand its furthest table plays, or has stopped after."""
    rounds = rounds_of_sheets(night)
    furthest: dict[tuple[int, int], int] = {}
    for pk, reading in read_whole_sheets(Sheet.objects.filter(pk__in=rounds)).items():
        at = reading.next_hand if reading.sheet.open else reading.sheet.table.hands_done
        furthest[rounds[pk]] = max(furthest.get(rounds[pk], 0), at)
    return furthest


def keeper_of(request: HttpRequest, sheet: Sheet) -> Scorekeeper:
    """As whom the organiser writes: by the secret of their phone, else by their account."""
    keeper = scorekeeper_for(request, sheet)
    if keeper is None:
        raise PermissionError("An organiser writes on every sheet of their club.")
    return keeper


def is_news(answer: Answer) -> bool:
    """Whether something was written just now that was not said before."""
    return isinstance(answer, Done) and not answer.again and answer.verb != Revision.Verb.AGREE


def answer_table(table: Table) -> bool:
    """The organiser is on their way to the table, which asks for them no more; whether it did."""
    return table.sheet is not None and answer(table.sheet)


def close(night: Night, visit: Visit) -> bool:
    """The night is over; whether it was not before. Tables that still play keep their sheets and go on counting."""
    closed = Night.objects.filter(pk=night.pk, closed_at__isnull=True).update(closed_at=timezone.now())
    if closed:
        write_down(visit.club, f"Closed {night} of {night.on:%-d %B %Y}.", by=visit.member)
    return bool(closed)


def open_again(night: Night, visit: Visit) -> bool:
    """The way back."""
    opened = Night.objects.filter(pk=night.pk, closed_at__isnull=False).told_again(closed_at=None)
    if opened:
        write_down(visit.club, f"Opened {night} of {night.on:%-d %B %Y} again.", by=visit.member)
    return bool(opened)
