"""The end of a group of a Dirty Dog play-off: blind hands, or the high card, for a tie across a line (Rule 14)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.core.cards import height
from rules.core.fields import Address, Value
from rules.core.game import Game
from rules.core.outcome import Settlement, Waiting
from rules.core.playoffs.group_end import GroupEnd
from rules.core.table import Table
from rules.dirty_dog.tie_breaks import TieBreaks


class Group(GroupEnd):
    """A group: the whole table plays the blind hand, and only the points of the tied count (Rule 13).

    They settle who goes on, and change no total: ``blind_hand_counts`` is about the end of a game.
    With the high card only the tied draw, and the higher card goes first; equal ones that matter draw again.
    """

    def __init__(self, game: Game, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> None:
        super().__init__(game, table, entries)
        self.breaks = TieBreaks(game, table, entries)
        self.dealer = table.next_dealer

    @property
    def by_card(self) -> bool:
        """Whether the high card is drawn."""
        return self.table.decides.high_card

    def play(self) -> bool:
        """Count the next blind hand or draw. False: it is due."""
        tied, breaks = self.tied, self.breaks
        if self.by_card:
            drawn = breaks.cards_drawn(self.played + 1, tied)
            values = {seat: height(rank) for seat, rank in drawn.items()} if drawn else {}
        else:
            row = breaks.blind_hand(self.played + 1, self.dealer)
            values = {seat: row.points[seat] for seat in tied} if row else {}
            if row:
                breaks.ties.append(row)
                breaks.tied.append(tied)
                self.dealer = self.table.left_of(self.dealer)
        if values:
            self.count(values)
            self.played += 1
        return bool(values)

    def waiting(self) -> Iterator[Waiting]:
        """A blind hand, or a card from each of the tied."""
        for tie in super().waiting():
            yield (
                replace(tie, what="draw") if self.by_card else replace(tie, what="tie-break", cards=self.breaks.cards())
            )

    def settlement(self) -> Settlement:
        """What it has come to, with what was played for it."""
        settlement, breaks = super().settlement(), self.breaks
        return replace(
            settlement,
            ties=tuple(breaks.ties),
            tied=tuple(breaks.tied),
            draws=tuple(breaks.draws),
            hand=breaks.hand,
            asks=tuple(breaks.asks),
            read=settlement.read | breaks.seen,
            problems=breaks.problems,
        )
