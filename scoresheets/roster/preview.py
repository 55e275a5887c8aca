"""The preview of a roster change, in sentences."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.engine.replay import planned
from rules.core.numbers import bare
from rules.core.placings import circled
from rules.core.table import Hand, Table
from scoresheets.log.state import SheetReading
from scoresheets.results.remarks import remarks_held
from scoresheets.roster.change import Prospect
from scoresheets.wording.markup import capital, hands_text, listed, name_shown, names_shown


@dataclass(frozen=True)
class RosterPreview:
    """The sentences of a prospect that can be confirmed, and what is unwise about it."""

    reading: SheetReading
    prospect: Prospect

    @property
    def names(self) -> dict[int, str]:
        """Everybody as the hand will find them."""
        names = self.reading.names_at(self.prospect.wish.hand)
        if self.prospect.name and self.prospect.seat is not None:
            names[self.prospect.seat] = self.prospect.name
        return names

    @property
    def sentences(self) -> list[SafeString]:
        """All there is to say, in this order: who, the cards, who deals, how many hands."""
        after = self.prospect.after
        if after is None:
            return []
        own = {"arrive": self.arrival, "leave": self.farewell, "substitute": self.takeover, "reseat": self.new_order}
        return [*own[self.prospect.wish.kind](self.prospect.before, after)]

    @property
    def where(self) -> SafeString:
        """Between whom a newcomer sits."""
        after, seat = self.prospect.after, self.prospect.seat
        if self.prospect.wish.kind != "arrive" or after is None or seat is None:
            return SafeString()
        left, right = self.name(after.right_of(seat)), self.name(after.left_of(seat))
        return format_html("{} sits between {} and {}.", self.name(seat), left, right)

    @property
    def unwise(self) -> list[str]:
        return [problem.message for problem in self.prospect.problems if not problem.blocking]

    @property
    def mark(self) -> str:
        """What a form carries to say that just this was shown."""
        sentences = [*self.sentences, self.where, *self.unwise]
        return hashlib.sha256("\n".join(sentences).encode()).hexdigest()[:16]

    # -- who ----------------------------------------------------------------------------------------------

    def name(self, seat: int | None) -> SafeString:
        return name_shown(self.names.get(seat or 0, ""))

    def arrival(self, before: Table, after: Table) -> Iterator[SafeString]:
        """Rule 1: with which total, from which hand on, with how many cards."""
        seat, hand = self.prospect.seat or 0, self.prospect.wish.hand
        start, name = bare(after.totals[seat]), self.name(seat)
        lowest = names_shown(self.names, circled(before.totals))
        back = format_html("{} is back and starts", name) if self.prospect.is_back else format_html("{} starts", name)
        if self.prospect.noted:
            yield format_html("{} with the lowest total after hand {}: now {} ({}).", back, hand - 1, start, lowest)
        elif before.hands_done:
            yield format_html("{} with {}, the lowest now ({}).", back, start, lowest)
        else:
            yield format_html("{} with {}, like everybody.", back, start)
        if self.prospect.is_back:
            yield format_html("The {} from before no longer counts.", bare(before.gone[seat]))
        yield format_html("{} is dealt in at hand {}.", name, hand)
        yield from self.hands_to_come(before, after)

    def farewell(self, before: Table, after: Table) -> Iterator[SafeString]:
        """Rule 10: the total is frozen, the others go on."""
        seat, hand = self.prospect.seat or 0, self.prospect.wish.hand
        total, name = bare(before.totals[seat]), self.name(seat)
        if self.prospect.noted:
            yield format_html(
                "{} goes home after hand {}, with their total at that point (now {}).", name, hand - 1, total
            )
        else:
            held = [*remarks_held(self.reading, after, self.names, about=seat)]
            yield from held or [format_html("{} goes home after hand {} with {}.", name, hand - 1, total)]
        if self.prospect.again:
            yield format_html("Everything entered for hand {} is removed: it is dealt again.", hand)
        deal = self.deal(planned(self.reading.game, after), hand, again=self.prospect.again)
        yield from self.hands_to_come(before, after, [deal])

    def takeover(self, before: Table, _: Table) -> Iterator[SafeString]:
        """A seat goes to somebody else with its total."""
        seat, hand = self.prospect.seat or 0, self.prospect.wish.hand
        from_whom = name_shown(self.reading.sitting.before(hand, self.prospect.wish.event)[seat].name)
        yield format_html("{} takes over from {} at hand {}.", self.name(seat), from_whom, hand)
        if self.prospect.noted:
            yield format_html("The total carries on from there (now {}).", bare(before.totals[seat]))
        else:
            yield format_html("The total stays: {}.", bare(before.totals[seat]))
        yield escape("Nothing else changes.")

    def new_order(self, before: Table, after: Table) -> Iterator[SafeString]:
        """Everybody in the new order, and who deals."""
        order = listed([self.name(seat) for seat in after.seats])
        yield format_html("Seats from hand {} on, clockwise: {}.", self.prospect.wish.hand, order)
        yield from self.hands_to_come(before, after)

    # -- the hands ------------------------------------------------------------------------------------------

    def hands_to_come(
        self, before: Table, after: Table, dealing: list[SafeString] | None = None
    ) -> Iterator[SafeString]:
        """What becomes of the cards, of the next deal (`dealing` says it already), and of the number of hands."""
        game, hand = self.reading.game, self.prospect.wish.hand
        was, now = planned(game, before), planned(game, after)
        total_was, total = len(before.schedule), len(after.schedule)
        if total == total_was:
            yield from cards_changed(was, now)
        if dealing is not None:
            yield from dealing
        elif was and now and was[0].dealer != now[0].dealer:
            yield format_html(
                "{} deals hand {} instead of {}.", self.name(now[0].dealer), hand, self.name(was[0].dealer)
            )
        if total == total_was:
            yield format_html("Still {}.", number_of(total, "hand"))
        else:
            cards = listed([str(other.cards) for other in now])
            yield format_html("Now {} instead of {}.", number_of(total, "hand"), total_was)
            yield format_html("From hand {} on they have {} cards.", hand, cards)

    def deal(self, hands: tuple[Hand, ...], number: int, *, again: bool) -> SafeString:
        """Who deals how many cards next: "Di deals 7 again"."""
        name, cards = self.name(hands[0].dealer), hands[0].cards
        return (
            format_html("{} deals {} again.", name, cards) if again else format_html("{} deals hand {}.", name, number)
        )


def preview_digest(reading: SheetReading, looked: Prospect) -> str:
    """The mark of what would be said about it."""
    return RosterPreview(reading, looked).mark


def cards_changed(was: tuple[Hand, ...], now: tuple[Hand, ...]) -> Iterator[SafeString]:
    """The hands that have other cards: "Hands 8 to 11 have 7 cards instead of 8.\""""
    changed = [(new.number, old.cards, new.cards) for old, new in zip(was, now, strict=False) if old.cards != new.cards]
    for (_, old, new), run in groupby(enumerate(changed), lambda at: (at[1][0] - at[0], *at[1][1:])):
        numbers = [number for _, (number, *_) in run]
        have = "has" if len(numbers) == 1 else "have"
        yield format_html("{} {} {} instead of {}.", capital(hands_text(numbers)), have, number_of(new, "card"), old)


def number_of(number: int, what: str) -> str:
    """A number of things: "1 card", "7 cards".

    >>> number_of(1, "card"), number_of(7, "card")
    ('1 card', '7 cards')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
