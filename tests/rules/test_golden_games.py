"""Whole games with everything they come to, worked out by another hand than the code's."""

import json
from pathlib import Path

import pytest

from rules import all_games
from rules.core.files.sheet_file import read_document, score_document
from rules.core.files.writer import sheet_document
from tests.rules.test_examples import differences

GAMES = sorted((Path(__file__).parent.parent / "sheets" / "games").glob("*.json"))


@pytest.fixture(params=GAMES, ids=lambda file: file.stem)
def game(request):
    return json.loads(request.param.read_text("utf-8"))


def test_game_comes_out_as_it_was_worked_out(game):
    found = score_document(json.dumps(game["document"]))
    assert list(differences(game["expect"], found)) == []
    assert found.keys() == game["expect"].keys()
    for row, expected in zip(found["hands"], game["expect"]["hands"], strict=True):
        assert row.keys() == expected.keys()


def test_game_that_is_written_down_again_comes_to_the_same(game):
    read = read_document(json.dumps(game["document"]))
    again = sheet_document(read.game, read.table, read.entries, read.names, replaced=read.replaced)
    assert score_document(json.dumps(again)) == score_document(json.dumps(game["document"]))


def test_every_story_is_told():
    assert {file.stem for file in GAMES} >= {
        "comings_and_goings",
        "everybody_level",
        "level_at_both_ends",
        "stopped_early",
        "whole_deck",
    }
    assert all(json.loads(file.read_text("utf-8"))["story"] for file in GAMES)


@pytest.mark.parametrize("kind", all_games(), ids=lambda kind: kind.slug)
def test_every_game_has_a_whole_golden_game(kind):
    assert kind.slug in {json.loads(file.read_text("utf-8"))["document"]["game"] for file in GAMES}
