"""The score curve: everybody's total after each hand, as points. `curve_drawing` lays them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from rules.core.numbers import bare
from scoresheets.log.state import SheetReading
from scoresheets.sheet.table import RunningSheet
from scoresheets.wording.badges import Badge


@dataclass(frozen=True)
class Stop:
    """A moment at which totals stand: before the first hand, after a hand, or after blind hands that count.

    `hand` is how many hands had been scored by then. `totals` are those of who sat at the table, by seat; at the end
    of a rubber or game it is what that ended with. `head` stands in the table: "7".
    """

    hand: int
    head: str
    totals: Mapping[int, int]

    @property
    def moment(self) -> str:
        """When it is, in words."""
        if self.head.isdecimal():
            return f"After hand {self.head}"
        return "At the start" if self.head == "Start" else "After the blind hand"


@dataclass(frozen=True)
class Line:
    """The line of one seat, in the colour and the dash of who sits there.

    `parts` are its strokes, each a list of (stop, total), stops counted from 0: a new stroke begins with each rubber
    or game, and where somebody sits down again. `total` is what stands there now; `gone`: who sat there went home.
    """

    seat: int
    name: str
    badge: Badge
    parts: tuple[tuple[tuple[int, int], ...], ...]
    total: int
    gone: bool = False

    @property
    def total_shown(self) -> str:
        return bare(self.total)


@dataclass(frozen=True)
class CurvePoints:
    """All that is drawn of a curve, without the sheet it is of: to be kept."""

    stops: tuple[Stop, ...]
    lines: tuple[Line, ...]
    boxed: tuple[int, ...]
    circled: tuple[int, ...]
    breaks: tuple[int, ...]

    @property
    def last(self) -> Stop:
        return self.stops[-1]

    @property
    def has_hands(self) -> bool:
        return len(self.stops) > 1


@dataclass(frozen=True)
class ScoreCurve:
    """The points of a sheet: `reading` as it is now."""

    reading: SheetReading

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """The moments from left to right. Only the first, if no hand has been scored here."""
        return tuple(self.moments())

    def moments(self) -> Iterator[Stop]:
        sheet = self.reading.sheet
        first = sheet.rows[0].table if sheet.rows else sheet.table
        yield Stop(first.hands_done, f"{first.hands_done}" if first.hands_done else "Start", first.totals)
        for row in sheet.rows:
            yield Stop(row.hand.number, f"{row.hand.number}", row.totals)
        if sheet.settlement and sheet.settlement.added:
            yield Stop(sheet.table.hands_done, "Blind hand", sheet.totals)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Everybody's line in the order of the running sheet."""
        columns = RunningSheet(self.reading, "").columns
        sheet = self.reading.sheet
        # Between two rubbers or games it ends as the last one did.
        now = {**sheet.table.gone, **sheet.totals, **self.last.totals}
        return tuple(
            Line(
                column.seat, column.name, column.badge, strokes_of(self.reading, column.seat), now[column.seat],
                column.gone,
            )
            for column in columns
            if column.seat in now
        )  # fmt: skip

    @cached_property
    def breaks(self) -> tuple[int, ...]:
        """The stops at which a rubber or game ended and another began."""
        rows = self.reading.sheet.rows
        ends = {leg.hand for leg in self.reading.sheet.table.legs}
        return tuple(at for at, row in enumerate(rows[:-1], 1) if row.hand.number in ends)

    @cached_property
    def boxed(self) -> tuple[int, ...]:
        """The seats in the box. Blind hands and cards part the tied. Nobody before the first hand."""
        sheet = self.reading.sheet
        left = sheet.settlement.boxed if sheet.settlement else ()
        return left or (sheet.rows[-1].boxed if sheet.table.is_between_legs else sheet.boxed)

    @cached_property
    def circled(self) -> tuple[int, ...]:
        """The seats in the circle, as `boxed`."""
        sheet = self.reading.sheet
        left = sheet.settlement.circled if sheet.settlement else ()
        return left or (sheet.rows[-1].circled if sheet.table.is_between_legs else sheet.circled)

    @property
    def points(self) -> CurvePoints:
        return CurvePoints(self.stops, self.lines, tuple(self.boxed), tuple(self.circled), self.breaks)

    @property
    def last(self) -> Stop:
        """The moment of now."""
        return self.stops[-1]

    @property
    def has_hands(self) -> bool:
        """Whether there is anything to draw a line of."""
        return len(self.stops) > 1

    @property
    def rows(self) -> Iterator[tuple[Stop, list[str]]]:
        """The table: each stop with the total of every line, "" for who did not sit there."""
        for stop in self.stops:
            yield stop, [bare(stop.totals[line.seat]) if line.seat in stop.totals else "" for line in self.lines]


def strokes_of(reading: SheetReading, seat: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The strokes of a seat: a hand goes on where the one before has ended, if it found that total."""
    sheet, added = reading.sheet, reading.sheet.settlement and reading.sheet.settlement.added
    strokes: list[list[tuple[int, int]]] = []
    for at, row in enumerate(sheet.rows):
        if seat not in row.totals:
            continue
        before = (at, row.table.totals.get(seat, 0))
        if not strokes or strokes[-1][-1] != before:
            strokes.append([before])
        strokes[-1].append((at + 1, row.totals[seat]))
    if added and strokes and seat in sheet.totals:
        strokes[-1].append((len(sheet.rows) + 1, sheet.totals[seat]))
    return tuple(tuple(stroke) for stroke in strokes)
