"""The consequences of a correction for a play-off, for the preview of the correction.

They are shown with everything else that the correction changes (`scoresheets.results.consequences`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.members.identity import Identities
from clubs.models import Stage, Table
from clubs.play_off_rounds.corrections import everybody, moved
from clubs.play_offs.state import PlayOffNow, now
from clubs.play_offs.table_state import TableNow, how_it_stands, table_now
from clubs.trophies.play_off import finals_result, seated_name
from scoresheets.log.state import SheetReading, read_sheet


def what_would_move(before: SheetReading, after: SheetReading, **signal: Any) -> list[SafeString]:  # noqa: ARG001
    """The receiver of `scoresheets.results.consequences.what_the_house_says`: what a change does to the play-off."""
    table = (
        Table.objects.standing()
        .filter(sheet=before.record, stage__abandoned_at__isnull=True, stage__play_off__called_off_at__isnull=True)
        .select_related("stage__play_off__night__club")
        .first()
    )
    if table is None or table.stage is None:
        return []
    state = now(table.stage.play_off)
    return list(play_off_changes(state, as_it_would_be(state, after)))


def before_it_stops(reading: SheetReading, **signal: Any) -> str:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.results.consequences.what_stopping_means`: how long the other final plays."""
    finals = Table.objects.standing().filter(stage__abandoned_at__isnull=True, stage__places__isnull=True)
    tables = finals.exclude(stage__side=Stage.Side.ALL).select_related("stage", "sheet")
    mine = tables.filter(sheet=reading.record, stage__play_off__called_off_at__isnull=True).first()
    if mine is None or mine.stage is None or not mine.stage.hands:
        return ""
    other = tables.filter(stage__play_off=mine.stage.play_off_id).exclude(pk=mine.pk).first()
    if other is None or other.stage is None or other.sheet is None:
        return ""
    there = read_sheet(other.sheet)
    is_over, done = there.finished, there.sheet.table.hands_done
    hands = done if is_over else there.last_hand or other.stage.hands
    if hands == reading.sheet.table.hands_done:
        return ""
    plays = f"{'has played' if is_over else 'plays'} {hands} hand{'' if hands == 1 else 's'}"
    return f"The other final {plays}. If this one plays fewer, the loser’s trophy waits for the organiser’s decision."


def as_it_would_be(state: PlayOffNow, reading: SheetReading) -> PlayOffNow:
    """The play-off with one of its sheets otherwise."""
    sheet, stood = reading.record.pk, how_it_stands(reading)
    players = everybody(state).keys() | {person.player for person in stood.people}
    identities = Identities(state.play_off.night.club, players)

    def changed(table: TableNow) -> TableNow:
        return table_now(table.table, reading, identities, stood) if table.table.sheet_id == sheet else table

    stages = (replace(stage, tables=tuple(map(changed, stage.tables))) for stage in state.stages)
    return replace(state, stages=tuple(stages))


def play_off_changes(before: PlayOffNow, after: PlayOffNow) -> Iterator[SafeString]:
    """What the change does to the play-off, a sentence each."""
    had, has = moved(before), moved(after)
    if has is not None and (had is None or had.mark != has.mark):
        if has.unsettled:
            yield SafeString("The next tables of the play-off are drawn.")
        yield has.sentence
        yield SafeString("Nothing moves by itself: an organiser is asked whether it is kept as played.")
    elif had is not None and has is None:
        yield SafeString("Now everybody sits where they belong in the play-off.")
    yield from ends_told(before, after)


def ends_told(before: PlayOffNow, after: PlayOffNow) -> Iterator[SafeString]:
    """Who would win or lose the play-off instead, once it is decided."""
    had, has = finals_result(before), finals_result(after)
    if had is None or (had.winner is None and had.loser is None):
        return
    if has is None:
        yield SafeString("The play-off is open again.")
        return
    for what, old, new in (("winner", had.winner, has.winner), ("loser", had.loser, has.loser)):
        if old is not None and (new is None or new.identity != old.identity):
            name = seated_name(new) if new else SafeString("not settled")
            yield format_html("The {} of the play-off is {} instead of {}.", what, name, seated_name(old))
