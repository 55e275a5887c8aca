"""Mail addresses that stand in the names of a file come in nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clubs.models.member import SOMEBODY
from scoresheets.files.log_export import players_in
from scoresheets.log.occupants import SITS
from scoresheets.log.text import without_address

if TYPE_CHECKING:
    from clubs.archive.packing import Document, Row
    from scoresheets.files.log_export import Copy


def without_addresses(document: Document) -> Document:
    """The document with the addresses taken off the names of members, players and seats."""
    return document | {
        "members": [named(row, "name", "nickname", "shown_as") for row in document["members"]],
        "players": [named(row, "name", "shown_as") for row in document["players"]],
        "sheets": [
            sheet | {"sheet": seated(sheet["sheet"])} if has_address(sheet["sheet"]) else sheet
            for sheet in document["sheets"]
        ],
    }


def plain(name: str) -> str:
    """A name without the address in it; where nothing else is left, nobody's name."""
    return without_address(name) or (SOMEBODY if name else "")


def named(row: Row, *fields: str) -> Row:
    """The row with plain names."""
    if not any("@" in row.get(field, "") for field in fields):
        return row
    return row | {field: plain(row[field]) for field in fields if field in row}


def has_address(copy: Copy) -> bool:
    """Whether an address stands in a name on the sheet."""
    return any("@" in name for _, name in players_in(copy))


def seated(copy: Copy) -> Copy:
    """The sheet with plain names on its seats."""
    seats = [[seat, player, plain(name)] for seat, player, name in copy["seats"]]
    writes = [
        write | {"adds": [entry_of(entry) for entry in write["adds"]]} if "adds" in write else write
        for write in copy["writes"]
    ]
    return copy | {"seats": seats, "writes": writes}


def entry_of(entry: list[Any]) -> list[Any]:
    """An entry, with a plain name where somebody sits down by it."""
    hand, ask, data, *first = entry
    return [hand, ask, data | {"name": plain(data["name"])}, *first] if ask.startswith(SITS) else entry
