"""What "Take back" takes back now, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from scoresheets.jottings import Jottings
from scoresheets.models import Write
from scoresheets.places import where_of
from scoresheets.speech import name_shown

if TYPE_CHECKING:
    from scoresheets.reading import SheetReading


EVENTS = ("arrive", "leave", "substitute", "reseat")


@dataclass(frozen=True)
class TakeBack:
    """The write that is taken back next (its version), and what it wrote: "Bo’s bid in hand 7".

    `happened`: the words are a sentence about who comes or goes, such as "Joe comes in".
    """

    version: int
    words: SafeString
    happened: bool = False


def what_is_taken_back(reading: SheetReading) -> TakeBack | None:
    """What there is to take back; None where nothing but the set-up stands."""
    version = reading.take_back
    if version is None:
        return None
    hand, ask = min(address for address in reading.entries if reading.standing[address].first == version)
    if reading.standing[hand, ask].verb == Write.Verb.CORRECT:
        return TakeBack(version, format_html("the change of {}", where_of((hand, ask))))
    return TakeBack(version, what_stands(reading, hand, ask), ask.rpartition("-")[0] in EVENTS)


def event_in_words(reading: SheetReading, hand: int, ask: str) -> SafeString:
    """What happens before a hand, in few words: "Joe comes in", "Gil takes over from Bo"."""
    kind = ask.rpartition("-")[0]
    step = reading.standing[hand, ask].data
    name = name_shown(reading.names_at(hand).get(step.get("seat", 0), ""))
    match kind:
        case "arrive":
            return format_html("{} comes in", name)
        case "leave":
            return format_html("{} goes home", name)
        case "substitute":
            return format_html("{} takes over from {}", name, name_shown(reading.replaced.get((hand, ask), "")))
        case "reseat":
            return escape("the seats change")
        case "misdeal":
            return escape("a misdeal")
    return escape("the game stops here")


def what_stands(reading: SheetReading, hand: int, ask: str) -> SafeString:
    """What stands at an address, in words."""
    if ask.rpartition("-")[0] in EVENTS:
        return event_in_words(reading, hand, ask)
    return Jottings(reading).what_and_where((hand, ask), reading.standing[hand, ask].data)
