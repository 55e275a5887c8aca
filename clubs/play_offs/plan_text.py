"""The plan of a play-off in words: who plays whom, who goes on, and when it may be over."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from clubs.models import Night
from clubs.nights.nights import wanted_game
from clubs.nights.roll_call import Line
from clubs.nights.times import begins_at, clock, minutes_of_tables
from clubs.play_offs.plan import Planned, length, proposed
from clubs.play_offs.state import play_off_of
from rules.core.fields import Value
from rules.core.game import Game
from rules.core.numbers import spelled
from rules.core.playoffs.cut import MOST_AT_A_TABLE, sizes_of_groups
from rules.core.playoffs.plan import PlayOffPlan, next_places
from scoresheets.opening.game_cards import takes_latecomers
from scoresheets.wording.markup import as_text, listed

#: Minutes between two stages: the last table ends, the next ones are drawn, everybody finds their chair.
TO_DRAW = 10
#: More rounds than these are played by nobody.
MOST_ROUNDS = 6


@dataclass(frozen=True)
class Hours:
    """When the groups and when all may be over, with the minutes of it; None where that cannot be told."""

    done: datetime.datetime | None = None
    minutes: int | None = None
    of_groups: int | None = None
    of_finals: int | None = None

    @property
    def at(self) -> str:
        """When all is done: "21:10", to five minutes; "" where that cannot be told."""
        return clock(self.done) if self.done else ""


def hours_of(night: Night, planned: Planned, house_rules: Mapping[str, Value]) -> Hours:
    """When it may be over: the slowest group, the slowest table of each round after it, and a pause before each."""
    club = night.club
    lasts = [minutes_of_tables(club, planned.game, sizes, plan, house_rules) for sizes, plan in rounds(planned.plan)]
    known = [minutes for minutes in lasts if minutes is not None]
    if len(known) < len(lasts):
        return Hours()
    minutes = sum(known) + TO_DRAW * (len(known) - 1)
    begins = begins_at(night)
    if begins is None:
        return Hours(minutes=minutes, of_groups=known[0], of_finals=known[-1])
    return Hours(begins + datetime.timedelta(minutes=minutes), minutes, known[0], known[-1])


def rounds(plan: PlayOffPlan) -> list[tuple[list[int], dict[str, int]]]:
    """The tables that are played side by side, round by round, each with how long they play.

    A side with more than ten people has another round, as long as that of the groups.
    """
    tables = [(list(plan.sizes), length(plan.hands))]
    sides = [list(sizes) for sizes in (plan.winners, plan.losers) if sizes]
    while sides and any(len(sizes) > 1 for sizes in sides) and len(tables) < MOST_ROUNDS:
        tables.append(([size for sizes in sides for size in sizes], length(plan.hands)))
        sides = [next_of(sizes) for sizes in sides]
    tables.append(([size for sizes in sides for size in sizes], length(plan.final_hands)))
    return tables


def next_of(sizes: list[int]) -> list[int]:
    """The next tables of a side: a final stays as it is."""
    return sizes if len(sizes) == 1 else list(sizes_of_groups(len(sizes) * next_places(sizes)))


# Sentences


def instead(night: Night, lines: Iterable[Line], wanted: Game | None = None) -> str:
    """The play-off that could be played instead of plain tables, as it is planned or proposed; "" for none.

    Where it is of another game than was planned, or than is wanted tonight, that is said first.
    """
    kept = Planned.read(night.drawn.get("play_off"))
    game = kept.game if kept else wanted or wanted_game(night)
    people = sum(line.is_in and (not line.is_late or takes_latecomers(game)) for line in lines)
    if night.for_fun or (people <= MOST_AT_A_TABLE and not kept) or play_off_of(night):
        return ""
    planned = kept.for_so_many(people) if kept else None
    if planned is None and people > MOST_AT_A_TABLE:
        planned = proposed(people, game)
    if planned is None:
        return ""
    hours = hours_of(night, planned, {})
    if planned.game != game:
        return f"{planned.game.name}, because {game.name} does not work with {people}: {how(planned, hours)}"
    return sentence(planned, hours)


def sentence(planned: Planned, hours: Hours) -> str:
    """ "13 players: 7 and 6, top three each, finals of 6 and 7, done about 22:40"."""
    return f"{planned.players} players: {how(planned, hours)}"


def how(planned: Planned, hours: Hours) -> str:
    """The same without how many they are."""
    plan = planned.plan
    parts = [groups_said(plan.sizes), goes_on_said(plan), finals_said(plan)]
    if hours.at:
        parts.append(f"done about {hours.at}")
    elif hours.minutes is None and not planned.is_refused:
        parts.append("and nobody can say yet how long that takes")
    text = ", ".join(parts)
    return f"{text}; {others_said(plan.out)}" if plan.out else text


def groups_said(sizes: Sequence[int]) -> str:
    """ "7 and 6", "three groups of 8", "two groups of 8 and one of 7".

    >>> groups_said((7, 6)), groups_said((8, 8, 8)), groups_said((8, 8, 7)), groups_said((10,) * 20)
    ('7 and 6', 'three groups of 8', 'two groups of 8 and one of 7', '20 groups of 10')
    """
    counts = Counter(sizes)
    if len(sizes) == len(counts) and len(sizes) > 1:
        return as_text(listed([str(size) for size in sizes]))
    first, *rest = sorted(counts.items(), reverse=True)
    groups = "group" if first[1] == 1 else "groups"
    return as_text(
        listed([f"{spelled(first[1])} {groups} of {first[0]}", *(f"{spelled(many)} of {size}" for size, many in rest)])
    )


def goes_on_said(plan: PlayOffPlan) -> str:
    """ "top three each", "top three and bottom three", "the first of each", "the first and the last of each"."""
    if plan.places == plan.losers_count == 1:
        return "the first and the last of each"
    if not plan.losers_count:
        return f"top {spelled(plan.places)} each" if plan.places > 1 else "the first of each"
    return f"top {spelled(plan.places)} and bottom {spelled(plan.losers_count)}"


def finals_said(plan: PlayOffPlan) -> str:
    """ "finals of 6 and 7", "one final of 6", "a final of 9 and another round for the other 15"."""
    winners, losers = list(plan.winners), list(plan.losers)
    if not losers:
        return f"one final of {winners[0]}" if len(winners) == 1 else f"another round, {groups_said(winners)}"
    if len(winners) == len(losers) == 1:
        return f"finals of {winners[0]} and {losers[0]}"
    parts = [
        f"a final of {sizes[0]}{side}" if len(sizes) == 1 else f"another round{side} ({groups_said(sizes)})"
        for sizes, side in ((winners, " on top"), (losers, " at the bottom"))
    ]
    return " and ".join(parts)


def others_said(count: int) -> str:
    """What those do who are at no table any more."""
    if count == 1:
        return "one more is done then"
    tables = "a table" if count <= MOST_AT_A_TABLE else "tables"
    return f"the other {spelled(count)} are done and may open {tables} just for fun"


def finals_of(sizes: Sequence[int], whose: str = "") -> str:
    """ "a winners’ final of 6", "12: another round, two groups of 6"; "no losers’ final" for nobody.

    `whose`: "" where there is one final.
    """
    final = f"{whose} final".lstrip()
    if not sizes:
        return f"no {final}"
    if len(sizes) == 1:
        return f"a {final} of {sizes[0]}"
    return f"{sum(sizes)} people: another round, {groups_said(sizes)}"
