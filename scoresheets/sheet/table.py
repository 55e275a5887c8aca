"""The table of the running sheet: players across, hands down.

Columns are seats. Each hand is one part of the table: the events before it, its row, and what a tap on the row opens.
Blind hands and draws are parts of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.cards import lowest_cards, rank_shown
from rules.core.numbers import signed
from rules.core.table import Event, Hand, Row
from rules.core.texts import RowWords
from scoresheets.log.state import SheetReading
from scoresheets.results.callouts import Sign, hand_callout, signs_of
from scoresheets.results.match import Match
from scoresheets.results.qualification import plan_said, ruled_said
from scoresheets.sheet.game_blocks import template_of
from scoresheets.sheet.notes import ShownNote, said_of_hands
from scoresheets.sheet.open_hand import OpenHand
from scoresheets.sheet.parts import Cell, Column, Part, TableLine, begin_alike
from scoresheets.sheet.row_cache import rendered_row
from scoresheets.wording.badges import badges_of
from scoresheets.wording.events import sentences_of
from scoresheets.wording.markup import names_shown, suited

#: From so many columns on, the numbers come closer.
MANY = 9
#: So many still fit side by side on a phone.
CROWD = 10


class Small(TypedDict):
    """The fields of a `Cell` about what stands beside its total."""

    points: str
    small: tuple[SafeString, ...]
    aloud: str
    missed: bool


@dataclass
class RunningSheet:
    """A sheet for a page at the address `here`, from which the reasons hang (`why/<key>/<seat>/`).

    `opened` is the hand whose row is open, 0 for none; `changed` says what of it was corrected just now. With
    `is_beside_pad` it stands beside the pad, to which a change leads back.
    """

    reading: SheetReading
    here: str
    opened: int = 0
    changed: str = ""
    is_beside_pad: bool = False

    @cached_property
    def page(self) -> str:
        return template_of(self.reading.game)

    @cached_property
    def match(self) -> Match:
        """What is being played for."""
        return Match(self.reading)

    @property
    def lowest_wins(self) -> bool:
        """Whether the box is round the lowest total."""
        return self.reading.game.lowest_wins(self.reading.sheet.table)

    @property
    def beside_places(self) -> list[tuple[str, str]]:
        """What stands beside everybody's place so far, where the game says more than totals."""
        beside = self.reading.game.beside_places(self.reading.sheet.table)
        return [(self.reading.names[seat], text) for seat, text in beside.items()]

    @cached_property
    def open_hand(self) -> OpenHand:
        return OpenHand(self.reading)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """Everybody in seat order, who has gone home still at their place."""
        sheet = self.reading.sheet
        order = list(sheet.table.seats)
        for seats in [*(row.table.seats for row in reversed(sheet.rows)), self.reading.table.seats, sheet.table.gone]:
            for place, seat in enumerate(seats):
                if seat not in order:
                    before = [other for other in tuple(seats)[:place] if other in order]
                    order.insert(order.index(before[-1]) + 1 if before else 0, seat)
        names, gone, badges = self.reading.names, sheet.table.gone, badges_of(self.reading)
        return tuple(
            Column(seat, names[seat], seat in gone, badges[seat], self.taken_over(seat)) for seat in order
        )  # fmt: skip

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
        return self.is_many and any(cell.is_long for part in self.parts if part.line for cell in part.line.cells)

    @property
    def has_alike(self) -> bool:
        """Whether names need room to be told apart."""
        return begin_alike(self.columns)

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
        if sheet.open and sheet.open.hand.number == number and not self.reading.withheld:
            return self.being_played(sheet.open.hand, f"hand-{number}", sheet.events)
        return None

    @property
    def rendered(self) -> Iterator[SafeString]:
        """The parts as a page has them."""
        return (rendered_row(part, self.span) for part in self.parts)

    def laid_out(self) -> Iterator[Part]:
        """The parts in order."""
        sheet, settlement = self.reading.sheet, self.reading.sheet.settlement
        yield from self.carried_over()
        yield from self.kept_elsewhere()
        for row in sheet.rows:
            yield self.scored(row)
        if self.reading.withheld:
            yield Part("withheld", None, (format_html("{}", self.reading.withheld.sentence),), page=self.page)
            return
        if sheet.open:
            yield self.being_played(sheet.open.hand, f"hand-{sheet.open.hand.number}", sheet.events)
        elif happened := self.event_sentences(sheet.events):
            yield Part("end", None, happened, page=self.page)
        if settlement is None:
            return
        for k, (row, tied) in enumerate(zip(settlement.ties, settlement.tied, strict=True), 1):
            yield self.blind_hand(k, row, tied)
        if settlement.hand:
            yield self.being_played(settlement.hand, settlement.hand.prefix.removesuffix("-"), ())
        for k, drawn in enumerate(settlement.draws, 1):
            cells = tuple(self.drawn(column.seat, drawn, f"draw-{k}") for column in self.columns)
            yield Part(f"draw-{k}", TableLine("draw", cells, head="Draw" if k == 1 else f"Draw {k}"), page=self.page)
        for ruled in settlement.rulings:
            sentence = format_html("The organiser’s ruling: {}", ruled_said(self.reading, ruled))
            yield Part(ruled.name, None, (sentence,), page=self.page)

    def carried_over(self) -> Iterator[Part]:
        """The totals with which everybody began, at a final that goes on from those of the groups."""
        start = self.reading.table.decides.start
        if start:
            opened = self.reading.table.totals
            cells = tuple(
                Cell(column.seat, "total", total=opened[column.seat])
                if column.seat in opened
                else Cell(column.seat, "absent")
                for column in self.columns
            )
            yield Part("start", TableLine("carried", cells, head="Start"), page=self.page)

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
        yield Part("carried", TableLine("carried", cells, head=f"1 to {hands}" if hands != 1 else "1"), page=self.page)

    def scored(self, row: Row) -> Part:
        """A scored hand."""
        number, called, words = row.hand.number, hand_callout(self.reading, row), self.reading.game.beside(row)
        signs = signs_of(self.reading, row) if row is self.reading.sheet.rows[-1] else {}
        cells = tuple(self.total(column.seat, row, words, signs.get(column.seat, ())) for column in self.columns)
        return Part(
            f"hand-{number}",
            self.line("hand", row.hand, cells, words),
            self.event_sentences(row.events, row),
            called,
            f"{self.here}words/",
            self.notes_of(number),
            remark=self.reading.game.remark(row.hand),
            is_open=self.opened == number,
            changed=self.changed if self.opened == number else "",
            opens=f"{self.here}?open={number}#hand-{number}" if self.opened != number else f"{self.here}#hand-{number}",
            leg=self.match.won_by(row) if self.match.has_legs else None,
            page=self.page,
        )

    def total(self, seat: int, row: Row, words: RowWords, signs: tuple[Sign, ...]) -> Cell:
        """A total after a hand."""
        if seat not in row.totals:
            return Cell(seat, "left" if seat in row.table.gone else "absent")
        return Cell(
            seat,
            "total",
            total=row.totals[seat],
            boxed=seat in row.boxed,
            circled=seat in row.circled,
            **self.beside(seat, words, signed(row.points[seat]) if words.points else ""),
            signs=signs,
            why=self.why(f"{row.hand.number}", seat),
        )

    def being_played(self, hand: Hand, key: str, events: tuple[Event, ...]) -> Part:
        """The hand that is being played, a blind one too, with what is sure of everybody, or what is asked next."""
        now = self.open_hand
        line = self.line(
            "now",
            hand,
            self.said_of_seats(hand) if now.is_spoken or now.words.cells else (),
            now.words,
            self.blind_head(hand) if hand.prefix else "",
            "" if now.is_spoken else now.next_question,
        )
        return Part(
            key,
            line,
            self.event_sentences(events),
            None,
            f"{self.here}words/",
            self.notes_of(hand.number),
            written=() if now.is_spoken else now.written,
            page=self.page,
        )

    def said_of_seats(self, hand: Hand) -> tuple[Cell, ...]:
        """What is sure of everybody in a hand that is being played, and whose turn it is."""
        now, cells = self.open_hand, []
        due = now.due.seat if now.due else None
        for column in self.columns:
            seat = column.seat
            if seat not in hand.order:
                cells.append(Cell(seat, "left" if seat in self.reading.sheet.table.gone else "absent"))
            elif seat in now.words.cells:
                cells.append(Cell(seat, "said", **self.beside(seat, now.words)))
            else:
                cells.append(Cell(seat, "next" if seat == due else "waiting", aloud=now.words.aloud.get(seat, "")))
        return tuple(cells)

    def blind_hand(self, k: int, row: Row, tied: tuple[int, ...]) -> Part:
        """A blind hand: what it brought the tied beside the total they were tied with."""
        cells, words = [], self.reading.game.beside(row)
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
                    **self.beside(seat, words),
                    plus=signed(row.points[seat]) if counts else "",
                    why=self.why(f"tie-{k}", seat),
                )
            )
        line = self.line("tie", row.hand, tuple(cells), words, self.blind_head(row.hand))
        return Part(f"tie-{k}", line, page=self.page)

    def drawn(self, seat: int, drawn: Mapping[int, str], key: str) -> Cell:
        """A card that was drawn, beside the total that was tied. The lowest card takes the circle, but in a group."""
        sheet = self.reading.sheet
        if seat not in drawn:
            return Cell(seat, "blank" if seat in sheet.table.totals else "absent")
        is_group = sheet.table.decides.is_group
        return Cell(
            seat,
            "total",
            total={**sheet.table.gone, **sheet.table.totals}[seat],
            boxed=is_group and seat in sheet.boxed,
            circled=seat in (sheet.circled if is_group else lowest_cards(drawn)),
            card=rank_shown(drawn[seat]),
            why=self.why(key, seat),
        )

    # -- their words -----------------------------------------------------------------------------------

    def line(
        self, kind: str, hand: Hand, cells: tuple[Cell, ...], words: RowWords, head: str = "", next_question: str = ""
    ) -> TableLine:
        """The row of a hand."""
        return TableLine(
            kind,
            cells,
            number=hand.number,
            head=head,
            cards=hand.cards,
            trump="" if words.head else self.reading.game.trump(hand) or "",
            dealer=self.reading.names_at(hand.number)[hand.dealer],
            beside=suited(words.head),
            next_question=next_question,
            across=len(self.columns),
        )

    @staticmethod
    def beside(seat: int, words: RowWords, points: str = "") -> Small:
        """What stands small beside the total of a seat: the points of the hand, and what the game says of them."""
        text = words.cells.get(seat, "")
        if text == points.removeprefix("+"):
            text = ""
        aloud = words.aloud.get(seat) or text.replace("\n", ", ")
        return {
            "points": points,
            "small": tuple(suited(line) for line in text.split("\n") if line),
            "aloud": ", ".join(part for part in (points, aloud) if part),
            "missed": seat in words.missed,
        }

    def blind_head(self, hand: Hand) -> str:
        """Blind hand, with its number from the second on."""
        k = hand.prefix.split("-")[1]
        return "Blind hand" if k == "1" else f"Blind hand {k}"

    def event_sentences(self, events: tuple[Event, ...], row: Row | None = None) -> tuple[SafeString, ...]:
        """What happened, in sentences."""
        return sentences_of(self.reading, events, row)

    @cached_property
    def notes(self) -> dict[int, list[ShownNote]]:
        """What was said about the hands, by number."""
        return said_of_hands(self.reading)

    def notes_of(self, number: int) -> tuple[ShownNote, ...]:
        return tuple(self.notes.get(number, ())) if number else ()

    def why(self, key: str, seat: int) -> str:
        return f"{self.here}why/{key}/{seat}/{'?from=pad' if self.is_beside_pad else ''}"

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
    def plan(self) -> str:
        """Who goes on, where the table is a group of a play-off and its head does not say so already."""
        record, decides = self.reading.record, self.reading.sheet.table.decides
        return plan_said(decides) if decides.is_group and not record.stakes else ""

    @property
    def next(self) -> SafeString:
        """What comes next, in a few words: "hand 7 of 18, Ann deals"."""
        sheet = self.reading.sheet
        if sheet.open and not self.reading.withheld:
            hand, planned = sheet.open.hand, self.reading.game.planned_hands(sheet.table)
            of = format_html(" of {}", planned) if planned else ""
            return format_html("hand {}{}, {} deals", hand.number, of, names_shown(self.reading.names, [hand.dealer]))
        for waiting in sheet.waiting:
            # What is played for one line of a group is played for the other as well.
            tied = (
                dict.fromkeys(seat for other in sheet.waiting for seat in other.seats)
                if waiting.edge
                else waiting.seats
            )
            seats = names_shown(self.reading.names, tied)
            if waiting.what == "tie-break":
                return format_html("a blind hand for {}", seats)
            if waiting.what == "draw":
                return format_html("{} draw a card", seats)
            if waiting.what == "ruling":
                return format_html("the organiser says who of {} goes on", seats)
        return format_html("{}", "")


def rendered_caption(running: RunningSheet) -> SafeString:
    """What stands above the table: what comes next, and how a match stands."""
    return render_to_string("scoresheets/sheet/caption.html", {"running": running})
