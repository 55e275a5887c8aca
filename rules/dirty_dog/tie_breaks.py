"""Tie-breaks of a table of Dirty Dog: blind hands, and drawn cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from rules.core.cards import RANKS
from rules.core.engine.replay import fill, problems_of_step
from rules.core.fields import SHEET, Address, Ask, Choice, Value
from rules.core.game import Game
from rules.core.placings import boxed, circled
from rules.core.problems import Problem
from rules.core.table import Hand, Result, Row, Table
from rules.dirty_dog.schedule import largest_peak
from rules.dirty_dog.scoring import bids_of, points, tricks_of


class TieBreaks:
    """The blind hands that were played after the last hand and the cards that were drawn, and what is due now."""

    def __init__(self, game: Game, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> None:
        self.game, self.table, self.entries = game, table, entries
        self.seen: set[Address] = set()
        self.ties: list[Row] = []
        self.tied: list[tuple[int, ...]] = []
        self.draws: list[Mapping[int, str]] = []
        self.asks: list[Ask] = []
        self.hand: Hand | None = None
        self.problems: tuple[Problem, ...] = ()

    def cards(self) -> int:
        """Cards of a blind hand: five where the deck allows, or what the house rule says."""
        most = largest_peak(len(self.table.seats))
        chosen = self.table.house_rules["tie_break_cards"]
        return min(cast("int", chosen) if chosen is not None else 5, most)

    def coming(self, k: int, dealer: int) -> Hand:
        """The ``k``-th blind hand before anybody has bid."""
        return Hand(SHEET, dealer, self.table.speaking_order(dealer), self.cards(), prefix=f"tie-{k}-")

    def blind_hand(self, k: int, dealer: int) -> Row | None:
        """The ``k``-th blind hand as it stands, or None where it is still being played."""
        hand, opened, seen = fill(self.game, self.table, self.coming(k, dealer), self.entries)
        self.seen |= seen
        if opened.missing:
            self.hand = hand
            self.asks.append(replace(opened.missing, name=hand.prefix + opened.missing.name))
            self.problems = opened.problems
            return None
        bids, tricks = bids_of(hand), tricks_of(hand)
        result = Result({seat: points(bids[seat], tricks[seat]) for seat in hand.order})
        totals = self.table.totals
        return Row(hand, self.table, result, totals, boxed(totals), circled(totals))

    def cards_drawn(self, k: int, seats: tuple[int, ...]) -> Mapping[int, str] | None:
        """The cards of the ``k``-th draw of these seats. None while it is due."""
        ask = draw_ask(k, seats)
        step = self.entries.get((SHEET, ask.name))
        if step is not None:
            self.problems = problems_of_step(self.game, self.table, Hand(SHEET, self.table.next_dealer, ()), ask, step)
        if step is None or self.problems:
            self.asks.append(ask)
            return None
        self.seen.add((SHEET, ask.name))
        drawn = {seat: str(step[f"rank-{seat}"]) for seat in seats}
        self.draws.append(drawn)
        return drawn


def draw_ask(k: int, seats: tuple[int, ...]) -> Ask:
    """The ask for the ``k``-th draw: a rank for everyone in question."""
    return Ask(f"draw-{k}", tuple(Choice(f"rank-{seat}", RANKS, "bad-rank", seat) for seat in seats))


def check_draw(step: Mapping[str, Value]) -> Iterator[Problem]:
    """A rank stands on four cards of the deck, so five people cannot have drawn it."""
    for rank, times in Counter(step.values()).items():
        if times > 4:
            yield Problem("impossible-draw", "There are only four cards of one rank.", params={"rank": rank})
