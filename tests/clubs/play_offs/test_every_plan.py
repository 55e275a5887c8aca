"""Every plan that can be tapped: it can be said, every button leads on, and it comes to its finals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clubs.play_offs.fates import places_for
from clubs.play_offs.plan import Planned, as_text, from_text
from clubs.play_offs.plan_steppers import steppers
from clubs.play_offs.plan_text import Hours, rounds, sentence
from rules import all_games, find_game
from rules.core.game import Game
from rules.core.playoffs.cut import sizes_of_groups
from rules.core.playoffs.plan import PlayOffPlan, alternatives, problems_of_plan, propose

MANY = (8, 9, 13, 16, 20, 21, 24, 31, 41, 60, 200)
#: Tapping on and on: so many plans of each number of people are looked at.
TAPS = 60


def every_plan(game: Game, players: int) -> Iterator[PlayOffPlan]:
    """Every number of groups, of places and of losers that nothing refuses."""
    start = propose(game, players)
    for count in Planned(game, start).group_counts() if start else ():
        base = propose(game, players, count)
        assert base is not None, (players, count)
        smallest = min(base.sizes)
        for places in range(1, smallest + 1):
            for losers in (None, *range(smallest - places + 1)):
                plan = PlayOffPlan(base.sizes, places, losers, base.hands, base.final_hands)
                if not any(problem.blocking for problem in problems_of_plan(game, plan)):
                    yield plan


def stages_of(people: int, most: int) -> list[tuple[int, ...]]:
    """The tables of one side, stage by stage, as they are drawn on the evening."""
    found: list[tuple[int, ...]] = []
    while people and (not found or len(found[-1]) > 1):
        found.append(sizes_of_groups(people, most=most))
        places = places_for(people, most)
        assert places is None or 1 <= places < min(found[-1]), found
        people = (places or 0) * len(found[-1])
    return found


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
@pytest.mark.parametrize("players", MANY)
def test_every_plan_comes_to_its_finals_in_the_rounds_that_are_counted(game: Game, players: int) -> None:
    for plan in every_plan(game, players):
        sides = [stages_of(people, game.made_for[-1]) for people in (plan.on_top, plan.at_the_bottom)]
        assert len(rounds(plan)) == 1 + max(len(side) for side in sides), plan
        assert plan.on_top + plan.at_the_bottom + plan.out == players
        for side in sides:
            for sizes in side:
                hands = plan.hands if len(sizes) > 1 else plan.final_hands
                for size in sizes:
                    found = game.setup_problems(range(1, size + 1), {"hands": hands} if hands else {}, {})
                    assert not any(problem.blocking for problem in found), (plan, size)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
@pytest.mark.parametrize("players", MANY)
def test_every_button_of_a_plan_says_another_one(game: Game, players: int) -> None:
    start = propose(game, players)
    todo, seen = [start] if start else [], {start}
    while todo and len(seen) < TAPS:
        planned = Planned(game, todo.pop(0))
        assert sentence(planned, Hours()).startswith(f"{players} players: ")
        buttons = [text for one in steppers(planned, Hours()) for text in (one.less, one.more) if text]
        for text in [*buttons, *map(as_text, alternatives(planned.plan, game))]:
            other = from_text(text, planned)
            assert other not in (None, planned.plan), (planned.plan, text)
            if other and other not in seen and not Planned(game, other).is_refused:
                seen.add(other)
                todo.append(other)


@pytest.mark.parametrize(
    ("game", "players", "says"),
    [
        ("dirty-dog", 13, "13 players: 7 and 6, top three each, finals of 6 and 7"),
        ("dirty-dog", 20, "20 players: two groups of 10, top five each, finals of 10 and 10"),
        (
            "dirty-dog", 21,
            ("21 players: three groups of 7, top three and bottom three, finals of 9 and 9; "
            "the other three are done and may open a table just for fun"),
        ),
        (
            "dirty-dog", 24,
            ("24 players: three groups of 8, top three and bottom three, finals of 9 and 9; "
            "the other six are done and may open a table just for fun"),
        ),
        (
            "dirty-dog", 60,
            ("60 players: six groups of 10, the first and the last of each, finals of 6 and 6; "
            "the other 48 are done and may open tables just for fun"),
        ),
        (
            "dirty-dog", 200,
            ("200 players: 20 groups of 10, the first and the last of each, another round on top (two groups of 10) "
            "and another round at the bottom (two groups of 10); the other 160 are done and may open tables just for "
            "fun"),
        ),
        (
            "bird-dog", 9,
            ("9 players: three groups of 3, the first of each, one final of 3; "
            "the other six are done and may open a table just for fun"),
        ),
    ],
)  # fmt: skip
def test_what_is_proposed_is_said_as_people_say_it(game: str, players: int, says: str) -> None:
    played = find_game(game)
    plan = propose(played, players)
    assert plan
    assert sentence(Planned(played, plan), Hours(minutes=200)) == says
