"""Rules 2 to 4: who deals, how many cards, how many hands."""

from itertools import pairwise

import pytest

from rules import find_game
from rules.dirty_dog.schedule import by_length, by_peak, hands_at_peak, largest_peak, lengthen, lengths
from tests.rules.kept import Kept

GAME = find_game("dirty-dog")

#: Hands at the most cards / hands in all, for 1, 2, 3 … most cards.
TABLE = {
    4: "4/4 2/4 4/8 2/8 4/12 2/12 4/16 2/16 4/20 2/20 4/24 2/24",
    5: "5/5 3/5 1/5 4/10 2/10 5/15 3/15 1/15 4/20 2/20",
    6: "6/6 4/6 2/6 6/12 4/12 2/12 6/18 4/18",
    7: "7/7 5/7 3/7 1/7 6/14 4/14 2/14",
    8: "8/8 6/8 4/8 2/8 8/16 6/16",
    9: "9/9 7/9 5/9 3/9 1/9",
    10: "10/10 8/10 6/10 4/10 2/10",
}
CELLS = [
    pytest.param(n, peak, *map(int, cell.split("/")), id=f"{n} players, {peak} cards")
    for n, row in TABLE.items()
    for peak, cell in enumerate(row.split(), 1)
]
PLAYERS = list(range(2, 26))


@pytest.mark.parametrize(("players", "peak", "at_peak", "hands"), CELLS)
def test_rule_4_says_how_many_hands_of_the_most_cards_there_are(players, peak, at_peak, hands):
    assert hands_at_peak(players, peak) == at_peak
    assert len(by_peak(players, peak)) == hands


def test_table_of_hands_ends_where_no_card_would_be_left_to_turn():
    assert {n: len(row.split()) for n, row in TABLE.items()} == {n: largest_peak(n) for n in TABLE}


@pytest.mark.parametrize("players", PLAYERS)
def test_rule_5_leaves_one_card_to_turn(players):
    assert largest_peak(players) * players <= 51 < (largest_peak(players) + 1) * players


@pytest.mark.parametrize(("players", "whole"), [(2, 26), (4, 13), (13, 4), (3, 17), (5, 10), (6, 8), (25, 2)])
def test_house_rule_deals_the_whole_deck_only_where_it_comes_out_even(players, whole):
    assert largest_peak(players, whole_deck=True) == whole
    even = 52 % players == 0
    assert (largest_peak(players, whole_deck=True) > largest_peak(players)) is even


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("extra_rounds", [0, 1, 3])
def test_right_hand_neighbour_of_the_first_dealer_deals_last_whatever_the_most_cards(players, extra_rounds):
    for peak in range(1, largest_peak(players) + 1):
        cards = by_peak(players, peak, extra_rounds)
        assert len(cards) % players == 0
        assert max(cards) == peak
        assert cards == cards[::-1]
        assert [after - before for before, after in pairwise(cards) if abs(after - before) > 1] == []
        assert cards[0] == 1
        assert len(cards) == len(by_peak(players, peak)) + players * extra_rounds


@pytest.mark.parametrize("players", PLAYERS)
def test_length_gives_exactly_that_many_hands_as_high_as_they_lead(players):
    for hands in range(1, 121):
        cards = by_length(players, hands)
        assert len(cards) == hands
        assert cards == cards[::-1]
        assert cards[0] == 1
        assert max(cards) == min(largest_peak(players), (hands + 1) // 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_both_ways_in_meet(players):
    most = largest_peak(players)
    usual = by_peak(players, most)
    assert by_length(players, len(usual)) == usual
    assert all(hands % players == 0 for hands in lengths(players, 60))


def test_deal_goes_round_to_the_left_and_ends_right_of_the_first_dealer():
    kept = Kept(6, {"peak": 3}, first_dealer=4)
    dealers = [hand.dealer for hand in kept.sheet.coming()]
    assert dealers == [4, 5, 6, 1, 2, 3]


def test_bidding_starts_left_of_the_dealer_who_bids_last_and_the_first_bidder_leads():
    hand = Kept(4, first_dealer=3).coming
    assert hand.order == (4, 1, 2, 3)
    assert hand.leader == 4


@pytest.mark.parametrize(
    ("plan", "house_rules", "cards"),
    [
        pytest.param({}, {}, by_peak(6, 8), id="Rule 3: the most the deck allows, unless said"),
        pytest.param({"peak": 3}, {}, (1, 2, 3, 3, 2, 1), id="Rule 4: the most cards chosen"),
        pytest.param({"peak": 3, "extra_rounds": 1}, {}, (1, 2, *[3] * 8, 2, 1), id="Rule 4: one round more"),
        pytest.param({"hands": 5}, {}, (1, 2, 3, 2, 1), id="length chosen, whether or not Rule 4 holds"),
        pytest.param({"hands": 1}, {}, (1,), id="one hand"),
        pytest.param({"hands": 2}, {}, (1, 1), id="two hands"),
    ],
)
def test_plan_of_six_players(plan, house_rules, cards):
    assert Kept(6, plan, **house_rules).table.schedule == cards


def test_house_rule_deal_whole_deck_deals_thirteen_to_four():
    kept = Kept(4, deal_whole_deck=True)
    assert max(kept.table.schedule) == 13
    assert {hand.cards for hand in kept.sheet.coming()} == set(range(1, 14))


@pytest.mark.parametrize(
    ("players", "plan", "house_rules", "code"),
    [
        (1, {}, {}, "bad-players"),
        (26, {}, {}, "bad-players"),
        (0, {}, {}, "bad-players"),
        (4, {"peak": 13}, {}, "bad-peak"),
        (4, {"peak": 14}, {"deal_whole_deck": True}, "bad-peak"),
        (5, {"peak": 11}, {"deal_whole_deck": True}, "bad-peak"),
        (4, {"peak": 0}, {}, "bad-peak"),
        (4, {"peak": -1}, {}, "bad-peak"),
        (4, {"peak": 10**30}, {}, "bad-peak"),
        (4, {"hands": 0}, {}, "bad-plan"),
        (4, {"hands": -3}, {}, "bad-plan"),
        (4, {"hands": 10**30}, {}, "bad-plan"),
        (4, {"peak": 2, "extra_rounds": -1}, {}, "bad-plan"),
        (4, {"peak": 2, "extra_rounds": 10**30}, {}, "bad-plan"),
        (6, {}, {"tie_break_cards": 9}, "bad-house-rule"),
        (6, {}, {"tie_break_cards": 0}, "bad-house-rule"),
        (6, {}, {"bottom_buddies_gap": 0}, "bad-house-rule"),
        (6, {}, {"bottom_buddies_gap": 51}, "bad-house-rule"),
        (6, {}, {"replan": 1}, "bad-document"),
        (6, {}, {"house_of_cards": True}, "bad-document"),
    ],
)
def test_impossible_set_up_is_refused(players, plan, house_rules, code):
    problems = list(GAME.setup_problems(range(1, players + 1), plan, house_rules))
    assert [problem.code for problem in problems if problem.blocking] == [code]


@pytest.mark.parametrize("players", PLAYERS)
def test_unwise_number_of_players_is_a_warning_and_no_more(players):
    problems = list(GAME.setup_problems(range(1, players + 1), {}, {}))
    assert [problem.code for problem in problems if problem.blocking] == []
    expected = ["few-players"] if players < 4 else ["many-players"] if players > 10 else []
    assert [problem.code for problem in problems] == expected


def test_largest_possible_house_rules_are_taken():
    good = {"tie_break_cards": 8, "bottom_buddies_gap": 50}
    assert list(GAME.setup_problems(range(1, 7), {"peak": 8}, good)) == []


@pytest.mark.parametrize(
    ("cards", "done", "remaining", "lengthened"),
    [
        pytest.param((1, 2, 3, 3, 2, 1), 1, 7, (1, 2, 3, 3, 3, 3, 2, 1), id="the most cards are still to come"),
        pytest.param((1, 2, 3, 3, 2, 1), 3, 4, (1, 2, 3, 3, 3, 2, 1), id="one of the most cards is still to come"),
        pytest.param((1, 2, 3, 3, 2, 1), 4, 4, (1, 2, 3, 3, 2, 2, 2, 1), id="past it, the next hand is repeated"),
        pytest.param((1, 2, 3, 3, 2, 1), 5, 2, (1, 2, 3, 3, 2, 1, 1), id="the last hand is repeated"),
        pytest.param((1, 2, 3, 3, 2, 1), 2, 4, (1, 2, 3, 3, 2, 1), id="nothing to add"),
    ],
)
def test_house_rule_replan_adds_hands(cards, done, remaining, lengthened):
    assert lengthen(cards, done, remaining) == lengthened
