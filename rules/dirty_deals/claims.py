"""Claims of Dirty Deals: their content, validation and points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from rules.core.cards import SUIT_NAMES, SUIT_SIGNS, SUITS, TWINS, card_shown
from rules.core.fields import Ask, Choice, Count, SeatChoice, Tick, Value
from rules.core.numbers import signed
from rules.core.problems import Problem
from rules.core.texts import Worth

RANKS = tuple("9TJQKA")
#: The 24 cards, all of which stay in hands until the claim.
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)

#: The cards of a suit, which the claimer holds all.
SIX = len(RANKS)
MOST_SURPLUS = len(CARDS) - SIX
#: What a claim is worth before cards come off it, and what the bower takes off it or brings somebody else.
CLAIM, BOWER = 9, 3


def bower_of(suit: str) -> str:
    """The jack of the other suit of that colour: the bower of a claim.

    >>> bower_of("H"), bower_of("S")
    ('JD', 'JC')
    """
    return "J" + TWINS[suit]


def six_of(suit: str) -> tuple[str, ...]:
    """The six cards that make a claim.

    >>> six_of("S")
    ('9S', 'TS', 'JS', 'QS', 'KS', 'AS')
    """
    return tuple(rank + suit for rank in RANKS)


def pays(surplus: int, *, holds_bower: bool) -> int:
    """What a claim pays with ``surplus`` cards besides the six, the bower counted among them if the claimer has it.

    >>> pays(0, holds_bower=False), pays(1, holds_bower=True), pays(4, holds_bower=True), pays(12, holds_bower=False)
    (9, 6, 3, 0)
    """
    return max(0, CLAIM - BOWER - (surplus - 1) if holds_bower else CLAIM - surplus)


def worth_of(surpluses: int) -> Iterator[Worth]:
    """What a claim pays with so many numbers of cards besides the six, from none on.

    >>> [*worth_of(2)]
    [Worth(label='0', made='+9', missed='–'), Worth(label='1', made='+8', missed='+6')]
    """
    for surplus in range(surpluses):
        held = signed(pays(surplus, holds_bower=True)) if surplus else "–"
        yield Worth(str(surplus), signed(pays(surplus, holds_bower=False)), held)


@dataclass(frozen=True)
class Claim:
    """What is written down of a deal; None where it was left open.

    ``surplus`` are the claimer's cards besides the six, bower included. ``cards`` are those cards themselves, empty
    where they were not taken down; the six may stand among them, all or none. ``given_up``: nobody claimed.
    """

    claimer: int | None = None
    suit: str | None = None
    surplus: int | None = None
    bower: int | None = None
    cards: tuple[str, ...] = ()
    given_up: bool = False

    @classmethod
    def of(cls, step: Mapping[str, Value]) -> Claim:
        """The claim in a step of the ask ``claim``."""
        return cls(
            cast("int | None", step.get("claimer")),
            cast("str | None", step.get("suit")),
            cast("int | None", step.get("surplus")),
            cast("int | None", step.get("bower")),
            tuple(card for card in CARDS if step.get(f"card-{card}") is True),
            step.get("given-up") is True,
        )

    @property
    def holds_bower(self) -> bool:
        """Whether the claimer is named as the holder of the bower."""
        return self.bower is not None and self.bower == self.claimer

    @property
    def others(self) -> int:
        """The cards besides the six, as they were counted or as the hand shows them."""
        if self.surplus is not None:
            return self.surplus
        return sum(not card.endswith(self.suit or "?") for card in self.cards)

    def points(self, seat: int) -> int:
        """What the deal is worth to a seat: the claim to the claimer, the bower to who holds it instead."""
        if self.given_up:
            return 0
        if seat == self.claimer:
            return pays(self.others, holds_bower=self.holds_bower)
        return BOWER if seat == self.bower else 0

    def why(self, seat: int) -> str:
        """The sentence behind a seat's points, without names."""
        points, rest = self.points(seat), self.others - self.holds_bower
        is_past = seat == self.claimer and CLAIM - BOWER * self.holds_bower < rest
        return f"{self.how(seat)}: {'nothing is left, and it never goes below 0' if is_past else signed(points)}"

    def how(self, seat: int) -> str:
        """The same without what it comes to."""
        if self.given_up:
            return "the deal was given up"
        suit = self.suit or ""
        if seat != self.claimer:
            return (
                f"holds the {card_shown(bower_of(suit))}, the bower" if seat == self.bower else "no claim and no bower"
            )
        rest = self.others - self.holds_bower
        if not self.others:
            return f"claims {SUIT_NAMES[suit]} with nothing besides the six"
        less = [f"less {BOWER} for the {card_shown(bower_of(suit))}"] if self.holds_bower else []
        if rest:
            more = "other " if self.holds_bower else ""
            less.append(f"less {rest} for the {more}{'card' if rest == 1 else 'cards'} besides the six")
        return f"claims {SUIT_NAMES[suit]}: {', '.join([str(CLAIM), *less])}"

    def short(self, seat: int) -> str:
        """The same as briefly as it goes: "9−3−2" for the claimer, the card for who holds the bower."""
        if self.given_up or seat not in (self.claimer, self.bower):
            return ""
        if seat != self.claimer:
            return card_shown(bower_of(self.suit or ""))
        rest = self.others - self.holds_bower
        return "−".join([str(CLAIM), *([str(BOWER)] if self.holds_bower else []), *([str(rest)] if rest else [])])

    def points_text(self, seat: int) -> str:
        """What the deal brought a seat, and for what: "♥ +9", "J♦ +3"; "" where it did neither."""
        if self.given_up or seat not in (self.claimer, self.bower):
            return ""
        what = SUIT_SIGNS[self.suit or ""] if seat == self.claimer else card_shown(bower_of(self.suit or ""))
        return f"{what} {signed(self.points(seat))}"


def claim_ask(seats: tuple[int, ...]) -> Ask:
    """What is written down of a deal: a claim, or that it was given up."""
    return Ask("claim", (
        SeatChoice("claimer", seats, optional=True),
        Choice("suit", SUITS, "bad-suit", optional=True),
        SeatChoice("bower", seats, optional=True),
        Count("surplus", 0, MOST_SURPLUS, "surplus-range", optional=True),
        *(Tick(f"card-{card}", optional=True) for card in CARDS),
        Tick("given-up", optional=True),
    ))  # fmt: skip


def problems_of(claim: Claim) -> Iterator[Problem]:
    """Everything wrong with a claim beyond its fields: what is missing, the number of cards, the hand."""
    if claim.given_up:
        if claim != Claim(given_up=True):
            yield Problem("claim-given-up", "A deal that was given up has no claim.", "given-up")
        return
    yield from missing(claim)
    yield from problems_of_surplus(claim)
    if claim.cards and claim.suit in SUITS:
        yield from problems_of_cards(claim, claim.suit)


def missing(claim: Claim) -> Iterator[Problem]:
    """What every claim says: who, which suit, who holds the bower, how many cards or which."""
    if claim.claimer is None:
        yield Problem("missing-field", "Who claims is still missing.", "claimer")
    if claim.suit is None:
        yield Problem("missing-field", "The suit is still missing.", "suit")
    if claim.bower is None:
        yield Problem("missing-field", "Who holds the bower?", "bower")
    if claim.surplus is None and not claim.cards:
        yield Problem("missing-field", "The claimer’s other cards are still missing.", "surplus")


def problems_of_surplus(claim: Claim) -> Iterator[Problem]:
    """The bower is one of the claimer’s other cards, or it is one of the cards that they have not."""
    if claim.surplus is None or claim.claimer is None or claim.bower is None:
        return
    if claim.holds_bower and claim.surplus == 0:
        yield Problem(
            "surplus-range", "The player who holds the bower has at least that one card besides the six.", "surplus",
            claim.claimer, params={"low": 1, "high": MOST_SURPLUS},
        )  # fmt: skip
    elif not claim.holds_bower and claim.surplus == MOST_SURPLUS:
        yield Problem(
            "surplus-range", "Somebody else holds the bower, so the claimer has at most 17 cards besides the six.",
            "surplus", claim.claimer, params={"low": 0, "high": MOST_SURPLUS - 1},
        )  # fmt: skip


def problems_of_cards(claim: Claim, suit: str) -> Iterator[Problem]:
    """The claimer’s cards: of the suit all or none, the bower if they are said to have it, as many as were counted."""
    lacking = [card for card in six_of(suit) if card not in claim.cards]
    if 0 < len(lacking) < SIX:
        text = f"All six {SUIT_NAMES[suit]} belong to it; the {card_shown(lacking[0])} is not there."
        yield Problem("claim-incomplete", text, f"card-{lacking[0]}", claim.claimer, params={"missing": lacking})
    bower, named = bower_of(suit), claim.claimer is not None and claim.bower is not None
    if named and claim.holds_bower and bower not in claim.cards:
        yield Problem(
            "bower-mismatch",
            f"The claimer is said to hold the {card_shown(bower)}, but it is not among the cards.",
            "bower",
        )
    if named and not claim.holds_bower and bower in claim.cards:
        yield Problem(
            "bower-mismatch", f"The {card_shown(bower)} is among the claimer’s cards; nobody else can hold it.", "bower"
        )
    counted = sum(card[1] != suit for card in claim.cards)
    if claim.surplus is not None and claim.surplus != counted:
        text = f"{claim.surplus} {'was' if claim.surplus == 1 else 'were'} counted".replace("-", "−")
        yield Problem(
            "surplus-mismatch", f"The cards show {counted} besides the six, and {text}.",
            "surplus", claim.claimer, params={"counted": claim.surplus, "shown": counted},
        )  # fmt: skip
