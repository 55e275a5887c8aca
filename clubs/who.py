"""Who the players of sheets are in a club."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from django.db.models import prefetch_related_objects

from clubs.placings import members_of_players

if TYPE_CHECKING:
    from collections.abc import Collection

    from clubs.models import Club, Member


class Who:
    """Who players are in the club, looked up for all of them together as soon as somebody asks for one."""

    def __init__(self, club: Club | None = None, players: Collection[int] = ()) -> None:
        self.club, self.players = club, players

    @cached_property
    def members(self) -> dict[int, Member]:
        """By their players (ids). Two queries; a third for merged records."""
        found = members_of_players(self.club, self.players) if self.club else {}
        prefetch_related_objects([member for member in found.values() if member.same_as_id], "same_as")
        return {player: member.who for player, member in found.items()}


NOBODY_KNOWN = Who()
