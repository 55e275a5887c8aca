"""The last hand, read back to the table: who bid and took what, what it brought, and where everybody stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoresheets.speech import bare, signed
from scoresheets.trumps import turned_of

if TYPE_CHECKING:
    from rules.core.hands import Row
    from scoresheets.reading import SheetReading


@dataclass(frozen=True)
class Line:
    """One seat: the name, what was bid and taken where the game asks for it, the points, the total now."""

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
    """The last scored hand. `title`: "Hand 7", "Blind hand"; `trump` in words, "" where none was noted."""

    title: str
    trump: str
    lines: tuple[Line, ...]


def read_back_of(reading: SheetReading) -> ReadBack | None:
    """The last hand that was scored, a blind one too; None before the first."""
    settlement = reading.sheet.settlement
    ties = settlement.ties if settlement else ()
    rows = [*reading.sheet.rows, *ties]
    if not rows:
        return None
    row = rows[-1]
    trump = row.hand.steps.get("trump")
    blind = ties.index(row) + 1 if row in ties else 0
    return ReadBack(
        title=f"Blind hand {blind}" if blind > 1 else "Blind hand" if blind else f"Hand {row.hand.number}",
        trump=str(turned_of(trump)["label"]) if trump else "",
        lines=tuple(line_of(reading, row, seat) for seat in reading.sheet.table.seats if seat in row.points),
    )


def line_of(reading: SheetReading, row: Row, seat: int) -> Line:
    steps = row.hand.steps
    bid = steps.get(f"bid-{seat}", {}).get("bid")
    took = steps.get("tricks", {}).get(f"tricks-{seat}")
    return Line(
        name=reading.names[seat],
        did=f"bid {bid}, took {took}" if bid is not None and took is not None else "",
        points=signed(row.points[seat]),
        total=bare(reading.sheet.totals[seat]),
    )


def spoken(number: str) -> str:
    """A number for a voice, which may not read the signs.

    >>> spoken("−3"), spoken("+6"), spoken("0")
    ('minus 3', 'plus 6', '0')
    """
    return number.replace("−", "minus ").replace("+", "plus ")
