"""Which games there are: every module of the ``rules`` package that defines one. No list to edit."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from functools import cache

import rules
from rules.core.game import Game


class UnknownGame(LookupError):
    """No game has that slug."""


@cache
def all_games() -> tuple[Game, ...]:
    """Every game of the house, by name. Listing the folder lists the games."""
    found: list[Game] = []
    for module in pkgutil.iter_modules(rules.__path__):
        if module.name != "core":
            found += games_in(module.name)
    return tuple(sorted(found, key=lambda game: game.name))


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
