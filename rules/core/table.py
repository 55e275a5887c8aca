"""The table as a hand finds it, the hand itself, and its row on the sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import wraps
from types import MappingProxyType
from typing import Any, TypeVar

from rules.core.fields import SHEET, Address, Value
from rules.core.formats import Leg
from rules.core.stakes import ALL, Decides


def nothing() -> Mapping[Any, Any]:
    """An empty mapping that stays empty."""
    return MappingProxyType({})


@dataclass(frozen=True)
class Hand:
    """One deal: who deals, who speaks in which order, how many cards, and what has been written down.

    ``order`` starts left of the dealer and ends with the dealer. ``steps`` are the written-down answers by
    the name of their ask, without ``prefix``. A hand of the plan has its number and no prefix; a blind
    hand after the game has number 0 and the prefix ``tie-1-``, so that its address does not depend on
    how many hands were planned.
    """

    number: int
    dealer: int
    order: tuple[int, ...]
    cards: int = 0
    steps: Mapping[str, Mapping[str, Value]] = field(default_factory=nothing)
    prefix: str = ""

    @property
    def leader(self) -> int:
        """The seat left of the dealer: bids first, leads the first trick."""
        return self.order[0]

    def with_step(self, name: str, step: Mapping[str, Value]) -> Hand:
        """The same hand with one more answer written down."""
        return replace(self, steps={**self.steps, name: step})

    def address(self, name: str) -> Address:
        """Where the answer to the ask ``name`` of this hand stands."""
        return (SHEET if self.prefix else self.number, self.prefix + name)


@dataclass(frozen=True)
class Result:
    """What a complete hand is worth: points of every seat at the table, and facts the game wants remembered.

    ``wins_leg`` is the seat that wins the rubber or game at once, whatever the totals.
    """

    points: Mapping[int, int]
    facts: Mapping[str, object] = field(default_factory=nothing)
    wins_leg: int | None = None


@dataclass(frozen=True)
class Event:
    """Something that happened before a hand was dealt: somebody came, left, a misdeal."""

    name: str
    kind: str
    step: Mapping[str, Value]


@dataclass(frozen=True)
class Row:
    """A scored hand on the sheet.

    ``table`` is the table as the hand found it, after ``events``; ``totals`` are those after the hand, of the
    seats that sat then, and ``boxed`` and ``circled`` their top and bottom.
    """

    hand: Hand
    # It follows from the rows before it, which are compared one by one: not with each of those after them again.
    table: Table = field(compare=False)
    result: Result
    totals: Mapping[int, int]
    boxed: tuple[int, ...]
    circled: tuple[int, ...]
    events: tuple[Event, ...] = ()
    spoiled: bool = False

    @property
    def points(self) -> Mapping[int, int]:
        """The hand's points by seat."""
        return self.result.points


#: Seats have lower numbers: more people than that come to no table.
SEATS = 1_000

Answer = TypeVar("Answer")


def fresh_number(occupants: Iterable[int]) -> int:
    """A number for somebody who sits down as a substitute, beside these occupants.

    >>> fresh_number([1, 2, 3]), fresh_number([1, 1001, 3])
    (1001, 1002)
    """
    return max([SEATS, *occupants]) + 1


def once_for_row(method: Callable[[Any, Row], Answer]) -> Callable[[Any, Row], Answer]:
    """A method of a game that is called once for each row: its answer is kept with the row, which never changes."""

    @wraps(method)
    def from_row(game: Any, row: Row) -> Answer:
        if method.__name__ not in vars(row):
            vars(row)[method.__name__] = method(game, row)
        answer: Answer = vars(row)[method.__name__]
        return answer

    return from_row


@dataclass(frozen=True)
class Table:
    """The table as the next hand finds it.

    ``seats`` are seat numbers in clockwise order (a number is given once and never reused; the order is what
    arrivals change). ``schedule`` holds the cards of every planned hand where the game plans them. ``totals``
    are those of the seated, of the running leg; ``gone`` keeps the frozen totals of who went home.
    ``hands_done`` counts scored hands, those kept elsewhere included. ``legs`` are finished rubbers or games.
    ``gone_after`` says how many hands had been done when somebody went home. ``decides`` says what its end is for.

    An occupant is a number: that of the seat they sat down on first, or for a substitute one from
    :func:`fresh_number`. ``occupants`` are those of the seats on which somebody else sits now. ``known_occupants`` are
    told from outside, by the hand before which and the seat on which somebody sits down: the rules know no names.
    """

    seats: tuple[int, ...]
    first_dealer: int
    next_dealer: int
    plan: Mapping[str, int] = field(default_factory=nothing)
    house_rules: Mapping[str, Value] = field(default_factory=nothing)
    schedule: tuple[int, ...] = ()
    totals: Mapping[int, int] = field(default_factory=nothing)
    gone: Mapping[int, int] = field(default_factory=nothing)
    rows: tuple[Row, ...] = ()
    last_dealer: int | None = None
    hands_done: int = 0
    stopped: bool = False
    legs: tuple[Leg, ...] = ()
    occupants: Mapping[int, int] = field(default_factory=nothing)
    known_occupants: Mapping[tuple[int, int], int] = field(default_factory=nothing)
    gone_after: Mapping[int, int] = field(default_factory=nothing)
    decides: Decides = ALL

    def but(self, **changes: Any) -> Table:
        """The same table with other values of these fields. A write asks for it thirty times, and `dataclasses.replace`
        would take five times as long."""
        other = object.__new__(Table)
        vars(other).update(vars(self), **changes)
        return other

    def occupant(self, seat: int) -> int:
        """Who sits there, or was the last to."""
        return self.occupants.get(seat, seat)

    def seat_of(self, occupant: int) -> int | None:
        """Where somebody sits; None where they do not sit at the table."""
        return next((seat for seat in self.seats if self.occupant(seat) == occupant), None)

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]

    def right_of(self, seat: int) -> int:
        """The seat before, clockwise."""
        return self.seats[self.seats.index(seat) - 1]

    def order_from(self, seat: int) -> tuple[int, ...]:
        """All seats clockwise, ``seat`` first."""
        at = self.seats.index(seat)
        return self.seats[at:] + self.seats[:at]

    def speaking_order(self, dealer: int) -> tuple[int, ...]:
        """Left of the dealer first, the dealer last."""
        return self.order_from(self.left_of(dealer))

    @property
    def is_between_legs(self) -> bool:
        """Whether the last hand won a leg: of the next one nothing is scored yet."""
        return bool(self.legs) and self.legs[-1].hand == self.hands_done

    def legs_won(self) -> dict[int, int]:
        """How many rubbers or games each seat has won."""
        return {seat: sum(leg.winner == seat for leg in self.legs) for seat in self.seats}
