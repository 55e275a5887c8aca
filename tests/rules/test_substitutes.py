"""Who has handed their seat to a substitute and sits down again: their hands from before count (the club's words)."""

import pytest

from tests.rules.kept import Kept
from tests.rules.paper import document, scored
from tests.rules.test_callouts import calls, new_calls, set_or_made

GIL_FOR_ANN = {"substitute": "Gil", "for": "Ann"}


def all_but(unlucky, cards, names):
    """A hand of so many cards in which everybody makes their bid but one."""
    *_, taker = [name for name in names.split() if name != unlucky]
    others = dict.fromkeys(names.split(), 0)
    return {"bids": others | {unlucky: 1, taker: cards}, "tricks": others | {taker: cards}}


def clean_runs(*items):
    """Who is called for having made every bid, of Ann, Bo and Cy and of who sits down later."""
    found = scored(document(3, *items, plan={"hands": 4}))
    assert found["finished"]
    return next((call["players"] for call in found["callouts"] if call["call"] == "clean-run"), [])


@pytest.mark.parametrize(
    ("returns", "names", "clean"),
    [
        pytest.param({"substitute": "Ann", "for": "Gil"}, "Ann Bo Cy", ["Bo"], id="on the same seat"),
        pytest.param({"substitute": "Ann", "for": "Bo"}, "Gil Ann Cy", ["Gil"], id="on the seat of somebody else"),
        pytest.param({"arrives": "Ann"}, "Gil Bo Cy Ann", ["Gil", "Bo"], id="on a seat of their own"),
    ],
)
def test_who_sits_down_again_was_set_before(returns, names, clean):
    first, second = all_but("Ann", 1, "Ann Bo Cy"), all_but("Cy", 2, "Gil Bo Cy")
    rest = [all_but("Cy", 2, names), all_but("Cy", 1, names)]
    assert clean_runs(first, GIL_FOR_ANN, second, returns, *rest) == clean


def test_substitute_who_comes_back_was_set_before():
    assert clean_runs(
        all_but("Cy", 1, "Ann Bo Cy"), GIL_FOR_ANN, all_but("Gil", 2, "Gil Bo Cy"),
        {"substitute": "Ann", "for": "Gil"}, all_but("Cy", 2, "Ann Bo Cy"),
        {"substitute": "Gil", "for": "Bo"}, all_but("Cy", 1, "Ann Gil Cy"),
    ) == ["Ann"]  # fmt: skip


def test_substitute_who_gave_the_seat_up_before_a_hand_was_played_was_not_set_on_it():
    assert clean_runs(
        all_but("Cy", 1, "Ann Bo Cy"), GIL_FOR_ANN, {"substitute": "Hal", "for": "Gil"}, all_but("Hal", 2, "Hal Bo Cy"),
        {"substitute": "Gil", "for": "Hal"}, all_but("Cy", 2, "Gil Bo Cy"), all_but("Cy", 1, "Gil Bo Cy"),
    ) == ["Gil", "Bo"]  # fmt: skip


def test_who_goes_home_and_comes_back_was_set_before():
    assert clean_runs(
        all_but("Ann", 1, "Ann Bo Cy"), {"leaves": "Ann"}, all_but("Cy", 2, "Bo Cy"),
        {"arrives": "Ann"}, all_but("Cy", 2, "Ann Bo Cy"), all_but("Cy", 1, "Ann Bo Cy"),
    ) == ["Bo"]  # fmt: skip


def test_three_substitutes_before_one_hand_are_three_people():
    """Gil sits where Bo sat in the end, and Hal where Ann did: only Hal is set."""
    assert clean_runs(
        all_but("Cy", 1, "Ann Bo Cy"),
        GIL_FOR_ANN, {"substitute": "Ann", "for": "Gil"}, {"substitute": "Gil", "for": "Bo"},
        {"substitute": "Hal", "for": "Ann"}, all_but("Hal", 2, "Hal Gil Cy"),
        {"substitute": "Ann", "for": "Hal"}, all_but("Cy", 2, "Ann Gil Cy"), all_but("Cy", 1, "Ann Gil Cy"),
    ) == ["Ann", "Gil"]  # fmt: skip


def and_back(kept, hand):
    """The same sheet, on which whoever sits down on seat 1 before that hand is the one who sat there first."""
    kept.table = kept.table.but(known_occupants={(hand, 1): 1})
    return kept


def test_door_knob_is_told_of_the_hands_on_both_sides_of_a_substitute():
    kept = and_back(set_or_made(Kept(2, {"hands": 6}), "SS"), 5).happens("substitute", seat=1)
    set_or_made(kept, "MM").happens("substitute", seat=1)
    assert 1 not in calls(set_or_made(kept, "M")).get("door-knob", ())
    assert 1 in calls(set_or_made(kept, "S"))["door-knob"]


def test_door_knob_is_called_again_where_somebody_else_has_taken_the_seat():
    kept = and_back(set_or_made(Kept(2, {"hands": 9}), "SSS"), 8).happens("substitute", seat=1)
    set_or_made(set_or_made(kept, "SSSS").happens("substitute", seat=1), "MM")
    assert [hand for hand, called in enumerate(new_calls(kept), 1) if 1 in called.get("door-knob", ())] == [7, 8]
