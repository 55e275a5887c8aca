"""What "Take back" takes back now, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoresheets.jottings import Jottings
from scoresheets.models import Write
from scoresheets.places import where_of

if TYPE_CHECKING:
    from scoresheets.reading import SheetReading


@dataclass(frozen=True)
class TakeBack:
    """The write that is taken back next (its version), and what it wrote: "Bo’s bid in hand 7"."""

    version: int
    words: SafeString


def what_is_taken_back(reading: SheetReading) -> TakeBack | None:
    """What there is to take back; None where nothing but the set-up stands."""
    version = reading.take_back
    if version is None:
        return None
    hand, ask = min(address for address in reading.entries if reading.standing[address].first == version)
    if reading.standing[hand, ask].verb == Write.Verb.CORRECT:
        return TakeBack(version, format_html("the change of {}", where_of((hand, ask))))
    return TakeBack(version, what_stands(reading, hand, ask))


def what_stands(reading: SheetReading, hand: int, ask: str) -> SafeString:
    """What stands at an address, in words."""
    return Jottings(reading).what_and_where((hand, ask), reading.standing[hand, ask].data)
