"""The tables of a night as they hang on the wall."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.html import format_html
from django.utils.safestring import SafeString

from clubs.evening.summary import Evening, Seen
from scoresheets.pad.timer import Clock, clock_of
from scoresheets.sheet.scoreboard import Place, TableTop
from scoresheets.wording.markup import name_shown, with_commas


@dataclass(frozen=True)
class Board:
    """One table: how far it is, what happens there, and everybody with their total, box and circle."""

    seen: Seen

    @cached_property
    def top(self) -> TableTop | None:
        """What its sheet says; None where it has none."""
        return TableTop(self.seen.glance.reading) if self.seen.glance else None

    @property
    def how_far(self) -> str:
        """Hand 7 of 18; that it is over, or has not begun."""
        if self.seen.glance:
            return self.seen.glance.heading
        return "finished" if self.seen.is_over else "no sheet yet"

    @cached_property
    def people(self) -> list[Place]:
        """Everybody at it, in seat order."""
        return self.top.places if self.top else []

    @property
    def turn(self) -> SafeString:
        """Whose turn it is, in words: "Cy bids next"; "" where nobody's is."""
        return self.top.turn if self.top else SafeString()

    @property
    def facts(self) -> list[SafeString]:
        """Who deals, the cards, trump, and what the hand has come to."""
        if self.top is None or self.seen.is_over:
            return []
        return self.top.facts_now

    @property
    def clock(self) -> Clock | None:
        """What goes on for some minutes there."""
        return clock_of(self.seen.glance.reading) if self.seen.glance else None

    @property
    def outcome(self) -> SafeString:
        """Who wins and who loses, when nothing is open any more; of a group of a play-off how its ties were settled."""
        verdict = self.seen.glance.verdict if self.seen.glance and self.seen.is_over else None
        if verdict is None or self.seen.is_single_again:
            return SafeString()
        return format_html("{} {}", verdict.winner_aloud, verdict.loser_aloud)

    @property
    def result(self) -> SafeString:
        """The same of a table that may have no sheet: who stands there first, and who last."""
        if self.seen.glance:
            return self.outcome
        won = [name_shown(placing.member.main_record.shown) for placing in self.seen.placings if placing.winner]
        lost = [name_shown(placing.member.main_record.shown) for placing in self.seen.placings if placing.loser]
        parts = [format_html("<b>{}</b> won", with_commas(won))] if won else []
        parts += [format_html("<b>{}</b> took the circle", with_commas(lost))] if lost else []
        return format_html("{}.", with_commas(parts)) if parts else SafeString()


def boards_of(evening: Evening) -> list[Board]:
    """The tables to be shown: of a play-off its latest round, and beside it all that play for themselves."""
    blocks = evening.blocks
    latest = max((block.number for block in blocks), default=0)
    shown = [seen for block in blocks if block.number in (latest, 0) for seen in block.tables]
    return [Board(seen) for seen in shown]


@dataclass(frozen=True)
class Call:
    """Tables that ask for the organiser, the one that has waited longest first, and since when that one does."""

    tables: Sequence[Seen]
    since: datetime.datetime


def call_of(tables: Iterable[Seen]) -> Call | None:
    """The calls of a night that nobody has answered yet."""
    asking = [(seen.asks_since, seen) for seen in tables if seen.asks_since]
    if not asking:
        return None
    asking.sort(key=lambda pair: pair[0])
    return Call([seen for _, seen in asking], asking[0][0])
