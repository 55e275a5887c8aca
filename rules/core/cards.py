"""Cards are rank + suit: ``7D``, ``TH``, ``AS``. ``NT`` stands for no trump."""

from __future__ import annotations

RANKS = tuple("23456789TJQKA")
SUITS = tuple("CDHS")
NO_TRUMP = "NT"
TRUMPS = (*SUITS, NO_TRUMP)
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades", "NT": "no trump"}
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
