"""How a game of Dirty Dog ends: the lead by blind hands (Rule 12), the bottom by drawing a card (Rule 13)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from rules.core.cards import RANKS, height
from rules.core.hands import Hand, Result, Row
from rules.core.placings import boxed, circled, ranked
from rules.core.problems import Problem
from rules.core.settlement import Settlement, Waiting
from rules.core.sheet import fill, problems_of_step
from rules.core.steps import SHEET, Ask, Choice
from rules.dirty_dog.schedule import largest_peak
from rules.dirty_dog.scoring import bids_of, points, tricks_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rules.core.game import Game
    from rules.core.hands import Table
    from rules.core.steps import Address, Value


class Ending:
    """Reads the blind hands and draws of one ended game, step by step, and says what is still open.

    ``lead`` are the seats still in question for the winner's trophy, ``bottom`` those for the loser's. A tie
    at the bottom that involves those tied for the lead waits until the lead is settled.
    """

    def __init__(self, game: Game, table: Table, entries: Mapping[Address, Mapping[str, Value]]) -> None:
        self.game, self.table, self.entries = game, table, entries
        self.seen: set[Address] = set()
        self.ties: list[Row] = []
        self.tied: list[tuple[int, ...]] = []
        self.draws: list[Mapping[int, str]] = []
        self.asks: list[Ask] = []
        self.hand: Hand | None = None
        self.problems: tuple[Problem, ...] = ()
        self.tie_points: dict[int, tuple[int, ...]] = {}
        self.lead = self.leaver_who_wins() or boxed(table.totals)
        everyone = {**table.totals, **table.gone}
        self.bottom = tuple(seat for seat, total in everyone.items() if total == min(everyone.values()))

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
            row = self.blind_hand(len(self.ties) + 1, dealer, questions)
            if row is None:
                break
            self.count(row, questions)
            dealer = self.table.left_of(dealer)
        while self.draw_is_due() and self.draw(len(self.draws) + 1):
            pass
        return Settlement(
            placings=ranked(
                self.table.seats,
                lambda seat: (self.table.totals[seat], *self.tie_points.get(seat, ())),
                self.table.totals.__getitem__,
            ),
            winner=self.lead[0] if len(self.lead) == 1 else None,
            loser=self.candidates()[0] if self.bottom_is_open() and len(self.candidates()) == 1 else None,
            waiting=tuple(self.waiting()),
            ties=tuple(self.ties),
            tied=tuple(self.tied),
            draws=tuple(self.draws),
            hand=self.hand,
            asks=tuple(self.asks),
            read=frozenset(self.seen),
            problems=self.problems,
        )

    # -- what is in question -------------------------------------------------------------------------

    def candidates(self) -> tuple[int, ...]:
        """Who may still take the loser's trophy: the bottom, without the winner."""
        return tuple(seat for seat in self.bottom if self.lead != (seat,))

    def bottom_is_open(self) -> bool:
        """Whether the bottom may be settled now: not while it waits for the lead."""
        return len(self.lead) == 1 or not set(self.bottom) & set(self.lead)

    def by_blind_hand(self) -> bool:
        """Whether a blind hand settles the bottom: the house rule, unless somebody in question has gone home.

        A bottom that began with a draw for him ends with draws.
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

    # -- blind hands -----------------------------------------------------------------------------------

    def cards(self) -> int:
        """Cards of a blind hand: five where the deck allows, or what the house rule says."""
        most = largest_peak(len(self.table.seats))
        chosen = self.table.house_rules["tie_break_cards"]
        return min(cast("int", chosen) if chosen is not None else 5, most)

    def blind_hand(self, k: int, dealer: int, questions: tuple[tuple[int, ...], ...]) -> Row | None:
        """The ``k``-th blind hand as it stands, or None where it is still being played."""
        hand = Hand(SHEET, dealer, self.table.speaking_order(dealer), self.cards(), prefix=f"tie-{k}-")
        hand, opened, seen = fill(self.game, self.table, hand, self.entries)
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

    def count(self, row: Row, questions: tuple[tuple[int, ...], ...]) -> None:
        """Let only the points of the tied count: they order the tied and nobody else."""
        self.ties.append(row)
        self.tied.append(tuple(seat for seats in questions for seat in seats))
        for seats in questions:
            counted = {seat: row.points[seat] for seat in seats}
            if seats == self.lead:
                self.lead = boxed(counted)
                for seat in seats:
                    self.tie_points[seat] = (*self.tie_points.get(seat, ()), row.points[seat])
            else:
                self.bottom = circled(counted)

    # -- draws -----------------------------------------------------------------------------------------

    def draw(self, k: int) -> bool:
        """The ``k``-th draw: the lowest rank loses, equal lowest draw again. False while it is due."""
        ask = draw_ask(k, self.candidates())
        step = self.entries.get((SHEET, ask.name))
        if step is not None:
            self.problems = problems_of_step(self.game, self.table, Hand(SHEET, self.table.next_dealer, ()), ask, step)
        if step is None or self.problems:
            self.asks.append(ask)
            return False
        self.seen.add((SHEET, ask.name))
        drawn = {seat: str(step[f"rank-{seat}"]) for seat in self.candidates()}
        self.draws.append(drawn)
        self.bottom = circled({seat: height(rank) for seat, rank in drawn.items()})
        return True


def draw_ask(k: int, seats: tuple[int, ...]) -> Ask:
    """The ask for the ``k``-th draw at the bottom: a rank for everyone in question."""
    return Ask(f"draw-{k}", tuple(Choice(f"rank-{seat}", RANKS, "bad-rank", seat) for seat in seats))


def check_draw(step: Mapping[str, Value]) -> Iterator[Problem]:
    """A rank stands on four cards of the deck, so five people cannot have drawn it."""
    for rank, times in Counter(step.values()).items():
        if times > 4:
            yield Problem("impossible-draw", "There are only four cards of one rank.", params={"rank": rank})
