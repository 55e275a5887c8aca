"""Standings of all time and of seasons."""

from __future__ import annotations

from collections.abc import Sequence

from clubs.api.documents.clubs import person_document
from clubs.api.shapes import Named, Number, page_of
from clubs.models import Club, Season
from clubs.standings.export import FIGURES, described, row_data
from clubs.standings.league import ALL_TIME, League, StandingLine
from rules.core.files.schema import AnyObject, Date, Flag, ListOf, Members, OrNull, Shape, Text, Whole

OF_A_SEASON: dict[str, Shape] = {
    "uid": Text(), "name": Text(), "begins": OrNull(Date()), "ends": OrNull(Date()), "locked": Flag(),
    "games": ListOf(Text()),
}  # fmt: skip
SEASON = Named("Season", Members(OF_A_SEASON, {}))
ROW = Named("StandingRow", Members(
    {
        "place": OrNull(Whole(1)), "place_before": OrNull(Whole(1)), "name": Text(), "member": OrNull(Text()),
        **{figure: OrNull(Number()) for figure in FIGURES}, "reason": Text(),
    },
    {},
))  # fmt: skip
STANDING = Named("Standing", page_of("standing", ROW, {
    **OF_A_SEASON, "scheme": Text(), "numbers": AnyObject(), "ties": ListOf(Text()), "drops": Whole(0),
    "least_nights": Whole(0),
}))  # fmt: skip


def seasons_of(club: Club) -> list[dict[str, object]]:
    """What a standing can be asked of, all time first. One query."""
    return [season_document(None), *(season_document(season) for season in club.seasons.standing())]


def season_document(season: Season | None) -> dict[str, object]:
    """A season; None: all time, whose uid is "all-time"."""
    return {
        "uid": season.uid if season else ALL_TIME, "name": season.name if season else "All time",
        "begins": season.begins.isoformat() if season else None, "ends": season.ends.isoformat() if season else None,
        "locked": bool(season and season.locked_at), "games": list(season.games) if season else [],
    }  # fmt: skip


def head_of(league: League) -> dict[str, object]:
    """By what the standing is counted."""
    by_name = described(league)
    terms = {name: by_name[name] for name in ("scheme", "numbers", "ties", "drops", "least_nights")}
    return season_document(league.season) | terms


def row_documents(lines: Sequence[StandingLine]) -> list[dict[str, object]]:
    return [row_data(line) | person_document(line.member) for line in lines]
