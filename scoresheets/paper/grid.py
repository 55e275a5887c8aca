"""The grid for typing in hands from paper: a row for each hand, a cell for each number of each player.

It is made from the asks of the game, so it fits every game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.http import QueryDict

from rules.core.cards import DECK
from rules.core.fields import Choice, Count, SeatChoice, Tick, Value
from rules.core.numbers import bare
from rules.core.problems import Problem
from rules.core.table import Hand, Row
from scoresheets.fields.columns import Column, Columns, FieldPlace, columns_of, is_late
from scoresheets.log.state import SheetReading
from scoresheets.paper.layout import hands_of
from scoresheets.paper.type_in import TypedHand, Walk
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.labels import corner_of
from scoresheets.wording.markup import capital

#: A page that sends more fields than this is refused by the site before it is read (DATA_UPLOAD_MAX_NUMBER_FIELDS).
MOST_INPUTS = 470
LONGEST_INPUT = 40
NAME = re.compile(r"(?P<hand>[1-9][0-9]{0,3})\.(?P<ask>[a-z][a-z0-9-]*)\.(?P<field>[A-Za-z][A-Za-z0-9_-]*)")
NUMBER = re.compile(r"\s*([-−]?)([0-9]{1,9})\s*")


@dataclass(frozen=True)
class Input:
    """A field in the grid: `kind` is `count`, `choice` or `tick`, `value` what was typed. `is_fixed`: on the sheet."""

    name: str
    kind: str
    label: str
    value: str
    high: int = 0
    low: int = 0
    options: tuple[tuple[str, str], ...] = ()
    seat: int | None = None
    column: int = 0
    is_fixed: bool = False
    wrong: bool = False

    @property
    def digits(self) -> int:
        """How many a number here can have."""
        return max(len(str(self.high)), len(str(self.low)))


@dataclass(frozen=True)
class GridPerson:
    """Somebody in a row: what is typed, and where the hand is complete the total after it."""

    seat: int
    inputs: tuple[Input, ...]
    total: int | None = None
    boxed: bool = False
    circled: bool = False


@dataclass(frozen=True)
class GridRow:
    """A hand to be typed in: what belongs to it alone `ahead` of the people, or behind them where it may be left out.

    `so` is the tick by which the table lets something stand, shown where it `asks_so`.
    """

    hand: Hand
    dealer: str
    ahead: tuple[Input, ...]
    people: tuple[GridPerson, ...]
    extras: tuple[Input, ...]
    so: Input | None
    asks_so: bool
    problems: tuple[str, ...]


@dataclass
class Grid:
    """The hands of a sheet from the open one on, with what was typed: texts by the name of their field."""

    reading: SheetReading
    texts: Mapping[str, str] = field(default_factory=dict)
    problems: Sequence[Problem] = ()

    @classmethod
    def posted(cls, reading: SheetReading, data: QueryDict) -> Grid:
        """What a form sent."""
        return cls(reading, {name: data.get(name, "")[:LONGEST_INPUT] for name in data if NAME.fullmatch(name)})

    @cached_property
    def hands(self) -> tuple[Hand, ...]:
        """The hands there is room for on one page; the others come when these are written."""
        sheet = self.reading.sheet
        coming = hands_of(self.reading.game, sheet.table) if sheet.open else ()
        if sheet.open and coming:
            coming = (sheet.open.hand, *coming[1:])
        room = MOST_INPUTS // max(len(self.of_a_hand), 1)
        # Who is noted to come or go is there, or is not, from the hand after this one on.
        return coming[: 1 if sheet.noted else max(room, 1)]

    @property
    def is_possible(self) -> bool:
        """Whether a hand of the game fits into a row."""
        return self.reading.sheet.open is None or self.columns_of(self.reading.sheet.open.hand).is_a_row

    @property
    def so_far(self) -> list[GridPerson]:
        """Everybody's total before these hands; nobody's before the first."""
        sheet = self.reading.sheet
        if not sheet.table.hands_done:
            return []
        return [
            GridPerson(seat, (), sheet.totals[seat], seat in sheet.boxed, seat in sheet.circled)
            for seat in sheet.table.seats
        ]

    @property
    def is_cut(self) -> bool:
        """Whether more hands are to come than there is room for."""
        planned = self.reading.game.planned_hands(self.reading.sheet.table)
        return bool(planned and self.hands and self.hands[-1].number < planned)

    @cached_property
    def of_a_hand(self) -> list[FieldPlace]:
        """All fields of a hand."""
        columns = self.columns_of(self.reading.sheet.open.hand) if self.reading.sheet.open else None
        if columns is None:
            return []
        return [*(p for column in columns.seats for p in column.places.values()), *(p for _, p in columns.hand)]

    def columns_of(self, hand: Hand) -> Columns:
        return columns_of(self.reading.game, self.reading.sheet.table, hand)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What everybody has in a hand."""
        opened = self.reading.sheet.open
        return self.columns_of(opened.hand).seats if opened else ()

    @cached_property
    def words_ahead(self) -> list[str]:
        """What belongs to a hand alone and has to be said."""
        return [word for word, place in self.of_the_hand if not place.ask.optional]

    @cached_property
    def extra_words(self) -> list[str]:
        """What belongs to a hand alone and need not be said, but for what is only asked where the rules were broken."""
        return [word for word, place in self.of_the_hand if place.ask.optional and not is_late(place)]

    @property
    def of_the_hand(self) -> Sequence[tuple[str, FieldPlace]]:
        """What belongs to a hand alone."""
        opened = self.reading.sheet.open
        return self.columns_of(opened.hand).hand if opened else ()

    @property
    def people(self) -> list[str]:
        """Everybody at the table, as they sit."""
        return [self.reading.names[seat] for seat in self.reading.sheet.table.seats]

    @property
    def span(self) -> int:
        """Columns of somebody, the total included."""
        return len(self.columns) + 1

    @property
    def width(self) -> int:
        """Columns of the whole grid."""
        return 1 + len(self.words_ahead) + len(self.people) * self.span + len(self.extra_words)

    # -- what was typed --------------------------------------------------------------------------------

    @cached_property
    def typed(self) -> dict[int, TypedHand]:
        """The steps that the texts come to. What is no number stays a text, which the rules refuse where it stands."""
        hands: dict[int, dict[str, dict[str, Value]]] = {}
        kinds = {(p.ask.name, p.field.name): p.field for hand in self.hands for p in self.places_of(hand)}
        for name, text in self.texts.items():
            match = NAME.fullmatch(name)
            value = cell_value(kinds.get((match["ask"], match["field"])), text) if match else None
            if match and value is not None:
                hands.setdefault(int(match["hand"]), {}).setdefault(match["ask"], {})[match["field"]] = value
        for hand in self.hands:
            if hand.number in hands:
                self.leave_unticked(hand, hands[hand.number])
        return dict(hands)

    def leave_unticked(self, hand: Hand, steps: dict[str, dict[str, Value]]) -> None:
        """In a hand of which something is typed, a box that must be ticked or not and is not says no."""
        for place in self.places_of(hand):
            if isinstance(place.field, Tick) and not (place.ask.optional or place.field.optional):
                others = [field.name for field in place.ask.fields if not isinstance(field, Tick)]
                if not others or place.ask.name in steps:
                    steps.setdefault(place.ask.name, {}).setdefault(place.field.name, False)

    def places_of(self, hand: Hand) -> list[FieldPlace]:
        columns = self.columns_of(hand)
        return [*(p for column in columns.seats for p in column.places.values()), *(p for _, p in columns.hand)]

    @cached_property
    def walk(self) -> Walk:
        """What the typed hands come to."""
        walk = Walk(self.reading, self.typed)
        walk.walk()
        return walk

    # -- what is shown ---------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> list[GridRow]:
        """The rows."""
        return [self.row(hand) for hand in self.hands]

    def row(self, hand: Hand) -> GridRow:
        """One hand."""
        columns, names = self.columns_of(hand), self.reading.names
        scored = self.walk.rows.get(hand.number)
        mine = [problem for problem in self.problems if problem.hand == hand.number]
        wrong = {problem.field for problem in mine}
        let_stand = [self.reading.game.as_played(problem) for problem in mine]
        ahead: list[Input] = []
        extras: list[Input] = []
        so, asks_so = None, False
        for word, place in columns.hand:
            late = is_late(place)
            shown = self.input(hand, place, word if late else f"{word}, hand {hand.number}", wrong)
            if late:
                so = shown
                asks_so = bool(shown.value) or any(way.ask == place.ask.name for way in let_stand if way)
            else:
                (extras if place.ask.optional else ahead).append(shown)
        people = tuple(self.person(hand, columns.seats, seat, scored, wrong) for seat in self.reading.sheet.table.seats)
        sentences = tuple(dict.fromkeys(self.sentence(problem) for problem in mine))
        return GridRow(hand, names[hand.dealer], tuple(ahead), people, tuple(extras), so, asks_so, sentences)

    def person(
        self, hand: Hand, columns: Sequence[Column], seat: int, scored: Row | None, wrong: set[str | None]
    ) -> GridPerson:
        """Everything of somebody in a hand."""
        name = self.reading.names[seat]
        inputs = tuple(
            self.input(hand, column.places[seat], f"{name} {column.word}, hand {hand.number}", wrong, seat, at)
            for at, column in enumerate(columns)
            if seat in column.places
        )
        if scored is None:
            return GridPerson(seat, inputs)
        return GridPerson(seat, inputs, scored.totals[seat], seat in scored.boxed, seat in scored.circled)

    def input(
        self,
        hand: Hand,
        place: FieldPlace,
        label: str,
        wrong: set[str | None],
        seat: int | None = None,
        column: int = 0,
    ) -> Input:
        """One field, with what stands on the sheet or what was typed."""
        ask, spot = place.ask.name, place.field
        name = f"{hand.number}.{ask}.{spot.name}"
        standing = hand.steps.get(ask)
        value = cell_text(standing.get(spot.name)) if standing is not None else self.texts.get(name, "")
        options: tuple[tuple[str, str], ...] = ()
        if isinstance(spot, Choice):
            options = tuple(
                (value, corner_of(value) if value in DECK else capital(self.entry_text.chosen(ask, value)))
                for value in spot.values
            )
        elif isinstance(spot, SeatChoice):
            options = tuple((str(seat), self.reading.names[seat]) for seat in spot.seats)
        kind = "count" if isinstance(spot, Count) else "tick" if isinstance(spot, Tick) else "choice"
        high, low = (spot.high, spot.low) if isinstance(spot, Count) else (0, 0)
        return Input(
            name, kind, label, value, high, low, options, seat, column,
            is_fixed=standing is not None, wrong=f"{ask}.{spot.name}" in wrong or ask in wrong,
        )  # fmt: skip

    @cached_property
    def entry_text(self) -> EntryText:
        """The words of the game."""
        return EntryText(self.reading)

    def sentence(self, problem: Problem) -> str:
        """A problem with the name it is about."""
        seat = problem.seat
        if seat is None and problem.field:
            match = re.search(r"-([0-9]+)$", problem.field)
            seat = int(match[1]) if match else None
        name = self.reading.names.get(seat, "") if seat is not None else ""
        return f"{name}: {problem.message}" if name else problem.message

    @property
    def elsewhere(self) -> list[str]:
        """Problems that belong to no row on the page."""
        shown = {hand.number for hand in self.hands}
        return [
            f"Hand {problem.hand}: {self.sentence(problem)}" if problem.hand else self.sentence(problem)
            for problem in self.problems
            if problem.hand not in shown
        ]

    @property
    def data(self) -> dict[str, Any]:
        """What the script looks up to show totals while they are typed: sums, the worth of every two numbers."""
        game, table = self.reading.game, self.reading.sheet.table
        return {
            "code": self.reading.record.code,
            "totals": dict(self.reading.sheet.totals),
            "worth": game.look_up(table).get("worth"),
            "spoken": [column.is_spoken for column in self.columns],
            "counted": [column.is_counted for column in self.columns],
            "hands": {
                hand.number: {"avoid": game.avoided_sum(table, hand), "due": game.due_sum(table, hand)}
                for hand in self.hands
            },
        }


def cell_value(spot: object, text: str) -> Value:
    """What a typed text is in a field: None where nothing was typed."""
    text = text.strip()
    if not text:
        return None
    match = NUMBER.fullmatch(text)
    if isinstance(spot, Count | SeatChoice) and match:
        return -int(match[2]) if match[1] else int(match[2])
    if isinstance(spot, Tick):
        return text == "true" or None
    return text


def cell_text(value: Value) -> str:
    """A value as the form has it."""
    if isinstance(value, bool):
        return "true" if value else ""
    if isinstance(value, int):
        return bare(value)
    return "" if value is None else str(value)
