"""Rule 1: who comes late."""

import pytest

from rules.dirty_dog.schedule import largest_peak
from tests.rules.kept import Kept


@pytest.mark.parametrize(
    ("totals", "start"),
    [
        pytest.param((12, 7, 9, 30), 7, id="Rule 1: the lowest total"),
        pytest.param((12, -7, 9, -2), -7, id="Rule 1: even one below zero"),
        pytest.param((4, 4, 4, 4), 4, id="Rule 1: that of everybody"),
    ],
)
def test_newcomer_takes_the_lowest_total_and_shares_the_circle(totals, start):
    kept = Kept(4).carry(*totals, hands=3).happens("arrive", seat=5)
    assert kept.sheet.totals[5] == start
    assert 5 in kept.sheet.circled


def test_newcomer_starts_at_nothing_before_a_hand_is_scored():
    kept = Kept(4).happens("arrive", seat=5)
    assert kept.sheet.totals == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0}


def test_newcomer_looks_at_those_who_sit_there_and_not_at_who_went_home():
    kept = Kept(4).carry(1, 20, 30, 40, hands=3).happens("leave", seat=1).happens("arrive", seat=5)
    assert kept.sheet.totals[5] == 20


def test_two_newcomers_take_the_same_total():
    kept = Kept(4).carry(9, 20, 30, 40, hands=3).happens("arrive", seat=5).happens("arrive", seat=6)
    assert (kept.sheet.totals[5], kept.sheet.totals[6]) == (9, 9)


def test_newcomer_is_dealt_in_at_the_next_hand():
    kept = Kept(4, first_dealer=1).any_hands(2).happens("arrive", seat=5)
    assert kept.coming.number == 3
    assert kept.coming.order == (4, 5, 1, 2, 3)
    assert kept.any_hands().sheet.rows[-1].points.keys() == {1, 2, 3, 4, 5}


def test_newcomer_cannot_come_in_the_middle_of_a_hand():
    kept = Kept(4).bid(0)
    assert kept.codes((1, "arrive-1"), seat=5) == ["out-of-turn"]


@pytest.mark.parametrize(
    ("first_dealer", "left_of", "seats"),
    [
        pytest.param(1, None, (1, 2, 3, 4, 5), id="Rule 1: right of the first dealer, seat 1"),
        pytest.param(2, None, (1, 5, 2, 3, 4), id="Rule 1: right of the first dealer, seat 2"),
        pytest.param(3, None, (1, 2, 5, 3, 4), id="Rule 1: right of the first dealer, seat 3"),
        pytest.param(4, None, (1, 2, 3, 5, 4), id="Rule 1: right of the first dealer, seat 4"),
        pytest.param(3, 1, (1, 5, 2, 3, 4), id="any chair: left of seat 1"),
        pytest.param(3, 2, (1, 2, 5, 3, 4), id="any chair: left of seat 2"),
        pytest.param(3, 3, (1, 2, 3, 5, 4), id="any chair: left of seat 3"),
        pytest.param(3, 4, (1, 2, 3, 4, 5), id="any chair: left of seat 4"),
    ],
)
def test_newcomer_sits_down(first_dealer, left_of, seats):
    kept = Kept(4, first_dealer=first_dealer).any_hands()
    kept.happens("arrive", seat=5, left_of=left_of)
    assert kept.sheet.table.seats == seats
    assert tuple(kept.sheet.totals) == seats


def test_newcomer_sits_at_the_end_where_the_first_dealer_has_gone():
    kept = Kept(5, first_dealer=3).any_hands().happens("leave", seat=3).happens("arrive", seat=6)
    assert kept.sheet.table.seats == (1, 2, 4, 5, 6)


def test_round_in_progress_keeps_its_order():
    kept = Kept(4, {"hands": 12}, first_dealer=2).any_hands(2).happens("arrive", seat=5)
    assert [hand.dealer for hand in kept.sheet.coming()][:5] == [4, 1, 5, 2, 3]


@pytest.mark.parametrize("left_of", [1, 2, 3, 4])
def test_newcomer_deals_next_exactly_where_they_sit_left_of_the_last_dealer(left_of):
    kept = Kept(4, first_dealer=1).any_hands(2).happens("arrive", seat=5, left_of=left_of)
    assert kept.coming.dealer == (5 if left_of == 2 else 3)


def test_of_two_newcomers_the_one_who_sits_left_of_the_last_dealer_deals_next():
    kept = Kept(4, first_dealer=1).any_hands(2)
    kept.happens("arrive", seat=5, left_of=2).happens("arrive", seat=6, left_of=2)
    assert kept.sheet.table.seats == (1, 2, 6, 5, 3, 4)
    assert kept.coming.dealer == 6


def test_champion_who_comes_before_the_first_hand_does_not_deal():
    kept = Kept(4, first_dealer=1).happens("arrive", seat=5)
    assert kept.coming.dealer == 1


@pytest.mark.parametrize("players", range(4, 11))
def test_hands_stay_as_agreed_but_for_the_cards_the_deck_lacks(players):
    kept = Kept(players)
    planned = kept.table.schedule
    kept.happens("arrive", seat=players + 1)
    cards = [hand.cards for hand in kept.sheet.coming()]
    most = largest_peak(players + 1)
    assert cards == [min(c, most) for c in planned]
    assert (max(cards) == max(planned)) is (players == 9), "only from nine to ten nothing is cut"
    assert kept.sheet.game.describe_sheet(kept.sheet.table)["planned_hands"] == len(planned)


def test_hand_is_cut_to_the_whole_deck_where_the_house_deals_it():
    kept = Kept(3, deal_whole_deck=True).happens("arrive", seat=4)
    assert max(hand.cards for hand in kept.sheet.coming()) == 13


def test_cut_hands_get_their_cards_back_when_somebody_leaves():
    kept = Kept(6, {"peak": 8}).any_hands(8).happens("arrive", seat=7)
    assert kept.coming.cards == 7
    kept.happens("leave", seat=2)
    assert kept.coming.cards == 8


@pytest.mark.thorough(but=24)
@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.parametrize("done", range(8))
@pytest.mark.parametrize("first_dealer", [1, 2])
def test_house_rule_replan_lets_the_right_hand_neighbour_of_the_first_dealer_deal_last(players, done, first_dealer):
    plan = {"hands": 8}
    plain = Kept(players, plan, first_dealer=first_dealer).any_hands(done).happens("arrive", seat=99).sheet
    kept = Kept(players, plan, first_dealer=first_dealer, replan=True).any_hands(done).happens("arrive", seat=99)
    table, coming = kept.sheet.table, kept.sheet.coming()
    assert coming[-1].dealer == table.right_of(first_dealer)
    planned = len(plain.coming())
    assert planned <= len(coming) < planned + players + 1, "the smallest number that is enough"
    assert table.schedule[:done] == plain.table.schedule[:done]
    assert max(table.schedule) == max(plain.table.schedule)


def test_house_rule_replan_adds_hands_of_the_most_cards():
    kept = Kept(4, {"peak": 3}, replan=True).any_hands(2).happens("arrive", seat=5)
    assert kept.table.schedule == (1, 2, 3, 3, 3, 3, 2, 1)
    assert kept.sheet.table.schedule == (1, 2, 3, 3, 3, 3, 3, 3, 2, 1)


def test_house_rule_replan_looks_at_the_end_of_the_list_where_the_first_dealer_has_gone():
    kept = Kept(5, {"hands": 5}, first_dealer=1, replan=True).any_hands(1)
    kept.happens("leave", seat=1).happens("arrive", seat=6)
    assert kept.sheet.table.seats == (2, 3, 4, 5, 6)
    assert kept.sheet.coming()[-1].dealer == 6


def test_hands_stay_when_somebody_leaves_whatever_the_house_rule():
    kept = Kept(4, {"peak": 3}, replan=True).any_hands(2).happens("leave", seat=2)
    assert kept.sheet.table.schedule == kept.table.schedule


@pytest.mark.parametrize(
    ("players", "codes"), [(4, []), (9, []), (10, ["many-players"]), (24, ["many-players"]), (25, ["bad-players"])]
)
def test_eleventh_player_is_a_warning_and_the_twenty_sixth_is_refused(players, codes):
    assert Kept(players).codes((1, "arrive-1"), seat=26) == codes


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ({"seat": 2}, "duplicate-player"),
        ({"seat": 5, "left_of": 7}, "unknown-player"),
        ({"seat": 5, "left_of": 5}, "unknown-player"),
        ({"seat": 0}, "count-range"),
        ({}, "missing-field"),
        ({"seat": None}, "not-a-number"),
    ],
)
def test_newcomer_needs_a_chair_of_their_own(step, code):
    assert Kept(4).codes((1, "arrive-1"), **step) == [code]
