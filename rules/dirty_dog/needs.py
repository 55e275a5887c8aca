"""What each player needs of the open hand of Dirty Dog, when it is the last or the last but one (Rules 7 and 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from rules.core.outcome import Need
from rules.core.table import Hand, Table
from rules.dirty_dog.scoring import bids_of, points, rule_was_missed

#: A bid made brings at least this.
MADE = 5
#: A bid with the tricks taken.
Played = tuple[int, int]


@dataclass(frozen=True)
class Aim:
    """What is asked of the other players of a hand: each has a mark for their points, and the marks are added.

    ``mark`` tells it of a player (seat), their points in the hand and an end total; None: they may not get that. The
    sum of the marks is to be ``least`` to ``most``.
    """

    mark: Callable[[int, int, int], int | None]
    least: int = 0
    most: int = 0


class LastHands:
    """The open hand with the bids that stand, and the ``later`` cards of the hand after it; 0: there is none.

    Every question is asked of all the ways in which the hand can go on: the tricks come to the cards, and the bids do
    not (Rule 7), unless they stand already or the table has missed it. Of the later hand nothing is known.
    """

    def __init__(self, table: Table, hands: Sequence[Hand]) -> None:
        opened, *after = hands
        self.totals, self.cards, self.bids = table.totals, opened.cards, bids_of(opened)
        self.later = after[0].cards if after else 0
        #: The most points of the later hand for one player, and the fewest for all others at the same time.
        self.most, self.fewest = (MADE + self.later, -self.later) if after else (0, 0)
        self.is_free = rule_was_missed(opened) or len(self.bids) == len(opened.order)
        self.plays = {seat: self.plays_of(seat) for seat in self.totals}
        self.whatever = Aim(lambda _other, _got, _end: 0)
        self.no_more = Aim(self.has_no_more)
        self.one_has_more = Aim(self.can_have_more, 1, len(self.totals))
        self.one_has_less = Aim(self.can_have_less, 1, len(self.totals))
        self.none_has_less = Aim(self.later_tricks, 0, self.later)
        #: So many bits have room for every sum of all bids.
        self.room = len(self.totals) * self.cards + 1
        self.known: dict[tuple[Aim, int, int], int] = {}

    def plays_of(self, seat: int) -> dict[int, list[Played]]:
        """Every bid with tricks that the seat may come to, by what it brings."""
        counts = range(self.cards + 1)
        bids = [self.bids[seat]] if seat in self.bids else counts
        plays: dict[int, list[Played]] = {}
        for bid, tricks in product(bids, counts):
            plays.setdefault(points(bid, tricks), []).append((bid, tricks))
        return plays

    def comes_about(self, seat: int, own: Played, aim: Aim, end: int = 0) -> bool:
        """Whether the hand can go so that the others' marks against ``end`` fit, while the seat plays ``own``."""
        bid, tricks = own
        ways = self.ways(seat, aim, end) >> self.place(aim, self.cards - tricks, aim.least, 0)
        sums = 0
        for _ in range(aim.least, aim.most + 1):
            sums |= ways & ((1 << self.room) - 1)
            ways >>= self.room
        # Rule 7: the bids do not come to the cards.
        if not self.is_free and bid <= self.cards:
            sums &= ~(1 << self.cards - bid)
        return sums != 0

    def ways(self, seat: int, aim: Aim, end: int) -> int:
        """All that the others of a seat can come to together, a bit each (`place`). Worked out once."""
        if (aim, end, seat) not in self.known:
            ways, within = 1, self.within(aim)
            for other, plays in self.plays.items():
                if other == seat:
                    continue
                step = 0
                for got, alike in plays.items():
                    mark = aim.mark(other, got, end)
                    if mark is not None and mark <= aim.most:
                        for bid, tricks in alike:
                            step |= ways << self.place(aim, tricks, mark, bid)
                ways = step & within
            self.known[aim, end, seat] = ways
        return self.known[aim, end, seat]

    def place(self, aim: Aim, tricks: int, marks: int, bids: int) -> int:
        """The bit that stands for so many tricks and marks, and for the sum of the bids.

        The place of a sum is the sum of the places. There is room for twice the marks, which one more player may bring.
        """
        return (tricks * (2 * aim.most + 1) + marks) * self.room + bids

    def within(self, aim: Aim) -> int:
        """The bits of all places with no more tricks than cards and no more marks than the aim has."""
        marks = (1 << (aim.most + 1) * self.room) - 1
        return sum(marks << self.place(aim, tricks, 0, 0) for tricks in range(self.cards + 1))

    # -- the aims --------------------------------------------------------------------------------------

    def can_be_boxed(self, seat: int, own: Played) -> bool:
        """Whether nobody need have more in the end."""
        return self.comes_about(seat, own, self.no_more, self.at_most(seat, own))

    def is_boxed(self, seat: int, own: Played) -> bool:
        """Whether nobody can have more in the end."""
        return not self.comes_about(seat, own, self.one_has_more, self.at_least(seat, own))

    def can_be_out(self, seat: int, own: Played) -> bool:
        """Whether somebody can have less in the end."""
        return self.comes_about(seat, own, self.one_has_less, self.at_most(seat, own))

    def is_out(self, seat: int, own: Played) -> bool:
        """Whether somebody must have less in the end."""
        return not self.comes_about(seat, own, self.none_has_less, self.at_least(seat, own))

    def is_possible(self, seat: int, own: Played) -> bool:
        """Whether the others can play at all, while the seat plays that."""
        return self.comes_about(seat, own, self.whatever)

    def at_most(self, seat: int, own: Played) -> int:
        """The most the seat can have in the end."""
        return self.totals[seat] + points(*own) + self.most

    def at_least(self, seat: int, own: Played) -> int:
        """The least the seat can have in the end."""
        return self.totals[seat] + points(*own) + self.fewest

    # -- marks -----------------------------------------------------------------------------------------

    def has_no_more(self, other: int, got: int, end: int) -> int | None:
        return 0 if self.totals[other] + got + self.fewest <= end else None

    def can_have_more(self, other: int, got: int, end: int) -> int:
        return int(self.totals[other] + got + self.most > end)

    def can_have_less(self, other: int, got: int, end: int) -> int:
        return int(self.totals[other] + got + self.fewest < end)

    def later_tricks(self, other: int, got: int, end: int) -> int | None:
        """How many tricks of the later hand they need, with their bid made, so as not to have less."""
        missing = end - (self.totals[other] + got)
        return max(0, missing - MADE) if self.later else 0 if missing <= 0 else None

    # -- what is told ----------------------------------------------------------------------------------

    def needs_of(self, seat: int) -> Iterator[Need]:
        """What can be told of the seat."""
        plays = {got: [own for own in alike if self.is_possible(seat, own)] for got, alike in self.plays[seat].items()}
        values = sorted(got for got, alike in plays.items() if alike)
        for aim, can, must in (
            ("box", self.can_be_boxed, self.is_boxed),
            ("circle", self.can_be_out, self.is_out),
        ):
            least = next((got for got in values if any(can(seat, own) for own in plays[got])), None)
            if least is None:
                continue
            unsure = next((got for got in reversed(values) if not all(must(seat, own) for own in plays[got])), None)
            enough = next((value for value in values if unsure is not None and value > unsure), None)
            bound = least if least > values[0] else None
            if bound is not None or enough is not None:
                yield Need(
                    seat, "box" if aim == "box" else "circle", bound, enough,
                    by_least=self.by(seat, bound), by_enough=self.by(seat, enough),
                )  # fmt: skip

    def by(self, seat: int, value: int | None) -> str:
        """What brings so many points or more; "" where it is not a bid made."""
        if value is None or value < MADE:
            return ""
        if seat in self.bids:
            return f"the bid of {self.bids[seat]} made"
        bid = value - MADE
        return "any bid made" if not bid else f"a bid of {bid}{'' if bid == self.cards else ' or more'} made"


def needs_of(table: Table, hands: Sequence[Hand]) -> Iterator[Need]:
    """What each seat needs of the open hand; ``hands`` is that one, or that and the last."""
    ends = LastHands(table, hands)
    for seat in table.totals:
        yield from ends.needs_of(seat)
