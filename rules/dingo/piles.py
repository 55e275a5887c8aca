"""The piles of a hand: the cards of each player, their points, who is caught and who wins the hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rules.core.cards import height
from rules.core.fields import Value
from rules.core.table import Hand, Table
from rules.dingo.hunts import ACE, Hunt, held_of, hunts_of

RABBIT, DINGO, WOLF = "rabbit", "dingo", "wolf"


class Card(NamedTuple):
    """A card in a pile: a rabbit is a diamond, a dingo a heart, a wolf one of the two black ones."""

    kind: str
    rank: str


@dataclass
class Piles:
    """What lies before one player: the scoring pile and the penalty pile."""

    scored: list[Card] = field(default_factory=list)
    lost: list[Card] = field(default_factory=list)

    def of(self, kind: str) -> list[Card]:
        """The cards of that kind in the scoring pile."""
        return [card for card in self.scored if card.kind == kind]

    @property
    def best_rabbit(self) -> int:
        """How high the highest rabbit in the scoring pile is; −1: there is none."""
        return max((height(card.rank) for card in self.of(RABBIT)), default=-1)


@dataclass(frozen=True)
class Values:
    """What cards are worth at a table: the ten and the ace of ten points are house rules."""

    ten: int
    ten_point_ace: str

    @classmethod
    def of(cls, house_rules: Mapping[str, Value]) -> Values:
        """As a table has agreed."""
        is_dingo = house_rules["ten_point_ace"] == "hearts"
        return cls(1 if house_rules["ten_value"] == 1 else 2, DINGO if is_dingo else RABBIT)

    def card(self, card: Card, *, scored: bool) -> int:
        """One card in a scoring pile, or in a penalty pile.

        >>> values = Values(2, DINGO)
        >>> [values.card(Card(WOLF, rank), scored=True) for rank in "29TJKA"]
        [1, 1, 2, 2, 2, 3]
        >>> values.card(Card(DINGO, "A"), scored=True), values.card(Card(DINGO, "A"), scored=False)
        (10, 3)
        """
        if card.rank == ACE:
            return 10 if scored and card.kind == self.ten_point_ace else 3
        if card.rank == "T":
            return self.ten
        return 2 if card.rank in "JQK" else 1

    def scored(self, piles: Piles) -> int:
        """The scoring pile."""
        return sum(self.card(card, scored=True) for card in piles.scored)

    def lost(self, piles: Piles) -> int:
        """The penalty pile."""
        return sum(self.card(card, scored=False) for card in piles.lost)

    def score(self, piles: Piles) -> int:
        """The scoring pile less the penalty pile."""
        return self.scored(piles) - self.lost(piles)


def piles_of(table: Table, hand: Hand) -> dict[int, Piles]:
    """Everybody's piles, as far as the hand is written down."""
    piles = {seat: Piles() for seat in table.seats}
    for hunt in hunts_of(table, hand).values():
        if hunt.rank == ACE:
            lay_aces(hunt, piles)
        elif hunt.dingo is not None:
            lay(hunt, hunt.dingo, piles)
    return piles


def lay(hunt: Hunt, dingo: int, piles: Mapping[int, Piles]) -> None:
    """A rank from 2 to king: any wolf saves the dingo, the first of two goes with it, the last catches the rabbit."""
    catcher = hunt.last_wolf
    if catcher is None:
        piles[dingo].lost.append(Card(DINGO, hunt.rank))
        return
    piles[dingo].scored.append(Card(DINGO, hunt.rank))
    if len(hunt.wolves) == 2:
        piles[dingo].scored.append(Card(WOLF, hunt.rank))
    piles[catcher].scored += [Card(RABBIT, hunt.rank), Card(WOLF, hunt.rank)]


def lay_aces(hunt: Hunt, piles: Mapping[int, Piles]) -> None:
    """The aces: with a wolf everybody scores those they played; without one the dingo and a kept rabbit are lost."""
    if hunt.dingo is not None:
        (piles[hunt.dingo].scored if hunt.wolves else piles[hunt.dingo].lost).append(Card(DINGO, ACE))
    for seat in hunt.wolves:
        if seat is not None:
            piles[seat].scored.append(Card(WOLF, ACE))
    if hunt.holder is not None:
        (piles[hunt.holder].scored if hunt.played else piles[hunt.holder].lost).append(Card(RABBIT, ACE))


def red_handed(table: Table, hand: Hand) -> tuple[int, ...]:
    """Who is caught red-handed: a dingo still held and, where the house says so, the ace rabbit."""
    caught = set(held_of(table, hand).values())
    aces = hunts_of(table, hand).get(ACE)
    kept_counts = table.house_rules["unplayed_ace_rabbit_is_red_handed"] is True
    if kept_counts and aces and aces.holder is not None and not aces.played:
        caught.add(aces.holder)
    return tuple(seat for seat in table.seats if seat in caught)


@dataclass(frozen=True)
class Outcome:
    """Who won a hand. ``tied`` had the highest score between them; ``by_rabbit``: their highest rabbit settled it."""

    winners: tuple[int, ...]
    tied: tuple[int, ...] = ()
    by_rabbit: bool = False


def outcome(piles: Mapping[int, Piles], points: Mapping[int, int], caught: Iterable[int]) -> Outcome:
    """The highest score of those who are not caught; among equals the highest rabbit, and without any all of them."""
    free = [seat for seat in piles if seat not in set(caught)]
    best = max((points[seat] for seat in free), default=0)
    tied = tuple(seat for seat in free if points[seat] == best)
    rabbit = max((piles[seat].best_rabbit for seat in tied), default=-1)
    if len(tied) < 2 or rabbit < 0:
        return Outcome(tied, tied)
    return Outcome(tuple(seat for seat in tied if piles[seat].best_rabbit == rabbit), tied, by_rabbit=True)
