"""Seats among a game's own keys of a result document, so that they can be told from counts and said by name."""

from __future__ import annotations


class SeatNumber(int):
    """A seat in a result, to be said by name."""


class SeatList(tuple[int, ...]):
    """Several seats in a result, to be said by name, in seat order."""

    __slots__ = ()
