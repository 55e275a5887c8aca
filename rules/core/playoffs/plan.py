"""The plan of a play-off (Rule 14): number of groups, who goes on, number of hands; numbers, no names.

Every table has a size the game is made for, and nobody plays longer than the others. A plan that cannot be played is
refused with a suggestion; an unwise plan, or one that needs another round, gets a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from rules.core.fields import Value
from rules.core.game import Game
from rules.core.numbers import spelled
from rules.core.playoffs.cut import MOST_AT_A_TABLE, sizes_of_groups
from rules.core.problems import Problem

#: A play-off is two games in one evening, so each of them is of about a dozen hands.
DOZEN = 12
LENGTHS = range(8, 17)
FEWEST_AT_A_FINAL = 2
#: So many other plans are shown beside one.
MOST_ALTERNATIVES = 3
LOWEST_LOSES = "Nobody is left for a losers’ table: the lowest of the one final takes the loser’s trophy."


@dataclass(frozen=True)
class PlayOffPlan:
    """What is agreed before a play-off.

    ``sizes`` are those of the groups. The ``places`` highest of each go to the winners' table, and the ``losers_count``
    lowest to the losers' table: None is everybody else, 0 is no such table. ``hands`` and ``final_hands`` are played at
    all tables alike; 0: as long as the game is.
    """

    sizes: tuple[int, ...]
    places: int
    losers_count: int | None
    hands: int
    final_hands: int

    @property
    def players(self) -> int:
        """How many take part."""
        return sum(self.sizes)

    @property
    def on_top(self) -> int:
        """How many go on to the winners' side."""
        return sum(min(self.places, size) for size in self.sizes)

    @property
    def at_the_bottom(self) -> int:
        """How many go on to the losers' side."""
        left = [size - min(self.places, size) for size in self.sizes]
        return sum(left if self.losers_count is None else (min(self.losers_count, some) for some in left))

    @property
    def winners(self) -> tuple[int, ...]:
        """The sizes of the next tables on the winners' side: its final, or another round where there are too many.

        >>> PlayOffPlan((7, 6), 3, None, 12, 12).winners, PlayOffPlan((8, 8, 8), 4, None, 8, 12).winners
        ((6,), (6, 6))
        """
        return sizes_of_groups(self.on_top)

    @property
    def losers(self) -> tuple[int, ...]:
        """The same on the losers' side; empty where there is no losers' table."""
        return sizes_of_groups(self.at_the_bottom)

    @property
    def finals(self) -> tuple[int, ...]:
        """The sizes of the finals, to which a side that is too many for one comes by further rounds.

        >>> PlayOffPlan((7, 6), 3, None, 12, 12).finals, PlayOffPlan((10, 10, 10, 9, 9), 5, None, 10, 9).finals
        ((6, 7), (9, 9))
        """
        return (*final_after(self.winners), *final_after(self.losers))

    @property
    def out(self) -> int:
        """How many have played after the groups.

        >>> PlayOffPlan((8, 8, 8), 3, 3, 8, 9).out
        6
        """
        return self.players - self.on_top - self.at_the_bottom


# What is proposed


def makes_sense(game: Game, players: int) -> bool:
    """Whether so many can play a play-off of this game at all: what makes no sense is not offered."""
    return propose(game, players) is not None


def propose(game: Game, players: int, groups: int | None = None) -> PlayOffPlan | None:
    """The play-off for so many, in the fewest groups the game is made for or in so many; None where it makes no sense.

    Where the game has a losers' table: as even as possible between the two; where they would be too large (from 21
    people on) the bottom of each group alone goes there and the middle has played. Other games play one round of groups
    and one final.
    """
    if not game.play_off.possible:
        return None
    counts = range(2, players // game.made_for[0] + 1) if groups is None else (groups,)
    for count in counts:
        if not 1 <= count <= players:
            continue
        sizes = sizes_of_groups(players, count)
        known = game.made_for if groups is None else game.players
        if sizes[0] > MOST_AT_A_TABLE or not all(size in known for size in sizes):
            continue
        plan = with_losers_table(sizes) if game.play_off.losers_table else with_one_final(game, sizes)
        if plan:
            return with_hands(game, plan)
    return None


def with_losers_table(sizes: tuple[int, ...]) -> PlayOffPlan | None:
    """Who goes on, where the others or the lowest play for the loser's trophy."""
    half = halves(sizes)
    fits = [plan for plan in half if max(plan.on_top, plan.at_the_bottom) <= MOST_AT_A_TABLE]
    if fits:
        return min(fits, key=lambda plan: abs(plan.on_top - plan.at_the_bottom))
    # With more groups than chairs at a final another round is played: one of each is enough for that.
    count = min(MOST_AT_A_TABLE // len(sizes) or 1, sizes[-1] // 2)
    return PlayOffPlan(sizes, count, count, 0, 0) if count else None


def halves(sizes: tuple[int, ...]) -> list[PlayOffPlan]:
    """Every number that may go through with everybody else at the losers' table, where both tables are no farce."""
    plans = [PlayOffPlan(sizes, places, None, 0, 0) for places in range(1, sizes[-1] + 1)]
    return [plan for plan in plans if min(plan.on_top, plan.at_the_bottom) > FEWEST_AT_A_FINAL]


def with_one_final(game: Game, sizes: tuple[int, ...]) -> PlayOffPlan | None:
    """Who goes on, where one final of a size the game is made for decides."""
    for places in range(1, sizes[-1]):
        if places * len(sizes) in game.made_for:
            return PlayOffPlan(sizes, places, 0, 0, 0)
    return None


def with_hands(game: Game, plan: PlayOffPlan) -> PlayOffPlan:
    """The plan with as many hands at its finals as in its groups (Rule 14); 0 where the game leaves no choice."""
    has_choice = any(choice.key == "hands" for choice in game.plan_choices(plan.sizes[0], defaults(game)))
    hands = hands_for_all(plan) if has_choice else 0
    return replace(plan, hands=hands, final_hands=hands)


def hands_for_all(plan: PlayOffPlan) -> int:
    """The number of hands that suits most of the tables of the whole evening, groups and finals.

    >>> hands_for_all(PlayOffPlan((7, 7), 3, None, 0, 0)), hands_for_all(PlayOffPlan((9, 9), 4, None, 0, 0))
    (14, 9)
    """
    return hands_for((*plan.sizes, *plan.finals))


def hands_for(sizes: Sequence[int]) -> int:
    """A number of hands near a dozen at which the deal comes out even (Rule 4) at as many of the tables as possible.

    >>> [hands_for(sizes) for sizes in ((6, 6), (7, 6), (7, 7, 7), (8, 8, 8), (9, 9), (10, 9))]
    [12, 12, 14, 8, 9, 10]
    """
    return min(LENGTHS, key=lambda hands: (-sum(hands % size == 0 for size in sizes), abs(hands - DOZEN), hands))


def alternatives(plan: PlayOffPlan, game: Game) -> tuple[PlayOffPlan, ...]:
    """Other plans for the same people, each of which can be played: what somebody might prefer, the likeliest first.

    Everybody plays on (with more than twenty that is another round); the bottom of each group alone at the losers'
    table; no losers' table; smaller groups.
    """
    plans: list[PlayOffPlan] = []
    if game.play_off.losers_table:
        all_others = min(halves(plan.sizes), key=lambda half: abs(half.on_top - half.at_the_bottom), default=None)
        plans += [all_others] if all_others else []
        plans += [replace(plan, losers_count=plan.places)] if 2 * plan.places < min(plan.sizes) else []
    smaller = propose(game, plan.players, len(plan.sizes) + 1)
    plans += [smaller] if smaller and all(size in game.made_for for size in smaller.sizes) else []
    if game.play_off.losers_table:
        plans.append(replace(plan, losers_count=0))
    others = dict.fromkeys(with_hands(game, other) for other in plans)
    seen = [(plan.sizes, plan.places, plan.on_top, plan.at_the_bottom)]
    chosen = []
    for other in others:
        numbers = (other.sizes, other.places, other.on_top, other.at_the_bottom)
        if numbers not in seen and not any(problem.blocking for problem in problems_of_plan(game, other)):
            seen.append(numbers)
            chosen.append(other)
    return tuple(chosen[:MOST_ALTERNATIVES])


def next_places(sizes: Sequence[int]) -> int:
    """How many of each table go on from another round, so that as many as possible play the final.

    >>> next_places((6, 6)), next_places((7, 7, 6)), next_places((10, 10))
    (3, 3, 5)
    """
    half = min(sizes) // 2 or 1
    return max(1, min(MOST_AT_A_TABLE // len(sizes), half))


def final_after(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """The final that tables of a side lead to: they are another round, as long as they are several."""
    while len(sizes) > 1:
        sizes = sizes_of_groups(len(sizes) * next_places(sizes))
    return sizes


# What is wrong with a plan, or to be said of it


def problems_of_plan(game: Game, plan: PlayOffPlan) -> Iterator[Problem]:
    """Everything that is wrong with a plan, or unwise, with what to do about it."""
    if not plan.sizes or min(plan.sizes) < 1:
        yield Problem("bad-players", "In every group somebody must sit.", "sizes")
        return
    hands = {"hands": plan.hands} if plan.hands else {}
    yield from unlike(game, plan.sizes, hands, "sizes")
    smallest = min(plan.sizes)
    if not 1 <= plan.places <= smallest:
        many = f"From 1 to {smallest}" if smallest > 1 else "One"
        sentence = f"{many} of each group can go through."
        yield Problem("bad-places", sentence, "places", params={"most": smallest})
        return
    left = smallest - plan.places
    if plan.losers_count is not None and not 0 <= plan.losers_count <= left:
        sentence = f"The smallest group is of {spelled(smallest)}: at most {spelled(left)} can be left for the bottom."
        yield Problem("bad-house-rule", sentence, "losers_count", params={"most": left})
        return
    if game.play_off.losers_table:
        yield from problems_of_finals(plan)
    else:
        yield from problems_of_one_final(game, plan)
    finals = {"hands": plan.final_hands} if plan.final_hands else {}
    for problem in unlike(game, (*plan.winners, *plan.losers), finals, "final_hands"):
        if problem.field == "hands":
            yield replace(problem, field="final_hands")


def unlike(game: Game, sizes: Sequence[int], hands: dict[str, int], field: str) -> Iterator[Problem]:
    """What the game says to tables of these sizes, each thing once."""
    problems = chain.from_iterable(game.setup_problems(range(size), hands, {}) for size in sorted(set(sizes)))
    for problem in dict.fromkeys(problems):
        yield replace(problem, field=field if problem.field == "players" else problem.field)


def problems_of_finals(plan: PlayOffPlan) -> Iterator[Problem]:
    """What is to be said of the sizes of the next tables: alone, too few, so many that they play another round."""
    for whose, count, field in (("winners’", plan.on_top, "places"), ("losers’", plan.at_the_bottom, "losers_count")):
        if count == 1:
            suggested = suggestion(plan)
            instead = f": let {spelled(suggested)} of each group go through" if suggested else ""
            sentence = f"One player alone cannot play the {whose} final{instead}."
            yield Problem("bad-places", sentence, "places", params={"places": suggested})
        elif 1 < count < 4:
            sentence = f"A {whose} final of {spelled(count)} is a short one."
            yield Problem("few-players", sentence, field, blocking=False)
        elif count > MOST_AT_A_TABLE:
            sentence = f"{count} are too many for the {whose} final: they play another round first, {in_groups(count)}."
            yield Problem("another-round", sentence, field, blocking=False)
    if not plan.at_the_bottom:
        yield Problem("no-losers-table", LOWEST_LOSES, "losers_count", blocking=False)


def suggestion(plan: PlayOffPlan) -> int | None:
    """How many of each group should go through instead: the nearest number that leaves nobody alone."""
    others = [replace(plan, places=places) for places in range(1, min(plan.sizes) + 1) if places != plan.places]
    good = [
        other for other in others
        if other.on_top > 1 and other.at_the_bottom != 1 and (other.losers_count or 0) + other.places <= min(plan.sizes)
    ]  # fmt: skip
    good.sort(key=lambda other: (min(other.on_top, other.at_the_bottom) < 4, abs(other.places - plan.places)))
    return good[0].places if good else None


def problems_of_one_final(game: Game, plan: PlayOffPlan) -> Iterator[Problem]:
    """Where the game has no losers' table and no further rounds: one final of a size it is made for."""
    if plan.at_the_bottom:
        yield Problem("bad-house-rule", f"{game.name} has no losers’ table.", "losers_count")
    if plan.on_top not in game.made_for:
        fewest, most = game.made_for[0], game.made_for[-1]
        span = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        sentence = f"A final of {game.name} is for {span} players, and these would be {plan.on_top}."
        yield Problem("bad-places", sentence, "places")


def in_groups(players: int) -> str:
    """The tables of so many, in words.

    >>> in_groups(12), in_groups(21), in_groups(23)
    ('6 and 6', '7, 7 and 7', '8, 8 and 7')
    """
    *first, last = (str(size) for size in sizes_of_groups(players))
    return f"{', '.join(first)} and {last}" if first else last


def length_sentence(game: Game, size: int, hands: int) -> str:
    """What so many hands are at a table of that size, and that Rule 4 cannot hold where it cannot; "" if unknown."""
    if size not in game.players or any(p.blocking for p in game.setup_problems(range(size), {"hands": hands}, {})):
        return ""
    table = game.open_table(range(1, size + 1), 1, {"hands": hands})
    if not table.schedule:
        return ""
    most = max(table.schedule)
    often = table.schedule.count(most)
    up = f"up to {most} cards and down again" if most > 1 else "one card each time"
    top = f", {spelled(often)} hands of {most}" if most > 1 and often > 1 else ""
    return f"{size} players: {up}{top}. {game.plan_remark(table)}".rstrip()


def defaults(game: Game) -> dict[str, Value]:
    """The house rules of a game that nobody has changed."""
    return {rule.key: rule.default for rule in game.house_rules}
