"""The layout of the fields of a hand in a form, ask by ask: lines of counts for the seats, and questions.

It is made from the fields that a game declares, for the form that corrects a row and for hands from paper.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.core.cards import DECK, RANK_NAMES, RANKS, SUIT_NAMES, TRUMPS, rank_shown
from rules.core.fields import Address, Ask, Choice, Count, Field, SeatChoice, Tick, Value
from rules.core.numbers import MINUS, bare
from rules.core.texts import Written
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.labels import card_words, corner_of, ends_with_card, in_words, own_name, words_of
from scoresheets.wording.markup import SUITS, as_text, capital

#: What a form holds, by address and field.
Values = Mapping[tuple[Address, str], Value]

WHOLE = re.compile(r"-?[0-9]{1,9}")
#: More choices than that do not fit side by side.
MOST_CHIPS = 6
#: So many numbers are chosen with one tap.
MOST_NUMBERS = 10
#: So many cards can be shown; of a whole deck one is chosen from a list.
MOST_CARDS = 24


@dataclass(frozen=True)
class Cell:
    """A number. `name` is that of its input; `was` what stands on the sheet; with others it `is_counted` to a sum.

    `is_focused`: it is the number that was tapped to be changed.
    """

    name: str
    says: str
    value: Value
    was: Value
    low: int
    high: int
    optional: bool = False
    is_counted: bool = False
    is_focused: bool = False

    @property
    def is_new(self) -> bool:
        return self.value != self.was

    @property
    def value_shown(self) -> str:
        return number_shown(self.value)

    @property
    def was_shown(self) -> str:
        return number_shown(self.was)

    @property
    def at_least(self) -> bool:
        if self.optional:
            return self.value is None
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
    """The numbers of one seat. `could`: perhaps they took the trick that is missing. `is_lit`: one was tapped."""

    seat: int
    name: str
    cells: tuple[Cell, ...]
    could: bool = False
    wrong: tuple[str, ...] = ()
    is_lit: bool = False

    @property
    def was(self) -> str:
        """What stood there, of what is changed."""
        return ", ".join(f"{cell.says} {cell.was_shown}" for cell in self.cells if cell.is_new and cell.was is not None)


@dataclass(frozen=True)
class Option:
    """Something that can be chosen: `value`, what is `shown`, what is read out, and whether it is red.

    `name` is that of the box where each has its own.
    """

    value: str
    shown: str
    label: str
    red: bool = False
    name: str = ""
    chosen: bool = False


@dataclass(frozen=True)
class Question:
    """Something that belongs to the whole table: a choice, somebody, a tick, a number, cards.

    `kind`: `chips`, `seats`, `list`, `tick`, `number` (in `cell`), `deck` (a card of those in `suits`) or
    `cards` (any of them). `is_lit`: it was tapped to be changed.
    """

    name: str
    title: str
    kind: str
    value: Value
    options: tuple[Option, ...] = ()
    suits: tuple[tuple[Option, ...], ...] = ()
    cell: Cell | None = None
    is_lit: bool = False


@dataclass(frozen=True)
class AskGroup:
    """What is asked at once. `title` is "" where everything lies open; `says` what stands there, in words."""

    name: str
    title: str = ""
    says: str = ""
    seats: tuple[SeatRow, ...] = ()
    questions: tuple[Question, ...] = ()
    is_new: bool = False
    is_open: bool = True
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lines:
    """What is asked of row `number`, with the `values` that stand on the form and what `was` on the sheet.

    `counted` are the numbers that come to a sum, `could` the seats that may have taken more, or fewer. `wrong` is what
    is wrong with a seat's numbers. `short` are names that fit where room is scarce. `focus` is the name of the input
    that was tapped to be changed.
    """

    texts: EntryText
    number: int
    asks: Sequence[Ask]
    seats: Sequence[int]
    values: Values
    was: Values = dataclasses.field(default_factory=dict)
    counted: Collection[tuple[Address, str]] = ()
    could: Collection[int] = ()
    wrong: Mapping[int, Sequence[str]] = dataclasses.field(default_factory=dict)
    short: Mapping[int, str] = dataclasses.field(default_factory=dict)
    focus: str = ""

    @property
    def is_spoken(self) -> bool:
        """Whether people say their numbers in turn: then everything of somebody stands in one line."""
        return any(ask.seat is not None for ask in self.asks)

    def all_seats(self, asks: Sequence[Ask]) -> tuple[SeatRow, ...]:
        """A line for each seat that has a number at one of the asks, in the order in which people sit."""
        cells: dict[int, list[Cell]] = {}
        for ask, field in fields_of(asks):
            seat = seat_of(field)
            if isinstance(field, Count) and seat is not None:
                says = self.texts.done(own_name(ask.name), field.name)
                cells.setdefault(seat, []).append(self.cell(ask, field, says))
        names = self.texts.reading.names_at(self.number)
        order = [seat for seat in self.seats if seat in cells] + [seat for seat in cells if seat not in self.seats]
        return tuple(
            SeatRow(
                seat, names[seat], tuple(cells[seat]), seat in self.could, tuple(self.wrong.get(seat, ())),
                any(cell.is_focused for cell in cells[seat]),
            )
            for seat in order
        )  # fmt: skip

    def cell(self, ask: Ask, field: Count, says: str) -> Cell:
        """A number with − and +."""
        key, name = ((self.number, ask.name), field.name), input_name(ask, field)
        return Cell(
            name, says, self.values.get(key), self.was.get(key), field.low, field.high, field.optional,
            key in self.counted, name == self.focus,
        )  # fmt: skip

    def questions(self, asks: Sequence[Ask]) -> tuple[Question, ...]:
        """What belongs to the whole table, or is no number; what nobody asks for only where it was said."""
        questions: list[Question] = []
        for ask in asks:
            cards = [field for field in ask.fields if isinstance(field, Tick) and card_in(field)]
            for field in ask.fields:
                if isinstance(field, Count) and seat_of(field) is not None:
                    continue
                if cards and field == cards[0]:
                    questions.append(self.cards(ask, cards))
                elif field not in cards and (
                    self.is_ticked(ask, field) or not (isinstance(field, Tick) and ask.optional)
                ):
                    is_lit = input_name(ask, field) == self.focus
                    questions.append(replace(self.question(ask, field), is_lit=is_lit))
        return tuple(questions)

    def is_ticked(self, ask: Ask, field: Field) -> bool:
        """Whether a yes stands on the form or on the sheet."""
        key = ((self.number, ask.name), field.name)
        return bool(self.values.get(key) or self.was.get(key))

    def question(self, ask: Ask, field: Field) -> Question:
        """One field of the whole table, or a card somebody drew."""
        value = self.values.get(((self.number, ask.name), field.name))
        names, seat = self.texts.reading.names_at(self.number), field.seat
        own = own_name(ask.name)
        title = (
            capital(self.texts.called(own, field.name))
            if seat is None
            else f"{names.get(seat, '')} {self.texts.done(own, field.name)}"
        )
        name, words = input_name(ask, field), words_of(self.texts.reading.game, own)
        match field:
            case Tick():
                return Question(name, title, "tick", value)
            case Count() if field.high - field.low >= MOST_NUMBERS:
                return Question(name, title, "number", value, cell=self.cell(ask, field, title))
            case Count():
                numbers = range(field.low, field.high + 1)
                options = [Option(str(number), bare(number), str(number)) for number in numbers]
            case SeatChoice():
                called = {**names, **self.short}
                options = [Option(str(seat), called.get(seat, ""), names.get(seat, "")) for seat in field.seats]
            case Choice():
                # Cards that were drawn run from the ace down, on every page.
                values = reversed(field.values) if are_ranks(field) else field.values
                options = [choice_shown(field, each, words.values.get(each, "")) for each in values]
        nothing = nothing_of(ask, field, words)
        none = [Option("", "–" if self.short else nothing, nothing)] if field.optional else []
        shown = "" if value is None else str(value)
        if isinstance(field, SeatChoice):
            return Question(name, title, "seats", shown, (*none, *options))
        if isinstance(field, Choice) and set(field.values) <= set(DECK) and len(field.values) <= MOST_CARDS:
            return Question(name, title, "deck", shown, tuple(none), by_suit(options))
        is_short = len(options) + len(none) <= MOST_CHIPS or isinstance(field, Count) or are_ranks(field)
        return Question(name, title, "chips" if is_short else "list", shown, (*none, *options))

    def cards(self, ask: Ask, ticks: Sequence[Tick]) -> Question:
        """Cards of which any can be meant, a tick for each."""
        options = [
            Option(
                card_in(field), corner_of(card_in(field)), card_words(card_in(field)), card_in(field)[1] in "DH",
                input_name(ask, field), bool(self.values.get(((self.number, ask.name), field.name))),
            )
            for field in ticks
        ]  # fmt: skip
        title = capital(words_of(self.texts.reading.game, own_name(ask.name)).fields.get("card", "cards"))
        return Question(input_name(ask, ticks[0]), title, "cards", None, suits=by_suit(options))

    def groups(self, wrong: Mapping[str, Sequence[str]] | None = None, *, folded: bool) -> tuple[AskGroup, ...]:
        """Everything, ask by ask. `wrong` is what is wrong by ask; `folded`: only what is new or wrong lies open."""
        if self.is_spoken or len(self.asks) == 1:
            return (AskGroup("all", seats=self.all_seats(self.asks), questions=self.questions(self.asks)),)
        return tuple(self.group(ask, tuple((wrong or {}).get(ask.name, ())), folded=folded) for ask in self.asks)

    def group(self, ask: Ask, wrong: tuple[str, ...], *, folded: bool) -> AskGroup:
        """One ask."""
        address = (self.number, ask.name)
        steps = [
            {field.name: value for field in ask.fields if (value := values.get((address, field.name))) is not None}
            for values in (self.values, self.was)
        ]
        is_new = steps[0] != steps[1]
        is_lit = any(input_name(ask, field) == self.focus for field in ask.fields)
        says = self.texts.worth(address, steps[0]) if steps[0] or self.was else ""
        return AskGroup(
            ask.name,
            capital(as_text(self.texts.what(address))),
            says,
            self.all_seats([ask]),
            self.questions([ask]),
            is_new and folded,
            is_new or is_lit or bool(wrong) or not folded,
            wrong,
        )


def fields_of(asks: Sequence[Ask]) -> Iterator[tuple[Ask, Field]]:
    """Every field with the ask it belongs to."""
    yield from ((ask, field) for ask in asks for field in ask.fields)


def input_name(ask: Ask, field: Field) -> str:
    """The name of the input for a field."""
    return f"f:{ask.name}:{field.name}"


def is_posted(post: Mapping[str, str], ask: Ask, field: Field) -> bool:
    """Whether a form says something of the field."""
    name = input_name(ask, field)
    return name in post or f"has:{name}" in post


def posted_value(post: Mapping[str, str], ask: Ask, field: Field, was: Value) -> Value:
    """What a form says of a field. A box that is not ticked says no where an answer is needed, or a no stood there."""
    name = input_name(ask, field)
    if isinstance(field, Tick):
        return True if post.get(name) else False if not field.optional or was is False else None
    return parse_value(field, post[name])


def step_value(field: Count, value: Value, by: int) -> Value:
    """The number up or down as far as it can be; below the lowest there is none, where it may be left out."""
    if value is None:
        return max(field.low, 0) if by > 0 else None
    if not isinstance(value, int):
        return value
    if field.optional and value + by < field.low:
        return None
    return min(max(value + by, field.low), field.high)


def number_shown(value: Value) -> str:
    """What stands in the field of a number: with a real minus sign, and what was typed where it is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return bare(value)
    return "" if value is None else str(value)


def nothing_of(ask: Ask, field: Field, words: Written) -> str:
    """What is said of a field that is left out."""
    if field.name in words.unsaid:
        return words.unsaid[field.name]
    if isinstance(field, SeatChoice):
        return "nobody"
    if len(ask.fields) == 1 and words.empty != "nothing":
        return words.empty
    return "not noted" if ask.optional else "none"


def seat_of(field: Field) -> int | None:
    """Whose number it is: that of the field, or the one in its name (`total-3`)."""
    if field.seat is not None:
        return field.seat
    _, _, seat = field.name.rpartition("-")
    return int(seat) if seat.isdecimal() else None


def parse_value(field: Field, text: str) -> Value:
    """What was typed, as a step has it: nothing is None, and what is no number stays the text that it is."""
    text = text.strip()
    if not text:
        return None
    if isinstance(field, Count | SeatChoice):
        number = text.replace(MINUS, "-")
        return int(number) if WHOLE.fullmatch(number) else text[:40]
    return text[:200]


def card_in(field: Field) -> str:
    """The card a field is about, such as `card-9C`; "" where it is about none."""
    return field.name.rpartition("-")[2] if ends_with_card(field.name) else ""


def by_suit(options: Sequence[Option]) -> tuple[tuple[Option, ...], ...]:
    """Cards in lines, a suit in each, as the game names them."""
    suits = dict.fromkeys(option.value[1] for option in options)
    return tuple(tuple(option for option in options if option.value[1] == suit) for suit in suits)


def are_ranks(field: Field) -> bool:
    """Whether a card is chosen of which the suit does not matter."""
    return isinstance(field, Choice) and set(field.values) <= set(RANKS)


def choice_shown(field: Choice, value: str, words: str = "") -> Option:
    """A choice: its value, what is shown, what is read out, and whether it is red."""
    if set(field.values) <= set(TRUMPS):
        sign = SUITS.get(value, "Ace")
        return Option(value, sign, SUIT_NAMES.get(value, value).capitalize(), value in ("D", "H"))
    if are_ranks(field):
        return Option(value, rank_shown(value), RANK_NAMES.get(value, value))
    if value in DECK:
        spoken = card_words(value)
        if len(field.values) <= MOST_CARDS:
            return Option(value, corner_of(value), spoken, value[1] in "DH")
        return Option(value, f"{rank_shown(value[0])} {SUITS[value[1]]} ({spoken})", spoken)
    spoken = words or in_words(value)
    return Option(value, spoken, spoken)
