"""Dirty Deals: tricks that fill the hand, bargains in between, and a claim that ends it.

It stands on :mod:`rules.core`. Begin with the class below, which leaves the work to the modules: ``claims`` has the
content, validation and points of a claim, ``files`` the deals in a sheet file; the rest are words, house rules and
figures. It is the smallest of the games: an example for another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from rules.core.cards import SUIT_SIGNS
from rules.core.fields import Ask, Tick, Value
from rules.core.formats import Race
from rules.core.game import Game
from rules.core.leading import Leading
from rules.core.numbers import spelled
from rules.core.placings import boxed
from rules.core.problems import Problem
from rules.core.table import Event, Hand, Result, Row, Table
from rules.core.texts import HandNumber, RowWords, Worth
from rules.dirty_deals.claims import CLAIM, MOST_SURPLUS, Claim, claim_ask, pays, problems_of, worth_of
from rules.dirty_deals.figures import FIGURES, marks_of
from rules.dirty_deals.files import DirtyDealsFile
from rules.dirty_deals.words import (
    EXAMPLE,
    HOUSE_RULES,
    HOW_TO_PLAY,
    RULES,
    SCORING_IN_SHORT,
    WORDS,
    WORTH_HEADS,
    WRITTEN,
)


class DirtyDeals(Game):
    """All six of a suit, and as little as possible beside them."""

    slug = "dirty-deals"
    name = "Dirty Deals"
    blurb = "All six cards of a suit"
    players = range(4, 5)
    made_for = range(4, 5)
    events = ("negotiation", *Game.events)
    leg_name = "rubber"
    speaks_first = ""
    leading = Leading(has_leader=False)
    how_to_play = HOW_TO_PLAY
    rules_text = RULES
    example = EXAMPLE
    words = WORDS
    written = WRITTEN
    figures = FIGURES
    house_rules = HOUSE_RULES
    scoring_in_short = SCORING_IN_SHORT
    file = DirtyDealsFile()
    worth_heads = WORTH_HEADS

    # -- the match and its deals (Rules 8 and 9) -----------------------------------------------------

    def format(self, table: Table) -> Race:
        """Rubbers to a target, and so many of them win the match."""
        return Race(cast("int", table.house_rules["target"]), cast("int", table.house_rules["rubbers_to_win"]))

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """One claim, or that the deal was given up."""
        yield claim_ask(table.seats)

    # -- one deal (Rules 4 to 7) ---------------------------------------------------------------------

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """What is missing, the number of cards, the claimer’s hand where it was taken down."""
        yield from problems_of(Claim.of(step))

    def result(self, table: Table, hand: Hand) -> Result:
        """The claim to the claimer, and to somebody else who holds the bower three (Rule 6)."""
        claim = claim_of(hand)
        return Result({seat: claim.points(seat) for seat in table.seats})

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The sentence behind a seat's points."""
        return claim_of(hand).why(seat)

    def hand_numbers(self, table: Table, hand: Hand) -> tuple[HandNumber, ...]:
        """Who deals and who leads, which rubber it is, and what wins it."""
        return (
            HandNumber("Dealer", seat=hand.dealer),
            HandNumber("Leads", "whoever holds the nine of clubs"),
            HandNumber("Rubber", str(len(table.legs) + 1)),
            HandNumber("Wins the rubber", f"{table.house_rules['target']} points, alone in the lead"),
        )

    def worth(self, table: Table, hand: Hand) -> tuple[Worth, ...]:
        """A claim by the cards besides the six, the bower elsewhere and among them, down to where it pays nothing."""
        return tuple(worth_of(CLAIM + 1))

    def look_up(self, table: Table) -> Mapping[str, object]:
        """By the number of cards besides the six what a claim pays with the bower elsewhere, and with the claimer.

        None where that cannot be. Beside it the minutes of a negotiation; 0: there is no clock.
        """
        elsewhere = [pays(surplus, holds_bower=False) for surplus in range(MOST_SURPLUS)]
        held = [pays(surplus, holds_bower=True) for surplus in range(1, MOST_SURPLUS + 1)]
        both = zip([*elsewhere, None], [None, *held], strict=True)
        return {"claim": [list(pair) for pair in both], "minutes": table.house_rules["negotiation_minutes"]}

    def beside(self, row: Row) -> RowWords:
        """The suit beside the number; beside the totals how the claim came to its points, and who held the bower."""
        claim = claim_of(row.hand)
        if claim.given_up:
            return RowWords("–")
        cells = {seat: short for seat in row.points if (short := claim.short(seat))}
        aloud = {seat: claim.how(seat) for seat in cells}
        return RowWords(SUIT_SIGNS[claim.suit or ""], cells, aloud)

    def shows(self, table: Table, hand: Hand) -> Mapping[str, str]:
        """Which rubber it is and to how many, the rubbers won, the last deal, and that a shared lead is played on."""
        race, top = self.format(table), max(table.totals.values())
        level = top >= race.target and len(boxed(table.totals)) > 1
        won = {f"won-{seat}": str(rubbers) for seat, rubbers in table.legs_won().items() if rubbers}
        return won | self.shows_of_last(table) | {
            "rubber": f"Rubber {len(table.legs) + 1} to {race.target}",
            "first-to": f"first to {spelled(race.legs_to_win or 1)}",
            "level": f"Level at {top}: play on until one leads alone." if level else "",
        }  # fmt: skip

    def shows_of_last(self, table: Table) -> dict[str, str]:
        """What the last deal brought, by seat, and who took a rubber by it."""
        if not table.rows:
            return {}
        row = table.rows[-1]
        claim = claim_of(row.hand)
        shown = {f"last-{seat}": claim.points_text(seat) for seat in row.points}
        if table.is_between_legs:
            shown[f"took-{table.legs[-1].winner}"] = f"takes rubber {len(table.legs)}."
        return shown

    def marks(self, row: Row) -> Mapping[int, Mapping[str, int]]:
        """Claims, the cards beside them, and bowers."""
        return marks_of(row)

    # -- what happens in a deal (Rule 3) -------------------------------------------------------------

    def event_ask(self, table: Table, kind: str, k: int) -> Ask:
        """A negotiation begins, or ends before its time."""
        if kind != "negotiation":
            return super().event_ask(table, kind, k)
        return Ask(f"negotiation-{k}", (Tick("ended", optional=True),), optional=True)

    def happen(self, table: Table, kind: str, step: Mapping[str, Value]) -> Table:
        """Talk changes nothing on the table."""
        return table if kind == "negotiation" else super().happen(table, kind, step)

    def lasts(self, table: Table, event: Event) -> int | None:
        """A negotiation has its minutes, unless it ends before (house rule ``negotiation_minutes``)."""
        if event.kind != "negotiation":
            return None
        return 0 if event.step.get("ended") else cast("int", table.house_rules["negotiation_minutes"])


def claim_of(hand: Hand) -> Claim:
    """What was written down of a complete deal."""
    return Claim.of(hand.steps["claim"])
