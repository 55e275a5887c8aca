"""What the file of a club would change here, before anything is changed.

Rows come in or are changed; none is ever taken away. Where both the file and the club here say something of the same
row, one of them speaks: the later of the two, unless somebody says otherwise. Rights, addresses and who sat where stay
as they are here. Where both cannot be right there is a conflict, and nothing is taken in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import models

from clubs.archive.codec import MUST, nothing
from clubs.archive.export import Document, Row, club_row, rows_of
from clubs.archive.parse import NotTaken
from clubs.archive.privacy import without_addresses, without_erased
from clubs.archive.references import Names, renamed_field
from clubs.archive.schema import BY_MODEL, CLUB, NOUNS, Noun, Update
from clubs.archive_import.changes import Differences, Key
from clubs.archive_import.conflicts import conflicts
from clubs.archive_import.sheet_diff import players_here, renamed, sheet_changes
from clubs.models import Club, Season
from scoresheets.files.log_export import moment
from scoresheets.models import Revision

#: So many names are looked up in one go.
AT_ONCE = 500


def differences(document: Document, club: Club | None, *, file_speaks: bool | None = None) -> Differences:
    """What the document would change in the club (None: there is none of its name here).

    `file_speaks` None: the later of the two speaks. Raises `NotTaken` where the file has rows of another club.
    """
    document = without_addresses(document)
    here = {noun.key: here_of(noun, club) for noun in NOUNS}
    if club:
        document = without_erased(document, {row["uid"]: row for _, row in here["members"].values()})
    if file_speaks is None:
        file_speaks = club is None or latest_of_file(document) > latest_here(club, here)
    found = Differences(document, club, file_speaks, here=here)
    if club:
        found.players = players_here(document, club, here["members"])
        found.renamed = dict(renamed(document, club, found.players)) if file_speaks else {}
    compare_club(found)
    for noun in NOUNS:
        compare_rows(found, noun)
    refuse_rows_of_others(found)
    leave_out(found)
    if club:
        found.conflicts += conflicts(found)
    found.sheets = list(sheet_changes(found))
    return found


def here_of(noun: Noun, club: Club | None) -> dict[Key, tuple[int, Row]]:
    """The rows that are here with their ids, by what tells them apart; what is not said of them is said as well."""
    found: dict[Key, tuple[int, Row]] = {}
    for pk, row in rows_of(noun, club) if club else ():
        full = {name: row.get(name, nothing(one)) for name, one in noun.fields.items()}
        found[numbered(noun.key_of(full), found)] = pk, full
    return found


def numbered(key: Key, found: dict[Key, Any]) -> Key:
    """The key, told apart from its equals: the second of two same lines is another line."""
    if key not in found:
        return key
    return next(other for k in range(2, len(found) + 3) if (other := (*key, k)) not in found)


def compare_club(found: Differences) -> None:
    """What is said of the club itself."""
    if found.club:
        full = {name: club_row(found.club).get(name, nothing(one)) for name, one in CLUB.fields.items()}
        compare_row(found, CLUB, found.club.pk, full, found.document["club"])


def compare_rows(found: Differences, noun: Noun) -> None:
    """The rows of a kind: those that come in, and those that are here and say something else."""
    added = found.added.setdefault(noun.key, [])
    seen: dict[Key, bool] = {}
    for row in found.document[noun.key]:
        key = numbered(noun.key_of(found.with_ids(noun, row)), seen)
        seen[key] = True
        if key in found.here[noun.key]:
            pk, before = found.here[noun.key][key]
            compare_row(found, noun, pk, before, row)
        else:
            added.append(row)


def compare_row(found: Differences, noun: Noun, pk: int, before: Row, row: Row) -> None:
    """One row that is here."""
    before = in_the_files_words(found, noun, before)
    kept = {*noun.identity, *noun.stays}
    differs = [name for name in noun.fields if name not in kept and before[name] != row[name]]
    if differs:
        update = Update(noun, pk, before, {n: before[n] for n in differs}, {n: row[n] for n in differs})
        (found.updates if found.file_speaks else found.held).append(update)


def in_the_files_words(found: Differences, noun: Noun, before: Row) -> Row:
    """The row that is here with everybody inside of its fields by the number of the file; of others minus the id."""
    if not noun.referring:
        return before
    numbers = {pk: number for number, pk in found.players.items()}
    tables = {pk: row["uid"] for pk, row in found.here["tables"].values()}
    names = Names(lambda pk: numbers.get(pk, -pk), tables.get)
    return before | {name: renamed_field(noun.references, before, name, names) for name in noun.referring}


def leave_out(found: Differences) -> None:
    """Leave out chairs of tables where people have chairs here, and rows of a season that is open here and stays so."""
    seated = {row["table"] for _, row in found.here["chairs"].values()}
    found.added["chairs"] = [row for row in found.added["chairs"] if row["table"] not in seated]
    locked = {row["uid"] for row in found.rows_after(BY_MODEL[Season]) if row["locked_at"] is not None}
    found.added["standings"] = [row for row in found.added["standings"] if row["season"] in locked]


def refuse_rows_of_others(found: Differences) -> None:
    """Raise where a row that would come in stands in another club of this site."""
    if found.club is None and Club.objects.filter(uid=found.document["club"]["uid"]).exists():
        raise NotTaken("That club is on this site already.")
    for noun in NOUNS:
        uids = [row["uid"] for row in found.added[noun.key]] if noun.has_uid else []
        for start in range(0, len(uids), AT_ONCE):
            if noun.model._default_manager.filter(uid__in=uids[start : start + AT_ONCE]).exists():
                raise NotTaken("Something in this file belongs to another club of this site. Nothing is taken in.")


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
    return max([*moments(rows), *([moment(last)] if last else [])], default="")


def moments(rows: list[tuple[Noun, Row]]) -> Iterator[str]:
    """Every moment that is told in them."""
    names = {noun.key: [n for n, one in noun.fields.items() if isinstance(one, models.DateTimeField)] for noun in NOUNS}
    for noun, row in rows:
        yield from (row[name] for name in names[noun.key] if row[name] and row[name] is not MUST)
