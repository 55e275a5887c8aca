"""A conflict: two phones wrote different things in one place. The page shows both, and a scorekeeper chooses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html

from rules.core.fields import SHEET, Address
from scoresheets.corrections.correct import opened_row, part_of
from scoresheets.corrections.links import correction_link
from scoresheets.log.answers import Conflict
from scoresheets.log.state import SheetReading
from scoresheets.wording.entry_text import EntryText, flattened, where_of
from scoresheets.wording.labels import stem_of
from scoresheets.wording.markup import as_text, capital, in_parts, joined

FIELD = "f-"
#: A line names so many numbers that differ, and a button says so many, if they are no longer than so many letters.
MOST_SAID = 3
LONGEST_LABEL = 60


class TwoValues(NamedTuple):
    """What two phones wrote in one place, in words: `what` stands there, `by` whom; `many` numbers of it differ."""

    what: str
    by: str
    theirs: str
    mine: str
    at: str
    many: int

    @property
    def sentence(self) -> str:
        return f"{self.by} entered {self.theirs} at {self.at}, this phone entered {self.mine}"


def two_values(reading: SheetReading, conflict: Conflict) -> TwoValues:
    """The two values of one place, as far as they differ."""
    texts, standing = EntryText(reading), conflict.standing
    only = different(standing.data, conflict.refused)
    theirs, mine = (as_text(texts.worth(conflict.address, data)) for data in only)
    return TwoValues(
        as_text(texts.what(conflict.address, standing.data)),
        standing.by or "another phone",
        theirs,
        mine,
        timezone.localtime(standing.at).strftime("%H:%M"),
        len({**only[0], **only[1]}),
    )


def different(theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Both without the fields in which they agree; whole where a field is a list of its own, as in the set-up.

    >>> different({"tricks-1": 2, "tricks-2": 0}, {"tricks-1": 1, "tricks-2": 0})
    ({'tricks-1': 2}, {'tricks-1': 1})
    """
    if any(isinstance(value, dict | list) for value in [*theirs.values(), *mine.values()]):
        return theirs, mine
    names = [name for name in {**theirs, **mine} if says(theirs.get(name)) != says(mine.get(name))]
    return {n: theirs[n] for n in names if n in theirs}, {n: mine[n] for n in names if n in mine}


def says(value: object) -> object:
    """The value; a box that nobody ticked and an empty text say nothing."""
    return None if value is False or value == "" else value


def difference_line(reading: SheetReading, conflict: Conflict) -> list[str]:
    """What differs in one line, its names set apart: "Hand 5: Bo 2 or 1? Joe 1 or 2?"."""
    texts, address, theirs = EntryText(reading), conflict.address, conflict.standing.data
    pairs = texts.pairs(address, theirs, conflict.refused, "{} or {}?")
    names = [*flattened(theirs), *flattened(conflict.refused)]
    is_clear = bool(names) and texts.is_by_seat(stem_of(address[1]), names[0]) and not texts.needs_name(address)
    what = [] if is_clear else [format_html("{}", texts.what(address, theirs))]
    more = [f"+ {len(pairs) - MOST_SAID} more"] if len(pairs) > MOST_SAID else []
    return in_parts(joined([f"{capital(where_of(address))}:", *what, *pairs[:MOST_SAID], *more]))


def conflict_of(reading: SheetReading, conflict: Conflict) -> dict[str, Any]:
    """Both values of one place and who wrote the other, in words and for the form that writes this one after all.

    `line` says in few words what differs. `verb` and `action` say how: "" where the hand is scored. Then `correct` is
    the page that corrects it, if any, `use` the same with what this phone entered, and `row` what is corrected there.
    """
    hand, ask = conflict.address
    standing = conflict.standing
    both = two_values(reading, conflict)
    is_short = both.many <= MOST_SAID and max(len(both.theirs), len(both.mine)) <= LONGEST_LABEL
    verb = "retype" if reading.is_open(conflict.address) else ""
    correct = "" if verb else page_of_correction(reading, conflict.address)
    where = f"Hand {hand}, {both.what}" if hand != SHEET and not verb else capital(both.what)
    return {
        "hand": hand,
        "ask": ask,
        "saw": standing.pk,
        "by": both.by,
        "says": f"{where}: {both.sentence}.",
        "line": difference_line(reading, conflict),
        "keep": f"Keep {both.theirs}" if is_short else f"Keep what {both.by} entered",
        "write": f"Use {both.mine}" if is_short else "Use what this phone entered",
        "verb": verb,
        "action": reverse(verb, args=[reading.record.code]) if verb else "",
        "row": where_of(conflict.address),
        "correct": correct,
        "use": f"{correct}&{urlencode([('use', ask), *as_filled_in(ask, conflict.refused)])}" if correct else "",
        "fields": [(f"{FIELD}{name}", as_posted(value)) for name, value in conflict.refused.items()],
    }


def as_filled_in(ask: str, step: Mapping[str, Any]) -> list[tuple[str, object]]:
    """A step as the page of corrections is asked to have it filled in."""
    return [(f"f:{ask}:{name}", as_posted(value)) for name, value in step.items() if says(value) is not None]


def as_posted(value: object) -> object:
    """A value as a form has it."""
    return str(value).lower() if isinstance(value, bool) else value


def page_of_correction(reading: SheetReading, address: Address) -> str:
    """Where a row that is done with is corrected, from the pad; "" where nothing corrects it."""
    part = part_of(address)
    return correction_link(reading.record.code, part, "pad") if opened_row(reading, part) else ""
