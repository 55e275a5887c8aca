"""The hunts of a hand as entered: the dingo and the wolves, rank by rank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from rules.core.cards import RANKS
from rules.core.fields import Ask, SeatChoice, Tick, Value
from rules.core.table import Hand, Table

#: The ranks that are hunted one after the other, low to high; the aces come last and apart.
HUNTED = RANKS[:-1]
ACE = "A"
ACE_HUNT, HELD = "ace-hunt", "held"
#: In a hand of cards.
CARDS_EACH = 6


def name_of(rank: str) -> str:
    """The ask of a rank: ``hunt-2`` to ``hunt-13``, jack, queen and king being 11, 12 and 13.

    >>> name_of("2"), name_of("T"), name_of("K"), name_of("A")
    ('hunt-2', 'hunt-10', 'hunt-13', 'ace-hunt')
    """
    return ACE_HUNT if rank == ACE else f"hunt-{RANKS.index(rank) + 2}"


def heart(rank: str) -> str:
    """The field for who still holds the dingo of that rank after the last hunt.

    >>> heart("J")
    'heart-11'
    """
    return f"heart-{RANKS.index(rank) + 2}"


#: Ranks by the name of their ask.
RANK_OF = {name_of(rank): rank for rank in RANKS}


@cache
def asks(seats: tuple[int, ...]) -> tuple[Ask, ...]:
    """Rank by rank, then the aces, then what red cards are still held.

    Nobody played the dingo: nothing is said. One wolf: ``wolf``. Two: ``second``, and ``first`` where it was noted.
    """
    wolves = tuple(SeatChoice(name, seats, optional=True) for name in ("wolf", "second", "first"))
    hunts = (Ask(name_of(rank), (SeatChoice("dingo", seats, optional=True), *wolves)) for rank in HUNTED)
    rabbit = (SeatChoice("holder", seats), Tick("played", optional=True))
    aces = Ask(ACE_HUNT, (SeatChoice("dingo", seats), *wolves, *rabbit))
    held = Ask(HELD, tuple(SeatChoice(heart(rank), seats, optional=True) for rank in HUNTED))
    return (*hunts, aces, held)


@dataclass(frozen=True)
class Hunt:
    """What happened at one rank.

    ``wolves`` are those who played one, in order; None stands for a first wolf nobody noted. ``holder`` had the ace
    rabbit, which was ``played`` or kept.
    """

    rank: str
    dingo: int | None = None
    wolves: tuple[int | None, ...] = ()
    holder: int | None = None
    played: bool = False

    @property
    def last_wolf(self) -> int | None:
        """Who caught the rabbit: whoever played the last wolf."""
        return self.wolves[-1] if self.wolves else None

    def cards(self) -> Iterator[int]:
        """Who had a card of this rank, as far as it shows: a seat for each."""
        for seat in (self.dingo, *self.wolves, self.holder):
            if seat is not None:
                yield seat


def seat_in(step: Mapping[str, Value], name: str, seats: tuple[int, ...]) -> int | None:
    """The seat under that name, None where none of the table's stands there."""
    value = step.get(name)
    # A page of a long sheet asks tens of thousands of times. A boolean is no seat.
    return value if type(value) is int and value in seats else None


def hunt_in(rank: str, step: Mapping[str, Value], seats: tuple[int, ...]) -> Hunt:
    """What an answer says about the hunt for a rank."""
    wolf, second = seat_in(step, "wolf", seats), seat_in(step, "second", seats)
    if second is not None:
        wolves: tuple[int | None, ...] = (seat_in(step, "first", seats), second)
    else:
        wolves = (wolf,) if wolf is not None else ()
    holder = seat_in(step, "holder", seats)
    return Hunt(rank, seat_in(step, "dingo", seats), wolves, holder, step.get("played") is True)


def hunts_of(table: Table, hand: Hand) -> dict[str, Hunt]:
    """The hunts that are written down so far, by rank, low to high, the aces last."""
    steps, seats = hand.steps, table.seats
    return {rank: hunt_in(rank, steps[name], seats) for name, rank in RANK_OF.items() if name in steps}


def held_in(step: Mapping[str, Value], seats: tuple[int, ...]) -> dict[str, int]:
    """Who still holds which dingo, by rank."""
    holders = {rank: seat_in(step, heart(rank), seats) for rank in HUNTED}
    return {rank: seat for rank, seat in holders.items() if seat is not None}


def held_of(table: Table, hand: Hand) -> dict[str, int]:
    """The same of a hand; empty before it is written down."""
    return held_in(hand.steps.get(HELD, {}), table.seats)


def turn(table: Table, dingo: int, seat: int) -> int:
    """How late in a hunt a seat has its turn: 0 left of who played the dingo, 3 for that player again."""
    seats = table.seats
    return (seats.index(seat) - seats.index(dingo) - 1) % len(seats)
