"""The deck of 24 cards, and the Bird Dog that belongs to each of them."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.cards import TWINS, card_in_words, card_shown

#: From the lowest to the highest; jack, queen and king are the faces, which make pairs.
RANKS = tuple("9TJQKA")
SUITS = tuple("SHCD")
FACES = tuple("JQK")
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)

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
    return card[0] + TWINS[card[1]]


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
    return tuple(Card(card, card_shown(card), card_in_words(card), card[1] in "DH", bird_dog_of(card)) for card in DECK)
