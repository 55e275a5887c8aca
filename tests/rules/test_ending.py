"""Rules 11 and 13: winner, loser, blind hands and draws."""

from itertools import pairwise

import pytest

from rules.core.fields import SHEET
from tests.rules.kept import GAME, Kept


def ended(*totals: int, **house_rules) -> Kept:
    """A game whose last hand is scored, with these totals; seat 1 deals the first blind hand."""
    return Kept(len(totals), {"hands": len(totals)}, **house_rules).carry(*totals)


def waiting(kept: Kept):
    return [(w.what, w.seats, w.cards) for w in kept.sheet.waiting]


def placings(kept: Kept):
    return [(placing.place, placing.seat, placing.score) for placing in kept.sheet.placings]


def test_box_and_circle_highest_wins_and_lowest_takes_the_other_trophy():
    kept = ended(12, 30, -4, 12)
    assert (kept.sheet.winner, kept.sheet.loser, kept.sheet.finished) == (2, 3, True)
    assert placings(kept) == [(1, 2, 30), (2, 1, 12), (2, 4, 12), (4, 3, -4)]
    assert kept.codes((SHEET, "tie-1-bid-1"), bid=0) == ["out-of-turn"]
    assert kept.codes((SHEET, "draw-1")) == ["out-of-turn"]


@pytest.mark.parametrize(
    ("players", "cards"),
    [(2, 5), (4, 5), (10, 5), (11, 4), (12, 4), (13, 3), (17, 3), (18, 2), (25, 2)],
)
def test_rule_13_blind_hand_has_five_cards_or_as_many_as_the_deck_allows(players, cards):
    kept = ended(50, 50, *range(players - 2))
    (tie, *_) = waiting(kept)
    assert tie == ("tie-break", (1, 2), cards)
    assert kept.sheet.settlement.hand.cards == cards


@pytest.mark.parametrize(("players", "chosen", "cards"), [(4, 1, 1), (4, 12, 12), (2, 25, 25), (6, 8, 8)])
def test_house_rule_tie_break_cards(players, chosen, cards):
    assert waiting(ended(50, 50, *range(players - 2), tie_break_cards=chosen))[0][2] == cards


def test_house_rule_tie_break_cards_is_cut_where_more_people_sit_than_at_the_start():
    kept = Kept(6, {"hands": 1}, tie_break_cards=8).carry(*[0] * 6, hands=1)
    kept = Kept(6, {"hands": 2}, tie_break_cards=8).carry(9, 9, 9, 0, 0, 0, hands=1)
    kept.happens("arrive", seat=7).any_hands()
    assert kept.sheet.waiting[0].cards == 7


def test_rule_13_everybody_plays_the_blind_hand_and_the_next_dealer_deals():
    hand = ended(20, 20, 5, 1).sheet.settlement.hand
    assert (hand.dealer, hand.order) == (1, (2, 3, 4, 1))


def test_rule_13_the_rule_holds_in_a_blind_hand():
    kept = ended(20, 20, 5, 1)
    for seat, bid in ((2, 2), (3, 1), (4, 1)):
        kept.write((SHEET, f"tie-1-bid-{seat}"), bid=bid)
    assert kept.codes((SHEET, "tie-1-bid-1"), bid=1) == ["the-rule"]
    assert kept.codes((SHEET, "tie-1-bid-1"), bid=6) == ["bid-out-of-range"]
    assert kept.codes((SHEET, "tie-1-bid-1"), bid=2) == []
    assert kept.codes((SHEET, "tie-1-trump"), suit="H") == ["out-of-turn"]


def test_rule_13_only_the_points_of_the_tied_count_and_only_among_themselves():
    kept = ended(20, 20, 19, 1).blind_hand("5 0 1 0", "0 0 1 4")  # seats 2, 3, 4 and 1
    (row,) = kept.sheet.settlement.ties
    assert row.points == {2: -5, 3: 5, 4: 6, 1: -4}
    assert kept.sheet.winner == 1, "−4 is more than −5"
    assert placings(kept) == [(1, 1, 20), (2, 2, 20), (3, 3, 19), (4, 4, 1)]
    assert kept.sheet.totals == {1: 20, 2: 20, 3: 19, 4: 1}
    assert kept.sheet.loser == 4
    assert kept.sheet.settlement.tied == ((1, 2),)


def test_rule_13_whoever_is_still_level_plays_another_dealt_by_the_next():
    kept = ended(20, 20, 20, 1)
    assert waiting(kept) == [("tie-break", (1, 2, 3), 5)]
    kept.blind_hand("0 0 2 0", "0 1 4 0")  # seat 2: +5, seat 3: −1, seat 4: −4, seat 1: +5
    assert waiting(kept) == [("tie-break", (1, 2), 5)]
    assert (kept.sheet.winner, kept.sheet.loser) == (None, 4)
    assert kept.sheet.settlement.hand.order == (3, 4, 1, 2)
    assert kept.sheet.settlement.hand.prefix == "tie-2-"
    kept.blind_hand("0 0 5 1", "3 2 0 0")  # seat 1: −5, seat 2: −1
    assert (kept.sheet.winner, kept.sheet.finished) == (2, True)
    assert placings(kept) == [(1, 2, 20), (2, 1, 20), (3, 3, 20), (4, 4, 1)]
    assert kept.codes((SHEET, "tie-3-bid-1"), bid=0) == ["out-of-turn"]


def test_rule_13_numbers_of_a_blind_hand_say_why():
    row = ended(20, 20, 5, 1).blind_hand("5 0 1 0", "0 0 1 4").sheet.settlement.ties[0]
    for seat, worth in row.points.items():
        assert GAME.why(row.table, row.hand, seat).endswith(f"{worth:+}".replace("-", "−"))


def test_rule_13_step_that_does_not_fit_is_asked_again():
    kept = ended(20, 20, 5, 1)
    kept.entries[SHEET, "tie-1-bid-2"] = {"bid": 6}
    settlement = kept.sheet.settlement
    assert [problem.code for problem in settlement.problems] == ["bid-out-of-range"]
    assert [ask.name for ask in settlement.asks] == ["tie-1-bid-2"]
    assert kept.sheet.unread == ((SHEET, "tie-1-bid-2"),)


def test_rule_13_lowest_card_loses_and_suits_do_not_matter():
    kept = ended(30, 1, 1, 1)
    assert waiting(kept) == [("draw", (2, 3, 4), None)]
    assert (kept.sheet.winner, kept.sheet.loser) == (1, None)
    kept.draw(s2="A", s3="2", s4="K")
    assert (kept.sheet.loser, kept.sheet.finished) == (3, True)
    assert kept.sheet.settlement.draws == ({2: "A", 3: "2", 4: "K"},)
    assert placings(kept) == [(1, 1, 30), (2, 2, 1), (2, 3, 1), (2, 4, 1)], "a draw does not change them"


def test_rule_13_ranks_run_from_two_to_the_ace():
    ranks = "23456789TJQKA"
    for lower, higher in pairwise(ranks):
        assert ended(30, 1, 1).draw(s2=higher, s3=lower).sheet.loser == 3


def test_rule_13_equal_lowest_draw_again_and_nobody_else():
    kept = ended(30, 1, 1, 1, 1).draw(s2="7", s3="7", s4="7", s5="8")
    assert waiting(kept) == [("draw", (2, 3, 4), None)]
    kept.draw(s2="9", s3="9", s4="J")
    assert waiting(kept) == [("draw", (2, 3), None)]
    assert kept.draw(s2="Q", s3="T").sheet.loser == 3


@pytest.mark.parametrize(
    ("ranks", "codes"),
    [
        ({"rank-2": "1", "rank-3": "2", "rank-4": "3"}, ["bad-rank"]),
        ({"rank-2": "10", "rank-3": "2", "rank-4": "3"}, ["bad-rank"]),
        ({"rank-2": 7, "rank-3": "2", "rank-4": "3"}, ["bad-rank"]),
        ({"rank-2": "7", "rank-3": "2"}, ["missing-field"]),
        ({"rank-1": "7", "rank-2": "7", "rank-3": "2", "rank-4": "3"}, ["unknown-field"]),
        ({"rank-2": "7", "rank-3": "7", "rank-4": "7"}, []),
    ],
)
def test_rule_13_cards_drawn_are_checked(ranks, codes):
    assert ended(30, 1, 1, 1).codes((SHEET, "draw-1"), **ranks) == codes


def test_rule_13_there_are_four_cards_of_a_rank():
    four = {f"rank-{seat}": "7" for seat in range(2, 6)}
    kept = ended(30, 1, 1, 1, 1, 1)
    assert kept.codes((SHEET, "draw-1"), **four, **{"rank-6": "8"}) == []
    assert kept.codes((SHEET, "draw-1"), **four, **{"rank-6": "7"}) == ["impossible-draw"]


def test_tie_at_both_ends_waits_for_both_and_either_may_come_first():
    kept = ended(30, 30, 1, 1)
    assert waiting(kept) == [("tie-break", (1, 2), 5), ("draw", (3, 4), None)]
    kept.draw(s3="5", s4="6")
    assert (kept.sheet.winner, kept.sheet.loser, kept.sheet.finished) == (None, 3, False)
    kept.blind_hand("5 0 0 5", "5 0 0 0")
    assert (kept.sheet.winner, kept.sheet.loser, kept.sheet.finished) == (2, 3, True)


def test_rule_13_whole_table_level_plays_the_blind_hand_first_and_its_winner_need_not_draw():
    kept = ended(7, 7, 7, 7)
    assert waiting(kept) == [("tie-break", (1, 2, 3, 4), 5)]
    assert kept.codes((SHEET, "draw-1")) == ["out-of-turn"]
    kept.blind_hand("0 0 0 1", "2 2 1 0")  # seats 2: −2, 3: −2, 4: −1, 1: −1
    assert waiting(kept) == [("tie-break", (1, 4), 5)]
    kept.blind_hand("0 0 5 1", "2 3 0 0")  # seats 3, 4: −3, 1: −5, 2
    assert kept.sheet.winner == 4
    assert waiting(kept) == [("draw", (1, 2, 3), None)]
    assert kept.draw(s1="9", s2="3", s3="J").sheet.loser == 2
    assert placings(kept) == [(1, 4, 7), (2, 1, 7), (3, 2, 7), (3, 3, 7)]


def test_two_players_level_need_no_draw():
    kept = ended(7, 7)
    assert waiting(kept) == [("tie-break", (1, 2), 5)]
    kept.blind_hand("0 0", "5 0")
    assert (kept.sheet.winner, kept.sheet.loser, kept.sheet.finished) == (1, 2, True)


def test_house_rule_blind_hand_counts_adds_its_points_to_the_totals_of_the_tied():
    kept = ended(20, 20, 19, 1, blind_hand_counts=True).blind_hand("5 0 1 0", "0 0 1 4")  # seats 2, 3, 4 and 1
    assert kept.sheet.settlement.ties[0].points == {2: -5, 3: 5, 4: 6, 1: -4}
    assert kept.sheet.settlement.ties[0].totals == {1: 16, 2: 15, 3: 19, 4: 1}
    assert kept.sheet.totals == {1: 16, 2: 15, 3: 19, 4: 1}
    assert (kept.sheet.winner, kept.sheet.loser) == (1, 4), "the best of the tied wins, whatever others have"
    assert placings(kept) == [(1, 1, 16), (2, 3, 19), (3, 2, 15), (4, 4, 1)]
    assert [(call.call, call.seats) for call in kept.sheet.callouts] == [("first-place-loser", (3,))]


def test_house_rule_blind_hand_counts_adds_every_blind_hand_to_those_who_were_tied_in_it():
    kept = ended(20, 20, 20, 1, blind_hand_counts=True)
    kept.blind_hand("1 0 0 3", "1 0 0 4")  # seats 2, 3, 4 and 1: 6, 5, 5 and −4
    assert kept.sheet.totals == {1: 16, 2: 26, 3: 25, 4: 1}
    assert kept.sheet.winner == 2


def test_house_rule_blind_hand_counts_is_off_unless_chosen_and_leaves_a_sheet_without_a_tie_alone():
    assert GAME.open_table((1, 2), 1, {"hands": 2}).house_rules["blind_hand_counts"] is False
    kept = ended(20, 20, 19, 1).blind_hand("5 0 1 0", "0 0 1 4")
    assert kept.sheet.totals == {1: 20, 2: 20, 3: 19, 4: 1}
    assert placings(ended(12, 30, -4, 12, blind_hand_counts=True)) == placings(ended(12, 30, -4, 12))


def test_house_rule_blind_hand_counts_with_a_blind_hand_at_the_bottom_keeps_its_loser():
    kept = ended(30, 1, 1, 3, blind_hand_counts=True, bottom_by_blind_hand=True)
    kept.blind_hand("0 5 0 5", "0 0 0 5")  # seats 2, 3, 4 and 1: 5, −5, 5 and 10
    assert kept.sheet.totals == {1: 30, 2: 6, 3: -4, 4: 3}
    assert (kept.sheet.winner, kept.sheet.loser) == (1, 3)


def test_house_rule_blind_hand_counts_judges_the_bottom_by_the_totals_before_it():
    kept = ended(7, 7, 7, blind_hand_counts=True).blind_hand("1 0 0", "5 0 0")  # seats 2, 3 and 1
    assert kept.sheet.totals == {1: 12, 2: 2, 3: 12}


def test_house_rule_bottom_by_blind_hand_plays_instead_of_drawing():
    kept = ended(30, 1, 1, 1, bottom_by_blind_hand=True)
    assert waiting(kept) == [("tie-break", (2, 3, 4), 5)]
    assert kept.sheet.winner == 1
    kept.blind_hand("0 3 3 0", "5 0 0 0")  # seat 2: −5, seats 3 and 4: −3
    assert (kept.sheet.loser, kept.sheet.finished) == (2, True)


def test_house_rule_bottom_by_blind_hand_settles_both_ends_with_one_hand():
    kept = ended(30, 30, 1, 1, bottom_by_blind_hand=True)
    assert waiting(kept) == [("tie-break", (1, 2), 5), ("tie-break", (3, 4), 5)]
    kept.blind_hand("0 0 1 0", "2 3 0 0")  # seats 2: −2, 3: −3, 4: −1, 1: +5
    assert (kept.sheet.winner, kept.sheet.loser, kept.sheet.finished) == (1, 3, True)
    assert kept.sheet.settlement.tied == ((1, 2, 3, 4),)
    assert placings(kept) == [(1, 1, 30), (2, 2, 30), (3, 3, 1), (3, 4, 1)]


def test_house_rule_bottom_by_blind_hand_goes_on_while_the_lowest_are_level():
    kept = ended(30, 1, 1, 1, bottom_by_blind_hand=True).blind_hand("4 4 0 0", "0 0 5 0")
    assert kept.sheet.loser == 4
    kept = ended(30, 1, 1, 1, bottom_by_blind_hand=True).blind_hand("4 4 0 0", "0 0 0 5")
    assert waiting(kept) == [("tie-break", (2, 3), 5)]


def test_house_rule_bottom_by_blind_hand_waits_for_the_lead_where_all_are_level():
    kept = ended(7, 7, 7, bottom_by_blind_hand=True)
    assert waiting(kept) == [("tie-break", (1, 2, 3), 5)]
    kept.blind_hand("0 0 0", "2 3 0")  # seats 2: −2, 3: −3, 1: +5
    assert kept.sheet.winner == 1
    assert waiting(kept) == [("tie-break", (2, 3), 5)]


def level_with_one_who_left(**house_rules) -> Kept:
    """Seats 1, 2 and 4 are level at the bottom; 4 went home; 3 wins."""
    kept = Kept(4, {"hands": 5}, **house_rules).carry(4, 4, 30, 9, hands=4, last_dealer=3)
    return kept.happens("leave", seat=4).hand("0 0 0", "0 1 0")


def test_house_rule_bottom_by_blind_hand_cannot_ask_who_went_home_to_play():
    kept = level_with_one_who_left(bottom_by_blind_hand=True)
    assert kept.sheet.totals == {1: 9, 2: 9, 3: 29}
    assert waiting(kept) == [("draw", (1, 2, 4), None)]


def test_bottom_that_began_with_a_draw_ends_with_draws():
    kept = level_with_one_who_left(bottom_by_blind_hand=True).draw(s1="5", s2="5", s4="K")
    assert waiting(kept) == [("draw", (1, 2), None)]
    assert [ask.name for ask in kept.sheet.settlement.asks] == ["draw-2"]
    assert kept.draw(s1="5", s2="6").sheet.loser == 1


def test_whatever_the_sheet_waits_for_at_the_end_it_also_asks_for():
    for kept in (ended(7, 7, 7), ended(30, 30, 1, 1), ended(30, 1, 1), level_with_one_who_left()):
        assert len(kept.sheet.waiting) == len(kept.sheet.settlement.asks)
