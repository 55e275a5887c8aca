"""Replay: the fold of all entries into a sheet, hand by hand.

A sheet is a mapping from an address (hand number, name of the ask) to a step. Reading never raises on recorded data: a
missing or invalid step makes its hand the open one, and later entries are *unread*, never lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from rules.core.fields import SHEET, Address, Ask, Value
from rules.core.game import Game
from rules.core.outcome import Settlement, Waiting
from rules.core.placings import Placing
from rules.core.playoffs.group_end import settled_by_rank
from rules.core.problems import Problem
from rules.core.table import Event, Hand, Row, Table
from rules.core.texts import CallOut

Entries = Mapping[Address, Mapping[str, Value]]


@dataclass(frozen=True)
class OpenHand:
    """The hand being written down.

    ``hand`` holds what stands so far; ``events`` what happened before it and ``next_event`` the number the next
    event would get. ``missing`` is the ask that is due. ``misfit`` is a step that stands here but does
    not fit (with its ``problems``): it is shown, asked again, and never lost.
    """

    hand: Hand
    events: tuple[Event, ...] = ()
    next_event: int = 1
    missing: Ask | None = None
    misfit: Address | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """A sheet as read: the scored rows, the open hand, or how it ended.

    ``table`` is the table as the open hand finds it (after its events), or after the last hand. ``events`` is what
    happened since the last scored hand, an early end included; ``noted`` what is to happen after the open hand.
    """

    game: Game
    table: Table
    open: OpenHand | None
    settlement: Settlement | None
    unread: tuple[Address, ...] = ()
    events: tuple[Event, ...] = ()
    noted: tuple[Event, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """The scored hands, in order."""
        return self.table.rows

    @property
    def finished(self) -> bool:
        """Whether the sheet waits for nothing."""
        return self.settlement is not None and not self.settlement.waiting

    @property
    def totals(self) -> Mapping[int, int]:
        """Running totals of the seated; after the last leg, that leg's final totals.

        What blind hands add to them is in them, where the house has it count.
        """
        totals, added = self.game.totals(self.table), self.settlement.added if self.settlement else {}
        return {seat: total + added.get(seat, 0) for seat, total in totals.items()} if added else totals

    @property
    def boxed(self) -> tuple[int, ...]:
        """Who is in the box after the last scored hand. Nobody before the first."""
        return self.box_and_circle[0] if self.table.hands_done else ()

    @property
    def circled(self) -> tuple[int, ...]:
        """Who is circled after the last scored hand. Nobody before the first."""
        return self.box_and_circle[1] if self.table.hands_done else ()

    @property
    def box_and_circle(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who has the best and who the worst of the totals of the sheet, without what blind hands add to them."""
        return self.game.box_and_circle(self.table, self.game.totals(self.table))

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """What the sheet waits for; nothing once it is finished."""
        if self.settlement is not None:
            return self.settlement.waiting
        return (Waiting("hand", number=self.table.hands_done + 1),)

    @property
    def winner(self) -> int | None:
        """The seat that has won, once nothing about it is open."""
        return self.settlement.winner if self.settlement else None

    @property
    def loser(self) -> int | None:
        """The seat that takes the loser's trophy, once nothing about it is open."""
        return self.settlement.loser if self.settlement else None

    @property
    def placings(self) -> tuple[Placing, ...]:
        """Places of the seated: of the running sheet, or as settled."""
        if self.settlement is not None:
            return self.settlement.placings
        return settle(self.game, self.table, {}).placings

    @property
    def callouts(self) -> tuple[CallOut, ...]:
        """What the whole game calls out, once it is finished."""
        if not self.finished or self.settlement is None:
            return ()
        return self.game.game_callouts(self.table, self.settlement)

    def row(self, number: int) -> Row | None:
        """The scored hand of that number."""
        return next((row for row in self.rows if row.hand.number == number), None)

    def coming(self) -> tuple[Hand, ...]:
        """The planned hands that are not scored yet, the open one first. A race knows only the next."""
        if self.open is None:
            return ()
        return (
            self.game.deal(self.table),
            *(planned(self.game, self.ahead) if self.game.planned_hands(self.table) else ()),
        )

    @property
    def ahead(self) -> Table:
        """The table as the hand after the open one finds it, as far as that is known: the totals are those of now.

        Where no hand is open it is the table as it is.
        """
        table = self.game.dealt(self.table, self.open.hand) if self.open else self.table
        for event in self.noted:
            table = self.game.happen(table, event.kind, event.step)
        return table


def planned(game: Game, table: Table) -> tuple[Hand, ...]:
    """The hands that are planned from the table on."""
    hands: list[Hand] = []
    while not game.over(table):
        hands.append(game.deal(table))
        table = game.dealt(table, hands[-1])
    return tuple(hands)


def read(game: Game, table: Table, entries: Entries) -> Sheet:
    """Fold ``entries`` from the table as it was opened. Never raises on recorded data."""
    seen: set[Address] = set()
    carried = game.carried_ask(table)
    if carried and (SHEET, carried.name) in entries:
        step = entries[SHEET, carried.name]
        seen.add((SHEET, carried.name))
        if not list(carried.problems(step)):
            table = game.carry(table, step)
    events: tuple[Event, ...] = ()
    while not game.over(table):
        left = table
        table, opened, seen_here = read_hand(game, table, entries)
        seen |= seen_here
        events = opened.events
        if table.stopped:
            # The game stops as the last scored hand left it, whatever has happened since.
            table = replace(left, stopped=True)
            break
        if opened.missing or opened.misfit:
            noted, seen_ahead = read_noted(game, game.dealt(table, opened.hand), entries)
            return Sheet(game, table, opened, None, unread_of(entries, seen | seen_ahead), events, noted)
        table, events = game.following(game.score(table, opened.hand, events=events)), ()
    settlement = settle(game, table, entries)
    return Sheet(game, table, None, settlement, unread_of(entries, seen | settlement.read), events)


def settle(game: Game, table: Table, entries: Entries) -> Settlement:
    """Places, winner and loser, or who goes on: as the game settles it, or by rank where it has nothing of its own."""
    return game.settle(table, entries) or settled_by_rank(game, table, entries)


def read_hand(game: Game, table: Table, entries: Entries) -> tuple[Table, OpenHand, set[Address]]:
    """The next hand of the table, as far as the entries tell it, and the addresses that were read."""
    number = table.hands_done + 1
    events: list[Event] = []
    seen: set[Address] = set()
    while kind := next((k for k in game.events if (number, f"{k}-{len(events) + 1}") in entries), None):
        name = f"{kind}-{len(events) + 1}"
        step = entries[number, name]
        ask = game.event_ask(table, kind, len(events) + 1)
        problems = problems_of_event(game, table, kind, ask, step)
        if problems:
            opened = OpenHand(
                game.deal(table), tuple(events), len(events) + 1, ask, misfit=(number, name), problems=problems
            )
            return table, opened, seen
        seen.add((number, name))
        events.append(Event(name, kind, step))
        table = game.happen(table, kind, step)
        if table.stopped:
            return table, OpenHand(game.deal(table), tuple(events)), seen
    _, opened, seen_steps = fill(game, table, game.deal(table), entries)
    return table, replace(opened, events=tuple(events), next_event=len(events) + 1), seen | seen_steps


def read_noted(game: Game, table: Table, entries: Entries) -> tuple[tuple[Event, ...], set[Address]]:
    """What was noted for the hand after the open one, while that is played, and the addresses that were read."""
    number = table.hands_done + 1
    noted: list[Event] = []
    while not game.over(table):
        k = len(noted) + 1
        kind = next((kind for kind in game.seatings if (number, f"{kind}-{k}") in entries), None)
        if kind is None:
            break
        step = entries[number, f"{kind}-{k}"]
        if problems_of_event(game, table, kind, game.event_ask(table, kind, k), step):
            break
        noted.append(Event(f"{kind}-{k}", kind, step))
        table = game.happen(table, kind, step)
    return tuple(noted), {(number, event.name) for event in noted}


def fill(game: Game, table: Table, hand: Hand, entries: Entries) -> tuple[Hand, OpenHand, set[Address]]:
    """Write the entries of one hand into it, ask by ask, up to the first that is missing or does not fit."""
    seen: set[Address] = set()
    for ask in game.asks(table, hand):
        address = hand.address(ask.name)
        if address not in entries:
            if ask.optional:
                continue
            return hand, OpenHand(hand, missing=ask), seen
        step = entries[address]
        problems = problems_of_step(game, table, hand, ask, step)
        if problems:
            return hand, OpenHand(hand, missing=ask, misfit=address, problems=problems), seen
        seen.add(address)
        hand = hand.with_step(ask.name, step)
    return hand, OpenHand(hand), seen


def problems_of_step(
    game: Game, table: Table, hand: Hand, ask: Ask, step: Mapping[str, Value], *, blocking: bool = True
) -> tuple[Problem, ...]:
    """The problems of a step, those of its fields first; only the blocking ones unless asked otherwise."""
    problems = tuple(ask.problems(step))
    if are_of_its_types(problems):
        problems = (*problems, *game.check(table, hand, ask, step))
    return tuple(problem for problem in problems if problem.blocking or not blocking)


def problems_of_event(game: Game, table: Table, kind: str, ask: Ask, step: Mapping[str, Value]) -> tuple[Problem, ...]:
    """The blocking problems of an event."""
    problems = tuple(ask.problems(step)) or tuple(game.check_event(table, kind, step))
    return tuple(problem for problem in problems if problem.blocking)


def fits(ask: Ask, step: Mapping[str, Value]) -> bool:
    """Whether every field is there with a value of its type, so that sums can be told even out of range."""
    return are_of_its_types(ask.problems(step))


def are_of_its_types(problems: Iterable[Problem]) -> bool:
    """Whether none of the problems of an ask's fields is that one is not there, or has a value of another type."""
    kinds_wrong = ("missing-field", "unknown-field", "not-a-number", "not-a-tick")
    return not any(problem.code in kinds_wrong for problem in problems)


def unread_of(entries: Entries, seen: set[Address]) -> tuple[Address, ...]:
    """The addresses that stand on the sheet without being read."""
    return tuple(sorted(address for address in entries if address not in seen))


@dataclass(frozen=True)
class Stood:
    """What an address is asked for, on the sheet as it stood before the step: table, hand and ask.

    ``kind`` is the kind of event where the ask is one.
    """

    table: Table
    hand: Hand
    ask: Ask
    kind: str | None = None


def stood(game: Game, table: Table, entries: Entries, address: Address) -> Stood | None:
    """What ``address`` is asked for, seen without the step that may stand there; None: it is not its turn."""
    sheet = read(game, table, {other: step for other, step in entries.items() if other != address})
    return stood_on(sheet, table, address)


def stood_on(sheet: Sheet, opened: Table, address: Address) -> Stood | None:
    """The same on a sheet where nothing stands at ``address``; ``opened`` is its table as it was opened."""
    game, (number, name) = sheet.game, address
    if number == SHEET:
        return stood_after(sheet, opened, name)
    if sheet.open and sheet.open.hand.number == number:
        table, hand, next_event, missing = sheet.table, sheet.open.hand, sheet.open.next_event, sheet.open.missing
    elif row := sheet.row(number):
        table, hand, next_event, missing = row.table, row.hand, len(row.events) + 1, None
    else:
        return stood_ahead(sheet, number, name)
    asks = tuple(game.asks(table, hand))
    kind = next((kind for kind in game.events if name == f"{kind}-{next_event}"), None)
    if kind:
        begun = any(ask.name in hand.steps for ask in asks if not ask.optional)
        return None if begun else Stood(table, hand, game.event_ask(table, kind, next_event), kind)
    # What may be left out is read in its place, and so it is asked for no earlier.
    due = asks[: asks.index(missing)] if missing in asks else asks
    ask = next((ask for ask in due if ask.optional and ask.name == name), None)
    ask = missing if missing and missing.name == name else ask
    return Stood(table, hand, ask) if ask else None


def stood_ahead(sheet: Sheet, number: int, name: str) -> Stood | None:
    """The same for what can be noted for the hand after the open one."""
    game, k = sheet.game, len(sheet.noted) + 1
    kind = next((kind for kind in game.seatings if name == f"{kind}-{k}"), None)
    if sheet.open is None or number != sheet.open.hand.number + 1 or kind is None:
        return None
    table = sheet.ahead
    return None if game.over(table) else Stood(table, game.deal(table), game.event_ask(table, kind, k), kind)


def stood_after(sheet: Sheet, opened: Table, name: str) -> Stood | None:
    """The same for what belongs to the sheet and to no hand: carried totals, blind hands, draws."""
    page = Hand(SHEET, sheet.table.next_dealer, ())
    carried = sheet.game.carried_ask(opened)
    if carried and carried.name == name:
        return Stood(opened, page, carried)
    if sheet.settlement is None:
        return None
    hand = sheet.settlement.hand or page
    ask = next((ask for ask in sheet.settlement.asks if ask.name == name), None)
    if ask is None:
        return None
    own = ask.name.removeprefix(hand.prefix) if hand.prefix else ask.name
    return Stood(sheet.table, hand, replace(ask, name=own))


OUT_OF_TURN = Problem("out-of-turn", "That is not what the sheet asks for now.")


def problems(
    game: Game, table: Table, entries: Entries, address: Address, step: Mapping[str, Value]
) -> tuple[Problem, ...]:
    """Every problem of writing ``step`` at ``address`` on the sheet, the unwise ones included."""
    return problems_at(game, stood(game, table, entries, address), step)


def problems_at(game: Game, place: Stood | None, step: Mapping[str, Value]) -> tuple[Problem, ...]:
    """The same where it is known what is asked for there."""
    if place is None:
        return (OUT_OF_TURN,)
    if place.kind:
        return tuple(place.ask.problems(step)) or tuple(game.check_event(place.table, place.kind, step))
    return problems_of_step(game, place.table, place.hand, place.ask, step, blocking=False)
