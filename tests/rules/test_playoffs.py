"""Who goes on from a group of a play-off, and who takes the trophies (Rule 14)."""

import pytest

from rules.core.outcome import Cut, Tie
from rules.core.playoffs.cut import Final, cut, outcome, sizes_of_groups

ANN, BO, CY, DI, ED, FLO, GUS, HAL = range(1, 9)


# Groups


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (0, ()), (1, (1,)), (10, (10,)), (11, (6, 5)), (12, (6, 6)), (13, (7, 6)), (20, (10, 10)), (21, (7, 7, 7)),
        (22, (8, 7, 7)), (40, (10,) * 4), (41, (9, 8, 8, 8, 8)), (200, (10,) * 20),
    ],
)  # fmt: skip
def test_rule_14_groups_are_the_fewest_of_at_most_ten_as_even_as_possible(players, sizes):
    assert sizes_of_groups(players) == sizes


def test_rule_14_there_may_be_more_groups_or_larger_ones_by_hand():
    assert sizes_of_groups(13, 3) == (5, 4, 4)
    assert sizes_of_groups(13, 1) == (13,)
    assert sizes_of_groups(13, most=13) == (13,)


@pytest.mark.parametrize(("players", "groups"), [(3, 4), (3, 0), (3, -1), (0, 1)])
def test_group_in_which_nobody_sits_is_none(players, groups):
    with pytest.raises(ValueError, match="cannot make"):
        sizes_of_groups(players, groups)


# The cut


def test_rule_14_top_places_go_to_the_winners_table_and_all_others_to_the_losers_table():
    found = cut({ANN: 4, BO: -2, CY: 19, DI: 7}, 2, None)
    assert found == Cut(through=(CY, DI), below=(ANN, BO), out=(), ties=())
    assert found.is_settled


def test_rule_14_with_a_count_of_losers_only_the_bottom_goes_there_and_the_middle_is_out():
    found = cut({ANN: 4, BO: -2, CY: 19, DI: 7, ED: 5}, 2, 1)
    assert found == Cut(through=(CY, DI), below=(BO,), out=(ED, ANN), ties=())


def test_rule_14_ties_wholly_inside_or_outside_need_nothing():
    assert cut({ANN: 9, BO: 9, CY: 1, DI: 1}, 2, None).is_settled
    assert cut({ANN: 9, BO: 4, CY: 4, DI: 1}, 1, 1).is_settled


def test_rule_14_everybody_through_leaves_nobody_for_a_losers_table():
    assert cut({ANN: 9, BO: 9}, 2, None) == Cut((ANN, BO), (), (), ())
    assert cut({ANN: 9, BO: 9}, 5, 3) == Cut((ANN, BO), (), (), ())


def test_rule_14_tie_across_the_cut_waits_for_a_blind_hand_among_the_tied():
    found = cut({ANN: 9, BO: 4, CY: 4, DI: 4, ED: 1}, 3, None)
    assert found == Cut(through=(ANN,), below=(ED,), out=(), ties=(Tie("through", (BO, CY, DI), 2),))


def test_rule_14_points_of_the_blind_hand_rank_the_tied_and_nobody_else():
    scores = {ANN: 9, BO: 4, CY: 4, DI: 3}
    # Ann took nothing in the blind hand and stays ahead; Di made the most and stays behind.
    assert cut(scores, 2, None, [{ANN: -5, BO: -2, CY: -1, DI: 10}]) == Cut((ANN, CY), (BO, DI), (), ())


def test_rule_14_still_tied_across_the_cut_is_another_blind_hand_for_those_alone():
    scores = dict.fromkeys((ANN, BO, CY, DI), 4)
    first = {ANN: 6, BO: 5, CY: 5, DI: -3}
    assert cut(scores, 2, None, [first]) == Cut((ANN,), (DI,), (), (Tie("through", (BO, CY), 1),))
    assert cut(scores, 2, None, [first, {ANN: -9, BO: 5, CY: 6, DI: 9}]) == Cut((ANN, CY), (BO, DI), (), ())


def test_rule_14_blind_hand_that_leaves_a_tie_on_one_side_is_enough():
    assert cut(dict.fromkeys((ANN, BO, CY), 4), 2, None, [{ANN: 6, BO: 6, CY: 5}]).is_settled


def test_rule_14_tie_across_the_line_of_the_bottom_is_settled_in_the_same_way():
    scores = {ANN: 9, BO: 4, CY: 4, DI: -1}
    assert cut(scores, 1, 2).ties == (Tie("below", (BO, CY), 1),)
    assert cut(scores, 1, 2, [{BO: -1, CY: 5}]) == Cut((ANN,), (BO, DI), (CY,), ())


def test_rule_14_who_is_tied_across_both_lines_may_go_either_way_or_nowhere():
    scores = dict.fromkeys((ANN, BO, CY), 4)
    assert cut(scores, 1, 1).ties == (Tie("through", (ANN, BO, CY), 1), Tie("below", (ANN, BO, CY), 1))
    assert cut(scores, 1, 1, [{ANN: 5, BO: 6, CY: -1}]) == Cut((BO,), (CY,), (ANN,), ())
    assert cut(scores, 1, 1, [{ANN: 5, BO: 6, CY: 5}]) == Cut((BO,), (), (), (Tie("below", (ANN, CY), 1),))


def test_rule_14_one_line_between_through_and_below_is_one_tie():
    assert cut(dict.fromkeys((ANN, BO, CY), 4), 1, 2).ties == (Tie("through", (ANN, BO, CY), 1),)


def test_rule_14_one_blind_hand_counts_for_two_ties_of_a_table():
    scores = {ANN: 9, BO: 9, CY: 4, DI: 4}
    assert cut(scores, 1, 1, [{ANN: 5, BO: 6, CY: -1, DI: -2}]) == Cut((BO,), (DI,), (ANN, CY), ())


def test_rule_14_high_card_may_be_drawn_by_one_tie_after_the_other():
    scores = {ANN: 9, BO: 9, CY: 4, DI: 4}
    assert cut(scores, 1, 1, [{CY: 3, DI: 12}]).ties == (Tie("through", (ANN, BO), 1),)
    assert cut(scores, 1, 1, [{CY: 3, DI: 12}, {ANN: 1, BO: 0}]) == Cut((ANN,), (CY,), (BO, DI), ())


def test_rule_14_what_is_said_about_others_than_the_tied_settles_nothing():
    scores = {ANN: 9, BO: 4, CY: 4, DI: 1}
    assert cut(scores, 2, None, [{}, {BO: 5}, {ANN: 1, DI: 0}]) == cut(scores, 2, None)


def test_rule_14_ruling_says_who_of_the_tied_goes_through():
    scores = dict.fromkeys((ANN, BO, CY), 4)
    assert cut(scores, 2, None, [{ANN: 1, BO: 0, CY: 1}]) == Cut((ANN, CY), (BO,), (), ())


@pytest.mark.parametrize(
    ("places", "below", "expected"),
    [
        (0, 2, Cut((), (CY, DI), (ANN, BO), ())),
        (2, 0, Cut((ANN, BO), (), (CY, DI), ())),
        (0, None, Cut((), (ANN, BO, CY, DI), (), ())),
        (3, 3, Cut((ANN, BO, CY), (DI,), (), ())),
    ],
)
def test_rule_14_another_round_sends_on_one_end_of_a_group_alone(places, below, expected):
    assert cut({ANN: 9, BO: 5, CY: 4, DI: 1}, places, below) == expected


def test_group_in_which_nobody_is_left_sends_nobody_on():
    assert cut({}, 3, None) == Cut((), (), (), ())


# The trophies


def final(totals, *lead, **more):
    top = tuple(player for player, total in totals.items() if total == max(totals.values()))
    return Final(totals, lead=lead or top, **more)


def trophies(found):
    return found.winner, found.loser


def test_rule_14_highest_of_the_winners_table_wins_and_lowest_of_the_losers_table_loses():
    found = outcome(final({ANN: 3, BO: 8}), final({CY: -9, DI: 20}))
    assert (trophies(found), found.crossed, found.draw) == ((BO, CY), False, ())


def test_rule_14_lowest_of_the_winners_table_strictly_below_the_losers_takes_the_trophy():
    found = outcome(final({ANN: -6, BO: 8}), final({CY: -5, DI: 20}))
    assert (trophies(found), found.crossed) == ((BO, ANN), True)


def test_rule_14_equal_stays_at_the_losers_table():
    found = outcome(final({ANN: -5, BO: 8}), final({CY: -5, DI: 20}))
    assert (trophies(found), found.crossed) == ((BO, CY), False)


def test_rule_14_without_a_losers_table_the_lowest_of_the_one_final_loses():
    found = outcome(final({ANN: -5, BO: 8, CY: 0}), None)
    assert (trophies(found), found.crossed) == ((BO, ANN), None)


def test_rule_14_tie_for_the_lead_leaves_the_winner_open_and_not_the_loser():
    found = outcome(final({ANN: 8, BO: 8, CY: -9}), final({DI: 2}))
    assert (trophies(found), found.crossed, found.runners_up) == ((None, CY), True, ())


def test_rule_14_equals_at_the_losers_table_draw_and_the_lowest_card_loses():
    winners, losers = final({ANN: 3, BO: 8}), final({CY: -9, DI: -9, ED: -9, FLO: 3})
    assert outcome(winners, losers).draw == (CY, DI, ED)
    assert outcome(winners, losers, [{CY: "T", DI: "9", ED: "A"}]).loser == DI


def test_rule_14_equal_lowest_cards_draw_again():
    winners, losers = final({ANN: 3, BO: 8}), final({CY: -9, DI: -9, ED: -9})
    first = {CY: "2", DI: "2", ED: "A"}
    assert outcome(winners, losers, [first]).draw == (CY, DI)
    assert outcome(winners, losers, [first, {CY: "J", DI: "Q"}]).loser == CY


def test_rule_14_candidates_of_the_winners_table_draw_there_and_nobody_of_the_other_table():
    found = outcome(final({ANN: -9, BO: 8, CY: -9}), final({DI: -8, ED: -8}))
    assert (found.crossed, found.draw) == (True, (ANN, CY))


def test_rule_14_winner_is_never_the_loser_when_all_at_their_table_are_equal():
    winners, losers = final({ANN: -1, BO: -1, CY: -1}, BO), final({DI: 2})
    assert outcome(winners, losers).draw == (ANN, CY)
    assert outcome(final({ANN: -1, BO: -1}, BO), losers).loser == ANN


def test_rule_14_all_equal_at_the_winners_table_waits_for_the_lead_first():
    found = outcome(final({ANN: -1, BO: -1}), final({DI: 2}))
    assert (trophies(found), found.crossed, found.draw) == ((None, None), True, ())


def test_rule_14_who_alone_is_the_winners_table_does_not_take_the_loser_trophy():
    found = outcome(final({ANN: -50}), final({DI: 2, ED: 4}))
    assert (trophies(found), found.crossed) == ((ANN, DI), False)
    assert trophies(outcome(final({ANN: -50}), None)) == (ANN, None)


def test_rule_14_who_leads_the_losers_table_may_still_be_its_lowest():
    winners = final({ANN: 3, BO: 8})
    assert outcome(winners, final({CY: -9, DI: -9}, CY)).draw == (CY, DI)
    assert outcome(winners, final({CY: -9}, CY)).loser == CY


def test_rule_10_who_went_home_below_everybody_of_their_final_is_its_candidate():
    home = final({CY: -3, DI: 4}, gone={ED: -7})
    assert trophies(outcome(final({ANN: 3, BO: 8}), home)) == (BO, ED)
    found = outcome(final({ANN: 3, BO: 8}, gone={FLO: -8}), home)
    assert (trophies(found), found.crossed) == ((BO, FLO), True)


def test_rule_10_who_went_home_above_the_lowest_changes_nothing():
    assert outcome(final({ANN: 3, BO: 8}), final({CY: -3, DI: 4}, gone={ED: -3})).draw == (CY, ED)
    assert outcome(final({ANN: 3, BO: 8}), final({CY: -3, DI: 4}, gone={ED: 30})).loser == CY


def test_draw_of_others_than_those_who_have_to_draw_counts_for_nothing():
    winners, losers = final({ANN: 3, BO: 8}), final({CY: -9, DI: -9, ED: 0})
    drawn_before_a_correction = [{CY: "2", DI: "3", ED: "4"}, {CY: "2"}, {}]
    assert outcome(winners, losers, drawn_before_a_correction).draw == (CY, DI)
    assert outcome(winners, losers, [*drawn_before_a_correction, {CY: "2", DI: "3"}]).loser == CY


def test_first_place_losers_are_second_at_the_winners_table():
    assert outcome(final({ANN: 3, BO: 8, CY: 3}), None).runners_up == (ANN, CY)


def test_first_place_loser_is_told_by_the_blind_hands_for_the_lead():
    # All three had 8: Bo won the blind hand, Cy was second in it.
    winners = final({ANN: 8, BO: 8, CY: 8}, BO, places={ANN: 3, BO: 1, CY: 2})
    assert outcome(winners, None).runners_up == (CY,)


def test_final_that_nobody_sits_at_is_no_accident():
    assert outcome(Final({}, lead=()), Final({}, lead=())).winner is None
