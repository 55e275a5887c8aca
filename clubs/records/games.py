"""The past games of a club."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse

from clubs.models import Club, PersonalBest, Placing, Season, Table
from clubs.records.hands import Person, hand_url, number_in
from rules import all_games
from rules.core.game import Game

#: How a game can have gone for somebody: in words, and as a question to the database about their placing.
WENT: dict[str, tuple[str, dict[str, Any]]] = {
    # Also those whose win was shared: see `tables`.
    "won": ("won", {}),
    "lost": ("lost", {"placings__loser": True}),
    "clean": (
        "a clean run",
        {"placings__bids__gt": 0, "placings__bids": F("placings__hands"), "placings__made": F("placings__bids")},
    ),
}


#: That somebody has won a table who had gone home.
AWAY = Placing.objects.filter(table=OuterRef("pk"), winner=True, place__isnull=True)


@dataclass(frozen=True)
class WantedGames:
    """Which games are asked for; None and "" where anything will do."""

    game: Game | None = None
    season: Season | None = None
    person: Person | None = None
    #: Who sat at the same table, and whether they ended on the next place.
    other: Person | None = None
    beside: bool = False
    place: int | None = None
    went: str = ""

    @classmethod
    def from_query(
        cls, query: Mapping[str, str], seasons: Iterable[Season], person: Person | None, other: Person | None
    ) -> WantedGames | None:
        """What the address asks for; None where it asks for what there is not."""
        game = next((game for game in all_games() if game.slug == query.get("game")), None)
        season = next((season for season in seasons if str(season.pk) == query.get("season")), None)
        place, went = number_in(query, "place"), query.get("went", "")
        unknown = (query.get("game") and not game) or (query.get("season") and not season)
        if unknown or place == -1 or (went and went not in WENT):
            return None
        return cls(game, season, person, other, bool(query.get("beside")), place, went)

    @property
    def is_narrow(self) -> bool:
        """Whether it asks how games went, so that only those can be meant that count."""
        return bool(self.person and (self.place or self.went or self.other))

    @cached_property
    def says(self) -> list[str]:
        """What the games have in common beside game, season and member, in a few words each."""
        phrases = []
        if self.place:
            phrases.append(f"place {self.place}")
        if self.went:
            phrases.append(WENT[self.went][0])
        return phrases

    def tables(self, club: Club) -> QuerySet[Table]:
        """The games, the latest first."""
        tables = Table.objects.standing().filter(night__club=club, ended_at__isnull=False)
        if self.person is None:
            tables = tables.one_a_game()
        if self.game:
            tables = tables.filter(game=self.game.slug)
        if self.season:
            tables = tables.filter(night__on__range=(self.season.begins, self.season.ends), night__for_fun=False)
            if self.season.games:
                tables = tables.filter(game__in=self.season.games)
        if self.person:
            # Joined, and not as a list of tables: the database goes from placings to tables, not the other way.
            mine: dict[str, Any] = {"placings__member__in": self.person.members}
            if self.place:
                mine["placings__place"] = self.place
            tables = tables.filter(**mine, **(WENT[self.went][1] if self.went else {}))
            if self.went == "won":
                tables = tables.annotate(was=F("placings__place"), won=F("placings__winner"))
                tables = tables.filter(Q(won=True) | Q(Q(was=1), ~Exists(AWAY)))
        if self.person and self.other:
            tables = tables.annotate(mine=F("placings__place")).filter(Exists(self.of_the_other(self.other)))
        if self.is_narrow:
            tables = tables.filter(night__for_fun=False)
        return tables.order_by("-night__on", "-pk")

    def of_the_other(self, other: Person) -> QuerySet[Placing]:
        """The other's placing in the same game, which of a play-off can be at another of its tables; if so asked at
        the same table, on the place next to `mine`.
        """
        theirs = Placing.objects.filter(member__in=other.members)
        if not self.beside:
            same_play_off = Q(
                table__stage__play_off=OuterRef("stage__play_off"), table__stage__play_off__called_off_at__isnull=True
            )
            return theirs.filter(Q(table=OuterRef("pk")) | same_play_off)
        theirs = theirs.filter(table=OuterRef("pk"))
        mine, their = OuterRef(OuterRef("mine")), OuterRef("place")
        there = Placing.objects.filter(table=OuterRef("table"))
        up, down = there.filter(place__lt=their, place__gt=mine), there.filter(place__gt=their, place__lt=mine)
        return theirs.filter(~Exists(up), ~Exists(down), players__gt=2)


def games_url(club: Club, **query: object) -> str:
    """The list of those games."""
    given = {name: value for name, value in query.items() if value not in (None, "", 0)}
    there = reverse("games", args=[club.slug])
    return f"{there}?{urlencode(given)}" if given else there


@dataclass(frozen=True)
class GameLine:
    """A game in the list: where it is opened, who won and lost, and how it went for whoever the list is of.

    Of a play-off `table` is a final, or where whoever the list is of has played last.
    """

    table: Table
    url: str
    game: str
    winners: list[Placing]
    losers: list[Placing]
    mine: Placing | None

    @property
    def is_won(self) -> bool:
        """Whether it was won by whoever the list is of, alone or together with others."""
        return self.mine in self.winners


def game_lines(club: Club, tables: Iterable[Table], person: Person | None = None) -> list[GameLine]:
    """The games with their placings, of a play-off those of all its tables. One query."""
    tables = list(tables)
    play_offs = {table.stage.play_off_id for table in tables if is_of_play_off(table) and table.stage}
    rows = Placing.objects.filter(Q(table__in=tables) | Q(table__stage__play_off__in=play_offs))
    placings: dict[tuple[str, int | None], list[Placing]] = {}
    for placing in rows.select_related("member__same_as", "table__stage__play_off").order_by("place", "pk"):
        placings.setdefault(game_of(placing.table), []).append(placing)
    names = {game.slug: game.name for game in all_games()}
    lines = []
    for table in tables:
        there = placings.get(game_of(table), [])
        lines.append(
            GameLine(
                table,
                url_of(club, table),
                names.get(table.game, table.game),
                [placing for placing in there if placing.winner] or [p for p in there if p.place == 1],
                [placing for placing in there if placing.loser],
                next((p for p in there if person and p.member_id in person.members), None),
            )
        )
    return lines


def is_of_play_off(table: Table) -> bool:
    """Whether it is one of the tables of a play-off, and no game of its own."""
    return table.stage is not None and table.stage.play_off.called_off_at is None


def game_of(table: Table) -> tuple[str, int | None]:
    """What tells games apart: tables, and play-offs, which have several."""
    return ("play-off", table.stage.play_off_id) if table.stage and is_of_play_off(table) else ("table", table.pk)


#: What `url_of` reads of a table, and the day: for a query of many games.
OF_URL = ("night__on", "sheet__watch", "stage__play_off__called_off_at")


def url_of(club: Club, table: Table) -> str:
    """Where a game of the past is opened: its play-off, its sheet for who watches, or its night where it has none."""
    if is_of_play_off(table):
        return reverse("play_off", args=[club.slug, table.night_id])
    if table.sheet is not None:
        return reverse("watch", args=[table.sheet.watch])
    return reverse("night", args=[club.slug, table.night_id])


def personal_best_url(club: Club, personal_best: PersonalBest) -> str:
    """Where a personal best stands: its hand on the sheet, or the night where there is no sheet."""
    if personal_best.table.sheet is None:
        return reverse("night", args=[club.slug, personal_best.table.night_id])
    return hand_url(personal_best.table.sheet.watch, personal_best.hand)
