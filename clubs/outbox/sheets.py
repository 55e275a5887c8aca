"""Receivers that announce what a table did."""

from __future__ import annotations

import datetime
from typing import Any

from clubs.models import Event, Table
from clubs.outbox.events import announce
from clubs.queue.changes import tables_with
from scoresheets.log.publish import final_placings
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet

#: A game of an older night that ends was opened again, or typed in from paper.
NEWS = datetime.timedelta(days=3)


def table_called(sheet: Sheet, since: datetime.datetime, **signal: Any) -> None:  # noqa: ARG001 - as Django gives
    """The receiver of `scoresheets.pad.help_call.organiser_called`. Two statements."""
    for table in tables_with(sheet=sheet.pk):
        if table.withdrawn_at is None:
            key = f"{table.pk}-{since.timestamp()}"
            announce(table.night.club, Event.Kind.CALLED, key, night=table.night, table=table)


def table_ended(
    table: Table, reading: SheetReading, *, was_published: bool, corrected: bool, **signal: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    """The receiver of `clubs.queue.changes.table_published`: a table has ended, which is told once. Three statements.

    Another result than the one that was told is a correction, also where the game was open again in between.
    """
    if not reading.finished:
        return
    result, night, version = result_of(reading), table.night, reading.record.version
    before = Event.objects.filter(kind=Event.Kind.RESULT, table=table).first()
    is_other = before is not None and before.details.get("result") != result
    if corrected or is_other:
        announce(night.club, Event.Kind.CORRECTED, f"{table.pk}-{version}", night=night, table=table)
    elif before is None and not was_published and night.club.today() - night.on < NEWS:
        announce(night.club, Event.Kind.RESULT, f"{table.pk}", night=night, table=table, result=result)
    if before and is_other:
        Event.objects.filter(pk=before.pk).update(details={**before.details, "result": result})


def result_of(reading: SheetReading) -> list[list[str]]:
    """How everybody ended: place, total, box and circle. Who they are called is no part of it."""
    return sorted([f"{row.place}", f"{row.score}", f"{row.winner}", f"{row.loser}"] for row in final_placings(reading))
