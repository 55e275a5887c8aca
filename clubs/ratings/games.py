"""The games by which people are rated, in the order they ended, and the skill of everybody after each of them."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from clubs.models import Placing
from clubs.ratings.skill import Skill, after_game

#: What of a placing is read, behind the person whose it is.
COLUMNS = (
    "table__game", "table__night__on", "table__night", "table__ended_at", "table", "table__stage__play_off",
    "table__stage__play_off__called_off_at", "place", "winner", "loser",
)  # fmt: skip
#: Behind every place.
LAST = 100_000
#: By game (slug) and person (id of the record that counts).
Skills = dict[tuple[str, int], Skill]


@dataclass
class RatedGame:
    """A game: on which night, when its last table ended, and the rank and the table (ids) of each person in it."""

    game: str
    on: datetime.date
    night: int
    ended: datetime.datetime
    table: int
    ranks: dict[int, int] = field(default_factory=dict)
    tables: dict[int, int] = field(default_factory=dict)

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


def games_of(placings: QuerySet[Placing]) -> list[RatedGame]:
    """The games of these placings in the order they ended. All tables of a play-off are one game. One query."""
    games: dict[tuple[bool, int], RatedGame] = {}
    rows = placings.annotate(who=Coalesce("member__same_as", "member")).order_by("table", "pk")
    for person, game, on, night, ended, table, play_off, called_off, place, winner, loser in rows.values_list(
        "who", *COLUMNS
    ):
        rank = rank_of(place, winner=winner, loser=loser)
        if rank is None:
            continue
        is_single = play_off is None or called_off is not None
        key = (is_single, table if is_single else play_off)
        rated = games.setdefault(key, RatedGame(game, on, night, ended, table))
        rated.ended = max(rated.ended, ended)
        if rank < rated.ranks.get(person, LAST + 1):
            rated.ranks[person], rated.tables[person] = rank, table
    return sorted(games.values(), key=lambda rated: rated.moment)


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
