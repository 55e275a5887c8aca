"""The rules of the club's games. They know seats but no names, and no clock, dice, database or page.

Each package beside :mod:`rules.core` is a game. ``core`` is what games share: the types in which a game is described,
the engine that reads a sheet, play-offs, and files. This module lists the games. It imports all the others, and none of
them imports it. Begin with :mod:`rules.core` to write a game, with :func:`find_game` to use one.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

from rules.core.files import known_games
from rules.core.game import Game


class UnknownGame(LookupError):
    """No game has that slug."""


@cache
def all_games() -> tuple[Game, ...]:
    """Every game of the house, by name. Listing the folder lists the games: there is no list to edit."""
    games: list[Game] = []
    for module in pkgutil.iter_modules(__path__):
        if module.name != "core":
            games += games_in(module.name)
    return tuple(sorted(games, key=lambda game: game.name))


def games_in(module: str) -> list[Game]:
    """The games that ``rules.<module>`` shows: concrete subclasses of :class:`Game` defined there."""
    members = vars(importlib.import_module(f"rules.{module}")).values()
    return [
        member()
        for member in members
        if inspect.isclass(member)
        and issubclass(member, Game)
        and not inspect.isabstract(member)
        and member.__module__.startswith(f"rules.{module}")
    ]


def find_game(slug: str) -> Game:
    """The game with that slug. Raises :class:`UnknownGame`."""
    for game in all_games():
        if game.slug == slug:
            return game
    raise UnknownGame(slug)


known_games.list_games = all_games
