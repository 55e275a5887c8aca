"""The evidence of a figure in a standing: its games, or its hands, one by one."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from clubs.models import Club, Member, Placing, PlayerAlias, Season, Standing
from clubs.models.member import of_person
from clubs.standings.compute import counting_placings, counting_tables, rating_course, results_of, terms_of
from clubs.standings.schemes import dropped, nights_of, share_beaten
from scoresheets.models import HandFact


@dataclass(frozen=True)
class Evidence:
    """A figure of a standing: what its page is headed, and which games or hands are in it.

    `extreme`: only games with the very score that stands in that column of the row.
    """

    heading: str
    games: Q | None = None
    hands: Q | None = None
    extreme: str = ""


AWAY = Placing.objects.filter(table=OuterRef("table"), winner=True, place__isnull=True)
#: Also those whose win was shared; not those that somebody won who had gone home.
WON = Q(winner=True) | Q(Q(place=1), ~Exists(AWAY))
SCORED = Q(score__isnull=False)
#: Went home early and was given the win or the last place.
AWAY_DECIDED = Q(place__isnull=True, players__gt=0) & (Q(winner=True) | Q(loser=True))

FIGURES = {
    "points": Evidence("What counts", Q()),
    "nights": Evidence("Nights", Q()),
    "games": Evidence("Games", Q()),
    "won": Evidence("Games won", WON),
    "lost": Evidence("Games lost", Q(loser=True)),
    "share": Evidence("Share of the table beaten", Q(place__isnull=False, players__gt=1) | AWAY_DECIDED),
    "score": Evidence("Scores", SCORED),
    "average": Evidence("Scores behind the average", SCORED),
    "best": Evidence("Best game", SCORED, extreme="best"),
    "worst": Evidence("Worst game", SCORED, extreme="worst"),
    "hands": Evidence("Hands", hands=Q()),
    "boxes": Evidence("Hands that ended in the box", hands=Q(box=True)),
    "circles": Evidence("Hands that ended in the circle", hands=Q(circle=True)),
    "bids": Evidence("Hands with a bid", hands=Q(bid__isnull=False)),
    "made": Evidence("Bids made", hands=Q(bid=F("tricks"))),
}


def ids_of_person(club: Club, member: Member) -> list[int]:
    """The ids of all records of that person."""
    return [member.pk, *club.members.filter(same_as=member).values_list("pk", flat=True)]


def games_behind(club: Club, season: Season | None, row: Standing, figure: Evidence) -> QuerySet[Placing]:
    """The games of that person that the figure is made of, the latest first, with table, night and sheet."""
    games = counting_placings(club, season).filter(of_person(row.member_id))
    if figure.games is not None:
        games = games.filter(figure.games)
    if figure.extreme:
        games = games.filter(score=getattr(row, figure.extreme))
    return games.select_related("table__night", "table__sheet", "table__stage__play_off").order_by(
        "-table__night__on", "-table__night", "table"
    )


def hands_behind(club: Club, season: Season | None, row: Standing, figure: Evidence) -> QuerySet[HandFact]:
    """The hands of that person that the figure is made of, the latest first, with sheet, table and night."""
    records = ids_of_person(club, row.member)
    players = Q(player__in=Member.objects.filter(pk__in=records).values("player"))
    players |= Q(player__in=PlayerAlias.objects.filter(club=club, member__in=records).values("player"))
    sheets = counting_tables(club, season).filter(sheet__isnull=False).values("sheet")
    facts = HandFact.objects.filter(players, figure.hands or Q(), sheet__in=sheets)
    return facts.select_related("sheet__table__night", "seat").order_by("-sheet__table__night__on", "sheet", "hand")


def typed_behind(club: Club, season: Season | None, row: Standing, name: str) -> int:
    """How much of a figure of hands was typed in with results of the past, which have no hands."""
    games = games_behind(club, season, row, FIGURES["games"]).filter(table__sheet__isnull=True)
    return sum(games.values_list(name, flat=True))


@dataclass(frozen=True)
class Worth:
    """A game and what it counts, or by how much it moved a rating.

    `is_left_out`: its night is one of the worst, which are left out.
    """

    game: Placing
    points: int
    is_left_out: bool
    #: In percent; None: nobody could be beaten.
    share: Decimal | None = None


def worths(club: Club, season: Season | None, row: Standing, games: list[Placing]) -> list[Worth]:
    """What these games count for that person by the scheme of the season."""
    terms = terms_of(season)
    # Which nights are left out is told by all of them.
    tables = None if terms.drops else [game.table_id for game in games]
    results = [result for games in results_of(club, season, {row.member_id}, tables).values() for result in games]
    out = dropped(nights_of(results, terms), terms.drops)
    worth: dict[Hashable, int]
    if terms.scheme.is_rating:
        worth = {step.table: step.moved for step in rating_course(club, season) if step.person == row.member_id}
    else:
        worth = {result.table: terms.scheme.worth(result, terms.numbers) for result in results}
    shares = {result.table: share_beaten(result) for result in results}
    return [
        Worth(game, worth.get(game.table_id, 0), game.table.night_id in out, in_percent(shares.get(game.table_id)))
        for game in games
    ]


def in_percent(share: int | None) -> Decimal | None:
    return None if share is None else Decimal(share) / 100
