"""What the nights that are left out do: for each row of a standing which they are, and how it would stand with them."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from clubs.models import Club, Member, Season
from clubs.standings.compute import results_of, terms_of, with_scores
from clubs.standings.schemes import Result, Terms, dropped, nights_of, rank, tally


@dataclass(frozen=True, order=True)
class DroppedNight:
    """A night that is left out of somebody's points: its day, and what it was worth to them."""

    on: datetime.date
    points: int


@dataclass(frozen=True)
class DroppedRow:
    """A row of the standing: with its worst nights left out, and as it would be with every night counted.

    A place is None where there were too few nights or games.
    """

    member: Member
    place: int | None
    points: Decimal
    nights: tuple[DroppedNight, ...]
    place_with_all: int | None
    points_with_all: Decimal

    @property
    def moves(self) -> int:
        """By so many places higher leaving out puts them, or lower (below zero)."""
        return 0 if self.place is None or self.place_with_all is None else self.place_with_all - self.place


def dropped_rows(club: Club, season: Season) -> list[DroppedRow]:
    """Everybody's row, by the places of now; none where nothing is left out. Five queries at most."""
    terms = with_scores(terms_of(season), club, season)
    if not terms.drops:
        return []
    results = results_of(club, season, None)
    members = Member.objects.in_bulk(results.keys())
    counted = {person: tally(games, terms) for person, games in results.items()}
    with_all = {person: tally(games, replace(terms, drops=0)) for person, games in results.items()}
    places, places_with_all = rank(counted, terms), rank(with_all, terms)
    rows = [
        DroppedRow(
            members[person], ranked.place, counted[person].points, nights_left_out(results[person], terms),
            places_with_all[person].place, with_all[person].points,
        )
        for person, ranked in places.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row.place is None, row.place or 0, row.member.shown.casefold()))


def nights_left_out(results: Sequence[Result], terms: Terms) -> tuple[DroppedNight, ...]:
    """The nights of one person that are left out, the earliest first."""
    nights = nights_of(results, terms)
    days = {result.night: result.on for result in results}
    return tuple(sorted(DroppedNight(days[night], nights[night]) for night in dropped(nights, terms.drops)))
