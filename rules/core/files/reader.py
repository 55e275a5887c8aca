"""The walk through a document: every item is offered to the game, and every problem is collected.

What an item says is written into the open hand, whatever is wrong with it, and the walk goes on, so that *all*
problems can be told.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from rules.core.engine.replay import problems_of_event, problems_of_step
from rules.core.fields import SHEET
from rules.core.files.group_keys import read_decides, read_rulings, refuse_rulings_left
from rules.core.problems import Problem
from rules.core.table import Event, Hand, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.core.fields import Address, Ask, Value
    from rules.core.game import Game


#: With these nothing can be told about the hands.
HOPELESS = ("bad-players", "duplicate-player", "bad-plan", "bad-peak")


class SheetReader:
    """Walks a well-shaped document item by item, collecting entries and problems."""

    def __init__(self, game: Game, document: dict[str, object]) -> None:
        self.game, self.document = game, document
        self.problems: list[tuple[Problem, str | None]] = []
        self.entries: dict[Address, Mapping[str, Value]] = {}
        self.names: dict[int, str] = {}
        self.names_at: dict[int, Mapping[int, str]] = {}
        self.replaced: dict[Address, str] = {}
        #: What is said about hands, by number: that of an event belongs to the hand it comes before.
        self.notes: dict[int, str] = {}
        self.events: list[Event] = []
        self.hand: Hand | None = None
        #: Nothing after this can be told: it is not known which hand comes next.
        self.is_lost = False

    # -- the walk --------------------------------------------------------------------------------------

    def read(self) -> None:
        """Everything the document says, in the order of the sheet."""
        players = cast("list[str]", self.document["players"])
        self.names = dict(enumerate(players, 1))
        for seat, name in self.names.items():
            if name in players[: seat - 1]:
                self.refuse(Problem("duplicate-player", "That name sits at the table twice.", "players"), name)
        first = cast("str", self.document.get("first_dealer", players[0] if players else ""))
        if players and first not in players:
            self.refuse(Problem("unknown-player", "The first dealer does not sit at the table.", "first_dealer"), first)
        house_rules = cast("dict[str, Value]", self.document.get("house_rules", {}))
        plan = cast("dict[str, int]", self.document.get("plan", {}))
        known = {rule.key: rule for rule in self.game.house_rules}
        for problem in self.game.setup_problems(list(self.names), plan, house_rules):
            if problem.blocking:
                self.refuse(problem)
        if any(problem.code in HOPELESS for problem, _ in self.problems):
            return
        self.opened = self.table = self.game.open_table(
            list(self.names),
            players.index(first) + 1 if first in players else 1,
            plan,
            {key: value for key, value in house_rules.items() if not known[key].problem(value)},
            read_decides(self),
        )
        items = cast("list[dict[str, object]]", self.document["hands"])
        for place, item in enumerate(items):
            stop_if_said(self)
            scored = len(self.table.rows)
            ItemReader(self, item, first=place == 0, last=place == len(items) - 1).read()
            self.note(cast("str", item.get("note", "")), to_come=len(self.table.rows) == scored)
            if self.is_lost:
                return
        read_stop(self)
        read_rulings(self, played=0)
        self.game.read_rest(self)
        refuse_rulings_left(self)

    def note(self, said: str, *, to_come: bool) -> None:
        """Keep what an item says about the hand to come, or the one just read."""
        if said:
            number = self.table.hands_done + to_come
            self.notes[number] = "; ".join(part for part in (self.notes.get(number, ""), said) if part)

    def refuse(self, problem: Problem, player: str | None = None) -> None:
        """Note a problem; the player is who its seat belongs to, unless named."""
        if player is None and problem.seat is not None:
            player = self.names.get(problem.seat)
        self.problems.append((problem, player))

    @property
    def is_in_doubt(self) -> bool:
        """Whether anything was wrong so far: who leads and who is last cannot be told then."""
        return bool(self.problems)

    def seat_named(self, name: str) -> int | None:
        """The seat of somebody at the table, by exact name."""
        return next((seat for seat in self.table.seats if self.names[seat] == name), None)

    def seats_named(self, wanted: Mapping[str, object], seats: tuple[int, ...], key: str, hand: int | None) -> bool:
        """Whether the names are exactly those of ``seats``; ``wrong-players`` for each that is not."""
        expected = [self.names[seat] for seat in seats]
        for name in expected:
            if name not in wanted:
                self.refuse(Problem("wrong-players", "Somebody at the table is missing here.", key, hand=hand), name)
        for name in wanted:
            if name not in expected:
                self.refuse(
                    Problem("wrong-players", "Nobody of that name is to be counted here.", key, hand=hand), name
                )
        return set(wanted) == set(expected)

    def write(self, hand: Hand, ask: Ask, step: Mapping[str, Value], key: str) -> Hand:
        """Write one step, said under ``key`` of the document, into the hand, whatever is wrong with it."""
        for problem in problems_of_step(self.game, self.table, hand, ask, step):
            self.refuse_step(problem, hand, key)
        self.entries[hand.address(ask.name)] = step
        return hand.with_step(ask.name, step)

    def judge(self, hand: Hand, ask: Ask, step: Mapping[str, Value], key: str) -> None:
        """Say what is wrong with the fields that an incomplete answer does give; nothing is written."""
        for field in ask.fields:
            problem = field.problem(step[field.name]) if field.name in step else None
            if problem:
                self.refuse_step(problem, hand, key)

    def refuse_step(self, problem: Problem, hand: Hand, key: str) -> None:
        """Note a problem of a step, with the key of the document it belongs to ("": the name of its field)."""
        self.refuse(replace(problem, field=key or problem.field, hand=hand.number or None))

    def happens(self, kind: str, step: Mapping[str, Value]) -> None:
        """Let an event happen before the coming hand, or note what is wrong with it."""
        number, k = self.table.hands_done + 1, len(self.events) + 1
        ask = self.game.event_ask(self.table, kind, k)
        problems = problems_of_event(self.game, self.table, kind, ask, step)
        for problem in problems:
            self.refuse(problem.at_hand(number))
        if not problems:
            self.entries[number, ask.name] = step
            self.events.append(Event(ask.name, kind, step))
            self.table = self.game.happen(self.table, kind, step)


class ItemReader:
    """One item of a document's ``hands``, offered to the game to be turned into steps and events."""

    def __init__(self, sheet: SheetReader, item: dict[str, object], *, first: bool, last: bool) -> None:
        self.sheet, self.item, self.first, self.last = sheet, item, first, last
        self.game = sheet.game
        self.number = sheet.table.hands_done + 1
        self.before = len(sheet.problems)

    def read(self) -> None:
        """Let the game read the item; a hand that is complete, or spoiled, is behind us then."""
        if self.game.over(self.sheet.table):
            code = "match-over" if self.game.has_legs(self.table) else "game-over"
            self.refuse(code, "The game is over before this.")
            return
        self.hand = self.game.deal(self.sheet.table)
        self.game.read_item(self)

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
            sheet.names[seat] = name
        return seat

    def takes_over(self, key: str, seat: int | None) -> None:
        """Somebody takes over a seat with its total: the name changes, the sheet does not."""
        name, sheet = cast("str", self.item[key]), self.sheet
        if name in [sheet.names[taken] for taken in (*self.table.seats, *self.table.gone)]:
            self.refuse("duplicate-player", "Somebody of that name is on the sheet already.", key, name)
        if not self.is_refused and seat is not None:
            sheet.replaced[self.number, f"substitute-{len(sheet.events) + 1}"] = sheet.names[seat]
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
        row = self.game.score(self.table, self.hand, events=tuple(sheet.events), spoiled=self.is_refused)
        sheet.names_at[self.hand.number] = dict(sheet.names)
        sheet.table = self.game.after(self.table, row)
        sheet.events = []

    def left_open(self) -> None:
        """The hand is still being played; nothing can come after it."""
        self.sheet.hand = self.hand


KEY = "stopped_after"


def stop_if_said(reader: SheetReader) -> None:
    """End the game before the next item where the sheet says so."""
    ended = reader.document.get(KEY) == reader.table.hands_done > 0
    if ended and not reader.game.over(reader.table):
        reader.happens("stop", {})


def read_stop(reader: SheetReader) -> None:
    """End the game after the last item where the sheet says so; ``bad-plan`` where it cannot have ended there."""
    stopped = cast("int | None", reader.document.get(KEY))
    if stopped is None:
        return
    if not reader.game.over(reader.table):
        if stopped == reader.table.hands_done > 0 and reader.hand is None:
            reader.happens("stop", {})
        else:
            reader.refuse(Problem("bad-plan", "The hand after which the game ended is not on the sheet.", KEY))
    elif stopped != reader.table.hands_done:
        reader.refuse(Problem("bad-plan", "The game did not end after that hand.", KEY))
