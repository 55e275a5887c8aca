"""One item of ``hands`` in a document, for the file format of a game to read and write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from rules.core.fields import SHEET, Ask, Value
from rules.core.files.reader import SheetReader
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.table import Table, fresh_number


class ItemReader:
    """One item of a document's ``hands``, offered to the game to be turned into steps and events."""

    def __init__(self, sheet: SheetReader, item: dict[str, object], *, first: bool, last: bool) -> None:
        self.sheet, self.item, self.first, self.last = sheet, item, first, last
        self.game = sheet.game
        self.number = sheet.table.hands_done + 1
        self.before = len(sheet.problems)

    def begins(self) -> bool:
        """Deal the hand that the item is about; False where the game is over before it, which is said."""
        if self.game.over(self.sheet.table):
            code = "match-over" if self.game.has_legs(self.table) else "game-over"
            self.refuse(code, "The game is over before this.")
            return False
        self.hand = self.game.deal(self.sheet.table)
        return True

    @property
    def table(self) -> Table:
        """The table as the item finds it."""
        return self.sheet.table

    def refuse(self, code: str, message: str, field: str | None = None, player: str | None = None) -> None:
        """Note a problem of this item."""
        self.sheet.refuse(Problem(code, message, field, hand=self.number), player)

    def has(self, key: str) -> bool:
        """Whether the item says anything under ``key``."""
        return self.item.get(key) is not None

    def get(self, key: str) -> Value:
        """A plain value of the item, None where it is left out."""
        return cast("Value", self.item.get(key))

    def seat(self, key: str) -> int | None:
        """The seat of the name under ``key``; ``unknown-player`` where nobody at the table has it."""
        name = cast("str | None", self.item.get(key))
        return None if name is None else self.seat_of(name, key)

    def seat_of(self, name: str, key: str) -> int | None:
        """The seat of a name that stands somewhere under ``key``; ``unknown-player`` where nobody has it."""
        seat = self.sheet.seat_named(name)
        if seat is None:
            self.refuse("unknown-player", "Nobody at the table has that name.", key, name)
        return seat

    def counts(self, key: str, seats: tuple[int, ...] | None = None) -> dict[int, int]:
        """The numbers by seat under ``key``; ``wrong-players`` unless they are exactly those of ``seats``."""
        given = cast("dict[str, int]", self.item[key])
        wanted = self.table.seats if seats is None else seats
        self.sheet.seats_named(given, wanted, key, self.number)
        return {seat: given[self.sheet.names[seat]] for seat in wanted if self.sheet.names[seat] in given}

    def ask(self, name: str) -> Ask:
        """What the hand asks under that name."""
        return next(ask for ask in self.game.asks(self.table, self.hand) if ask.name == name)

    def write(self, name: str, step: Mapping[str, Value], key: str | None = None) -> None:
        """Write the answer to the ask ``name``, said under ``key`` (default: the name), into the hand.

        With the key "" every field stands under its own name.
        """
        self.hand = self.sheet.write(self.hand, self.ask(name), step, name if key is None else key)

    def write_counts(self, key: str) -> None:
        """Write the numbers by seat under ``key`` as the ask of that name, with a field ``<key>-<seat>`` for each.

        Where some are missing (``wrong-players``), the others are judged and nothing is written.
        """
        counts = self.counts(key)
        step = {f"{key}-{seat}": count for seat, count in counts.items()}
        if len(counts) == len(self.table.seats):
            self.write(key, step)
        else:
            self.sheet.judge(self.hand, self.ask(key), step, key)

    def happens(self, kind: str, step: Mapping[str, Value]) -> None:
        """Let an event happen before the hand, unless something is wrong with it."""
        if not self.is_refused:
            self.sheet.happens(kind, step)

    @property
    def is_refused(self) -> bool:
        """Whether anything was wrong with this item so far."""
        return len(self.sheet.problems) > self.before

    def newcomer(self, key: str) -> int:
        """A seat number for somebody who was not at the table: their old one if they had gone home."""
        name, sheet = cast("str", self.item[key]), self.sheet
        if sheet.seat_named(name):
            self.refuse("duplicate-player", "Somebody of that name sits at the table already.", key, name)
        back = next((seat for seat in self.table.gone if sheet.names[seat] == name), None)
        seat = back or max(sheet.names) + 1
        if not self.is_refused:
            sheet.sits_down(name, seat, seat)
            sheet.names[seat] = name
        return seat

    def takes_over(self, key: str, seat: int | None) -> None:
        """Somebody takes over a seat with its total: the name changes, the sheet does not."""
        name, sheet = cast("str", self.item[key]), self.sheet
        if name in [sheet.names[taken] for taken in (*self.table.seats, *self.table.gone)]:
            self.refuse("duplicate-player", "Somebody of that name is on the sheet already.", key, name)
        if not self.is_refused and seat is not None:
            sheet.replaced[self.number, f"substitute-{len(sheet.events) + 1}"] = sheet.names[seat]
            sheet.sits_down(name, seat, fresh_number(sheet.occupants.values()))
            self.happens("substitute", {"seat": seat})
            sheet.names[seat] = name

    def carried(self, step: Mapping[str, Value]) -> None:
        """Hands that were kept elsewhere, unless anything is wrong with them."""
        sheet, ask = self.sheet, self.game.carried_ask(self.table)
        for problem in ask.problems(step) if ask else ():
            sheet.refuse(problem)
        if ask and not self.is_refused:
            sheet.entries[SHEET, ask.name] = step
            sheet.table = self.game.carry(self.table, step)

    def scored(self) -> None:
        """The hand is complete: a row of the sheet, worth nothing where something was wrong with it."""
        sheet = self.sheet
        spoiled = self.is_refused or not sheet.has_plan
        row = self.game.score(self.table, self.hand, events=tuple(sheet.events), spoiled=spoiled)
        sheet.names_at[self.hand.number] = dict(sheet.names)
        sheet.table = self.game.after(self.table, row)
        sheet.events = []

    def left_open(self) -> None:
        """The hand is still being played; nothing can come after it."""
        self.sheet.hand = self.hand


class ItemWriter:
    """Writes one item of a document's ``hands``: seats said by name. ``table`` is as the item finds it."""

    def __init__(self, game: Game, table: Table, names: Mapping[int, str]) -> None:
        self.game, self.table, self.names, self.item = game, table, names, dict[str, object]()

    def put(self, key: str, value: object) -> None:
        """A plain value."""
        self.item[key] = value

    def put_seats(self, key: str, values: Mapping[int, object]) -> None:
        """A value for each seat."""
        self.item[key] = {self.names[seat]: value for seat, value in values.items()}
