"""Chances in Dirty Dog: the players who can still win, take the loser's trophy, or go on from a group.

In a hand of ``c`` cards the best is 5 + c (all bid and taken) and the worst −c (all bid, not all taken). One player can
have their best while each of the others has their worst: one bids and takes all, the others bid all and take nothing.
One can have their worst while all others make their bids: one bids all and takes nothing, and the others share the
tricks as they have bid. So it is enough to look at one player's best, or worst, in the hands to come. In the open hand
the bids so far are known; the other players are taken to be free to bid anything, The Rule left aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.outcome import Chances
from rules.core.table import Hand, Table
from rules.dirty_dog.scoring import bids_of, points

#: A bid made brings at least this.
MADE = 5


class Ahead:
    """The hands to come: the open one with its bids, and ``hands`` later ones that have ``cards`` in all."""

    def __init__(self, table: Table, hands: Sequence[Hand]) -> None:
        opened, *later = hands
        self.tricks, bids = opened.cards, bids_of(opened)
        self.hands, self.cards = len(later), sum(hand.cards for hand in later)
        self.totals, self.gone = table.totals, table.gone
        self.leaver_may_win = table.house_rules["leaver_may_win"] is True
        counts = range(self.tricks + 1)
        self.best = {seat: [self.at_best(bids.get(seat), tricks) for tricks in counts] for seat in table.seats}
        self.worst = {seat: [self.at_worst(bids.get(seat), tricks) for tricks in counts] for seat in table.seats}

    def at_best(self, bid: int | None, tricks: int) -> int:
        """The most points of the open hand with so many tricks; ``bid`` None: they have not bid yet."""
        return MADE + tricks if bid is None else points(bid, tricks)

    def at_worst(self, bid: int | None, tricks: int) -> int:
        """The fewest."""
        return -self.tricks if bid is None else points(bid, tricks)

    @property
    def top_leaver(self) -> int | None:
        """Who went home with more than every other who did, where the house lets them win."""
        if not self.leaver_may_win or not self.gone:
            return None
        top = [seat for seat, total in self.gone.items() if total == max(self.gone.values())]
        return top[0] if len(top) == 1 else None

    def all_can_end_by(self, most: int, others: Sequence[int], taken: int, but: int = 0) -> bool:
        """Whether all of ``others`` can end with ``most`` or fewer, sharing what ``taken`` leaves of the open hand.

        All ``but`` so many, who may end as they like. A bit stands for a number of tricks taken so far; the numbers
        are kept by how many have been left aside.
        """
        reached = [1 << taken, *[0] * but]
        for seat in others:
            step = [0] * (but + 1)
            for tricks, worst in enumerate(self.worst[seat]):
                fits = self.totals[seat] + worst - self.cards <= most
                for aside, bits in enumerate(reached):
                    if fits:
                        step[aside] |= bits << tricks
                    if aside < but:
                        step[aside + 1] |= bits << tricks
            reached = step
        return any(bits >> self.tricks & 1 for bits in reached)

    def all_can_end_from(self, least: int, others: Sequence[int], taken: int, but: int = 0) -> bool:
        """Whether all of ``others`` can end with ``least`` or more, sharing the tricks of the open hand and the later.

        All ``but`` so many. By tricks of the open hand taken so far, and by how many have been left aside: the fewest
        tricks of later hands that make up for what is missing.
        """
        needed: Mapping[tuple[int, int], int] = {(taken, 0): 0}
        for seat in others:
            step: dict[tuple[int, int], int] = {}
            for (taken_so_far, aside), need in needed.items():
                for tricks in range(self.tricks - taken_so_far + 1):
                    short = least - (self.totals[seat] + self.best[seat][tricks] + MADE * self.hands)
                    now = taken_so_far + tricks
                    for key, fewest in (((now, aside), need + max(0, short)), ((now, aside + 1), need)):
                        if key[1] <= but:
                            step[key] = min(fewest, step.get(key, fewest))
            needed = step
        return any(need <= self.cards for (tricks, _), need in needed.items() if tricks == self.tricks)

    def can_win(self, seat: int) -> bool:
        """Whether a seated player can end at the top, alone or level."""
        leaver = self.top_leaver
        to_beat = self.gone[leaver] if leaver is not None else None
        for tricks, best in enumerate(self.best[seat]):
            most = self.totals[seat] + best + MADE * self.hands + self.cards
            beaten = to_beat is None or most >= to_beat
            if beaten and self.all_can_end_by(most, self.others(seat), tricks):
                return True
        return False

    def can_lose(self, seat: int) -> bool:
        """Whether a seated player can end at the bottom, alone or level."""
        lowest_gone = min(self.gone.values(), default=None)
        for tricks, worst in enumerate(self.worst[seat]):
            least = self.totals[seat] + worst - self.cards
            below = lowest_gone is None or least <= lowest_gone
            if below and self.all_can_end_from(least, self.others(seat), tricks):
                return True
        return False

    def leaver_can_win(self, seat: int) -> bool:
        """Whether all who sit can end below who went home (house rule ``leaver_may_win``)."""
        return seat == self.top_leaver and self.all_can_end_by(self.gone[seat] - 1, tuple(self.totals), 0)

    def leaver_can_lose(self, seat: int) -> bool:
        """Whether nobody need end below who went home (Rule 10)."""
        total = self.gone[seat]
        return total == min(self.gone.values()) and self.all_can_end_from(total, tuple(self.totals), 0)

    def can_be_above(self, seat: int, line: int) -> bool:
        """Whether a seated player can end among the ``line`` highest, or level with the last of them."""
        bonus = MADE * self.hands + self.cards
        return line > 0 and any(
            self.all_can_end_by(self.totals[seat] + best + bonus, self.others(seat), tricks, but=line - 1)
            for tricks, best in enumerate(self.best[seat])
        )

    def can_be_below(self, seat: int, line: int) -> bool:
        """Whether a seated player can end among the ``line`` lowest, or level with the first of them."""
        return line > 0 and any(
            self.all_can_end_from(self.totals[seat] + worst - self.cards, self.others(seat), tricks, but=line - 1)
            for tricks, worst in enumerate(self.worst[seat])
        )

    @property
    def all_is_open(self) -> bool:
        """Whether the later hands alone outweigh everything: then nobody need be looked at one by one."""
        spread = max(self.totals.values()) - min(self.totals.values())
        return not self.gone and spread + MADE + 2 * self.tricks <= self.cards + MADE * self.hands

    def others(self, seat: int) -> tuple[int, ...]:
        """Everybody else at the table."""
        return tuple(other for other in self.totals if other != seat)


def chances_of(table: Table, hands: Sequence[Hand]) -> Chances | None:
    """Who can still win and who can still lose; ``hands`` are those to come, the open one first. None: everybody."""
    ahead = Ahead(table, hands)
    if table.decides.is_group:
        return None if ahead.all_is_open else of_group(table, ahead)
    if ahead.all_is_open:
        return None
    return Chances(
        (
            *(seat for seat in table.seats if ahead.can_win(seat)),
            *(seat for seat in table.gone if ahead.leaver_can_win(seat)),
        ),
        (
            *(seat for seat in table.seats if ahead.can_lose(seat)),
            *(seat for seat in table.gone if ahead.leaver_can_lose(seat)),
        ),
    )


def of_group(table: Table, ahead: Ahead) -> Chances:
    """Who can still go on from a group: who went home early goes nowhere, and counts for nobody's line."""
    places, below, size = table.decides.through or 0, table.decides.below, len(table.seats)
    upper = min(places, size)
    lower = size - upper if below is None else min(below, size - upper)
    return Chances(
        None,
        through=tuple(seat for seat in table.seats if ahead.can_be_above(seat, upper)) if places else None,
        below=tuple(seat for seat in table.seats if ahead.can_be_below(seat, lower)) if lower else None,
    )
