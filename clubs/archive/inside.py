"""Players and tables that are named inside of a field, and not by a pointer: on every site they have other ids.

Such a field is an object or a list as a play-off keeps it: a list of numbers is one of players, and so are keys that
are numbers; what stands under "table" is a table. In a file players are numbers of its list, and tables their `uid`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

TABLE = "table"


def renamed_inside(value: Any, player: Callable[[int], int], table: Callable[[Any], Any]) -> Any:
    """The same with every player and every table called otherwise.

    >>> renamed_inside({"7": "A", "table": 3, "moved": [7, 8], "version": 4}, lambda pk: pk + 10, str)
    {'17': 'A', 'table': '3', 'moved': [17, 18], 'version': 4}
    """
    if isinstance(value, dict):
        return {
            str(player(int(key))) if is_number(key) else key: table(one)
            if key == TABLE
            else renamed_inside(one, player, table)
            for key, one in value.items()
        }
    if isinstance(value, list):
        return [player(one) if is_player_number(one) else renamed_inside(one, player, table) for one in value]
    return value


def players_inside(value: Any) -> list[int]:
    """The players that are named in it."""
    found: list[int] = []

    def noted(number: int) -> int:
        found.append(number)
        return number

    renamed_inside(value, noted, str)
    return found


def tables_inside(value: Any) -> list[Any]:
    """What is named as a table in it."""
    found: list[Any] = []
    renamed_inside(value, int, found.append)
    return found


def is_number(key: str) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < 16


def is_player_number(one: object) -> bool:
    return isinstance(one, int) and not isinstance(one, bool)
