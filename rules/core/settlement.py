"""How a game ended, or what is still open about it after the last hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.core.hands import Hand, Row
    from rules.core.placings import Placing
    from rules.core.problems import Problem
    from rules.core.steps import Address, Ask


@dataclass(frozen=True)
class Waiting:
    """What a sheet waits for: ``hand`` (its number), ``tie-break`` (seats, cards) or ``draw`` (seats)."""

    what: str
    number: int | None = None
    seats: tuple[int, ...] = ()
    cards: int | None = None


@dataclass(frozen=True)
class Settlement:
    """How a game ended, or what is still open about it after the last hand.

    ``ties`` are the blind hands played, as rows whose points count apart; ``draws`` the cards drawn, by
    seat. ``asks`` with ``hand`` are what may be written down now. ``problems`` belong to the step that did not fit.
    """

    placings: tuple[Placing, ...] = ()
    winner: int | None = None
    loser: int | None = None
    waiting: tuple[Waiting, ...] = ()
    ties: tuple[Row, ...] = ()
    draws: tuple[Mapping[int, str], ...] = ()
    tied: tuple[tuple[int, ...], ...] = ()
    hand: Hand | None = None
    asks: tuple[Ask, ...] = ()
    read: frozenset[Address] = frozenset()
    problems: tuple[Problem, ...] = ()
