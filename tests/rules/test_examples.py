"""The worked examples of the games that are here, and of play-offs."""

import json

import pytest

from rules import all_games
from rules.core.files.score import score_paper
from rules.core.files.sheet_file import Refused
from tests.rules.examples import FOLDER, PLAY_OFFS, examples_named, examples_of

WITHOUT_ORDER = (
    "boxed", "circled", "callouts", "players", "waiting_for", "winners", "red_handed", "winners_table", "losers_table",
)  # fmt: skip


def examples():
    for name in sorted(file.stem for file in FOLDER.glob("*.json")):
        for number, case in enumerate(examples_named(name)):
            yield pytest.param(case, id=f"{name} {number}")


def differences(expected, found, where=""):
    """Everything in which ``found`` is not as ``expected``, which may state only a part of it."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key in found:
                yield from differences(value, found[key], f"{where}.{key}")
            else:
                yield f"{where}.{key} is missing"
    elif isinstance(expected, list) and isinstance(found, list):
        if where.rpartition(".")[2] in WITHOUT_ORDER:
            expected, found = (sorted(map(without_order, some)) for some in (expected, found))
            if expected != found:
                yield f"{where}: {expected} expected, {found} found"
        elif len(expected) != len(found):
            yield f"{where}: {len(expected)} expected, {len(found)} found"
        else:
            for place, (one, other) in enumerate(zip(expected, found, strict=True)):
                yield from differences(one, other, f"{where}[{place}]")
    elif type(expected) is not type(found) or expected != found:
        yield f"{where}: {expected!r} expected, {found!r} found"


def without_order(value):
    """One spelling of a value, whatever the order of the players in it."""
    if isinstance(value, dict):
        value = {key: sorted(said) if key == "players" else said for key, said in value.items()}
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("case", list(examples()))
def test_example_comes_out_as_expected(case):
    text = json.dumps(case["document"])
    if "refused" in case:
        with pytest.raises(Refused) as refused:
            score_paper(text)
        assert case["refused"] in [problem["code"] for problem in refused.value.document()["problems"]]
    else:
        assert list(differences(case["expect"], score_paper(text))) == []


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_has_examples_that_are_scored_and_some_that_are_refused(game):
    cases = examples_of(game)
    assert cases, f"Write examples of {game.name}: tests/sheets/examples/{game.module}.json"
    assert {case["document"]["game"] for case in cases} == {game.slug}
    assert {"refused" in case for case in cases} == {True, False}


def test_every_file_of_examples_belongs_to_a_game():
    assert {file.stem for file in FOLDER.glob("*.json")} <= {PLAY_OFFS, *(game.module for game in all_games())}


def test_play_offs_have_their_sixty_examples_whose_results_say_no_more_than_they_should():
    assert len(examples_named(PLAY_OFFS)) == 60
    for case in examples_named(PLAY_OFFS):
        assert list(score_paper(json.dumps(case["document"]))) == list(case["expect"])


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ({"winner": "Ann"}, {"winner": "Bo"}),
        ({"winner": None}, {}),
        ({"totals": {"Ann": 1}}, {"totals": {"Ann": True}}),
        ({"placings": [1, 2]}, {"placings": [2, 1]}),
        ({"boxed": ["Ann"]}, {"boxed": ["Ann", "Bo"]}),
        ({"hands": [{"points": {"Ann": 5}}]}, {"hands": [{"points": {"Ann": 6}}]}),
    ],
)
def test_comparison_tells_a_difference(expected, found):
    assert list(differences(expected, found))


def test_comparison_takes_players_in_any_order():
    expected = {"callouts": [{"call": "sbr", "players": ["Ann"]}, {"call": "spooning", "players": ["Bo", "Cy"]}]}
    found = {
        "callouts": [{"call": "spooning", "players": ["Cy", "Bo"]}, {"call": "sbr", "players": ["Ann"]}],
        "more": 1,
    }
    assert list(differences(expected, found)) == []
