"""The scoreboard, to be read across the table: whose turn it is, and all totals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.table import Hand
from scoresheets.log.state import SheetReading
from scoresheets.results.match import Match
from scoresheets.results.qualification import ties_said
from scoresheets.sheet.open_hand import OpenHand
from scoresheets.wording.badges import Badge, badges_of
from scoresheets.wording.markup import SUITS, name_shown, names_shown, suited, with_names


@dataclass(frozen=True)
class Place:
    """One seat: its total and marks, and of the hand being played what is sure of it, or that it is its turn.

    `question` is said small, with `answer` behind it: "bids", "2". `legs` are those it has won: "1 rubber".
    """

    name: str
    badge: Badge
    total: int
    boxed: bool
    circled: bool
    question: str
    answer: SafeString
    legs: str
    is_next: bool


@dataclass(frozen=True)
class TableTop:
    """The table as it is now, in seat order."""

    reading: SheetReading

    @cached_property
    def now(self) -> OpenHand:
        """The hand that is being played."""
        return OpenHand(self.reading)

    @property
    def heading(self) -> str:
        """Hand 7 of 18, or what is played after the last one."""
        sheet, withheld = self.reading.sheet, self.reading.withheld
        if withheld:
            return withheld.heading
        planned = self.reading.game.planned_hands(sheet.table)
        if sheet.open:
            return f"Hand {sheet.open.hand.number} of {planned}" if planned else f"Hand {sheet.open.hand.number}"
        if sheet.finished:
            return "The result"
        if self.now.hand:
            return "Blind hand"
        return "A tie across the line" if any(waiting.what == "ruling" for waiting in sheet.waiting) else "Draw"

    @property
    def facts(self) -> list[SafeString]:
        """What there is to know about the hand: cards, trump, who deals, what it has come to, who deals next."""
        hand = self.now.hand
        return self.facts_now + (self.next_dealer(hand) if hand else [])

    @property
    def facts_now(self) -> list[SafeString]:
        """The same without who deals next."""
        hand, names = self.now.hand, self.reading.names
        if hand is None:
            return self.waiting()
        facts = [format_html("<b>{} card{}</b>", hand.cards, "" if hand.cards == 1 else "s")] if hand.cards else []
        if trump := self.reading.game.trump(hand):
            facts.append(suited(SUITS[trump][0]) if trump in SUITS else escape("no trump"))
        facts.append(format_html("{} deals", name_shown(names[hand.dealer])))
        if not hand.prefix and self.reading.last_hand is not None:
            last = self.reading.last_hand
            facts.append(
                format_html("<b>{}</b>", "the last hand" if hand.number == last else f"stops after hand {last}")
            )
        facts += [
            with_names(about.text, names_shown(names, about.seats))
            for about in self.reading.game.so_far(self.reading.sheet.table, hand)
        ]
        if not self.now.is_spoken and self.now.next_question:
            facts.append(format_html("<b>next: {}</b>", self.now.next_question))
        return facts

    @property
    def match(self) -> SafeString:
        """How the match stands, where there is one."""
        return Match(self.reading).strip

    @property
    def ties(self) -> list[SafeString]:
        """Who is tied across a line of a group."""
        return ties_said(self.reading)

    def waiting(self) -> list[SafeString]:
        """What the sheet waits for, where no hand is being played."""
        names = self.reading.names
        return [
            format_html("{} draw a card", names_shown(names, waiting.seats))
            for waiting in self.reading.sheet.waiting
            if waiting.what == "draw"
        ]

    def next_dealer(self, hand: Hand) -> list[SafeString]:
        """Who deals the hand after this one, if there is one; where nobody knows, should there be one."""
        sheet, game = self.reading.sheet, self.reading.game
        coming = sheet.coming()
        if hand.prefix or not coming:
            return []
        if not game.planned_hands(sheet.table):
            dealer = sheet.ahead.next_dealer
        elif len(coming) > 1:
            dealer = coming[1].dealer
        else:
            return []
        return [format_html("{} deals next", name_shown(self.reading.names_at(hand.number + 1)[dealer]))]

    @property
    def turn(self) -> SafeString:
        """Whose turn it is, in words: "Cy bids next"; "" where nobody's is."""
        due = next((place for place in self.places if place.is_next), None)
        if due is None:
            return SafeString()
        answer = format_html(" {}", due.answer) if due.answer else ""
        return format_html("{} {}{}", name_shown(due.name), due.question, answer)

    @cached_property
    def places(self) -> list[Place]:
        """Everybody at the table."""
        sheet, words = self.reading.sheet, self.now.words
        questions = {
            seat: aloud.removesuffix(text).rstrip()
            for seat, aloud in words.aloud.items()
            if aloud.endswith(text := words.cells.get(seat, ""))
        }
        due = self.now.due.seat if self.now.due and self.now.hand else None
        match, legs = Match(self.reading), sheet.table.legs_won()
        fresh = sheet.open is not None and sheet.table.is_between_legs
        # Blind hands and cards have parted the tied.
        left = sheet.settlement
        boxed, circled = (left and left.boxed) or sheet.boxed, (left and left.circled) or sheet.circled
        badges = badges_of(self.reading)
        return [
            Place(
                self.reading.names[seat],
                badges[seat],
                total,
                seat in boxed and not fresh,
                seat in circled and not fresh,
                questions.get(seat, ""),
                suited(words.cells.get(seat, "")),
                match.counted(legs[seat]) if match.has_legs and legs[seat] else "",
                seat == due,
            )
            for seat, total in sheet.totals.items()
        ]
