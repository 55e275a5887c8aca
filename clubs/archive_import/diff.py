"""The difference between a club file and the club here, before anything is changed.

Rows are added or changed, never deleted. If both the file and the club here have changed the same row, the later one
wins, unless the organiser decides otherwise. Rights, addresses and the seating stay as they are here. If both cannot be
right there is a conflict, and nothing is imported.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from django.db import models

from clubs.archive.codec import REQUIRED, empty_value
from clubs.archive.export import Document, Row, club_row, rows_of
from clubs.archive.parse import NotTaken
from clubs.archive.privacy import without_addresses, without_erased
from clubs.archive.references import Names, renamed_field
from clubs.archive.schema import BY_MODEL, CLUB, NOUNS, Noun, Update
from clubs.archive_import.changes import Differences, Key
from clubs.archive_import.conflicts import conflicts
from clubs.archive_import.diff_text import row_text
from clubs.archive_import.sheet_diff import players_here, renamed, sheet_changes
from clubs.models import Club, Season
from scoresheets.files.log_export import format_moment
from scoresheets.models import Revision

#: So many names are looked up in one go.
AT_ONCE = 500
OF_ANOTHER_CLUB = "Something in this file belongs to another club of this site. Nothing was imported."
#: So many rows of another club are named.
MOST_NAMED = 20
#: What a row is called of which the text does not say what it is.
ROWS = {
    "members": "The member {}", "seasons": "The season {}", "trophies": "The trophy {}", "nights": "The night of {}"
}  # fmt: skip


def differences(
    document: Document, club: Club | None, *, file_speaks: bool | None = None, names_others: bool = False
) -> Differences:
    """What the document would change in the club (None: there is none of its name here).

    `file_speaks` None: the later of the two speaks. Raises `NotTaken` where the file has rows of another club; with
    `names_others` it says which rows of which club, for those who may see all clubs.
    """
    document = without_addresses(document)
    here = {noun.key: here_of(noun, club) for noun in NOUNS}
    if club:
        document = without_erased(document, {row["uid"]: row for _, row in here["members"].values()})
    if file_speaks is None:
        file_speaks = club is None or latest_of_file(document) > latest_here(club, here)
    changes = Differences(document, club, file_speaks, here=here)
    if club:
        changes.players = players_here(document, club, here["members"])
        changes.renamed = dict(renamed(document, club, changes.players)) if file_speaks else {}
    compare_club(changes)
    for noun in NOUNS:
        compare_rows(changes, noun)
    refuse_rows_of_others(changes, names_others=names_others)
    leave_out(changes)
    if club:
        changes.conflicts += conflicts(changes)
    changes.sheets = list(sheet_changes(changes))
    return changes


def here_of(noun: Noun, club: Club | None) -> dict[Key, tuple[int, Row]]:
    """The rows that are here with their ids, by what tells them apart; what is not said of them is said as well."""
    rows: dict[Key, tuple[int, Row]] = {}
    for pk, row in rows_of(noun, club) if club else ():
        full = {name: row.get(name, empty_value(field)) for name, field in noun.fields.items()}
        rows[numbered(noun.key_of(full), rows)] = pk, full
    return rows


def numbered(key: Key, taken: dict[Key, Any]) -> Key:
    """The key, told apart from its equals: the second of two same lines is another line."""
    if key not in taken:
        return key
    return next(other for k in range(2, len(taken) + 3) if (other := (*key, k)) not in taken)


def compare_club(changes: Differences) -> None:
    """What is said of the club itself."""
    if changes.club:
        full = {name: club_row(changes.club).get(name, empty_value(field)) for name, field in CLUB.fields.items()}
        compare_row(changes, CLUB, changes.club.pk, full, changes.document["club"])


def compare_rows(changes: Differences, noun: Noun) -> None:
    """The rows of a kind: those that come in, and those that are here and say something else."""
    added = changes.added.setdefault(noun.key, [])
    seen: dict[Key, bool] = {}
    for row in changes.document[noun.key]:
        key = numbered(noun.key_of(changes.with_ids(noun, row)), seen)
        seen[key] = True
        if key in changes.here[noun.key]:
            pk, before = changes.here[noun.key][key]
            compare_row(changes, noun, pk, before, row)
        else:
            added.append(row)


def compare_row(changes: Differences, noun: Noun, pk: int, before: Row, row: Row) -> None:
    """One row that is here."""
    before = in_the_files_words(changes, noun, before)
    kept = {*noun.identity, *noun.stays}
    differs = [name for name in noun.fields if name not in kept and before[name] != row[name]]
    if differs:
        update = Update(noun, pk, before, {n: before[n] for n in differs}, {n: row[n] for n in differs})
        (changes.updates if changes.file_speaks else changes.held).append(update)


def in_the_files_words(changes: Differences, noun: Noun, before: Row) -> Row:
    """The row that is here with everybody inside of its fields by the number of the file; of others minus the id."""
    if not noun.referring:
        return before
    numbers = {pk: number for number, pk in changes.players.items()}
    tables = {pk: row["uid"] for pk, row in changes.here["tables"].values()}
    names = Names(lambda pk: numbers.get(pk, -pk), tables.get)
    return before | {name: renamed_field(noun.references, before, name, names) for name in noun.referring}


def leave_out(changes: Differences) -> None:
    """Leave out chairs of tables where people have chairs here, and rows of a season that is open here and stays so."""
    seated = {row["table"] for _, row in changes.here["chairs"].values()}
    changes.added["chairs"] = [row for row in changes.added["chairs"] if row["table"] not in seated]
    locked = {row["uid"] for row in changes.rows_after(BY_MODEL[Season]) if row["locked_at"] is not None}
    changes.added["standings"] = [row for row in changes.added["standings"] if row["season"] in locked]


def refuse_rows_of_others(changes: Differences, *, names_others: bool) -> None:
    """Raise where a row that would come in stands in another club of this site."""
    if changes.club is None and Club.objects.filter(uid=changes.document["club"]["uid"]).exists():
        raise NotTaken("That club is on this site already.")
    foreign = list(itertools.islice(rows_of_others(changes), None if names_others else 1))
    if foreign:
        raise NotTaken(OF_ANOTHER_CLUB, *(lines_of_others(changes, foreign) if names_others else ()))


def rows_of_others(changes: Differences) -> Iterator[tuple[Noun, Row, str]]:
    """The rows of the file that stand in another club of this site, with the name of that club."""
    for noun in NOUNS:
        rows = {row["uid"]: row for row in changes.added[noun.key]} if noun.has_uid else {}
        uids = list(rows)
        for start in range(0, len(uids), AT_ONCE):
            theirs = noun.model._default_manager.filter(uid__in=uids[start : start + AT_ONCE]).order_by("pk")
            for uid, name in theirs.values_list("uid", f"{noun.scope}__name"):
                yield noun, rows[uid], name


def lines_of_others(changes: Differences, foreign: list[tuple[Noun, Row, str]]) -> Iterator[str]:
    """A line about each of the first of them, in the words of the file, and how many more there are."""
    for noun, row, name in foreign[:MOST_NAMED]:
        yield f"{ROWS.get(noun.key, '{}').format(row_text(changes, noun.key, row))}: belongs to {name}."
    if len(foreign) > MOST_NAMED:
        yield f"and {len(foreign) - MOST_NAMED} more."


# Which of the two is later


def latest_of_file(document: Document) -> str:
    """The last moment the document tells of."""
    rows = [(noun, row) for noun in NOUNS for row in document[noun.key]]
    written = [write["at"] for sheet in document["sheets"] for write in sheet["sheet"]["writes"][-1:]]
    return max([*moments(rows), *written], default="")


def latest_here(club: Club, here: dict[str, dict[Key, tuple[int, Row]]]) -> str:
    """The last moment the club here tells of."""
    rows = [(noun, row) for noun in NOUNS for _, row in here[noun.key].values()]
    last = Revision.objects.filter(sheet__table__night__club=club).aggregate(models.Max("at"))["at__max"]
    return max([*moments(rows), *([format_moment(last)] if last else [])], default="")


def moments(rows: list[tuple[Noun, Row]]) -> Iterator[str]:
    """Every moment that is told in them."""
    names = {
        noun.key: [n for n, field in noun.fields.items() if isinstance(field, models.DateTimeField)] for noun in NOUNS
    }
    for noun, row in rows:
        yield from (row[name] for name in names[noun.key] if row[name] and row[name] is not REQUIRED)
