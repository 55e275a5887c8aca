"""Marbles: who keeps most of seven. Nobody plays it here; it is the sixth game, for the tests.

It says nothing of sheet files: they have every answer under the name of its ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.core.fields import Ask, Choice, Count, SeatChoice, Tick, Value
from rules.core.formats import Race
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.table import Hand, Result, Table
from rules.core.texts import RuleText, Written

#: So many marbles lie in the ring.
MARBLES = 7
NUMBERS = ("2", "7", "9")


class Marbles(Game):
    """Seven in a ring, and whoever knocks them out keeps them."""

    slug = "marbles"
    name = "Marbles"
    blurb = "Seven in a ring"
    players = range(2, 9)
    made_for = range(2, 7)
    events = ("misdeal",)
    rules_text = (RuleText(1, "The ring", "Seven marbles lie in a ring. Who knocks one out keeps it."),)
    scoring_in_short = "A marble is a point; the glass one is three."
    speaks_first = "shoots first"
    written = {
        "shooter": Written("who hit first", fields={"first": "hit first"}),
        "ring": Written("the ring", fields={"card": "the card", "rain": "it rained", "glass": "the glass one"}),
        "slip": Written("who slipped", fields={"who": "slipped"}),
        "marbles": Written("the marbles", did="kept"),
    }

    def format(self, table: Table) -> Race:
        """First to ten, and two games win."""
        return Race(10, 2)

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """Who hit first (perhaps nobody), what lay in the ring, who slipped, and who kept how many."""
        yield Ask("shooter", (SeatChoice("first", table.seats, optional=True),))
        yield Ask(
            "ring",
            (Choice("card", NUMBERS), Tick("rain", optional=True), SeatChoice("glass", table.seats, optional=True)),
        )
        yield Ask("slip", (SeatChoice("who", table.seats),), optional=True)
        yield Ask("marbles", tuple(Count(f"marbles-{seat}", 0, MARBLES, seat=seat) for seat in table.seats))

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """All marbles are somebody's, and who hit first cannot have slipped."""
        if ask.name == "marbles" and sum(kept_of(step).values()) != MARBLES:
            yield Problem("count-sum", "Seven marbles lay in the ring.")
        if ask.name == "ring" and step.get("rain") and step.get("card") == "2":
            yield Problem("odd-ring", "A two is seldom seen in the rain. Is it right?", "card", blocking=False)
        if ask.name == "slip" and step.get("who") == hand.steps.get("shooter", {}).get("first", 0):
            yield Problem("not-both", "Who hit first has not slipped.", "who")

    def shows(self, table: Table, hand: Hand) -> Mapping[str, str]:
        """How many rings were shot, and what lay in this one."""
        return {"rings": str(table.hands_done), "lay": str(hand.steps.get("ring", {}).get("card", ""))}

    def shut(self, table: Table, hand: Hand) -> frozenset[str]:
        """Who hit first cannot have slipped."""
        first = hand.steps.get("shooter", {}).get("first")
        return frozenset({f"slipped {first}"} if first else ())

    def event_ask(self, table: Table, kind: str, k: int) -> Ask:
        """A ring that is laid anew."""
        return Ask(f"{kind}-{k}", ())

    def happen(self, table: Table, kind: str, step: Mapping[str, Value]) -> Table:
        """The same ring again."""
        return table

    def due_sum(self, table: Table, hand: Hand) -> int:
        """All marbles."""
        return MARBLES

    def result(self, table: Table, hand: Hand) -> Result:
        """A marble is a point, the glass one two more."""
        kept, glass = kept_of(hand.steps["marbles"]), hand.steps["ring"].get("glass")
        return Result({seat: kept[seat] + (2 if seat == glass else 0) for seat in table.seats})

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The marbles, and the glass one."""
        return f"kept {kept_of(hand.steps['marbles'])[seat]}"


def kept_of(step: Mapping[str, Value]) -> dict[int, int]:
    """Who kept how many, by seat."""
    return {int(name.removeprefix("marbles-")): int(count or 0) for name, count in step.items()}
