"""Limits of one sheet: the most hands, and the most revisions in a period.

A page costs as much as its sheet has hands and revisions, and anybody can open a sheet. A usual game stays far below
the limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from django.conf import settings
from django.utils import timezone

from rules.core.fields import Value
from rules.core.game import Game
from rules.core.options import Amount, PlanChoice
from rules.core.problems import Problem
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet

#: Writes that come at once, such as those of a phone that was without network all evening; and how many more a minute.
WRITES_AT_ONCE = 1500
WRITES_A_MINUTE = 6
#: Writes of a sheet in all.
MOST_WRITES = 4000

TOO_OFTEN = Problem("too-many-writes", "This sheet was changed very often just now. Wait a little, then send it again.")
FULL = Problem("sheet-full", "This sheet is full: too much was changed on it. Continue on a new one.")


class TooManyHandsError(Exception):
    """A write would make the sheet longer than it may be; with the sheet as it was."""

    def __init__(self, before: SheetReading) -> None:
        super().__init__()
        self.before = before


def too_many_hands(field: str | None = None) -> Problem:
    """What is said of a sheet with more hands than it may have."""
    return Problem("too-many-hands", f"A sheet has at most {settings.HANDS_PER_SHEET} hands here.", field)


def planned_hands(game: Game, seats: int, plan: Mapping[str, int], house_rules: Mapping[str, Value]) -> int:
    """How many hands so many have planned; 0 where the game goes on until it ends. `house_rules`: what was chosen."""
    rules = {rule.key: rule.default for rule in game.house_rules} | dict(house_rules)
    return len(game.schedule(seats, plan, rules))


def is_too_long(game: Game, seats: int, plan: Mapping[str, int], house_rules: Mapping[str, Value]) -> bool:
    """Whether the plan has more hands than a sheet may have."""
    return planned_hands(game, seats, plan, house_rules) > settings.HANDS_PER_SHEET


def plan_choices(game: Game, seats: int, house_rules: Mapping[str, Value]) -> Sequence[PlanChoice]:
    """How so many can say how long they play: what is offered is not more than a sheet may have."""
    return [
        replace(choice, amounts=tuple(amounts_that_fit(game, seats, house_rules, choice)))
        for choice in game.plan_choices(seats, house_rules)
    ]


def amounts_that_fit(game: Game, seats: int, house_rules: Mapping[str, Value], choice: PlanChoice) -> Iterator[Amount]:
    """The numbers of a choice, with what fits a sheet of each; where nothing does, opening it says so."""
    for amount in choice.amounts:
        fits = [
            value
            for value in amount.offered
            if not is_too_long(game, seats, choice.usual | {amount.key: value}, house_rules)
        ]
        usual = amount.usual if amount.usual in fits or not fits else max(fits)
        yield replace(amount, offered=fits or amount.offered, usual=usual)


def check_hands(before: SheetReading, after: SheetReading, last: int) -> None:
    """Raise TooManyHandsError where a write that goes up to the hand `last` makes the sheet too long.

    One that was too long before may still be corrected.
    """
    here = max(len(after.sheet.table.schedule), last)
    if here > settings.HANDS_PER_SHEET and here > max(len(before.sheet.table.schedule), before.next_hand - 1):
        raise TooManyHandsError(before)


def too_many_writes(sheet: Sheet) -> Problem | None:
    """Why nothing more is written on the sheet now, or None. No query: its version is the number of its writes.

    Where the clock says that the sheet is not opened yet, it was set back: then only the number of writes counts.
    """
    if sheet.version >= MOST_WRITES:
        return FULL
    passed = (timezone.now() - sheet.opened_at).total_seconds()
    if passed < 0:
        return None
    if sheet.version >= WRITES_AT_ONCE + int(passed) // 60 * WRITES_A_MINUTE:
        return TOO_OFTEN
    return None
