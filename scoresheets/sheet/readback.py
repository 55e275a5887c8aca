"""The last hand to read back to the table: bids, tricks, points, and places."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.cards import SUIT_NAMES
from rules.core.game import Game
from rules.core.numbers import bare, signed
from rules.core.table import Hand, Row
from rules.core.texts import RowWords
from scoresheets.log.state import SheetReading
from scoresheets.wording.trump import trump_shown


@dataclass(frozen=True)
class ReadBackLine:
    """One seat: the name, what it did as the game says it, the points, the total after the hand."""

    seat: int
    name: str
    did: str
    points: str
    total: str

    @property
    def aloud(self) -> str:
        """The line as a voice says it."""
        did = f" {self.did}" if self.did else ""
        return f"{self.name}{did}: {spoken(self.points)}. {spoken(self.total)} now."


@dataclass(frozen=True)
class ReadBack:
    """The last scored hand. `title`: "Hand 7", "Blind hand"; `trump` in words, "" where none was noted.

    `part` is its row of the sheet: "7", "tie-1".
    """

    part: str
    title: str
    trump: str
    lines: tuple[ReadBackLine, ...]


def read_back_of(reading: SheetReading) -> ReadBack | None:
    """The last hand that was scored, a blind one too; None before the first."""
    settlement = reading.sheet.settlement
    ties = settlement.ties if settlement else ()
    rows = [*reading.sheet.rows, *ties]
    if not rows:
        return None
    row = rows[-1]
    words = reading.game.beside(row)
    blind = ties.index(row) + 1 if row in ties else 0
    return ReadBack(
        part=f"tie-{blind}" if blind else str(row.hand.number),
        title=f"Blind hand {blind}" if blind > 1 else "Blind hand" if blind else f"Hand {row.hand.number}",
        trump=trump_of(reading.game, row.hand),
        lines=tuple(line_of(reading, row, words, seat) for seat in reading.sheet.table.seats if seat in row.points),
    )


def trump_of(game: Game, hand: Hand) -> str:
    """The trump suit in words, with the card that was turned for it where that was noted."""
    if step := hand.steps.get("trump"):
        return str(trump_shown(step)["label"])
    trump = game.trump(hand)
    return SUIT_NAMES[trump] if trump else ""


def line_of(reading: SheetReading, row: Row, words: RowWords, seat: int) -> ReadBackLine:
    """What a seat did in the hand. After a blind hand the total is the tied one, unless the house has it count."""
    return ReadBackLine(
        seat=seat,
        name=reading.names[seat],
        did=words.aloud.get(seat) or words.cells.get(seat, ""),
        points=signed(row.points[seat]),
        total=bare(row.totals[seat]),
    )


def spoken(number: str) -> str:
    """A number for a voice, which may not read the signs.

    >>> spoken("−3"), spoken("+6"), spoken("0")
    ('minus 3', 'plus 6', '0')
    """
    return number.replace("−", "minus ").replace("+", "plus ")
