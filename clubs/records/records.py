"""The records of a club."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.urls import reverse

from clubs.models import Club, Member, PersonalBest, Standing, Table
from clubs.records.bests import RecordKind, best_of, kinds_of
from clubs.records.games import personal_best_url
from clubs.standings.league import ALL_TIME
from rules.core.numbers import bare, percent_text

#: So many of the best are shown of each record.
BEST = 3
#: Whose share of bids made counts as a record must have bid so often.
ENOUGH_BIDS = 50


@dataclass(frozen=True)
class RecordLine:
    """One of the best: who, what, when and in which hand (0: the game as a whole), and where it stands."""

    value: str
    member: Member
    on: datetime.date
    hand: int
    url: str
    #: Whether nobody has done better.
    is_first: bool


@dataclass(frozen=True)
class Record:
    """A record with those who came nearest to it, the best first; equal ones share it.

    `has_more`: others are level with the last of the lines, and came later.
    """

    name: str
    meaning: str
    lines: Sequence[RecordLine]
    has_more: bool = False


@dataclass(frozen=True)
class Most:
    """Something that adds up over years, and who has the most of it."""

    name: str
    value: str
    #: With the page of what it is made of.
    people: Sequence[tuple[Member, str]]
    #: Of a share that one person has alone: what it is made of, "188 of 262 made".
    counts: str = ""


def club_records(club: Club, game: str) -> list[Record]:
    """The records of that game. One query."""
    kinds = kinds_of(game)
    best = best_of(PersonalBest.objects.counting().filter(club=club, game=game), kinds, BEST + 1)
    return [record_of(club, kind, best[kind.key]) for kind in kinds if best[kind.key]]


def record_of(club: Club, kind: RecordKind, personal_bests: Sequence[PersonalBest]) -> Record:
    """A record with the best of its kind, one more than are shown."""
    shown, more = personal_bests[:BEST], personal_bests[BEST:]
    lines = [record_line(club, kind, best, personal_bests[0]) for best in shown]
    return Record(kind.name, kind.meaning, lines, any(best.value == shown[-1].value for best in more))


def record_line(club: Club, kind: RecordKind, personal_best: PersonalBest, first: PersonalBest) -> RecordLine:
    """A personal best as the page shows it."""
    value = f"{bare(personal_best.value)} {kind.unit_of(personal_best.value)}".strip()
    on = personal_best.table.night.on
    return RecordLine(
        value,
        personal_best.member.main_record,
        on,
        personal_best.hand,
        personal_best_url(club, personal_best),
        personal_best.value == first.value,
    )


def played_games(club: Club) -> dict[str, int]:
    """How many games that count the club has played, by slug of the game, the most played first. One query."""
    rows = (
        Table.objects.counting()
        .one_a_game()
        .filter(night__club=club)
        .values("game")
        .annotate(games=Count("pk"))
        .order_by("-games")
    )
    return {row["game"]: row["games"] for row in rows}


#: What adds up over years: its name, what a standing calls it, what it says of it, and how it is shown.
SUMS: tuple[tuple[str, str, Callable[[Standing], float], Callable[[Standing], str]], ...] = (
    ("Most games", "games", lambda standing: standing.games, lambda standing: str(standing.games)),
    ("Most games won", "won", lambda standing: standing.won, lambda standing: str(standing.won)),
    ("Most games lost", "lost", lambda standing: standing.lost, lambda standing: str(standing.lost)),
    ("Most boxes", "boxes", lambda standing: standing.boxes, lambda standing: str(standing.boxes)),
    ("Most circles", "circles", lambda standing: standing.circles, lambda standing: str(standing.circles)),
    (
        "Surest bidder",
        "made",
        lambda standing: float(standing.made_share or 0) if standing.bids >= ENOUGH_BIDS else 0,
        lambda standing: percent_text(standing.made, standing.bids),
    ),
)


def over_the_years(club: Club) -> list[Most]:
    """Who has the most of everything that adds up, from the club's standing that nobody had to choose. One query."""
    standings = list(
        Standing.objects.filter(club=club, season__isnull=True).select_related("member").order_by("place", "pk")
    )
    records = []
    for name, figure, of, shown in SUMS:
        top = max((of(standing) for standing in standings), default=0)
        if top > 0:
            first = [standing for standing in standings if of(standing) == top]
            urls = [reverse("behind", args=[club.slug, ALL_TIME, standing.member_id, figure]) for standing in first]
            people = [standing.member for standing in first]
            counts = f"{first[0].made} of {first[0].bids} made" if figure == "made" and len(first) == 1 else ""
            records.append(Most(name, shown(first[0]), list(zip(people, urls, strict=True)), counts))
    return records
