"""Layouts: the pairs that are possible with the faces in play, behind three numbers.

The deck has four jacks, four queens and four kings. Faces that were turned are out of play, and faces in the unseen
cards in the middle went to nobody. Some player took each of the others, in a trick of three cards.
"""

from __future__ import annotations

from collections.abc import Iterable
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
    players = [(own, CARDS_OF_A_TRICK * count) for own, count in zip(pairs, tricks, strict=True)]
    ranks = tuple(sorted(in_play(turned)))
    return is_laid_out(ranks, unseen(turned), alike(players, ranks))


def alike(players: Iterable[tuple[int, int]], ranks: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """The players as far as they make a difference: in order, and nobody with room for more cards than there are.

    >>> alike([(1, 21), (0, 3), (0, 21)], (3, 4))
    ((0, 3), (0, 7), (1, 7))
    """
    return tuple(sorted((pairs, min(room, sum(ranks))) for pairs, room in players))


@cache
def is_laid_out(ranks: tuple[int, ...], hidden: int, players: tuple[tuple[int, int], ...]) -> bool:
    """Whether so many cards of each rank can be shared out so that every player makes exactly their pairs.

    ``players``: the pairs of each and the room for cards that is left to them (`alike`). At most ``hidden`` cards may
    be missing.
    """
    if not ranks:
        return not any(pairs for pairs, _ in players)
    for missing in range(min(hidden, ranks[0]) + 1):
        for share in shares(ranks[0] - missing):
            left = [(pairs - cards // 2, room - cards) for (pairs, room), cards in zip(players, share, strict=True)]
            fits = all(pairs >= 0 and room >= 0 for pairs, room in left)
            if fits and is_laid_out(ranks[1:], hidden - missing, alike(left, ranks[1:])):
                return True
    return False
