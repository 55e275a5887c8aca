"""The slip on which a row of the sheet is corrected: everything as it was entered, every number to be changed.

Made from what the row asks, and so the same for every game: numbers of seats stand in rows, one for each seat, and
what belongs to the whole table below them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rules.core.cards import DECK, RANK_NAMES, RANKS, SUIT_NAMES, TRUMPS
from rules.core.steps import Choice, Count, SeatChoice, Tick
from scoresheets.correcting import faults
from scoresheets.jottings import Jottings, in_words, stem_of, where_of
from scoresheets.speech import MINUS, SUITS, capital, rank_shown
from scoresheets.tallies import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rules.core.problems import Problem
    from rules.core.sayings import AsPlayed
    from rules.core.steps import Address, Ask, Field, Value
    from scoresheets.correcting import OpenedRow
    from scoresheets.reading import SheetReading

    #: What a slip holds, by address and field.
    Values = Mapping[tuple[Address, str], Value]

WHOLE = re.compile(r"-?[0-9]{1,9}")
#: More choices than that do not fit side by side.
MOST_CHIPS = 6


@dataclass(frozen=True)
class Cell:
    """A number of one seat. `name` is that of its input; `was` what stands on the sheet."""

    name: str
    says: str
    value: Value
    was: Value
    low: int
    high: int

    @property
    def is_new(self) -> bool:
        return self.value != self.was

    @property
    def at_least(self) -> bool:
        return isinstance(self.value, int) and self.value <= self.low

    @property
    def at_most(self) -> bool:
        return isinstance(self.value, int) and self.value >= self.high

    @property
    def size(self) -> int:
        """How many signs the number may have."""
        return max(len(str(self.low)), len(str(self.high)))


@dataclass(frozen=True)
class SeatRow:
    """The numbers of one seat. `could`: perhaps he took the trick that is missing."""

    seat: int
    name: str
    cells: tuple[Cell, ...]
    could: bool = False
    wrong: tuple[str, ...] = ()

    @property
    def was(self) -> str:
        """What stood there, of what is changed."""
        return ", ".join(f"{cell.says} {cell.was}" for cell in self.cells if cell.is_new and cell.was is not None)


@dataclass(frozen=True)
class Question:
    """Something that belongs to the whole table: a choice, somebody, a tick, a number.

    `options` are value, what is shown, what is read out, whether it is red. `kind`: `chips`, `list`, `tick`, `number`.
    """

    name: str
    title: str
    kind: str
    value: Value
    options: tuple[tuple[str, str, str, bool], ...] = ()
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class Slip:
    """A row that was opened, and what the slip says of it; `values` are those that stand until something was typed."""

    reading: SheetReading
    row: OpenedRow
    values: Values = field(default_factory=dict)

    @classmethod
    def of(cls, reading: SheetReading, row: OpenedRow) -> Slip:
        """The row as it was entered."""
        return cls(reading, row, dict(standing_values(reading, row)))

    def filled_in(self, post: Mapping[str, str]) -> Slip:
        """The slip as a form has it. What a form does not say stays as it stands."""
        values = dict(self.values)
        for ask, one in self.fields:
            name, key = name_of(ask, one), ((self.row.number, ask.name), one.name)
            if isinstance(one, Tick):
                if f"has:{name}" in post:
                    values[key] = True if post.get(name) else None
            elif name in post:
                values[key] = value_of(one, post[name])
        return replace(self, values=values)

    def moved(self, name: str, by: int) -> Slip:
        """The slip with one number up or down, as far as it can be."""
        for ask, one in self.fields:
            key = ((self.row.number, ask.name), one.name)
            value = self.values.get(key)
            if isinstance(one, Count) and name_of(ask, one) == name and isinstance(value, int):
                return replace(self, values={**self.values, key: min(max(value + by, one.low), one.high)})
        return self

    def with_step(self, ask: str, step: Mapping[str, Value]) -> Slip:
        """The slip with a whole answer put on it."""
        address = (self.row.number, ask)
        return replace(self, values={**self.values, **{(address, name): value for name, value in step.items()}})

    @property
    def fields(self) -> Iterator[tuple[Ask, Field]]:
        """Everything that stands in the row or may be added to it."""
        for ask in self.row.asks:
            if ask.optional or (self.row.number, ask.name) in self.reading.standing:
                yield from ((ask, one) for one in ask.fields)

    @cached_property
    def said(self) -> Jottings:
        """The words for what stands in the row."""
        return Jottings(self.reading)

    # What it comes to

    @cached_property
    def changes(self) -> dict[Address, dict[str, Value] | None]:
        """What the slip says otherwise than the sheet, whole steps by address; None: it is taken off."""
        found: dict[Address, dict[str, Value] | None] = {}
        for address, step in self.steps.items():
            standing = self.reading.standing.get(address)
            if (standing is None and step) or (standing is not None and not standing.says(step or {})):
                found[address] = step
        return found

    @cached_property
    def steps(self) -> dict[Address, dict[str, Value] | None]:
        """Everything the slip says, as whole steps; None where it says nothing."""
        steps: dict[Address, dict[str, Value]] = {}
        for ask, one in self.fields:
            address = (self.row.number, ask.name)
            value = self.values.get((address, one.name))
            steps.setdefault(address, {}).update({one.name: value} if value is not None else {})
        return {address: step or None for address, step in steps.items()}

    def steps_in(self, post: Mapping[str, str]) -> dict[Address, dict[str, Value] | None]:
        """The steps of which a form says something, whatever stands on the sheet by now."""
        names = {(self.row.number, ask.name) for ask, one in self.fields if is_in(post, ask, one)}
        return {address: step for address, step in self.steps.items() if address in names}

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What is wrong with the row as the slip has it."""
        return faults(self.reading, self.row, self.changes)

    @property
    def as_played(self) -> AsPlayed | None:
        """How the hand could be left as it was played, where something is wrong with it that allows that."""
        offers = [self.reading.game.as_played(problem) for problem in self.problems]
        names = [ask.name for ask in self.row.asks]
        return next((offer for offer in offers if offer and offer.ask in names), None)

    @cached_property
    def off(self) -> int:
        """How many tricks too many the slip has; negative: so many are missing. Nobody says who took them."""
        if self.row.hand is None or not self.trick_keys:
            return 0
        counts = [self.values.get(key) for key in self.trick_keys]
        return sum(count for count in counts if isinstance(count, int)) - self.row.hand.cards

    @cached_property
    def trick_keys(self) -> list[tuple[Address, str]]:
        """Where the tricks of the hand stand, which come to its cards."""
        return [
            ((self.row.number, ask.name), one.name)
            for ask, one in self.fields
            if ask.name.endswith("tricks") and isinstance(one, Count) and one.seat is not None
        ]

    @property
    def question(self) -> str:
        """Who took it? Asked until the tricks come out; "" where they do."""
        return asked(self.off)

    @property
    def could(self) -> set[int]:
        """Who may have taken more, or fewer: those of whom nothing else has been said first."""
        if not self.off or self.row.hand is None:
            return set()
        seats = {int(name.rpartition("-")[2]): ((number, ask), name) for (number, ask), name in self.trick_keys}
        counts = {seat: self.values.get(key) for seat, key in seats.items()}
        cards = self.row.hand.cards
        able = {
            seat
            for seat, count in counts.items()
            if isinstance(count, int) and (count > 0 if self.off > 0 else count < cards)
        }
        untouched = {seat for seat in able if self.values.get(seats[seat]) == self.was(seats[seat])}
        return untouched or able

    def was(self, key: tuple[Address, str]) -> Value:
        """What stands on the sheet."""
        entry = self.reading.standing.get(key[0])
        return entry.data.get(key[1]) if entry else None

    # How it is laid out

    @cached_property
    def seats(self) -> tuple[SeatRow, ...]:
        """A row for each seat that has a number here, in the order in which people sat."""
        cells: dict[int, list[Cell]] = {}
        for ask, one in self.fields:
            seat = seat_of(one)
            if isinstance(one, Count) and seat is not None:
                key = ((self.row.number, ask.name), one.name)
                says = self.said.done(stem_of(ask.name), one.name)
                cell = Cell(name_of(ask, one), says, self.values.get(key), self.was(key), one.low, one.high)
                cells.setdefault(seat, []).append(cell)
        names = self.reading.names_at(self.row.number)
        table = self.row.table.seats if self.row.table else tuple(cells)
        wrong = {seat: tuple(p.message for p in self.problems if p.seat == seat) for seat in cells}
        order = [seat for seat in table if seat in cells] + [seat for seat in cells if seat not in table]
        return tuple(SeatRow(seat, names[seat], tuple(cells[seat]), seat in self.could, wrong[seat]) for seat in order)

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """What belongs to the whole table. What is a matter of yes stands there only where it was said."""
        return tuple(
            self.question_of(ask, one)
            for ask, one in self.fields
            if not (isinstance(one, Count) and seat_of(one) is not None)
            and not (isinstance(one, Tick) and not self.is_ticked(((self.row.number, ask.name), one.name)))
        )

    def is_ticked(self, key: tuple[Address, str]) -> bool:
        """Whether a yes stands on the slip or on the sheet."""
        return bool(self.values.get(key) or self.was(key))

    def question_of(self, ask: Ask, one: Field) -> Question:
        """One field of the whole table, or a card somebody drew."""
        value = self.values.get(((self.row.number, ask.name), one.name))
        names, seat = self.reading.names_at(self.row.number), one.seat
        kind = one.name.removesuffix(f"-{seat}")
        stem = stem_of(ask.name)
        title = (
            capital(self.said.called(stem, kind))
            if seat is None
            else f"{names.get(seat, '')} {self.said.done(stem, one.name)}"
        )
        name = name_of(ask, one)
        match one:
            case Tick():
                return Question(name, title, "tick", value)
            case Count():
                return Question(name, title, "number", value, low=one.low, high=one.high)
            case SeatChoice():
                options = [(str(seat), names.get(seat, ""), names.get(seat, ""), False) for seat in one.seats]
            case Choice():
                options = [choice_shown(one, each) for each in one.values]
        if one.optional:
            options = [("", "not noted", "not noted", False), *options]
        chips = "chips" if len(options) <= MOST_CHIPS or are_ranks(one) else "list"
        shown = "" if value is None else str(value)
        return Question(name, title, chips, shown, tuple(options))

    @property
    def saw(self) -> tuple[tuple[str, int], ...]:
        """What stands in the row now, by the name of the ask."""
        standing = self.reading.standing
        asks = [ask.name for ask in self.row.asks]
        return tuple((ask, entry.pk) for ask in asks if (entry := standing.get((self.row.number, ask))))

    @property
    def kept(self) -> tuple[tuple[str, str], ...]:
        """What the slip says otherwise than the sheet, as a form carries it on."""
        said = []
        for ask, one in self.fields:
            if (self.row.number, ask.name) not in self.changes:
                continue
            value = self.values.get(((self.row.number, ask.name), one.name))
            name = name_of(ask, one)
            said += [(f"has:{name}", "1")] if isinstance(one, Tick) else []
            if not isinstance(one, Tick) or value:
                said.append((name, "" if value is None else "1" if value is True else str(value)))
        return tuple(said)

    @property
    def where(self) -> str:
        """What is corrected, in words: "hand 4", "the blind hand"."""
        return where_of((self.row.number, self.row.asks[0].name))

    @property
    def meanwhile(self) -> str:
        """What is open while this is corrected, in words; "" where nothing is, or where it is this."""
        sheet = self.reading.sheet
        if sheet.open and sheet.open.hand.number != self.row.number:
            return f"You are correcting {self.where} while hand {sheet.open.hand.number} is open, which stays as it is."
        if self.reading.finished:
            return f"You are correcting {self.where} of a game that is finished."
        return ""


def standing_values(reading: SheetReading, row: OpenedRow) -> Iterator[tuple[tuple[Address, str], Value]]:
    """What stands in the row, by address and field."""
    for ask in row.asks:
        address = (row.number, ask.name)
        entry = reading.standing.get(address)
        for one in ask.fields:
            yield (address, one.name), entry.data.get(one.name) if entry else None


def asked(off: int) -> str:
    """What is asked where so many tricks are too many, or missing (negative).

    >>> asked(-1), asked(2), asked(0)
    ('One missing: who took it?', 'Two too many: who took fewer?', '')
    """
    if not off:
        return ""
    many = NUMBERS[abs(off)] if abs(off) < len(NUMBERS) else str(abs(off))
    if off > 0:
        return f"{many.capitalize()} too many: who took fewer?"
    return f"{many.capitalize()} missing: who took {'it' if off == -1 else 'them'}?"


def name_of(ask: Ask, one: Field) -> str:
    """The name of the input for a field."""
    return f"f:{ask.name}:{one.name}"


def is_in(post: Mapping[str, str], ask: Ask, one: Field) -> bool:
    """Whether a form says something of the field."""
    name = name_of(ask, one)
    return name in post or f"has:{name}" in post


def seat_of(one: Field) -> int | None:
    """Whose number it is: that of the field, or the one in its name (`total-3`)."""
    if one.seat is not None:
        return one.seat
    _, _, seat = one.name.rpartition("-")
    return int(seat) if seat.isdecimal() else None


def value_of(one: Field, text: str) -> Value:
    """What was typed, as a step has it: nothing is None, and what is no number stays the text that it is."""
    text = text.strip()
    if not text:
        return None
    if isinstance(one, Count | SeatChoice):
        number = text.replace(MINUS, "-")
        return int(number) if WHOLE.fullmatch(number) else text[:40]
    return text[:200]


def are_ranks(one: Field) -> bool:
    """Whether a card is chosen of which the suit does not matter."""
    return isinstance(one, Choice) and set(one.values) <= set(RANKS)


def choice_shown(one: Choice, value: str) -> tuple[str, str, str, bool]:
    """A choice: its value, what is shown, what is read out, and whether it is red."""
    if set(one.values) <= set(TRUMPS):
        sign = SUITS.get(value, "Ace")
        return value, sign, SUIT_NAMES.get(value, value).capitalize(), value in ("D", "H")
    if are_ranks(one):
        return value, rank_shown(value), RANK_NAMES.get(value, value), False
    if value in DECK:
        said = f"{RANK_NAMES[value[0]]} of {SUIT_NAMES[value[1]]}"
        return value, f"{rank_shown(value[0])} {SUITS[value[1]]} ({said})", said, False
    return value, in_words(value), in_words(value), False
