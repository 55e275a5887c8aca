"""Generated prompts: any ask of any game, laid out from its fields, for games without a page of their own."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.fields import Ask, Choice, Count, Field, SeatChoice, Tick
from rules.core.numbers import bare
from scoresheets.log.state import SheetReading
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.labels import card_words, stem_of
from scoresheets.wording.markup import as_text, capital

#: So many numbers are keys to tap; more of them are typed.
MOST_KEYS = 14
#: A key that is one of more than two in a row has room for a word of so many letters.
LONGEST_WORD = 6


@dataclass(frozen=True)
class AnyField:
    """A field with its words. `kind`: `keys` (one of `options`), `seats`, `count` (`low` to `high`) or `tick`."""

    name: str
    kind: str
    words: str
    optional: bool
    low: int = 0
    high: int = 0
    options: tuple[tuple[str, str], ...] = ()
    seats: tuple[int, ...] = ()
    seat: int | None = None

    @property
    def keys(self) -> int:
        """For how many keys they are laid out: two in a row where a word is too long for more."""
        return 2 if any(len(words) > LONGEST_WORD for _, words in self.options) else len(self.options)


@dataclass(frozen=True)
class AnyAsk:
    """An ask with its words. `comes_to`: the sum of its numbers, if known."""

    name: str
    words: str
    fields: tuple[AnyField, ...]
    comes_to: int | None = None

    @property
    def counts(self) -> list[AnyField]:
        """Its numbers, one for each seat."""
        return [field for field in self.fields if field.kind == "count"]

    @property
    def is_signed(self) -> bool:
        """Whether a number may be below 0."""
        return any(field.low < 0 for field in self.counts)

    @property
    def others(self) -> list[AnyField]:
        return [field for field in self.fields if field.kind != "count"]

    @property
    def only_field(self) -> AnyField | None:
        """The field that a single tap answers; None: it takes more."""
        is_tapped = len(self.fields) == 1 and self.fields[0].kind in ("keys", "seats")
        return self.fields[0] if is_tapped else None


def any_asks_of(reading: SheetReading) -> list[AnyAsk]:
    """What is asked in the open hand, in order."""
    sheet, entry_text = reading.sheet, EntryText(reading)
    if sheet.open is None:
        return []
    hand = sheet.open.hand
    comes_to = reading.game.due_sum(sheet.table, hand)
    return [
        AnyAsk(
            ask.name,
            capital(as_text(entry_text.what(hand.address(ask.name)))),
            tuple(any_field(entry_text, ask, field) for field in ask.fields),
            comes_to if sum(field.seat is not None for field in ask.fields) > 1 else None,
        )
        for ask in reading.game.asks(sheet.table, hand)
    ]


def any_field(entry_text: EntryText, ask: Ask, field: Field) -> AnyField:
    """A field as it is asked for."""
    stem = stem_of(ask.name)
    words = entry_text.done(stem, field.name) if field.seat else capital(entry_text.called(stem, field.name))
    match field:
        case Count(low=low, high=high) if high - low < MOST_KEYS and not field.seat:
            options = tuple((str(number), bare(number)) for number in range(low, high + 1))
            return AnyField(field.name, "keys", words, field.optional, options=options)
        case Count(low=low, high=high):
            return AnyField(field.name, "count", words, field.optional, low, high, seat=field.seat)
        case Choice(values=values):
            options = tuple((value, capital(card_words(value))) for value in values)
            return AnyField(field.name, "keys", words, field.optional, options=options, seat=field.seat)
        case SeatChoice(seats=seats):
            return AnyField(field.name, "seats", words, field.optional, seats=seats, seat=field.seat)
        case Tick():
            return AnyField(field.name, "tick", words, field.optional, seat=field.seat)
