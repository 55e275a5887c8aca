"""The end of a game of Dirty Dog: ties for the lead by blind hands, ties at the bottom by a card (Rule 13)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.core.cards import lowest_cards
from rules.core.fields import Address, Value
from rules.core.game import Game
from rules.core.outcome import Settlement, Waiting
from rules.core.placings import boxed, circled, ranked
from rules.core.table import Row, Table
from rules.dirty_dog.tie_breaks import TieBreaks


class Ending(TieBreaks):
    """Reads the blind hands and draws of one ended game, step by step, and says what is still open.

    ``lead`` are the seats still in question for the winner's trophy, ``bottom`` those for the loser's. A tie
    at the bottom that involves those tied for the lead waits until the lead is settled. Neither is in question at a
    table that does not decide it.
    """

    def __init__(self, game: Game, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> None:
        super().__init__(game, table, entries)
        self.tie_points: dict[int, tuple[int, ...]] = {}
        #: What blind hands add to the totals, where the house has them count.
        self.added: dict[int, int] = {}
        everyone = {**table.totals, **table.gone}
        lead = self.leaver_who_wins() or boxed(table.totals)
        lowest = tuple(seat for seat, total in everyone.items() if total == min(everyone.values()))
        self.lead = lead if table.decides.lead else ()
        self.bottom = lowest if table.decides.bottom else ()

    def leaver_who_wins(self) -> tuple[int, ...]:
        """Who went home above every seated total and above every other leaver (``leaver_may_win``)."""
        if not self.table.house_rules["leaver_may_win"] or not self.table.gone:
            return ()
        top = boxed(self.table.gone)
        above = self.table.gone[top[0]] > max(self.table.totals.values())
        return top if above and len(top) == 1 else ()

    def settle(self) -> Settlement:
        """Play the recorded blind hands and draws through."""
        dealer = self.table.next_dealer
        while questions := self.questions_for_a_blind_hand():
            row = self.blind_hand(len(self.ties) + 1, dealer)
            if row is None:
                break
            self.count(row, questions)
            dealer = self.table.left_of(dealer)
        while self.draw_is_due() and self.draw(len(self.draws) + 1):
            pass
        is_parted = bool(self.ties or self.draws)
        return Settlement(
            placings=ranked(self.table.seats, self.rank, self.totals().__getitem__),
            added=self.added,
            winner=self.lead[0] if len(self.lead) == 1 else None,
            loser=self.candidates()[0] if self.bottom_is_open() and len(self.candidates()) == 1 else None,
            waiting=tuple(self.waiting()),
            ties=tuple(self.ties),
            tied=tuple(self.tied),
            draws=tuple(self.draws),
            boxed=self.lead if is_parted else (),
            circled=self.candidates() if is_parted else (),
            hand=self.hand,
            asks=tuple(self.asks),
            read=frozenset(self.seen),
            problems=self.problems,
        )

    def rank(self, seat: int) -> tuple[int, ...]:
        """By the totals; blind hands order the tied and nobody else.

        Where their points count, those who lead still come first, and everybody else is placed by the new total.
        """
        if self.added:
            return (int(seat in self.lead), self.totals()[seat])
        return (self.table.totals[seat], *self.tie_points.get(seat, ()))

    # -- what is in question -------------------------------------------------------------------------

    def candidates(self) -> tuple[int, ...]:
        """Who may still take the loser's trophy: the bottom, without the winner."""
        return tuple(seat for seat in self.bottom if self.lead != (seat,))

    def bottom_is_open(self) -> bool:
        """Whether the bottom may be settled now: not while it waits for the lead."""
        return bool(self.bottom) and (len(self.lead) == 1 or not set(self.bottom) & set(self.lead))

    def by_blind_hand(self) -> bool:
        """Whether a blind hand settles the bottom: the house rule, unless somebody in question has gone home.

        A bottom that began with a draw for them ends with draws.
        """
        gone_home = set(self.candidates()) & set(self.table.gone)
        return bool(self.table.house_rules["bottom_by_blind_hand"]) and not gone_home and not self.draws

    def questions_for_a_blind_hand(self) -> tuple[tuple[int, ...], ...]:
        """The tied groups the next blind hand decides, the lead first."""
        questions = []
        if len(self.lead) > 1:
            questions.append(self.lead)
        if self.by_blind_hand() and self.bottom_is_open() and len(self.candidates()) > 1:
            questions.append(self.candidates())
        return tuple(questions)

    def draw_is_due(self) -> bool:
        """Whether the next card is to be drawn at the bottom."""
        return self.bottom_is_open() and len(self.candidates()) > 1 and not self.by_blind_hand()

    def waiting(self) -> Iterator[Waiting]:
        """What the sheet waits for now."""
        for seats in self.questions_for_a_blind_hand():
            yield Waiting("tie-break", seats=seats, cards=self.cards())
        if self.draw_is_due():
            yield Waiting("draw", seats=self.candidates())

    def count(self, row: Row, questions: tuple[tuple[int, ...], ...]) -> None:
        """Let only the points of the tied count.

        In the row box and circle are of those who are left in them after it.
        """
        for seats in questions:
            counted = {seat: row.points[seat] for seat in seats}
            if seats == self.lead:
                self.lead = boxed(counted)
                for seat in seats:
                    self.tie_points[seat] = (*self.tie_points.get(seat, ()), row.points[seat])
            else:
                self.bottom = circled(counted)
        tied = tuple(seat for seats in questions for seat in seats)
        if self.table.house_rules["blind_hand_counts"]:
            self.added |= {seat: self.added.get(seat, 0) + row.points[seat] for seat in tied}
        self.tied.append(tied)
        self.ties.append(replace(row, totals=self.totals(), boxed=self.lead, circled=self.candidates()))

    def totals(self) -> dict[int, int]:
        """The totals with what blind hands have added to them."""
        return {seat: total + self.added.get(seat, 0) for seat, total in self.table.totals.items()}

    def draw(self, k: int) -> bool:
        """The ``k``-th draw: the lowest rank loses, equal lowest draw again. False while it is due."""
        drawn = self.cards_drawn(k, self.candidates())
        if drawn is None:
            return False
        self.bottom = lowest_cards(drawn)
        return True
