"""Cards are rank + suit: ``7D``, ``TH``, ``AS``. ``NT`` stands for no trump."""

from __future__ import annotations

from collections.abc import Mapping

RANKS = tuple("23456789TJQKA")
SUITS = tuple("CDHS")
NO_TRUMP = "NT"
TRUMPS = (*SUITS, NO_TRUMP)
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "no trump"}
SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
#: The other suit of the same colour.
TWINS = {"C": "S", "D": "H", "H": "D", "S": "C"}
RANK_NAMES = {
    "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace",
}  # fmt: skip


def height(rank: str) -> int:
    """How high a rank is: two is 0, the ace is 12.

    >>> height("A") > height("K") > height("2")
    True
    """
    return RANKS.index(rank)


def lowest_cards(drawn: Mapping[int, str]) -> tuple[int, ...]:
    """The seats that drew the lowest rank.

    >>> lowest_cards({1: "T", 2: "4", 3: "4"})
    (2, 3)
    """
    lowest = min(drawn.values(), key=height)
    return tuple(seat for seat, rank in drawn.items() if rank == lowest)


def rank_shown(rank: str) -> str:
    """A rank as it stands on the card.

    >>> rank_shown("T"), rank_shown("Q")
    ('10', 'Q')
    """
    return "10" if rank == "T" else rank


def card_shown(card: str) -> str:
    """A card in two or three signs.

    >>> card_shown("TH"), card_shown("JD")
    ('10♥', 'J♦')
    """
    return rank_shown(card[0]) + SUIT_SIGNS[card[1]]


def card_in_words(card: str) -> str:
    """A card by its name.

    >>> card_in_words("TH")
    'ten of hearts'
    """
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"
