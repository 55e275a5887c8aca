"""Players, tables and stages that are named inside of a field, and not by a pointer: on every site they have other ids.

Such a field is an object or a list as a play-off keeps it. A list of numbers is one of players, in their order, and so
are keys that are numbers; what stands under "table" is a table, under "stage" a stage, under "old" and "new" some. In a
file players are numbers of its list, tables their `uid`. Stages are told by their `uid` on every site.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

TABLE, STAGE, STAGES = "table", "stage", ("old", "new")


def unchanged(uid: Any) -> Any:
    """A stage is called the same everywhere."""
    return uid


class Names(NamedTuple):
    """What each of them is called instead."""

    player: Callable[[int], int]
    table: Callable[[Any], Any]
    stage: Callable[[Any], Any] = unchanged


def renamed_inside(value: Any, names: Names, key: str = "") -> Any:
    """The same with everything called otherwise; `key` is where it stands.

    >>> names = Names(lambda pk: 10 - pk, str, str)
    >>> renamed_inside({"7": "A", "table": 3, "moved": [7, 8], "old": [1], "version": 4}, names)
    {'3': 'A', 'table': '3', 'moved': [2, 3], 'old': ['1'], 'version': 4}
    """
    if key in (TABLE, STAGE):
        return names.table(value) if key == TABLE else names.stage(value)
    if isinstance(value, dict):
        return {
            str(names.player(int(name))) if is_number(name) else name: renamed_inside(one, names, name)
            for name, one in value.items()
        }
    if isinstance(value, list):
        if key in STAGES:
            return [names.stage(one) for one in value]
        if value and all(is_player(one) for one in value):
            return sorted(names.player(one) for one in value)
        return [renamed_inside(one, names) for one in value]
    return value


class Named:
    """Everything that is named in it, as it is named there."""

    def __init__(self, value: Any) -> None:
        self.players: list[int] = []
        self.tables: list[Any] = []
        self.stages: list[Any] = []
        renamed_inside(value, Names(self.note, self.tables.append, self.stages.append))

    def note(self, player: int) -> int:
        self.players.append(player)
        return player


def is_number(key: str) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < 16


def is_player(one: object) -> bool:
    return isinstance(one, int) and not isinstance(one, bool)
