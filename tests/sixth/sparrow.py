"""Sparrow: bid what you will take of three tricks. Nobody plays it here; it bids in turn and has trump, for the tests.

It says nothing of sheet files: they have every answer under the name of its ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.core.cards import SUITS
from rules.core.fields import Ask, Choice, Count, Value
from rules.core.formats import FixedHands
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.table import Hand, Result, Table

CARDS = 3
HANDS = 4


class Sparrow(Game):
    """Three cards each; a bid that is met is a point for each trick and one more."""

    slug = "sparrow"
    name = "Sparrow"
    blurb = "Three tricks, and what you said of them"
    players = range(2, 6)
    made_for = range(2, 6)
    speaks_first = "bids first"
    has_bids = has_tricks = has_trump = True

    def format(self, table: Table) -> FixedHands:
        """Four hands."""
        return FixedHands(HANDS)

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """Trump, a bid from each in turn, the tricks of all."""
        yield Ask("trump", (Choice("suit", SUITS, "bad-suit"),))
        for seat in hand.order:
            yield Ask(f"bid-{seat}", (Count("bid", 0, CARDS, seat=seat),), seat=seat)
        yield Ask("tricks", tuple(Count(f"tricks-{seat}", 0, CARDS, seat=seat) for seat in hand.order))

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """Every trick has one taker."""
        if ask.name == "tricks" and sum(count for count in step.values() if isinstance(count, int)) != CARDS:
            yield Problem("tricks-sum", "The hand has three tricks.")

    def trump(self, hand: Hand) -> str | None:
        """The suit that was chosen."""
        return str(hand.steps["trump"]["suit"]) if "trump" in hand.steps else None

    def result(self, table: Table, hand: Hand) -> Result:
        """A point for each trick and one more, where the bid is met."""
        tricks = hand.steps["tricks"]
        met = {seat: tricks[f"tricks-{seat}"] == hand.steps[f"bid-{seat}"]["bid"] for seat in table.seats}
        return Result({seat: 1 + int(tricks[f"tricks-{seat}"] or 0) if met[seat] else 0 for seat in table.seats})

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The bid and the tricks."""
        return f"bid {hand.steps[f'bid-{seat}']['bid']}, took {hand.steps['tricks'][f'tricks-{seat}']}"
