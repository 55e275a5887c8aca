"""Everything that ever stood on a sheet, and what of it stood at a moment.

Nothing on a sheet is changed or deleted: a row is added by one write and withdrawn by a later one. So what stood just
before a write are the rows that were added before it and not withdrawn before it.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Q

from rules.core.fields import Address
from scoresheets.log.append import Brought
from scoresheets.log.state import SheetReading, Standing, canonical
from scoresheets.models import Entry, Sheet


@dataclass(frozen=True)
class Stood:
    """Something that stands or stood: what it said where, the versions that added and withdrew it (None: it stands).

    `first` is the version that first wrote what it says, by whom, when and with which verb; it is older than `added`
    where an undo has brought it back.
    """

    pk: int
    address: Address
    data: Mapping[str, Any]
    added: int
    withdrawn: int | None
    first_id: int
    first: int
    by: str
    at: datetime.datetime
    added_id: int
    verb: str

    @property
    def is_back(self) -> bool:
        """Whether it was brought back, rather than written."""
        return self.first != self.added

    @property
    def said(self) -> tuple[str, int]:
        """What it says and since which write: two rows with the same are one thing."""
        return canonical(self.data), self.first

    def brought(self) -> Brought:
        """It, to be brought back."""
        return Brought(self.address, self.data, self.first_id, self.first, self.by, self.at, self.verb)

    def standing(self) -> Standing:
        """It, as a reading has it."""
        return Standing(
            self.pk, self.address, self.data, self.first_id, self.first, self.by, self.at, self.added_id, self.verb
        )  # fmt: skip


@dataclass(frozen=True)
class Past:
    """Rows of a sheet, in the order they were added; those of `between` versions alone, where that is said."""

    rows: tuple[Stood, ...]

    @cached_property
    def added(self) -> dict[int, list[Stood]]:
        """What each version put on the sheet."""
        return by_version((row.added, row) for row in self.rows)

    @cached_property
    def withdrawn(self) -> dict[int, list[Stood]]:
        """What each version took off."""
        return by_version((row.withdrawn, row) for row in self.rows if row.withdrawn is not None)

    def before(self, version: int) -> dict[Address, Stood]:
        """What stood just before that version was written."""
        return {
            row.address: row
            for row in self.rows
            if row.added < version and (row.withdrawn is None or row.withdrawn >= version)
        }

    def reading_before(self, now: SheetReading, version: int) -> SheetReading:
        """The sheet as it read just before that version."""
        standing = {address: row.standing() for address, row in self.before(version).items()}
        return SheetReading(now.record, version - 1, now.chairs, standing, now.veils)

    @property
    def last_change(self) -> int:
        """The last version that put something on the sheet or took something off."""
        return max([*self.added, *self.withdrawn], default=0)


def by_version(rows: Iterable[tuple[int, Stood]]) -> dict[int, list[Stood]]:
    found: dict[int, list[Stood]] = {}
    for version, row in rows:
        found.setdefault(version, []).append(row)
    return found


def past_of(record: Sheet, *, between: tuple[int, int] | None = None) -> Past:
    """What ever stood on the sheet, in one query; with `between` only what these versions added or withdrew."""
    rows = Entry.objects.filter(sheet=record)
    if between:
        rows = rows.filter(Q(added_by__version__range=between) | Q(withdrawn_by__version__range=between))
    found = rows.order_by("added_by__version", "hand", "ask").values_list(
        "pk", "hand", "ask", "data", "added_by__version", "withdrawn_by__version", "first_by", "first_by__version",
        "first_by__keeper__name", "first_by__at", "added_by", "first_by__verb",
    )  # fmt: skip
    return Past(tuple(Stood(pk, (hand, ask), *rest) for pk, hand, ask, *rest in found))
