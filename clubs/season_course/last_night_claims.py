"""The claims of a club's season before its last night, as sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from clubs.models import Season
from clubs.season_course.last_night import SCHEMES_WITH_CLAIMS, claims
from clubs.standings.compute import results_of, words
from clubs.standings.league import League
from clubs.standings.schemes import Result, nights_of
from rules import all_games


@dataclass(frozen=True)
class LastNight:
    """What is certain before the last night of a season. `one_table`: if all sit at one table, as they always did."""

    sentences: list[str]
    one_table: bool


def last_night_of(league: League) -> LastNight | None:
    """What must happen; None where it is not the night before the last, or nothing is certain.

    That it is the last night is known by the nights that are planned: one is left, and none of its games has counted
    yet. Two queries then, else none.
    """
    season = league.season
    if season is None or league.is_over or league.nights_left != 1 or league.scheme.slug not in SCHEMES_WITH_CLAIMS:
        return None
    results = results_of(league.club, season, None)
    games = [result for games in results.values() for result in games]
    names = {line.row.member_id: line.member.shown for line in league.lines}
    if names.keys() != results.keys() or any(game.on >= league.today for game in games):
        # Results are still being counted, or the last night has begun.
        return None
    one_table = all(len(tables) == 1 for tables in tables_by_night(games).values())
    terms = league.terms
    people = {person: list(nights_of(games, terms).values()) for person, games in results.items()}
    certain = claims(people, terms, most_players(season), one_table=one_table)
    sentences = [certain[person].says(name) for person, name in names.items() if person in certain]
    return LastNight(sentences, one_table) if sentences else None


def tables_by_night(games: Iterable[Result]) -> dict[Hashable, set[Hashable]]:
    """The tables that counted on each night."""
    tables: defaultdict[Hashable, set[Hashable]] = defaultdict(set)
    for game in games:
        tables[game.night].add(game.table)
    return tables


def most_players(season: Season) -> int:
    """How many can sit at a table of the games that count in it."""
    counting = words(season.games)
    return max(game.players[-1] for game in all_games() if not counting or game.slug in counting)
