"""The way back over hands that are scored: what a phone must know to take back further without asking.

The pad's own data has the last scored hand only, so that hand 20 costs what hand 1 does. Who asks how things stand
gets the whole way; between two answers the script keeps what it has seen (static/js/pad/store.js).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.core.fields import Value
from rules.core.table import Row
from scoresheets.log.entries import entries_by_sheet
from scoresheets.log.state import SheetReading
from scoresheets.models import Entry
from scoresheets.pad.state import MISDEAL, HandData, back_data, is_last_said

#: What comes back with a write that is taken back: hand, ask, what it said, and the version that first said it.
WithdrawnEntry = tuple[int, str, "Mapping[str, Value]", int]


def way_back(reading: SheetReading) -> dict[str, Any]:
    """What `state.pad_of` says of the last scored hand, for all that can be gone back over."""
    return {"back": hands_back(reading), "brings": brings(reading), "whole": True}


def hands_back(reading: SheetReading) -> list[HandData]:
    """The hands that can be opened again one after the other, the latest last.

    The way ends where somebody came or left before a hand, and at a hand that was corrected: that needs the site.
    """
    settlement = reading.sheet.settlement
    found: list[Row] = []
    for row in reversed((*reading.sheet.rows, *(settlement.ties if settlement else ()))):
        if not is_last_said(reading, row):
            break
        found.insert(0, row)
        if any(event.kind != MISDEAL for event in row.events):
            break
    return [back_data(reading, row) for row in found]


def brings(reading: SheetReading, version: int | None = None) -> dict[int, list[WithdrawnEntry]]:
    """What each write that stands has put away, or the one of `version`: by its version, in one query."""
    away = Entry.objects.filter(sheet=reading.record)
    if version is None:
        away = away.filter(withdrawn_by__in={entry.first_id for entry in reading.standing.values()})
    else:
        away = away.filter(withdrawn_by__version=version)
    restorable: dict[int, list[WithdrawnEntry]] = {}
    for entry in entries_by_sheet(away.order_by("pk"))[reading.record.pk]:
        restorable.setdefault(entry.withdrawn or 0, []).append((*entry.address, entry.data, entry.first))
    return restorable
