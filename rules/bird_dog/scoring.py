"""The entries of one hand of Bird Dog, and its points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from rules.bird_dog.deck import FACES, bird_dog_of
from rules.core.fields import Value
from rules.core.numbers import signed
from rules.core.table import Hand

Step = Mapping[str, Value]

NIL_POINTS = 3
NOTHING_WRITTEN: Step = {}


def turned_in(step: Step) -> tuple[str, ...]:
    """The turned cards in the order they were turned."""
    cards = (step.get(f"card-{k}") for k in (1, 2, 3))
    return tuple(card for card in cards if isinstance(card, str))


def turned_of(hand: Hand) -> tuple[str, ...]:
    """The turned cards as far as they are written down."""
    return turned_in(hand.steps.get("turned", NOTHING_WRITTEN))


def trump_card_of(hand: Hand) -> str | None:
    """The card that made trump: the one turned last, whoever called it."""
    turned = turned_of(hand)
    return turned[-1] if turned else None


def caller_of(hand: Hand) -> int | None:
    """Who called trump; None: nobody, or it is not written down yet."""
    return cast("int | None", hand.steps.get("turned", NOTHING_WRITTEN).get("caller"))


def nil_of(hand: Hand) -> int | None:
    """Who went nil; None: nobody, or it is not written down yet."""
    return cast("int | None", hand.steps.get("nil", NOTHING_WRITTEN).get("nil"))


def faces_in(step: Step, seats: tuple[int, ...]) -> dict[int, dict[str, int]]:
    """The jacks, queens and kings of each seat; empty unless all of them were counted."""
    names = {seat: {face: f"{face.lower()}-{seat}" for face in FACES} for seat in seats}
    if any(step.get(name) is None for by_face in names.values() for name in by_face.values()):
        return {}
    return {seat: {face: cast("int", step[name]) for face, name in names[seat].items()} for seat in seats}


def numbers_in(step: Step, what: str, seats: tuple[int, ...]) -> dict[int, int]:
    """The pairs or the tricks of each seat; empty unless all of them are there."""
    if any(step.get(f"{what}-{seat}") is None for seat in seats):
        return {}
    return {seat: cast("int", step[f"{what}-{seat}"]) for seat in seats}


def pairs_from(faces: Mapping[int, Mapping[str, int]]) -> dict[int, int]:
    """The pairs that faces make: two of a rank.

    >>> pairs_from({1: {"J": 3, "Q": 1, "K": 4}})
    {1: 3}
    """
    return {seat: sum(count // 2 for count in counts.values()) for seat, counts in faces.items()}


def pairs_in(step: Step, seats: tuple[int, ...]) -> dict[int, int]:
    """The pairs of each seat, counted or from the faces; empty before they are written down."""
    return numbers_in(step, "pairs", seats) or pairs_from(faces_in(step, seats))


def pairs_of(hand: Hand) -> dict[int, int]:
    """The pairs of each seat; empty before they are written down."""
    return pairs_in(hand.steps.get("faces", NOTHING_WRITTEN), hand.order)


def faces_of(hand: Hand) -> dict[int, dict[str, int]]:
    """The faces of each seat; empty where only pairs were counted."""
    return faces_in(hand.steps.get("faces", NOTHING_WRITTEN), hand.order)


def tricks_of(hand: Hand) -> dict[int, int]:
    """The tricks of each seat; empty where nobody counted them."""
    return numbers_in(hand.steps.get("tricks", NOTHING_WRITTEN), "tricks", hand.order)


@dataclass(frozen=True)
class Scored:
    """A hand as it is scored: pairs by seat, who got the bonus, and how nil went.

    ``leader`` has the most pairs alone, ``bonus`` are those who are paid for it. ``nil_made`` is None where nobody
    went nil, or the tricks are not written down.
    """

    pairs: Mapping[int, int]
    caller: int | None
    leader: int | None
    bonus: tuple[int, ...]
    nil: int | None
    nil_made: bool | None
    no_bonus_without_caller: bool

    @property
    def points(self) -> dict[int, int]:
        """One for each pair, one for the bonus, three for nil or against it."""
        return {seat: count + (seat in self.bonus) + self.nil_points(seat) for seat, count in self.pairs.items()}

    def nil_points(self, seat: int) -> int:
        """What nil brought the seat, or cost it."""
        if seat != self.nil or self.nil_made is None:
            return 0
        return NIL_POINTS if self.nil_made else -NIL_POINTS

    @property
    def leads(self) -> tuple[int, ...]:
        """Those with the most pairs; nobody where nobody made one."""
        most = max(self.pairs.values())
        return tuple(seat for seat, count in self.pairs.items() if count == most > 0)

    @property
    def sole_bonus(self) -> int | None:
        """Who led alone and was paid for it."""
        return self.leader if self.leader in self.bonus else None


def scored(hand: Hand, house_rules: Mapping[str, Value]) -> Scored:
    """The hand with its bonus (Rule 6) and nil (Rule 7). The pairs must be written down; nil waits for the tricks."""
    pairs, caller, nil = pairs_of(hand), caller_of(hand), nil_of(hand)
    tricks = tricks_of(hand)
    most = max(pairs.values())
    leads = [seat for seat, count in pairs.items() if count == most > 0]
    leader = leads[0] if len(leads) == 1 else None
    unpaid = caller is None and house_rules["no_bonus_without_caller"] is True
    paid = [] if unpaid or (leader is None and not house_rules["bonus_for_tied"]) else leads
    return Scored(
        pairs=pairs,
        caller=caller,
        leader=leader,
        bonus=tuple(seat for seat in paid if seat != caller),
        nil=nil,
        nil_made=tricks[nil] == 0 if nil in tricks else None,
        no_bonus_without_caller=unpaid,
    )


def why_points(hand: Hand, score: Scored, seat: int) -> str:
    """The sentence behind a seat's points: pairs, the bonus with its reason, nil with its reason."""
    count = score.pairs[seat]
    parts = [said_of_pairs(count), *said_of_bonus(score, seat), *said_of_nil(hand, score, seat)]
    return f"{'; '.join(parts)}: {signed(score.points[seat])}"


def said_of_pairs(count: int) -> str:
    """How many pairs, each a point.

    >>> said_of_pairs(1), said_of_pairs(2)
    ('1 pair', '2 pairs')
    """
    return "no pair" if not count else "1 pair" if count == 1 else f"{count} pairs"


def said_of_bonus(score: Scored, seat: int) -> list[str]:
    """Why the bonus went to the seat, or passed it by; nothing of those with fewer pairs."""
    if seat not in score.leads:
        return []
    most = "the most" if score.leader == seat else "the most, shared"
    if score.no_bonus_without_caller:
        return [f"{most}, but nobody called trump (house rule): no bonus"]
    if seat == score.caller:
        return [f"{most}, but the caller of trump gets no bonus"]
    if seat not in score.bonus:
        return ["the most, but shared: no bonus"]
    return [
        f"{most}, and nobody called trump: 1 more" if score.caller is None else f"{most}, and not the caller: 1 more"
    ]


def why_bonus(score: Scored) -> str:
    """Who gets the bonus and why, or why nobody does, in a few words about the whole hand."""
    if not score.leads:
        return "no bonus (nobody has a pair)"
    if score.no_bonus_without_caller:
        return "no bonus (house rule: no caller)"
    if not score.bonus:
        return "no bonus (most pairs: the caller)" if score.leader else "no bonus (most pairs: shared)"
    if score.leader is None:
        return "bonus (most pairs, shared)" if score.caller is None else "bonus (shared, not the caller)"
    return f"bonus (most pairs, {'nobody called' if score.caller is None else 'not the caller'})"


def said_of_nil(hand: Hand, score: Scored, seat: int) -> list[str]:
    """How nil went; nothing of those who did not go nil."""
    if seat != score.nil:
        return []
    if score.nil_made:
        return [f"nil, and no trick taken: {NIL_POINTS} more"]
    tricks = tricks_of(hand)[seat]
    return [f"nil, but {tricks} {'trick' if tricks == 1 else 'tricks'} taken: {NIL_POINTS} off"]


def short(score: Scored, seat: int) -> str:
    """What stands small beside a total: pairs, bonus, nil ("3 + 1", "1 − 3 nil")."""
    text = str(score.pairs[seat]) + (" + 1" if seat in score.bonus else "")
    return text + (f" {'+' if score.nil_made else '−'} {NIL_POINTS} nil" if seat == score.nil else "")


def dog_of(hand: Hand) -> str | None:
    """The Bird Dog of the hand, once a card was turned."""
    card = trump_card_of(hand)
    return bird_dog_of(card) if card else None
