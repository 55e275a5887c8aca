"""Orphaned entries: they lost their place on the sheet by another change. They are kept, shown and resolved."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from django.utils.safestring import SafeString

from rules.core.fields import Address
from scoresheets.log.state import SheetReading
from scoresheets.results.impact import in_order
from scoresheets.wording.entry_text import EntryText


@dataclass(frozen=True)
class LeftOver:
    """One thing without a place: what it says, and who wrote it when. `pk` is what a post says it saw."""

    address: Address
    pk: int
    words: SafeString
    by: str
    at: datetime.datetime


def left_over_of(reading: SheetReading) -> list[LeftOver]:
    """All of them, in the order of the sheet. No query."""
    orphans, texts = [], EntryText(reading)
    for address in sorted(reading.sheet.unread, key=in_order):
        entry = reading.standing[address]
        orphans.append(LeftOver(address, entry.pk, texts.there(address), entry.by, entry.at))
    return orphans
