"""The export of a club file. The same club always gives the same bytes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

from clubs.archive.codec import empty_value, file_value
from clubs.archive.references import Names, renamed_field
from clubs.archive.schema import CLUB, NOUNS, PLAYER_FIELDS, Noun, is_player, noun_of
from clubs.models import Club, PlayerAlias, Table
from scoresheets.files.log_export import copies_of, players_in, renumbered, without_empty
from scoresheets.models import Player, Sheet

#: Is called with how many sheets are done, and how many there are.
Progress = Callable[[int, int], None]

FORMAT = "club/1"

Row = dict[str, Any]
Document = dict[str, Any]


def packed(club: Club, progress: Progress | None = None) -> bytes:
    """The file of the club, pressed together (gzip). `progress` hears how many of all sheets are in it."""
    # Without the hour at which it was pressed.
    return gzip.compress(text_of(document_of(club, progress)).encode(), mtime=0)


def text_of(document: Document) -> str:
    """A document as a text: one row a line, so that people can read it and tell two files apart."""
    parts = []
    for key, value in document.items():
        if isinstance(value, list) and value:
            parts.append(f"{json.dumps(key)}: [\n" + ",\n".join(row_text(row) for row in value) + "\n]")
        else:
            parts.append(f"{json.dumps(key)}: {row_text(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def row_text(row: object) -> str:
    """One row in a line."""
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def document_of(club: Club, progress: Progress | None = None) -> Document:
    """Everything the file says."""
    document: Document = {"format": FORMAT, "club": club_row(club)}
    rows = {noun.key: [row for _, row in rows_of(noun, club)] for noun in NOUNS}
    sheets = sheets_of(club, progress)
    players = Numbers(names_of_erased(club))
    for noun in NOUNS:
        for row in rows[noun.key]:
            for name, field in noun.fields.items():
                if is_player(field):
                    row[name] = players.number(row[name], "")
    for sheet in sheets:
        for player, name in players_in(sheet["sheet"]):
            players.number(player, name)
        sheet["sheet"] = renumbered(sheet["sheet"], players.number)
    name_inside(rows, players, club)
    return document | {"players": players.rows()} | rows | {"sheets": sheets}


def name_inside(rows_by_noun: dict[str, list[Row]], players: Numbers, club: Club) -> None:
    """Players, tables and stages inside of fields, as the file names them."""
    rows = [
        (noun, row, name) for noun in NOUNS for name in noun.referring for row in rows_by_noun[noun.key] if name in row
    ]
    if rows:
        tables = dict(Table.objects.filter(night__club=club).values_list("pk", "uid"))
        names = Names(lambda pk: players.number(pk, ""), tables.get)
        for noun, row, name in rows:
            row[name] = renamed_field(noun.references, row, name, names)


def club_row(club: Club) -> Row:
    """What is said of the club itself."""
    return without_empty({name: file_value(field, getattr(club, name)) for name, field in CLUB.fields.items()})


def rows_of(noun: Noun, club: Club) -> list[tuple[int, Row]]:
    """The rows of a kind with their ids, in their order; players by their ids. One query."""
    paths = {name: f"{name}__uid" if noun_of(field) else field.attname for name, field in noun.fields.items()}
    values_of_rows = noun.rows(club).values_list("pk", *paths.values())
    rows = [(pk, row_of(noun, dict(zip(paths, values, strict=True)))) for pk, *values in values_of_rows]
    return sorted(rows, key=lambda row: [(row[1].get(name) is not None, row[1].get(name)) for name in noun.order])


def row_of(noun: Noun, values: dict[str, Any]) -> Row:
    """A row as it stands in the file: what is as good as not said is left out."""
    row = {name: file_value(field, values[name]) for name, field in noun.fields.items()}
    return {name: value for name, value in row.items() if value != empty_value(noun.fields[name])}


def sheets_of(club: Club, progress: Progress | None = None) -> list[Row]:
    """The sheets of a club with everything that ever stood on them, by the table they lie on."""
    tables = Table.objects.filter(night__club=club, sheet__isnull=False).order_by("created", "uid")
    by_sheet = dict(tables.values_list("sheet", "uid"))
    sheets = Sheet.objects.in_bulk(list(by_sheet))
    copies = copies_of([sheets[pk] for pk in by_sheet])
    sheets_done: list[Row] = []
    for pk, copy in copies:
        sheets_done.append({"table": by_sheet[pk], "sheet": copy})
        if progress:
            progress(len(sheets_done), len(by_sheet))
    return sheets_done


class Numbers:
    """Players in the order in which a file comes to them, from 1 on."""

    def __init__(self, erased: dict[int, str] | None = None) -> None:
        #: What players (ids) are called here whose member was erased, whatever another club calls them.
        self.erased = erased or {}
        self.numbers: dict[int, int] = {}
        self.names: list[str] = []

    def number(self, player: int, name: str) -> int:
        """The number of the player of that id; `name` is what they are called there."""
        if player not in self.numbers:
            self.numbers[player] = len(self.numbers) + 1
            self.names.append(name)
        return self.numbers[player]

    def rows(self) -> list[Row]:
        """Everybody who has a number."""
        players = Player.objects.in_bulk(list(self.numbers))
        return [
            {"name": self.erased[pk]} if pk in self.erased
            else without_empty({field: getattr(players[pk], field) for field in PLAYER_FIELDS}) if pk in players
            else {"name": name}
            for pk, name in zip(self.numbers, self.names, strict=True)
        ]  # fmt: skip


def names_of_erased(club: Club) -> dict[int, str]:
    """What the members of the club are called who were erased, by their players (ids)."""
    erased = club.members.filter(erased_at__isnull=False)
    known = PlayerAlias.objects.filter(member__in=erased).values_list("player", "member__name")
    return dict(known) | dict(erased.values_list("player", "name"))
