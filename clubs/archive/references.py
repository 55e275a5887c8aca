"""References inside of JSON fields: the keys of a field that hold what is declared with it (`Noun.references`).

Ids of players and tables differ from site to site. In a file players are numbers of its list, and tables their `uid`.
Stages have their `uid` on every site.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, NamedTuple

Row = Mapping[str, Any]


class ReferenceKind(Enum):
    """What is referred to. An object of `PLAYER_KEYS` has players as its keys."""

    PLAYER = "player"
    PLAYER_KEYS = "player keys"
    TABLE = "table"
    STAGE = "stage"


#: A reference of a kind, a list of such, or an object with such under these keys; {} has none.
Declared = ReferenceKind | list["Declared"] | Mapping[str, "Declared"]


class ByField(NamedTuple):
    """What is declared for a field depends on the value of another field of the row."""

    field: str
    declared: Mapping[str, Declared]


References = Mapping[str, Declared | ByField]


def unchanged(uid: Any) -> Any:
    return uid


class Names(NamedTuple):
    """What each of them is called instead."""

    player: Callable[[int], int]
    table: Callable[[Any], Any]
    stage: Callable[[Any], Any] = unchanged


def renamed_field(references: References, row: Row, name: str, names: Names) -> Any:
    """The field of that name with everything in it that is referred to called otherwise."""
    declared = references[name]
    return renamed(
        row[name], declared.declared[row[declared.field]] if isinstance(declared, ByField) else declared, names
    )


def renamed(value: Any, declared: Declared, names: Names) -> Any:
    """The same with references called otherwise. What is not as it was declared stays: files may say anything.

    >>> names = Names(lambda pk: 10 - pk, str)
    >>> declared = {"table": ReferenceKind.TABLE, "moved": [ReferenceKind.PLAYER]}
    >>> renamed({"table": 3, "moved": [7, 8], "hands": [4, 6]}, declared, names)
    {'table': '3', 'moved': [2, 3], 'hands': [4, 6]}
    >>> renamed({"7": "A"}, ReferenceKind.PLAYER_KEYS, names)
    {'3': 'A'}
    """
    if declared is ReferenceKind.PLAYER:
        return names.player(value) if is_whole_number(value) else value
    if declared is ReferenceKind.TABLE:
        return names.table(value)
    if declared is ReferenceKind.STAGE:
        return names.stage(value)
    if declared is ReferenceKind.PLAYER_KEYS and isinstance(value, dict):
        return {str(names.player(int(key))) if is_digits(key) else key: content for key, content in value.items()}
    if isinstance(declared, list) and isinstance(value, list):
        items = [renamed(item, declared[0], names) for item in value]
        return sorted(items) if declared[0] is ReferenceKind.PLAYER and all(map(is_whole_number, items)) else items
    if isinstance(declared, Mapping) and isinstance(value, dict):
        return value | {key: renamed(value[key], inner, names) for key, inner in declared.items() if key in value}
    return value


class Referred:
    """Everything a field refers to, as it is called there."""

    def __init__(self, references: References, row: Row, name: str) -> None:
        self.players: list[int] = []
        self.tables: list[Any] = []
        self.stages: list[Any] = []
        renamed_field(references, row, name, Names(self.note, self.tables.append, self.stages.append))

    def note(self, player: int) -> int:
        self.players.append(player)
        return player


def is_digits(key: str) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < 16


def is_whole_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
