"""A sheet as CSV, one row for each hand, and cells that no spreadsheet runs as a formula.

A spreadsheet runs a cell that begins with = + - @, even after blanks, and anybody can type a name. Such a text gets an
apostrophe in front, which spreadsheets read as "this is text". An import removes it (`unescape_formula`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from rules.core.cards import TRUMPS, rank_shown
from rules.core.fields import Ask, Choice, SeatChoice, Value
from rules.core.game import Game
from rules.core.table import Hand, Row, Table
from scoresheets.fields.columns import Columns, FieldPlace, columns_of
from scoresheets.log.state import SheetReading
from scoresheets.log.text import shortened
from scoresheets.results.qualification import ruled_said
from scoresheets.sheet.notes import said_of_hands
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.events import sentences_of
from scoresheets.wording.labels import ends_with_card, words_of
from scoresheets.wording.markup import as_text

#: How a formula begins, the wide letters of East Asia included; and blanks that let one begin.
SIGNS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
BLANKS = ("\t", "\r", "\n")
#: More than this, and some of them refuse the cell.
LONGEST_CELL = 30_000
#: The word over what a hand brought somebody.
POINTS = "points"

Cell = int | str
AnyCell = TypeVar("AnyCell")


def csv_of(reading: SheetReading) -> bytes:
    """The sheet as CSV: UTF-8 with the mark that tells Excel so, a comma between cells, one row a hand.

    Numbers stay numbers, also those below zero.
    """
    out = io.StringIO()
    csv.writer(out).writerows([escape_formula(fitting(cell)) for cell in row] for row in rows_of(reading))
    return out.getvalue().encode("utf-8-sig")


def fitting(cell: Cell) -> Cell:
    return cell if isinstance(cell, int) else shortened(cell, LONGEST_CELL)


def escape_formula(cell: AnyCell) -> AnyCell | str:
    """The cell so that no spreadsheet runs it. Numbers, dates and None stay as they are.

    >>> escape_formula("=1+1"), escape_formula("-3"), escape_formula(-3), escape_formula("Ann")
    ("'=1+1", "'-3", -3, 'Ann')
    """
    return f"'{cell}" if isinstance(cell, str) and is_formula(cell.lstrip("'")) else cell


def unescape_formula(cell: AnyCell) -> AnyCell | str:
    """The cell before `escape_formula`.

    >>> unescape_formula("'=1+1"), unescape_formula("'t Hooft"), unescape_formula(escape_formula("'-x"))
    ('=1+1', "'t Hooft", "'-x")
    """
    if isinstance(cell, str) and cell.startswith("'") and is_formula(cell.lstrip("'")):
        return cell.removeprefix("'")
    return cell


def is_formula(text: str) -> bool:
    """Whether a spreadsheet might run the text."""
    rest = text.lstrip()
    before = text.removesuffix(rest)
    return rest.startswith(SIGNS) or any(blank in before for blank in BLANKS)


def is_suit(place: FieldPlace) -> bool:
    """Whether a suit stands there."""
    return isinstance(place.field, Choice) and set(place.field.values) <= set(TRUMPS)


def rows_of(reading: SheetReading) -> Iterator[list[Cell]]:
    """The head, then the sheet from its first hand to its last draw."""
    ledger = Ledger(reading)
    yield ledger.head
    yield from ledger.carried_over()
    yield from ledger.carried()
    yield from ledger.hands()
    yield from ledger.the_end()


def columns_beside(game: Game, table: Table, hand: Hand) -> Columns:
    """What is written down in a hand, without what is its points already: those have a column of their own."""
    columns = columns_of(game, table, hand)
    return replace(columns, seats=tuple(column for column in columns.seats if column.word != POINTS))


class Ledger:
    """A sheet row by row, all of the same length: the hand, what belongs to it, everybody, and what is to be said."""

    def __init__(self, reading: SheetReading) -> None:
        self.reading = reading
        rows = reading.sheet.rows
        table, hand = (rows[0].table, rows[0].hand) if rows else (reading.table, reading.game.deal(reading.table))
        self.columns = columns_beside(reading.game, table, hand)
        self.texts = EntryText(reading)
        self.own = list(self.own_of(self.columns))
        self.legs = {leg.hand: leg.winner for leg in reading.sheet.table.legs}
        #: What stands in the first columns: a game that deals all the cards, or knows no trump, has none of those.
        self.first = [
            "hand",
            *(["cards"] if hand.cards else []),
            "dealer",
            *(["trump"] if reading.game.has_trump else []),
            *([reading.game.leg_name] if reading.game.has_legs(table) else []),
        ]
        self.seats = self.everybody()
        self.notes = said_of_hands(reading)

    def everybody(self) -> list[int]:
        """Everybody who was ever at the table, as they sit, those who have gone home last."""
        seats = list(self.reading.sheet.table.seats)
        seats += [seat for seat in self.reading.table.seats if seat not in seats]
        return seats + [seat for row in self.reading.sheet.rows for seat in row.table.seats if seat not in seats]

    def own_of(self, columns: Columns) -> dict[str, Ask | FieldPlace]:
        """What belongs to a hand alone, by its word: an answer for each ask where there is much, else a field.

        Trump has a column of its own.
        """
        if not columns.is_a_row:
            asks = dict.fromkeys(place.ask for _, place in columns.hand)
            return {words_of(self.reading.game, ask.name).what: ask for ask in asks}
        is_trump = self.reading.game.has_trump
        return {word: place for word, place in columns.hand if not (is_trump and is_suit(place))} | {
            words_of(self.reading.game, ask.name).fields.get("card", "cards"): ask for ask in columns.of_cards
        }

    @property
    def head(self) -> list[Cell]:
        """What stands in the columns."""
        words = [*(column.word for column in self.columns.seats), POINTS, "total", "mark"]
        people = [f"{self.reading.names[seat]} {word}" for seat in self.seats for word in words]
        return [*self.first, *self.own, *people, "remarks"]

    def row(self, first: Mapping[str, Cell], people: Mapping[int, list[Cell]], remarks: str = "") -> list[Cell]:
        """One row: `first` by the words of their columns. Whoever is not in `people` has empty cells."""
        nothing: list[Cell] = [""] * (len(self.columns.seats) + 3)
        cells = [cell for seat in self.seats for cell in people.get(seat, nothing)]
        return [*(first.get(word, "") for word in (*self.first, *self.own)), *cells, remarks]

    def carried(self) -> Iterator[list[Cell]]:
        """The totals of hands that were kept elsewhere."""
        ask = self.reading.game.carried_ask(self.reading.table)
        step = self.reading.entries.get((0, ask.name)) if ask else None
        if ask and step is not None and not list(ask.problems(step)):
            totals = {seat: step.get(f"total-{seat}") for seat in self.seats}
            people = {seat: self.person(total, "") for seat, total in totals.items() if isinstance(total, int)}
            yield self.row({"hand": f"to {step['hands']}"}, people, "scored elsewhere")

    def carried_over(self) -> Iterator[list[Cell]]:
        """The totals with which everybody began, where they are carried over from the groups."""
        table = self.reading.table
        if table.decides.start:
            people = {seat: self.person(total, "") for seat, total in table.totals.items()}
            yield self.row({"hand": "start"}, people, "carried over")

    def hands(self) -> Iterator[list[Cell]]:
        """Every scored hand, and the one that is being played if anything stands in it."""
        for row in self.reading.sheet.rows:
            yield self.scored(row.hand.number, row)
        opened = self.reading.sheet.open
        if opened and opened.hand.steps:
            columns = columns_beside(self.reading.game, self.reading.sheet.table, opened.hand)
            people = {seat: [*self.written(columns, opened.hand, seat), "", "", ""] for seat in opened.hand.order}
            remarks = self.remarks(opened.hand.number, None)
            yield self.hand_row(opened.hand.number, opened.hand, self.reading.sheet.table, people, remarks)

    def scored(self, number: Cell, row: Row, counting: tuple[int, ...] | None = None) -> list[Cell]:
        """A scored hand; in a blind one points are of those `counting` alone."""
        columns = columns_beside(self.reading.game, row.table, row.hand)
        people = {}
        for seat in row.hand.order:
            counts = counting is None or seat in counting
            marks = [mark for mark, seats in (("box", row.boxed), ("circle", row.circled)) if seat in seats and counts]
            worth: list[Cell] = [row.points[seat], row.totals[seat], " and ".join(marks)] if counts else ["", "", ""]
            people[seat] = [*self.written(columns, row.hand, seat), *worth]
        return self.hand_row(number, row.hand, row.table, people, self.remarks(row.hand.number, row))

    def hand_row(
        self, number: Cell, hand: Hand, table: Table, people: Mapping[int, list[Cell]], remarks: str
    ) -> list[Cell]:
        """A hand as the table found it."""
        game = self.reading.game
        places = self.own_of(columns_beside(game, table, hand))
        first: dict[str, Cell] = {
            "hand": number,
            "cards": hand.cards,
            "dealer": self.reading.names_at(hand.number)[hand.dealer],
            "trump": game.trump(hand) or "",
            game.leg_name: len(table.legs) + 1,
        }
        return self.row(first | {word: self.of_hand(hand, place) for word, place in places.items()}, people, remarks)

    def of_hand(self, hand: Hand, place: Ask | FieldPlace) -> Cell:
        """What stands in the hand, at an ask or in a field of it."""
        if isinstance(place, FieldPlace):
            return self.value(hand, place)
        step = hand.steps.get(place.name)
        if step is None:
            return ""
        names = [field.name for field in place.fields if ends_with_card(field.name)]
        if not names:
            return as_text(self.texts.worth(hand.address(place.name), step))
        return " ".join(name.rpartition("-")[2] for name in names if step.get(name))

    def the_end(self) -> Iterator[list[Cell]]:
        """Blind hands and draws, with the totals as they leave them."""
        settlement = self.reading.sheet.settlement
        if settlement is None:
            return
        for k, (row, tied) in enumerate(zip(settlement.ties, settlement.tied, strict=True), 1):
            yield self.scored(f"blind hand {k}", row, tied)
        for k, drawn in enumerate(settlement.draws, 1):
            cards = ", ".join(f"{self.reading.names[seat]} drew {rank_shown(rank)}" for seat, rank in drawn.items())
            yield self.row({"hand": f"draw {k}"}, {}, cards)
        for ruled in settlement.rulings:
            yield self.row({"hand": "ruling"}, {}, as_text(ruled_said(self.reading, ruled)))

    def person(self, total: int, mark: str) -> list[Cell]:
        """Somebody of whom only the total is known."""
        return [*([""] * (len(self.columns.seats) + 1)), total, mark]

    def written(self, columns: Columns, hand: Hand, seat: int) -> list[Cell]:
        """What stands in the columns of somebody."""
        places = {column.word: column.places.get(seat) for column in columns.seats}
        return [self.value(hand, place) if (place := places.get(column.word)) else "" for column in self.columns.seats]

    def value(self, hand: Hand, place: FieldPlace) -> Cell:
        """What stands in a field, for people."""
        value: Value = hand.steps.get(place.ask.name, {}).get(place.field.name)
        if isinstance(value, bool):
            return "yes" if value else ""
        if isinstance(place.field, SeatChoice) and isinstance(value, int):
            return self.reading.names_at(hand.number)[value]
        if isinstance(value, str):
            return words_of(self.reading.game, place.ask.name).values.get(value, value)
        return "" if value is None else value

    def remarks(self, number: int, row: Row | None) -> str:
        """What happened before the hand, and what was said about it."""
        events = row.events if row else self.reading.sheet.events
        happened = [as_text(sentence) for sentence in sentences_of(self.reading, events, row)]
        if row and (won := self.legs.get(number)):
            happened.append(f"{self.reading.names_at(number)[won]} wins the {self.reading.game.leg_name}.")
        notes = [": ".join(filter(None, (note.tag, note.about, note.text))) for note in self.notes.get(number, ())]
        return " ".join([*happened, *notes])
