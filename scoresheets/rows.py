"""The running sheet as it is laid out: players across, hands down.

Columns are seats. Each hand is one part of the table: what happened before it, its row, and what a tap on
the row opens. Blind hands and draws are parts of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoresheets.callouts import Line as CallOutLine
from scoresheets.callouts import Sign, line_of, signs_of
from scoresheets.happened import sentences_of
from scoresheets.notes import said_of_hands
from scoresheets.rendered import rendered_row
from scoresheets.speech import SUITS, names_shown, rank_shown, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.core.hands import Event, Hand, Row
    from scoresheets.notes import Said
    from scoresheets.reading import SheetReading

#: From so many columns on, the numbers come closer.
MANY = 9
#: So many still fit side by side on a phone.
CROWD = 10


@dataclass(frozen=True)
class Column:
    """A seat that was ever at the table. `gone`: who sat there has gone home.

    `took_over`: from whom, and from which hand on, where the seat has changed hands.
    """

    seat: int
    name: str
    gone: bool
    took_over: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Cell:
    """One seat in one row.

    `kind`: `total`, or of the hand being bid `bid`, `next` (whose turn it is) and `waiting`, or of a
    row that does not count for this seat `blank`, or `absent` (not at the table yet), or `left` (gone home). `plus` is
    what a blind hand brought and `card` the rank that was drawn: both stand beside the total, which stays. `why` is the
    address of the reason.
    """

    seat: int
    kind: str
    total: int | None = None
    boxed: bool = False
    circled: bool = False
    bid: int | None = None
    took: int | None = None
    plus: str = ""
    card: str = ""
    signs: tuple[Sign, ...] = ()
    why: str = ""

    @property
    def is_long(self) -> bool:
        """Whether the total has four signs or more."""
        return self.total is not None and not -100 < self.total < 1000

    @property
    def is_set(self) -> bool:
        """Whether a bid was not made."""
        return self.took is not None and self.bid is not None and self.bid != self.took


@dataclass(frozen=True)
class Line:
    """A row of the table with a cell for every column.

    `kind`: `hand`, `now` (being bid or played), `tie`, `draw` or `carried`. `head` is said instead of a number.
    """

    kind: str
    cells: tuple[Cell, ...]
    number: int = 0
    head: str = ""
    cards: int = 0
    trump: str = ""
    dealer: str = ""

    @property
    def suit(self) -> str:
        """The sign of the trump suit; "" for no trump, and where none was noted."""
        return SUITS.get(self.trump, "")

    @property
    def suit_is_red(self) -> bool:
        return self.trump in ("D", "H")

    @property
    def is_no_trump(self) -> bool:
        return self.trump == "NT"


@dataclass(frozen=True)
class Part:
    """One hand on the sheet, as a `<tbody>`.

    `key` is its anchor (`hand-7`, `tie-1`, `draw-1`, `end`); `happened` are sentences about what came before it.
    `line` is None where only something happened. `called` and `notes` are opened by a tap, as are bids and tricks on
    a narrow page; `words` is the address of the page that explains them. `opens` is the address that opens the row
    where there is no script. `remark` is what the game must say about the hand.
    """

    key: str
    line: Line | None
    happened: tuple[SafeString, ...] = ()
    called: CallOutLine | None = None
    words: str = ""
    notes: tuple[Said, ...] = ()
    is_open: bool = False
    opens: str = ""
    remark: str = ""


@dataclass
class RunningSheet:
    """A sheet for a page at the address `here`, from which the reasons hang (`why/<key>/<seat>/`).

    `opened` is the hand whose row is open, 0 for none.
    """

    reading: SheetReading
    here: str
    opened: int = 0

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Everybody in seat order, who has gone home still at his place."""
        sheet = self.reading.sheet
        order = list(sheet.table.seats)
        for seats in [*(row.table.seats for row in reversed(sheet.rows)), self.reading.table.seats, sheet.table.gone]:
            for place, seat in enumerate(seats):
                if seat not in order:
                    before = [other for other in tuple(seats)[:place] if other in order]
                    order.insert(order.index(before[-1]) + 1 if before else 0, seat)
        names, gone = self.reading.names, sheet.table.gone
        return tuple(Column(seat, names[seat], seat in gone, self.taken_over(seat)) for seat in order)

    def taken_over(self, seat: int) -> tuple[tuple[str, int], ...]:
        """Who gave the seat up, and at which hand."""
        sitting = self.reading.sitting
        return tuple(
            (sitting.before(change.hand, change.k)[seat].name, change.hand)
            for change in sitting.changes
            if change.seat == seat and change.hand <= self.reading.next_hand
        )

    @property
    def is_many(self) -> bool:
        return len(self.columns) >= MANY

    @property
    def is_crowd(self) -> bool:
        """Whether a phone has to push the sheet sideways: more than ten, or nine with totals such as −104."""
        if len(self.columns) > CROWD:
            return True
        cells = (cell for part in self.parts if part.line for cell in part.line.cells)
        return self.is_many and any(cell.is_long for cell in cells)

    @property
    def span(self) -> int:
        """Columns of the table, that of the hands included."""
        return len(self.columns) + 1

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The whole table from the first hand down."""
        return tuple(self.laid_out())

    def part(self, number: int) -> Part | None:
        """The part of one hand: scored, or open."""
        sheet = self.reading.sheet
        if row := sheet.row(number):
            return self.scored(row)
        if sheet.open and sheet.open.hand.number == number:
            return self.being_played(sheet.open.hand, f"hand-{number}", sheet.events)
        return None

    @property
    def rendered(self) -> Iterator[SafeString]:
        """The parts as a page has them."""
        return (rendered_row(part, self.span) for part in self.parts)

    # -- its parts -------------------------------------------------------------------------------------

    def laid_out(self) -> Iterator[Part]:
        """The parts in order."""
        sheet, settlement = self.reading.sheet, self.reading.sheet.settlement
        yield from self.kept_elsewhere()
        for row in sheet.rows:
            yield self.scored(row)
        if sheet.open:
            yield self.being_played(sheet.open.hand, f"hand-{sheet.open.hand.number}", sheet.events)
        elif happened := self.said(sheet.events):
            yield Part("end", None, happened)
        if settlement is None:
            return
        for k, (row, tied) in enumerate(zip(settlement.ties, settlement.tied, strict=True), 1):
            yield self.blind_hand(k, row, tied)
        if settlement.hand:
            yield self.being_played(settlement.hand, settlement.hand.prefix.removesuffix("-"), ())
        for k, drawn in enumerate(settlement.draws, 1):
            cells = tuple(self.drawn(column.seat, drawn.get(column.seat), f"draw-{k}") for column in self.columns)
            yield Part(f"draw-{k}", Line("draw", cells, head="Draw" if k == 1 else f"Draw {k}"))

    def kept_elsewhere(self) -> Iterator[Part]:
        """The totals of hands that were kept elsewhere."""
        carried = self.reading.game.carried_ask(self.reading.table)
        step = self.reading.entries.get((0, carried.name)) if carried else None
        if carried is None or step is None or list(carried.problems(step)):
            return
        hands = step["hands"]
        totals = {column.seat: step.get(f"total-{column.seat}") for column in self.columns}
        cells = tuple(
            Cell(seat, "total", total=total, why=self.why("carried", seat))
            if isinstance(total, int)
            else Cell(seat, "absent")
            for seat, total in totals.items()
        )
        yield Part("carried", Line("carried", cells, head=f"1 to {hands}" if hands != 1 else "1"))

    def scored(self, row: Row) -> Part:
        """A scored hand."""
        number, called = row.hand.number, line_of(self.reading, row)
        signs = signs_of(self.reading, row) if row is self.reading.sheet.rows[-1] else {}
        cells = tuple(self.total(column.seat, row, signs.get(column.seat, ())) for column in self.columns)
        return Part(
            f"hand-{number}",
            self.line("hand", row.hand, cells),
            self.said(row.events, row),
            called,
            f"{self.here}words/",
            self.notes_of(number),
            remark=self.reading.game.remark(row.hand),
            is_open=self.opened == number,
            opens=f"{self.here}?open={number}#hand-{number}" if self.opened != number else f"{self.here}#hand-{number}",
        )

    def total(self, seat: int, row: Row, signs: tuple[Sign, ...]) -> Cell:
        """A total after a hand."""
        if seat not in row.totals:
            return Cell(seat, "left" if seat in row.table.gone else "absent")
        return Cell(
            seat,
            "total",
            total=row.totals[seat],
            boxed=seat in row.boxed,
            circled=seat in row.circled,
            bid=self.count(row.hand, f"bid-{seat}", "bid"),
            took=self.count(row.hand, "tricks", f"tricks-{seat}"),
            signs=signs,
            why=self.why(f"{row.hand.number}", seat),
        )

    def being_played(self, hand: Hand, key: str, events: tuple[Event, ...]) -> Part:
        """The hand that is being bid or played, a blind one too, with the bids that have fallen."""
        due = next((seat for seat in hand.order if f"bid-{seat}" not in hand.steps), None)
        head = self.blind_head(hand) if hand.prefix else ""
        cells = []
        for column in self.columns:
            seat, bid = column.seat, self.count(hand, f"bid-{column.seat}", "bid")
            if seat not in hand.order:
                cells.append(Cell(seat, "left" if seat in self.reading.sheet.table.gone else "absent"))
            elif bid is not None:
                cells.append(Cell(seat, "bid", bid=bid))
            else:
                cells.append(Cell(seat, "next" if seat == due else "waiting"))
        return Part(
            key,
            self.line("now", hand, tuple(cells), head),
            self.said(events),
            None,
            f"{self.here}words/",
            self.notes_of(hand.number),
        )

    def blind_hand(self, k: int, row: Row, tied: tuple[int, ...]) -> Part:
        """A blind hand: what it brought the tied beside the total they were tied with."""
        cells = []
        for column in self.columns:
            seat = column.seat
            if seat not in row.hand.order:
                cells.append(Cell(seat, "left" if seat in row.table.gone else "absent"))
                continue
            counts = seat in tied
            cells.append(
                Cell(
                    seat,
                    "total" if counts else "blank",
                    total=row.totals[seat] if counts else None,
                    boxed=counts and seat in row.boxed,
                    circled=counts and seat in row.circled,
                    bid=self.count(row.hand, f"bid-{seat}", "bid"),
                    took=self.count(row.hand, "tricks", f"tricks-{seat}"),
                    plus=signed(row.points[seat]) if counts else "",
                    why=self.why(f"tie-{k}", seat),
                )
            )
        return Part(f"tie-{k}", self.line("tie", row.hand, tuple(cells), self.blind_head(row.hand)))

    def drawn(self, seat: int, rank: str | None, key: str) -> Cell:
        """A card that was drawn, beside the total that was tied."""
        table = self.reading.sheet.table
        if rank is None:
            return Cell(seat, "blank" if seat in table.totals else "absent")
        total = {**table.gone, **table.totals}[seat]
        circled = total == min([*table.gone.values(), *table.totals.values()])
        boxed = seat in self.reading.sheet.boxed
        return Cell(
            seat, "total", total=total, boxed=boxed, circled=circled, card=rank_shown(rank), why=self.why(key, seat)
        )

    # -- their words -----------------------------------------------------------------------------------

    def line(self, kind: str, hand: Hand, cells: tuple[Cell, ...], head: str = "") -> Line:
        """The row of a hand."""
        return Line(
            kind,
            cells,
            number=hand.number,
            head=head,
            cards=hand.cards,
            trump=self.reading.game.trump(hand) or "",
            dealer=self.reading.names_at(hand.number)[hand.dealer],
        )

    def blind_head(self, hand: Hand) -> str:
        """Blind hand, with its number from the second on."""
        k = hand.prefix.split("-")[1]
        return "Blind hand" if k == "1" else f"Blind hand {k}"

    def said(self, events: tuple[Event, ...], row: Row | None = None) -> tuple[SafeString, ...]:
        """What happened, in sentences."""
        return sentences_of(self.reading, events, row)

    @cached_property
    def notes(self) -> dict[int, list[Said]]:
        """What was said about the hands, by number."""
        return said_of_hands(self.reading)

    def notes_of(self, number: int) -> tuple[Said, ...]:
        return tuple(self.notes.get(number, ())) if number else ()

    def why(self, key: str, seat: int) -> str:
        return f"{self.here}why/{key}/{seat}/"

    @staticmethod
    def count(hand: Hand, ask: str, name: str) -> int | None:
        """A number that was written down in the hand."""
        value = hand.steps.get(ask, {}).get(name)
        return value if isinstance(value, int) else None

    @property
    def signs(self) -> tuple[Sign, ...]:
        """The signs that stand beside totals now, each once."""
        rows = self.reading.sheet.rows
        shown = signs_of(self.reading, rows[-1]) if rows else {}
        return tuple({sign.sign: sign for signs in shown.values() for sign in signs}.values())

    # -- what stands above it --------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the sheet is called: its own title, else the game."""
        return self.reading.record.title or self.reading.game.name

    @property
    def next(self) -> SafeString:
        """What comes next, in a few words: "hand 7 of 18, Ann deals"."""
        sheet = self.reading.sheet
        if sheet.open:
            hand, planned = sheet.open.hand, len(sheet.table.schedule)
            of = format_html(" of {}", planned) if planned else ""
            return format_html("hand {}{}, {} deals", hand.number, of, names_shown(self.reading.names, [hand.dealer]))
        for waiting in sheet.waiting:
            seats = names_shown(self.reading.names, waiting.seats)
            if waiting.what == "tie-break":
                return format_html("a blind hand for {}", seats)
            if waiting.what == "draw":
                return format_html("{} draw a card", seats)
        return format_html("{}", "")
