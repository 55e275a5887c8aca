"""Erased members in older club files: their names stay erased when such a file is compared or imported."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from clubs.archive.export import Document, Row
from clubs.members.erased_names import NOBODYS_NAME, Replace, former_names, replaced_inside, replacer
from clubs.models.member import SOMEBODY
from scoresheets.files.log_export import Copy, players_in
from scoresheets.log.occupants import SITS
from scoresheets.log.text import same_name, without_address

#: What of a member's row says who it is.
PERSONAL = ("name", "nickname", "shown_as", "hidden", "colour", "initial", "role", "left_at", "erased_at")

NAMES = ("name", "nickname", "shown_as")
#: Parts of a file with names in rows of their own, or nothing that anybody typed.
NAMES_STAND = ("format", "club", "players", "members", "sheets")
#: What people typed of a sheet.
TYPED = ("title", "stakes", "coming", "scorekeepers")


def without_erased(document: Document, members: dict[str, Row]) -> Document:
    """The document with everybody who was erased here called as they are here; `members` are the rows here by uid."""
    here = {row["uid"]: members[row["uid"]] for row in document["members"] if is_erased(members.get(row["uid"]))}
    for name in dict.fromkeys(row["name"] for row in here.values()):
        document = without(document, {uid: row for uid, row in here.items() if row["name"] == name}, name)
    return document


def is_erased(row: Row | None) -> bool:
    """Whether it is the row of somebody who was erased here."""
    return row is not None and row["erased_at"] is not None


def without(document: Document, here: dict[str, Row], name: str) -> Document:
    """The same for one of them: `here` are their records here by uid, `name` is what they are called now."""
    rows = [row for row in document["members"] if row["uid"] in here]
    mine = {row["player"] for row in rows}
    mine |= {row["player"] for row in document["known"] if row["member"] in here}
    replace = replacer(names_in(document, rows, mine), names_of(document, here), name)
    changed = {key: replaced_inside(value, replace) for key, value in document.items() if key not in NAMES_STAND}
    return document | changed | {
        "club": replaced_inside(document["club"], replace) | {"name": document["club"]["name"]},
        "players": [{"name": name} if k in mine else player for k, player in enumerate(document["players"], 1)],
        "members": [
            row | {field: here[row["uid"]][field] for field in PERSONAL} if row["uid"] in here else row
            for row in document["members"]
        ],
        "sheets": [
            sheet | {"sheet": sheet_without(sheet["sheet"], mine, name, replace)} for sheet in document["sheets"]
        ],
    }  # fmt: skip


def names_of(document: Document, without: Collection[str]) -> list[str]:
    """What everybody of the file is called but the members of these uids."""
    others = [row for row in document["members"] if row["uid"] not in without]
    return [row[field] for row in others for field in NAMES if not NOBODYS_NAME.fullmatch(row[field])]


def names_in(document: Document, rows: list[Row], players: Collection[int]) -> list[str]:
    """Every name by which the file knows one person: in `rows`, at tables as `players`, and before."""
    own = [row[field] for row in rows for field in NAMES]
    called = [document["players"][number - 1] for number in players]
    sat = [name for sheet in document["sheets"] for player, name in players_in(sheet["sheet"]) if player in players]
    taken = {same_name(name) for name in names_of(document, {row["uid"] for row in rows})}
    by_others = [name for name in (*sat, *(player["name"] for player in called)) if same_name(name) not in taken]
    logged = [row["says"] for row in reversed(document["diary"])]
    return [*own, *(player.get("shown_as", "") for player in called), *former_names(own, logged), *by_others]


def sheet_without(copy: Copy, players: Collection[int], name: str, replace: Replace) -> Copy:
    """A sheet with these players called `name`."""
    seats = [[seat, player, name if player in players else was] for seat, player, was in copy["seats"]]
    texts = {key: replaced_inside(copy[key], replace) for key in TYPED if key in copy}
    writes = [write_without(write, players, name, replace) for write in copy["writes"]]
    badges = [[player, colour, "" if player in players else initial, chosen]
              for player, colour, initial, chosen in copy.get("badges", ())]  # fmt: skip
    return copy | texts | {"seats": seats, "writes": writes} | ({"badges": badges} if badges else {})


def write_without(write: Copy, players: Collection[int], name: str, replace: Replace) -> Copy:
    """A write of it: its reason, and what it added."""
    changed = write | ({"why": replace(write["why"])} if "why" in write else {})
    if "adds" in write:
        changed["adds"] = [entry_without(entry, players, name, replace) for entry in write["adds"]]
    return changed


def entry_without(entry: list[object], players: Collection[int], name: str, replace: Replace) -> list[object]:
    """An entry: who sits somewhere is told by the player, everything else by what it says."""
    hand, ask, data, *first = entry
    if isinstance(data, dict) and str(ask).startswith(SITS):
        return [hand, ask, data | {"name": name} if data.get("player") in players else data, *first]
    return [hand, ask, replaced_inside(data, replace), *first]


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
