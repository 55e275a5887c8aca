"""Validation of a hand of Dingo: every problem of an answer, and the choices that are not offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from rules.core.cards import RANKS
from rules.core.fields import Ask, Value
from rules.core.problems import Problem
from rules.core.table import Hand, Table
from rules.dingo.hunts import (
    ACE,
    ACE_HUNT,
    CARDS_EACH,
    HELD,
    HUNTED,
    RANK_OF,
    Hunt,
    heart,
    held_in,
    held_of,
    hunt_in,
    hunts_of,
    name_of,
    turn,
)

#: Hearts and black cards of 2 to king that are left after the discards: 36 less 16.
MOST_CARDS = 20

ONE_OR_TWO = "Either one wolf was played or two; say which."


def check(table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value]) -> Iterator[Problem]:
    """Everything wrong with an answer beyond its fields."""
    if ask.name == HELD:
        yield from check_held(table, hand, step)
        return
    hunt = hunt_in(RANK_OF[ask.name], step, table.seats)
    yield from check_count(hunt, step)
    yield from check_wolves(table, hunt)
    if hunt.rank == ACE:
        yield from check_rabbit(table, hunt)
    yield from check_cards(table, cards_in(table, hand), Cards.of([hunt]))


def check_count(hunt: Hunt, step: Mapping[str, Value]) -> Iterator[Problem]:
    """One wolf or two, and where the first of them counts, who played it."""
    wolf, second, first = (step.get(name) is not None for name in ("wolf", "second", "first"))
    if wolf and (second or first):
        yield Problem("too-many-wolves", ONE_OR_TWO, "wolf")
    if first and not second:
        yield Problem("missing-field", "Who played the second wolf?", "second")
    if second and not first and hunt.rank == ACE:
        yield Problem("missing-field", "Who played the first wolf? An ace goes to that player.", "first")
    if hunt.dingo is None and step.get("dingo") is None and (wolf or second or first):
        yield Problem("wolf-without-dingo", "A wolf was played, so somebody played the dingo.", "dingo")


def check_wolves(table: Table, hunt: Hunt) -> Iterator[Problem]:
    """The dingo's player has no wolf but the aces; everybody has one turn, to the left from there."""
    if hunt.dingo is None:
        return
    names = ("wolf",) if len(hunt.wolves) == 1 else ("first", "second")
    own = [name for name, seat in zip(names, hunt.wolves, strict=False) if seat == hunt.dingo and hunt.rank != ACE]
    for name in own:
        yield Problem("dingo-player-wolf", "The player of the dingo cannot play a wolf of that rank.", name, hunt.dingo)
    turns = [turn(table, hunt.dingo, seat) for seat in hunt.wolves if seat is not None]
    if not own and any(later < earlier for earlier, later in pairwise(turns)):
        yield Problem(
            "wolf-order",
            "The turn goes to the left: the first wolf came after the second.",
            "first",
            hunt.wolves[0],
        )


def check_rabbit(table: Table, hunt: Hunt) -> Iterator[Problem]:
    """The ace rabbit runs when both wolves are out, and not before its holder's turn."""
    if not hunt.played:
        return
    if len(hunt.wolves) < 2:
        yield Problem(
            "rabbit-too-early", "The ace rabbit can be played only after both black aces.", "played", hunt.holder
        )
    elif may_not_run(table, hunt):
        yield Problem(
            "rabbit-too-early", "The second wolf came after that player’s turn: the rabbit was still held.", "played",
            hunt.holder,
        )  # fmt: skip


def may_not_run(table: Table, hunt: Hunt) -> bool:
    """Whether the holder's turn was over before the second wolf was out."""
    if hunt.dingo is None or hunt.holder is None or hunt.last_wolf is None:
        return False
    return turn(table, hunt.dingo, hunt.holder) < turn(table, hunt.dingo, hunt.last_wolf)


def check_held(table: Table, hand: Hand, step: Mapping[str, Value]) -> Iterator[Problem]:
    """A dingo is played or held, not both."""
    hunts, held = hunts_of(table, hand), held_in(step, table.seats)
    for rank, seat in held.items():
        if rank in hunts and hunts[rank].dingo is not None:
            yield Problem("heart-twice", "That dingo was played in its hunt.", heart(rank), seat)
    yield from check_cards(table, cards_in(table, hand), Cards.of_held(held))


class Cards:
    """Cards that showed: how many in whose hand, and how many of 2 to king altogether."""

    def __init__(self, by_seat: Counter[int] | None = None, low: int = 0) -> None:
        self.by_seat, self.low = by_seat if by_seat is not None else Counter[int](), low

    @classmethod
    def of(cls, hunts: list[Hunt]) -> Cards:
        """Those of some hunts. A first wolf that nobody noted is a card too, in nobody's hand."""
        by_seat = Counter(seat for hunt in hunts for seat in hunt.cards())
        low = sum((hunt.dingo is not None) + len(hunt.wolves) for hunt in hunts if hunt.rank != ACE)
        return cls(by_seat, low)

    @classmethod
    def of_held(cls, held: Mapping[str, int]) -> Cards:
        """Those found in the hands at the end."""
        return cls(Counter(held.values()), len(held))

    def __add__(self, other: Cards) -> Cards:
        return Cards(self.by_seat + other.by_seat, self.low + other.low)

    def __sub__(self, other: Cards) -> Cards:
        return Cards(self.by_seat - other.by_seat, self.low - other.low)


def cards_in(table: Table, hand: Hand) -> Cards:
    """The cards that showed in a hand so far."""
    return Cards.of([*hunts_of(table, hand).values()]) + Cards.of_held(held_of(table, hand))


def check_cards(table: Table, before: Cards, added: Cards) -> Iterator[Problem]:
    """Six cards each, and twenty of 2 to king: told by the answer that goes beyond."""
    after = before + added
    for seat in table.seats:
        if before.by_seat[seat] <= CARDS_EACH < after.by_seat[seat]:
            yield Problem(
                "more-than-six", f"That would be {after.by_seat[seat]} cards of the same player; everybody had six.",
                seat=seat, params={"cards": after.by_seat[seat]},
            )  # fmt: skip
    if before.low <= MOST_CARDS < after.low:
        yield Problem(
            "too-many-cards", f"That would be {after.low} hearts and black cards below the aces; 20 are left.",
            params={"cards": after.low},
        )  # fmt: skip


def shut(table: Table, hand: Hand) -> Iterator[str]:
    """The controls that cannot be meant, whatever is said beside them.

    ``<ask> dingo <seat>``, ``<ask> wolf <seat>`` and ``ace-hunt holder <seat>``: that player's six cards are known.
    ``<ask> room-2 <seat>``: no room for two cards of the rank in that hand; up to four for the aces.
    ``<ask> wolves-1`` and ``wolves-2``: so many black cards cannot be left beside a dingo. ``held heart-7 <seat>``:
    that player has no room for it; ``held heart-7``: it was played, or no such card is left.
    """
    hunts, held = hunts_of(table, hand), held_of(table, hand)
    total = Cards.of([*hunts.values()]) + Cards.of_held(held)
    others = {rank: total - Cards.of([hunts[rank]]) if rank in hunts else total for rank in RANKS}
    for rank in HUNTED:
        left = 0 if rank in held else MOST_CARDS - others[rank].low
        yield from shut_hunt(table, others[rank], name_of(rank), 2, left)
    yield from shut_hunt(table, others[ACE], ACE_HUNT, 4, 3)
    cards = total - Cards.of_held(held)
    for rank in HUNTED:
        control = f"{HELD} {heart(rank)}"
        if cards.low >= MOST_CARDS or (rank in hunts and hunts[rank].dingo is not None):
            yield control
        yield from (f"{control} {seat}" for seat in table.seats if cards.by_seat[seat] >= CARDS_EACH)


def shut_hunt(table: Table, cards: Cards, ask: str, most: int, left: int) -> Iterator[str]:
    """The controls of one hunt: one hand can hold at most so many cards of it, and so many cards are left for it."""
    for seat in table.seats:
        room = CARDS_EACH - cards.by_seat[seat]
        if room < 1 or left < 1:
            yield f"{ask} dingo {seat}"
        if room < 1 or left < 2:
            yield f"{ask} wolf {seat}"
        if room < 1 and ask == ACE_HUNT:
            yield f"{ask} holder {seat}"
        yield from (f"{ask} room-{many} {seat}" for many in range(2, most + 1) if room < many)
    yield from (f"{ask} wolves-{wolves}" for wolves in (1, 2) if left < 1 + wolves)
