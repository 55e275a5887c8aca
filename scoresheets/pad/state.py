"""The pad's data: what is written down next, and all a phone needs to go on by itself up to the last planned hand.

The answer to every post and the page itself carry the same data; the script folds what was tapped since into it
and gets data of the same shape, so that one drawing serves both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.urls import reverse

from rules.core.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS, rank_shown
from rules.core.game import Game
from rules.core.table import Event, Hand, Row, Table
from rules.core.texts import LOWER_THAN_ANY
from scoresheets.commands.undo import can_be_undone
from scoresheets.corrections.links import correction_link
from scoresheets.log.state import SheetReading
from scoresheets.models import Write
from scoresheets.pad.prompts import asks_data, closing, hands_ahead
from scoresheets.results.callouts import loudest, signs_of, term_of
from scoresheets.results.qualification import for_what, ties_said
from scoresheets.roster.change import last_event
from scoresheets.wording.entry_text import where_of
from scoresheets.wording.events import event_in_words, said_of_noted
from scoresheets.wording.markup import SUITS as SIGNS
from scoresheets.wording.markup import in_parts, names_shown, with_names

#: Everything a page may be told about a hand: see `hand_data`.
HandData = dict[str, Any]
#: The event after which the same hand is dealt again.
MISDEAL = "misdeal"


def pad_of(reading: SheetReading) -> dict[str, Any]:
    """What the pad shows and knows, fit for JSON but for seats as numbers.

    `hands` are those still to come, the open one first, or the one blind hand; empty: nothing is written here
    (`go` says where it goes on). `steps` stand in the open hand, `stands` has entry and version of each. `back` is the
    hand before it, `blind` which blind hand it is (0: none), `marked` whether there are totals to box and circle: not
    where a rubber has just begun. `counting` are the seats whose points count in a blind hand, `changed` what was
    corrected of the open hand (`changed_of`), `loose` says what has no place on the sheet.
    `generation` is that of the database (`scoresheets.caches.generation`), `restored` with which version it began.
    `for` is what a blind hand is for, where that is not the lead.
    `last` is the hand after which the table stops, where that was announced.
    `happened` is who came or went last, `noted` what was noted for the hand after the open one and `then` the table as
    that will find it; `remarks` hold as long as the lowest total is `low` to `high`.
    """
    sheet = reading.sheet
    blind = sheet.settlement.hand if sheet.settlement else None
    opened = sheet.open.hand if sheet.open else blind
    hands = [blind] if blind else list(hands_ahead(reading))
    prefix = opened.prefix if opened else ""
    steps = dict(opened.steps) if opened else {}
    ties = sheet.settlement.ties if sheet.settlement and blind else ()
    last = sheet.rows[-1] if sheet.rows else None
    misdeals = misdeals_of(reading, reading.next_hand, sheet.open.events if sheet.open else ())
    return {
        "version": reading.version,
        "generation": reading.record.generation,
        "restored": reading.record.restored,
        "when": max(entry.at for entry in reading.standing.values()).isoformat() if reading.standing else None,
        "go": place_to_go(reading),
        "game": reading.record.game,
        "planned": reading.game.planned_hands(sheet.table),
        "last": reading.last_hand,
        "schedule": list(sheet.table.schedule),
        "seats": list(sheet.table.seats),
        "names": dict(reading.names),
        "totals": dict(sheet.totals),
        "marked": sheet.table.hands_done > 0 and not sheet.table.is_between_legs,
        "prefix": prefix,
        "blind": len(ties) + 1 if blind else 0,
        "counting": tied_for(reading) if blind else None,
        "hands": [hand_data(reading, hand) for hand in hands],
        "steps": steps,
        "stands": stands(reading, opened, steps) | misfit_of(reading, opened) if opened else {},
        "changed": changed_of(reading, opened) if opened else None,
        "event": reading.next_event,
        "loose": loose_of(reading),
        "misdeal": misdeals[-1] if misdeals else None,
        "misdeals": misdeals,
        "back": [
            back_data(reading, row) for row in [*([last] if last else []), *ties][-1:] if is_last_said(reading, row)
        ],
        "happened": happened_last(reading),
        "noted": [in_parts(said_of_noted(reading, event)) for event in sheet.noted],
        "then": then_of(reading),
        "remarks": remarks_of(reading),
        "stopped": sheet.table.stopped,
        "quiet": reading.record.quiet,
        "said": said_of(reading, last),
        "signs": signs_beside(reading, last),
        **({"for": for_what(sheet.waiting[0])} if blind and sheet.table.decides.is_group else {}),
        **(asks_data(reading, opened) if reading.game.pad == "prompts" else {}),
    }


def place_to_go(reading: SheetReading) -> str | None:
    """The address the scorekeeper is led to, where nothing more is written on the pad."""
    sheet, code = reading.sheet, reading.record.code
    if sheet.open or (sheet.settlement and sheet.settlement.hand):
        return None
    draws = any(waiting.what == "draw" for waiting in sheet.waiting)
    return reverse("draw" if draws else "result", args=[code])


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
    """The last scored hand with what was written in it, `last` in the end: taken back, it is the open one again."""
    settlement = reading.sheet.settlement
    blind = settlement.ties.index(row) + 1 if settlement and row.hand.prefix else 0
    return (
        hand_data(reading, row.hand)
        | {
            "prefix": row.hand.prefix,
            "blind": blind,
            "counting": list(settlement.tied[blind - 1]) if settlement and blind else None,
            "steps": dict(row.hand.steps),
            "last": closing(reading, row),
            "stands": stands(reading, row.hand, row.hand.steps),
            "points": dict(row.points),
            "event": len(row.events) + 1,
            "misdeals": misdeals_of(reading, row.hand.number, row.events),
        }
        | ({"was": table_data(reading.game, row.table)} if row.table.seats != reading.sheet.table.seats else {})
    )


def is_last_said(reading: SheetReading, row: Row) -> bool:
    """Whether taking back what completed the hand opens it again.

    It was said at the table, and not corrected since nor typed in from paper with others; and nothing that was said
    after it has lost its place.
    """
    found = [reading.standing.get(row.hand.address(name)) for name in row.hand.steps]
    entries = [entry for entry in found if entry]
    said = max((entry.first for entry in entries), default=0)
    if any(reading.standing[address].first > said for address in reading.sheet.unread):
        return False
    return all(entry.verb not in (Write.Verb.CORRECT, Write.Verb.PAPER) for entry in entries)


def stands(reading: SheetReading, hand: Hand, steps: Mapping[str, object]) -> dict[str, list[int]]:
    """The entry at each step, and the version of the write that an undo names to take it back."""
    found = {ask: reading.standing.get(hand.address(ask)) for ask in steps}
    return {ask: [entry.pk, entry.first] for ask, entry in found.items() if entry}


def misfit_of(reading: SheetReading, hand: Hand) -> dict[str, list[int]]:
    """What stands where something is asked for and does not fit: it is asked again, and replaced."""
    misfit = reading.sheet.open.misfit if reading.sheet.open else None
    entry = reading.standing.get(misfit) if misfit else None
    return {entry.address[1].removeprefix(hand.prefix): [entry.pk, entry.first]} if entry else {}


def changed_of(reading: SheetReading, hand: Hand) -> dict[str, Any] | None:
    """The corrections that say something of the open hand, by version; None where there are none.

    A correction is taken back as a whole: `what` names it, and `back` is the latest that can be (None: none can).
    """
    found = [reading.standing.get(hand.address(ask)) for ask in hand.steps]
    corrected = [entry for entry in found if entry and entry.verb == Write.Verb.CORRECT]
    if not corrected:
        return None
    by = sorted({entry.first for entry in corrected}, reverse=True)
    back = next((version for version in by if can_be_undone(reading, version)), None)
    return {"by": by, "back": back, "what": f"the change of {where_of(corrected[0].address)}"}


def loose_of(reading: SheetReading) -> str:
    """That something has no place on the sheet since a change; "" where everything has."""
    many = len(reading.sheet.unread)
    if not many:
        return ""
    return f"{many} {'thing has' if many == 1 else 'things have'} no place on the sheet since a change."


# Who comes and who goes


def happened_last(reading: SheetReading) -> dict[str, Any] | None:
    """What can be taken back of who came or went, or of what only this game knows: the last, its sentence in parts."""
    last = last_event(reading)
    if last is None or last[1].kind in Game.events:
        return None
    (hand, ask), _ = last
    entry = reading.standing[hand, ask]
    says = in_parts(event_in_words(reading, hand, ask))
    return {"stands": [entry.pk, entry.first], "noted": hand > reading.next_hand, "says": says}


def table_data(game: Game, table: Table) -> dict[str, Any]:
    """A table as a hand finds it, where it is not the one that is open."""
    planned = {"planned": game.planned_hands(table), "schedule": list(table.schedule)}
    return {"seats": list(table.seats), "totals": dict(table.totals), **planned}


def then_of(reading: SheetReading) -> dict[str, Any] | None:
    """The table as the hand after the open one finds it, where that was noted.

    `starts` says of who joins then whose lowest total they start with; `event` is the number of the next event.
    """
    sheet = reading.sheet
    if not sheet.noted or sheet.open is None:
        return None
    table = sheet.game.dealt(sheet.table, sheet.open.hand)
    starts: dict[int, list[int]] = {}
    for event in sheet.noted:
        before, table = table.seats, sheet.game.happen(table, event.kind, event.step)
        starts |= {seat: list(before) for seat in table.seats if seat not in before}
    names = reading.names_at(reading.next_hand + 1)
    about = {key: value for key, value in table_data(sheet.game, table).items() if key != "totals"}
    return {**about, "starts": starts, "names": names, "event": len(sheet.noted) + 1}


def remarks_of(reading: SheetReading) -> list[dict[str, Any]]:
    """What may have to be said beside the totals, with the lowest totals for which it is so.

    `early`: it is said while the bids fall; beside the tricks there is no room left for it.
    """
    names = reading.names
    return [
        {"says": in_parts(with_names(f"{one.said}.", names_shown(names, one.seats))), "low": one.low, "high": one.high}
        for one in (reading.game.remarks(reading.sheet.table) if reading.sheet.open else ())
    ] + [{"says": in_parts(said), "low": LOWER_THAN_ANY, "high": None, "early": True} for said in ties_said(reading)]


def misdeals_of(reading: SheetReading, hand: int, events: Sequence[Event]) -> list[list[int]]:
    """Entry and version of each misdeal that is among the last things that happened before the hand."""
    found: list[list[int]] = []
    for event in reversed(events):
        entry = reading.standing.get((hand, event.name))
        if event.kind != MISDEAL or entry is None:
            break
        found.insert(0, [entry.pk, entry.first])
    return found


def tied_for(reading: SheetReading) -> list[int]:
    """The seats whose points count in the blind hand."""
    waiting = reading.sheet.settlement.waiting if reading.sheet.settlement else ()
    # Of a group somebody may be tied across both lines.
    return list(dict.fromkeys(seat for what in waiting if what.what == "tie-break" for seat in what.seats))


# Call-outs


def said_of(reading: SheetReading, row: Row | None) -> dict[str, Any] | None:
    """The one call-out of the last hand that gets a line of its own."""
    called = loudest(reading, row) if row else None
    if row is None or called is None:
        return None
    term = term_of(reading.game, called.call)
    return {
        "hand": row.hand.number,
        "call": called.call,
        "term": term,
        "seats": list(called.seats),
        "reason": called.reason,
    }


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
        | {"change": correction_link(code, "open", "pad")},
        "words": reverse("words", args=[code]),
        "leads": reading.game.leading.has_leader,
        "leader_in": reading.game.leading.said_in,
        "speaks_first": reading.game.speaks_first,
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
