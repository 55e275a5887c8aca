"""What the button "Take back" names, on the sheet and on the pad."""

from __future__ import annotations

from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.log.state import SheetReading
from scoresheets.pad.build import pad_of, page_of
from scoresheets.views.table.pad import face_of


def sheet_and_pad_name(reading: SheetReading) -> int:
    """The version of the write that both take back, which must be one."""
    told, back = what_is_taken_back(reading), face_of(pad_of(reading), page_of(reading)).back
    assert told
    assert back
    assert told.version == back["version"]
    return told.version
