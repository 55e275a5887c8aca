"""Layouts: the pairs that are possible with the faces in play, behind three numbers.

The deck has four jacks, four queens and four kings. Faces that were turned are out of play, and faces in the unseen
cards in the middle went to nobody. Some player took each of the others, in a trick of three cards.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from rules.bird_dog.deck import CARDS_OF_A_TRICK, FACES, IN_THE_MIDDLE, OF_A_RANK, TRICKS

#: A number for each of the three players, in any order that is kept.
Three = tuple[int, int, int]

PLAYERS = 3
#: Where nobody counted the tricks, everybody may have taken all of them.
ANY_TRICKS: Three = (TRICKS, TRICKS, TRICKS)


def in_play(turned: tuple[str, ...]) -> Three:
    """How many jacks, queens and kings were not turned.

    >>> in_play(("JH", "9S", "JD"))
    (2, 4, 4)
    """
    jacks, queens, kings = (OF_A_RANK - sum(card[:1] == rank for card in turned) for rank in FACES)
    return jacks, queens, kings


def unseen(turned: tuple[str, ...]) -> int:
    """How many cards of the middle nobody has seen: as many faces may be missing from what was taken."""
    return IN_THE_MIDDLE - len(turned)


def most_pairs(turned: tuple[str, ...]) -> int:
    """The most pairs that all three together can make.

    >>> most_pairs(("9H",)), most_pairs(("JH",)), most_pairs(("JH", "QH", "KH"))
    (6, 5, 3)
    """
    return sum(count // 2 for count in in_play(turned))


@cache
def shares(cards: int) -> tuple[Three, ...]:
    """Every way in which so many cards of one rank can lie with the three players.

    >>> shares(1)
    ((0, 0, 1), (0, 1, 0), (1, 0, 0))
    """
    return tuple(
        (first, second, cards - first - second)
        for first, second in product(range(cards + 1), repeat=2)
        if first + second <= cards
    )


def can_be(turned: tuple[str, ...], pairs: Three, tricks: Three = ANY_TRICKS) -> bool:
    """Whether some layout of the faces gives the players exactly these pairs, with these tricks where they are known.

    >>> can_be(("9H",), (0, 0, 0)), can_be(("9H",), (1, 0, 0))
    (False, True)
    >>> can_be(("9H",), (4, 0, 0), (7, 0, 0)), can_be(("9H",), (3, 0, 0), (7, 0, 0))
    (True, False)
    """
    first, second, third = (CARDS_OF_A_TRICK * count for count in tricks)
    return is_laid_out(tuple(sorted(in_play(turned))), unseen(turned), pairs, (first, second, third))


@cache
def is_laid_out(ranks: tuple[int, ...], hidden: int, pairs: Three, room: Three) -> bool:
    """Whether so many cards of each rank can be shared out so that they make exactly ``pairs``.

    At most ``hidden`` of them may be missing, and nobody takes more than there is ``room`` for.
    """
    if not ranks:
        return not any(pairs)
    for missing in range(min(hidden, ranks[0]) + 1):
        for share in shares(ranks[0] - missing):
            pairs_left = less(pairs, (share[0] // 2, share[1] // 2, share[2] // 2))
            room_left = less(room, share)
            fits = min(pairs_left) >= 0 and min(room_left) >= 0
            if fits and is_laid_out(ranks[1:], hidden - missing, pairs_left, room_left):
                return True
    return False


def less(some: Three, others: Three) -> Three:
    """What is left of each."""
    return some[0] - others[0], some[1] - others[1], some[2] - others[2]
