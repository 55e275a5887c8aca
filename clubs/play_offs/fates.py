"""Destinations of the players of a play-off table, by its cut."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from rules.core.outcome import Cut
from rules.core.playoffs.cut import sizes_of_groups
from rules.core.playoffs.plan import next_places
from scoresheets.log.occupants import Chair

NOBODY = Cut((), (), (), ())


def places_for(players: int, most: int) -> int | None:
    """How many are proposed to go on from each table where they are too many for one; None: one table is enough.

    >>> [places_for(players, 10) for players in (10, 12, 21, 60)]
    [None, 3, 3, 1]
    """
    return None if players <= most else next_places(sizes_of_groups(players, most=most))


def fates_of(cut: Cut) -> dict[int, str]:
    """Where everybody in a cut goes; "tied" where that is open."""
    tied = {player for tie in cut.ties for player in tie.players}
    sure = {player: fate for fate in ("through", "below", "out") for player in getattr(cut, fate)}
    return sure | dict.fromkeys(tied, "tied")


def of_players(cut: Cut, chairs: Mapping[int, Chair]) -> Cut:
    """The cut of seats, said of the players who sit there."""

    def players(seats: Collection[int]) -> tuple[int, ...]:
        return tuple(chairs[seat].player for seat in seats)

    ties = tuple(replace(tie, players=players(tie.players)) for tie in cut.ties)
    return Cut(players(cut.through), players(cut.below), players(cut.out), ties)
