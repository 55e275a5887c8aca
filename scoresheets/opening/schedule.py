"""The outlook of a new table: number of hands, duration, the last dealer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.core.engine.replay import read
from rules.core.game import Game
from rules.core.table import Table

#: A hand takes its time for dealing, bidding and writing down, and each card its time to be played: in seconds.
#: Six players and the usual eighteen hands (528 cards) come to 1 h 50 with it.
SECONDS_A_HAND = 150.0
SECONDS_A_CARD = 7.5


@dataclass(frozen=True)
class Outlook:
    """The planned hands of a table: the cards of each, who bids first and who deals last (seats), minutes in all."""

    cards: tuple[int, ...]
    first_bidder: int
    last_dealer: int
    minutes: int

    @property
    def hands(self) -> int:
        return len(self.cards)

    @property
    def most(self) -> int:
        return max(self.cards)

    @property
    def about(self) -> str:
        return rounded_minutes(self.minutes)

    @property
    def in_words(self) -> str:
        """ "18 hands, of 1, 2 … 8 … 2, 1 cards" for those who do not see the stairs."""
        return f"{self.hands} {'hand' if self.hands == 1 else 'hands'}, the cards of each: " + ", ".join(
            str(cards) for cards in self.cards
        )


@dataclass
class Stepper:
    """A number of the plan as the page shows it, or of a house rule that says how long the table plays."""

    key: str
    words: str
    value: str
    offered: Sequence[int]
    problem: str = ""
    stem: str = "plan"

    @property
    def name(self) -> str:
        """What its field is called."""
        return f"{self.stem}-{self.key}"

    def beyond(self, now: int, *, up: bool) -> int | None:
        """The next number that is offered above or below; None at the end."""
        values = [value for value in self.offered if (value > now if up else value < now)]
        return (min(values) if up else max(values)) if values else None


@dataclass
class LengthChoice:
    """A way to say how long the table plays."""

    key: str
    words: str
    steppers: list[Stepper]


def outlook(game: Game, table: Table) -> Outlook | None:
    """What is planned for the table as it was opened; None where the game does not plan its hands."""
    if not table.schedule:
        return None
    coming = read(game, table, {}).coming()
    cards = tuple(hand.cards for hand in coming)
    first = game.leading.first_to_speak(coming[0])
    return Outlook(cards, first, coming[-1].dealer, minutes_of(cards, len(table.seats)))


def minutes_of(cards: Sequence[int], players: int) -> int:
    """How many minutes hands of so many cards may take.

    >>> minutes_of([1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 8, 7, 6, 5, 4, 3, 2, 1], 6)
    111
    """
    return round((len(cards) * SECONDS_A_HAND + sum(cards) * players * SECONDS_A_CARD) / 60)


def rounded_minutes(minutes: int) -> str:
    """Minutes as people say them, to the next ten.

    >>> [rounded_minutes(minutes) for minutes in (111, 42, 118, 3)]
    ['about 1 h 50', 'about 40 min', 'about 2 h', 'about 10 min']
    """
    hours, rest = divmod(max(10, round(minutes / 10) * 10), 60)
    if not hours:
        return f"about {rest} min"
    return f"about {hours} h {rest}" if rest else f"about {hours} h"
