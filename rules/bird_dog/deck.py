"""The deck of 24 cards, and the Bird Dog that belongs to each of them."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.cards import RANK_NAMES, SUIT_NAMES

#: From the lowest to the highest; jack, queen and king are the faces, which make pairs.
RANKS = tuple("9TJQKA")
SUITS = tuple("SHCD")
FACES = tuple("JQK")
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)
#: The other suit of the same colour.
TWIN = {"C": "S", "S": "C", "D": "H", "H": "D"}
SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}

#: What lies in the middle: three cards, of which one to three are turned.
IN_THE_MIDDLE = 3
#: So many of each rank are in the deck.
OF_A_RANK = 4
#: Seven cards each: seven tricks of three cards.
TRICKS = 7
CARDS_OF_A_TRICK = 3
#: With all twelve faces in play nobody can have more.
MOST_PAIRS = 6


def bird_dog_of(card: str) -> str:
    """The card of the same rank in the other suit of its colour.

    >>> bird_dog_of("9H"), bird_dog_of("QC")
    ('9D', 'QS')
    """
    return card[0] + TWIN[card[1]]


def sign_of(card: str) -> str:
    """A card in two or three signs.

    >>> sign_of("TH")
    '10♥'
    """
    return ("10" if card[0] == "T" else card[0]) + SIGNS[card[1]]


def words_of(card: str) -> str:
    """A card in words.

    >>> words_of("TH")
    'ten of hearts'
    """
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


class Card(NamedTuple):
    """A card of the deck as a page shows it: its code, in signs, in words, its colour, and its Bird Dog’s code."""

    code: str
    sign: str
    words: str
    is_red: bool
    dog: str


def shown_deck() -> tuple[Card, ...]:
    """The deck suit by suit, as it is laid out to be tapped.

    >>> shown_deck()[7]
    Card(code='TH', sign='10♥', words='ten of hearts', is_red=True, dog='TD')
    """
    return tuple(Card(card, sign_of(card), words_of(card), card[1] in "DH", bird_dog_of(card)) for card in DECK)
