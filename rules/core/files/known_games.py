"""The games a file can name.

A file says its game by slug, so whoever reads one must know all games, which are above this package. This is the one
place that asks :mod:`rules` for them, by name and not before a file is read: nothing below the games imports them.
"""

from __future__ import annotations

import importlib
from typing import cast

from rules.core.game import Game


def known_game(slug: object) -> Game | None:
    """The game that a file calls so, whatever stands there; None where there is none."""
    games = cast("tuple[Game, ...]", importlib.import_module("rules").all_games())
    return next((game for game in games if game.slug == slug), None)
