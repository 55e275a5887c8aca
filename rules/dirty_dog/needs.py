"""What each player needs of the open hand of Dirty Dog, when it is the last or the last but one (Rules 7 and 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rules.core.outcome import Need
from rules.core.table import Hand, Table
from rules.dirty_dog.scoring import bids_of, points, rule_was_missed

#: A bid made brings at least this.
MADE = 5
#: A bid with the tricks taken.
Played = tuple[int, int]
#: What a player may do in a proof: bid, tricks, and the mark that goes with it.
Choice = tuple[int, int, int]
#: The mark of what another player gets, their points, against an end total; None: they may not get that.
Marks = Callable[[int, int, int], "int | None"]


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
        self.known: dict[tuple[Marks, int, int], list[Choice]] = {}

    def plays(self, seat: int) -> list[Played]:
        """Every bid with tricks that the seat may come to."""
        counts = range(self.cards + 1)
        bids = [self.bids[seat]] if seat in self.bids else counts
        return [(bid, tricks) for bid in bids for tricks in counts]

    def comes_about(self, seat: int, own: Played, marks: Marks, end: int = 0, *, any_mark: bool) -> bool:
        """Whether the hand can go so that the others' ``marks`` against ``end`` fit, while the seat plays ``own``.

        ``any_mark``: one mark at least has to be there. Else the marks may come to no more than the later tricks.

        By tricks taken and marks so far it keeps sums of the bids: of two, one is not the sum that The Rule forbids.
        """
        limit = 1 if any_mark else self.later
        reached = {(own[1], 0): {own[0]}}
        for other in self.totals:
            if other == seat:
                continue
            step: dict[tuple[int, int], set[int]] = {}
            for (taken, marked), sums in reached.items():
                for bid, tricks, mark in self.choices(other, marks, end):
                    key = (taken + tricks, min(1, marked + mark) if any_mark else marked + mark)
                    if key[0] <= self.cards and key[1] <= limit and len(step.setdefault(key, set())) < 2:
                        step[key] |= {bid + so_far for so_far in sums}
            reached = step
        return any(
            taken == self.cards and (marked or not any_mark) and (self.is_free or sums != {self.cards})
            for (taken, marked), sums in reached.items()
            if sums
        )

    def choices(self, seat: int, marks: Marks, end: int) -> list[Choice]:
        """What the seat may play; of bids that come to the same two are enough. Worked out once."""
        if (marks, end, seat) not in self.known:
            by_outcome: dict[tuple[int, int], list[Choice]] = {}
            for bid, tricks in self.plays(seat):
                mark = marks(seat, points(bid, tricks), end)
                if mark is not None:
                    by_outcome.setdefault((tricks, mark), []).append((bid, tricks, mark))
            self.known[marks, end, seat] = [choice for alike in by_outcome.values() for choice in alike[:2]]
        return self.known[marks, end, seat]

    # -- the aims --------------------------------------------------------------------------------------

    def can_be_boxed(self, seat: int, own: Played) -> bool:
        """Whether nobody need have more in the end."""
        return self.comes_about(seat, own, self.has_no_more, self.at_most(seat, own), any_mark=False)

    def is_boxed(self, seat: int, own: Played) -> bool:
        """Whether nobody can have more in the end."""
        return not self.comes_about(seat, own, self.can_have_more, self.at_least(seat, own), any_mark=True)

    def can_be_out(self, seat: int, own: Played) -> bool:
        """Whether somebody can have less in the end."""
        return self.comes_about(seat, own, self.can_have_less, self.at_most(seat, own), any_mark=True)

    def is_out(self, seat: int, own: Played) -> bool:
        """Whether somebody must have less in the end."""
        return not self.comes_about(seat, own, self.later_tricks, self.at_least(seat, own), any_mark=False)

    def is_possible(self, seat: int, own: Played) -> bool:
        """Whether the others can play at all, while the seat plays that."""
        return self.comes_about(seat, own, self.whatever, any_mark=False)

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

    def whatever(self, _other: int, _got: int, _end: int) -> int:
        return 0

    # -- what is told ----------------------------------------------------------------------------------

    def needs_of(self, seat: int) -> Iterator[Need]:
        """What can be told of the seat."""
        plays = [own for own in self.plays(seat) if self.is_possible(seat, own)]
        values = sorted({points(*own) for own in plays})
        for aim, can, must in (
            ("box", self.can_be_boxed, self.is_boxed),
            ("circle", self.can_be_out, self.is_out),
        ):
            least = min((points(*own) for own in plays if can(seat, own)), default=None)
            if least is None:
                continue
            unsure = max((points(*own) for own in plays if not must(seat, own)), default=None)
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
