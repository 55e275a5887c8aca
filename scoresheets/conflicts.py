"""Two phones wrote different things in one place: both are shown, and somebody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils import timezone

from rules.core.steps import SHEET
from scoresheets.correcting import opened_row, part_of
from scoresheets.jottings import Jottings, as_text

if TYPE_CHECKING:
    from rules.core.steps import Address
    from scoresheets.answers import Conflict
    from scoresheets.reading import SheetReading

FIELD = "f-"


def conflict_of(reading: SheetReading, conflict: Conflict) -> dict[str, Any]:
    """Both values of one place and who wrote the other, in words and for the form that writes this one after all.

    `verb` and `action` say how: "" where the hand is scored. Then `correct` is the page that corrects it,
    if any, and `row` what is corrected there.
    """
    hand, ask = conflict.address
    standing = conflict.standing
    said, by = Jottings(reading), standing.by or "another phone"
    what = as_text(said.what(conflict.address, standing.data))
    theirs, mine = (as_text(said.worth(conflict.address, data)) for data in (standing.data, conflict.refused))
    wall_time = timezone.localtime(standing.at).strftime("%H:%M")
    verb = "retype" if reading.is_open(conflict.address) else ""
    where = f"Hand {hand}, {what}" if hand != SHEET and not verb else f"{what[:1].upper()}{what[1:]}"
    return {
        "hand": hand,
        "ask": ask,
        "saw": standing.pk,
        "by": by,
        "says": f"{where}: {by} wrote {theirs} at {wall_time}, this phone wrote {mine}.",
        "keep": f"Leave {theirs}",
        "write": f"Write {mine}",
        "verb": verb,
        "action": reverse(verb, args=[reading.record.code]) if verb else "",
        "row": f"hand {hand}" if hand != SHEET else "the draw" if ask.startswith("draw") else "the blind hand",
        "correct": "" if verb else page_of_correction(reading, conflict.address),
        "fields": [(f"{FIELD}{name}", value) for name, value in conflict.refused.items()],
    }


def page_of_correction(reading: SheetReading, address: Address) -> str:
    """Where a row that is done with is corrected; "" where nothing corrects it."""
    part = part_of(address)
    return reverse("correct", args=[reading.record.code, part]) if opened_row(reading, part) else ""
