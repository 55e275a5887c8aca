"""The worked examples of the games: sheet files with what they come to, in `tests/sheets/examples/<module>.json`."""

from __future__ import annotations

import json
from typing import Any

from rules import all_games
from rules.core.game import Game
from tests.conftest import PROJECT

FOLDER = PROJECT / "tests" / "sheets" / "examples"
PLAY_OFFS = "play_off"


def examples_named(name: str) -> list[dict[str, Any]]:
    """The examples in the file of that name; none where there is no file."""
    file = FOLDER / f"{name}.json"
    return json.loads(file.read_text("utf-8")) if file.exists() else []


def examples_of(game: Game) -> list[dict[str, Any]]:
    """The examples of a game."""
    return examples_named(game.module)


def accepted_documents(game: Game) -> list[dict[str, Any]]:
    """The sheet files among the examples of a game that are not refused."""
    return [case["document"] for case in examples_of(game) if "expect" in case]


def games_with_examples() -> list[Game]:
    """Every game, once it has its file of examples; `test_examples.py` says which has none yet."""
    return [game for game in all_games() if examples_of(game)]
