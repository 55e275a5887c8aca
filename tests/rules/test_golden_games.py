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


def test_every_game_has_its_stories():
    assert {file.stem.partition("-")[0] for file in GAMES} == {game.module for game in all_games()}
    for file in GAMES:
        golden = json.loads(file.read_text("utf-8"))
        assert golden["story"]
        assert find_game(golden["document"]["game"]).module == file.stem.partition("-")[0]
