"""The last change of a sheet in a sentence, for the page that follows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.fields import Ask, SeatChoice, Value
from scoresheets.corrections.swap import WHY, table_at
from scoresheets.history.timeline import RevisionRow, revision_texts, writes_of
from scoresheets.log.append import Change
from scoresheets.log.entries import EntryHistory, entry_history
from scoresheets.log.state import SheetReading, reading_before
from scoresheets.models import Revision
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.markup import capital, hands_text, joined, names_shown

Verb = Revision.Verb


def change_in_words(reading: SheetReading, version: int) -> SafeString:
    """What that version corrected: "Hand 4 was changed: Ann’s bid 3 → 2." "" where it corrected nothing.

    Two queries.
    """
    write = next(iter(writes_of(reading.record, (version, version))), None)
    if write is None or write.verb not in (Verb.CORRECT, Verb.SET_UP):
        return SafeString()
    if write.verb == Verb.SET_UP:
        return set_up_in_words(reading, version)
    is_swap = write.why == WHY
    past = entry_history(reading.record, between=None if is_swap else (version, version))
    return (swap_in_words(reading, past, version) if is_swap else SafeString()) or row_in_words(reading, write, past)


def row_in_words(reading: SheetReading, write: RevisionRow, past: EntryHistory) -> SafeString:
    """What was changed in which hand, from what to what."""
    revisions = revision_texts(reading, [write], past, by=None)
    return joined(
        format_html("{} was changed: {}.", capital(where), text) if where else format_html("Changed: {}.", text)
        for _, revision in revisions
        for where, text in revision.parts
    )


def set_up_in_words(reading: SheetReading, version: int) -> SafeString:
    """What was put right in the set-up, as the preview said it: "Ann is called Anna."."""
    past = entry_history(reading.record)
    before, after = reading_before(reading, past, version), reading_before(reading, past, version + 1)
    added = {row.address: row.data for row in past.added.get(version, [])}
    return joined(EntryText(after).change_text(before, Change(Verb.SET_UP, added)))


def swap_in_words(reading: SheetReading, past: EntryHistory, version: int) -> SafeString:
    """Whose numbers, or whose places, were swapped in which hands; "" where it cannot be told by two seats."""
    before, after = reading_before(reading, past, version), reading_before(reading, past, version + 1)
    addresses = [row.address for row in past.added.get(version, [])]
    hands = sorted({hand for hand, _ in addresses})
    is_places = [ask for _, ask in addresses if ask.startswith("reseat-")]
    seats = places_swapped(before, after, hands[0]) if is_places else numbers_swapped(before, after, hands)
    if len(seats) != 2:
        return SafeString()
    names = names_shown(before.names_at(hands[0]), sorted(seats))
    if is_places:
        return format_html("Swapped: the seats of {} from hand {} on.", names, hands[0])
    return format_html("Swapped: the numbers of {} in {}.", names, hands_text(hands))


def places_swapped(before: SheetReading, after: SheetReading, hand: int) -> set[int]:
    """Who sits elsewhere in that hand."""
    tables = [at[0].seats for reading in (before, after) if (at := table_at(reading, hand))]
    return {seat for seat, other in zip(*tables, strict=False) if seat != other} if len(tables) == 2 else set()


def numbers_swapped(before: SheetReading, after: SheetReading, hands: Sequence[int]) -> set[int]:
    """Whose numbers are others in these hands."""
    seats: set[int] = set()
    for hand in hands:
        old, new = before.sheet.row(hand), after.sheet.row(hand)
        if old and new:
            for ask in before.game.asks(old.table, old.hand):
                seats.update(seats_of(ask, old.hand.steps.get(ask.name, {}), new.hand.steps.get(ask.name, {})))
    return seats


def seats_of(ask: Ask, old: Mapping[str, Value], new: Mapping[str, Value]) -> Iterator[int]:
    """Whom the fields of an ask are about that differ."""
    for field in ask.fields:
        values = old.get(field.name), new.get(field.name)
        if values[0] == values[1]:
            continue
        if isinstance(field, SeatChoice):
            yield from (value for value in values if isinstance(value, int))
        elif (seat := ask.seat if ask.seat is not None else field.seat) is not None:
            yield seat
