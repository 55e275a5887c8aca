"""Every code a Dirty Dog sheet can be refused with, each with a sheet that is."""

import json

import pytest

from rules.core.problems import Problem
from tests.rules.kept import GAME, Kept
from tests.rules.paper import NAMES, document, hand, problems_of

ROUND = hand("0 0 0 0", "0 1 0 0")
LAST = hand("0 0 0 0", "0 0 0 1")
ONE_HAND = {"plan": {"hands": 1}}
#: After it Bo is at the bottom alone, and the others are level at the top.
TIED = document(4, ROUND, **ONE_HAND)
BLIND = hand("0 0 0 1", "3 2 0 0")
ARRIVALS = [{"arrives": f"Late {n}"} for n in range(22)]


def carried(*totals, **changed):
    """Hands kept elsewhere, with these totals."""
    return {"carried": {"hands": 1, "last_dealer": "Ann", "totals": dict(zip(NAMES, totals, strict=False))} | changed}


def level(*totals):
    """A game that is over, with these totals."""
    return document(len(totals), carried(*totals), plan={"hands": 1})


SHEETS = {
    "bad-document": {"format": "score-sheet/1"},
    "bad-players": document(1),
    "duplicate-player": document(["Ann", "Bo", "Ann"]),
    "unknown-player": document(4, first_dealer="Zoe"),
    "bad-house-rule": document(4, house_rules={"bottom_buddies_gap": 0}),
    "bad-plan": document(4, plan={"hands": 0}),
    "bad-peak": document(4, plan={"peak": 13}),
    "wrong-players": document(4, hand("0 0 0", "0 0 1")),
    "too-many-bids": document(4, hand("0 0 0 0 0", "0 0 0 0 1")),
    "bid-out-of-range": document(4, hand("0 2 0 0", "0 1 0 0")),
    "the-rule": document(4, hand("0 1 0 0", "0 1 0 0")),
    "tricks-out-of-range": document(4, hand("0 0 0 0", "0 2 0 0")),
    "tricks-sum": document(4, hand("0 0 0 0", "0 0 0 0")),
    "bad-card": document(4, ROUND | {"turned": ""}),
    "bad-suit": document(4, ROUND | {"trump": "X"}),
    "bad-rank": level(9, 1, 1) | {"draws": [{"Bo": "1", "Cy": "2"}]},
    "leave-before-start": document(4, {"leaves": "Ann"}),
    "game-over": document(4, ROUND, LAST, **ONE_HAND),
    "tiebreak-not-needed": level(9, 5, 1) | {"tie_breaks": [hand("0 0 0", "5 0 0")]},
    "draw-not-needed": level(9, 5, 1) | {"draws": [{"Cy": "2"}]},
    "impossible-draw": level(9, 1, 1, 1, 1, 1) | {"draws": [dict.fromkeys(NAMES[1:6], "7")]},
    "count-range": document(4, carried(10**9, 0, 0, 0)),
}


@pytest.mark.parametrize("code", SHEETS)
def test_every_code_of_a_sheet_can_be_met(code):
    assert code in [problem["code"] for problem in problems_of(json.dumps(SHEETS[code]))]


MORE = [
    pytest.param(document([f"N{n}" for n in range(26)]), "bad-players", id="26 players"),
    pytest.param(document(0), "bad-players", id="nobody"),
    pytest.param(document(4, *ARRIVALS), "bad-players", id="a 26th player arrives"),
    pytest.param(document(2, hand("0 0", "0 1"), {"leaves": "Ann"}), "bad-players", id="one would be left"),
    pytest.param(document(4, {"arrives": "Bo"}), "duplicate-player", id="somebody arrives who is there"),
    pytest.param(document(4, {"substitute": "Bo", "for": "Ann"}), "duplicate-player", id="a substitute who is there"),
    pytest.param(
        document(4, ROUND, {"leaves": "Ann"}, {"substitute": "Ann", "for": "Bo"}), "duplicate-player",
        id="a substitute whose total is frozen",
    ),
    pytest.param(document(4, {"arrives": "Zoe", "left_of": "Yan"}), "unknown-player", id="left of nobody"),
    pytest.param(document(4, {"arrives": "Zoe", "left_of": "Zoe"}), "unknown-player", id="left of themselves"),
    pytest.param(document(4, ROUND, {"leaves": "Zoe"}), "unknown-player", id="nobody leaves"),
    pytest.param(document(4, {"substitute": "Zoe", "for": "Yan"}), "unknown-player", id="a substitute for nobody"),
    pytest.param(document(4, carried(0, 0, 0, 0, last_dealer="Zoe")), "unknown-player", id="nobody dealt last"),
    pytest.param(document(4, carried(0, 0, 0)), "wrong-players", id="a total is missing"),
    pytest.param(document(4, carried(0, 0, 0, 0, 0)), "wrong-players", id="a total too many"),
    pytest.param(document(4, carried(0, 0, 0, 0, hands=0)), "bad-plan", id="no hands were kept elsewhere"),
    pytest.param(document(4, carried(0, 0, 0, 0, hands=25)), "bad-plan", id="more hands were kept than planned"),
    pytest.param(document(4, {"reseated": ["Ann", "Bo", "Cy"]}), "wrong-players", id="a chair too few"),
    pytest.param(document(4, {"reseated": ["Ann", "Bo", "Cy", "Cy"]}), "wrong-players", id="one on two chairs"),
    pytest.param(document(4, {"reseated": ["Ann", "Bo", "Cy", "Zoe"]}), "wrong-players", id="a chair for nobody"),
    pytest.param(document(4, ROUND | {"turned": "10H"}), "bad-card", id="a ten is T"),
    pytest.param(document(4, ROUND | {"trump": ""}), "bad-suit", id="no suit at all"),
    pytest.param(document(4, plan={"peak": 8, "extra_rounds": -1}), "bad-plan", id="fewer rounds than none"),
    pytest.param(document(4, ROUND, stopped_after=0), "bad-plan", id="stopped before the first hand"),
    pytest.param(document(4, ROUND, stopped_after=2), "bad-plan", id="stopped after a hand that is not there"),
    pytest.param(document(4, ROUND, stopped_after=-1), "bad-plan", id="stopped after less than nothing"),
    pytest.param(document(4, ROUND, **ONE_HAND, stopped_after=9), "bad-plan", id="stopped after the end"),
    pytest.param(document(4, ROUND, LAST, stopped_after=1), "game-over", id="a hand after the table stopped"),
    pytest.param(document(4, ROUND, {"bids": {}}, stopped_after=1), "game-over", id="an open hand after it stopped"),
    pytest.param(document(4, ROUND, {"void": True}, stopped_after=1), "game-over", id="a misdeal after it stopped"),
    pytest.param(document(4, ROUND, {"leaves": "Di"}, stopped_after=1), "game-over", id="going home after it stopped"),
    pytest.param(document(4, ROUND, {"leaves": "Ann"}, **ONE_HAND), "game-over", id="somebody leaves after the end"),
    pytest.param(document(4, ROUND, {"void": True}, **ONE_HAND), "game-over", id="a misdeal after the end"),
    pytest.param(document(4, ROUND, tie_breaks=[BLIND]), "game-over", id="a blind hand before the end"),
    pytest.param(document(4, ROUND, draws=[{"Ann": "2"}]), "game-over", id="a draw before the end"),
    pytest.param(TIED | {"tie_breaks": [hand("0 0 0", "3 2 0")]}, "wrong-players", id="a blind hand without Di"),
    pytest.param(TIED | {"tie_breaks": [hand("5 0 0 0", "3 2 0 0")]}, "the-rule", id="The Rule in a blind hand"),
    pytest.param(TIED | {"tie_breaks": [hand("6 0 0 0", "3 2 0 0")]}, "bid-out-of-range", id="six of five cards"),
    pytest.param(TIED | {"tie_breaks": [hand("0 0 0 0", "3 2 1 0")]}, "tricks-sum", id="six tricks of five"),
    pytest.param(TIED | {"draws": [{"Bo": "7", "Cy": "8"}]}, "draw-not-needed", id="a draw for one"),
    pytest.param(level(9, 1, 1) | {"draws": [{"Bo": "7"}]}, "wrong-players", id="a draw without Cy"),
    pytest.param(level(9, 1, 1) | {"draws": [{"Bo": "7", "Cy": "8"}] * 2}, "draw-not-needed", id="a draw too many"),
    pytest.param(level(9, 9, 9) | {"draws": [dict.fromkeys(NAMES[:3], "7")]}, "draw-not-needed", id="the lead is open"),
    pytest.param(document(4, house_rules={"tie_break_cards": 13}), "bad-house-rule", id="13 cards for four"),
    pytest.param(document(4, house_rules={"tie_break_cards": 10**100}), "bad-house-rule", id="a huge blind hand"),
    pytest.param(
        document(4, ROUND | {"tricks": dict.fromkeys(NAMES[:3], 0)}), "wrong-players", id="tricks of Di are missing"
    ),
    pytest.param(document(4, {"bids": dict.fromkeys(NAMES[:5], 0)}), "too-many-bids", id="five bids of four"),
]  # fmt: skip


@pytest.mark.parametrize(("sheet", "code"), MORE)
def test_sheet_is_refused(sheet, code):
    assert code in [problem["code"] for problem in problems_of(json.dumps(sheet))]


def test_every_problem_has_a_sentence():
    for sheet in [*SHEETS.values(), *(more.values[0] for more in MORE)]:
        for problem in problems_of(json.dumps(sheet)):
            assert problem["message"].endswith(".")
            assert set(problem) <= {"code", "message", "hand", "player", "field"}


def test_codes_of_a_changed_bid_are_met_where_bids_are_changed():
    kept = Kept(4).bid(0, 0)
    found = [GAME.may_take_back(kept.table, kept.coming, f"bid-{seat}") for seat in (1, 2, 3)]
    assert [isinstance(problem, Problem) and problem.code for problem in found] == ["no-such-bid", "bid-locked", False]


def test_ties_are_not_judged_while_a_hand_is_in_doubt():
    sheet = document(4, hand("0 2 0 0", "0 1 0 0"), **ONE_HAND, tie_breaks=[BLIND], draws=[{"Bo": "7"}])
    assert [problem["code"] for problem in problems_of(json.dumps(sheet))] == ["bid-out-of-range"]


def test_numbers_of_a_blind_hand_and_cards_of_a_draw_are_judged_while_a_hand_is_in_doubt():
    doubted = hand("0 2 0 0", "0 1 0 0")
    blind_hands = [hand("6 1 0 0", "1 1 1 1"), hand("5 0 0 0", "5 0 0 0"), hand("0 0 0", "5 0 0")]
    drawn = [dict.fromkeys(NAMES[:5], "7"), {"Bo": "1"}]
    sheet = document(4, doubted, **ONE_HAND, tie_breaks=blind_hands, draws=drawn)
    assert [problem["code"] for problem in problems_of(json.dumps(sheet))] == [
        "bid-out-of-range",
        "bid-out-of-range", "tricks-sum", "the-rule", "wrong-players", "wrong-players",
        "impossible-draw", "bad-rank",
    ]  # fmt: skip


def test_tricks_of_a_blind_hand_are_added_up_where_a_bid_is_missing():
    tie_break = {"bids": {"Ann": 0, "Bo": 6}, "tricks": {"Ann": 1, "Bo": 1, "Cy": 1}}
    sheet = level(9, 9, 1) | {"tie_breaks": [tie_break]}
    assert [problem["code"] for problem in problems_of(json.dumps(sheet))] == [
        "wrong-players", "bid-out-of-range", "tricks-sum",
    ]  # fmt: skip


def test_blind_hand_and_draw_that_nobody_needs_are_judged_too():
    sheet = level(9, 5, 1) | {"tie_breaks": [hand("0 0 0", "4 0 0")], "draws": [{"Cy": "1"}]}
    assert [problem["code"] for problem in problems_of(json.dumps(sheet))] == [
        "tiebreak-not-needed", "tricks-sum", "bad-rank",
    ]  # fmt: skip
    sheet = level(9, 5, 1) | {"draws": [{"Cy": "1"}]}
    assert [problem["code"] for problem in problems_of(json.dumps(sheet))] == ["draw-not-needed", "bad-rank"]


def test_blind_hand_is_not_judged_where_nobody_knows_how_many_cards_it_had():
    sheet = level(9, 9, 1) | {"tie_breaks": [hand("0 0 0", "5 0 0")], "house_rules": {"tie_break_cards": 18}}
    assert [problem["code"] for problem in problems_of(json.dumps(sheet))] == ["bad-house-rule"]
