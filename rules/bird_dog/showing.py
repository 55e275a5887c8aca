"""Texts that the page of Bird Dog shows while a hand is entered, by name, and the tables behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement, product
from typing import cast

from rules.bird_dog.checks import three
from rules.bird_dog.deck import (
    CARDS_OF_A_TRICK,
    DECK,
    FACES,
    IN_THE_MIDDLE,
    MOST_PAIRS,
    TRICKS,
    bird_dog_of,
)  # fmt: skip
from rules.bird_dog.layouts import PLAYERS, Three, can_be, in_play, unseen
from rules.bird_dog.scoring import (
    NIL_POINTS,
    Scored,
    faces_of,
    pairs_of,
    said_of_pairs,
    scored,
    short,
    turned_of,
    why_bonus,
)
from rules.core.cards import card_in_words, card_shown
from rules.core.table import Hand, Table

#: Every way in which seven tricks can go to three players.
ALL_TRICKS: tuple[Three, ...] = tuple(
    (first, second, TRICKS - first - second)
    for first, second in product(range(TRICKS + 1), repeat=2)
    if first + second <= TRICKS
)


def of_hand(table: Table, hand: Hand) -> dict[str, str]:
    """The trump card and its Bird Dog, what they leave in play, and each seat's pairs with what they bring."""
    shown = of_turned(turned_of(hand))
    pairs = pairs_of(hand)
    if pairs:
        score = scored(hand, table.house_rules)
        shown["bonus"] = why_bonus(score).capitalize()
        shown |= {f"worth-{seat}": worth(score, seat) for seat in table.seats}
    shown["tricks-possible"] = listed(possible_tricks(table, hand))
    return shown | of_table(table)


def worth(score: Scored, seat: int) -> str:
    """What a seat's hand brings, as far as it is known before the tricks are."""
    text = said_of_pairs(score.pairs[seat]) + (" + 1" if seat in score.bonus else "")
    return f"{text} ± {NIL_POINTS} nil" if seat == score.nil else text


def of_table(table: Table) -> dict[str, str]:
    """How the last hand came out, and that the top is level: by its number, for without network later ones follow."""
    if not table.rows:
        return {}
    row = table.rows[-1]
    score = scored(row.hand, table.house_rules)
    shown = {f"last-{seat}": short(score, seat) for seat in score.pairs}
    shown["last"] = f"Hand {row.hand.number}: {why_bonus(score)}"
    if max(table.totals.values()) >= cast("int", table.house_rules["target"]):
        shown["tied"] = f"Level after hand {row.hand.number}: the next decides."
    return shown


def of_turned(turned: tuple[str, ...]) -> dict[str, str]:
    """What the turned cards say: each by itself, the later over the earlier, and all of them together."""
    shown: dict[str, str] = {}
    for card in turned:
        shown |= of_card(card)
    return shown | (of_kinds("".join(sorted(map(kind_of, turned)))) if turned else {})


def of_card(card: str) -> dict[str, str]:
    """A card that made trump, and its Bird Dog; a name of its own for each colour, of which one says nothing."""
    dog = bird_dog_of(card)
    red = card[1] in "DH"
    return {
        "trump-red": card_shown(card) if red else "",
        "trump-black": "" if red else card_shown(card),
        "trump-words": card_in_words(card),
        "bird-dog-red": card_shown(dog) if red else "",
        "bird-dog-black": "" if red else card_shown(dog),
        "bird-dog-words": card_in_words(dog),
    }


def kind_of(card: str) -> str:
    """What a turned card says about the faces: its rank, or x where it is none.

    >>> kind_of("JH"), kind_of("9H")
    ('j', 'x')
    """
    return card[0].lower() if card[0] in FACES else "x"


def of_kinds(kinds: str) -> dict[str, str]:
    """What cards of these kinds leave: the faces in play, how many must have been taken, and the pairs that can be.

    >>> of_kinds("jx")["in-play-j"], of_kinds("jx")["faces-least"]
    ('3', '10')
    """
    turned = cards_of(kinds)
    left = {f"in-play-{face.lower()}": str(count) for face, count in zip(FACES, in_play(turned), strict=True)}
    least = sum(in_play(turned)) - unseen(turned)
    return left | {"faces-least": str(least), "pairs-possible": listed(possible_pairs(kinds))}


def cards_of(kinds: str) -> tuple[str, ...]:
    """Some cards of these kinds.

    >>> cards_of("jjx")
    ('JS', 'JH', '9C')
    """
    suits = "SHC"
    return tuple((kind.upper() if kind != "x" else "9") + suit for kind, suit in zip(kinds, suits, strict=False))


@cache
def possible_pairs(kinds: str) -> tuple[Three, ...]:
    """Every three numbers of pairs that can be, the greatest first: who has which makes no difference.

    >>> possible_pairs("jkq")[:3]
    ((0, 0, 0), (1, 0, 0), (1, 1, 0))
    """
    numbers = range(MOST_PAIRS + 1)
    return tuple(
        (first, second, third)
        for first, second, third in product(numbers, repeat=PLAYERS)
        if first >= second >= third and can_be(cards_of(kinds), (first, second, third))
    )


def possible_tricks(table: Table, hand: Hand) -> Iterator[Three]:
    """Every way the tricks can have gone, in the order of the seats, as far as faces or pairs tell."""
    counted, pairs = faces_of(hand), pairs_of(hand)
    for tricks in ALL_TRICKS:
        by_seat = dict(zip(table.seats, tricks, strict=True))
        if counted:
            fits = all(sum(counted[seat].values()) <= CARDS_OF_A_TRICK * by_seat[seat] for seat in by_seat)
        else:
            fits = not pairs or can_be(turned_of(hand), three({seat: pairs[seat] for seat in table.seats}), tricks)
        if fits:
            yield tricks


def listed(threes: Iterator[Three] | tuple[Three, ...]) -> str:
    """Threes of numbers as a page reads them.

    >>> listed(((1, 0, 0), (2, 1, 0)))
    '100 210'
    """
    return " ".join("".join(map(str, numbers)) for numbers in threes)


@cache
def tables_of_turned() -> dict[str, Mapping[str, object]]:
    """The same as `of_turned` says, to be looked up.

    ``kinds`` has the kind of every card, ``alone`` what each says, ``together`` what their kinds say, which are put in
    order.
    """
    kinds = [
        "".join(some) for many in range(1, IN_THE_MIDDLE + 1) for some in combinations_with_replacement("jkqx", many)
    ]
    return {
        "kinds": {card: kind_of(card) for card in DECK},
        "alone": {card: of_card(card) for card in DECK},
        "together": {some: of_kinds(some) for some in kinds},
    }
