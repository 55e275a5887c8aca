"""Standing by place: everybody at the table in the order of their places, with what the last hand has changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.safestring import SafeString

from rules.core.numbers import signed
from scoresheets.log.state import SheetReading
from scoresheets.results.chances import needs_said
from scoresheets.sheet.scoreboard import TableTop
from scoresheets.wording.badges import Badge, badges_of


@dataclass(frozen=True)
class Standing:
    """One seat by place.

    `change` is what the last hand brought, "" where there is nothing to say. `made` is how many bids were made, and of
    how many; None: the game has none. `need` is a sentence, "" where there is nothing to say.
    """

    seat: int
    place: int
    badge: Badge
    name: str
    total: int
    boxed: bool
    circled: bool
    change: str
    made: tuple[int, int] | None
    legs: str
    is_next: bool
    need: SafeString


@dataclass(frozen=True)
class ByPlace:
    """Everybody at the table by place, as the sheet is now. It needs no query."""

    reading: SheetReading

    @cached_property
    def places(self) -> dict[int, int]:
        """The place of every seat at the table; equals share one."""
        return {placing.seat: placing.place for placing in self.reading.sheet.placings}

    @cached_property
    def change(self) -> Mapping[int, int]:
        """The points of the last scored hand, by seat."""
        rows = self.reading.sheet.rows
        return rows[-1].points if rows else {}

    @cached_property
    def made(self) -> dict[int, tuple[int, int]]:
        """How many bids each seat has made, and of how many, in the hands scored here. Empty: the game has no bids."""
        game, made = self.reading.game, dict[int, tuple[int, int]]()
        if not game.has_bids:
            return made
        made |= dict.fromkeys(self.reading.sheet.table.seats, (0, 0))
        for row in self.reading.sheet.rows:
            missed = game.missed(row)
            for seat in made:
                if f"bid-{seat}" in row.hand.steps:
                    hits, bids = made[seat]
                    made[seat] = (hits + (seat not in missed), bids + 1)
        return made

    @cached_property
    def needs(self) -> dict[int, SafeString]:
        """What each needs near the end, in sentences."""
        return needs_said(self.reading)

    @property
    def most_pressing(self) -> list[SafeString]:
        """The needs of those in the circle and of those next to the box: for where there is room for few."""
        sheet = self.reading.sheet
        next_up = min((place for place in self.places.values() if place > 1), default=None)
        return [need for seat, need in self.needs.items() if seat in sheet.circled or self.places[seat] == next_up]

    @property
    def rows(self) -> list[Standing]:
        """The first place first; equals in the order in which they sit."""
        badges = badges_of(self.reading)
        seated = dict(zip(self.reading.sheet.totals, TableTop(self.reading).places, strict=True))
        return [
            Standing(
                seat, self.places[seat], badges[seat], place.name, place.total, place.boxed, place.circled,
                signed(self.change[seat]) if seat in self.change else "", self.made.get(seat), place.legs,
                place.is_next, self.needs.get(seat, SafeString()),
            )
            for seat, place in sorted(seated.items(), key=lambda item: self.places[item[0]])
        ]  # fmt: skip
