"""The state of reading a document: the table, the entries, the seating, and every problem so far.

Each item is written into the open hand even if it is wrong, and reading goes on, so that *all* problems are reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from rules.core.engine.replay import problems_of_event, problems_of_step, settle
from rules.core.fields import Address, Ask, Value
from rules.core.files.group_keys import read_decides, read_rulings, refuse_rulings_left
from rules.core.game import Game
from rules.core.outcome import Cut
from rules.core.problems import Problem
from rules.core.table import Event, Hand

#: The key for the hand after which a game was ended early.
STOPPED_AFTER = "stopped_after"
#: With these nothing can be told about the hands: nobody knows how many sit there, or who is meant.
HOPELESS = ("bad-players", "duplicate-player")
#: With these nobody knows how many cards a hand has.
NO_PLAN = ("bad-plan", "bad-peak")


class SheetReader:
    """Keeps what a well-shaped document has said, item by item: entries and problems."""

    def __init__(self, game: Game, document: dict[str, object]) -> None:
        self.game, self.document = game, document
        self.problems: list[tuple[Problem, str | None]] = []
        self.entries: dict[Address, Mapping[str, Value]] = {}
        self.names: dict[int, str] = {}
        self.names_at: dict[int, Mapping[int, str]] = {}
        self.replaced: dict[Address, str] = {}
        #: Everybody's number (:meth:`rules.core.table.Table.occupant`), by name.
        self.occupants: dict[str, int] = {}
        #: What is said about hands, by number: that of an event belongs to the hand it comes before.
        self.notes: dict[int, str] = {}
        self.events: list[Event] = []
        self.hand: Hand | None = None
        #: Nothing after this can be told: it is not known which hand comes next.
        self.is_lost = False
        #: Where the plan is impossible, only the single values of a hand and its names can be told.
        self.has_plan = True

    # -- the walk, which :func:`rules.core.files.sheet_file.read_sheet` leads ---------------------------

    def opens(self) -> bool:
        """Open the table as the document says; False where that is too wrong to tell anything about the hands."""
        players = cast("list[str]", self.document["players"])
        self.names = dict(enumerate(players, 1))
        self.occupants = {name: seat for seat, name in self.names.items()}
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
        codes = {problem.code for problem, _ in self.problems}
        if not codes.isdisjoint(HOPELESS):
            return False
        self.has_plan = codes.isdisjoint(NO_PLAN)
        most = () if self.has_plan else self.game.most_in_any_plan(len(players))
        if not self.has_plan and not most:
            return False
        opened = self.game.open_table(
            list(self.names),
            players.index(first) + 1 if first in players else 1,
            plan if self.has_plan else {},
            {key: value for key, value in house_rules.items() if not known[key].problem(value)},
            read_decides(self.document, self.names, self.refuse),
        )
        self.opened = self.table = opened if self.has_plan else opened.but(schedule=most)
        return True

    def sits_down(self, name: str, seat: int, unless_known: int) -> None:
        """Say by number who sits there from the coming hand on; ``unless_known`` if they have not sat there before."""
        number = self.occupants.setdefault(name, unless_known)
        known = {**self.table.known_occupants, (self.table.hands_done + 1, seat): number}
        self.opened, self.table = self.opened.but(known_occupants=known), self.table.but(known_occupants=known)

    def stop_if_said(self) -> None:
        """End the game before the next item where the sheet says so."""
        ended = self.document.get(STOPPED_AFTER) == self.table.hands_done > 0
        if ended and not self.game.over(self.table):
            self.happens("stop", {})

    def read_stop(self) -> None:
        """End the game after the last item where the sheet says so; ``bad-plan`` where it cannot have ended there."""
        stopped = cast("int | None", self.document.get(STOPPED_AFTER))
        if stopped is None:
            return
        if not self.game.over(self.table):
            if stopped == self.table.hands_done > 0 and self.hand is None:
                self.happens("stop", {})
            else:
                wrong = "The hand after which the game ended is not on the sheet."
                self.refuse(Problem("bad-plan", wrong, STOPPED_AFTER))
        elif stopped != self.table.hands_done:
            self.refuse(Problem("bad-plan", "The game did not end after that hand.", STOPPED_AFTER))

    def read_rulings(self, *, played: int) -> None:
        """Write the rulings that were given after so many blind hands or cards."""
        read_rulings(self.document, self.names, self.entries, self.cut_now, self.refuse, played=played)

    def refuse_rulings_left(self) -> None:
        """Say of every ruling that is about no tie that it is none."""
        if not self.problems:
            refuse_rulings_left(self.document, self.entries, self.refuse)

    def cut_now(self) -> Cut | None:
        """Where everybody goes on as the sheet stands; None where it cannot be told, or is not over."""
        if self.problems or not self.game.over(self.table):
            return None
        return settle(self.game, self.table, self.entries).cut

    def note(self, text: str, *, to_come: bool) -> None:
        """Keep what an item says about the hand to come, or the one just read."""
        if text:
            number = self.table.hands_done + to_come
            self.notes[number] = "; ".join(part for part in (self.notes.get(number, ""), text) if part)

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
        if self.has_plan:
            for problem in problems_of_step(self.game, self.table, hand, ask, step):
                self.refuse_step(problem, hand, key)
        else:
            self.judge(hand, ask, step, key)
        self.entries[hand.address(ask.name)] = step
        return hand.with_step(ask.name, step)

    def judge(self, hand: Hand, ask: Ask, step: Mapping[str, Value], key: str) -> None:
        """Say what is wrong with the fields that an answer does give, each by itself; nothing is written."""
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
