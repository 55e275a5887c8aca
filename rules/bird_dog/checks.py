"""Validation of a hand of Bird Dog (Rules 2 to 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.bird_dog.deck import CARDS_OF_A_TRICK, FACES, IN_THE_MIDDLE, MOST_PAIRS, OF_A_RANK, TRICKS
from rules.bird_dog.layouts import ANY_TRICKS, Three, can_be, in_play, most_pairs, unseen
from rules.bird_dog.scoring import faces_in, faces_of, nil_of, numbers_in, pairs_from, turned_in, turned_of
from rules.core.cards import RANK_NAMES
from rules.core.fields import Ask, Value
from rules.core.problems import Problem
from rules.core.table import Hand

Step = Mapping[str, Value]

IMPOSSIBLE = "These pairs are impossible with the face cards in play"


def problems_of(hand: Hand, ask: Ask, step: Step) -> Iterator[Problem]:
    """Every problem of a step beyond its fields."""
    match ask.name:
        case "turned":
            yield from of_turned(step)
            yield from of_caller(step)
        case "faces":
            yield from of_faces(hand, step)
        case "tricks":
            yield from of_tricks(hand, step)


def of_turned(step: Step) -> Iterator[Problem]:
    """One to three different cards, turned one after the other."""
    cards = turned_in(step)
    if step.get("card-2") is None and step.get("card-3") is not None:
        yield Problem("turned-count", "The third card is turned after the second.", "card-2")
    for k, card in enumerate(cards):
        if card in cards[:k]:
            yield Problem("duplicate-card", "A card can be turned only once.", f"card-{k + 1}")


def of_caller(step: Step) -> Iterator[Problem]:
    """The third card makes trump by itself; before it somebody must have called."""
    turned, caller = len(turned_in(step)), step.get("caller")
    if turned == IN_THE_MIDDLE and caller is not None:
        yield Problem("caller-turned", "The third card makes trump by itself: nobody calls it.", "caller")
    elif turned in (1, 2) and caller is None:
        yield Problem(
            "caller-turned", "Somebody called trump, or another card was turned.", "caller", params={"turned": turned}
        )


def of_faces(hand: Hand, step: Step) -> Iterator[Problem]:
    """The faces or the pairs of all three; nothing that the turned cards do not leave."""
    counted = faces_in(step, hand.order)
    pairs = numbers_in(step, "pairs", hand.order)
    begun = [
        seat
        for seat in hand.order
        if (not pairs and step.get(f"pairs-{seat}") is not None)
        or (not counted and any(step.get(f"{face.lower()}-{seat}") is not None for face in FACES))
    ]
    if begun:
        yield Problem("missing-field", "All three players must be counted.", "pairs")
    elif not counted and not pairs:
        yield Problem("pairs-missing", "How many pairs does each player have?", "pairs")
    if counted:
        yield from of_counted(turned_of(hand), counted)
    if counted and pairs:
        yield from of_mismatch(pairs_from(counted), pairs)
    if pairs:
        yield from of_pairs(turned_of(hand), pairs)


def of_counted(turned: tuple[str, ...], counted: Mapping[int, Mapping[str, int]]) -> Iterator[Problem]:
    """No more of a rank than are in play, and no more missing than can lie in the middle unseen."""
    total = 0
    for face, there in zip(FACES, in_play(turned), strict=True):
        taken = sum(counts[face] for counts in counted.values())
        total += taken
        if taken > there:
            yield Problem(
                "rank-sum",
                f"Only {many(there, RANK_NAMES[face])} {'is' if there == 1 else 'are'} in play; you counted {taken}.",
                params={"rank": face, "in_play": there, "taken": taken},
            )  # fmt: skip
    missing = sum(in_play(turned)) - total
    if missing > unseen(turned):
        left = unseen(turned)
        lie = "none lies" if not left else "only one can lie" if left == 1 else f"only {left} can lie"
        gone = "1 face is missing" if missing == 1 else f"{missing} faces are missing"
        yield Problem(
            "faces-missing", f"{gone}, and {lie} in the middle unseen.",
            params={"missing": missing, "unseen": left},
        )  # fmt: skip


def of_mismatch(made: Mapping[int, int], pairs: Mapping[int, int]) -> Iterator[Problem]:
    """Faces and pairs tell the same."""
    for seat, count in pairs.items():
        if made[seat] != count:
            sentence = f"The faces make {many(made[seat], 'pair')}, not {count}.".replace("-", "−")
            yield Problem(
                "pairs-mismatch", sentence, f"pairs-{seat}", seat,
                params={"made": made[seat], "said": count},
            )  # fmt: skip


def of_pairs(turned: tuple[str, ...], pairs: Mapping[int, int]) -> Iterator[Problem]:
    """No more pairs than the faces in play make, and some layout that makes them."""
    most, total = most_pairs(turned), sum(pairs.values())
    if total > most:
        yield Problem(
            "pairs-sum", f"The faces in play make {most} pairs at most; these are {total}.",
            params={"most": most, "said": total},
        )  # fmt: skip
    if in_range(pairs, MOST_PAIRS) and not can_be(turned, three(pairs)):
        yield Problem("pairs-impossible", f"{IMPOSSIBLE}.")


def of_tricks(hand: Hand, step: Step) -> Iterator[Problem]:
    """Seven in all, needed for nil; a trick brings three cards, so faces and pairs need tricks."""
    tricks = numbers_in(step, "tricks", hand.order)
    if not tricks:
        if any(value is not None for value in step.values()):
            yield Problem("missing-field", "All three players must be counted.", "tricks")
        elif nil_of(hand) is not None:
            yield Problem("missing-field", "Somebody went nil: the tricks tell how it ended.", "tricks")
        return
    taken = sum(tricks.values())
    if taken != TRICKS:
        wrong = "too many" if taken > TRICKS else "too few"
        yield Problem("tricks-sum", f"The hand has {TRICKS} tricks; these are {wrong}.", params={"tricks": TRICKS})
    counted, pairs = faces_of(hand), numbers_in(hand.steps.get("faces", {}), "pairs", hand.order)
    for seat, count in tricks.items():
        if counted and sum(counted[seat].values()) > CARDS_OF_A_TRICK * max(count, 0):
            yield Problem(
                "faces-over-tricks",
                f"{many(count, 'trick')} can hold {CARDS_OF_A_TRICK * count} faces at most."
                if count > 0
                else "A player without a trick has no face cards.",
                f"tricks-{seat}", seat, params={"faces": sum(counted[seat].values()), "tricks": count},
            )  # fmt: skip
    for seat, count in tricks.items():
        if pairs and 2 * pairs[seat] > CARDS_OF_A_TRICK * max(count, 0):
            yield Problem(
                "pairs-over-tricks",
                f"{many(count, 'trick')} cannot hold {many(pairs[seat], 'pair')}."
                if count > 0
                else "A player without a trick has no pairs.",
                f"tricks-{seat}", seat, params={"pairs": pairs[seat], "tricks": count},
            )  # fmt: skip
    if pairs and taken == TRICKS and in_range(tricks, TRICKS):
        turned = turned_of(hand)
        known = in_range(pairs, MOST_PAIRS) and can_be(turned, three(pairs), ANY_TRICKS)
        if known and not can_be(turned, three(pairs), three(tricks)):
            yield Problem("pairs-impossible", f"{IMPOSSIBLE} and these tricks.")


def many(number: int, what: str) -> str:
    """A number of things.

    >>> many(0, "pair"), many(1, "trick"), many(2, "trick")
    ('0 pairs', '1 trick', '2 tricks')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def in_range(counts: Mapping[int, int], most: int) -> bool:
    """Whether every number is one that can be."""
    return all(0 <= count <= most for count in counts.values())


def three(counts: Mapping[int, int]) -> Three:
    """The numbers of the three players in the order of the seats."""
    first, second, third = counts.values()
    return first, second, third


def fields_of_faces(seats: tuple[int, ...]) -> Iterator[tuple[str, int, int, str]]:
    """Name, greatest number, seat and code of every number of the ask ``faces``: the pairs first."""
    for seat in seats:
        yield f"pairs-{seat}", MOST_PAIRS, seat, "pairs-range"
    for seat in seats:
        for face in FACES:
            yield f"{face.lower()}-{seat}", OF_A_RANK, seat, "count-range"
