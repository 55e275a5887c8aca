"""The label of "Take back": what it undoes now, in words."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from scoresheets.commands.last_entry import last_said
from scoresheets.commands.undo import can_be_undone, corrections_of, latest_that_can_be_undone, locked_by_game
from scoresheets.log.state import SheetReading
from scoresheets.models import Revision
from scoresheets.wording.entry_text import EntryText, where_of
from scoresheets.wording.events import event_in_words
from scoresheets.wording.labels import stem_of


@dataclass(frozen=True)
class TakeBack:
    """The write that is taken back next (its version), and what it wrote: "Bo’s bid in hand 7".

    `happened`: the words are a sentence about who comes or goes, such as "Joe joins".
    """

    version: int
    words: SafeString
    happened: bool = False


def what_is_taken_back(reading: SheetReading) -> TakeBack | None:
    """What there is to take back; None where nothing but the set-up stands, or what cannot be taken back any more: a
    change that is not whole, something typed in on which others stand, or a bid that is final at this table.

    Of several changes of the hand that is written down now it is the latest that can be taken back.
    """
    version = reading.take_back
    if version in (changes := corrections_of(reading)):
        version = latest_that_can_be_undone(reading, changes)
    if version is None:
        return None
    mine = [reading.standing[address] for address in reading.entries if reading.standing[address].first == version]
    hand, ask = min(entry.address for entry in mine)
    verb = reading.standing[hand, ask].verb
    if verb in (Revision.Verb.PAPER, Revision.Verb.CORRECT) and not can_be_undone(reading, version):
        return None
    if verb == Revision.Verb.ENTER and locked_by_game(reading, mine):
        return None
    if verb == Revision.Verb.CORRECT:
        return TakeBack(version, format_html("the change of {}", where_of((hand, ask))))
    if verb == Revision.Verb.PAPER:
        hand, ask = last_said(reading, mine)[0].address
    return TakeBack(version, what_stands(reading, hand, ask), stem_of(ask) in reading.game.seatings)


def what_stands(reading: SheetReading, hand: int, ask: str) -> SafeString:
    """What stands at an address, in words."""
    if stem_of(ask) in reading.game.seatings:
        return event_in_words(reading, hand, ask)
    return EntryText(reading).what_and_where((hand, ask), reading.standing[hand, ask].data)
