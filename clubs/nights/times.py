"""The times of a night in the time zone of its club: beginning, early leaving, the expected end of tables."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from statistics import median

from django.db.models import F
from django.utils import timezone

from clubs.models import Club, Night, Table
from clubs.nights.roll_call import Line
from rules.core.fields import Value
from rules.core.game import Game
from scoresheets.opening.schedule import outlook

A_DAY = datetime.timedelta(days=1)
#: Who leaves earlier than that leaves after midnight.
MORNING = datetime.time(6)
FIVE = 5
#: So many games of a club say how long another one takes, and the last so many are asked. What lasted less or more
#: than these was written down afterwards, or was forgotten to be ended.
ENOUGH, LATELY = 3, 9
LEAST, MOST = datetime.timedelta(minutes=10), datetime.timedelta(hours=6)


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
    club: Club, game: Game, sizes: Iterable[int], plan: Mapping[str, int], house_rules: Mapping[str, Value]
) -> int | None:
    """How many minutes tables of these sizes play, side by side; None where nobody can tell.

    Where the game does not plan its hands, as long as it took the club. One query for such a game.
    """
    longest = 0
    for size in set(sizes):
        seats = range(1, size + 1)
        if any(problem.blocking for problem in game.setup_problems(seats, plan, house_rules)):
            return None
        looked = outlook(game, game.open_table(seats, 1, plan, house_rules))
        if looked is None:
            return minutes_as_played(club, game)
        longest = max(longest, looked.minutes)
    return longest


def minutes_as_played(club: Club, game: Game) -> int | None:
    """How many minutes the game took at the club's tables lately, in the middle; None after too few games of it."""
    opened = F("sheet__opened_at")
    over = Table.objects.standing().filter(
        night__club=club, game=game.slug, source=Table.Source.DRAWN, ended_at__range=(opened + LEAST, opened + MOST)
    )
    lately = over.order_by("-ended_at", "-pk").values_list("sheet__opened_at", "ended_at")[:LATELY]
    lasted = [(ended - begun).total_seconds() / 60 for begun, ended in lately if ended]
    return round(median(lasted)) if len(lasted) >= ENOUGH else None


def gone_by(night: Night, lines: Iterable[Line], until: datetime.datetime | None) -> list[Line]:
    """Who leaves before that hour; where nobody knows it, whoever leaves early."""
    leaving = [line for line in lines if line.leaves and line.is_in]
    return [line for line in leaving if line.leaves and (until is None or hour_of(night, line.leaves) < until)]
