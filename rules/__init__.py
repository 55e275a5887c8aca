"""The rules of the club's games, and nothing else: no names, no clock, no database.

Each module beside ``core`` is a game. ``core`` is the vocabulary they share and the engine that reads a sheet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.core.game import Game


def all_games() -> tuple[Game, ...]:
    """Every game of the house, by name."""
    from rules import registry

    return registry.all_games()


def find_game(slug: str) -> Game:
    """The game with that slug. Raises :class:`rules.registry.UnknownGame`."""
    from rules import registry

    return registry.find_game(slug)
