"""Figures of a standing that can be compared only within one game, such as the average score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.db.models import Avg, Count, ExpressionWrapper, F, FloatField, Max, Min, Q, Sum
from django.db.models.functions import Coalesce

from clubs.models import Club, Member, Season
from clubs.ratings.skill import Skill
from clubs.ratings.store import ratings_now
from clubs.standings.compute import compare, counting_placings, counting_tables
from clubs.standings.evidence import WON
from clubs.standings.schemes import HUNDREDTH, mean

#: Of a placing: twice the share of the table beaten, of which those who share a place have the mean.
AHEAD = 2 * (F("players") - F("place")) - F("sharing")
SHARE = ExpressionWrapper(100.0 * AHEAD / (2 * (F("players") - 1)), output_field=FloatField())


@dataclass(frozen=True)
class OneGameLine:
    """What one person's games of one game come to. `share`: of the table beaten, in percent.

    `skill`: their rating, None where there is none, or where it is of a season.
    """

    member: Member
    games: int
    won: int
    lost: int
    share: Decimal | None
    average: Decimal | None
    best: int | None
    worst: int | None
    skill: Skill | None = None


def games_in(club: Club, season: Season | None) -> dict[str, int]:
    """How many tables count in that standing, by slug of their game, the most played first. One query."""
    rows = (
        counting_tables(club, season).order_by().values("game").annotate(tables=Count("pk")).order_by("-tables", "game")
    )
    return {row["game"]: row["tables"] for row in rows}


def lines_in(club: Club, season: Season | None, game: str) -> list[OneGameLine]:
    """Everybody who has played it, the best average first; where scores cannot be compared, who has beaten most of the
    tables. Two queries; of all time a third, for the ratings.
    """
    placings = (
        counting_placings(club, season).filter(table__game=game).annotate(who=Coalesce("member__same_as", "member"))
    )
    rows = list(
        placings.order_by().values("who").annotate(
            of_games=Count("pk"), of_won=Count("pk", filter=WON), of_lost=Count("pk", filter=Q(loser=True)),
            of_share=Avg(SHARE, filter=Q(place__isnull=False, players__gt=1)),
            of_score=Sum("score"), of_scored=Count("score"), of_best=Max("score"), of_worst=Min("score"),
        )
    )  # fmt: skip
    members = Member.objects.in_bulk([row["who"] for row in rows])
    skills = {} if season else ratings_now(game, members.keys())
    lines = [one_game_line(members[row["who"]], row, skills.get(row["who"])) for row in rows]
    if not compare([game]):
        lines = [replace(line, average=None, best=None, worst=None) for line in lines]
    return sorted(lines, key=order_of)


def one_game_line(member: Member, row: Mapping[str, Any], skill: Skill | None) -> OneGameLine:
    share = None if row["of_share"] is None else Decimal(row["of_share"]).quantize(HUNDREDTH)
    average = mean(row["of_score"] or 0, row["of_scored"])
    return OneGameLine(
        member, row["of_games"], row["of_won"], row["of_lost"], share, average, row["of_best"], row["of_worst"],
        skill,
    )  # fmt: skip


def order_of(line: OneGameLine) -> tuple[bool, Decimal | int, Decimal | int, str]:
    return line.average is None, -(line.average or 0), -(line.share or 0), line.member.shown.casefold()
