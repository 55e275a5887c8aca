"""What is claimed before the last night holds for every outcome of it: small seasons are played out in full."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.season_course.last_night import SCHEMES_WITH_CLAIMS, Claim, claims, outcomes, results, winner_of
from clubs.standings.schemes import SCHEMES, Result, Terms, rank, tally

MOST = 3
NEWCOMER = "Newcomer"
Night = Mapping[str, Result]


def terms(scheme: str, **more: object) -> Terms:
    return Terms(SCHEMES[scheme], (), **more)  # type: ignore[arg-type]


def tables(people: Sequence[str]) -> Iterator[Night]:
    """Everything that can happen at one table of these people, of whom at least two play to the end."""
    for stayed in range(2, len(people) + 1):
        for staying in combinations(people, stayed):
            gone = [person for person in people if person not in staying]
            for levels in orders(staying):
                for winner in [None, *gone]:
                    # Nobody gains or loses by being the loser who had gone home.
                    yield table_of(levels, gone, winner)


def orders(people: Sequence[str]) -> Iterator[list[list[str]]]:
    """All ways to put people in places, several of them on one."""
    for numbers in product(range(len(people)), repeat=len(people)):
        if set(numbers) == set(range(max(numbers) + 1)):
            yield [[p for p, n in zip(people, numbers, strict=True) if n == level] for level in range(max(numbers) + 1)]


def table_of(levels: list[list[str]], gone: Iterable[str], winner: str | None) -> Night:
    players = sum(map(len, levels))
    night = {p: Result(99, None, None, won=p == winner, lost=False, players=players) for p in gone}
    place = 1
    for level in levels:
        for person in level:
            night[person] = Result(
                99, place, None, won=place == 1 and winner is None, lost=False, players=players, sharing=len(level) - 1
            )
        place += len(level)
    return night


def last_nights(people: Sequence[str], *, one_table: bool) -> Iterator[Night]:
    """Everything that can happen on a night: who stays away, who sits where, and how it ends."""
    yield {}
    for count in range(2, len(people) + 1):
        for here in combinations(people, count):
            if count <= MOST + 1:
                yield from tables(here)
            if not one_table and count == 4:
                for first in combinations(here, 2):
                    other = [person for person in here if person not in first]
                    for night, beside in product(tables(first), tables(other)):
                        yield {**night, **beside}


@cache
def all_last_nights(one_table: bool) -> list[Night]:
    return list(last_nights(["Ann", "Bo", "Cy", NEWCOMER], one_table=one_table))


def won_alone(past: Mapping[str, Sequence[Result]], night: Night, by: Terms) -> str | None:
    """Who has place 1 alone after that night, by the functions of the standing itself."""
    games = {
        person: [*past.get(person, ()), *([night[person]] if person in night else [])] for person in {*past, *night}
    }
    ranked = rank({person: tally(own, by) for person, own in games.items() if own}, by)
    first = [person for person, row in ranked.items() if row.place == 1]
    return first[0] if len(first) == 1 else None


def is_met(claim: Claim, result: Result | None) -> bool:
    if claim.place == 0:
        return True
    if result is None:
        return False
    if claim.alone and result.sharing:
        return False
    if claim.only_wins:
        return result.won
    return result.place is not None and result.place <= claim.place


#: A game by what it was worth under each scheme, from the first place of two players to the last.
PAST = st.lists(st.tuples(st.integers(1, 3), st.integers(2, 3)).filter(lambda game: game[0] <= game[1]), max_size=3)


@pytest.mark.parametrize("one_table", [True, False], ids=["one table", "any tables"])
@pytest.mark.parametrize("scheme", SCHEMES_WITH_CLAIMS)
@given(
    past=st.tuples(PAST, PAST, PAST), drops=st.integers(0, 1), least=st.integers(0, 2),
    points=st.sampled_from([{}, {"points": [5, 3, 1]}, {"points": [2, 4]}]),
)  # fmt: skip
def test_what_is_claimed_holds_for_every_outcome(scheme, one_table, past, drops, least, points) -> None:
    by = terms(scheme, drops=drops, least_nights=least, numbers=points)
    games = {
        name: [
            Result(night, place, None, won=place == 1, lost=place == players, players=players)
            for night, (place, players) in enumerate(own)
        ]
        for name, own in zip(("Ann", "Bo", "Cy"), past, strict=True)
        if own
    }
    nights = {name: [by.scheme.worth(game, by.numbers) for game in own] for name, own in games.items()}
    certain = claims(nights, by, MOST + 1, one_table=one_table)
    if not certain:
        return
    for night in all_last_nights(one_table):
        met = {person: claim for person, claim in certain.items() if is_met(claim, night.get(person))}
        if met:
            assert {won_alone(games, night, by)} == met.keys(), (met, night)


@pytest.mark.parametrize(
    ("scheme", "nights", "one_table", "claimed"),
    [
        pytest.param("won", {"Di": [1, 1], "Bo": [0, 0]}, False, {"Di": Claim(0)}, id="two wins ahead"),
        pytest.param("won", {"Di": [1, 1], "Bo": [1, 0]}, False, {"Di": Claim(1, only_wins=True)}, id="one win ahead"),
        pytest.param(
            "won",
            {"Di": [1], "Bo": [1]},
            True,
            {name: Claim(1, only_wins=True, alone=True) for name in ("Di", "Bo")},
            id="level: a win can be shared",
        ),
        pytest.param("places", {"Di": [3, 3], "Bo": [3, 2]}, True, {"Di": Claim(1)}, id="one point ahead of a place"),
        pytest.param("places", {"Di": [3, 3], "Bo": [2, 2]}, True, {"Di": Claim(2)}, id="two points: second will do"),
        pytest.param("places", {"Di": [3, 3], "Bo": [2, 2]}, False, {}, id="elsewhere a table may have more players"),
        pytest.param("places", {"Di": [9], "Bo": [2]}, True, {"Di": Claim(0)}, id="nobody can come near"),
        pytest.param("share", {"Di": [100, 100], "Bo": [50, 0]}, False, {"Di": Claim(0)}, id="more than a whole table"),
        pytest.param(
            "share", {"Di": [100, 50], "Bo": [50, 50]}, False, {"Di": Claim(1, alone=True)}, id="half a table ahead"
        ),
        pytest.param("score", {"Di": [900], "Bo": [0]}, True, {}, id="scores have no bounds"),
        pytest.param("made", {"Di": [90], "Bo": [0]}, True, {}, id="nor have bids"),
        pytest.param("rating", {"Di": [0], "Bo": [0]}, True, {}, id="nor ratings"),
    ],
)
def test_it_is_claimed_who_wins_the_season(scheme, nights, one_table, claimed) -> None:
    assert claims(nights, terms(scheme), 4, one_table=one_table) == claimed


def test_night_that_is_left_out_protects_who_had_a_bad_one() -> None:
    nights = {"Di": [3, 3, 0], "Bo": [2, 1, 1]}
    assert claims(nights, terms("places"), 4, one_table=True) == {"Di": Claim(2)}
    assert claims(nights, terms("places", drops=1), 4, one_table=True) == {"Di": Claim(3)}
    nights["Di"] = [4, 3, 0]
    assert claims(nights, terms("places", drops=1), 4, one_table=True) == {"Di": Claim(0)}


def test_who_was_there_too_seldom_for_a_place_is_no_rival_and_claims_nothing() -> None:
    nights = {"Di": [3, 3], "Bo": [3]}
    level = Claim(1, alone=True)
    assert claims({"Di": [3, 3], "Bo": [3, 3]}, terms("places"), 4, one_table=True) == {"Di": level, "Bo": level}
    assert claims(nights, terms("places", least_nights=3), 4, one_table=True) == {"Di": Claim(4, is_any=True)}
    assert claims({"Di": [3]}, terms("places", least_nights=3), 4, one_table=True) == {}


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (Claim(0), "Di has won the season, whatever happens on the last night."),
        (Claim(1), "Di wins the season if they finish first, whoever plays."),
        (Claim(2), "Di wins the season if they finish 2nd or better, whoever plays."),
        (Claim(1, only_wins=True), "Di wins the season if they win their game, whoever plays."),
        (Claim(1, only_wins=True, alone=True), "Di wins the season if they win their game alone, whoever plays."),
        (Claim(1, alone=True), "Di wins the season if they finish first without sharing the place, whoever plays."),
        (Claim(4, is_any=True), "Di wins the season if they play to the end of their game, in any place."),
    ],
)
def test_claim_is_a_sentence(claim: Claim, sentence: str) -> None:
    assert claim.says("Di") == sentence


def test_results_of_a_game_are_all_that_a_table_can_bring() -> None:
    """What is gone through is what happens at tables, neither more nor less."""
    people = ["Ann", "Bo", "Cy", "Di"]
    seen = {night["Ann"]._replace(night=0) for night in tables(people) if night["Ann"].players == 2}
    assert seen == {result for result in results(2) if not result.lost}
    assert {winner_of(result) for result in seen} == {"", "stayed", "gone"}
    assert {outcome.place for outcome in outcomes(terms("places"), 3, one_table=True)} == {None, 1, 2, 3}
