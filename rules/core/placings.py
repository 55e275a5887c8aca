"""Placings: box, circle and places. Equal totals share a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

Seat = TypeVar("Seat")


@dataclass(frozen=True)
class Placing:
    """A seat's place at the end (1, 2, 2, 4) with the score it stands for."""

    place: int
    seat: int
    score: int


def boxed(totals: Mapping[int, int]) -> tuple[int, ...]:
    """The seats with the top total: all of them, where several share it.

    >>> boxed({1: 12, 2: 7, 3: 12})
    (1, 3)
    """
    return tuple(seat for seat, total in totals.items() if total == max(totals.values()))


def circled(totals: Mapping[int, int]) -> tuple[int, ...]:
    """The seats with the bottom total: all of them, where several share it.

    >>> circled({1: 12, 2: 7, 3: 12})
    (2,)
    """
    return tuple(seat for seat, total in totals.items() if total == min(totals.values()))


def box_and_circle(totals: Mapping[int, int], *, lowest_wins: bool = False) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The seats with the best total and those with the worst: the box is round the lowest where the lowest wins.

    >>> box_and_circle({1: 12, 2: 7, 3: 12}), box_and_circle({1: 12, 2: 7, 3: 12}, lowest_wins=True)
    (((1, 3), (2,)), ((2,), (1, 3)))
    """
    top, bottom = boxed(totals), circled(totals)
    return (bottom, top) if lowest_wins else (top, bottom)


def place_of(totals: Mapping[int, int], seat: int, *, lowest_wins: bool = False) -> int:
    """The place of a seat by the totals alone: equal totals share one.

    >>> place_of({1: 12, 2: 7, 3: 12}, 2), place_of({1: 12, 2: 7, 3: 12}, 3, lowest_wins=True)
    (3, 2)
    """
    own = totals[seat]
    return 1 + sum(total < own if lowest_wins else total > own for total in totals.values())


def ranked(
    seats: Iterable[int], key: Callable[[int], tuple[int, ...]], score: Callable[[int], int]
) -> tuple[Placing, ...]:
    """Places by ``key``, the greatest first; equal keys share a place and the next ones are skipped.

    Seats that share a place keep the order they came in, which decides nothing.

    >>> points = {1: 5, 2: 9, 3: 5, 4: 0}
    >>> [(p.place, p.seat) for p in ranked(points, lambda s: (points[s],), points.__getitem__)]
    [(1, 2), (2, 1), (2, 3), (4, 4)]
    """
    seats = tuple(seats)
    keys = {seat: key(seat) for seat in seats}
    places = {seat: 1 + sum(other > keys[seat] for other in keys.values()) for seat in seats}
    return tuple(Placing(places[seat], seat, score(seat)) for seat in sorted(seats, key=places.__getitem__))


class SeatNumber(int):
    """A seat in a result, to be said by name."""


class SeatList(tuple[int, ...]):
    """Several seats in a result, to be said by name, in seat order."""

    __slots__ = ()
