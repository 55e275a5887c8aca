"""News on the pad: a line about what other scorekeepers wrote."""

from __future__ import annotations

from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from scoresheets.corrections.conflict import MOST_SAID
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading
from scoresheets.models import Entry, Revision, Scorekeeper
from scoresheets.pad.state import Notice
from scoresheets.wording.entry_text import EntryText, where_of
from scoresheets.wording.events import event_in_words
from scoresheets.wording.markup import as_text, capital, in_parts, name_shown, with_commas

Verb = Revision.Verb

#: What is said of a write that put nothing new on the sheet, after the name of who did it.
TOLD = {
    Verb.AGREE: "entered the same",
    Verb.UNDO: "took something back",
    Verb.MISDEAL: "noted a misdeal",
    Verb.STOP: "stopped the game",
    Verb.PLAY_ON: "says that the table plays on",
    Verb.NOTE: "added a note to a hand",
    Verb.TAKE_OVER: "is now keeping score",
    Verb.SET_UP: "changed the set-up",
}
UNNAMED = escape("A phone has removed its name.")
#: What is said of one that did, before what stands there now.
WROTE = {Verb.ENTER: "entered", Verb.RETYPE: "changed", Verb.CORRECT: "corrected"}


def news_of(reading: SheetReading, write: Revision) -> SafeString:
    """Who did what with the last write: "Marge entered Cy’s bid: 3." """
    writer, verb = writer_of(write), Verb(write.verb)
    if verb == Verb.CALL:
        return format_html("Another phone is called {} now.", name_shown(write.why)) if write.why else UNNAMED
    if verb == Verb.ANNOUNCE:
        return format_html("{} announced that the table stops after hand {}.", writer, reading.last_hand)
    if verb in TOLD:
        return format_html("{} {}.", writer, TOLD[verb])
    if verb == Verb.RESTORE and write.undoes:
        when = f"{timezone.localtime(write.undoes.at):%H:%M}"
        return format_html("{} {} what was entered at {}.", writer, verb.label, when)
    entry = next((entry for entry in reading.standing.values() if entry.added_id == write.pk), None)
    if entry and entry.address[1].rpartition("-")[0] in reading.game.seatings:
        return format_html("{} {}: {}.", writer, verb.label, event_in_words(reading, *entry.address))
    if verb == Verb.RULE and entry:
        return format_html("{} {}: {}.", writer, verb.label, EntryText(reading).worth(entry.address, entry.data))
    if verb in WROTE and entry:
        return format_html("{} {} {}.", writer, WROTE[verb], what_it_says(reading, entry))
    return format_html("{} {}.", writer, verb.label)


def writer_of(write: Revision) -> SafeString:
    """The name of the phone that wrote it."""
    return name_shown(write.keeper.name) if write.keeper.name else escape("Another phone")


def overruled_notice(reading: SheetReading, keeper: Scorekeeper) -> Notice | None:
    """What another phone has written in the place of what a phone of `keeper` wrote; None for nothing. One query.

    Only as long as it stands: what was changed again, or taken off the sheet, is no news. Somebody who
    has not written yet, as an organiser who opens the pad of a table, is no row, and nothing of theirs was changed.
    """
    if keeper._state.adding:
        return None
    changed = (
        Entry.objects.filter(
            sheet=reading.record, added_by__keeper=keeper, withdrawn_by__verb__in=(Verb.RETYPE, Verb.CORRECT)
        )
        .exclude(withdrawn_by__keeper=keeper)
        .select_related("withdrawn_by__keeper")
        .order_by("-withdrawn_by__version", "-pk")
        .first()
    )
    if changed is None or changed.withdrawn_by is None:
        return None
    write, address = changed.withdrawn_by, (changed.hand, changed.ask)
    now = reading.standing.get(address)
    if now is None or now.added_id != write.pk:
        return None
    entry_text = EntryText(reading)
    what, where = entry_text.what(address, now.data), where_of(address)
    pairs = with_commas(entry_text.pairs(address, changed.data, now.data, "{} → {}")[:MOST_SAID])
    says = format_html("{}: {} changed {}: {}.", capital(where), writer_of(write), what, pairs)
    return Notice(version=write.version, says=as_text(says), parts=in_parts(says))


def what_it_says(reading: SheetReading, entry: LogEntry) -> SafeString:
    """What stands at a place: "Cy’s bid: 3"; more than one number is not read in a line."""
    entry_text = EntryText(reading)
    what = entry_text.what_and_where if entry.verb == Verb.CORRECT else entry_text.what
    worth = entry_text.worth(entry.address, entry.data) if len(entry.data) == 1 else ""
    return format_html("{}: {}" if worth else "{}", what(entry.address, entry.data), worth)


def scorekeeper_notice(writes: list[Revision], keeper: Scorekeeper) -> Notice | None:
    """Who is the active scorekeeper, for a phone of `keeper`; None while it is theirs, or was never handed on.

    `writes`: the last write of the sheet, then the last that took over.
    """
    took = next((w for w in writes if w.verb == Verb.TAKE_OVER and w.keeper.revoked_at is None), None)
    if took is None or took.keeper_id == keeper.pk:
        return None
    says = format_html("{} is now keeping score.", writer_of(took))
    return Notice(version=took.version, says=as_text(says), parts=in_parts(says))
