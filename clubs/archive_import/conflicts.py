"""Conflicts between a file and the club here. Each is a sentence, and with any of them nothing is imported."""

from __future__ import annotations

from collections.abc import Iterator

from clubs.archive.schema import NOUNS, Noun
from clubs.archive_import.changes import Differences
from clubs.archive_import.diff_text import row_text, table_text
from clubs.models import Table

#: What is wrong with a second row of a kind of which there may be one (`Noun.single`).
SECOND = {
    "members": "at a table here somebody else sits in their seat.",
    "play_offs": "that night has another play-off here.",
    "stages": "it was drawn here, too.",
    "tables": "another table of that night has this number here.",
    "awards": "it was given for the same table here.",
}
WHAT_TO_DO = (
    "The file and the club here contradict each other. Correct what is wrong, here or where the file was saved. "
    "Then save a new file and import that."
)


def conflicts(changes: Differences) -> Iterator[str]:
    """All of them but those of sheets (`clubs.archive_import.sheet_diff`)."""
    for noun in NOUNS:
        if noun.key in SECOND:
            yield from second_rows(changes, noun)
    yield from merged_one_behind_another(changes)
    yield from typed_and_written(changes)


def second_rows(changes: Differences, noun: Noun) -> Iterator[str]:
    """Two rows that may not stand beside each other."""
    seen = set()
    for row in changes.rows_after(noun):
        key = noun.shared_key_of(row)
        if key in seen:
            yield f"{row_text(changes, noun.key, row)}: {SECOND[noun.key]}"
        elif key:
            seen.add(key)


def merged_one_behind_another(changes: Differences) -> Iterator[str]:
    """A record that is merged with one that is merged itself."""
    rows = {row["uid"]: row for row in changes.rows_after(NOUNS[0])}
    for row in rows.values():
        into = rows[row["same_as"]] if row["same_as"] else None
        if into and into["same_as"]:
            yield f"{row['name']} is merged with {into['name']}, and {into['name']} with somebody else."


def typed_and_written(changes: Differences) -> Iterator[str]:
    """Tables with a sheet here and a typed result in the file, or the other way round."""
    typed_here = {row["table"] for _, row in changes.here["placings"].values()}
    typed_there = {row["table"] for row in changes.document["placings"]}
    sheets_there = {sheet["table"] for sheet in changes.document["sheets"]}
    tables = Table.objects.filter(night__club=changes.club, sheet__isnull=False)
    sheets_here = set(tables.values_list("uid", flat=True))
    for uid in sorted((typed_here & sheets_there) | (typed_there & sheets_here)):
        yield f"{table_text(changes, uid)} has a sheet on one side, and a result that was typed on the other."
