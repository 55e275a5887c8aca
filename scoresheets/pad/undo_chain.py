"""The undo chain over scored hands: what a phone needs to undo further without network.

The state of the pad has the last scored hand only, so that hand 20 costs what hand 1 does. A poll has the whole chain;
between two polls the script keeps what it has seen (static/js/pad/store.js).
"""

from __future__ import annotations

from dataclasses import replace

from rules.core.table import Row
from scoresheets.log.entries import entries_by_sheet
from scoresheets.log.state import SheetReading
from scoresheets.models import Entry
from scoresheets.pad.build import MISDEAL, can_be_reopened, is_misdeal_final, scored_hand
from scoresheets.pad.state import PadScoredHand, PadState, WithdrawnEntry


def with_whole_way(state: PadState, reading: SheetReading) -> PadState:
    """The state of the pad with all hands that can be gone back over."""
    return replace(state, back=hands_back(reading), brings=brings(reading), whole=True)


def hands_back(reading: SheetReading) -> tuple[PadScoredHand, ...]:
    """The hands that can be opened again one after the other, the latest last.

    The way ends where somebody came or left before a hand, and at a hand that was corrected: that needs the site. It
    does not begin where a misdeal of the open hand cannot be taken back.
    """
    if is_misdeal_final(reading):
        return ()
    settlement = reading.sheet.settlement
    rows: list[Row] = []
    for row in reversed((*reading.sheet.rows, *(settlement.ties if settlement else ()))):
        if not can_be_reopened(reading, row):
            break
        rows.insert(0, row)
        if any(event.kind != MISDEAL for event in row.events):
            break
    return tuple(scored_hand(reading, row) for row in rows)


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
