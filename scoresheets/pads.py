"""The pad's data: what is written down next, and all a phone needs to go on by itself up to the last planned hand.

The answer to every post and the page itself carry the same data; the script folds what was tapped since into it
and gets data of the same shape, so that one drawing serves both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse

from rules.core.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from scoresheets.callouts import line_of, signs_of
from scoresheets.models import Write
from scoresheets.speech import SUITS as SIGNS
from scoresheets.speech import rank_shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rules.core.hands import Hand, Row
    from scoresheets.reading import SheetReading

#: Everything a page may be told about a hand: see `hand_data`.
HandData = dict[str, Any]


def pad_of(reading: SheetReading) -> dict[str, Any]:
    """What the pad shows and knows, fit for JSON but for seats as numbers.

    `hands` are those still to come, the open one first, or the one blind hand; empty: nothing is written here
    (`go` says where it goes on). `steps` stand in the open hand, `stands` has entry and version of each. `back` is the
    hand before it, `blind` which blind hand it is (0: none), `marked` whether there are totals to box and circle,
    `counting` the seats whose points count in a blind hand, `loose` what has no place on the sheet, in a sentence.
    """
    sheet = reading.sheet
    blind = sheet.settlement.hand if sheet.settlement else None
    opened = sheet.open.hand if sheet.open else blind
    hands = [blind] if blind else list(sheet.coming()) if sheet.open else []
    prefix = opened.prefix if opened else ""
    steps = dict(opened.steps) if opened else {}
    ties = sheet.settlement.ties if sheet.settlement and blind else ()
    last = sheet.rows[-1] if sheet.rows else None
    return {
        "version": reading.version,
        "when": max(entry.at for entry in reading.standing.values()).isoformat() if reading.standing else None,
        "go": place_to_go(reading),
        "game": reading.record.game,
        "planned": len(sheet.table.schedule),
        "schedule": list(sheet.table.schedule),
        "seats": list(sheet.table.seats),
        "names": dict(reading.names),
        "totals": dict(sheet.totals),
        "marked": sheet.table.hands_done > 0,
        "prefix": prefix,
        "blind": len(ties) + 1 if blind else 0,
        "counting": tied_for(reading) if blind else None,
        "hands": [hand_data(reading, hand) for hand in hands],
        "steps": steps,
        "stands": stands(reading, opened, steps) | misfit_of(reading, opened) if opened else {},
        "event": reading.next_event,
        "loose": loose_of(reading),
        "misdeal": misdeal_of(reading),
        "back": [
            back_data(reading, row) for row in [*([last] if last else []), *ties][-1:] if is_last_said(reading, row)
        ],
        "stopped": sheet.table.stopped,
        "quiet": reading.record.quiet,
        "said": said_of(reading, last),
        "signs": signs_beside(reading, last),
    }


def place_to_go(reading: SheetReading) -> str | None:
    """The address the scorekeeper is led to, where nothing more is written on the pad."""
    sheet, code = reading.sheet, reading.record.code
    if sheet.open or (sheet.settlement and sheet.settlement.hand):
        return None
    return reverse("result" if sheet.finished else "draw", args=[code])


def hand_data(reading: SheetReading, hand: Hand) -> HandData:
    """A hand before anything is written in it. `avoid`: what the bids may not come to."""
    return {
        "number": hand.number,
        "cards": hand.cards,
        "dealer": hand.dealer,
        "order": list(hand.order),
        "avoid": reading.game.avoided_sum(reading.sheet.table, hand),
    }


def back_data(reading: SheetReading, row: Row) -> HandData:
    """The last scored hand with what was written in it: taken back, it is the open one again."""
    settlement = reading.sheet.settlement
    blind = settlement.ties.index(row) + 1 if settlement and row.hand.prefix else 0
    return hand_data(reading, row.hand) | {
        "prefix": row.hand.prefix,
        "blind": blind,
        "counting": list(settlement.tied[blind - 1]) if settlement and blind else None,
        "steps": dict(row.hand.steps),
        "stands": stands(reading, row.hand, row.hand.steps),
        "points": dict(row.points),
        "event": len(row.events) + 1,
    }


def is_last_said(reading: SheetReading, row: Row) -> bool:
    """Whether taking back what completed the hand opens it again: it was said at the table, and not corrected since."""
    entry = reading.standing.get(row.hand.address("tricks"))
    return entry is None or entry.verb != Write.Verb.CORRECT


def stands(reading: SheetReading, hand: Hand, steps: Mapping[str, object]) -> dict[str, list[int]]:
    """The entry at each step, and the version of the write that an undo names to take it back."""
    found = {ask: reading.standing.get(hand.address(ask)) for ask in steps}
    return {ask: [entry.pk, entry.first] for ask, entry in found.items() if entry}


def misfit_of(reading: SheetReading, hand: Hand) -> dict[str, list[int]]:
    """What stands where something is asked for and does not fit: it is asked again, and replaced."""
    misfit = reading.sheet.open.misfit if reading.sheet.open else None
    entry = reading.standing.get(misfit) if misfit else None
    return {entry.address[1].removeprefix(hand.prefix): [entry.pk, entry.first]} if entry else {}


def loose_of(reading: SheetReading) -> str:
    """That something has no place on the sheet since a change; "" where everything has."""
    many = len(reading.sheet.unread)
    if not many:
        return ""
    return f"{many} {'thing has' if many == 1 else 'things have'} no place on the sheet since a change."


def misdeal_of(reading: SheetReading) -> list[int] | None:
    """Entry and version of the misdeal that is the last thing that happened before the open hand."""
    events = reading.sheet.open.events if reading.sheet.open else ()
    if not events or events[-1].kind != "misdeal":
        return None
    entry = reading.standing.get((reading.next_hand, events[-1].name))
    return [entry.pk, entry.first] if entry else None


def tied_for(reading: SheetReading) -> list[int]:
    """The seats whose points count in the blind hand."""
    waiting = reading.sheet.settlement.waiting if reading.sheet.settlement else ()
    return [seat for what in waiting if what.what == "tie-break" for seat in what.seats]


# Call-outs


def said_of(reading: SheetReading, row: Row | None) -> dict[str, Any] | None:
    """The one call-out of the last hand that gets a line of its own."""
    line = line_of(reading, row) if row else None
    called = next((c for c in reading.game.hand_callouts(row) if c.call == line.call), None) if row and line else None
    if line is None or called is None:
        return None
    return {"hand": line.hand, "call": line.call, "term": line.term, "seats": list(called.seats), "reason": line.reason}


def signs_beside(reading: SheetReading, row: Row | None) -> dict[int, list[list[str]]]:
    """Signs beside the totals, with what each of them says: late in the game only."""
    found = signs_of(reading, row) if row else {}
    return {seat: [[sign.sign, sign.term] for sign in signs] for seat, signs in found.items()}


# What never changes while the page is open


def page_of(reading: SheetReading) -> dict[str, Any]:
    """Addresses and tables for the script: once with the page, never with an answer."""
    code = reading.record.code
    verbs = ("enter", "undo", "retype", "misdeal", "stop", "play_on", "state")
    pages = ("pad", "words", "sheet", "result", "left_over")
    return {
        "code": code,
        "urls": {verb: reverse(verb, args=[code]) for verb in (*verbs, *pages)}
        | {"change": reverse("correct", args=[code, "open"])},
        "words": reverse("words", args=[code]),
        **reading.game.look_up(reading.sheet.table),
    }


def turned_cards() -> list[tuple[str, list[tuple[str, str]]]]:
    """Every card that can be turned for trump, suit by suit: what is posted, and what is read."""
    return [
        (
            f"{SIGNS[suit]} {SUIT_NAMES[suit].capitalize()}",
            [(rank + suit, f"{rank_shown(rank)} ({RANK_NAMES[rank]} of {SUIT_NAMES[suit]})") for rank in RANKS],
        )
        for suit in SUITS
    ]
