"""The games by which people are rated, in the order they ended, and the skill of everybody after each of them."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from clubs.models import Placing
from clubs.ratings.skill import Skill, after_game

#: Behind every place.
LAST = 100_000
#: By game (slug) and person (id of the record that counts).
Skills = dict[tuple[str, int], Skill]


@dataclass
class RankedGame:
    """A game: the rank and the table (ids) of each person in it."""

    ranks: dict[int, int] = field(default_factory=dict)
    tables: dict[int, int] = field(default_factory=dict)

    def take(self, rank: PersonRank) -> None:
        """Whoever has two ranks, by several tables of a play-off, has the better one."""
        if rank.rank < self.ranks.get(rank.person, LAST + 1):
            self.ranks[rank.person], self.tables[rank.person] = rank.rank, rank.table


@dataclass(kw_only=True)
class RatedGame(RankedGame):
    """The same, with the slug of the game, the night, when the last table ended, and the first table (ids)."""

    game: str
    on: datetime.date
    night: int
    ended: datetime.datetime
    table: int

    @property
    def moment(self) -> tuple[datetime.date, datetime.datetime, int]:
        """By what games are in order."""
        return self.on, self.ended, self.table


@dataclass(frozen=True)
class Step:
    """What a game was to one person: their skill before and after it."""

    game: RatedGame
    person: int
    before: Skill
    after: Skill

    @property
    def table(self) -> int:
        return self.game.tables[self.person]

    @property
    def moved(self) -> int:
        """By how many points their rating went up, or down (below zero)."""
        return self.after.number - self.before.number


def rank_of(place: int | None, *, winner: bool, loser: bool) -> int | None:
    """A place as a rank. Who went home early has none, unless they were given the win or the last place."""
    if place is not None:
        return place
    return 0 if winner else LAST if loser else None


class PersonRank(NamedTuple):
    """A rank in the game with that key, of a person at a table (ids), and what else was asked for."""

    key: tuple[bool, int]
    person: int
    rank: int
    table: int
    more: tuple[Any, ...]


def games_of(placings: QuerySet[Placing]) -> list[RatedGame]:
    """The games of these placings in the order they ended. All tables of a play-off are one game. One query."""
    games: dict[tuple[bool, int], RatedGame] = {}
    for rank in ranks_in(placings, "table__game", "table__night__on", "table__night", "table__ended_at"):
        game, on, night, ended = rank.more
        rated = games.setdefault(rank.key, RatedGame(game=game, on=on, night=night, ended=ended, table=rank.table))
        rated.ended = max(rated.ended, ended)
        rated.take(rank)
    return sorted(games.values(), key=lambda rated: rated.moment)


def ranked_games_of(placings: QuerySet[Placing]) -> list[RankedGame]:
    """The same games in no order, without when they were: to read days and moments takes as long again. One query."""
    games: defaultdict[tuple[bool, int], RankedGame] = defaultdict(RankedGame)
    for rank in ranks_in(placings):
        games[rank.key].take(rank)
    return list(games.values())


def ranks_in(placings: QuerySet[Placing], *more: str) -> Iterator[PersonRank]:
    """The ranks of these placings, with `more` columns of each. One query."""
    called_off = Q(table__stage__play_off__called_off_at__isnull=False)
    rows = placings.annotate(who=Coalesce("member__same_as", "member"), called_off=called_off).order_by("table", "pk")
    columns = ("who", "table", "table__stage__play_off", "called_off", "place", "winner", "loser", *more)
    for person, table, play_off, is_called_off, place, winner, loser, *others in rows.values_list(*columns):
        rank = rank_of(place, winner=winner, loser=loser)
        if rank is None:
            continue
        is_single = play_off is None or is_called_off
        yield PersonRank((is_single, table if is_single else play_off), person, rank, table, tuple(others))


def steps_of(games: Iterable[RatedGame], before: Mapping[tuple[str, int], Skill] | None = None) -> Iterator[Step]:
    """What each game was to everybody in it. `before`: their skills before the first of these games."""
    skills: Skills = dict(before or {})
    for game in games:
        at_table = {person: skills.get((game.game, person), Skill()) for person in game.ranks}
        for person, after in after_game(at_table, game.ranks).items():
            skills[game.game, person] = after
            yield Step(game, person, at_table[person], after)


def people_of(games: Iterable[RatedGame]) -> dict[str, set[int]]:
    """Who is in them, by game (slug)."""
    people: defaultdict[str, set[int]] = defaultdict(set)
    for game in games:
        people[game.game].update(game.ranks)
    return people
