"""Remarks beside the totals: who goes home after this hand, and what leaving in last place means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.table import Table
from scoresheets.log.state import SheetReading
from scoresheets.wording.events import next_hand_sentence
from scoresheets.wording.markup import names_shown, with_names


def remarks_beside(reading: SheetReading) -> list[SafeString]:
    """Everything of the kind while a hand is open, in sentences: what was noted, then what holds of the totals."""
    sheet = reading.sheet
    if sheet.open is None:
        return []
    noted = [next_hand_sentence(reading, event) for event in sheet.noted]
    return [*noted, *remarks_held(reading, sheet.table, reading.names)]


def remarks_held(
    reading: SheetReading, table: Table, names: Mapping[int, str], *, about: int | None = None
) -> Iterator[SafeString]:
    """What is so of the totals of the table; of one seat only, where it is asked `about`."""
    lowest = min(table.totals.values())
    for remark in reading.game.remarks(table):
        if remark.holds(lowest) and about in (None, *remark.seats):
            yield format_html("{}.", with_names(remark.text, names_shown(names, remark.seats)))
