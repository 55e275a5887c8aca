"""What a pad is told of a game whose hands are written down ask by ask.

The page has a place for every ask of a hand; the script shows the one that is due. For that it needs what is asked, in
which order, what is written already, in words, and what the game says of the hand as it stands (`Game.shows` and
`Game.shut`). Points need the site, so the coming hands have only who deals and who leads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.core.fields import SeatChoice, Value
from rules.core.game import Game
from rules.core.table import Hand, Row, Table
from rules.core.texts import Written
from scoresheets.log.state import SheetReading
from scoresheets.pad.timer import clock_of
from scoresheets.wording.entry_text import Jottings
from scoresheets.wording.markup import in_parts, joined

#: So many hands of a race a phone can go on without network. Nobody knows how many there will be.
AHEAD = 16
#: What stands of no hand.
NOTHING: dict[str, Any] = {"shows": {}, "shut": []}


def hands_ahead(reading: SheetReading) -> Iterator[Hand]:
    """The open hand as it was dealt, and those after it, as far as can be told without knowing how they end."""
    sheet, game = reading.sheet, reading.game
    if sheet.open is None:
        return
    yield game.deal(sheet.table)
    table = sheet.ahead
    planned = game.planned_hands(table)
    while table.hands_done < planned if planned else table.hands_done <= sheet.table.hands_done + AHEAD:
        hand = game.deal(table)
        yield hand
        table = game.dealt(table, hand)


def asks_data(reading: SheetReading, opened: Hand | None) -> dict[str, Any]:
    """What `state.pad_of` says beside what it says of every game, where the hand is written down ask by ask.

    `asks` are those of the open hand, after the last one those of the last. `shows` and `shut` are the game's words for
    it as it stands, `begins` the same before anything was written. `told` are the steps in words, in parts. `legs` are
    the rubbers or games won, `clock` what goes on for so many minutes.
    """
    game, table = reading.game, reading.sheet.table
    legs = {"legs": table.legs_won() if game.has_legs(table) else None}
    if opened is None:
        last = table.rows[-1] if table.rows else None
        asks = asked_of(reading, last.table, last.hand) if last else []
        return {"asks": asks, **NOTHING, "begins": NOTHING, "told": {}, "clock": None, **legs}
    said = Jottings(reading)
    return {
        "asks": asked_of(reading, table, opened),
        **as_it_stands(game, table, opened),
        "begins": as_it_stands(game, table, replace(opened, steps={})),
        "told": {ask: in_parts(told_of(said, opened, ask, step)) for ask, step in opened.steps.items()},
        "clock": clock.data if (clock := clock_of(reading)) else None,
        **legs,
    }


def asked_of(reading: SheetReading, table: Table, hand: Hand) -> list[dict[str, Any]]:
    """The asks of a hand in order; `what` stands there, in parts: "the bid"."""
    said = Jottings(reading)
    return [
        {"name": ask.name, "optional": ask.optional, "what": in_parts(said.what(hand.address(ask.name)))}
        for ask in reading.game.asks(table, hand)
    ]


def as_it_stands(game: Game, table: Table, hand: Hand) -> dict[str, Any]:
    """What the game's page shows of a hand, and what cannot be meant in it."""
    return {"shows": dict(game.shows(table, hand)), "shut": sorted(game.shut(table, hand))}


def told_of(said: Jottings, hand: Hand, ask: str, step: Mapping[str, Value]) -> Any:
    """What was written at an ask, in words; nothing chosen is what the game calls it, else nobody or nothing."""
    worth = said.worth(hand.address(ask), step)
    if worth.isdecimal():
        return joined([said.called(ask, next(iter(step))), worth])
    if step or worth != Written("").empty:
        return worth
    asked = next((one for one in said.reading.game.asks(said.reading.sheet.table, hand) if one.name == ask), None)
    return "nobody" if asked and all(isinstance(field, SeatChoice) for field in asked.fields) else "nothing"


def closing(reading: SheetReading, row: Row) -> str:
    """The ask whose step completed the hand: the one that was written last."""
    hand = row.hand

    def written(name: str) -> int:
        entry = reading.standing.get(hand.address(name))
        return entry.first if entry else 0

    return max(reversed(list(hand.steps)), key=written, default="")
