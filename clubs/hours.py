"""The hours of a night, by the clock of its club: when it begins, when somebody leaves, when a table may be done."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from django.utils import timezone

from scoresheets.outlook import outlook

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clubs.models import Night
    from clubs.roll_call import Line
    from rules.core.game import Game
    from rules.core.steps import Value

A_DAY = datetime.timedelta(days=1)
#: Who leaves earlier than that leaves after midnight.
MORNING = datetime.time(6)
FIVE = 5


def hour_of(night: Night, hour: datetime.time) -> datetime.datetime:
    """That hour of the night: a small one is of the day after."""
    at = datetime.datetime.combine(night.on, hour, night.club.zone)
    return at + A_DAY if hour < MORNING else at


def begins_at(night: Night) -> datetime.datetime | None:
    """When tables that are opened now begin: at the hour of the night, else now; None where nobody knows yet."""
    now = timezone.now().astimezone(night.club.zone)
    planned = hour_of(night, night.begins) if night.begins else None
    if planned and planned > now:
        return planned
    return None if night.on > now.date() else now


def to_five(at: datetime.datetime) -> datetime.datetime:
    """The hour as people say it, to the next five minutes.

    >>> to_five(datetime.datetime(2026, 11, 26, 22, 38)).strftime("%H:%M")
    '22:40'
    """
    beyond = datetime.timedelta(minutes=at.minute % FIVE, seconds=at.second, microseconds=at.microsecond)
    down = at - beyond
    return down + datetime.timedelta(minutes=FIVE) if beyond >= datetime.timedelta(minutes=FIVE) / 2 else down


def clock(at: datetime.datetime) -> str:
    """ "22:40"."""
    return to_five(at).strftime("%H:%M")


def minutes_of_tables(
    game: Game, sizes: Iterable[int], plan: Mapping[str, int], house_rules: Mapping[str, Value]
) -> int | None:
    """How many minutes tables of these sizes play, side by side; None where the game does not tell."""
    longest = 0
    for size in set(sizes):
        seats = range(1, size + 1)
        if any(problem.blocking for problem in game.setup_problems(seats, plan, house_rules)):
            return None
        looked = outlook(game, game.open_table(seats, 1, plan, house_rules))
        if looked is None:
            return None
        longest = max(longest, looked.minutes)
    return longest


def gone_by(night: Night, lines: Iterable[Line], until: datetime.datetime | None) -> list[Line]:
    """Who leaves before that hour; where nobody knows it, whoever leaves early."""
    leaving = [line for line in lines if line.leaves and line.is_in]
    return [line for line in leaving if line.leaves and (until is None or hour_of(night, line.leaves) < until)]
