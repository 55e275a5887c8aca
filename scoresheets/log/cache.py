"""The cache of sheet states in the memory of this process.

`append` uses a state only under the lock of its sheet, and only if the last revision of the sheet is the one it was
stored with (`WriteMark`). `sheet.summary` uses it if the sheet still has the same edition. In both cases no name may
have been hidden since, and no backup restored.
"""

from __future__ import annotations

import datetime
from collections.abc import Hashable
from typing import NamedTuple

from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet

#: Entries of all readings that one cache keeps: 0.9 kilobytes each. A whole evening of eight has 220. Of a sheet
#: that has ended a process forgets the reading only if it wrote the end: the others stay until they are pushed out.
MOST_ENTRIES = 6_000
#: A reading counts as so many at least: a cache keeps thirty sheets.
LEAST_ENTRIES = 200


class WriteMark(NamedTuple):
    """A write that no other can be taken for, not even one with its number after a backup was restored."""

    pk: int
    version: int
    at: datetime.datetime


class ReadingCache:
    """The latest reading of each sheet, for one version: whatever is equal as long as nothing was written on it."""

    def __init__(self, most: int = MOST_ENTRIES) -> None:
        self.readings: VersionedCache[SheetReading] = VersionedCache(most)

    def get(self, record: Sheet, version: Hashable) -> SheetReading | None:
        """The reading of that version with `record` as the row of the sheet, or None."""
        reading = self.readings.get(record.code, (version, record.generation, record.aliases_version))
        return reading.with_record(record) if reading else None

    def put(self, reading: SheetReading, version: Hashable) -> SheetReading:
        """Keep the reading; the same with what the rules have made of it."""
        record, replayed = reading.record, reading.replayed()
        size = max(len(reading.standing), LEAST_ENTRIES)
        self.readings.put(
            record.code, replayed, version=(version, record.generation, record.aliases_version), size=size
        )
        return replayed

    def forget(self, record: Sheet) -> None:
        """Keep no reading of that sheet."""
        self.readings.forget(record.code)

    def clear(self) -> None:
        self.readings.clear()


#: Readings after a write of this process, of sheets that go on: on one that has ended the next write is seldom.
written_readings = ReadingCache()
