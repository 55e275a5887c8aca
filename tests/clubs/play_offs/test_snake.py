"""Groups are mixed by standing: the strongest are spread, pairs kept apart stay apart, and nobody is lost."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.nights.seating import sit_together
from clubs.tables.snake import snake
from rules.core.playoffs.cut import sizes_of_groups


@given(people=st.integers(2, 60), groups=st.integers(1, 8), seed=st.integers(0, 50), data=st.data())
def test_everybody_sits_in_one_group_of_the_right_size(
    people: int, groups: int, seed: int, data: st.DataObject
) -> None:
    sizes = sizes_of_groups(people, min(groups, people))
    pairs = st.tuples(st.integers(0, people - 1), st.integers(0, people - 1)).filter(lambda pair: pair[0] != pair[1])
    apart = {frozenset(pair) for pair in data.draw(st.lists(pairs, max_size=6))}
    found = snake(range(people), sizes, seed=seed, apart=apart)
    assert [len(group) for group in found] == list(sizes)
    assert sorted(person for group in found for person in group) == list(range(people))
    assert found == snake(range(people), sizes, seed=seed, apart=apart)


@pytest.mark.parametrize(("people", "groups"), [(12, 2), (13, 2), (24, 3), (27, 4), (40, 4)])
def test_of_those_who_are_about_as_strong_each_group_has_one(people: int, groups: int) -> None:
    found = snake(range(people), sizes_of_groups(people, groups), seed="x")
    for first in range(0, people - groups + 1, groups):
        alike = set(range(first, first + groups))
        assert all(len(alike & set(group)) == 1 for group in found)


def test_sums_of_the_standing_are_as_even_as_a_snake_makes_them() -> None:
    found = snake(range(1, 25), (8, 8, 8), seed="x")
    assert {sum(group) for group in found} == {100}


def test_pairs_kept_apart_change_places_with_who_is_as_strong() -> None:
    apart = {frozenset((0, 3)), frozenset((1, 2))}
    found = snake(range(12), (6, 6), seed="x", apart=apart)
    assert sit_together(found, apart) == []
    assert all(len({0, 1} & set(group)) == 1 for group in found)


def test_pairs_are_kept_apart_wherever_that_is_possible_at_all() -> None:
    # Three who are kept apart from each other need three groups, in whatever order they are.
    apart = {frozenset(pair) for trio in ((0, 5, 7), (1, 6, 8)) for pair in combinations(trio, 2)}
    for seed in range(10):
        assert sit_together(snake(range(9), (3, 3, 3), seed=seed, apart=apart), apart) == []


def test_a_chair_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="chair for everybody"):
        snake([1, 2, 3], (2,), seed="x")
