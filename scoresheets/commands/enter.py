"""Commands that write entries on a sheet, one function for each verb.

Every function takes the sheet, the posted values, the `key` of the tap and `by`, the scorekeeper. It answers with a
value of `answers`: `Done`, `Conflict` or `Refused`. Only `Done` has written anything. Neither hostile nor broken input
raises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.core.engine.replay import problems
from rules.core.fields import SHEET, Address, Ask, Choice, Field, Tick, Value
from rules.core.playoffs.group_end import RULING
from rules.core.problems import Problem
from scoresheets.commands.undo import NOTHING_TO_UNDO, is_event, left_unread, newly_unread, playing_on, undoing
from scoresheets.log.answers import Answer, Conflict, Refused
from scoresheets.log.append import Change, append_revision, is_id
from scoresheets.log.state import NOTE, SheetReading
from scoresheets.log.text import clean_text
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.models.log import LONGEST_ASK
from scoresheets.results.consequences import before_stopping

Verb = Revision.Verb

ASK = re.compile(r"[a-z][a-z0-9-]*")
FIELD_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
MOST_HANDS = 10_000
#: No number on a sheet comes near it, and JSON of any reader can tell it exactly.
HUGE = 10**9
LONGEST_VALUE = 200
LONGEST_NOTE = 200
MOST_NOTES = 50
#: Fields of one step: 25 seats, and a little more.
MOST_FIELDS = 60
#: What a box that can be ticked may post.
TICKED: dict[str, Value] = {"on": True, "1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}

#: Somebody is asked before it is written.
ASKED_FIRST = "asked-first"
NOT_ASKED = Problem("not-asked", "The sheet does not ask for that.")
OVER = Problem("game-over", "The game was over before that: it has no place on the sheet.")
SCORED = Problem("hand-scored", "That hand is scored. Go back to it first.")


# What goes onto the sheet


def enter(
    sheet: Sheet,
    address: Address,
    step: Mapping[str, Value],
    *,
    saw: int | None,
    key: str,
    by: Scorekeeper,
    sure: bool = False,
    typed: bool = True,
) -> Answer:
    """Write `step` at `address`. Not `typed`: its values are as a form has them (`as_asked`).

    `saw` is the id of the entry the scorekeeper saw standing there, None for nothing. Nothing stands there:
    written. The same stands there: agreement. Something else, and it is what they saw: replaced. Something
    else: `Conflict`. `sure` lets through what is only unwise.
    """
    wrong = [*problems_of_address(address), *problems_of_values(step)]
    if wrong:
        return Refused(tuple(wrong))
    clean = {name: value for name, value in step.items() if value is not None}
    saw = saw if is_id(saw) else None

    def decide(reading: SheetReading) -> Change | Answer:
        if has_verb(reading, address):
            return Refused((NOT_ASKED,), reading)
        step = clean if typed else as_asked(reading.ask_named(address), clean)
        standing = reading.standing.get(address)
        if standing and standing.says(step):
            return Change(Verb.AGREE, {})
        if standing and standing.pk != saw:
            ask = reading.ask_at(address)
            misfit = tuple(ask.problems(step)) if ask else ()
            return Refused(misfit, reading) if misfit else Conflict(address, standing, step, reading)
        if reading.is_scored(address):
            return Refused((SCORED,), reading)
        if reading.sheet.open is None and address[0] >= reading.next_hand:
            return Refused((OVER,), reading)
        misfits = reading.problems(address, step)
        if any(problem.blocking for problem in misfits) or (misfits and not sure):
            return Refused(misfits, reading)
        change = Change(Verb.ENTER, {address: step}, [standing] if standing else [])
        return ((standing or address[0] == SHEET) and left_unread(reading, change)) or change

    return append_revision(sheet, Verb.ENTER, posted(address, clean, saw=saw, sure=sure), decide, key=key, by=by)


def retype(
    sheet: Sheet, address: Address, step: Mapping[str, Value], *, saw: int | None, key: str, by: Scorekeeper,
    typed: bool = True,
) -> Answer:  # fmt: skip
    """ "I typed it wrong": replace what stands at an address of the open hand, whoever has spoken since.

    What was written after it and no longer fits is withdrawn with the same write and asked again: a dealer
    whom The Rule now catches. Codes beside those of the rules: `no-such-bid`, `hand-scored`.
    """
    wrong = [*problems_of_address(address), *problems_of_values(step)]
    if wrong:
        return Refused(tuple(wrong))
    clean = {name: value for name, value in step.items() if value is not None}
    saw = saw if is_id(saw) else None

    def decide(reading: SheetReading) -> Change | Answer:
        standing = reading.standing.get(address)
        if standing is None or is_event(reading, address):
            return Refused((Problem("no-such-bid", "Nothing has been entered there yet."),), reading)
        step = clean if typed else as_asked(reading.ask_named(address), clean)
        if standing.says(step):
            return Change(Verb.AGREE, {})
        if not reading.is_open(address):
            return Refused((SCORED,), reading)
        misfits = tuple(p for p in problems(reading.game, *reading.rest, address, step) if p.blocking)
        if misfits:
            return Refused(misfits, reading)
        if standing.pk != saw:
            return Conflict(address, standing, step, reading)
        caught = newly_unread(reading, {**reading.entries, address: step})
        gone = [standing, *(reading.standing[other] for other in caught)]
        return Change(Verb.RETYPE, {address: step}, gone)

    return append_revision(sheet, Verb.RETYPE, posted(address, clean, saw=saw), decide, key=key, by=by)


def misdeal(sheet: Sheet, hand: int, event: int, *, key: str, by: Scorekeeper) -> Answer:
    """The open hand is dealt again by the same dealer: what was written of it is withdrawn.

    `event` is the number the misdeal gets (`SheetReading.next_event` as the scorekeeper saw it), so that
    two phones that report the same misdeal agree. Notes stay.
    """
    return enter_event(sheet, "misdeal", hand, event, key=key, by=by)


def stop(sheet: Sheet, hand: int, *, key: str, by: Scorekeeper, sure: bool = False) -> Answer:
    """The table ends the game before `hand`, the open one, as the hand before it left things.

    What was written of the hand is withdrawn, and so is what happened since: a sheet file has no place for it.
    `play_on` takes it back. Where something hangs on it that is asked about first, it is refused as unwise
    (`asked-first`) unless somebody is `sure`: they have read the question.
    """
    return enter_event(sheet, "stop", hand, 1, key=key, by=by, sure=sure)


def enter_event(
    sheet: Sheet, kind: str, hand: int, event: int, *, key: str, by: Scorekeeper, sure: bool = False
) -> Answer:  # fmt: skip
    """Something between hands that sweeps the open hand off the sheet."""
    address = (hand, f"{kind}-{event}") if is_number(event) else None
    if address is None or problems_of_address(address):
        return Refused((NOT_ASKED,))

    def decide(reading: SheetReading) -> Change | Answer:
        if kind not in reading.game.events:
            return Refused((NOT_ASKED,), reading)
        if address in reading.standing:
            return Change(Verb.AGREE, {})
        if reading.sheet.open is None or reading.next_hand != hand:
            return Refused((SCORED if hand < reading.next_hand else NOT_ASKED,), reading)
        swept = [other for other in reading.standing if is_swept(reading, other, hand, kind)]
        gone = [reading.standing[other] for other in swept]
        kept = {other: step for other, step in reading.rest.entries.items() if other not in swept}
        misfits = tuple(p for p in problems(reading.game, reading.rest.table, kept, address, {}) if p.blocking)
        if misfits:
            return Refused(misfits, reading)
        if kind == Verb.STOP and not sure and (question := before_stopping(reading)):
            return Refused((Problem(ASKED_FIRST, question, blocking=False),), reading)
        return Change(kind, {address: {}}, gone)

    return append_revision(sheet, kind, posted(address), decide, key=key, by=by)


def is_swept(reading: SheetReading, address: Address, hand: int, kind: str) -> bool:
    """Whether it goes with the hand: a misdeal leaves what happened before it; after the end nobody comes or goes."""
    if kind == "stop":
        return address[0] in (hand, hand + 1) and not address[1].startswith(NOTE)
    return address[0] == hand and address in reading.entries and not is_event(reading, address)


def note(
    sheet: Sheet, hand: int, *, tag: str = "", seat: int | None = None, text: str = "", key: str, by: Scorekeeper
) -> Answer:
    """Say something about a hand that was or is being played: a tag of the game, who, a sentence. Never counted."""
    line = clean_text(text, LONGEST_NOTE, field="note")
    if isinstance(line, Problem):
        return Refused((line,))
    wrong = problems_of_address((hand, NOTE + "1"))
    if wrong or not isinstance(tag, str) or not (seat is None or is_number(seat)):
        return Refused(tuple(wrong) or (NOT_ASKED,))

    def decide(reading: SheetReading) -> Change | Answer:
        misfit = problems_of_note(reading, hand, tag, seat, line)
        if misfit:
            return Refused((misfit,), reading)
        taken = [other.k for other in reading.notes if other.hand == hand]
        if len(taken) >= MOST_NOTES:
            return Refused((Problem("too-many-notes", "This hand already has as many notes as it can take."),), reading)
        address = (hand, f"{NOTE}{max(taken, default=0) + 1}")
        return Change(Verb.NOTE, {address: {"tag": tag, "seat": seat, "note": line}})

    body = {"hand": hand, "tag": tag[:LONGEST_VALUE].encode("utf-8", "replace").decode(), "seat": seat, "note": line}
    return append_revision(sheet, Verb.NOTE, body, decide, key=key, by=by)


# What comes off it again


def undo(sheet: Sheet, version: int, *, key: str, by: Scorekeeper) -> Answer:
    """Take back the write that made the sheet's `version`: what it added goes, what it withdrew comes back.

    An undo can itself be undone. Who asks for what has been taken back already is agreed with. Codes:
    `nothing-to-undo`, `something-later` (something stands on it, or in its place), `bid-locked`.
    """
    if not is_number(version):
        return Refused((NOTHING_TO_UNDO,))

    def decide(reading: SheetReading) -> Change | Answer:
        return undoing(reading, version)

    return append_revision(sheet, Verb.UNDO, {"version": version}, decide, key=key, by=by)


def play_on(sheet: Sheet, *, key: str, by: Scorekeeper) -> Answer:
    """Take back that the table stopped early: the swept hand comes back, and what settled the end goes."""

    def decide(reading: SheetReading) -> Change | Answer:
        return playing_on(reading) or Refused((NOT_ASKED,), reading)

    return append_revision(sheet, Verb.PLAY_ON, {}, decide, key=key, by=by)


# What a post may look like


def problems_of_address(address: object) -> list[Problem]:
    """Whether it is a hand and the name of an ask at all."""
    match address:
        case (int(hand), str(ask)) if is_whole(hand) and 0 <= hand < MOST_HANDS:
            if len(ask) <= LONGEST_ASK and ASK.fullmatch(ask):
                return []
    return [NOT_ASKED]


def problems_of_values(step: object) -> list[Problem]:
    """Whether it is something JSON can hold flat: names of fields with whole numbers, short texts, ticks."""
    if not isinstance(step, dict) or len(step) > MOST_FIELDS or not all(is_field_name(name) for name in step):
        return [NOT_ASKED]
    wrong = []
    for name, value in step.items():
        if isinstance(value, str):
            text = clean_text(value, LONGEST_VALUE, field=name)
            wrong += [text] if isinstance(text, Problem) else []
        elif isinstance(value, int):
            wrong += [] if -HUGE < value < HUGE else [Problem("number-too-large", "No number is that large.", name)]
        elif value is not None:
            wrong.append(Problem("not-a-value", "That does not belong here.", name))
    return wrong


def problems_of_note(reading: SheetReading, hand: int, tag: str, seat: int | None, text: str) -> Problem | None:
    """Why a note does not belong to the hand, or None."""
    if hand > reading.next_hand or (hand == reading.next_hand and not reading.sheet.open):
        return Problem("not-asked", "That hand has not been dealt.", "hand")
    if tag and tag not in reading.game.tags:
        return Problem("not-a-choice", "That is not one of the things to say about a hand.", "tag")
    if seat is not None and seat not in reading.names:
        return Problem("unknown-player", "The player in that seat cannot be chosen here.", "seat")
    if not tag and not text:
        return Problem("missing-field", "This note is still empty.", "note")
    return None


def as_asked(ask: Ask | None, step: Mapping[str, Value]) -> dict[str, Value]:
    """The values of a form as the fields of the ask have them: the 7 of a card is a word, a ticked box says "on".

    What follows from what was said is said as well: who took the rest (`Ask.comes_to`).
    """
    if ask is None:
        return dict(step)
    kinds = {field.name: field for field in ask.fields}
    return ask.completed({name: as_field(kinds.get(name), value) for name, value in step.items()})


def as_field(field: Field | None, value: Value) -> Value:
    """A value of a form in the field."""
    if isinstance(field, Choice) and not isinstance(value, str):
        return str(value).lower()
    if isinstance(field, Tick) and not isinstance(value, bool):
        return TICKED.get(str(value).lower(), value)
    return value


def is_field_name(name: object) -> bool:
    return isinstance(name, str) and len(name) <= LONGEST_ASK and FIELD_NAME.fullmatch(name) is not None


def is_whole(value: object) -> bool:
    """Whether it is a whole number, and not a tick that Python takes for one."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether it can be the number of a seat, an event or a version."""
    return isinstance(value, int) and is_whole(value) and 0 < value < HUGE


def has_verb(reading: SheetReading, address: Address) -> bool:
    """Whether it is written with a verb of its own: a misdeal, somebody who comes, a ruling."""
    if address[1].startswith(RULING):
        return True
    return is_event(reading, address) and address[1].rpartition("-")[0] in Revision.Verb.values


def posted(address: Address, step: Mapping[str, Value] | None = None, **more: object) -> dict[str, object]:
    """What was posted, for its digest."""
    return {"hand": address[0], "ask": address[1], "step": step, **more}
