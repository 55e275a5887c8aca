"""Counting tricks on the pad: the counts start with the bids, and a tap changes one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from rules.core.numbers import spelled


@dataclass(frozen=True)
class Tally:
    """The tricks as counted so far, by seat in the order of the rows; `touched` are the seats somebody has counted."""

    cards: int
    bids: Mapping[int, int]
    counts: Mapping[int, int]
    touched: frozenset[int] = frozenset()

    @classmethod
    def of(cls, cards: int, bids: Mapping[int, int]) -> Tally:
        """Before anything was touched: as everybody has bid."""
        return cls(cards, bids, dict(bids))

    def moved(self, seat: int, by: int) -> Tally:
        """One trick more or fewer for a seat, if there can be.

        Nothing else changes, but for the count of the last one whom nobody has touched.

        >>> tally = Tally.of(2, {1: 1, 2: 1, 3: 1})
        >>> dict(tally.moved(1, -1).counts), dict(tally.moved(1, -1).moved(2, 1).counts)
        ({1: 0, 2: 1, 3: 1}, {1: 0, 2: 2, 3: 0})
        """
        count = self.counts[seat] + by
        if not 0 <= count <= self.cards:
            return self
        counts, touched = {**self.counts, seat: count}, self.touched | {seat}
        left = [other for other in counts if other not in touched]
        if len(left) == 1:
            rest = self.cards - sum(counts[other] for other in touched)
            counts[left[0]] = rest if 0 <= rest <= self.cards else counts[left[0]]
        return replace(self, counts=counts, touched=touched)

    @property
    def taken(self) -> int:
        return sum(self.counts.values())

    @property
    def is_right(self) -> bool:
        """Whether every trick has one taker."""
        return self.taken == self.cards

    @property
    def could(self) -> tuple[int, ...]:
        """Who could have taken fewer, or more, where the tricks do not come out: those nobody has touched first."""
        if self.is_right:
            return ()
        over = self.taken > self.cards
        able = [seat for seat, count in self.counts.items() if (count > 0 if over else count < self.cards)]
        return tuple(seat for seat in able if seat not in self.touched) or tuple(able)

    @property
    def question(self) -> str:
        """What is asked where they do not come out; "" where they do."""
        off = abs(self.taken - self.cards)
        if not off:
            return ""
        many = spelled(off)
        if self.taken > self.cards:
            return f"{many.capitalize()} too many: who took fewer?"
        return f"{many.capitalize()} missing: who took more?"

    @property
    def is_set(self) -> tuple[int, ...]:
        return tuple(seat for seat, count in self.counts.items() if count != self.bids[seat])


def read_back(seated: Collection[int], down: Collection[int]) -> tuple[str, tuple[int, ...], str]:
    """The sentence that reads a hand back: what stands before the names, the names, and what follows.

    The shorter list is read, so that it fits.

    >>> read_back([1, 2, 3, 4, 5], [3, 5]), read_back([1, 2, 3], [2, 3])
    (('Set:', (3, 5), 'Everyone else made it.'), ('Made it:', (1,), 'Everyone else was set.'))
    """
    made = tuple(seat for seat in seated if seat not in down)
    if not down:
        return "", (), "Everyone made it."
    if not made:
        return "", (), "Everyone was set."
    if len(down) <= len(made):
        return "Set:", tuple(down), "Everyone else made it."
    return "Made it:", made, "Everyone else was set."
