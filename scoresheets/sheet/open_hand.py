"""The open hand for readers: what is asked next, and the entries so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.safestring import SafeString

from rules.core.fields import Ask
from rules.core.table import Hand
from rules.core.texts import RowWords
from scoresheets.log.state import SheetReading
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.markup import capital


class Wrote(NamedTuple):
    """One thing that was written in the hand: what it is about, and what it says; "" where that says it all."""

    what: SafeString
    says: SafeString


@dataclass(frozen=True)
class OpenHand:
    """The hand that is bid or played, a blind one too; None where none is, or it is kept from who looks on."""

    reading: SheetReading

    @cached_property
    def hand(self) -> Hand | None:
        sheet = self.reading.sheet
        if self.reading.withheld:
            return None
        if sheet.open:
            return sheet.open.hand
        return sheet.settlement.hand if sheet.settlement else None

    @cached_property
    def due(self) -> Ask | None:
        """What is asked next."""
        sheet = self.reading.sheet
        if sheet.open:
            return sheet.open.missing
        return next(iter(sheet.settlement.asks), None) if sheet.settlement else None

    @cached_property
    def words(self) -> RowWords:
        """What is sure of it already, seat by seat."""
        return self.reading.game.beside_now(self.reading.sheet.table, self.hand) if self.hand else RowWords()

    @property
    def is_spoken(self) -> bool:
        """Whether people speak in turn in it, so that everybody's cell says what is asked next, and of whom."""
        if self.due is not None and self.due.seat is not None:
            return True
        return self.hand is not None and all(seat in self.words.cells for seat in self.hand.order)

    @cached_property
    def entry_text(self) -> EntryText:
        return EntryText(self.reading)

    @property
    def next_question(self) -> SafeString:
        """What is asked next, in words: "the claim"."""
        if self.hand is None or self.due is None:
            return SafeString()
        return self.entry_text.what(self.hand.address(self.due.name))

    @property
    def written(self) -> tuple[Wrote, ...]:
        """What was written in it, in the order in which it is asked."""
        return tuple(self.wrote())

    def wrote(self) -> Iterator[Wrote]:
        """The same one by one."""
        if self.hand is None:
            return
        for ask in self.reading.game.asks(self.reading.sheet.table, self.hand):
            if ask.name in self.hand.steps:
                address = self.hand.address(ask.name)
                what = SafeString(capital(self.entry_text.what(address)))
                yield Wrote(what, self.entry_text.worth(address, self.hand.steps[ask.name]))
