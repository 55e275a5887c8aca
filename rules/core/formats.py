"""Formats: a game lasts a fixed list of hands, is a race to a target in legs, or has an open end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FixedHands:
    """The game ends after ``hands`` hands."""

    hands: int


@dataclass(frozen=True)
class Race:
    """A leg ends when one seat alone leads with ``target`` or more.

    ``legs_to_win`` legs (rubbers, games) win the match; None: there are no legs, the one race is the game.
    """

    target: int
    legs_to_win: int | None = None


@dataclass(frozen=True)
class OpenEnd:
    """The game ends with the hand in which any total comes to ``target``, whoever has it, alone or not.

    Without a target (None) it goes on until the table ends it. Who wins is said by ``Game.lowest_wins``.
    """

    target: int | None = None


Format = FixedHands | Race | OpenEnd


@dataclass(frozen=True)
class Leg:
    """A finished rubber or game: who won it, by which hand, and the totals it ended with, by seat."""

    winner: int
    totals: dict[int, int]
    hand: int
