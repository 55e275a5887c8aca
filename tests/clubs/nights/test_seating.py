"""Tables are drawn: everybody has one chair, they are even, and who is kept apart sits apart."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clubs.nights.seating import fewest_tables, first_jack, pairs_of, seat, sit_together, sizes_of
from rules import all_games

GAMES = [game.made_for for game in all_games()]


def pairs_among(people: int, most: int = 12) -> st.SearchStrategy[list[frozenset[int]]]:
    """Some pairs of so many people."""
    return st.lists(st.sampled_from([frozenset(pair) for pair in combinations(range(people), 2)]), max_size=most)


@given(people=st.integers(0, 60), tables=st.lists(st.sampled_from(GAMES), min_size=1, max_size=8))
def test_sizes_are_legal_and_as_even_as_the_games_allow(people: int, tables: list[range]) -> None:
    sizes = sizes_of(people, tables)
    fewest, most = sum(right[0] for right in tables), sum(right[-1] for right in tables)
    assert 1 not in sizes
    # Who would sit alone sits nowhere.
    assert min(people, most) - sum(sizes) in ((0,) if people >= fewest else (0, 1))
    if people < fewest:
        return
    assert all(size in right for size, right in zip(sizes, tables, strict=True))
    for (one, right), (other, room) in product(zip(sizes, tables, strict=True), repeat=2):
        # Nobody could change from a table to one that is smaller by two and has room.
        assert one - other < 2 or other == room[-1] or one == right[0]


@given(people=st.integers(1, 60))
@pytest.mark.parametrize("right", GAMES)
def test_fewest_tables_are_the_fewest(right: range, people: int) -> None:
    tables = fewest_tables(people, right)
    assert tables * right[0] <= people
    if tables:
        assert all(size in right for size in sizes_of(people, [right] * tables))
    seated = min(people, tables * right[-1])
    assert seated == people or people - seated < right[0] or len(right) == 1
    assert tables < 2 or (tables - 1) * right[-1] < people


@given(data=st.data(), people=st.integers(2, 40), tables=st.integers(1, 6), seed=st.integers())
def test_nobody_is_lost_or_doubled_and_the_sizes_are_kept(
    data: st.DataObject, people: int, tables: int, seed: int
) -> None:
    sizes = sizes_of(people, [range(1, 41)] * tables)
    apart, met = data.draw(pairs_among(people)), dict.fromkeys(data.draw(pairs_among(people, 30)), 2)
    drawn = seat(range(people), sizes, seed=seed, apart=apart, met=met)
    assert [len(table) for table in drawn] == sizes
    assert sorted(person for table in drawn for person in table) == list(range(people))


@given(data=st.data(), people=st.integers(2, 20), seed=st.integers())
def test_same_seed_draws_the_same_tables_in_whatever_order_people_came(
    data: st.DataObject, people: int, seed: int
) -> None:
    sizes = sizes_of(people, [range(2, 11)] * 2)
    apart = data.draw(pairs_among(people))
    shuffled = data.draw(st.permutations(range(people)))
    assume(sum(sizes) == people)
    drawn = seat(range(people), sizes, seed=seed, apart=apart)
    assert drawn == seat(shuffled, sizes, seed=seed, apart=apart[::-1])


def every_seating(people: int, sizes: list[int]) -> list[list[set[int]]]:
    """All ways to seat so few people."""
    found = []
    for at in product(range(len(sizes)), repeat=people):
        if all(at.count(table) == size for table, size in enumerate(sizes)):
            found.append([{person for person in range(people) if at[person] == table} for table in range(len(sizes))])
    return found


@given(data=st.data(), people=st.integers(4, 7), seed=st.integers(0, 99))
def test_who_is_kept_apart_sits_apart_whenever_that_is_possible(data: st.DataObject, people: int, seed: int) -> None:
    sizes = sizes_of(people, [range(1, 8)] * data.draw(st.integers(2, 3)))
    apart = set(data.draw(pairs_among(people)))
    drawn = seat(range(people), sizes, seed=seed, apart=apart)
    fewest = min(len(sit_together(tables, apart)) for tables in every_seating(people, sizes))
    assert len(sit_together([set(table) for table in drawn], apart)) == fewest


@given(data=st.data(), people=st.integers(4, 7), seed=st.integers(0, 99))
def test_last_times_tables_are_avoided_as_far_as_they_can_be(data: st.DataObject, people: int, seed: int) -> None:
    sizes = sizes_of(people, [range(1, 8)] * 2)
    apart, last = set(data.draw(pairs_among(people, 3))), data.draw(st.permutations(range(people)))
    met = dict.fromkeys(pairs_of([last[: sizes[0]], last[sizes[0] :]]), 1)

    def cost(tables: list[set[int]]) -> tuple[int, int]:
        return len(sit_together(tables, apart)), sum(pair in met for pair in pairs_of(tables))

    drawn = [set(table) for table in seat(range(people), sizes, seed=seed, apart=apart, met=met)]
    assert cost(drawn) == min(cost(tables) for tables in every_seating(people, sizes))


@given(data=st.data(), people=st.integers(4, 24), seed=st.integers())
def test_a_seating_that_was_hidden_in_many_quarrels_is_found(data: st.DataObject, people: int, seed: int) -> None:
    sizes = sizes_of(people, [range(2, 9)] * 3)
    hidden = data.draw(st.permutations(range(people)))
    first, second = sizes[0], sizes[0] + sizes[1]
    tables = [set(hidden[:first]), set(hidden[first:second]), set(hidden[second:])]
    strangers = [pair for pair in map(frozenset, combinations(range(people), 2)) if not any(pair <= t for t in tables)]
    apart = data.draw(st.lists(st.sampled_from(strangers), max_size=20))
    drawn = seat(range(people), sizes, seed=seed, apart=apart)
    assert sit_together([set(table) for table in drawn], apart) == []


@given(data=st.data(), people=st.integers(4, 20), seed=st.integers())
def test_who_may_sit_at_some_tables_only_sits_there(data: st.DataObject, people: int, seed: int) -> None:
    sizes = sizes_of(people, [range(2, 11)] * 2)
    late = data.draw(st.sets(st.integers(0, people - 1), max_size=sizes[1]))
    drawn = seat(
        range(people), sizes, seed=seed, only={person: [1] for person in late}, apart=data.draw(pairs_among(people))
    )
    assert late <= set(drawn[1])


def test_where_they_may_sit_there_must_be_room() -> None:
    with pytest.raises(ValueError, match="no room"):
        seat(range(4), [2, 2], seed=1, only={person: [0] for person in range(3)})
    with pytest.raises(ValueError, match="chair for everybody"):
        seat(range(4), [2, 1], seed=1)


def test_pair_that_is_kept_apart_weighs_more_than_everybody_who_met() -> None:
    met = {frozenset(pair): 1000 for pair in ((1, 3), (1, 4), (2, 3), (2, 4))}
    for seed in range(10):
        drawn = seat([1, 2, 3, 4], [2, 2], seed=seed, apart=[frozenset((1, 2))], met=met)
        assert sit_together(drawn, [frozenset((1, 2))]) == []


def test_table_of_last_time_does_not_meet_again() -> None:
    last = [list(range(10)), list(range(10, 20))]
    drawn = seat(range(20), [10, 10], seed="a", met=dict.fromkeys(pairs_of(last), 3))
    assert sorted(len(set(drawn[0]) & set(table)) for table in last) == [5, 5]


def test_two_hundred_in_twenty_groups_are_drawn_at_once() -> None:
    last = seat(range(200), [10] * 20, seed=1)
    drawn = seat(range(200), [10] * 20, seed=2, met=dict.fromkeys(pairs_of(last), 1))
    assert not set(pairs_of(last)) & set(pairs_of(drawn))


def test_another_seed_draws_other_tables_and_other_chairs() -> None:
    drawn = {str(seat(range(8), [4, 4], seed=seed)) for seed in range(20)}
    assert len(drawn) == 20
    one_table = {str(seat(range(5), [5], seed=seed)) for seed in range(20)}
    assert len(one_table) > 10


def test_first_jack_can_fall_to_everybody() -> None:
    assert {first_jack(7, seed=seed) for seed in range(100)} == set(range(7))
    assert first_jack(7, seed="x") == first_jack(7, seed="x")
