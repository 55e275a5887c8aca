"""How what stands on a sheet differs from what stood there before, in words."""

from __future__ import annotations

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.fields import Address
from scoresheets.log.occupants import ASK as SEAT_ASK
from scoresheets.log.state import NOTE, SET_UP, SheetReading
from scoresheets.wording.entry_text import Jottings, Said
from scoresheets.wording.markup import with_commas


class Differences:
    """How what stands on one sheet differs from what stood there before, in words. No query."""

    def __init__(self, before: SheetReading, after: SheetReading) -> None:
        self.old, self.new = Jottings(before), Jottings(after)

    def at(self, address: Address) -> list[SafeString]:
        """Field by field: "Ann took 1 instead of 2"."""
        if address == SET_UP or SEAT_ASK.fullmatch(address[1]):
            # They are said by what they move.
            return []
        both = [said if address in said.reading.standing else None for said in (self.old, self.new)]
        happened, happens = (said.event(address) if said else None for said in both)
        if happened or happens:
            return different_events(happened, happens)
        if address[1].startswith(NOTE):
            return [escape("what was said is taken back" if both[0] else "something is said")]
        old, new = (said.fields_at(address, said.reading.standing[address].data) if said else {} for said in both)
        names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
        said = [different(old.get(name), new.get(name)) for name in names]
        if said and self.new.needs_name(address):
            return [format_html("{}: {}", self.new.what(address), with_commas(said))]
        return said


def different_events(old: SafeString | None, new: SafeString | None) -> list[SafeString]:
    """What comes to have happened, or not."""
    if old and new:
        return [] if old == new else [format_html("{} instead of: {}", new, old)]
    return [new] if new else [format_html("no longer: {}", old or "")]


def different(old: Said | None, new: Said | None) -> SafeString:
    """One value instead of another."""
    if new is None:
        return format_html("no longer: {}", old.whole) if old else SafeString()
    if old is None or not new.value:
        return new.whole
    return format_html("{} {} instead of {}", new.about, new.value, old.value or escape("nothing"))
