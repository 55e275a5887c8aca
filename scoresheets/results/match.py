"""Rubbers and games of a match: who has won which, and what is left to win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.formats import OpenEnd, Race
from rules.core.numbers import bare, spelled
from rules.core.table import Row
from scoresheets.log.state import SheetReading
from scoresheets.wording.markup import capital, name_shown, with_commas


@dataclass(frozen=True)
class LegWon:
    """A leg that was won: "rubber 1", by whom, and the totals it ended with: as the columns stand, of two the
    winner’s first.

    `at_once`: whatever the totals were.
    """

    name: str
    seat: int
    winner: str
    totals: str
    at_once: bool = False


@dataclass(frozen=True)
class Match:
    """What is being played for. A race without legs is one leg that has no name."""

    reading: SheetReading

    @property
    def has_legs(self) -> bool:
        return self.reading.game.has_legs(self.reading.sheet.table)

    @property
    def race(self) -> Race | None:
        """None: so many hands are played."""
        length = self.reading.game.format(self.reading.sheet.table)
        return length if isinstance(length, Race) else None

    @property
    def target(self) -> int | None:
        """The total that ends it; None: there is none."""
        length = self.reading.game.format(self.reading.sheet.table)
        return length.target if isinstance(length, Race | OpenEnd) else None

    @property
    def strip(self) -> SafeString:
        """How the match stands, in a line: "Rubber 3 to 9: Ann 1, Bo 1, first to two"; "" where hands are counted."""
        race, over = self.race, self.reading.sheet.open is None
        if race is None:
            ends = "" if over or self.target is None else f"Ends at {self.target}"
            return format_html("{}{}", ends, self.low_wins(ends))
        if not self.has_legs:
            return format_html("{}", "" if over else f"First to {race.target}")
        running = f"{self.leg(len(self.reading.sheet.table.legs) + 1)} to {race.target}"
        head = capital(plural(self.reading.game.leg_name, 2) if over else running)
        won = [format_html("{} {}", name_shown(name), legs) for name, legs in self.won]
        first_to = [] if over else [f"first to {spelled(race.legs_to_win or 1)}"]
        parts = [*won, *first_to]
        return format_html("{}{}{}", head, (": " if won else ", ") if parts else "", with_commas(parts))

    def low_wins(self, before: str) -> str:
        """That the lowest total wins, while it is played: nobody must guess round what the box is."""
        sheet = self.reading.sheet
        if sheet.open is None or not self.reading.game.lowest_wins(sheet.table):
            return ""
        return ", the lowest wins" if before else "The lowest wins"

    @property
    def won(self) -> list[tuple[str, int]]:
        """Who has won any, with how many, in seat order."""
        names = self.reading.names
        return [(names[seat], legs) for seat, legs in self.reading.sheet.table.legs_won().items() if legs]

    def leg(self, number: int) -> str:
        """What a leg is called: "rubber 2"."""
        return f"{self.reading.game.leg_name} {number}"

    def counted(self, legs: int) -> str:
        """So many of them: "2 rubbers"."""
        return f"{legs} {plural(self.reading.game.leg_name, legs)}"

    def won_by(self, row: Row) -> LegWon | None:
        """The leg the hand has won, None for most."""
        legs = enumerate(self.reading.sheet.table.legs, 1)
        number, leg = next(((k, leg) for k, leg in legs if leg.hand == row.hand.number), (0, None))
        if leg is None:
            return None
        names = self.reading.names_at(row.hand.number)
        seats = list(row.table.seats)
        # As it is said: of two, what the winner has comes first.
        if len(seats) == 2:
            seats.sort(key=lambda seat: seat != leg.winner)
        totals = " : ".join(bare(leg.totals[seat]) for seat in seats)
        return LegWon(self.leg(number), leg.winner, names[leg.winner], totals, row.result.wins_leg is not None)

    @property
    def legs(self) -> Iterator[LegWon]:
        """Every leg that was won, in order."""
        return (leg for row in self.reading.sheet.rows if (leg := self.won_by(row)))


def plural(name: str, many: int) -> str:
    """A word for so many of it.

    >>> plural("rubber", 1), plural("game", 2)
    ('rubber', 'games')
    """
    return name if many == 1 else f"{name}s"
