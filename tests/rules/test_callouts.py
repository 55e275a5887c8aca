"""What a table calls out, with the exact thresholds."""

from dataclasses import replace
from itertools import pairwise

import pytest

from rules.core.texts import CallOut
from rules.dirty_dog.callouts import RARITY, bottom_buddies, callout
from tests.rules.kept import GAME, Kept


def calls(kept: Kept):
    """The call-outs of the last scored hand with their seats."""
    return {call.call: call.seats for call in GAME.hand_callouts(kept.sheet.rows[-1])}


def one_hand(bids: str, tricks: str, *, totals=(100, 0, 50, 25), **house_rules) -> Kept:
    """A hand of four players dealt by seat 4, so that seats 1 to 4 speak in order, after these totals."""
    cards = sum(map(int, tricks.split()))
    kept = Kept(4, {"hands": 2 * cards + 1}, **house_rules).carry(*totals, hands=cards - 1 or 1, last_dealer=3)
    return kept.hand(bids, tricks)


@pytest.mark.parametrize(
    ("bids", "call"),
    [
        ("1 1 1 2", "overbid"),
        ("1 1 1 1", "overbid"),
        ("1 1 0 0", "floater"),
        ("1 0 0 0", "floatage"),
        ("0 0 0 0", "floatage"),
    ],
)
def test_exactly_one_word_says_what_the_bids_came_to(bids, call):
    found = calls(one_hand(bids, "3 0 0 0"))
    assert [word for word in found if word in ("overbid", "floater", "floatage")] == [call]
    assert found[call] == ()


def test_hand_in_which_the_rule_was_missed_is_called_too():
    kept = Kept(3, {"hands": 3}).write((1, "rule-missed"), missed=True).hand("1 0 0", "1 0 0")
    (call, *_) = GAME.hand_callouts(kept.sheet.rows[0])
    assert (call.call, call.reason) == ("floatage", "1 bid of 1: The Rule was missed")


@pytest.mark.parametrize(
    ("bids", "tricks", "dealer_sbr"),
    [
        pytest.param("1 1 0 0", "1 1 0 1", True, id="took exactly what The Rule forbade"),
        pytest.param("1 1 0 0", "1 2 0 0", False, id="took something else"),
        pytest.param("2 1 0 1", "3 0 0 0", True, id="forbidden none, took none"),
        pytest.param("2 2 0 0", "3 0 0 0", False, id="nothing was forbidden"),
        pytest.param("0 0 0 0", "0 0 0 3", True, id="forbidden all, took all"),
    ],
)
def test_sbr(bids, tricks, dealer_sbr):
    assert calls(one_hand(bids, tricks)).get("sbr") == ((4,) if dealer_sbr else None)


@pytest.mark.parametrize(
    ("bids", "tricks", "seats"),
    [("0 0 1 1", "1 1 1 0", (1, 2)), ("0 1 1 0", "0 2 1 0", None), ("1 1 0 0", "2 0 0 1", (4,))],
)
def test_dog_pile_is_tricks_after_bidding_none(bids, tricks, seats):
    assert calls(one_hand(bids, tricks)).get("dog-pile") == seats


def set_or_made(kept: Kept, pattern: str) -> Kept:
    """One hand of two players for each letter: S sets seat 1, M lets them make it."""
    for letter in pattern:
        hand = kept.coming
        others = hand.cards
        bids = dict.fromkeys(hand.order, 0)
        taken = dict.fromkeys(hand.order, 0)
        taken[1 if letter == "S" else 2] = others
        kept.bid(*bids.values()).take(*taken.values())
    return kept


@pytest.mark.parametrize(
    ("pattern", "knob"),
    [
        ("SSS", False),
        ("SSSS", True),
        ("SSSM", True),
        ("MSSS", True),
        ("SMSS", True),
        ("SMSM", False),
        ("SSMM", False),
        ("SSSMM", False),
        ("SSSMMSS", False),
        ("MMMMSSS", True),
    ],
)
def test_door_knob_is_three_of_the_last_four(pattern, knob):
    found = calls(set_or_made(Kept(2, {"hands": 20}), pattern)).get("door-knob", ())
    assert (1 in found) is knob


def test_door_knob_counts_the_hands_somebody_played():
    kept = Kept(3, {"hands": 20}).any_hands(1).happens("leave", seat=3).any_hands(3).happens("arrive", seat=3)
    kept.hand("1 1 1", "0 5 0")
    assert 3 not in calls(kept).get("door-knob", ())


def test_door_knob_and_clean_run_are_those_of_who_sits_there_and_not_of_whom_they_replaced():
    kept = set_or_made(Kept(2, {"hands": 5}), "SSS").happens("substitute", seat=1)
    assert 1 not in calls(set_or_made(kept, "M")).get("door-knob", ())
    set_or_made(kept, "M")
    assert {call.call: call.seats for call in kept.sheet.callouts}["clean-run"] == (1,)


def totals_after(*totals: int, **house_rules) -> Kept:
    """Four players whose totals after the hand are exactly these (each makes one of four, or is set)."""
    kept = Kept(4, {"hands": 7}, **house_rules)
    before = [total - worth for total, worth in zip(totals, (5, 5, 5, -1), strict=True)]
    return kept.carry(*before, hands=7 - 1, last_dealer=3).hand("0 0 0 0", "0 0 0 1")


@pytest.mark.parametrize(
    ("totals", "spooning", "near"),
    [
        pytest.param((0, 2, 40, 80), (1, 2), None, id="two apart"),
        pytest.param((0, 3, 40, 80), None, None, id="three apart"),
        pytest.param((0, 0, 1, 80), (1, 2, 3), None, id="three together"),
        pytest.param((0, 4, 40, 80), None, None, id="four above the lowest"),
        pytest.param((0, 5, 40, 80), None, (2,), id="five above the lowest"),
        pytest.param((0, 10, 40, 80), None, (2,), id="ten above the lowest"),
        pytest.param((0, 11, 40, 80), None, None, id="eleven above the lowest"),
        pytest.param((-8, -6, -3, 2), (1, 2), (3, 4), id="below zero"),
    ],
)
def test_spooning_and_proximity_alert(totals, spooning, near):
    kept = totals_after(*totals)
    assert tuple(kept.sheet.totals.values()) == totals
    found = calls(kept)
    assert (found.get("spooning"), found.get("proximity-alert")) == (spooning, near)


@pytest.mark.parametrize(
    ("totals", "buddies"),
    [
        pytest.param((0, 1, 11, 12), (1, 2), id="ten below everyone else"),
        pytest.param((0, 1, 10, 12), None, id="nine below everyone else"),
        pytest.param((0, 30, 31, 60), None, id="one alone is no pair"),
        pytest.param((0, 1, 2, 60), None, id="three of four are not the bottom"),
    ],
)
def test_bottom_buddies_of_four(totals, buddies):
    assert calls(totals_after(*totals)).get("bottom-buddies") == buddies


@pytest.mark.parametrize(
    ("totals", "buddies"),
    [
        pytest.param((0, 0, 20, 40, 60, 80), (1, 2), id="the fewer on equal gaps"),
        pytest.param((0, 0, 20, 41, 60, 80), (1, 2, 3), id="the widest gap"),
        pytest.param((80, 0, 60, 0, 40, 20), (2, 4), id="in seat order"),
        pytest.param((0, 5, 9, 14, 60), (), id="three of five are too many"),
        pytest.param((0, 0, 50), (), id="nobody of three"),
    ],
)
def test_bottom_buddies_are_those_below_the_widest_gap(totals, buddies):
    assert bottom_buddies(dict(enumerate(totals, 1)), 10) == buddies


def test_house_rule_bottom_buddies_gap():
    assert calls(totals_after(0, 1, 6, 12, bottom_buddies_gap=5))["bottom-buddies"] == (1, 2)
    assert "bottom-buddies" not in calls(totals_after(0, 1, 6, 12, bottom_buddies_gap=6))


def test_clean_run_is_every_bid_of_the_game_made():
    kept = set_or_made(Kept(2, {"hands": 3}), "MMM")
    assert {call.call: call.seats for call in kept.sheet.callouts} == {"clean-run": (1,), "first-place-loser": (2,)}
    assert "clean-run" not in {call.call for call in set_or_made(Kept(2, {"hands": 3}), "MSM").sheet.callouts}


def test_clean_run_of_who_came_late_counts_the_hands_they_played():
    kept = Kept(3, {"hands": 3}).any_hands(2).happens("arrive", seat=4)
    kept.bid(0, 0, 0, 0).take(*[int(seat == 2) for seat in kept.coming.order])
    assert {call.call: call.seats for call in kept.sheet.callouts}["clean-run"] == (1, 4)


def test_nobody_has_a_clean_run_without_a_hand():
    kept = Kept(3, {"hands": 3}).carry(1, 2, 3)
    assert {call.call: call.seats for call in kept.sheet.callouts} == {"first-place-loser": (2,)}


def test_first_place_losers_share_second_place_after_the_ties_are_settled():
    assert Kept(4, {"hands": 4}).carry(9, 5, 5, 1).sheet.callouts[0].seats == (2, 3)
    kept = Kept(4, {"hands": 4}).carry(9, 9, 5, 1)
    assert kept.sheet.callouts == (), "not while anything is open"
    kept.blind_hand("0 0 0 1", "5 0 0 0")
    assert kept.sheet.winner == 1
    assert {call.call: call.seats for call in kept.sheet.callouts} == {"first-place-loser": (2,)}


def test_every_call_out_has_a_reason_and_its_place_in_the_order_of_rarity():
    seen = {}
    for kept in (
        one_hand("1 1 0 0", "1 1 0 1"),
        totals_after(0, 1, 11, 12),
        set_or_made(Kept(2, {"hands": 20}), "SSSS"),
    ):
        for call in GAME.hand_callouts(kept.sheet.rows[-1]):
            assert call.reason
            seen[call.call] = call.rank
    order = sorted(seen, key=seen.__getitem__)
    assert order == [call for call in RARITY if call in seen]
    assert order[:4] == ["door-knob", "sbr", "bottom-buddies", "dog-pile"]


# -- what goes on is called once -----------------------------------------------------------------------


def test_call_outs_of_a_hand_are_worked_out_once():
    row = set_or_made(Kept(2, {"hands": 20}), "MSSSS").sheet.rows[-1]
    first = GAME.new_callouts(row)
    assert GAME.new_callouts(row) is first
    same = replace(row)
    assert same == row
    assert GAME.new_callouts(same) == first
    assert GAME.new_callouts(same) is not first, "it is kept with the row it is told of"


def new_calls(kept: Kept) -> list[dict[str, tuple[int, ...]]]:
    """What is called after each hand, with its seats."""
    return [{call.call: call.seats for call in GAME.new_callouts(row)} for row in kept.sheet.rows]


def test_door_knob_that_goes_on_is_called_where_it_begins_and_again_after_a_break():
    kept = set_or_made(Kept(2, {"hands": 20}), "MSSSSSMMSSS")
    assert [hand for hand, found in enumerate(new_calls(kept), 1) if 1 in found.get("door-knob", ())] == [4, 11]


def test_door_knob_is_called_for_who_becomes_one_and_not_again_for_who_is_one():
    first = CallOut("door-knob", (1,), lasting=True)
    assert CallOut("door-knob", (1, 3), lasting=True).since([first]).seats == (3,)
    assert CallOut("door-knob", (1,), lasting=True).since([first]) is None
    assert CallOut("dog-pile", (1,)).since([CallOut("dog-pile", (1,))]).seats == (1,), (
        "what does not last happens again"
    )


@pytest.mark.parametrize("call", ["bottom-buddies", "spooning"])
def test_a_group_is_called_again_when_somebody_joins_it_and_not_when_somebody_leaves(call):
    def group(*seats):
        return callout(call, seats, "")

    assert group(1, 2).since([]).seats == (1, 2)
    assert group(1, 2).since([group(1, 2)]) is None
    assert group(1, 2, 4).since([group(1, 2)]).seats == (1, 2, 4)
    assert group(1, 4).since([group(1, 2)]).seats == (1, 4)
    assert group(1, 2).since([group(1, 2, 4)]) is None


def test_whoever_comes_into_the_proximity_of_the_bottom_is_called_alone():
    before = callout("proximity-alert", (2, 3), "")
    assert callout("proximity-alert", (1, 2), "").since([before]).seats == (1,)


def test_what_everybody_has_called_once_is_true_until_it_ends():
    """Over whole games: nothing that lasts is called of somebody of whom it was true the hand before."""
    kept = Kept(4, {"hands": 24}).any_hands(24)
    for before, row in pairwise(kept.sheet.rows):
        was = {(call.call, seat) for call in GAME.hand_callouts(before) if call.lasting for seat in call.seats}
        for call in GAME.new_callouts(row):
            assert not call.lasting or any((call.call, seat) not in was for seat in call.seats)
