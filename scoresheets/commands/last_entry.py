"""The last entry that was played, among many of one revision: the one that "take back" undoes.

A game that was typed in from paper, or came from a file, is one revision. Taking back a bid must not remove the whole
game; for that the sheet is restored from its history.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules.core.fields import SHEET, Address
from rules.core.outcome import Settlement
from rules.core.table import Event, Hand, Table
from scoresheets.log.entries import LogEntry
from scoresheets.log.occupants import SITS
from scoresheets.log.state import SheetReading


def last_said(reading: SheetReading, active: Collection[LogEntry]) -> list[LogEntry]:
    """The last thing played among entries that stand, with who sits down by it; nothing, where nothing was played."""
    places = {address: place for place, address in enumerate(as_played(reading))}
    played = [entry for entry in active if entry.address in reading.entries]
    if not played:
        return []
    # What has lost its place is not what anybody means; it is taken off where it is told.
    read = [entry for entry in played if entry.address in places]
    last = max(read or played, key=lambda entry: (places.get(entry.address, 0), entry.address))
    hand, ask = last.address
    kind, _, k = ask.rpartition("-")
    if kind not in reading.game.events:
        return [last]
    return [last, *(entry for entry in active if entry.address[0] == hand and is_beside(entry.address[1], k))]


def is_beside(ask: str, k: str) -> bool:
    """Whether the ask says who sits somewhere by the event of that number."""
    return ask.startswith(SITS) and ask.count("-") > 1 and ask.rpartition("-")[2] == k


def as_played(reading: SheetReading) -> Iterator[Address]:
    """Every address that was read, in the order in which it was played."""
    sheet, game = reading.sheet, reading.game
    carried = game.carried_ask(reading.table)
    if carried:
        yield (SHEET, carried.name)
    for row in sheet.rows:
        yield from addresses_of_hand(reading, row.table, row.hand, row.events)
    number = reading.next_hand
    if sheet.open:
        yield from addresses_of_hand(reading, sheet.table, sheet.open.hand, sheet.events)
    else:
        yield from ((number, event.name) for event in sheet.events)
    yield from ((number + 1, event.name) for event in sheet.noted)
    if sheet.settlement:
        yield from addresses_of_end(reading, sheet.settlement)


def addresses_of_end(reading: SheetReading, settlement: Settlement) -> Iterator[Address]:
    """Blind hands and draws, and what the organiser ruled between them: of a group there is one kind alone."""
    yield from ruled_after(settlement, 0)
    for k, tie in enumerate(settlement.ties, 1):
        yield from addresses_of_hand(reading, tie.table, tie.hand, ())
        yield from ruled_after(settlement, k)
    if settlement.hand:
        yield from addresses_of_hand(reading, reading.sheet.table, settlement.hand, ())
    for k in range(1, len(settlement.draws) + 1):
        yield (SHEET, f"draw-{k}")
        yield from ruled_after(settlement, k)


def ruled_after(settlement: Settlement, played: int) -> Iterator[Address]:
    """What the organiser ruled after so many blind hands or cards."""
    return ((SHEET, ruled.name) for ruled in settlement.rulings if ruled.after == played)


def addresses_of_hand(reading: SheetReading, table: Table, hand: Hand, events: tuple[Event, ...]) -> Iterator[Address]:
    """What happened before a hand, and what was written in it."""
    yield from ((hand.number, event.name) for event in events)
    yield from (hand.address(ask.name) for ask in reading.game.asks(table, hand) if ask.name in hand.steps)
