"""A sheet as a table for a spreadsheet: one row for each hand."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from django.utils.text import Truncator

from rules.core.steps import SeatChoice
from scoresheets.columns import Columns, Place, columns_of
from scoresheets.happened import sentences_of
from scoresheets.notes import said_of_hands
from scoresheets.speech import as_text, rank_shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rules.core.hands import Hand, Row
    from rules.core.steps import Value
    from scoresheets.reading import SheetReading

#: What a spreadsheet would take for the beginning of a formula, the wide letters of East Asia included.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
#: More than this, and some of them refuse the cell.
LONGEST_CELL = 30_000

Cell = int | str


def spreadsheet_of(reading: SheetReading) -> bytes:
    """The sheet as CSV: UTF-8 with the mark that tells Excel so, a comma between cells, one row a hand.

    Numbers stay numbers, also those below zero. Text that a spreadsheet would read as a formula gets an apostrophe in
    front, which spreadsheets show as nothing: names can be anything.
    """
    out = io.StringIO()
    csv.writer(out).writerows([safe(cell) for cell in row] for row in rows_of(reading))
    return out.getvalue().encode("utf-8-sig")


def safe(cell: Cell) -> Cell:
    """The cell as no formula.

    >>> safe(-3), safe("=1+1"), safe("-3"), safe("Ann")
    (-3, "'=1+1", "'-3", 'Ann')
    """
    if isinstance(cell, int):
        return cell
    text = Truncator(cell).chars(LONGEST_CELL)
    return f"'{text}" if text.lstrip(" \N{NO-BREAK SPACE}").startswith(FORMULA) else text


def rows_of(reading: SheetReading) -> Iterator[list[Cell]]:
    """The head, then the sheet from its first hand to its last draw."""
    ledger = Ledger(reading)
    yield ledger.head
    yield from ledger.carried()
    yield from ledger.hands()
    yield from ledger.the_end()


class Ledger:
    """A sheet row by row, all of the same length: the hand, what belongs to it, everybody, and what is to be said."""

    def __init__(self, reading: SheetReading) -> None:
        self.reading = reading
        rows = reading.sheet.rows
        table, hand = (rows[0].table, rows[0].hand) if rows else (reading.table, reading.game.deal(reading.table))
        self.columns = columns_of(reading.game, table, hand)
        self.seats = self.everybody()
        self.notes = said_of_hands(reading)

    def everybody(self) -> list[int]:
        """Everybody who was ever at the table, as they sit, those who have gone home last."""
        seats = list(self.reading.sheet.table.seats)
        seats += [seat for seat in self.reading.table.seats if seat not in seats]
        return seats + [seat for row in self.reading.sheet.rows for seat in row.table.seats if seat not in seats]

    @property
    def of_hand(self) -> list[tuple[str, Place]]:
        """What belongs to a hand alone; trump has a column of its own."""
        return [(word, place) for word, place in self.columns.hand if place.ask.name != "trump"]

    @property
    def head(self) -> list[Cell]:
        """What stands in the columns."""
        own = [word for word, _ in self.of_hand]
        words = [*(column.word for column in self.columns.seats), "points", "total", "mark"]
        people = [f"{self.reading.names[seat]} {word}" for seat in self.seats for word in words]
        return ["hand", "cards", "dealer", "trump", *own, *people, "remarks"]

    def row(
        self, hand: Cell, cards: Cell, dealer: str, trump: str, own: list[Cell], people: Mapping[int, list[Cell]],
        remarks: str = "",
    ) -> list[Cell]:  # fmt: skip
        """One row; whoever is not in `people` has empty cells."""
        nothing: list[Cell] = [""] * (len(self.columns.seats) + 3)
        cells = [cell for seat in self.seats for cell in people.get(seat, nothing)]
        return [hand, cards, dealer, trump, *(own or [""] * len(self.of_hand)), *cells, remarks]

    def carried(self) -> Iterator[list[Cell]]:
        """The totals of hands that were kept elsewhere."""
        ask = self.reading.game.carried_ask(self.reading.table)
        step = self.reading.entries.get((0, ask.name)) if ask else None
        if ask and step is not None and not list(ask.problems(step)):
            totals = {seat: step.get(f"total-{seat}") for seat in self.seats}
            people = {seat: self.person(total, "") for seat, total in totals.items() if isinstance(total, int)}
            yield self.row(f"to {step['hands']}", "", "", "", [], people, "kept elsewhere")

    def hands(self) -> Iterator[list[Cell]]:
        """Every scored hand, and the one that is being played if anything stands in it."""
        for row in self.reading.sheet.rows:
            yield self.scored(row.hand.number, row)
        opened = self.reading.sheet.open
        if opened and opened.hand.steps:
            columns = columns_of(self.reading.game, self.reading.sheet.table, opened.hand)
            people = {seat: [*self.written(columns, opened.hand, seat), "", "", ""] for seat in opened.hand.order}
            remarks = self.remarks(opened.hand.number, None)
            yield self.hand_row(opened.hand.number, opened.hand, columns, people, remarks)

    def scored(self, number: Cell, row: Row, counting: tuple[int, ...] | None = None) -> list[Cell]:
        """A scored hand; in a blind one points are of those `counting` alone."""
        columns = columns_of(self.reading.game, row.table, row.hand)
        people = {}
        for seat in row.hand.order:
            counts = counting is None or seat in counting
            marks = [mark for mark, seats in (("box", row.boxed), ("circle", row.circled)) if seat in seats and counts]
            worth: list[Cell] = [row.points[seat], row.totals[seat], " and ".join(marks)] if counts else ["", "", ""]
            people[seat] = [*self.written(columns, row.hand, seat), *worth]
        return self.hand_row(number, row.hand, columns, people, self.remarks(row.hand.number, row))

    def hand_row(
        self, number: Cell, hand: Hand, columns: Columns, people: Mapping[int, list[Cell]], remarks: str
    ) -> list[Cell]:
        own = {word: self.said(hand, place) for word, place in columns.hand}
        dealer, trump = self.reading.names_at(hand.number)[hand.dealer], self.reading.game.trump(hand) or ""
        return self.row(
            number, hand.cards or "", dealer, trump, [own.get(w, "") for w, _ in self.of_hand], people, remarks
        )

    def the_end(self) -> Iterator[list[Cell]]:
        """Blind hands and draws. What a blind hand brings changes no total."""
        settlement = self.reading.sheet.settlement
        if settlement is None:
            return
        for k, (row, tied) in enumerate(zip(settlement.ties, settlement.tied, strict=True), 1):
            yield self.scored(f"blind hand {k}", row, tied)
        for k, drawn in enumerate(settlement.draws, 1):
            cards = ", ".join(f"{self.reading.names[seat]} drew {rank_shown(rank)}" for seat, rank in drawn.items())
            yield self.row(f"draw {k}", "", "", "", [], {}, cards)

    def person(self, total: int, mark: str) -> list[Cell]:
        """Somebody of whom only the total is known."""
        return [*([""] * (len(self.columns.seats) + 1)), total, mark]

    def written(self, columns: Columns, hand: Hand, seat: int) -> list[Cell]:
        """What stands in the columns of somebody."""
        found = {column.word: column.places.get(seat) for column in columns.seats}
        return [self.said(hand, place) if (place := found.get(column.word)) else "" for column in self.columns.seats]

    def said(self, hand: Hand, place: Place) -> Cell:
        """What stands in a field, for people."""
        value: Value = hand.steps.get(place.ask.name, {}).get(place.field.name)
        if isinstance(value, bool):
            return "yes" if value else ""
        if isinstance(place.field, SeatChoice) and isinstance(value, int):
            return self.reading.names_at(hand.number)[value]
        return "" if value is None else value

    def remarks(self, number: int, row: Row | None) -> str:
        """What happened before the hand, and what was said about it."""
        events = row.events if row else self.reading.sheet.events
        happened = [as_text(said) for said in sentences_of(self.reading, events, row)]
        notes = [": ".join(filter(None, (said.tag, said.who, said.text))) for said in self.notes.get(number, ())]
        return " ".join([*happened, *notes])
