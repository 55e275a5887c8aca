"""Laws of ratings that hold for any games: no database."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.ratings.games import RatedGame, steps_of
from clubs.ratings.skill import DECIMALS, EXPLAINED, LEAST_GAMES, START, Skill, after_game

#: Who plays: ids of people.
PEOPLE = range(1, 7)
NOON = datetime.datetime(2026, 3, 1, 12, tzinfo=datetime.UTC)


def stored(least: float, most: float) -> st.SearchStrategy[float]:
    """Numbers as they are stored, and as a game begins with them."""
    return st.floats(least, most).map(lambda number: round(number, DECIMALS))


SKILLS = st.builds(Skill, stored(-20, 70), stored(0.5, 8.3), st.integers(0, 500))
#: The rank of each person at a table; equal ranks are ties.
RANKS = st.dictionaries(st.sampled_from(PEOPLE), st.integers(1, 5), min_size=2, max_size=6)


def game(number: int, ranks: dict[int, int]) -> RatedGame:
    ended = NOON + datetime.timedelta(minutes=number)
    return RatedGame(
        ranks, dict.fromkeys(ranks, number), game="dingo", on=NOON.date(), night=1, ended=ended, table=number
    )


def course(games: list[dict[int, int]], before: dict[int, Skill] | None = None) -> dict[int, Skill]:
    """The skill of everybody behind these games."""
    skills = {("dingo", person): skill for person, skill in (before or {}).items()}
    last = {step.person: step.after for step in steps_of([game(n, ranks) for n, ranks in enumerate(games)], skills)}
    return (before or {}) | last


@given(SKILLS, SKILLS)
def test_who_wins_between_two_never_loses_rating_and_who_loses_never_gains(winner: Skill, loser: Skill) -> None:
    after = after_game({1: winner, 2: loser}, {1: 1, 2: 2})
    assert after[1].mean >= winner.mean
    assert after[2].mean <= loser.mean
    assert after[1].number >= winner.number
    assert after[2].number <= loser.number


def test_first_win_moves_both_by_as_much_and_is_seen() -> None:
    after = after_game({}, {1: 1, 2: 2})
    assert after[1].number - START == START - after[2].number == 53
    assert after[1].games == 1


@given(st.dictionaries(st.sampled_from(PEOPLE), SKILLS), RANKS, st.randoms(use_true_random=False))
def test_seats_at_the_table_do_not_matter(before: dict[int, Skill], ranks: dict[int, int], dice: object) -> None:
    seats = list(ranks)
    dice.shuffle(seats)  # type: ignore[attr-defined]
    moved = after_game(before, {person: ranks[person] for person in seats})
    assert moved == after_game(before, ranks)


@given(RANKS, RANKS)
def test_order_of_two_tables_of_different_people_does_not_matter(ranks: dict[int, int], other: dict[int, int]) -> None:
    elsewhere = {person + 100: rank for person, rank in other.items()}
    assert course([ranks, elsewhere]) == course([elsewhere, ranks])


def test_order_of_two_tables_of_the_same_people_matters() -> None:
    assert course([{1: 1, 2: 2}, {1: 2, 2: 1}]) != course([{1: 2, 2: 1}, {1: 1, 2: 2}])


@given(st.dictionaries(st.sampled_from(PEOPLE), SKILLS), RANKS)
def test_uncertainty_shrinks_and_never_grows(before: dict[int, Skill], ranks: dict[int, int]) -> None:
    for person, skill in after_game(before, ranks).items():
        assert skill.deviation <= round(before.get(person, Skill()).deviation, 6)
    newcomers = after_game({}, ranks)
    assert all(skill.deviation < Skill().deviation for skill in newcomers.values())


@given(st.dictionaries(st.sampled_from(PEOPLE), SKILLS), RANKS, st.integers(1, 50))
def test_only_the_order_of_the_places_counts(before: dict[int, Skill], ranks: dict[int, int], more: int) -> None:
    """Strangers at the table leave gaps between the places of members."""
    assert after_game(before, {person: rank * 3 + more for person, rank in ranks.items()}) == after_game(before, ranks)


@given(RANKS)
def test_people_alike_who_share_a_place_stay_alike(ranks: dict[int, int]) -> None:
    after = after_game({}, ranks)
    by_rank: dict[int, set[int]] = {}
    for person, skill in after.items():
        by_rank.setdefault(ranks[person], set()).add(skill.number)
    assert all(len(numbers) == 1 for numbers in by_rank.values())


@given(st.integers(2, 10))
def test_newcomers_are_rated_in_the_order_of_their_places(players: int) -> None:
    after = after_game({}, {person: person for person in range(players)})
    order = [after[person].number for person in range(players)]
    assert order == sorted(order, reverse=True)
    assert order[0] > START > order[-1]


@given(st.lists(RANKS, min_size=2, max_size=8), st.data())
def test_going_on_from_the_middle_comes_to_the_same(games: list[dict[int, int]], data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(games) - 1))
    assert course(games[at:], course(games[:at])) == course(games)


@pytest.mark.parametrize("ranks", [{}, {1: 1}])
def test_table_with_nobody_to_beat_moves_nothing(ranks: dict[int, int]) -> None:
    assert after_game({}, ranks) == {}


def test_who_has_played_few_games_is_new() -> None:
    assert [Skill(games=games).is_new for games in (0, LEAST_GAMES - 1, LEAST_GAMES)] == [True, True, False]
    assert (Skill().number, Skill().uncertainty) == (1000, 333)


def test_three_sentences_explain_it() -> None:
    assert len(EXPLAINED) == 3
    assert all(sentence.count(".") == 1 and sentence.endswith(".") for sentence in EXPLAINED)
