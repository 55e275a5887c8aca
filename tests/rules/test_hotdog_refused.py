"""Every sheet of Hotdog that must be refused, and whole matches against a second scorer."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.files.sheet_file import score_document
from tests.rules.hotdog_paper import ANN, BO, document, naive, round_of
from tests.rules.paper import problems_of

WORKS = round_of(ANN, "works", 9)
KETCHUP = round_of(ANN, "ketchup H", 9)
PASSED = round_of(None, "works", 9)
WIN = round_of(ANN, "works", 17)


def codes(sheet):
    return [problem["code"] for problem in problems_of(json.dumps(sheet))]


def one(hand, **changed):
    return document(hand | changed)


@pytest.mark.parametrize(("sheet", "code"), [
    pytest.param(one(WORKS, tricks={ANN: 9, BO: 9}), "tricks-sum", id="tricks-sum: 18"),
    pytest.param(one(WORKS, tricks={ANN: 0, BO: 0}), "tricks-sum", id="tricks-sum: none"),
    pytest.param(one(WORKS, tricks={ANN: 18, BO: -1}), "tricks-out-of-range", id="each 0..17"),
    pytest.param(one(WORKS, tricks={ANN: 18, BO: -1}), "tricks-sum", id="17 of them, but not so"),
    pytest.param(one(WORKS, tricks={ANN: 10**40, BO: 0}), "tricks-out-of-range", id="whatever its size"),
    pytest.param(one(WORKS, tricks={ANN: 9}), "wrong-players", id="tricks of one only"),
    pytest.param(one(WORKS, tricks={ANN: 9, BO: 8, "Cy": 0}), "wrong-players", id="tricks of a third"),
    pytest.param(one(KETCHUP, trump=None), "trump-missing", id="trump-missing: ketchup"),
    pytest.param(one(KETCHUP, topping="mustard", trump=None), "trump-missing", id="trump-missing: mustard"),
    pytest.param(one(KETCHUP, trump="NT"), "bad-suit", id="no trump is no suit"),
    pytest.param(one(KETCHUP, trump=""), "bad-suit", id="no suit at all"),
    pytest.param(one(WORKS, trump="H"), "works-has-no-trump", id="works-has-no-trump"),
    pytest.param(one(PASSED, trump="H"), "works-has-no-trump", id="works-has-no-trump: passed"),
    pytest.param(one(KETCHUP, smothered=True), "smother-is-works", id="smother-is-works: ketchup"),
    pytest.param(one(PASSED, smothered=True), "smother-is-works", id="smother-is-works: nobody smothered"),
    pytest.param(one(PASSED, smothered=True), "no-picker-is-works", id="no-picker-is-works: smothered"),
    pytest.param(one(PASSED, footlong=True), "no-picker-is-works", id="no-picker-is-works: footlong"),
    pytest.param(one(KETCHUP, picker=None), "no-picker-is-works", id="no-picker-is-works: ketchup"),
    pytest.param(one(WORKS, relish=0), "bad-relish", id="bad-relish: 0"),
    pytest.param(one(WORKS, relish=10), "bad-relish", id="bad-relish: 10"),
    pytest.param(one(WORKS, relish=-(10**50)), "bad-relish", id="bad-relish: whatever its size"),
    pytest.param(one(WORKS, topping="onions"), "bad-topping", id="bad-topping"),
    pytest.param(one(WORKS, topping="Works"), "bad-topping", id="bad-topping: another spelling"),
    pytest.param(one(WORKS, topping=""), "bad-topping", id="bad-topping: empty"),
    pytest.param(one(WORKS, works_first="works"), "bad-topping", id="bad-topping: The Works comes first"),
    pytest.param(one(KETCHUP, works_first="ketchup"), "works-first-only-with-works", id="works-first-only-with-works"),
    pytest.param(one(WORKS, picker="Zoe"), "unknown-player", id="unknown-player"),
    pytest.param(
        document(WORKS | {"footlong": True}, house_rules={"footlong": False}), "footlong-off", id="footlong-off"
    ),
    pytest.param(document(WIN, WIN, WIN), "match-over", id="match-over"),
    pytest.param(document(WIN, WIN, house_rules={"games_to_win": 1}), "match-over", id="match-over: a single game"),
    pytest.param(document(WIN, WIN, stopped_after=1), "match-over", id="match-over: the table stopped"),
    pytest.param(document(WORKS, house_rules={"target": 0}), "bad-house-rule", id="target 0"),
    pytest.param(document(WORKS, house_rules={"target": 100}), "bad-house-rule", id="target 100"),
    pytest.param(document(WORKS, house_rules={"games_to_win": 10}), "bad-house-rule", id="games_to_win 10"),
    pytest.param(document(WORKS, house_rules={"footlong_points": 0}), "bad-house-rule", id="footlong_points 0"),
    pytest.param(document(WORKS, house_rules={"footlong_fail": "none"}), "bad-house-rule", id="footlong_fail none"),
    pytest.param(document(WORKS, house_rules={"no_picker": "app"}), "bad-house-rule", id="no_picker app"),
    pytest.param(document(WORKS, house_rules={"footlong": 1}), "bad-document", id="footlong 1"),
    pytest.param(document(WORKS, house_rules={"target": "5"}), "bad-document", id="target in words"),
    pytest.param(document(WORKS, house_rules={"new_cut": True}), "bad-document", id="unknown house rule"),
    pytest.param(document() | {"players": [ANN]}, "bad-players", id="one player"),
    pytest.param(document() | {"players": [ANN, BO, "Cy"]}, "bad-players", id="three players"),
    pytest.param(document() | {"players": [ANN, ANN]}, "duplicate-player", id="one on both sides"),
    pytest.param(document(plan={"hands": 3}), "bad-document", id="nothing is planned"),
    pytest.param(one(WORKS, topping=None), "bad-document", id="topping null"),
    pytest.param(one(WORKS, smothered=None), "bad-document", id="smothered null"),
    pytest.param(one(WORKS, footlong=1), "bad-document", id="footlong is a number"),
    pytest.param(one(WORKS, relish="5"), "bad-document", id="relish in words"),
    pytest.param(one(WORKS, onions=True), "bad-document", id="an unknown key"),
    pytest.param(document({key: WORKS[key] for key in WORKS if key != "tricks"}), "bad-document", id="no tricks"),
    pytest.param(document({key: WORKS[key] for key in WORKS if key != "topping"}), "bad-document", id="no topping"),
])  # fmt: skip
def test_sheet_is_refused(sheet, code):
    assert code in codes(sheet)


def test_all_problems_of_a_round_are_told():
    wrong = KETCHUP | {
        "trump": None, "smothered": True, "footlong": True, "relish": 11, "works_first": "mustard",
        "tricks": {ANN: 18, BO: 1},
    }  # fmt: skip
    found = problems_of(json.dumps(document(wrong, WIN, house_rules={"footlong": False})))
    assert [(problem["code"], problem["field"], problem["hand"]) for problem in found] == [
        ("trump-missing", "trump", 1),
        ("smother-is-works", "smothered", 1),
        ("footlong-off", "footlong", 1),
        ("bad-relish", "relish", 1),
        ("tricks-out-of-range", "tricks", 1),
        ("tricks-sum", "tricks", 1),
        ("works-first-only-with-works", "tricks", 1),
    ]
    assert found[4]["player"] == ANN


def test_what_is_wrong_beside_an_unknown_picker_is_told_too():
    assert codes(one(KETCHUP, picker="Zoe", trump=None, relish=0)) == ["unknown-player", "trump-missing", "bad-relish"]


def test_what_comes_first_without_the_works_is_told_where_tricks_are_missing_too():
    assert codes(one(KETCHUP, works_first="mustard", tricks={ANN: 9})) == [
        "wrong-players",
        "works-first-only-with-works",
    ]


def test_keys_that_may_be_null_may_be_left_out():
    short = {"topping": "works", "tricks": {ANN: 9, BO: 8}}
    assert score_document(json.dumps(document(short))) == score_document(json.dumps(document(PASSED)))


@pytest.mark.parametrize("relish", [None, *range(1, 10)])
def test_relish_changes_no_points(relish):
    assert score_document(json.dumps(one(KETCHUP, relish=relish))) == score_document(json.dumps(document(KETCHUP)))


def test_note_and_first_trick_change_nothing():
    noted = one(WORKS, works_first="mustard", note="The Works, and how.")
    assert score_document(json.dumps(noted)) == score_document(json.dumps(document(WORKS)))


@st.composite
def matches(draw):
    """A match, or the start of one, under any house rules."""
    house = draw(st.fixed_dictionaries({}, optional={
        "target": st.one_of(st.integers(1, 9), st.integers(1, 99)),
        "games_to_win": st.integers(1, 9),
        "footlong": st.booleans(),
        "footlong_points": st.integers(1, 9),
        "footlong_fail": st.sampled_from(["game", "points"]),
        "no_picker": st.sampled_from(["one_point", "none", "non_dealer_is_picker"]),
    }))  # fmt: skip
    dice = random.Random(draw(st.integers(0, 2**32)))
    toppings = ["ketchup C", "ketchup D", "mustard H", "mustard S", "works", "smother"]
    sheet = document(house_rules=house, first_dealer=draw(st.sampled_from([ANN, BO])))
    for _ in range(draw(st.integers(0, 30))):
        if naive(sheet)["finished"]:
            break
        picker = dice.choice([ANN, BO, None])
        topping = dice.choice(toppings) if picker else "works"
        if picker and house.get("footlong", True) and dice.random() < 0.4:
            topping = f"footlong {topping}"
        took = dice.choice([dice.randint(0, 17), dice.randint(6, 14)])
        sheet["hands"].append(round_of(picker, topping, took, relish=dice.choice([None, dice.randint(1, 9)])))
    return sheet


@given(sheet=matches())
def test_match_comes_to_what_a_second_scorer_says(sheet):
    found = score_document(json.dumps(sheet))
    expected = naive(sheet)
    assert {key: found[key] for key in expected if key != "hands"} == {
        k: v for k, v in expected.items() if k != "hands"
    }
    assert [{key: row[key] for key in expected["hands"][0]} for row in found["hands"]] == expected["hands"]


@given(sheet=matches())
def test_only_one_of_the_two_is_paid_and_totals_never_fall(sheet):
    found = score_document(json.dumps(sheet))
    for row in found["hands"]:
        assert sum(points > 0 for points in row["points"].values()) <= 1
        assert all(points >= 0 for points in row["points"].values())
        if row["wins_game"]:
            assert row["points"] == {ANN: 0, BO: 0}
            assert row["totals"][row["wins_game"]] >= sheet["house_rules"].get("target", 5)


@given(sheet=matches())
def test_the_two_sides_are_alike(sheet):
    """Names changed over, everything comes out the other way round."""
    other = {ANN: BO, BO: ANN, None: None}
    swapped = document(
        *(
            hand | {"picker": other[hand["picker"]], "tricks": {other[name]: n for name, n in hand["tricks"].items()}}
            for hand in sheet["hands"]
        ),
        house_rules=sheet["house_rules"],
        first_dealer=other[sheet["first_dealer"]],
    )
    one, two = score_document(json.dumps(sheet)), score_document(json.dumps(swapped))
    assert other[one["winner"]] == two["winner"]
    assert [row["points"][ANN] for row in one["hands"]] == [row["points"][BO] for row in two["hands"]]
