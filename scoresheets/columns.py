"""What is written down in a hand, as columns: for a paper sheet, the grid it is typed into, and a spreadsheet.

Made from what the game declares, so that every game gets them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.core.steps import Choice
from scoresheets.jottings import in_words, stem_of, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.core.game import Game
    from rules.core.hands import Hand, Table
    from rules.core.steps import Ask, Field

#: A choice of more than these is not offered in a row: which card was turned.
MOST_CHOICES = 12


@dataclass(frozen=True)
class Place:
    """A field of an ask of a hand."""

    ask: Ask
    field: Field


@dataclass(frozen=True)
class Column:
    """Something everybody has in a hand, by seat: `word` is what it is called, such as "bid".

    `is_spoken`: each says it in turn; else it is counted for the whole table at once.
    """

    word: str
    places: Mapping[int, Place]
    is_spoken: bool


@dataclass(frozen=True)
class Columns:
    """The columns of a hand: what everybody has, and what belongs to the hand alone."""

    seats: tuple[Column, ...]
    hand: tuple[tuple[str, Place], ...]


def columns_of(game: Game, table: Table, hand: Hand) -> Columns:
    """What is written down in the hand. The same whatever has been written of it."""
    by_word: dict[str, dict[int, Place]] = {}
    of_hand = []
    for ask in game.asks(table, hand):
        for field in ask.fields:
            seat = ask.seat if field.seat is None else field.seat
            if seat is not None:
                name = field.name.removesuffix(f"-{seat}")
                by_word.setdefault(word_of(game, ask, name), {})[seat] = Place(ask, field)
            elif not (isinstance(field, Choice) and len(field.values) > MOST_CHOICES):
                word = word_of(game, ask, field.name)
                is_clear = len(ask.fields) == 1 or word != in_words(field.name)
                of_hand.append((word if is_clear else f"{in_words(ask.name)} {word}", Place(ask, field)))
    seats = tuple(
        Column(word, places, all(place.ask.seat is not None for place in places.values()))
        for word, places in by_word.items()
    )
    return Columns(seats, tuple(of_hand))


def word_of(game: Game, ask: Ask, name: str) -> str:
    """What the club calls a field."""
    return words_of(game, stem_of(ask.name)).fields.get(name, in_words(name))
