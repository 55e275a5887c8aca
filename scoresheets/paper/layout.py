"""The print layout: fitting the running sheet on a page, and blank sheets to fill in by hand.

A4 is 210 by 297 mm. Heights here are estimates on the safe side; the tests print the worst sheets and count pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from django.utils.html import strip_tags
from django.utils.safestring import SafeString

from rules.core.fields import Count, Field, Tick
from rules.core.game import Game
from rules.core.numbers import bare
from rules.core.table import Hand, Table
from scoresheets.fields.columns import Columns, columns_of, is_late
from scoresheets.log.state import SheetReading
from scoresheets.results.remarks import remarks_beside
from scoresheets.sheet.game_blocks import template_of
from scoresheets.sheet.notes import ShownNote, said_of_hands
from scoresheets.sheet.table import RunningSheet
from scoresheets.wording.graphemes import initials
from scoresheets.wording.labels import stem_of, words_of
from scoresheets.wording.options import house_rules_in_words

#: Millimetres between the margins of a page, upright and on its side, less what a printer may differ.
HIGH, WIDE = 274.0, 190.0
#: Heights of a row that a style sheet knows, in half millimetres: static/css/paper.css.
ROWS = range(10, 29)
#: Empty rows for a game that does not plan its hands.
EMPTY = 20
#: Layouts of an empty sheet: players across and hands down, or a column for every hand.
LAYOUTS = ("players", "hands")
#: So many numbers of somebody fit small beside the total.
MOST_SLOTS = 2


def row_height(room: float, rows: float) -> str:
    """The class of the largest row of which so many fit into so many millimetres.

    >>> row_height(200, 20), row_height(200, 100), row_height(200, 2)
    ('mm-20', 'mm-10', 'mm-28')
    """
    return f"mm-{min(max(int(2 * room / max(rows, 1)), ROWS[0]), ROWS[-1])}"


def lines_of(text: str, letters: float) -> int:
    """How many lines a text takes where so many letters stand in one."""
    return max(ceil(len(text) / max(letters, 1)), 1)


@dataclass(frozen=True)
class OnPaper:
    """The running sheet as it is printed: on one page, as long as there is room for it at all."""

    running: RunningSheet

    @cached_property
    def notes(self) -> list[tuple[int, list[ShownNote]]]:
        """What was said about the hands, by number; about none of them first."""
        return sorted(said_of_hands(self.running.reading).items())

    @cached_property
    def remarks(self) -> list[SafeString]:
        """What has to be said beside the totals."""
        return remarks_beside(self.running.reading)

    @property
    def row_height(self) -> str:
        """The class of a row."""
        hands = sum(part.line is not None for part in self.running.parts)
        between = sum(lines_of(strip_tags(sentence), 115) for part in self.running.parts for sentence in part.happened)
        legs = sum(part.leg is not None for part in self.running.parts)
        written = sum(ceil(len(part.written) / 2) for part in self.running.parts)
        return row_height(HIGH - self.beside - 4.3 * between - 6.5 * legs - 6.8 * written, hands)

    @property
    def beside(self) -> float:
        """Millimetres of everything that is no row of the table."""
        columns = self.running.columns
        names = max((lines_of(column.name, (WIDE - 22) / len(columns) / 1.75) for column in columns), default=1)
        notes = " ".join(f"Hand 00: {note.tag} {note.about} {note.text}" for _, shown in self.notes for note in shown)
        remarks = sum(lines_of(strip_tags(remark), 115) for remark in self.remarks)
        lines = (lines_of(notes, 125) if notes else 0) + lines_of(self.below, 115) - 1
        return 50 + 3.1 * min(names, 6) + 3.7 * lines + 4.3 * remarks

    @property
    def below(self) -> str:
        """What stands below the table in every case: what the marks mean, how it is scored, what was agreed."""
        game, table = self.running.reading.game, self.running.reading.table
        return " ".join(["most points, fewest points", game.scoring_in_short, *agreed(game, table)])


@dataclass(frozen=True)
class Head:
    """A column of an empty sheet: `word` above it, and its `width`, a class of the style sheet."""

    word: str
    width: str


@dataclass(frozen=True)
class Blank:
    """An empty sheet for a table: `names` by seat, "" for nobody known yet; `hands` are those to come.

    `totals` are brought on from hands that were kept already, where there are any.
    """

    game: Game
    table: Table
    names: Mapping[int, str]
    hands: tuple[Hand, ...]
    wanted: str = LAYOUTS[0]
    totals: Mapping[int, int] | None = None

    @classmethod
    def of_sheet(cls, reading: SheetReading, layout: str) -> Blank:
        """For the hands of a sheet that are still to come."""
        sheet = reading.sheet
        hands = hands_of(reading.game, sheet.table) if sheet.open else ()
        totals = sheet.totals if sheet.table.hands_done else None
        return cls(reading.game, sheet.table, reading.names, hands, layout, totals)

    @classmethod
    def of_table(cls, game: Game, table: Table, names: Mapping[int, str], layout: str) -> Blank:
        """For a table that has not been opened on the site."""
        return cls(game, table, names, hands_of(game, table), layout)

    @property
    def lowest_wins(self) -> bool:
        """Whether the box is round the lowest total."""
        return self.game.lowest_wins(self.table)

    @property
    def about(self) -> str:
        """Which hands it has."""
        if self.table.hands_done:
            return f"hands {self.hands[0].number} to {self.hands[-1].number}"
        count = f"{len(self.hands)} hand{'' if len(self.hands) == 1 else 's'}"
        return count if self.game.planned_hands(self.table) else f"room for {count}"

    @property
    def templates(self) -> list[str]:
        """How it is drawn: as the game does it itself, else as a table like any other."""
        return [template_of(self.game, "blank"), "scoresheets/paper/blank_table.html"]

    # -- its layout ------------------------------------------------------------------------------------

    @property
    def may_lie(self) -> bool:
        """Whether a hand is so little that it has room in a column."""
        return self.columns.is_a_row and not self.is_split

    @property
    def layout(self) -> str:
        """One of `LAYOUTS`."""
        return self.wanted if self.may_lie else LAYOUTS[0]

    @property
    def is_across(self) -> bool:
        """Whether every hand has a column, and the page lies on its side."""
        return self.layout == LAYOUTS[1]

    @property
    def is_split(self) -> bool:
        """Whether everybody has so many numbers in a hand that each gets a column of its own."""
        return len(self.words) > MOST_SLOTS

    # -- what stands on it -----------------------------------------------------------------------------

    @cached_property
    def players(self) -> list[tuple[int, str, str, str]]:
        """Seat, name, initials and total of everybody, as they sit."""
        seats = self.table.seats
        short = initials([self.names.get(seat, "") for seat in seats])
        totals = self.totals or {}
        return [
            (seat, self.names.get(seat, ""), short[at], bare(totals[seat]) if seat in totals else "")
            for at, seat in enumerate(seats)
        ]

    @cached_property
    def rows(self) -> list[tuple[Hand, str]]:
        """The hands, each with the initials of its dealer."""
        short = {seat: initial for seat, _, initial, _ in self.players}
        return [(hand, short[hand.dealer]) for hand in self.hands]

    @cached_property
    def columns(self) -> Columns:
        """What is written down in a hand."""
        return columns_of(self.game, self.table, self.hands[0]) if self.hands else Columns((), ())

    @property
    def words(self) -> Sequence[str]:
        """What everybody has in a hand before there is a total: bid and tricks."""
        return [column.word for column in self.columns.seats]

    @cached_property
    def extras(self) -> Sequence[Head]:
        """What belongs to a hand alone, such as trump: what is counted on, one, two, three, shares a place."""
        if not self.columns.is_a_row:
            asks = dict.fromkeys(place.ask for _, place in self.columns.hand)
            return [Head(words_of(self.game, ask.name).what.removeprefix("the "), "narrow") for ask in asks]
        heads: dict[tuple[str, str], Head] = {}
        for word, place in self.columns.hand:
            kind = (place.ask.name, stem_of(place.field.name))
            if is_late(place):
                continue
            wider = "wide" if kind in heads else width_of(place.field)
            text = words_of(self.game, place.ask.name).what.removeprefix("the ") if kind in heads else word
            heads[kind] = Head(text, wider)
        return list(heads.values())

    @property
    def narrow(self) -> int:
        """Columns before the first player: the hand, its cards, its dealer, and what is noted of it."""
        return 2 + self.has_cards + len(self.extras)

    @property
    def width(self) -> int:
        """Columns of everybody, where each number has one."""
        return len(self.words) + 1

    @property
    def has_cards(self) -> bool:
        return any(hand.cards for hand in self.hands)

    @property
    def legs(self) -> str:
        """What is won on the way to the match, several of them: "rubbers"; "" where nothing is."""
        return f"{self.game.leg_name}s" if self.game.has_legs(self.table) else ""

    @property
    def house_rules(self) -> list[str]:
        """What this table has agreed otherwise than usual, in sentences."""
        return agreed(self.game, self.table)

    @property
    def row_height(self) -> str:
        """The class of a row."""
        foot = 3.5 * lines_of(" ".join(self.house_rules), 115) if self.house_rules else 0
        if self.is_across:
            return row_height(
                WIDE - 62 - foot - 5.5 * max(len(self.extras) - 1, 0), len(self.players) + bool(self.legs)
            )
        letters = (WIDE - 30) / len(self.players) / 1.9
        names = max((lines_of(name, letters) for _, name, _, _ in self.players), default=1)
        rows = len(self.rows) + (self.totals is not None) + bool(self.legs)
        return row_height(HIGH - 46 - foot - 3.4 * min(names, 6), rows)


def agreed(game: Game, table: Table) -> list[str]:
    """What the table has agreed otherwise than usual, in sentences."""
    return [rule.in_short for rule in house_rules_in_words(game, table.house_rules) if rule.differs]


def width_of(field: Field) -> str:
    """How wide a place for it has to be, as a class of the style sheet."""
    return "narrow" if isinstance(field, Count) else "short" if isinstance(field, Tick) else "middle"


def hands_of(game: Game, table: Table) -> tuple[Hand, ...]:
    """The hands as they would be dealt one after the other; some, where nobody knows how many there will be."""
    hands: list[Hand] = []
    is_open = not game.planned_hands(table)
    while not game.over(table) and not (is_open and len(hands) == EMPTY):
        hands.append(game.deal(table))
        table = game.dealt(table, hands[-1])
    return tuple(hands)
