"""What a game is worth, what it comes to, and who is in which place: no database."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.standings.schemes import LEVEL, SCHEMES, TIE_BREAKS, Figures, Result, Terms, figure_text, rank, tally


def game(night: int = 1, **says: object) -> Result:
    usual = {"place": 2, "score": 10, "won": False, "lost": False, "players": 6}
    return Result(night, **(usual | says))  # type: ignore[arg-type]


def terms(scheme: str = "won", order: tuple[str, ...] = ("average",), **more: object) -> Terms:
    return Terms(SCHEMES[scheme], order, **{"one_game": True} | more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scheme", "numbers", "result", "worth"),
    [
        pytest.param("score", {}, game(score=-7), -7, id="raw score may be below zero"),
        pytest.param("score", {}, game(score=None), 0, id="raw score nobody knows is nothing"),
        pytest.param("won", {}, game(won=True), 1, id="a win is one"),
        pytest.param("won", {}, game(place=1), 0, id="the first place of who did not win is none"),
        pytest.param("made", {}, game(bids=9, made=6), 6, id="bids made"),
        pytest.param("places", {"points": [10, 6, 3]}, game(place=1), 10, id="first place"),
        pytest.param("places", {"points": [10, 6, 3]}, game(place=3), 3, id="third place"),
        pytest.param("places", {"points": [10, 6, 3]}, game(place=4), 0, id="a place nothing is given for"),
        pytest.param("places", {"points": [10, 6, 3]}, game(place=None), 0, id="who went home early has no place"),
        pytest.param("places", {}, game(place=1, players=6), 5, id="without a list: five ended below"),
        pytest.param("places", {}, game(place=6, players=6), 0, id="without a list: nobody ended below"),
        pytest.param("places", {"points": []}, game(place=2, players=4), 2, id="an empty list is no list"),
    ],
)
def test_game_is_worth(scheme: str, numbers: dict[str, object], result: Result, worth: int) -> None:
    assert SCHEMES[scheme].worth(result, numbers) == worth


@pytest.mark.parametrize(
    ("scores", "drops", "points"),
    [
        pytest.param([(1, 5), (2, 7), (3, 1)], 0, 13, id="nothing is left out"),
        pytest.param([(1, 5), (2, 7), (3, 1)], 1, 12, id="the worst night is left out"),
        pytest.param([(1, 5), (1, -9), (2, 1), (3, 2)], 1, 3, id="a night is all its games together"),
        pytest.param([(1, 5), (2, 7)], 2, 7, id="the best night always counts"),
        pytest.param([(1, 5)], 3, 5, id="the only night always counts"),
        pytest.param([(1, -5), (2, -7)], 1, -5, id="the worst is the lowest, below zero too"),
        pytest.param([], 1, 0, id="no games"),
    ],
)
def test_worst_nights_are_left_out_of_the_points(scores: list[tuple[int, int]], drops: int, points: int) -> None:
    figures = tally([game(night, score=score) for night, score in scores], terms("score", drops=drops))
    assert figures.points == points
    assert figures.games == len(scores)
    assert figures.score == (sum(score for _, score in scores) if scores else None)


def test_all_that_is_shown_is_counted() -> None:
    games = [
        game(1, score=12, won=True, hands=14, boxes=4, circles=1, bids=14, made=9),
        game(1, score=-3, lost=True, hands=14, boxes=0, circles=6, bids=14, made=4),
        game(2, score=None, place=1, won=True),
        game(3, score=1, hands=4, bids=4),
    ]
    figures = tally(games, terms())
    assert figures == Figures(
        points=Decimal(2), nights=3, games=4, won=2, lost=1, beaten=34000, compared=4, share=Decimal("85.00"), score=10,
        average=Decimal("3.33"), best=12, worst=-3,
        hands=32, boxes=4, circles=7, bids=32, made=13, form="LWWM",
    )  # fmt: skip


def of(points: int, **more: object) -> Figures:
    return Figures(points=Decimal(points), nights=1, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("people", "order", "places", "reasons"),
    [
        pytest.param([of(5), of(3), of(1)], (), [1, 2, 3], ["", "", ""], id="by points"),
        pytest.param([of(5), of(3), of(3), of(1)], (), [1, 2, 2, 4],
                     ["", LEVEL, LEVEL, ""], id="equal stays equal: 1, 2, 2, 4"),
        pytest.param([of(3, won=1), of(3, won=2)], ("won",), [2, 1], ["games won: 1 to 2", ""], id="by games won"),
        pytest.param([of(3, average=Decimal("1.50")), of(3, average=Decimal("1.25")), of(3)], ("won", "average"),
                     [1, 2, 3], ["", "average score: 1.25 to 1.5", "average score: nothing to compare with 1.25"],
                     id="the first that tells them apart says why"),
        pytest.param([of(3, lost=2), of(3, lost=1)], ("lost",), [2, 1], ["games lost, fewer first: 2 to 1", ""],
                     id="fewer games lost are better, and are said as they are shown"),
        pytest.param([of(3, won=9), of(4)], ("won",), [2, 1], ["", ""], id="points come first"),
        pytest.param([of(3), of(3, average=Decimal(-2))], ("average",), [2, 1],
                     ["average score: nothing to compare with −2", ""],
                     id="none is behind anything, below zero too"),
        pytest.param([of(0)], (), [1], [""], id="alone"),
    ],
)  # fmt: skip
def test_people_are_put_in_places(
    people: list[Figures], order: tuple[str, ...], places: list[int], reasons: list[str]
) -> None:
    ranked = rank(dict(enumerate(people)), terms(order=order))
    assert [ranked[k].place for k in range(len(people))] == places
    assert [ranked[k].reason for k in range(len(people))] == reasons


def test_who_was_there_too_seldom_has_no_place_and_takes_none() -> None:
    people = {"Ann": of(1), "Bo": Figures(points=Decimal(9), nights=2), "Cy": Figures(points=Decimal(3), nights=3)}
    ranked = rank(people, terms(least_nights=2))
    assert {who: ranked[who].place for who in people} == {"Ann": None, "Bo": 1, "Cy": 2}
    assert list(ranked) == ["Bo", "Cy", "Ann"]


@pytest.mark.parametrize(("points", "words"), [(1, "1 win"), (0, "0 wins"), (4, "4 wins")])
def test_points_are_said_in_the_words_of_the_scheme(points: int, words: str) -> None:
    assert SCHEMES["won"].of(Decimal(points)) == words


# Laws

RESULTS = st.lists(
    st.builds(
        lambda night, place, score, made, players: game(
            night, place=place, score=score, won=place == 1, lost=place == players, players=players, bids=6, made=made
        ),
        st.integers(1, 5), st.none() | st.integers(1, 7), st.none() | st.integers(-20, 20), st.integers(0, 6),
        st.integers(7, 9),
    ),
    max_size=8,
)  # fmt: skip
TERMS = st.builds(
    Terms, st.sampled_from(list(SCHEMES.values())), st.lists(st.sampled_from(list(TIE_BREAKS)), unique=True).map(tuple),
    st.sampled_from([{}, {"points": [5, 3, 1]}]), st.integers(0, 3), st.integers(0, 3),
)  # fmt: skip


@given(RESULTS.flatmap(lambda games: st.tuples(st.just(games), st.permutations(games))), TERMS)
def test_order_of_the_games_does_not_matter(games: tuple[list[Result], list[Result]], by: Terms) -> None:
    assert tally(games[0], by) == tally(games[1], by)


@given(RESULTS, TERMS)
def test_what_is_left_out_is_the_worst_and_never_everything(games: list[Result], by: Terms) -> None:
    nights = {one.night: 0 for one in games}
    for one in games:
        nights[one.night] += by.scheme.worth(one, by.numbers)
    assert tally(games, by).points == sum(sorted(nights.values())[min(by.drops, max(0, len(nights) - 1)) :])


@given(st.dictionaries(st.integers(1, 9), RESULTS, max_size=6), TERMS)
def test_places_are_those_of_a_race(people: dict[int, list[Result]], by: Terms) -> None:
    figures = {who: tally(games, by) for who, games in people.items()}
    ranked = rank(figures, by)
    assert ranked.keys() == figures.keys()
    placed = [one.place for one in ranked.values() if one.place is not None]
    assert placed == sorted(placed), "who has no place comes last, the first comes first"
    assert all(place == 1 + sum(other < place for other in placed) for place in placed), "1, 2, 2, 4"
    for who, one in ranked.items():
        others = [figures[other].points for other in ranked if other != who and ranked[other].place is not None]
        ahead = [figures[other].points for other, its in ranked.items() if (its.place or 99) < (one.place or 0)]
        assert all(points >= figures[who].points for points in ahead)
        if one.reason:
            assert figures[who].points in others, "a reason stands where the points do not say it"
        elif one.place is not None:
            assert figures[who].points not in ahead
    assert ranked == rank(dict(reversed(figures.items())), by), "it does not matter who is named first"


def test_figures_are_said_as_they_are_written() -> None:
    assert [figure_text(Decimal(value)) for value in ("10", "0", "100.00", "1.50", "-2")] == [
        "10",
        "0",
        "100",
        "1.5",
        "−2",
    ]
