"""What a scorekeeper is told about what the others write: places and values in few words, and a line of news."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoresheets.models import Write
from scoresheets.trumps import turned_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoresheets.models import Keeper
    from scoresheets.reading import SheetReading, Standing

Verb = Write.Verb

#: What is said of a write that put nothing new on the sheet, after the name of who did it.
TOLD = {
    Verb.AGREE: "wrote the same",
    Verb.UNDO: "took something back",
    Verb.MISDEAL: "noted a misdeal",
    Verb.STOP: "stopped the game",
    Verb.PLAY_ON: "says that the table plays on",
    Verb.NOTE: "said something about a hand",
    Verb.PENCIL: "has the pencil now",
}


def news_of(reading: SheetReading, write: Write) -> str:
    """Who did what with the last write: "Marge wrote Cy’s bid: 3." """
    who, verb = write.keeper.name or "Another phone", Verb(write.verb)
    if verb == Verb.CALL:
        return f"Another phone is called {write.why} now." if write.why else "A phone has put away its name."
    if verb in TOLD:
        return f"{who} {TOLD[verb]}."
    entry = next((entry for entry in reading.standing.values() if entry.added_id == write.pk), None)
    if verb == Verb.RETYPE and entry:
        return f"{who} changed {place(reading, entry.address[1])}{worth_saying(entry, ' to ')}."
    if verb == Verb.ENTER and entry:
        return f"{who} wrote {place(reading, entry.address[1])}{worth_saying(entry, ': ')}."
    return f"{who} {verb.label}."


def worth_saying(entry: Standing, before: str) -> str:
    """A single value as it is read; more of them are not read in a line."""
    values = list(entry.data.values())
    return f"{before}{values[0]}" if len(values) == 1 and "bid" in entry.data else ""


def place(reading: SheetReading, ask: str) -> str:
    """A place on the sheet in words."""
    name, _, seat = ask.rpartition("-")
    if name.endswith("bid") and seat.isdecimal() and int(seat) in reading.names:
        return f"{reading.names[int(seat)]}’s bid"
    if name == "draw":
        return "the cards that were drawn"
    return {"tricks": "the tricks", "trump": "the trump"}.get(ask.rpartition("-")[2], "something")


def value_words(reading: SheetReading, data: Mapping[str, Any]) -> str:
    """What stands at a place, in few words."""
    if "suit" in data or "turned" in data:
        return str(turned_of(data)["label"])
    by_seat = [(name.rpartition("-")[2], value) for name, value in data.items()]
    if len(by_seat) == 1:
        return str(by_seat[0][1])
    # In the order they sit, whatever the order of the form: two of these are compared by eye.
    places = {str(seat): place for place, seat in enumerate(reading.sheet.table.seats)}
    by_seat.sort(key=lambda pair: places.get(pair[0], 0))
    return ", ".join(
        f"{reading.names.get(int(seat), seat) if seat.isdecimal() else seat} {value}" for seat, value in by_seat
    )


def pencil_told(writes: list[Write], keeper: Keeper) -> dict[str, Any] | None:
    """Who has the pencil, for a phone of `keeper`; None while it is his, or was never handed on.

    `writes`: the last write of the sheet, then the last that took the pencil.
    """
    took = next((w for w in writes if w.verb == Verb.PENCIL and w.keeper.revoked_at is None), None)
    if took is None or took.keeper_id == keeper.pk:
        return None
    return {"version": took.version, "says": f"{took.keeper.name or 'Another phone'} has the pencil now."}
