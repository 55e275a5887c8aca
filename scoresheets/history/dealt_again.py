"""Repair of sheets with a misdeal after which an entry from before it came back.

An entry that was undone before a misdeal could once be restored after it; `undo` refuses that now. On such a sheet
neither the entry nor the misdeal can be undone. While the hand is open, the entry is withdrawn, and the sheet is as it
was right after the misdeal.
"""

from __future__ import annotations

from scoresheets.commands.undo import SOMETHING_LATER, is_event, is_misdeal, left_unread
from scoresheets.log.answers import Answer, Done, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading, is_for_the_rules
from scoresheets.models import Revision


def dealt_away(reading: SheetReading) -> list[LogEntry]:
    """What stands of a hand although a misdeal that was written later stands there too."""
    misdeals: dict[int, int] = {}
    for entry in reading.standing.values():
        if is_misdeal(entry.address):
            misdeals[entry.address[0]] = max(entry.first, misdeals.get(entry.address[0], 0))
    return [
        entry
        for entry in reading.standing.values()
        if entry.first < misdeals.get(entry.address[0], 0)
        and is_for_the_rules(entry.address)
        and not is_event(reading, entry.address)
    ]


def mended(reading: SheetReading) -> Change | None:
    """The change that withdraws it. None where people have to say what is right: the hand is scored and was read out
    so, or something was written that stands on it.
    """
    active = dealt_away(reading)
    if not active or any(reading.is_scored(entry.address) for entry in active):
        return None
    change = Change(Revision.Verb.UNDO, {}, active, undoes_id=active[0].added_id)
    return None if left_unread(reading, change) else change


def mend(reading: SheetReading) -> bool:
    """Withdraw it, as whoever brought it back; whether that was done."""
    change = mended(reading)
    if change is None or change.undoes_id is None:
        return False
    undo = Revision.objects.select_related("keeper").get(pk=change.undoes_id)

    def decide(fresh: SheetReading) -> Change | Answer:
        return mended(fresh) or Refused((SOMETHING_LATER,), fresh)

    sheet, key = reading.record, f"dealt-away-{undo.pk:010}"
    return isinstance(append_revision(sheet, Revision.Verb.UNDO, {"key": key}, decide, key=key, by=undo.keeper), Done)
