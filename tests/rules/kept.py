"""A sheet of Dirty Dog kept for a test: hands written down in bidding order, as a scorekeeper does it."""

from __future__ import annotations

from rules import find_game
from rules.core.engine.replay import Sheet, problems, read
from rules.core.fields import SHEET
from rules.core.playoffs.group_end import ruling_step
from rules.core.stakes import ALL

GAME = find_game("dirty-dog")


class Kept:
    """A table of ``players`` seats 1, 2, … and what has been written on its sheet so far.

    Every step must be one the sheet asks for; a test about refused steps asks ``codes`` instead.
    """

    def __init__(self, players: int = 4, plan=None, *, first_dealer: int = 1, decides=ALL, **house_rules) -> None:
        seats = range(1, players + 1)
        wrong = [p for p in GAME.setup_problems(seats, plan or {}, house_rules) if p.blocking]
        assert wrong == []
        self.table = GAME.open_table(seats, first_dealer, plan, house_rules, decides)
        self.entries = {}

    @property
    def sheet(self) -> Sheet:
        return read(GAME, self.table, self.entries)

    @property
    def coming(self):
        """The hand that is dealt next, or open."""
        return self.sheet.open.hand

    def codes(self, address, **step) -> list[str]:
        """The codes of everything wrong with writing ``step`` at ``address``, the unwise included."""
        return [problem.code for problem in problems(GAME, self.table, self.entries, address, step)]

    def write(self, address, **step) -> Kept:
        wrong = [p for p in problems(GAME, self.table, self.entries, address, step) if p.blocking]
        assert wrong == [], (address, step)
        self.entries[address] = step
        return self

    def happens(self, kind: str, **step) -> Kept:
        """Something between hands."""
        opened = self.sheet.open
        return self.write((opened.hand.number, f"{kind}-{opened.next_event}"), **step)

    def carry(self, *totals: int, hands: int | None = None, last_dealer: int | None = None) -> Kept:
        """Hands kept elsewhere with these totals by seat; all of the planned ones unless said."""
        done = len(self.table.schedule) if hands is None else hands
        seats = self.table.seats
        order = self.table.order_from(self.table.first_dealer)
        last = order[(done - 1) % len(order)] if last_dealer is None else last_dealer
        by_seat = {f"total-{seat}": total for seat, total in zip(seats, totals, strict=True)}
        return self.write((SHEET, "carried"), hands=done, last_dealer=last, **by_seat)

    def bid(self, *bids: int) -> Kept:
        """The next bids, in bidding order."""
        hand = self.coming
        spoken = [seat for seat in hand.order if f"bid-{seat}" not in hand.steps]
        for seat, bid in zip(spoken, bids, strict=False):
            self.write((hand.number, f"bid-{seat}"), bid=bid)
        return self

    def take(self, *tricks: int) -> Kept:
        """Everybody's tricks, in bidding order."""
        hand = self.coming
        return self.write(
            (hand.number, "tricks"), **{f"tricks-{seat}": n for seat, n in zip(hand.order, tricks, strict=True)}
        )

    def hand(self, bids: str, tricks: str) -> Kept:
        """One whole hand, both in bidding order: ``hand("1 0 0 1", "1 0 0 0")``."""
        return self.bid(*map(int, bids.split())).take(*map(int, tricks.split()))

    def any_hands(self, times: int = 1) -> Kept:
        """Hands in which nobody bids anything and the first bidder takes it all."""
        for _ in range(times):
            hand = self.coming
            self.bid(*[0] * len(hand.order)).take(hand.cards, *[0] * (len(hand.order) - 1))
        return self

    def blind_hand(self, bids: str, tricks: str) -> Kept:
        """One blind hand after the last one, both in bidding order."""
        hand = self.sheet.settlement.hand
        for seat, bid in zip(hand.order, bids.split(), strict=True):
            self.write(hand.address(f"bid-{seat}"), bid=int(bid))
        taken = {f"tricks-{seat}": int(n) for seat, n in zip(hand.order, tricks.split(), strict=True)}
        return self.write(hand.address("tricks"), **taken)

    def rule(self, *goes: int, edge: str = "through") -> Kept:
        """The organiser rules that these of the tied go over the line."""
        settlement = self.sheet.settlement
        tie = next(tie for tie in settlement.cut.ties if tie.edge == edge)
        name = f"ruling-{len(settlement.rulings) + 1}"
        self.entries[SHEET, name] = ruling_step(tie, len(settlement.ties) + len(settlement.draws), goes)
        return self

    def draw(self, **ranks: str) -> Kept:
        """One draw at the bottom: ``draw(s1="7", s3="Q")``."""
        due = next(ask for ask in self.sheet.settlement.asks if ask.name.startswith("draw-"))
        return self.write((SHEET, due.name), **{f"rank-{seat[1:]}": rank for seat, rank in ranks.items()})
