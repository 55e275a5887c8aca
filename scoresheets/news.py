"""What a scorekeeper is told about what the others write: a line of news."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from scoresheets.happened import event_in_words
from scoresheets.jottings import Jottings
from scoresheets.models import Write
from scoresheets.speech import as_text

if TYPE_CHECKING:
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
    Verb.SET_UP: "changed the set-up",
}
#: What is said of one that did, before what stands there now.
WROTE = {Verb.ENTER: "wrote", Verb.RETYPE: "changed", Verb.CORRECT: "corrected"}


def news_of(reading: SheetReading, write: Write) -> str:
    """Who did what with the last write: "Marge wrote Cy’s bid: 3." """
    who, verb = write.keeper.name or "Another phone", Verb(write.verb)
    if verb == Verb.CALL:
        return f"Another phone is called {write.why} now." if write.why else "A phone has put away its name."
    if verb == Verb.ANNOUNCE:
        return f"{who} announced that the table stops after hand {reading.last_hand}."
    if verb in TOLD:
        return f"{who} {TOLD[verb]}."
    if verb == Verb.RESTORE and write.undoes:
        return f"{who} {verb.label} what was written at {timezone.localtime(write.undoes.at):%H:%M}."
    entry = next((entry for entry in reading.standing.values() if entry.added_id == write.pk), None)
    if entry and entry.address[1].rpartition("-")[0] in reading.game.seatings:
        return f"{who} {verb.label}: {as_text(event_in_words(reading, *entry.address))}."
    if verb == Verb.RULE and entry:
        return f"{who} {verb.label}: {as_text(Jottings(reading).worth(entry.address, entry.data))}."
    if verb in WROTE and entry:
        return f"{who} {WROTE[verb]} {what_it_says(reading, entry)}."
    return f"{who} {verb.label}."


def what_it_says(reading: SheetReading, entry: Standing) -> str:
    """What stands at a place: "Cy’s bid: 3"; more than one number is not read in a line."""
    said = Jottings(reading)
    what = said.what_and_where if entry.verb == Verb.CORRECT else said.what
    worth = said.worth(entry.address, entry.data) if len(entry.data) == 1 else ""
    return as_text(f"{what(entry.address, entry.data)}{f': {worth}' if worth else ''}")


def pencil_told(writes: list[Write], keeper: Keeper) -> dict[str, Any] | None:
    """Who has the pencil, for a phone of `keeper`; None while it is his, or was never handed on.

    `writes`: the last write of the sheet, then the last that took the pencil.
    """
    took = next((w for w in writes if w.verb == Verb.PENCIL and w.keeper.revoked_at is None), None)
    if took is None or took.keeper_id == keeper.pk:
        return None
    return {"version": took.version, "says": f"{took.keeper.name or 'Another phone'} has the pencil now."}
