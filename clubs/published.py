"""What a club does when a sheet at one of its tables is finished, corrected or opened again.

It happens in the transaction of that write. Everything here is a copy and can be made again (`remake`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from clubs.deciding import look, look_at_night
from clubs.feats import keep_feats
from clubs.games import is_of_play_off
from clubs.honours import keep_back_to_back, keep_honours
from clubs.models import Member, PlayOff, Table
from clubs.placings import keep_placings
from clubs.play_offs.crowning import look_at_play_off
from clubs.play_offs.places import keep_play_off
from clubs.standings import keep_standings
from clubs.tables import say_stakes
from scoresheets.reading import read_sheet

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clubs.models import Club
    from scoresheets.reading import SheetReading


def told(reading: SheetReading, **signal: Any) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.publishing.sheet_published`."""
    tables = Table.objects.select_related("night__club", "stage__play_off")
    table = tables.filter(sheet=reading.record, withdrawn_at__isnull=True).first()
    if table is not None:
        tell(table, reading)


def tell(table: Table, reading: SheetReading) -> None:
    """Everything the club keeps of this table is made again, and where it leaves those who sit or sat at it.

    Its trophies are looked at last.
    """
    if table.stage and is_of_play_off(table):
        keep_table(table, reading)
        tell_play_off(table.stage.play_off)
        return
    club = table.night.club
    sat = Member.objects.filter(placings__table=table)
    before = list(sat)
    keep_table(table, reading)
    keep_back_to_back(club)
    keep_standings(club, {*before, *sat.all()}, on=table.night.on, ended=() if before else (table,))
    look(table)
    if table.withdrawn_at is not None or table.source == Table.Source.BROUGHT:
        # Whether the night has one table or several may have changed with it.
        look_at_night(table.night)


def tell_play_off(play_off: PlayOff) -> None:
    """Everything the club keeps of a play-off is made again, and where it leaves those who played in it.

    To be called, in the same transaction, whenever something of it has changed: a sheet, a ruling, a card that was
    drawn, a stage, whether it is called off. As often as one likes: the same play-off comes to the same. Its trophies
    are looked at last.
    """
    with transaction.atomic():
        # Two finals that end at once do not each miss the other.
        play_off = PlayOff.objects.select_for_update(of=("self",)).select_related("night__club").get(pk=play_off.pk)
        night = play_off.night
        tables = Table.objects.filter(stage__play_off=play_off).select_related("night")
        sat = Member.objects.filter(placings__table__in=tables).distinct()
        before, was_decided = list(sat), play_off.decided_at
        keep_play_off(play_off)
        people = {*before, *sat.all()}
        if people:
            keep_back_to_back(night.club)
            keep_standings(night.club, people, on=night.on, ended=() if before else list(tables))
        look_at_play_off(night)
        if was_decided or play_off.decided_at:
            say_stakes(night)


def keep_table(table: Table, reading: SheetReading) -> None:
    """What the club keeps of this table alone: copies, and nothing else; of one of a play-off only that it is over."""
    table.sheet = reading.record
    table.ended_at = reading.record.finished_at
    table.save(update_fields=["ended_at"])
    if not is_of_play_off(table):
        keep_feats(table, keep_placings(table))
        keep_honours(table, reading)


def keep_play_offs(club: Club, people: Iterable[Member] | None = None) -> None:
    """The same of all play-offs of a club, behind its tables; or of those that have counted for one of these people."""
    play_offs = PlayOff.objects.filter(night__club=club).select_related("night__club")
    if people is not None:
        play_offs = play_offs.filter(stages__tables__placings__member__in=list(people)).distinct()
    for play_off in play_offs:
        keep_play_off(play_off)


def remake(club: Club) -> int:
    """Make all copies of a club again from its sheets; how many tables it were."""
    all_tables = Table.objects.filter(night__club=club).select_related("night__club", "stage__play_off", "sheet")
    tables = all_tables.filter(sheet__isnull=False)
    with transaction.atomic():
        for table in tables:
            if table.sheet:
                keep_table(table, read_sheet(table.sheet))
        for past in all_tables.filter(sheet__isnull=True):
            keep_feats(past, past.placings.all())
        keep_play_offs(club)
        keep_back_to_back(club)
        keep_standings(club)
    return len(tables)
