"""What a club does when a sheet at one of its tables is finished, corrected or opened again.

It happens in the transaction of that write. Everything here is a copy and can be made again (`remake`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from clubs.deciding import look, look_at_night
from clubs.feats import keep_feats
from clubs.honours import keep_back_to_back, keep_honours
from clubs.models import Member, Table
from clubs.placings import keep_placings
from clubs.standings import keep_standings
from scoresheets.reading import read_sheet

if TYPE_CHECKING:
    from clubs.models import Club
    from scoresheets.reading import SheetReading


def told(reading: SheetReading, **signal: Any) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.publishing.sheet_published`."""
    table = Table.objects.select_related("night__club").filter(sheet=reading.record, withdrawn_at__isnull=True).first()
    if table is not None:
        tell(table, reading)


def tell(table: Table, reading: SheetReading) -> None:
    """Everything the club keeps of this table is made again, and where it leaves those who sit or sat at it.

    Its trophies are looked at last.
    """
    club = table.night.club
    sat = Member.objects.filter(placings__table=table)
    before = list(sat)
    keep_table(table, reading)
    keep_back_to_back(club)
    keep_standings(club, {*before, *sat.all()}, on=table.night.on, ended=None if before else table)
    look(table)
    if table.withdrawn_at is not None or table.source == Table.Source.BROUGHT:
        # Whether the night has one table or several may have changed with it.
        look_at_night(table.night)


def keep_table(table: Table, reading: SheetReading) -> None:
    """What the club keeps of this table alone: copies, and nothing else."""
    table.sheet = reading.record
    table.ended_at = reading.record.finished_at
    table.save(update_fields=["ended_at"])
    keep_feats(table, keep_placings(table))
    keep_honours(table, reading)


def remake(club: Club) -> int:
    """Make all copies of a club again from its sheets; how many tables it were."""
    tables = Table.objects.filter(night__club=club, sheet__isnull=False).select_related("night__club", "sheet")
    with transaction.atomic():
        for table in tables:
            if table.sheet:
                keep_table(table, read_sheet(table.sheet))
        for past in Table.objects.filter(night__club=club, sheet__isnull=True).select_related("night__club"):
            keep_feats(past, past.placings.all())
        keep_back_to_back(club)
        keep_standings(club)
    return len(tables)
