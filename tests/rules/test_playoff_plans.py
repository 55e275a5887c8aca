"""A play-off is proposed, and what cannot be played is refused (Rule 14)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import all_games, find_game
from rules.core.files.play_off_file import score_play_off
from rules.core.files.sheet_file import Refused
from rules.core.playoffs.cut import sizes_of_groups
from rules.core.playoffs.plan import (
    PlayOffPlan,
    alternatives,
    hands_for,
    length_sentence,
    makes_sense,
    next_places,
    problems_of_plan,
    propose,
)

DOG = find_game("dirty-dog")
NO_PLAY_OFF = [game for game in all_games() if not game.play_off.possible]
NO_LOSERS_TABLE = [game for game in all_games() if game != DOG and game.play_off.possible]


def told(plan, game=DOG):
    return [(problem.code, problem.blocking) for problem in problems_of_plan(game, plan)]


def plan(sizes, places, losers_count=None, hands=12, final_hands=12):
    return PlayOffPlan(tuple(sizes), places, losers_count, hands, final_hands)


@pytest.mark.parametrize(
    ("players", "sizes", "places", "losers_count", "winners", "losers", "out"),
    [
        (11, (6, 5), 3, None, (6,), (5,), 0),
        (12, (6, 6), 3, None, (6,), (6,), 0),
        (13, (7, 6), 3, None, (6,), (7,), 0),
        (20, (10, 10), 5, None, (10,), (10,), 0),
        (21, (7, 7, 7), 3, 3, (9,), (9,), 3),
        (24, (8, 8, 8), 3, 3, (9,), (9,), 6),
        (40, (10,) * 4, 2, 2, (8,), (8,), 24),
        (200, (10,) * 20, 1, 1, (10, 10), (10, 10), 160),
    ],
)
def test_rule_14_play_off_that_is_proposed(players, sizes, places, losers_count, winners, losers, out):
    found = propose(DOG, players)
    assert (found.sizes, found.places, found.losers_count) == (sizes, places, losers_count)
    assert (found.winners, found.losers, found.out) == (winners, losers, out)


def test_rule_14_another_round_is_the_alternative_to_those_who_are_done():
    other = alternatives(propose(DOG, 24), DOG)[0]
    assert (other.places, other.losers_count, other.winners, other.losers, other.out) == (4, None, (6, 6), (6, 6), 0)


@pytest.mark.parametrize(
    ("players", "others"),
    [
        (8, [((4, 4), 2, 0)]),
        (10, [((5, 5), 2, 2), ((5, 5), 2, 0)]),
        (13, [((5, 4, 4), 2, None), ((7, 6), 3, 0)]),
        (24, [((8, 8, 8), 4, None), ((6, 6, 6, 6), 2, 2), ((8, 8, 8), 3, 0)]),
    ],
)
def test_rule_14_what_somebody_might_prefer(players, others):
    """Everybody plays on, the bottom alone, smaller groups, no losers' table: where it is something else."""
    found = alternatives(propose(DOG, players), DOG)
    assert [(other.sizes, other.places, other.losers_count) for other in found] == others


def test_other_games_leave_nothing_to_prefer():
    dingo = find_game("dingo")
    assert [alternatives(propose(dingo, players), dingo) for players in (8, 16)] == [(), ()]


def test_hands_of_the_finals_suit_the_finals_that_another_round_leads_to():
    other = alternatives(propose(DOG, 48), DOG)[0]
    assert (other.winners, other.losers) == ((9, 8, 8), (8, 8, 7)), "nine play each final in the end"
    assert other.final_hands == 9


def test_rule_14_groups_may_be_as_many_as_are_wished():
    assert propose(DOG, 13, 3).sizes == (5, 4, 4)
    assert propose(DOG, 6, 2).sizes == (3, 3), "who wants them may have small ones"
    assert propose(DOG, 6) is None
    assert propose(DOG, 13, 14) is None
    assert propose(DOG, 13, 0) is None
    assert propose(DOG, 13, 1) is None, "13 are no group of a size that is proposed"


@given(st.integers(8, 400))
def test_rule_14_what_is_proposed_can_be_played_and_everybody_is_somewhere(players):
    found = propose(DOG, players)
    assert not [problem for problem in problems_of_plan(DOG, found) if problem.code != "another-round"]
    assert sum(found.sizes) == players
    assert sum(found.winners) + sum(found.losers) + found.out == players
    assert all(4 <= size <= 10 for size in (*found.sizes, *found.winners, *found.losers))
    if players > 10:
        assert found.sizes == sizes_of_groups(players), "the fewest groups"
    if players <= 20:
        assert not found.out, "everybody plays on"
    if players <= 100:
        assert len(found.winners) == len(found.losers) == 1


@given(st.integers(8, 120))
def test_other_plans_can_be_played_and_are_others(players):
    found = propose(DOG, players)
    others = alternatives(found, DOG)
    assert len({found, *others}) == len(others) + 1
    for other in others:
        assert other.players == players
        assert not any(problem.blocking for problem in problems_of_plan(DOG, other))


def test_of_groups_that_cannot_be_no_other_numbers_are_offered():
    assert [other.sizes for other in alternatives(plan((12, 1), 1), DOG)] == [(5, 4, 4)]


@pytest.mark.parametrize("players", range(8))
def test_rule_14_too_few_for_two_tables_play_no_play_off(players):
    assert not makes_sense(DOG, players)


# How many hands


@pytest.mark.parametrize(
    ("sizes", "hands"), [((6, 5), 12), ((7, 6), 12), ((7, 7, 7), 14), ((8, 8, 8), 8), ((9,), 9), ((8, 7, 7), 14)]
)
def test_rule_14_same_number_of_hands_is_near_a_dozen_and_even_at_most_tables(sizes, hands):
    assert hands_for(sizes) == hands


@pytest.mark.parametrize(("players", "hands"), [(14, 14), (18, 9), (21, 14), (22, 14), (23, 9), (24, 8), (30, 10)])
def test_rule_14_groups_and_finals_are_proposed_with_the_same_number_of_hands(players, hands):
    plan = propose(DOG, players)
    assert (plan.hands, plan.final_hands) == (hands, hands)


def test_rule_14_no_proposal_and_no_alternative_has_other_hands_at_its_finals():
    for players in range(11, 101):
        plan = propose(DOG, players)
        for other in (plan, *alternatives(plan, DOG)):
            assert other.hands == other.final_hands, (players, other)


@given(st.lists(st.integers(4, 10), min_size=1, max_size=6))
def test_no_other_number_near_a_dozen_is_even_at_more_tables(sizes):
    even = {hands: sum(hands % size == 0 for size in sizes) for hands in range(8, 17)}
    assert even[hands_for(sizes)] == max(even.values())


def test_rule_4_is_said_not_to_hold_where_it_cannot():
    assert "Rule 4" in length_sentence(DOG, 7, 12)
    assert length_sentence(DOG, 7, 14) == "7 players: up to 7 cards and down again, two hands of 7."
    assert length_sentence(DOG, 6, 14).startswith("6 players: up to 7 cards and down again, two hands of 7. 14 hands")
    assert length_sentence(DOG, 6, 11).startswith("6 players: up to 6 cards and down again. 11 hands")
    assert length_sentence(DOG, 2, 2) == "2 players: one card each time."


@pytest.mark.parametrize(("size", "hands"), [(1, 12), (26, 12), (6, 0), (6, -1), (6, 10**9)])
def test_nothing_is_said_of_what_cannot_be_played(size, hands):
    assert length_sentence(DOG, size, hands) == ""


@pytest.mark.parametrize("game", NO_LOSERS_TABLE)
def test_game_without_hands_of_its_own_choice_has_nothing_to_say_of_them(game):
    assert length_sentence(game, game.made_for[0], 12) == ""


# Refused, and said


def test_rule_14_final_of_one_is_refused_with_a_suggestion():
    found = [problem for problem in problems_of_plan(DOG, plan((6, 5), 5)) if problem.blocking]
    assert [problem.code for problem in found] == ["bad-places"]
    assert "let three of each group go through" in found[0].message
    assert told(plan((6,), 1)) == [("bad-places", True)]
    (alone,) = [problem for problem in problems_of_plan(DOG, plan((3,), 1)) if problem.blocking]
    assert alone.params == {"places": 3}, "two of three would leave one alone"
    (alone,) = [problem for problem in problems_of_plan(DOG, plan((3,), 2)) if problem.blocking]
    assert alone.params == {"places": 3}, "one of three would be alone"
    (alone,) = [problem for problem in problems_of_plan(DOG, plan((4,), 1, 3)) if problem.blocking]
    assert alone.message == "One player alone cannot play the winners’ final.", "nothing better can be suggested"


def test_rule_14_in_every_group_somebody_sits_and_no_more_go_through_than_sit_there():
    assert next(problems_of_plan(DOG, plan((7, 0), 1))).message == "In every group somebody must sit."
    assert told(plan((), 1)) == [("bad-players", True)]
    said = [problem.message for problem in problems_of_plan(DOG, plan((7, 1), 2)) if problem.blocking]
    assert said[-1] == "One of each group can go through."


def test_rule_14_eleven_are_too_many_for_a_final():
    assert ("another-round", False) in told(plan((7, 6), 1))
    assert ("another-round", False) not in told(plan((7, 5), 1))


@given(st.lists(st.integers(2, 10), min_size=1, max_size=4), st.integers(1, 10), st.none() | st.integers(0, 5))
def test_suggestion_leaves_nobody_alone(sizes, places, losers_count):
    wanted = plan(sizes, places, losers_count)
    for problem in problems_of_plan(DOG, wanted):
        if problem.code == "bad-places" and problem.params.get("places"):
            better = replace(wanted, places=problem.params["places"])
            assert not any(other.blocking for other in problems_of_plan(DOG, better))


@pytest.mark.parametrize(
    ("sizes", "places", "says"),
    [
        ((5, 5), 1, ("places", "A winners’ final of two is a short one.")),
        ((5, 5, 5), 1, ("places", "A winners’ final of three is a short one.")),
        ((6, 6), 5, ("losers_count", "A losers’ final of two is a short one.")),
        ((4, 4), 2, None),
    ],
)
def test_rule_14_final_of_two_or_three_is_warned(sizes, places, says):
    said = [problem for problem in problems_of_plan(DOG, plan(sizes, places)) if problem.code == "few-players"]
    assert [(problem.field, problem.message) for problem in said] == ([says] if says else [])
    assert not any(problem.blocking for problem in said)


def test_rule_14_number_that_cannot_be_is_refused_with_those_that_can():
    (wrong,) = problems_of_plan(DOG, plan((5, 5), 6))
    assert (wrong.field, wrong.message) == ("places", "From 1 to 5 of each group can go through.")
    (wrong,) = problems_of_plan(DOG, plan((7, 5), 3, 3))
    assert wrong.message == "The smallest group is of five: at most two can be left for the bottom."
    assert told(plan((7, 5), 3, 2)) == []
    assert next(problems_of_plan(DOG, plan((26, 5), 3))).field == "sizes"
    (wrong,) = problems_of_plan(find_game("dingo"), plan((4, 4), 1, 0, 0, 0))
    assert wrong.message == "A final of Dingo is for 4 players, and these would be 2."


def test_play_off_as_long_as_the_game_is_needs_no_number_of_hands():
    assert told(plan((6, 6), 3, None, 0, 0)) == []


def test_rule_14_final_of_eleven_or_more_is_another_round():
    found = next(problems_of_plan(DOG, plan((8, 8, 8), 4)))
    assert (found.code, found.blocking) == ("another-round", False)
    assert "6 and 6" in found.message


def test_rule_14_no_losers_table_is_said():
    assert told(plan((5, 5), 5)) == [("no-losers-table", False)]
    assert told(plan((5, 5), 3, 0)) == [("no-losers-table", False)]


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (plan((), 1), "bad-players"), (plan((5, 0), 1), "bad-players"), (plan((5, -5), 1), "bad-players"),
        (plan((26, 5), 3), "bad-players"), (plan((5, 1), 1), "bad-players"), (plan((5, 5), 0), "bad-places"),
        (plan((5, 5), 6), "bad-places"), (plan((7, 5), 3, 3), "bad-house-rule"),
        (plan((5, 5), 3, -1), "bad-house-rule"),
        (plan((5, 5), 3, hands=-1), "bad-plan"), (plan((5, 5), 3, final_hands=1001), "bad-plan"),
    ],
)  # fmt: skip
def test_plan_that_cannot_be_played_is_refused(wrong, code):
    assert (code, True) in told(wrong)


def test_sizes_by_hand_are_taken_and_warned_about():
    assert told(plan((12, 4), 3)) == [("many-players", False)]
    assert told(plan((9, 4), 3)) == []


@given(
    st.lists(st.integers(-2, 30), max_size=5), st.integers(-2, 12), st.none() | st.integers(-2, 12),
    st.integers(-2, 2000), st.integers(-2, 2000), st.sampled_from(all_games()),
)  # fmt: skip
def test_any_plan_is_judged(sizes, places, losers_count, hands, final_hands, game):
    wanted = PlayOffPlan(tuple(sizes), places, losers_count, hands, final_hands)
    found = list(problems_of_plan(game, wanted))
    if not any(problem.blocking for problem in found):
        assert sum(wanted.winners) + sum(wanted.losers) + wanted.out == wanted.players
        assert 1 not in (*wanted.winners, *wanted.losers)
        alternatives(wanted, game)


# Another round


@given(st.integers(11, 100))
def test_another_round_ends_in_a_final(players):
    sizes = sizes_of_groups(players)
    people = next_places(sizes) * len(sizes)
    assert 2 <= people <= 10 or len(sizes) > 10
    assert people < players


# The other games


@pytest.mark.parametrize("game", NO_LOSERS_TABLE, ids=lambda game: game.slug)
@given(players=st.integers(0, 40))
def test_other_games_play_one_round_of_groups_and_one_final_of_their_own_sizes(game, players):
    found = propose(game, players)
    assert makes_sense(game, players) == (found is not None)
    if found:
        assert all(size in game.made_for for size in (*found.sizes, *found.winners))
        assert (len(found.winners), found.losers, sum(found.sizes)) == (1, (), players)
        assert not any(problem.blocking for problem in problems_of_plan(game, found))
        assert (found.hands, found.final_hands) == (0, 0)


def test_other_games_have_a_play_off_where_it_makes_sense():
    assert all(any(makes_sense(game, players) for players in range(41)) for game in NO_LOSERS_TABLE)
    assert propose(find_game("dingo"), 12) is None


@pytest.mark.parametrize("game", NO_PLAY_OFF, ids=lambda game: game.slug)
def test_game_in_which_the_lowest_may_win_has_no_play_off_whoever_comes(game):
    assert [players for players in range(41) if makes_sense(game, players)] == []
    groups = [{"scores": {"Ann": 1, "Bo": 2}}, {"scores": {"Cy": 1, "Di": 2}}]
    with pytest.raises(Refused) as refused:
        score_play_off({"format": "play-off/1", "game": game.slug, "places": 1, "groups": groups})
    assert [problem.code for problem, _ in refused.value.problems] == ["bad-document"]
    assert game.name in refused.value.problems[0][0].message


def test_other_games_have_no_losers_table_and_no_other_final():
    dingo = find_game("dingo")
    assert told(plan((4, 4), 2, None, 0, 0), dingo) == [("bad-house-rule", True)]
    assert told(plan((4, 4), 1, 0, 0, 0), dingo) == [("bad-places", True)]
    assert told(plan((4, 4), 2, 0, 0, 0), dingo) == []
