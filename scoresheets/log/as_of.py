"""Everything that ever stood on a sheet, and what of it stood at a moment.

Nothing on a sheet is changed or deleted: a row is added by one write and withdrawn by a later one. So what stood just
before a write are the rows that were added before it and not withdrawn before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Q

from rules.core.fields import Address
from scoresheets.log.entries import LogEntry, entries_by_sheet
from scoresheets.log.state import SheetReading
from scoresheets.models import Entry, Sheet


@dataclass(frozen=True)
class EntryHistory:
    """Entries of a sheet, active and withdrawn, in the order in which they were added."""

    rows: tuple[LogEntry, ...]

    @cached_property
    def added(self) -> dict[int, list[LogEntry]]:
        """What each version put on the sheet."""
        return grouped((row.added, row) for row in self.rows)

    @cached_property
    def withdrawn(self) -> dict[int, list[LogEntry]]:
        """What each version took off."""
        return grouped((row.withdrawn, row) for row in self.rows if row.withdrawn is not None)

    def before(self, version: int) -> dict[Address, LogEntry]:
        """What stood just before that version was written."""
        return {
            row.address: row
            for row in self.rows
            if row.added < version and (row.withdrawn is None or row.withdrawn >= version)
        }

    def reading_before(self, now: SheetReading, version: int) -> SheetReading:
        """The sheet as it read just before that version."""
        return SheetReading(now.record, version - 1, now.chairs, self.before(version), now.veils)

    @property
    def last_change(self) -> int:
        """The last version that put something on the sheet or took something off."""
        return max([*self.added, *self.withdrawn], default=0)


def grouped(rows: Iterable[tuple[int, LogEntry]]) -> dict[int, list[LogEntry]]:
    by_version: dict[int, list[LogEntry]] = {}
    for version, row in rows:
        by_version.setdefault(version, []).append(row)
    return by_version


def entry_history(record: Sheet, *, between: tuple[int, int] | None = None) -> EntryHistory:
    """What ever stood on the sheet, in one query; with `between` only what these versions added or withdrew."""
    rows = Entry.objects.filter(sheet=record)
    if between:
        rows = rows.filter(Q(added_by__version__range=between) | Q(withdrawn_by__version__range=between))
    return EntryHistory(tuple(entries_by_sheet(rows.order_by("added_by__version", "hand", "ask"))[record.pk]))
