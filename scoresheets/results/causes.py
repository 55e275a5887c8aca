"""The causes of a change in a preview, in the words beside it.

They are computed from the changed sheet; nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from rules.core.fields import SHEET, Address
from rules.core.numbers import bare
from rules.core.outcome import Settlement, Waiting
from scoresheets.log.state import SheetReading
from scoresheets.results.marks import ends_of
from scoresheets.results.qualification import tie_said
from scoresheets.results.verdict import Verdict, verdict_of
from scoresheets.wording.events import start_of
from scoresheets.wording.markup import hands_text, joined, name_shown, names_shown, verb

# What somebody came in with


def starts_moved(before: SheetReading, after: SheetReading) -> Iterator[SafeString]:
    """Who came in late with a total that is another now: "Joe came in with the lowest total, which is now 5 …"."""
    old, new = starts_of(before), starts_of(after)
    for address, (seat, total) in new.items():
        had = old.get(address)
        if had and had[0] == seat and had[1] != total:
            name = name_shown({**after.names, **after.names_at(address[0])}[seat])
            yield format_html(
                "{} came in with the lowest total, which is now {} instead of {}.", name, bare(total), bare(had[1])
            )


def starts_of(reading: SheetReading) -> dict[Address, tuple[int, int]]:
    """Who came in after the first hand, and with what, by the address of the arrival."""
    sheet = reading.sheet
    moments = [(row.hand.number, row.events, row.table) for row in sheet.rows]
    moments.append((reading.next_hand, sheet.events, sheet.table))
    return {
        (hand, event.name): (seat, start_of(table, seat))
        for hand, events, table in moments
        for event in events
        if event.kind == "arrive" and table.hands_done and isinstance(seat := event.step.get("seat"), int)
    }


# Which hands count


def counting_no_more(before: SheetReading, after: SheetReading) -> SafeString:
    """Why hands are no longer counted: ": hands 1 to 3 were kept elsewhere"; "" where it is said elsewhere."""
    kept = hands_kept_elsewhere(after)
    if kept and kept != hands_kept_elsewhere(before):
        hands = list(range(1, kept + 1))
        return format_html(": {} {} scored elsewhere", hands_text(hands), verb(hands, "was", "were"))
    if after.sheet.settlement:
        return format_html(": the game ends with hand {}", after.sheet.table.hands_done)
    return SafeString()


def counting_again(before: SheetReading, after: SheetReading) -> SafeString:
    """Why hands are counted that were not: ": hand 2 is complete now", ": the game no longer ends with hand 3"."""
    kept = hands_kept_elsewhere(before)
    if kept != hands_kept_elsewhere(after):
        return escape(": no longer scored elsewhere")
    if before.sheet.settlement:
        return format_html(": the game no longer ends with hand {}", before.sheet.table.hands_done)
    return format_html(": hand {} is complete now", before.next_hand)


def hands_kept_elsewhere(reading: SheetReading) -> int:
    """How many hands were played before this sheet."""
    carried = reading.game.carried_ask(reading.table)
    step = reading.entries.get((SHEET, carried.name), {}) if carried else {}
    hands = step.get("hands", 0)
    return hands if isinstance(hands, int) else 0


# How it ends


def winner_by(reading: SheetReading) -> SafeString:
    """By what the winner has won: "with 19, the highest total", "by the blind hand"."""
    verdict = verdict_of(reading)
    seat = reading.sheet.winner
    return ended_by(verdict, seat, "box") if verdict and seat is not None else SafeString()


def loser_by(reading: SheetReading) -> SafeString:
    """By what the loser has lost: "with −3, the lowest total", "by the lowest card"."""
    verdict = verdict_of(reading)
    seat = reading.sheet.loser
    return ended_by(verdict, seat, "circle") if verdict and seat is not None else SafeString()


def ended_by(verdict: Verdict, seat: int, mark: str) -> SafeString:
    """By what somebody is the best or the worst of all."""
    totals, reading = verdict.totals, verdict.reading
    end = ends_of(reading.game, reading.sheet.table)[mark]
    if settled := settled_by(verdict.settlement, seat, "lowest"):
        return settled
    if verdict.match.has_legs or totals[seat] != (max if end == "highest" else min)(totals.values()):
        return format_html("with {}", verdict.points(seat))
    return format_html("with {}, the {} total", bare(totals[seat]), end)


def settled_by(settlement: Settlement, seat: int, card: str) -> SafeString:
    """What settled the tie somebody was in; "" where they were in none. What came last has decided."""
    if any(seat in (*ruled.goes, *ruled.stays) for ruled in settlement.rulings):
        return escape("by the organiser’s ruling")
    if any(seat in drawn for drawn in settlement.draws):
        return format_html("by the {} card", card)
    if any(seat in tied for tied in settlement.tied):
        return escape("by the blind hand")
    return SafeString()


def fate_by(reading: SheetReading, seat: int) -> SafeString:
    """By what somebody goes where they go from a group: "by the high card", "with 12"."""
    settlement = reading.sheet.settlement
    if settlement is None:
        return SafeString()
    total = {**reading.sheet.table.gone, **reading.sheet.totals}[seat]
    card = "high" if seat in settlement.through else "low"
    return settled_by(settlement, seat, card) or format_html("with {}", bare(total))


def ties_left(before: SheetReading, after: SheetReading) -> SafeString:
    """Who is level where the end waits for a blind hand, a draw or a ruling: "Cy and Di have 15 each …"."""
    more = " any more" if before.finished else ""
    return joined(tie_left(after, waiting, more) for waiting in after.sheet.waiting if waiting.what != "hand")


def tie_left(reading: SheetReading, waiting: Waiting, more: str) -> SafeString:
    """One of these ties, with what it is about."""
    if waiting.edge:
        return tie_said(reading, waiting)
    names = names_shown(reading.names, waiting.seats)
    # As they tied: a blind hand may have been added to some of the totals since.
    total = bare({**reading.sheet.table.gone, **reading.sheet.table.totals}[waiting.seats[0]])
    if any(seat in reading.sheet.boxed for seat in waiting.seats):
        return format_html("{} have {} each: nobody leads alone{}.", names, total, more)
    return format_html("{} have {} each: nobody is lowest alone{}.", names, total, more)
