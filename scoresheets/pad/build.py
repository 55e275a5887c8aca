"""Builds the state of the pad from a sheet: `pad_of`, and `page_of` for what never changes while the page is open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString

from rules.core.fields import SeatChoice
from rules.core.game import Game
from rules.core.table import Event, Hand, Row, Table
from rules.core.texts import LOWER_THAN_ANY, Remark, Written
from scoresheets.commands.undo import can_be_undone, corrections_of, latest_that_can_be_undone
from scoresheets.corrections.links import correction_link
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading
from scoresheets.models import Revision
from scoresheets.pad.state import (
    Badges,
    EntryRef,
    HandWords,
    PadAsk,
    PadBeside,
    PadCallOut,
    PadCorrection,
    PadHand,
    PadPage,
    PadRemark,
    PadScoredHand,
    PadState,
    PromptState,
    SeatingChange,
    Step,
    TableBefore,
    TableNext,
)
from scoresheets.pad.timer import clock_of
from scoresheets.results.callouts import loudest, signs_of, term_of
from scoresheets.results.qualification import for_what, ties_said
from scoresheets.roster.change import last_event
from scoresheets.sheet.by_place import ByPlace
from scoresheets.wording.badges import badges_at, sittings_until
from scoresheets.wording.entry_text import EntryText, where_of
from scoresheets.wording.events import event_in_words, next_hand_sentence
from scoresheets.wording.markup import in_parts, joined, names_shown, with_names

#: The event after which the same hand is dealt again.
MISDEAL = "misdeal"
#: So many hands of a race a phone can go on without network. Nobody knows how many there will be.
AHEAD = 16
#: The words for no hand.
NO_WORDS = HandWords({}, ())


def pad_of(reading: SheetReading) -> PadState:
    """What the pad of a sheet shows and knows."""
    sheet = reading.sheet
    opened = reading.hand
    blind = opened if opened and opened.prefix else None
    steps = dict(opened.steps) if opened else {}
    ties = sheet.settlement.ties if sheet.settlement and blind else ()
    last = sheet.rows[-1] if sheet.rows else None
    latest = (*sheet.rows, *ties)[-1:]
    misdeals = misdeals_of(reading, reading.next_hand, sheet.open.events if sheet.open else ())
    stays = is_misdeal_final(reading)
    state = PadState(
        version=reading.version,
        generation=reading.record.generation,
        restored=reading.record.restored,
        when=max(entry.at for entry in reading.standing.values()).isoformat() if reading.standing else None,
        go=place_to_go(reading),
        game=reading.record.game,
        planned=reading.game.planned_hands(sheet.table),
        last=reading.last_hand,
        schedule=sheet.table.schedule,
        seats=sheet.table.seats,
        names=dict(reading.names),
        badges=badges_beside(reading, reading.next_hand),
        totals=dict(sheet.totals),
        marked=sheet.table.hands_done > 0 and not sheet.table.is_between_legs,
        lowest_wins=reading.game.lowest_wins(sheet.table),
        prefix=opened.prefix if opened else "",
        blind=len(ties) + 1 if blind else 0,
        counting=tied_for(reading) if blind else None,
        hands=tuple(hand_of(reading, hand) for hand in ([blind] if blind else hands_ahead(reading))),
        steps=steps,
        entries=entries_at(reading, opened, steps) | misfit_of(reading, opened) if opened else {},
        changed=correction_of(reading, opened) if opened else None,
        event=reading.next_event,
        loose=loose_of(reading),
        misdeal=misdeals[-1] if misdeals and not stays else None,
        misdeals=misdeals,
        back=() if stays else tuple(scored_hand(reading, row) for row in latest if can_be_reopened(reading, row)),
        happened=last_seating(reading),
        beside=tuple(beside_of(entry) for entry in reading.beside),
        noted=tuple(in_parts(next_hand_sentence(reading, event)) for event in sheet.noted),
        then=next_table(reading),
        stopped=sheet.table.stopped,
        remarks=remarks_of(reading),
        quiet=reading.record.quiet,
        callout=callout_of(reading, last),
        signs=signs_beside(reading, last),
        **standing_of(reading),
        for_what=for_what(sheet.waiting[0]) if blind and sheet.table.decides.is_group else None,
    )
    return state if reading.game.pad == "bidding" else PromptState(**vars(state), **prompts_of(reading, opened))


def place_to_go(reading: SheetReading) -> str | None:
    """The address the scorekeeper is led to, where nothing more is written on the pad."""
    sheet, code = reading.sheet, reading.record.code
    if sheet.open or (sheet.settlement and sheet.settlement.hand):
        return None
    draws = any(waiting.what == "draw" for waiting in sheet.waiting)
    return reverse("draw" if draws else "result", args=[code])


# Hands


def hands_ahead(reading: SheetReading) -> Iterator[Hand]:
    """The open hand as it was dealt, and those after it, as far as can be told without knowing how they end."""
    sheet, game = reading.sheet, reading.game
    if sheet.open is None:
        return
    yield game.deal(sheet.table)
    table = sheet.ahead
    planned = game.planned_hands(table)
    while table.hands_done < planned if planned else table.hands_done <= sheet.table.hands_done + AHEAD:
        hand = game.deal(table)
        yield hand
        table = game.dealt(table, hand)


def hand_of(reading: SheetReading, hand: Hand) -> PadHand:
    """A hand before anything is written in it."""
    avoid = reading.game.avoided_sum(reading.sheet.table, hand)
    return PadHand(hand.number, hand.cards, hand.dealer, tuple(hand.order), avoid)


def scored_hand(reading: SheetReading, row: Row) -> PadScoredHand:
    """A scored hand with everything that was written in it."""
    settlement, hand = reading.sheet.settlement, row.hand
    blind = settlement.ties.index(row) + 1 if settlement and hand.prefix else 0
    before = row.table
    return PadScoredHand(
        **vars(hand_of(reading, hand)),
        prefix=hand.prefix,
        blind=blind,
        counting=tuple(settlement.tied[blind - 1]) if settlement and blind else None,
        steps=dict(hand.steps),
        last=completing_ask(reading, row),
        entries=entries_at(reading, hand, hand.steps),
        points=dict(row.points),
        event=len(row.events) + 1,
        misdeals=misdeals_of(reading, hand.number, row.events),
        was=TableBefore(before.seats, dict(before.totals), reading.game.planned_hands(before), before.schedule)
        if before.seats != reading.sheet.table.seats
        else None,
    )


def completing_ask(reading: SheetReading, row: Row) -> str:
    """The ask whose step completed the hand: the one that was written last."""
    hand = row.hand

    def version(ask: str) -> int:
        entry = reading.standing.get(hand.address(ask))
        return entry.first if entry else 0

    return max(reversed(list(hand.steps)), key=version, default="")


def can_be_reopened(reading: SheetReading, row: Row) -> bool:
    """Whether taking back what completed the hand opens it again.

    It was written at the table, and not corrected since nor typed in from paper with others; and nothing that was
    written after it has lost its place.
    """
    current = [reading.standing.get(row.hand.address(ask)) for ask in row.hand.steps]
    entries = [entry for entry in current if entry]
    latest = max((entry.first for entry in entries), default=0)
    if any(reading.standing[address].first > latest for address in reading.sheet.unread):
        return False
    return all(entry.verb not in (Revision.Verb.CORRECT, Revision.Verb.PAPER) for entry in entries)


def entries_at(reading: SheetReading, hand: Hand, steps: Mapping[str, object]) -> dict[str, EntryRef]:
    """The entry at each step."""
    entries = {ask: reading.standing.get(hand.address(ask)) for ask in steps}
    return {ask: (entry.pk, entry.first) for ask, entry in entries.items() if entry}


def misfit_of(reading: SheetReading, hand: Hand) -> dict[str, EntryRef]:
    """The entry that does not fit where something is asked for: it is asked again, and replaced."""
    misfit = reading.sheet.open.misfit if reading.sheet.open else None
    entry = reading.standing.get(misfit) if misfit else None
    return {entry.address[1].removeprefix(hand.prefix): (entry.pk, entry.first)} if entry else {}


def correction_of(reading: SheetReading, hand: Hand) -> PadCorrection | None:
    """The corrections that say something of the open hand; None where there are none."""
    by = corrections_of(reading)
    if not by:
        return None
    where = where_of(hand.address(next(iter(hand.steps))))
    return PadCorrection(tuple(by), latest_that_can_be_undone(reading, by), f"the change of {where}")


def beside_of(entry: LogEntry) -> PadBeside:
    """A draw or a ruling beside the blind hand; a draw that was corrected goes back as it was before."""
    where = where_of(entry.address)
    what = f"the change of {where}" if entry.verb == Revision.Verb.CORRECT else where
    return PadBeside((entry.pk, entry.first), what)


def loose_of(reading: SheetReading) -> str:
    """That something has no place on the sheet since a change; "" where everything has."""
    many = len(reading.sheet.unread)
    if not many:
        return ""
    return f"{many} {'thing no longer fits' if many == 1 else 'things no longer fit'} on the sheet after a change."


def misdeals_of(reading: SheetReading, hand: int, events: Sequence[Event]) -> tuple[EntryRef, ...]:
    """Each misdeal that is among the last things that happened before the hand."""
    misdeals: list[EntryRef] = []
    for event in reversed(events):
        entry = reading.standing.get((hand, event.name))
        if event.kind != MISDEAL or entry is None:
            break
        misdeals.insert(0, (entry.pk, entry.first))
    return tuple(misdeals)


def is_misdeal_final(reading: SheetReading) -> bool:
    """Whether the open hand begins with a misdeal that cannot be taken back, and so nothing before it can be either.

    Something that has lost its place on the sheet stands where it would bring back what it withdrew.
    """
    opened = reading.sheet.open
    if opened is None or opened.hand.steps:
        return False
    misdeals = misdeals_of(reading, reading.next_hand, opened.events)
    return bool(misdeals) and not can_be_undone(reading, misdeals[-1][1])


def tied_for(reading: SheetReading) -> tuple[int, ...]:
    """The seats whose points count in the blind hand."""
    waiting = reading.sheet.settlement.waiting if reading.sheet.settlement else ()
    # Of a group somebody may be tied across both lines.
    return tuple(dict.fromkeys(seat for tie in waiting if tie.what == "tie-break" for seat in tie.seats))


# Standing by place


def standing_of(reading: SheetReading) -> dict[str, Any]:
    """The fields of the state that are for the standing by place."""
    standing, totals = ByPlace(reading), reading.sheet.totals
    by_totals = {seat: 1 + sum(other > total for other in totals.values()) for seat, total in totals.items()}
    return {
        "places": None if standing.places == by_totals else standing.places,
        "change": dict(standing.change) or None,
        "made": standing.made or None,
        "needs": tuple(in_parts(sentence) for sentence in standing.most_pressing),
    }


# Who comes and who goes


def last_seating(reading: SheetReading) -> SeatingChange | None:
    """Who came or went last, or what else only this game knows, where it can be taken back."""
    last = last_event(reading)
    if last is None or last[1].kind in Game.events:
        return None
    (hand, ask), _ = last
    entry = reading.standing[hand, ask]
    sentence = in_parts(event_in_words(reading, hand, ask))
    return SeatingChange((entry.pk, entry.first), hand > reading.next_hand, sentence)


def next_table(reading: SheetReading) -> TableNext | None:
    """The table as the hand after the open one finds it, where that was noted."""
    sheet = reading.sheet
    if not sheet.noted or sheet.open is None:
        return None
    table = sheet.game.dealt(sheet.table, sheet.open.hand)
    starts: dict[int, tuple[int, ...]] = {}
    for event in sheet.noted:
        before, table = table.seats, sheet.game.happen(table, event.kind, event.step)
        starts |= {seat: before for seat in table.seats if seat not in before}
    names, planned = reading.names_at(reading.next_hand + 1), sheet.game.planned_hands(table)
    badges = badges_beside(reading, reading.next_hand + 1)
    return TableNext(table.seats, planned, table.schedule, starts, dict(names), badges, len(sheet.noted) + 1)


def badges_beside(reading: SheetReading, hand: int) -> Badges:
    """What stands beside the names while `hand` is played."""
    badges = badges_at(sittings_until(reading, hand))
    return {seat: (badge.colour, badge.initial) for seat, badge in badges.items()}


# What is said


def remarks_of(reading: SheetReading) -> tuple[PadRemark, ...]:
    """What may have to be said beside the totals."""
    remarks = reading.game.remarks(reading.sheet.table) if reading.sheet.open else ()
    ties = [PadRemark(in_parts(sentence), LOWER_THAN_ANY, None, early=True) for sentence in ties_said(reading)]
    return *(remark_of(reading, remark) for remark in remarks), *ties


def remark_of(reading: SheetReading, remark: Remark) -> PadRemark:
    """A remark of the game with its names."""
    sentence = with_names(f"{remark.text}.", names_shown(reading.names, remark.seats))
    return PadRemark(in_parts(sentence), remark.low, remark.high)


def callout_of(reading: SheetReading, row: Row | None) -> PadCallOut | None:
    """The one call-out of the last hand that gets a line of its own."""
    callout = loudest(reading, row) if row else None
    if row is None or callout is None:
        return None
    term = term_of(reading.game, callout.call)
    return PadCallOut(row.hand.number, callout.call, term, tuple(callout.seats), callout.reason)


def signs_beside(reading: SheetReading, row: Row | None) -> dict[int, list[list[str]]]:
    """Signs beside the totals, with what each of them says: late in the game only."""
    by_seat = signs_of(reading, row) if row else {}
    return {seat: [[sign.sign, sign.term] for sign in signs] for seat, signs in by_seat.items()}


# What a pad of prompts knows besides


def prompts_of(reading: SheetReading, opened: Hand | None) -> dict[str, Any]:
    """The fields that `PromptState` has beside those of `PadState`."""
    game, table = reading.game, reading.sheet.table
    legs = table.legs_won() if game.has_legs(table) else None
    if opened is None:
        last = table.rows[-1] if table.rows else None
        asks = asks_of(reading, last.table, last.hand) if last else ()
        none = {**vars(NO_WORDS), "begins": NO_WORDS, "reordered": False, "step_texts": {}, "clock": None}
        return {"asks": asks, **none, "legs": legs}
    entry_text = EntryText(reading)
    return {
        "asks": asks_of(reading, table, opened),
        **vars(words_of(game, table, opened)),
        "begins": words_of(game, table, replace(opened, steps={})),
        "reordered": reading.is_reordered,
        "step_texts": {
            ask: in_parts(step_in_words(entry_text, opened, ask, step)) for ask, step in opened.steps.items()
        },
        "clock": clock.data if (clock := clock_of(reading)) else None,
        "legs": legs,
    }


def asks_of(reading: SheetReading, table: Table, hand: Hand) -> tuple[PadAsk, ...]:
    """The asks of a hand in order."""
    entry_text = EntryText(reading)
    return tuple(
        PadAsk(ask.name, ask.optional, in_parts(entry_text.what(hand.address(ask.name))))
        for ask in reading.game.asks(table, hand)
    )


def words_of(game: Game, table: Table, hand: Hand) -> HandWords:
    """What the game's page shows of a hand, and what cannot be meant in it."""
    return HandWords(dict(game.shows(table, hand)), tuple(sorted(game.shut(table, hand))))


def step_in_words(entry_text: EntryText, hand: Hand, ask: str, step: Step) -> SafeString:
    """What was written at an ask, in words; nothing chosen is what the game calls it, else nobody or nothing."""
    worth = entry_text.worth(hand.address(ask), step)
    if worth.isdecimal():
        return joined([entry_text.called(ask, next(iter(step))), worth])
    if step or worth != Written("").empty:
        return worth
    reading = entry_text.reading
    fields = next((each.fields for each in reading.game.asks(reading.sheet.table, hand) if each.name == ask), None)
    is_of_seats = fields is not None and all(isinstance(field, SeatChoice) for field in fields)
    return SafeString("nobody" if is_of_seats else "nothing")


# What never changes while the page is open


def page_of(reading: SheetReading) -> PadPage:
    """Addresses and tables for the script: once with the page, never with an answer."""
    code, game = reading.record.code, reading.game
    verbs = ("enter", "undo", "retype", "misdeal", "stop", "play_on", "state")
    pages = ("pad", "words", "sheet", "result", "left_over")
    return PadPage(
        code=code,
        urls={verb: reverse(verb, args=[code]) for verb in (*verbs, *pages)}
        | {"change": correction_link(code, "open", "pad")},
        words=reverse("words", args=[code]),
        leads=game.leading.has_leader,
        leader_in=game.leading.said_in,
        speaks_first=game.speaks_first,
        **game.look_up(reading.sheet.table),  # type: ignore[typeddict-item]
    )
