"""Differences between two entries, in words."""

from __future__ import annotations

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.fields import Address
from scoresheets.log.occupants import ASK as SEAT_ASK
from scoresheets.log.state import NOTE, SET_UP, SheetReading
from scoresheets.wording.entry_text import EntryText, FieldText
from scoresheets.wording.markup import with_commas


class EntryDiff:
    """How what stands on one sheet differs from what stood there before, in words. No query."""

    def __init__(self, before: SheetReading, after: SheetReading) -> None:
        self.old, self.new = EntryText(before), EntryText(after)

    def at(self, address: Address) -> list[SafeString]:
        """Field by field: "Ann took 1 instead of 2"."""
        if address == SET_UP or SEAT_ASK.fullmatch(address[1]):
            # They are said by what they move.
            return []
        both = [sheet if address in sheet.reading.standing else None for sheet in (self.old, self.new)]
        happened, happens = (sheet.event(address) if sheet else None for sheet in both)
        if happened or happens:
            return event_diff(happened, happens)
        if address[1].startswith(NOTE):
            return [escape("the note is taken back" if both[0] else "a note is added")]
        old, new = (sheet.fields_at(address, sheet.reading.standing[address].data) if sheet else {} for sheet in both)
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        texts = [field_diff(old.get(name), new.get(name)) for name in names]
        if texts and self.new.needs_name(address):
            return [format_html("{}: {}", self.new.what(address), with_commas(texts))]
        return texts


def event_diff(old: SafeString | None, new: SafeString | None) -> list[SafeString]:
    """What comes to have happened, or not."""
    if old and new:
        return [] if old == new else [format_html("{} instead of: {}", new, old)]
    return [new] if new else [format_html("no longer: {}", old or "")]


def field_diff(old: FieldText | None, new: FieldText | None) -> SafeString:
    """One value instead of another."""
    if new is None:
        return format_html("no longer: {}", old.whole) if old else SafeString()
    if old is None or not new.value:
        return new.whole
    return format_html("{} {} instead of {}", new.about, new.value, old.value or escape("nothing"))
