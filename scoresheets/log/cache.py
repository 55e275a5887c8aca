"""Sheets this process has just written on, as they were read: the next post need not read them from the first hand on.

A reading is taken from the shelf only under the lock of its sheet, and only if the last write on the sheet is the very
one it was put there with, nobody has hidden a name since, and no backup was restored. What another process has written
is read anew.
"""

from __future__ import annotations

import datetime
from collections import OrderedDict
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet

#: Entries of all readings that one process keeps: about a kilobyte each. A hundred evenings of ten have 27,000.
MOST_ENTRIES = 40_000


class Mark(NamedTuple):
    """A write that no other can be taken for, not even one with its number after a backup was restored."""

    pk: int
    version: int
    at: datetime.datetime


class Shelf:
    """The latest readings of at most `most` sheets; who was not needed longest goes first."""

    def __init__(self, most: int = 100) -> None:
        self.most = most
        self.lock = Lock()
        self.kept: OrderedDict[str, tuple[Mark, SheetReading]] = OrderedDict()

    def put(self, mark: Mark, reading: SheetReading) -> None:
        """Keep the sheet as it was read after the write `mark`."""
        with self.lock:
            self.kept[reading.record.code] = (mark, replace(reading, known=reading.sheet))
            self.kept.move_to_end(reading.record.code)
            trim(self.kept, self.most)

    def take(self, record: Sheet, mark: Mark | None) -> SheetReading | None:
        """The reading of the sheet whose last write is `mark`, or None."""
        with self.lock:
            found = self.kept.get(record.code)
            if mark is None or found is None or found[0] != mark or life_of(found[1].record) != life_of(record):
                return None
            self.kept.move_to_end(record.code)
        return replace(found[1], record=record)


def trim(kept: OrderedDict[str, tuple[Any, SheetReading]], most: int) -> None:
    """Let the oldest readings go, until there are at most `most`, with at most `MOST_ENTRIES` together."""
    entries = sum(len(reading.standing) for _, reading in kept.values())
    while len(kept) > most or entries > MOST_ENTRIES:
        _, (_, oldest) = kept.popitem(last=False)
        entries -= len(oldest.standing)


def life_of(record: Sheet) -> tuple[str, int]:
    """What changes without a write."""
    return record.generation, record.veils


shelf = Shelf()
