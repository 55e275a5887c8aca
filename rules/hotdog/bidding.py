"""The bid of a round of Hotdog: picker and topping, and its validation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, cast

from rules.core.cards import SUIT_NAMES
from rules.core.fields import Value
from rules.core.problems import Problem
from rules.core.table import Hand

KETCHUP, MUSTARD, WORKS = "ketchup", "mustard", "works"
TOPPINGS = {KETCHUP: "Ketchup", MUSTARD: "Mustard", WORKS: "The Works"}
#: What a round is paid by: an ordinary bid, a Footlong, or no bid at all.
ORDINARY, FOOTLONG, PASSED = "ordinary", "footlong", "passed"
KINDS = (ORDINARY, FOOTLONG, PASSED)


class Bid(NamedTuple):
    """What the round is played under. ``picker`` is None where both have passed."""

    picker: int | None
    topping: str
    trump: str | None = None
    smothered: bool = False
    footlong: bool = False

    @property
    def kind(self) -> str:
        """By which column of the score table it is paid."""
        if self.picker is None:
            return PASSED
        return FOOTLONG if self.footlong else ORDINARY

    @property
    def words(self) -> str:
        """The bid as it is spoken.

        >>> Bid(1, "ketchup", "H", footlong=True).words
        'Footlong Ketchup in hearts'
        >>> Bid(2, "works", smothered=True).words
        'The Works by a smother'
        """
        trump = f" in {SUIT_NAMES[self.trump]}" if self.trump else ""
        return self.name + trump + (" by a smother" if self.smothered else "")

    @property
    def name(self) -> str:
        """The bid without its trump suit.

        >>> Bid(1, "works", footlong=True).name
        'Footlong Works'
        """
        named = TOPPINGS[self.topping]
        return f"Footlong {named.removeprefix('The ')}" if self.footlong else named


def bid_of(hand: Hand) -> Bid | None:
    """The bid of the round, None before it is written down."""
    step = hand.steps.get("bid")
    if step is None:
        return None
    return Bid(
        cast("int | None", step.get("picker")),
        cast("str", topping_of(step)),
        cast("str | None", step.get("trump")),
        step.get("smothered") is True,
        step.get("footlong") is True,
    )


def topping_of(step: Mapping[str, Value]) -> Value:
    """The topping of a bid: where none is said, a smother means The Works, and so does a round nobody picked.

    >>> topping_of({}), topping_of({"picker": 1, "smothered": True}), topping_of({"picker": 1})
    ('works', 'works', None)
    """
    meant = WORKS if step.get("smothered") or step.get("picker") is None else None
    return meant if step.get("topping") is None else step["topping"]


def counted_seat(hand: Hand) -> int:
    """Whose tricks the round is paid by: the picker's, or the non-dealer's where both have passed."""
    bid = bid_of(hand)
    return hand.leader if bid is None or bid.picker is None else bid.picker


def relish_of(hand: Hand) -> int | None:
    """The rank that was added as relish, where one was."""
    return cast("int | None", hand.steps.get("relish", {}).get("relish"))


def check_bid(step: Mapping[str, Value], *, footlong: bool) -> Iterator[Problem]:
    """Everything that cannot be bid like this. ``footlong``: whether the club plays it.

    >>> [problem.code for problem in check_bid({"topping": "works", "trump": "H"}, footlong=True)]
    ['works-has-no-trump']
    """
    topping, nobody = topping_of(step), step.get("picker") is None
    if topping is None:
        yield Problem("bad-topping", "Name the topping.", "topping")
    if topping == WORKS and step.get("trump") is not None:
        yield Problem("works-has-no-trump", "The Works is played without trump.", "trump")
    if topping in (KETCHUP, MUSTARD) and step.get("trump") is None:
        yield Problem("trump-missing", "Ketchup and Mustard need a trump suit.", "trump")
    if step.get("smothered") and (topping != WORKS or nobody):
        yield Problem(
            "smother-is-works", "A smother is The Works, and the player who smothered is the picker.", "smothered"
        )
    if nobody and (topping != WORKS or step.get("smothered") or step.get("footlong")):
        yield Problem(
            "no-picker-is-works", "Where both have passed, it is The Works, with no Footlong and no smother.", "picker"
        )
    if step.get("footlong") and not footlong:
        yield Problem("footlong-off", "House rule: the Footlong is not bid here.", "footlong")
