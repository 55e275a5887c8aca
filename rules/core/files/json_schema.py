"""JSON Schema (draft 2020-12) of the file formats, made of the shapes by which files are read and written.

They are for others who write or read such files. ``manage.py schemas --write`` writes them into ``fixtures/schemas``.
Every document that the site takes is valid. A valid one may be refused all the same: only the rules tell what cannot be
in a game, and JSON Schema takes 3.0 for a whole number.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import cast

from rules.core.files import known_games
from rules.core.files.play_off_file import PLAY_OFF_FORMAT, shape_of_play_off
from rules.core.files.play_off_file import RESULT as PLAY_OFF_RESULT
from rules.core.files.play_off_file import RESULT_FORMAT as PLAY_OFF_RESULT_FORMAT
from rules.core.files.results import RESULT_FORMAT, shape_of_result
from rules.core.files.schema import JsonSchema, Members, Name, Shape
from rules.core.files.sheet_file import PROBLEMS, PROBLEMS_FORMAT, SHEET_FORMAT, shape_of_sheet
from rules.core.game import Game

DRAFT = "https://json-schema.org/draft/2020-12/schema"
#: What stands so often in a schema that it stands there once, by its name among the definitions.
SHARED: Mapping[str, Shape] = {"name": Name()}


def schemas() -> dict[str, JsonSchema]:
    """The schema of every format that the rules read or write, by its name."""
    return {
        SHEET_FORMAT: schema_by_game(SHEET_FORMAT, shape_of_sheet),
        RESULT_FORMAT: schema_by_game(RESULT_FORMAT, shape_of_result),
        PLAY_OFF_FORMAT: schema_by_game(PLAY_OFF_FORMAT, shape_of_play_off, has_play_off),
        PLAY_OFF_RESULT_FORMAT: schema_document(PLAY_OFF_RESULT_FORMAT, PLAY_OFF_RESULT.schema()),
        PROBLEMS_FORMAT: schema_document(PROBLEMS_FORMAT, PROBLEMS.schema()),
    }


def every_game(game: Game) -> bool:  # noqa: ARG001 - it is none of the others
    """All games."""
    return True


def has_play_off(game: Game) -> bool:
    """The games that can be played in a play-off."""
    return game.play_off.possible


def schema_by_game(
    title: str, shape_of: Callable[[Game], Members], is_known: Callable[[Game], bool] = every_game
) -> JsonSchema:
    """The schema of a format in which every game has a shape of its own, told apart by the key ``game``."""
    shapes = {game.slug: shape_of(game).schema() for game in known_games.list_games() if is_known(game)}
    return schema_document(
        title,
        {
            "type": "object",
            "properties": {"game": {"enum": list(shapes)}},
            "required": ["game"],
            "allOf": [
                {"if": {"properties": {"game": {"const": slug}}}, "then": {"$ref": reference(slug)}}
                for slug in shapes
            ],
            "$defs": shapes,
        },
    )  # fmt: skip


def schema_document(title: str, schema: JsonSchema, shared: Mapping[str, Shape] = SHARED) -> JsonSchema:
    """A whole schema, with the name of its format as the title. ``shared`` stand in it once."""
    definitions = {name: shape.schema() for name, shape in shared.items()}
    whole = cast("JsonSchema", with_references(schema, definitions))
    used = {name: part for name, part in definitions.items() if reference(name) in json.dumps(whole)}
    own = cast("JsonSchema", whole.pop("$defs", {}))
    return {"$schema": DRAFT, "title": title, **whole, "$defs": used | own}


def reference(name: str) -> str:
    """Where a definition stands in its schema."""
    return f"#/$defs/{name}"


def with_references(part: object, definitions: Mapping[str, JsonSchema]) -> object:
    """A part of a schema in which what is defined is referred to."""
    if isinstance(part, list):
        return [with_references(member, definitions) for member in part]
    if not isinstance(part, dict):
        return part
    name = next((name for name, definition in definitions.items() if part == definition), None)
    if name is not None:
        return {"$ref": reference(name)}
    return {key: with_references(member, definitions) for key, member in part.items()}
