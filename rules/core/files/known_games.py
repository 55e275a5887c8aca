"""The games that a file can name, by slug.

The games are above this package, so :mod:`rules` hands their list down when it is loaded, which Python does before it
loads anything below it.
"""

from __future__ import annotations

from collections.abc import Callable

from rules.core.game import Game

#: Lists every game; :mod:`rules` sets it.
list_games: Callable[[], tuple[Game, ...]] = tuple


def known_game(slug: object) -> Game | None:
    """The game with that slug, of whatever type the value is; None where there is none."""
    return next((game for game in list_games() if game.slug == slug), None)
