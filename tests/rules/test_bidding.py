"""Rules 5 to 8: what may be written down of one hand."""

import pytest

from rules.core.engine.replay import stood
from rules.dirty_dog.scoring import forbidden_bid, trump_of
from tests.rules.kept import GAME, Kept


def at_hand(cards: int, players: int = 4, **house_rules) -> Kept:
    """A table whose next hand, dealt by the last seat, has so many cards."""
    kept = Kept(players, {"hands": 2 * cards - 1}, **house_rules)
    if cards > 1:
        kept.carry(*[0] * players, hands=cards - 1, last_dealer=players - 1)
    else:
        kept.table = GAME.open_table(kept.table.seats, players, {"hands": 1}, house_rules)
    return kept


@pytest.mark.parametrize(
    ("cards", "bid", "codes"),
    [
        (3, -1, ["bid-out-of-range"]),
        (3, 0, []),
        (3, 3, []),
        (3, 4, ["bid-out-of-range"]),
        (1, 10**40, ["bid-out-of-range"]),
        (1, "1", ["not-a-number"]),
        (1, True, ["not-a-number"]),
        (1, None, ["not-a-number"]),
    ],
)
def test_rule_6_bid_is_a_whole_number_from_none_to_all(cards, bid, codes):
    assert at_hand(cards).codes((cards, "bid-1"), bid=bid) == codes


@pytest.mark.parametrize(
    ("cards", "earlier", "forbidden"),
    [
        pytest.param(5, (1, 2, 0), 2, id="Rule 7: the cards less what has been bid"),
        pytest.param(5, (0, 0, 0), 5, id="Rule 7: after nothing, not all of them"),
        pytest.param(5, (5, 0, 0), 0, id="Rule 7: after just enough, not none"),
        pytest.param(5, (5, 1, 0), None, id="Rule 7: overbid already, any bid is free"),
        pytest.param(1, (0, 0, 0), 1, id="Rule 7: one card, nobody has bid it"),
        pytest.param(1, (1, 0, 0), 0, id="Rule 7: one card, bid once"),
        pytest.param(1, (1, 1, 0), None, id="Rule 7: one card, bid twice"),
    ],
)
def test_rule_7_last_bidder_may_not_square_the_bids(cards, earlier, forbidden):
    kept = at_hand(cards).bid(*earlier)
    assert forbidden_bid(kept.coming) == forbidden
    allowed = [bid for bid in range(cards + 1) if not kept.codes((cards, "bid-4"), bid=bid)]
    assert allowed == [bid for bid in range(cards + 1) if bid != forbidden]
    assert allowed, "there is always a bid left"


def test_rule_7_binds_nobody_but_the_last_bidder():
    assert at_hand(2).bid(1).codes((2, "bid-2"), bid=1) == []


def test_rule_7_is_not_known_before_the_others_have_bid():
    assert forbidden_bid(at_hand(3).bid(1, 0).coming) is None


def test_rule_7_counts_even_a_bid_that_is_out_of_range():
    kept = at_hand(2).bid(0, 1)
    kept.entries[2, "bid-3"] = {"bid": 2}
    assert kept.codes((2, "bid-4"), bid=-1) == ["bid-out-of-range", "the-rule"]


def test_rule_7_may_have_been_missed_by_the_whole_table():
    kept = at_hand(2).bid(1, 0, 0).write((2, "rule-missed"), missed=True)
    assert kept.codes((2, "bid-4"), bid=1) == []
    assert GAME.avoided_sum(kept.sheet.table, kept.coming) is None


def test_rule_7_holds_where_the_tick_says_that_nothing_was_missed():
    kept = at_hand(2).bid(1, 0, 0).write((2, "rule-missed"), missed=False)
    assert kept.codes((2, "bid-4"), bid=1) == ["the-rule"]
    assert GAME.avoided_sum(kept.sheet.table, kept.coming) == 2


def test_bids_are_asked_in_order_one_each():
    kept = at_hand(3)
    assert kept.codes((3, "bid-2"), bid=0) == ["out-of-turn"]
    assert kept.codes((3, "tricks"), **{f"tricks-{seat}": 0 for seat in range(1, 5)}) == ["out-of-turn"]
    assert kept.codes((3, "bid-9"), bid=0) == ["out-of-turn"]
    kept.bid(0)
    assert kept.codes((3, "bid-2"), bid=0) == []
    kept.bid(0, 0, 0)
    assert kept.codes((3, "bid-5"), bid=0) == ["out-of-turn"]


@pytest.mark.parametrize(
    ("house_rules", "bids", "seat", "code"),
    [
        pytest.param({}, 2, 2, None, id="Rule 8: the latest bid"),
        pytest.param({}, 2, 1, "bid-locked", id="Rule 8: the next player has bid"),
        pytest.param({}, 2, 3, "no-such-bid", id="Rule 8: nothing has been bid"),
        pytest.param({}, 4, 4, None, id="Rule 8: the dealer until the first card is played"),
        pytest.param({}, 4, 3, "bid-locked", id="Rule 8: the one before the dealer"),
        pytest.param({"dealer_bid_final": True}, 4, 4, "bid-locked", id="dealer_bid_final"),
        pytest.param({"dealer_bid_final": True}, 3, 3, None, id="dealer_bid_final binds the dealer alone"),
    ],
)
def test_rule_8_says_which_bid_may_be_taken_back(house_rules, bids, seat, code):
    kept = at_hand(3, **house_rules).bid(*[0, 0, 0, 0][:bids])
    problem = GAME.may_take_back(kept.sheet.table, kept.coming, f"bid-{seat}")
    assert (problem and problem.code) == code


def test_rule_8_is_about_bids_alone():
    kept = at_hand(3).write((3, "trump"), suit="H").bid(0)
    assert GAME.may_take_back(kept.sheet.table, kept.coming, "trump") is None


def test_changed_bid_is_checked_like_a_new_one():
    kept = at_hand(3).bid(1, 1, 0, 0)
    assert kept.codes((3, "bid-4"), bid=1) == ["the-rule"]
    assert kept.codes((3, "bid-4"), bid=2) == []
    assert kept.codes((3, "bid-4"), bid=4) == ["bid-out-of-range"]


def tricks(*counts):
    return {f"tricks-{seat}": count for seat, count in enumerate(counts, 1)}


@pytest.mark.parametrize(
    ("counts", "codes"),
    [
        ((3, 0, 0, 0), []),
        ((1, 1, 1, 0), []),
        ((1, 1, 0, 0), ["tricks-sum"]),
        ((2, 2, 0, 0), ["tricks-sum"]),
        ((4, 0, 0, 0), ["tricks-out-of-range", "tricks-sum"]),
        ((4, -1, 0, 0), ["tricks-out-of-range", "tricks-out-of-range"]),
        ((3, 0, 0), ["missing-field"]),
        ((3, 0, 0, 0, 0), ["unknown-field"]),
        ((3, 0, 0, "0"), ["not-a-number"]),
    ],
)
def test_every_trick_has_one_taker(counts, codes):
    assert at_hand(3).bid(0, 0, 0, 0).codes((3, "tricks"), **tricks(*counts)) == codes


@pytest.mark.parametrize(
    ("step", "codes", "trump"),
    [
        pytest.param({"turned": "7D"}, [], "D", id="Rule 5: the suit of the turned card"),
        pytest.param({"turned": "TS"}, [], "S", id="Rule 5: a ten"),
        *(pytest.param({"turned": "A" + suit}, [], "NT", id=f"Rule 5: any ace, {suit}") for suit in "CDHS"),
        pytest.param({"suit": "H"}, [], "H", id="the suit alone"),
        pytest.param({"suit": "NT"}, [], "NT", id="no trump"),
        pytest.param({"suit": "X"}, ["bad-suit"], None, id="no such suit"),
        pytest.param({"turned": "10H"}, ["bad-card"], None, id="a ten is T"),
        pytest.param({"turned": "1H"}, ["bad-card"], None, id="no such rank"),
        pytest.param({"turned": ""}, ["bad-card"], None, id="no card at all"),
        pytest.param({"turned": "7D", "suit": "D"}, ["bad-suit"], None, id="one of them, not both"),
        pytest.param({}, ["bad-suit"], None, id="one of them"),
    ],
)
def test_rule_5_trump(step, codes, trump):
    kept = at_hand(3)
    assert kept.codes((3, "trump"), **step) == codes
    if not codes:
        hand = kept.write((3, "trump"), **step).coming
        assert trump_of(hand) == GAME.trump(hand) == trump


def test_trump_may_be_noted_at_any_time_before_the_hand_is_scored():
    kept = at_hand(3).bid(0, 0)
    assert kept.codes((3, "trump"), suit="H") == []
    kept.bid(0, 0)
    assert kept.codes((3, "trump"), suit="H") == []


def test_nothing_is_asked_after_the_last_hand():
    kept = Kept(4, {"hands": 1}).any_hands()
    assert kept.sheet.open is None
    assert kept.codes((2, "bid-1"), bid=0) == ["out-of-turn"]
    assert stood(GAME, kept.table, kept.entries, (2, "bid-1")) is None


def test_scored_hand_can_still_be_corrected():
    kept = Kept(4, {"hands": 4}).any_hands(3)
    assert kept.codes((1, "tricks"), **tricks(0, 0, 0, 1)) == []
    assert kept.codes((1, "tricks"), **tricks(0, 0, 1, 1)) == ["tricks-sum"]
