"""Two phones wrote different things in one place: both are shown, and somebody is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.urls import reverse
from django.utils import timezone

from rules.core.steps import SHEET
from scoresheets.correcting import opened_row, part_of
from scoresheets.jottings import Jottings, where_of
from scoresheets.speech import as_text, capital

if TYPE_CHECKING:
    from rules.core.steps import Address
    from scoresheets.answers import Conflict
    from scoresheets.reading import SheetReading

FIELD = "f-"


class Both(NamedTuple):
    """What two phones wrote in one place, in words: `what` stands there, `by` whom."""

    what: str
    by: str
    theirs: str
    mine: str
    at: str

    @property
    def told(self) -> str:
        return f"{self.by} wrote {self.theirs} at {self.at}, this phone wrote {self.mine}"


def both_of(reading: SheetReading, conflict: Conflict) -> Both:
    """The two values of one place."""
    said, standing = Jottings(reading), conflict.standing
    theirs, mine = (as_text(said.worth(conflict.address, data)) for data in (standing.data, conflict.refused))
    return Both(
        as_text(said.what(conflict.address, standing.data)),
        standing.by or "another phone",
        theirs,
        mine,
        timezone.localtime(standing.at).strftime("%H:%M"),
    )


def conflict_of(reading: SheetReading, conflict: Conflict) -> dict[str, Any]:
    """Both values of one place and who wrote the other, in words and for the form that writes this one after all.

    `verb` and `action` say how: "" where the hand is scored. Then `correct` is the page that corrects it,
    if any, and `row` what is corrected there.
    """
    hand, ask = conflict.address
    standing = conflict.standing
    both = both_of(reading, conflict)
    verb = "retype" if reading.is_open(conflict.address) else ""
    where = f"Hand {hand}, {both.what}" if hand != SHEET and not verb else capital(both.what)
    return {
        "hand": hand,
        "ask": ask,
        "saw": standing.pk,
        "by": both.by,
        "says": f"{where}: {both.told}.",
        "keep": f"Leave {both.theirs}",
        "write": f"Write {both.mine}",
        "verb": verb,
        "action": reverse(verb, args=[reading.record.code]) if verb else "",
        "row": where_of(conflict.address),
        "correct": "" if verb else page_of_correction(reading, conflict.address),
        "fields": [(f"{FIELD}{name}", as_posted(value)) for name, value in conflict.refused.items()],
    }


def as_posted(value: object) -> object:
    """A value as a form has it."""
    return str(value).lower() if isinstance(value, bool) else value


def page_of_correction(reading: SheetReading, address: Address) -> str:
    """Where a row that is done with is corrected; "" where nothing corrects it."""
    part = part_of(address)
    return reverse("correct", args=[reading.record.code, part]) if opened_row(reading, part) else ""
