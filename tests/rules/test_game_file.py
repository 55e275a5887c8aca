"""What a sheet file is of a game that says nothing of files: every answer under the name of its ask."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import all_games, find_game
from rules.core.files.game_file import DEFAULT, GameFile, file_of
from rules.core.files.score import score_paper
from rules.core.files.sheet_file import Refused, read_document, read_object
from rules.core.files.writer import sheet_document
from tests.sixth.visit import sixth_game

NAMES = {1: "Ann", 2: "Bo"}
BIDS = {"Bo": {"bid": 2}, "Ann": {"bid": 0}}
WHOLE = {"trump": {"suit": "H"}, "bid": BIDS, "tricks": {"Ann": 1, "Bo": 2}}
RING = {"shooter": {}, "ring": {"card": "7", "glass": "Bo"}, "slip": {"who": "Ann"}, "marbles": {"Ann": 3, "Bo": 4}}


@pytest.fixture(autouse=True, scope="module")
def sample_games(tmp_path_factory):
    with (
        sixth_game(tmp_path_factory.mktemp("sparrow"), game="sparrow"),
        sixth_game(tmp_path_factory.mktemp("marbles"), game="marbles"),
    ):
        yield


def document(game, *hands):
    return {"format": "score-sheet/1", "game": game, "players": ["Ann", "Bo"], "first_dealer": "Ann", "hands": [*hands]}


def problems(game, *hands):
    with pytest.raises(Refused) as refused:
        read_object(document(game, *hands))
    return [(problem.code, problem.field, player) for problem, player in refused.value.problems]


def test_sample_games_say_nothing_of_files_and_have_the_default():
    assert all(isinstance(file_of(game), GameFile) for game in all_games())
    assert all(file_of(find_game(slug)) is DEFAULT for slug in ("sparrow", "marbles"))


def test_bids_in_turn_and_counts_for_all_stand_by_name():
    found = read_object(document("sparrow", WHOLE))
    assert found.entries == {
        (1, "trump"): {"suit": "H"},
        (1, "bid-2"): {"bid": 2},
        (1, "bid-1"): {"bid": 0},
        (1, "tricks"): {"tricks-2": 2, "tricks-1": 1},
    }
    assert found.sheet.totals == {1: 0, 2: 3}


def test_seats_and_ticks_and_what_is_left_out_are_read_as_they_were_entered():
    assert read_object(document("marbles", RING)).entries == {
        (1, "shooter"): {},
        (1, "ring"): {"card": "7", "glass": 2},
        (1, "slip"): {"who": 1},
        (1, "marbles"): {"marbles-1": 3, "marbles-2": 4},
    }


@pytest.mark.parametrize(
    ("game", "hands"),
    [
        ("sparrow", [WHOLE, {**WHOLE, "note": "a long one"}]),
        ("sparrow", [WHOLE, {"trump": {"suit": "C"}, "bid": {"Ann": {"bid": 3}}}]),
        ("marbles", [RING, {"shooter": {"first": "Bo"}}]),
        ("marbles", [RING, {"shooter": {"first": None}, "ring": {"card": "9", "rain": True}}]),
    ],
    ids=["bids and a note", "bids, still played", "asks, still played", "null and a tick"],
)
def test_file_that_is_read_is_written_again_as_it_was(game, hands):
    found = read_object(document(game, *hands))
    written = sheet_document(find_game(game), found.table, found.entries, found.names, notes=found.notes)
    assert written == document(game, *hands)
    assert read_document(json.dumps(written)).entries == found.entries
    assert score_paper(json.dumps(written))["game"] == game


@pytest.mark.parametrize(
    ("game", "hands", "expected"),
    [
        ("sparrow", [WHOLE | {"trum": {}}], [("bad-document", "trum", None)]),
        ("sparrow", [WHOLE | {"trump": {"suit": "H", "card": 1}}], [("bad-document", "trump", None)]),
        ("sparrow", [WHOLE | {"trump": {"suit": 7}}], [("bad-document", "trump", None)]),
        ("sparrow", [WHOLE | {"trump": {}}], [("missing-field", "trump", None)]),
        ("sparrow", [WHOLE | {"trump": {"suit": "X"}}], [("bad-suit", "trump", None)]),
        ("sparrow", [WHOLE | {"bid": BIDS | {"Cy": {"bid": 1}}}], [("wrong-players", "bid", "Cy")]),
        ("sparrow", [WHOLE | {"bid": BIDS | {"Ann": 1}}],
         [("bad-document", "bid", "Ann")]),
        ("sparrow", [WHOLE | {"bid": BIDS | {"Ann": {"bid": 9}}}], [("count-range", "bid", "Ann")]),
        ("sparrow", [WHOLE | {"tricks": {"Ann": 1, "Bo": 2, "Cy": 0}}], [("wrong-players", "tricks", "Cy")]),
        ("sparrow", [WHOLE | {"tricks": {"Ann": 3}}], [("missing-field", "tricks", "Bo")]),
        ("sparrow", [WHOLE | {"tricks": {"Ann": 2, "Bo": 2}}], [("tricks-sum", "tricks", None)]),
        ("sparrow", [{"bid": BIDS, "tricks": {"Ann": 1, "Bo": 2}}], [
            ("bad-document", "bid", None), ("bad-document", "bid", None), ("bad-document", "tricks", None),
        ]),
        ("sparrow", [{"trump": {"suit": "H"}}, WHOLE], [("bad-document", "bid", None)]),
        ("sparrow", [WHOLE] * 5, [("game-over", None, None)]),
        ("marbles", [RING | {"ring": {"card": "7", "glass": "Cy"}}], [("unknown-player", "ring", "Cy")]),
        ("marbles", [RING | {"ring": {"card": "7", "rain": "yes"}}], [("not-a-tick", "ring", None)]),
        ("marbles", [RING | {"slip": {"who": None}}], [("bad-document", "slip", None)]),
        ("marbles", [RING | {"shooter": {"first": "Ann"}}], [("not-both", "slip", None)]),
    ],
)  # fmt: skip
def test_everything_that_is_wrong_is_said_with_the_key_it_stands_under(game, hands, expected):
    assert problems(game, *hands) == expected


@pytest.mark.parametrize("item", [7, [], {"trump": 7}, {"trump": {"suit": [1]}}, {"note": 7}, {"bid": {"Ann": [2]}}])
def test_shape_is_told_before_anything_is_read(item):
    assert {code for code, _, _ in problems("sparrow", item)} == {"bad-document"}


plain = st.none() | st.booleans() | st.integers(-2, 9) | st.sampled_from(["Ann", "Bo", "Cy", "H", "7", ""])
keys = st.sampled_from(["Ann", "Bo", "Cy", "bid", "suit", "card", "glass", "first", "who", "rain", "tricks", "marbles"])
answers = st.recursive(plain, lambda inside: st.dictionaries(keys, inside, max_size=3), max_leaves=6)
asks = st.sampled_from(["trump", "bid", "tricks", "shooter", "ring", "slip", "marbles", "note"])


@given(st.sampled_from(["sparrow", "marbles"]), st.lists(st.dictionaries(asks, answers, max_size=4), max_size=3))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_file_is_read_or_refused(game, hands):
    try:
        found = read_object(document(game, *hands))
    except Refused:
        return
    again = sheet_document(found.game, found.table, found.entries, found.names, notes=found.notes)
    assert read_object(again).entries == found.entries
