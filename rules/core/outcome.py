"""Outcomes: what is settled at the end of a game, what is still open, and the chances before. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.core.fields import Address, Ask
from rules.core.placings import Placing
from rules.core.problems import Problem
from rules.core.table import Hand, Row

#: A line across the places of a group of a play-off.
Edge = Literal["through", "below"]


@dataclass(frozen=True)
class Waiting:
    """What a sheet waits for: ``hand`` (its number), ``tie-break`` (seats, cards) or ``draw`` (seats).

    In a group of a play-off it is a tie across a line: ``edge`` says which (``through`` or ``below``), and ``places``
    how many of the seats go over it. Where the game has nothing for such a tie it waits for the organiser's ``ruling``.
    """

    what: str
    number: int | None = None
    seats: tuple[int, ...] = ()
    cards: int | None = None
    edge: str = ""
    places: int | None = None


@dataclass(frozen=True)
class Ruled:
    """What the organiser has ruled about a tie across a line: ``goes`` over it, ``stays`` does not.

    ``name`` is that of the entry; ``after`` is how many blind hands or cards had been before it.
    """

    name: str
    edge: str
    goes: tuple[int, ...]
    stays: tuple[int, ...]
    after: int = 0


@dataclass(frozen=True)
class Tie:
    """People with equal scores on both sides of a line: ``places`` of them go over it.

    Over the edge ``through`` the highest go to the winners' table, over ``below`` the lowest to the losers' table.
    """

    edge: Edge
    players: tuple[int, ...]
    places: int


@dataclass(frozen=True)
class Cut:
    """Where the people of a group go on, as far as that is certain; who is equal across a line is in ``ties``.

    ``through`` go to the winners' table, ``below`` to the losers' table, ``out`` have played. All in the order of
    their scores. A person in question on both lines is in two ties.
    """

    through: tuple[int, ...]
    below: tuple[int, ...]
    out: tuple[int, ...]
    ties: tuple[Tie, ...]

    @property
    def is_settled(self) -> bool:
        """Whether everybody knows where to go."""
        return not self.ties


@dataclass(frozen=True)
class Settlement:
    """How a game ended, or what is still open about it after the last hand.

    ``ties`` are the blind hands played, as rows whose points count apart; ``draws`` the cards drawn, by
    seat; ``boxed`` and ``circled`` are those whom both have left in box and circle, () as long as the totals say it.
    ``added`` are the points of blind hands that count into the totals, where the house has them count.
    ``asks`` with ``hand`` are what may be written down now. ``problems`` belong to the step that did not fit.

    Of a group of a play-off ``through`` go on to the winners' side and ``below`` to the losers', as far as that is
    certain; ``cut`` is all that is known of it, ``rulings`` what the organiser has ruled, and ``may_rule`` what may be
    ruled now.
    """

    placings: tuple[Placing, ...] = ()
    winner: int | None = None
    loser: int | None = None
    waiting: tuple[Waiting, ...] = ()
    ties: tuple[Row, ...] = ()
    draws: tuple[Mapping[int, str], ...] = ()
    tied: tuple[tuple[int, ...], ...] = ()
    boxed: tuple[int, ...] = ()
    circled: tuple[int, ...] = ()
    added: Mapping[int, int] = field(default_factory=dict)
    hand: Hand | None = None
    asks: tuple[Ask, ...] = ()
    read: frozenset[Address] = frozenset()
    problems: tuple[Problem, ...] = ()
    through: tuple[int, ...] = ()
    below: tuple[int, ...] = ()
    cut: Cut | None = None
    rulings: tuple[Ruled, ...] = ()
    may_rule: tuple[Ask, ...] = ()


@dataclass(frozen=True)
class Chances:
    """The seats that can still win, and those that can still take the loser's trophy, in the order of the table.

    Whom only a blind hand or a draw would part from the first, or from the last, can. ``lose`` is None where the game
    has no loser. In a group of a play-off nobody wins or loses: ``through`` can still go to the winners' side, and
    ``below`` to the losers' side, None where nobody goes there.
    """

    win: tuple[int, ...] | None
    lose: tuple[int, ...] | None = None
    through: tuple[int, ...] | None = None
    below: tuple[int, ...] | None = None

    def each(self) -> tuple[tuple[int, ...], ...]:
        """What is told of, list by list."""
        return tuple(able for able in (self.win, self.lose, self.through, self.below) if able is not None)


@dataclass(frozen=True)
class Need:
    """What a seat needs of the hands to come to reach its ``aim`` when the last of them is scored.

    ``aim`` is ``box`` (nobody has more), or ``circle`` for leaving it: somebody at the table has less. Points are
    counted over the next ``hands`` hands together; ``rival`` None: as they are written down, else those beyond the
    points of that seat in the same hands.

    With fewer than ``least`` the aim is not reached, whatever the others do; with ``least`` they can let it be reached.
    With ``enough`` or more it is reached, whatever the others do; with the next number below that there is, they can
    prevent it. None: no number says that. ``by_least`` and ``by_enough`` say what brings so many: "any bid made".

    It holds as long as the rules are kept, nobody joins or leaves, and no hand is corrected.
    """

    seat: int
    aim: Literal["box", "circle"]
    least: int | None = None
    enough: int | None = None
    rival: int | None = None
    hands: int = 1
    by_least: str = ""
    by_enough: str = ""
