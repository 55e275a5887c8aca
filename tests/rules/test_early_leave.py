"""Rule 10: who goes home early."""

import pytest

from tests.rules.kept import Kept


def test_total_is_frozen_and_who_left_is_neither_asked_nor_marked():
    kept = Kept(4, {"hands": 8}).carry(-9, 4, 20, 30, hands=4).happens("leave", seat=1)
    assert kept.sheet.table.gone == {1: -9}
    assert 1 not in kept.sheet.totals
    assert kept.sheet.circled == (2,)
    assert 1 not in kept.coming.order


@pytest.mark.parametrize(
    ("leaver", "dealer"),
    [
        pytest.param(1, 3, id="Rule 10: somebody else left"),
        pytest.param(2, 3, id="Rule 10: the last dealer left, their left neighbour deals"),
        pytest.param(3, 4, id="Rule 10: the next dealer left, the one after them deals"),
        pytest.param(4, 3, id="Rule 10: who sits after the next dealer left"),
    ],
)
def test_deal_goes_on(leaver, dealer):
    kept = Kept(4, {"hands": 8}, first_dealer=1).any_hands(2).happens("leave", seat=leaver)
    assert kept.coming.dealer == dealer
    assert kept.coming.number == 3
    assert kept.coming.cards == 3


def test_last_dealer_and_the_next_may_both_leave():
    kept = Kept(5, {"hands": 8}, first_dealer=1).any_hands(2)
    kept.happens("leave", seat=2).happens("leave", seat=3)
    assert kept.coming.dealer == 4


def test_next_dealer_at_the_end_of_the_list_hands_the_deal_on_to_the_first():
    kept = Kept(4, {"hands": 8}, first_dealer=1).any_hands(3).happens("leave", seat=4)
    assert kept.coming.dealer == 1


def test_newcomer_left_of_an_empty_chair_does_not_deal_next():
    kept = Kept(4, {"hands": 8}, first_dealer=1).any_hands(2).happens("leave", seat=2)
    kept.happens("arrive", seat=5, left_of=1)
    assert kept.coming.dealer == 3


@pytest.mark.parametrize(
    ("frozen", "loser", "waiting"),
    [
        pytest.param(-10, 4, [], id="Rule 10: below the lowest, they take the loser's trophy"),
        pytest.param(3, None, [("draw", (1, 4))], id="Rule 10: level with the lowest, somebody draws for them"),
        pytest.param(4, 1, [], id="Rule 10: above it, no effect"),
    ],
)
def test_frozen_total_counts_at_the_bottom_when_all_is_over(frozen, loser, waiting):
    kept = Kept(4, {"hands": 5}).carry(3, 40, 50, frozen, hands=4, last_dealer=2).happens("leave", seat=4)
    kept.hand("1 1 0", "1 0 0")  # seats 1, 2 and 3 bid; only seat 2 is set
    sheet = kept.sheet
    assert sheet.totals == {1: 9, 2: 39, 3: 55}
    kept.entries[0, "carried"]["total-4"] += 6
    assert kept.sheet.loser == loser
    assert [(w.what, w.seats) for w in kept.sheet.waiting] == waiting
    assert kept.sheet.winner == 3


def test_two_who_left_with_the_same_lowest_total_draw():
    kept = Kept(5, {"hands": 5}).carry(-9, -9, 10, 20, 30, hands=4).happens("leave", seat=1).happens("leave", seat=2)
    kept.any_hands()
    assert [(w.what, w.seats) for w in kept.sheet.waiting] == [("draw", (1, 2))]
    assert kept.draw(s1="K", s2="3").sheet.loser == 2


def gone_home(frozen: int, **house_rules) -> Kept:
    """Seat 4 went home with ``frozen``; seats 1, 2 and 3 end with 15, 24 and 35."""
    kept = Kept(4, {"hands": 5}, **house_rules).carry(10, 25, 30, frozen, hands=4, last_dealer=3)
    return kept.happens("leave", seat=4).hand("0 0 0", "1 0 0")


@pytest.mark.parametrize(
    ("house_rules", "frozen", "winner"),
    [
        pytest.param({}, 99, 3, id="Rule 10: they cannot win"),
        pytest.param({"leaver_may_win": True}, 99, 4, id="leaver_may_win: above everybody"),
        pytest.param({"leaver_may_win": True}, 35, 3, id="leaver_may_win: equal is not above"),
        pytest.param({"leaver_may_win": True}, 36, 4, id="leaver_may_win: one point is enough"),
    ],
)
def test_winner_where_somebody_went_home(house_rules, frozen, winner):
    sheet = gone_home(frozen, **house_rules).sheet
    assert dict(sheet.totals) == {1: 15, 2: 24, 3: 35}
    assert (sheet.winner, sheet.loser, sheet.finished) == (winner, 1, True)
    assert [placing.seat for placing in sheet.placings] == [3, 2, 1]


def test_house_rule_leaver_may_win_needs_no_blind_hand_where_they_are_above_a_tie():
    kept = Kept(4, {"hands": 4}, leaver_may_win=True).carry(20, 20, 0, 60, hands=3, last_dealer=2)
    kept.happens("leave", seat=4).hand("0 0 0", "0 0 1")
    assert (kept.sheet.winner, kept.sheet.waiting) == (4, ())


def test_house_rule_leaver_may_win_names_nobody_where_two_who_left_are_level():
    kept = Kept(5, {"hands": 4}, leaver_may_win=True).carry(60, 60, 0, 10, 20, hands=3)
    kept.happens("leave", seat=1).happens("leave", seat=2).any_hands()
    assert kept.sheet.winner == 5


@pytest.mark.parametrize(
    ("players", "done", "seat", "codes"),
    [
        pytest.param(5, 1, 2, [], id="Rule 10: four go on"),
        pytest.param(4, 1, 2, ["few-players"], id="Rule 10: three go on, a warning"),
        pytest.param(2, 1, 2, ["bad-players"], id="Rule 10: two must stay"),
        pytest.param(5, 0, 2, ["leave-before-start"], id="Rule 10: before the first hand, a change of seats"),
        pytest.param(5, 1, 9, ["unknown-player"], id="Rule 10: nobody of that seat"),
    ],
)
def test_leaving_is_checked(players, done, seat, codes):
    kept = Kept(players, {"hands": 6}).any_hands(done)
    assert kept.codes((done + 1, "leave-1"), seat=seat) == codes


def test_who_comes_back_is_a_late_arrival_and_the_frozen_total_is_dropped():
    kept = Kept(4, {"hands": 6}, first_dealer=2).carry(50, 4, 20, 30, hands=3).happens("leave", seat=1)
    kept.happens("arrive", seat=1)
    assert kept.sheet.table.gone == {}
    assert kept.sheet.totals == {1: 4, 2: 4, 3: 20, 4: 30}
    assert kept.sheet.table.seats == (2, 3, 4, 1), "at the first dealer's right hand"


def test_hand_in_progress_is_dealt_again_by_the_same_dealer():
    kept = Kept(4, {"hands": 6}, first_dealer=1).any_hands(2).bid(1, 1)
    for address in [address for address in kept.entries if address[0] == 3]:
        del kept.entries[address]
    kept.happens("leave", seat=1)
    assert (kept.coming.number, kept.coming.dealer, kept.coming.steps) == (3, 3, {})
