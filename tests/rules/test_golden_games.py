"""Whole games with everything they come to, worked out by another hand than the code's."""

import json
from pathlib import Path

import pytest

from rules import all_games, find_game
from rules.core.files.sheet_file import read_document, score_document
from rules.core.files.writer import sheet_document
from tests.rules.test_examples import differences

GAMES = sorted((Path(__file__).parent.parent / "sheets" / "games").glob("*.json"))


@pytest.fixture(params=GAMES, ids=lambda file: file.stem)
def golden(request):
    return json.loads(request.param.read_text("utf-8"))


def test_game_comes_out_as_it_was_worked_out(golden):
    found = score_document(json.dumps(golden["document"]))
    assert list(differences(golden["expect"], found)) == []
    assert found.keys() == golden["expect"].keys()
    for row, expected in zip(found["hands"], golden["expect"]["hands"], strict=True):
        assert row.keys() == expected.keys()


def test_game_that_is_written_down_again_comes_to_the_same(golden):
    read = read_document(json.dumps(golden["document"]))
    again = sheet_document(read.game, read.table, read.entries, read.names, replaced=read.replaced)
    assert score_document(json.dumps(again)) == score_document(json.dumps(golden["document"]))


def test_every_file_has_a_story_and_the_name_of_its_game():
    for file in GAMES:
        data = json.loads(file.read_text("utf-8"))
        assert data["story"]
        assert find_game(data["document"]["game"]).module == file.stem.partition("-")[0]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_has_a_whole_golden_game(game):
    wanted = f"{game.module}-"
    assert any(file.stem.startswith(wanted) for file in GAMES), f"Write a whole game: tests/sheets/games/{wanted}….json"
