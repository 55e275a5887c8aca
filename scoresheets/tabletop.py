"""What a table can read across itself: whose turn it is, and everybody's total."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from scoresheets.speech import SUITS, name_shown, names_shown

if TYPE_CHECKING:
    from rules.core.hands import Hand
    from scoresheets.reading import SheetReading


@dataclass(frozen=True)
class Place:
    """One seat: its total and marks, and of the hand being played what it bid, or that it is its turn."""

    name: str
    total: int
    boxed: bool
    circled: bool
    bid: int | None
    is_next: bool


@dataclass(frozen=True)
class TableTop:
    """The table as it is now, in seat order."""

    reading: SheetReading

    @property
    def hand(self) -> Hand | None:
        """The hand being bid or played, a blind one too."""
        sheet = self.reading.sheet
        if sheet.open:
            return sheet.open.hand
        return sheet.settlement.hand if sheet.settlement else None

    @property
    def heading(self) -> str:
        """Hand 7 of 18, or what is played after the last one."""
        sheet, planned = self.reading.sheet, len(self.reading.sheet.table.schedule)
        if sheet.open:
            return f"Hand {sheet.open.hand.number} of {planned}" if planned else f"Hand {sheet.open.hand.number}"
        if sheet.finished:
            return "The result"
        return "Blind hand" if self.hand else "Draw"

    @property
    def facts(self) -> list[SafeString]:
        """What there is to know about the hand: cards, trump, who deals and leads, the bids, who deals next."""
        hand, names = self.hand, self.reading.names
        if hand is None:
            return self.waiting()
        said = [
            format_html("<b>{} card{}</b>", hand.cards, "" if hand.cards == 1 else "s"),
            format_html("{} deals", name_shown(names[hand.dealer])),
        ]
        trump = self.reading.game.trump(hand)
        if trump:
            colour = "suit red" if trump in ("D", "H") else "suit"
            said.insert(
                1,
                format_html('<i class="{}">{}</i>', colour, SUITS[trump]) if trump in SUITS else escape("no trump"),
            )
        bids = [bid for bid in self.bids(hand).values() if bid is not None]
        if len(bids) == len(hand.order):
            said += [
                self.over_or_under(sum(bids) - hand.cards),
                format_html("{} leads", name_shown(names[hand.leader])),
            ]
        elif bids:
            said.append(format_html("{} bid of {}", sum(bids), hand.cards))
        return said + self.next_dealer(hand)

    def waiting(self) -> list[SafeString]:
        """What the sheet waits for, where no hand is being played."""
        names = self.reading.names
        return [
            format_html("{} draw a card", names_shown(names, waiting.seats))
            for waiting in self.reading.sheet.waiting
            if waiting.what == "draw"
        ]

    def next_dealer(self, hand: Hand) -> list[SafeString]:
        """Who deals the hand after this one, if there is one."""
        coming = self.reading.sheet.coming()
        if hand.prefix or len(coming) < 2:
            return []
        return [format_html("{} deals next", name_shown(self.reading.names_at(hand.number + 1)[coming[1].dealer]))]

    @staticmethod
    def over_or_under(over: int) -> SafeString:
        """Whether the table has bid too much or too little."""
        if over == 0:
            return escape("even")
        return format_html("{} by {}", "over" if over > 0 else "under", abs(over))

    @staticmethod
    def bids(hand: Hand) -> dict[int, int | None]:
        """The bids of the hand, None for who has not bid."""
        bids = {seat: hand.steps.get(f"bid-{seat}", {}).get("bid") for seat in hand.order}
        return {seat: bid if isinstance(bid, int) else None for seat, bid in bids.items()}

    @property
    def places(self) -> list[Place]:
        """Everybody at the table."""
        sheet, hand = self.reading.sheet, self.hand
        bids = self.bids(hand) if hand else {}
        due = next((seat for seat in hand.order if bids[seat] is None), None) if hand else None
        return [
            Place(
                self.reading.names[seat],
                total,
                seat in sheet.boxed,
                seat in sheet.circled,
                bids.get(seat),
                seat == due,
            )
            for seat, total in sheet.totals.items()
        ]
