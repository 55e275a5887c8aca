"""The changes of a club file as values: rows, sheets, and the reasons why it cannot be imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from clubs.access.outdated import mark_for
from clubs.archive.export import Document, Row
from clubs.archive.schema import NOUNS, Noun, Update, is_player
from clubs.models import Club
from scoresheets.files.log_export import Copy

#: What names a row of a noun: its uid, or its fields where it has none.
Key = tuple[Any, ...]


@dataclass(frozen=True)
class SheetChange:
    """A sheet that is laid out for the table of that uid (`sheet` None), or written on from `since` on."""

    table: str
    copy: Copy
    since: int = 0
    sheet: int | None = None


@dataclass
class Differences:
    """Everything a file would change. `club` is None where it is new here.

    `added` are new rows by noun, `updates` those that change, `sheets` those that are laid out or written on; `held`
    are rows of which the file says something else and the club keeps its own word. With `conflicts`, in sentences,
    nothing is taken in. `players` are ids by their numbers in the file, of those who are here.
    """

    document: Document
    club: Club | None
    file_speaks: bool
    added: dict[str, list[Row]] = field(default_factory=dict)
    updates: list[Update] = field(default_factory=list)
    sheets: list[SheetChange] = field(default_factory=list)
    held: list[Update] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    players: dict[int, int] = field(default_factory=dict)
    renamed: dict[int, dict[str, str]] = field(default_factory=dict)
    here: dict[str, dict[Key, tuple[int, Row]]] = field(default_factory=dict)

    @property
    def changes_nothing(self) -> bool:
        new = self.club is None or any(self.added.values())
        return not (new or self.updates or self.sheets or self.renamed)

    @cached_property
    def mark(self) -> str:
        """What a confirm says it has seen."""
        return mark_for(
            self.club.pk if self.club else None, self.added, [[up.noun.key, up.pk, up.then] for up in self.updates],
            [[change.table, change.since, len(change.copy["writes"])] for change in self.sheets], self.conflicts,
            self.renamed,
        )  # fmt: skip

    def with_ids(self, noun: Noun, row: Row) -> Row:
        """A row of the file with players who are here by their ids; of others minus their number, which is no id."""
        names = [name for name, field in noun.fields.items() if is_player(field)]
        return row | {name: self.players.get(row[name], -row[name]) for name in names}

    def rows_after(self, noun: Noun) -> Iterator[Row]:
        """The rows of a kind as they would be: those that are here in the order they came, then the new ones."""
        changed = {update.pk: update.then for update in self.updates if update.noun is noun}
        for pk, row in sorted(self.here[noun.key].values(), key=lambda pair: pair[0]):
            yield row | changed.get(pk, {})
        yield from (self.with_ids(noun, row) for row in self.added[noun.key])

    def row_named(self, noun: str, uid: str) -> Row | None:
        """The row of that name, as it will be or is here."""
        return self.rows_by_uid.get((noun, uid))

    @cached_property
    def rows_by_uid(self) -> dict[tuple[str, str], Row]:
        """Rows with a name, the file's before those that are here."""
        named = [noun for noun in NOUNS if noun.has_uid]
        rows = {(noun.key, row["uid"]): row for noun in named for _, row in self.here.get(noun.key, {}).values()}
        return rows | {(noun.key, row["uid"]): row for noun in named for row in self.document[noun.key]}
