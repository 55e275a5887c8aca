"""A standing by another scheme, beside the one that is kept."""

from __future__ import annotations

from dataclasses import dataclass

from clubs.models import Club, Member, Season, Standing
from clubs.standings.compute import Position, positions
from clubs.standings.schemes import Terms


@dataclass(frozen=True)
class Supposed:
    """Where somebody would stand, and where they do (None: without a place, or not in it)."""

    member: Member
    stood: Position
    place_now: int | None

    @property
    def moves(self) -> int | None:
        """By so many places up, or down (below zero)."""
        place = self.stood.ranked.place
        return None if place is None or self.place_now is None else self.place_now - place


def supposed(club: Club, season: Season | None, terms: Terms) -> list[Supposed]:
    """Everybody in the order those terms would put them in."""
    now = dict(Standing.objects.filter(club=club, season=season).values_list("member", "place"))
    stood = positions(club, season, terms=terms)
    members = Member.objects.in_bulk(stood.keys())
    return [Supposed(members[pk], row, now.get(pk)) for pk, row in stood.items()]
