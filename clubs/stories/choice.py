"""Which facts of a night are told: five to eight, by one rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clubs.stories.facts import (
    Attended,
    BestOfAll,
    BidsMade,
    CameBack,
    ClosestLeg,
    Decided,
    Fact,
    First,
    LeadChanges,
    LedAlone,
    LedLongest,
    LedThroughout,
    Legs,
    Level,
    LongestLeg,
    MadeInARow,
    Narrow,
    RecordBroken,
    Spread,
    TrophiesWon,
    Unlucky,
    Won,
)  # fmt: skip

FEWEST, MOST = 5, 8
MOST_RECORDS = 2
#: An end so narrow is told for its own sake.
NARROW = 3
#: What every story has, if it is there.
ALWAYS = (Attended, Won, First, TrophiesWon)
#: What is worth telling, the best first.
WORTH_TELLING = (
    RecordBroken, Level, CameBack, LeadChanges, LedThroughout, Narrow, Decided, MadeInARow, ClosestLeg, Legs,
    LedLongest, BestOfAll, Unlucky,
)  # fmt: skip
#: What makes a story whole that would be too short.
FILLS = (Narrow, LongestLeg, BidsMade, LedAlone, Spread)


def chosen(facts: Iterable[Fact]) -> list[Fact]:
    """The facts that are told, in their order: at most eight, and at least five where there are so many."""
    facts = list(facts)
    choice: list[Fact] = [fact for fact in facts if isinstance(fact, ALWAYS)]
    choice += list(worth_telling(facts))[: MOST - len(choice)]
    for kind in FILLS:
        if len(choice) < FEWEST:
            choice += [fact for fact in facts if isinstance(fact, kind) and fact not in choice][:1]
    return [fact for fact in facts if fact in choice]


def worth_telling(facts: list[Fact]) -> Iterator[Fact]:
    """Facts that are told where there is room for them, the best first."""
    for kind in WORTH_TELLING:
        of_kind = [fact for fact in facts if isinstance(fact, kind)]
        for fact in of_kind[: MOST_RECORDS if kind is RecordBroken else 1]:
            if not isinstance(fact, Narrow) or fact.points <= NARROW:
                yield fact
