"""What one game was to one person, and how much of the table they have beaten. Nothing here knows a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

#: The share of a table that was beaten is counted in hundredths of a percent.
WHOLE_TABLE = 10_000


class Result(NamedTuple):
    """What one game was to one person; `place` None: they went home early. `night` and `table` are any keys.

    `sharing`: how many others had the same place.
    """

    night: Hashable
    place: int | None
    score: int | None
    won: bool
    lost: bool
    players: int
    hands: int = 0
    boxes: int = 0
    circles: int = 0
    bids: int = 0
    made: int = 0
    table: Hashable = 0
    sharing: int = 0


def share_of(place: int | None, players: int, sharing: int = 0) -> int | None:
    """How much of the table somebody has beaten, in hundredths of a percent: (n - place) / (n - 1).

    Those who share a place have the mean of the places they take up. None: there is no place, or nobody to beat.

    >>> share_of(1, 6), share_of(6, 6), share_of(2, 4), share_of(1, 4, 1), share_of(1, 3, 2)
    (10000, 0, 6667, 8333, 5000)
    >>> share_of(None, 6), share_of(1, 1)
    (None, None)
    """
    if place is None or players < 2:
        return None
    # Twice as much, so that the mean of two places is a whole number.
    ahead_of = max(0, 2 * (players - place) - sharing)
    return (WHOLE_TABLE * ahead_of + players - 1) // (2 * (players - 1))


def share_beaten(result: Result) -> int | None:
    """The same of a result. Who went home early and was given the win, or the last place, has all of it, or none."""
    if result.place is None and (result.won or result.lost) and result.players:
        return WHOLE_TABLE if result.won else 0
    return share_of(result.place, result.players, result.sharing)
