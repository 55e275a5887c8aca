"""The columns of a hand: for a paper sheet, the grid it is typed into, and a spreadsheet.

They are made from the fields that a game declares, so every game has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rules.core.fields import Ask, Choice, Count, Field, Tick
from rules.core.game import Game
from rules.core.table import Hand, Table
from scoresheets.wording.labels import ends_with_card, in_words, words_of

#: A choice of more than these is not offered in a row, where nobody has to make it: which card was turned.
MOST_CHOICES = 12
#: More things than these that belong to a hand alone stand in no row.
MOST_OF_A_HAND = 12


@dataclass(frozen=True)
class FieldPlace:
    """A field of an ask of a hand."""

    ask: Ask
    field: Field


@dataclass(frozen=True)
class Column:
    """Something everybody has in a hand, by seat: `word` is what it is called, such as "bid".

    `is_spoken`: each says it in turn. `is_counted`: it is counted for the whole table at once, as tricks are.
    """

    word: str
    places: Mapping[int, FieldPlace]
    is_spoken: bool
    is_counted: bool


@dataclass(frozen=True)
class Columns:
    """The columns of a hand: what everybody has, and what belongs to the hand alone."""

    seats: tuple[Column, ...]
    hand: tuple[tuple[str, FieldPlace], ...]
    #: Asks at which any card can be ticked: there is no room in a row for those.
    of_cards: tuple[Ask, ...] = ()

    @property
    def is_a_row(self) -> bool:
        """Whether a hand fits into a row at all."""
        return len(self.hand) <= MOST_OF_A_HAND


def columns_of(game: Game, table: Table, hand: Hand) -> Columns:
    """What is written down in the hand. The same whatever has been written of it."""
    by_word: dict[str, dict[int, FieldPlace]] = {}
    of_hand = []
    of_cards = []
    for ask in game.asks(table, hand):
        if any(isinstance(field, Tick) and ends_with_card(field.name) for field in ask.fields):
            of_cards.append(ask)
        for field in ask.fields:
            seat = ask.seat if field.seat is None else field.seat
            if seat is not None:
                name = field.name.removesuffix(f"-{seat}")
                by_word.setdefault(word_of(game, ask, name), {})[seat] = FieldPlace(ask, field)
            elif not is_too_much(ask, field):
                of_hand.append((word_of(game, ask, field.name), FieldPlace(ask, field)))
    seats = tuple(
        Column(
            word,
            places,
            all(place.ask.seat is not None for place in places.values()),
            all(counts_for_all(place.ask) for place in places.values()),
        )
        for word, places in by_word.items()
    )
    return Columns(
        seats, tuple((clear_word(game, word, place, of_hand), place) for word, place in of_hand), tuple(of_cards)
    )


def counts_for_all(ask: Ask) -> bool:
    """Whether it is one number for each seat, counted at once."""
    seats = [field.seat for field in ask.fields if isinstance(field, Count)]
    return ask.seat is None and bool(seats) and None not in seats and len(set(seats)) == len(seats)


def is_too_much(ask: Ask, field: Field) -> bool:
    """Whether there is no room in a row for it: a card of a whole deck, a tick for every card somebody holds."""
    if isinstance(field, Tick):
        return ends_with_card(field.name)
    return ask.optional and isinstance(field, Choice) and len(field.values) > MOST_CHOICES


def is_late(place: FieldPlace) -> bool:
    """Whether it is only asked where a rule was broken: a tick that may be left out, for the whole table."""
    return place.ask.optional and isinstance(place.field, Tick)


def word_of(game: Game, ask: Ask, name: str) -> str:
    """What the club calls a field."""
    return words_of(game, ask.name).fields.get(name, in_words(name))


def clear_word(game: Game, word: str, place: FieldPlace, of_hand: list[tuple[str, FieldPlace]]) -> str:
    """The word, with what it is about where it is a mere name or another ask has the same."""
    many = Counter(other for other, _ in of_hand)[word] > 1
    is_clear = len(place.ask.fields) == 1 or place.field.name in words_of(game, place.ask.name).fields
    return f"{in_words(place.ask.name)} {word}" if many or not is_clear else word
