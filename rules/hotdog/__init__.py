"""Hotdog: two players, a topping, and seventeen tricks.

It stands on :mod:`rules.core`. Begin with the class below, which leaves the work to the modules: ``bidding`` has the
bids, ``scoring`` the points, ``files`` its part of a sheet file; the rest are its words, figures and house rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from rules.core.cards import SUIT_SIGNS, SUITS
from rules.core.fields import Ask, Choice, Count, SeatChoice, Tick, Value
from rules.core.formats import Race
from rules.core.game import Game
from rules.core.leading import Leading
from rules.core.placings import SeatNumber
from rules.core.problems import Problem
from rules.core.table import Hand, Result, Row, Table
from rules.core.texts import CallOut, FirstDealer, HandNumber, RowWords, Worth, WorthHeads
from rules.hotdog.bidding import KETCHUP, MUSTARD, TOPPINGS, bid_of, check_bid, relish_of
from rules.hotdog.figures import FIGURES, marks_of
from rules.hotdog.files import HotdogFile
from rules.hotdog.house import HOUSE_RULES
from rules.hotdog.scoring import (
    TRICKS,
    check_tricks,
    check_works_first,
    last_round,
    paid,
    pays,
    tricks_of,
    why_paid,
    worth_of,
)
from rules.hotdog.words import EXAMPLE, HOW_TO_PLAY, RULES, SCORING_IN_SHORT, WORDS, WRITTEN


class Hotdog(Game):
    """Pick the topping; take nine of seventeen."""

    slug = "hotdog"
    name = "Hotdog"
    blurb = "One plate for two"
    players = range(2, 3)
    made_for = range(2, 3)
    how_to_play = HOW_TO_PLAY
    rules_text = RULES
    example = EXAMPLE
    words = WORDS
    written = WRITTEN
    figures = FIGURES
    house_rules = HOUSE_RULES
    scoring_in_short = SCORING_IN_SHORT
    file = HotdogFile()
    has_tricks = has_trump = True
    speaks_first = "chooses first"
    leading = Leading(said_in=("bid", "picker"))
    leg_name = "game"
    worth_heads = WorthHeads("What a round is worth", "Bid", "To the picker", "To the other")
    first_dealer_by = FirstDealer("cut", "Who cut the lower card?", "Both cut; equal cards are cut again.")

    def format(self, table: Table) -> Race:
        """A match of games, each a race to the target (Rule 12)."""
        return Race(cast("int", table.house_rules["target"]), cast("int", table.house_rules["games_to_win"]))

    # -- one round (Rules 3 to 7) ----------------------------------------------------------------------

    def asks(self, table: Table, hand: Hand) -> Iterator[Ask]:
        """The bid that stands (nothing said: both have passed), relish, then the tricks of both."""
        yield Ask("bid", (
            SeatChoice("picker", hand.order, optional=True),
            Choice("topping", tuple(TOPPINGS), "bad-topping", optional=True),
            Choice("trump", SUITS, "bad-suit", optional=True),
            Tick("smothered", optional=True), Tick("footlong", optional=True),
        ))  # fmt: skip
        yield Ask("relish", (Count("relish", 1, 9, "bad-relish", optional=True),))
        yield Ask("tricks", (
            *(Count(f"tricks-{seat}", 0, TRICKS, "tricks-out-of-range", seat) for seat in hand.order),
            Choice("works-first", (KETCHUP, MUSTARD), "bad-topping", optional=True),
        ), comes_to=TRICKS)  # fmt: skip

    def check(self, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
        """A bid that can be bid, and tricks that come to seventeen."""
        if ask.name == "bid":
            yield from check_bid(step, footlong=table.house_rules["footlong"] is True)
        elif ask.name == "tricks":
            yield from check_tricks(step)
            yield from check_works_first(hand, step)

    def due_sum(self, table: Table, hand: Hand) -> int:
        """Every trick has one taker."""
        return TRICKS

    def trump(self, hand: Hand) -> str | None:
        """The suit that goes with Ketchup or Mustard."""
        bid = bid_of(hand)
        return bid.trump if bid else None

    # -- what it pays (Rules 8 to 10) ------------------------------------------------------------------

    def result(self, table: Table, hand: Hand) -> Result:
        """Points for one of the two, or the game at once."""
        payment, winner = paid(table, hand)
        points = {seat: payment.points if seat == winner else 0 for seat in table.seats}
        return Result(points, wins_leg=winner if payment.wins else None)

    def why(self, table: Table, hand: Hand, seat: int) -> str:
        """The sentence behind a seat's points, or behind a game won at once."""
        return why_paid(table, hand, seat)

    def marks(self, row: Row) -> Mapping[int, Mapping[str, int]]:
        """What was picked and whether it paid."""
        return marks_of(row)

    def describe_row(self, row: Row) -> dict[str, object]:
        """Who won the game at once, if anybody did."""
        winner = row.result.wins_leg
        return {"wins_game": None if winner is None else SeatNumber(winner)}

    def look_up(self, table: Table) -> Mapping[str, object]:
        """What every number of the picker's tricks pays, by kind of bid."""
        return {"pays": pays(table)}

    def worth(self, table: Table, hand: Hand) -> tuple[Worth, ...]:
        """What a bid brings and what it costs."""
        return tuple(worth_of(table))

    def hand_callouts(self, row: Row) -> tuple[CallOut, ...]:
        """A game that was won at once, whatever the score was (Rule 9)."""
        winner, payment = row.result.wins_leg, paid(row.table, row.hand)[0]
        if winner is None:
            return ()
        against = "" if payment.side == "picker" else "against the picker "
        reason = f"{tricks_of(row.hand)[winner]} tricks {against}win the game"
        return (CallOut("automatic-win", (winner,), reason, rank=0, aloud=True),)

    # -- what is said of it ----------------------------------------------------------------------------

    def hand_numbers(self, table: Table, hand: Hand) -> tuple[HandNumber, ...]:
        """Who deals and who chooses, then the bid, who leads and the relish as far as they are known."""
        bid, leader = bid_of(hand), self.leading.leader_of(hand)
        first = HandNumber("Leads", seat=leader) if leader else HandNumber("Chooses first", seat=hand.leader)
        numbers = [HandNumber("Dealer", seat=hand.dealer), first]
        if bid:
            nobody = HandNumber("Picker", "nobody: both passed")
            numbers += [nobody if bid.picker is None else HandNumber("Picker", seat=bid.picker)]
            numbers += [HandNumber("Bid", bid.words)]
        if "relish" in hand.steps:
            numbers += [HandNumber("Relish", str(relish_of(hand) or "none"))]
        return tuple(numbers)

    def shows(self, table: Table, hand: Hand) -> Mapping[str, str]:
        """Which game it is, and until somebody bids what the last round brought."""
        return last_round(table, hand)

    def shut(self, table: Table, hand: Hand) -> frozenset[str]:
        """The Footlong, where the club does not play it."""
        return frozenset() if table.house_rules["footlong"] else frozenset({"footlong"})

    def beside(self, row: Row) -> RowWords:
        """The trump; the picker's bid over the tricks, and the tricks of the other."""
        now, tricks = self.beside_now(row.table, row.hand), tricks_of(row.hand)
        bid, winner = bid_of(row.hand), row.result.wins_leg
        cells = {seat: f"took {count}" for seat, count in tricks.items()}
        aloud = dict(cells)
        missed = frozenset[int]()
        if bid and bid.picker is not None:
            cells[bid.picker] = f"{now.cells[bid.picker]}\ntook {tricks[bid.picker]}"
            aloud[bid.picker] = f"picked {bid.words}, took {tricks[bid.picker]}"
            missed = frozenset() if paid(row.table, row.hand)[1] == bid.picker else frozenset({bid.picker})
        if winner is not None:
            cells[winner] += ", wins"
            aloud[winner] += ", won the game at once"
        return RowWords(now.head, cells, aloud, missed)

    def beside_now(self, table: Table, hand: Hand) -> RowWords:
        """The trump and the picker's bid."""
        bid = bid_of(hand)
        if bid is None:
            return RowWords()
        if bid.picker is None:
            return RowWords("passed")
        text = f"Smother, {bid.name}" if bid.smothered else bid.name
        return RowWords(
            SUIT_SIGNS[bid.trump] if bid.trump else "", {bid.picker: text}, {bid.picker: f"picked {bid.words}"}
        )
