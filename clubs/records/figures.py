"""Statistics on a member's page: their games and places, and for one game all figures from their hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum

from clubs.models import Club, PersonalBest
from clubs.records.bests import RecordKind, best_of, kinds_of
from clubs.records.hands import Person, counted_placings, counted_sheets, hands_url
from clubs.standings.evidence import WON
from rules.core.game import Game
from rules.core.numbers import bare, percent, percent_text
from rules.core.texts import Figure
from scoresheets.models import HandFact, HandMark


@dataclass
class GamesSum:
    """What somebody's games in one game, or in all, come to. `places`: how often they ended on which place."""

    games: int = 0
    won: int = 0
    lost: int = 0
    clean_runs: int = 0
    hands: int = 0
    boxes: int = 0
    circles: int = 0
    score: int = 0
    scored: int = 0
    places: Counter[int] = field(default_factory=Counter)

    def add(self, row: Mapping[str, Any]) -> None:
        """One more row of the database: their games on one place."""
        for name in ("games", "won", "lost", "clean_runs", "hands", "boxes", "circles", "score", "scored"):
            setattr(self, name, getattr(self, name) + (row[f"of_{name}"] or 0))
        if row["place"] is not None:
            self.places[row["place"]] += row["of_games"]

    @property
    def average(self) -> str:
        """The score a game, with one decimal; "" where no score is known."""
        return decimal(self.score, self.scored) if self.scored else ""


@dataclass
class Tally:
    """So many hands: how the bids came out, and what they brought."""

    hands: int = 0
    made: int = 0
    high: int = 0
    low: int = 0
    points: int = 0

    def add(self, row: Mapping[str, Any]) -> None:
        for name in ("hands", "made", "high", "low", "points"):
            setattr(self, name, getattr(self, name) + row[f"of_{name}"])

    def join(self, other: Tally) -> None:
        """Take another one's hands in."""
        self.add({f"of_{name}": value for name, value in vars(other).items()})

    @property
    def percent(self) -> int:
        """Of the bids, how many were made."""
        return percent(self.made, self.hands)

    @property
    def a_hand(self) -> str:
        """The points a hand."""
        return decimal(self.points, self.hands)


@dataclass(frozen=True)
class ShownFigure:
    """A figure as it stands on the page: "7 %", what that means, and where the hands are that it is made of.

    `unit` stands small after it: what it counts ("tricks"), or of a share the counts ("3 of 41").
    """

    name: str
    text: str
    meaning: str = ""
    url: str = ""
    unit: str = ""


def decimal(total: int, of: int) -> str:
    """A quotient with one decimal, a half away from nought: "−2.5".

    >>> decimal(7, 2), decimal(-5, 2), decimal(-1, 100), decimal(0, 3), decimal(1, 0)
    ('3.5', '−2.5', '0.0', '0.0', '')
    """
    if not of:
        return ""
    tenths = (abs(total) * 20 + of) // (2 * of)
    return f"{'−' if total < 0 and tenths else ''}{tenths // 10}.{tenths % 10}"


def games_of(club: Club, person: Person) -> dict[str, GamesSum]:
    """Their games that count, by slug of the game, those they play most first. One query."""
    rows = (
        counted_placings(club, person.members)
        .values("table__game", "place")
        .order_by("table__game", "place")
        .annotate(
            of_games=Count("pk"),
            of_won=Count("pk", filter=WON),
            of_lost=Count("pk", filter=Q(loser=True)),
            of_clean_runs=Count("pk", filter=Q(bids__gt=0, bids=F("hands"), made=F("bids"))),
            of_hands=Sum("hands"),
            of_boxes=Sum("boxes"),
            of_circles=Sum("circles"),
            of_score=Sum("score"),
            of_scored=Count("score"),
        )
    )
    games: dict[str, GamesSum] = {}
    for row in rows:
        games.setdefault(row["table__game"], GamesSum()).add(row)
    return dict(sorted(games.items(), key=lambda item: (-item[1].games, item[0])))


@dataclass(frozen=True)
class InOneGame:
    """Somebody's hands in one game. The database counts every number: one query each for bids, marks and bests."""

    club: Club
    person: Person
    game: Game

    @cached_property
    def tallies(self) -> dict[tuple[int, int | None], Tally]:
        """By cards and bid, how the hands came out."""
        rows = (
            self.facts()
            .values("cards", "bid")
            .order_by("cards", "bid")
            .annotate(
                of_hands=Count("pk"),
                of_made=Count("pk", filter=Q(bid=F("tricks"))),
                of_high=Count("pk", filter=Q(bid__gt=F("tricks"))),
                of_low=Count("pk", filter=Q(bid__lt=F("tricks"))),
                of_points=Sum("points"),
            )
        )
        tallies: dict[tuple[int, int | None], Tally] = {}
        for row in rows:
            tallies.setdefault((row["cards"], row["bid"]), Tally()).add(row)
        return tallies

    def facts(self) -> QuerySet[HandFact]:
        return HandFact.objects.filter(player__in=self.person.players, sheet__in=self.sheets)

    @property
    def sheets(self) -> QuerySet[Any, Any]:
        return counted_sheets(self.club, self.game.slug, self.person.members)

    def summed(self, by: int | None = None) -> dict[int, Tally]:
        """The tallies of bids by cards (0) or by bid (1). None: all hands in one, under 0."""
        tallies: dict[int, Tally] = {}
        for key, tally in self.tallies.items():
            at = 0 if by is None else key[by]
            if at is not None and (by is None or key[1] is not None):
                tallies.setdefault(at, Tally()).join(tally)
        return dict(sorted(tallies.items()))

    @cached_property
    def all(self) -> Tally:
        """All their hands."""
        return self.summed().get(0, Tally())

    @property
    def has_bids(self) -> bool:
        return self.game.has_bids and self.all.hands > 0

    @property
    def by_cards(self) -> dict[int, Tally]:
        return self.summed(0)

    @property
    def by_bid(self) -> dict[int, Tally]:
        return self.summed(1)

    def url(self, **query: object) -> str:
        """The page of some of their hands."""
        return hands_url(self.club, self.game.slug, member=self.person.member.pk, **query)

    # -- what the game itself counts -------------------------------------------------------------------

    @cached_property
    def figures(self) -> list[ShownFigure]:
        """The game's own figures, of what they have ever done; what is a record stands among their bests."""
        marked = {
            row["mark"]: row
            for row in HandMark.objects.filter(player__in=self.person.players, sheet__in=self.sheets)
            .values("mark")
            .annotate(hands=Count("pk"), total=Sum("value"), most=Max("value"), least=Min("value"))
        }
        return [shown for figure in self.game.figures if not figure.record and (shown := self.shown(figure, marked))]

    def shown(self, figure: Figure, marked: Mapping[str, Mapping[str, Any]]) -> ShownFigure | None:
        """The figure as it stands on the page; None where there is nothing it could be made of."""
        mine = marked.get(figure.mark)
        hands = self.all.hands if not figure.of else marked.get(figure.of, {}).get("hands", 0)
        if not hands:
            return None
        if figure.how == "times":
            return self.shown_share(figure, mine["hands"] if mine else 0, hands)
        if figure.how == "each":
            text = decimal(mine["total"] if mine else 0, hands)
        elif mine:
            text = bare(mine[figure.how])
        else:
            return None
        return ShownFigure(figure.name, text, figure.meaning, self.url_of(figure, is_marked=bool(mine)), figure.unit)

    def shown_share(self, figure: Figure, part: int, hands: int) -> ShownFigure:
        """Out of how many hands it was so many, as a share with the counts small after it."""
        url = self.url_of(figure, is_marked=part > 0)
        return ShownFigure(figure.name, percent_text(part, hands), figure.meaning, url, f"{part} of {hands}")

    def url_of(self, figure: Figure, *, is_marked: bool) -> str:
        """The page of the hands with the figure's mark; where there are none, of those it could have been."""
        return self.url(mark=figure.mark) if is_marked else self.url(mark=figure.of) if figure.of else ""

    @cached_property
    def bests(self) -> list[tuple[RecordKind, PersonalBest]]:
        """Their best and worst in one game or hand, as far as they have any."""
        kinds = kinds_of(self.game.slug)
        mine = PersonalBest.objects.counting().filter(member__in=self.person.members, game=self.game.slug)
        best = best_of(mine, kinds, 1)
        return [(kind, personal_bests[0]) for kind in kinds if (personal_bests := best[kind.key])]
