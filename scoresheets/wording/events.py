"""Events between hands, in a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.fields import Value
from rules.core.numbers import bare
from rules.core.table import Event, Row, Table
from scoresheets.log.state import SheetReading
from scoresheets.wording.entry_text import EntryText
from scoresheets.wording.markup import name_shown


def sentences_of(reading: SheetReading, events: Iterable[Event], row: Row | None = None) -> tuple[SafeString, ...]:
    """The sentences for what happened before a hand; not everything is worth one."""
    return tuple(sentence for event in events if (sentence := event_sentence(reading, event, row)))


def event_sentence(reading: SheetReading, event: Event, row: Row | None = None) -> SafeString:
    """The sentence for `event`; `row` is the hand before which it happened, None for the one still open.

    "": what only one game knows, such as a negotiation, changes nothing that stands on the sheet.
    """
    table = row.table if row else reading.sheet.table
    hand, seat = row.hand.number if row else reading.next_hand, event.step.get("seat")
    names = reading.names_at(hand)
    name = name_shown(names.get(seat, "")) if isinstance(seat, int) else SafeString()
    match event.kind:
        case "misdeal":
            dealer = row.hand.dealer if row else table.next_dealer
            return format_html("Misdeal: {} deals again.", name_shown(names[dealer]))
        case "arrive":
            if not table.hands_done:
                return format_html("{} joins.", name)
            return format_html("{} joins with {}, the lowest total.", name, bare(start_of(table, seat)))
        case "leave":
            return format_html("{} goes home with {}.", name, bare(last_total(reading, table, seat)))
        case "substitute":
            before = reading.replaced.get((hand, event.name))
            if before is None:
                return format_html("{} takes over this seat and its total.", name)
            return format_html("{} takes over the seat and the total of {}.", name, name_shown(before))
        case "reseat":
            return format_html("The seats change; {} deals next.", name_shown(names[table.next_dealer]))
        case "stop":
            planned, played = reading.game.planned_hands(table), table.hands_done
            after = format_html(" after hand {} of {}", played, planned) if planned else ""
            return format_html("The table stops here{}.", after)
    return SafeString()


def next_hand_sentence(reading: SheetReading, event: Event) -> SafeString:
    """The sentence for what was noted for the hand after the open one."""
    played, seat = reading.next_hand, event.step.get("seat")
    names = reading.names_at(played + 1)
    name = name_shown(names.get(seat, "")) if isinstance(seat, int) else SafeString()
    match event.kind:
        case "arrive":
            return format_html("{} is dealt in at hand {}.", name, played + 1)
        case "leave":
            return format_html("{} goes home after this hand.", name)
        case "substitute":
            before = name_shown(reading.replaced.get((played + 1, event.name), ""))
            return format_html("{} takes over from {} after this hand.", name, before)
    return escape("After this hand the seats change.")


def event_in_words(reading: SheetReading, hand: int, ask: str) -> SafeString:
    """What happens before a hand, in few words: "Joe joins", "Gil takes over from Bo"."""
    kind = ask.rpartition("-")[0]
    step = reading.standing[hand, ask].data
    name = name_shown(reading.names_at(hand).get(step.get("seat", 0), ""))
    match kind:
        case "arrive":
            return format_html("{} joins", name)
        case "leave":
            return format_html("{} goes home", name)
        case "substitute":
            return format_html("{} takes over from {}", name, name_shown(reading.replaced.get((hand, ask), "")))
        case "reseat":
            return escape("the seats change")
        case "misdeal":
            return escape("a misdeal")
        case "stop":
            return escape("the game stops here")
    return EntryText(reading).what((hand, ask), step)


def start_of(table: Table, seat: Value) -> int:
    """The total somebody came in with, at the table as the next hand finds it."""
    return {**table.gone, **table.totals}.get(cast("int", seat), 0)


def last_total(reading: SheetReading, table: Table, seat: Value) -> int:
    """The total somebody went home with, who may be back at the table by the next hand."""
    chair = cast("int", seat)
    if chair in table.gone:
        return table.gone[chair]
    earlier = [
        row.totals[chair] for row in reading.sheet.rows if row.hand.number <= table.hands_done and chair in row.totals
    ]
    return earlier[-1] if earlier else 0
