"""The correction of a row of the sheet: one change, however many numbers differ.

A row is opened as it was entered: a scored hand, the open one, a blind hand, a draw, carried totals. The effect of a
correction is computed in one place, for the preview and for the revision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.core.engine.replay import fits, problems, problems_of_step
from rules.core.fields import SHEET, Address, Ask, Value
from rules.core.problems import Problem
from rules.core.table import Hand, Table
from scoresheets.commands.enter import NOT_ASKED, is_number, problems_of_address, problems_of_values
from scoresheets.commands.last_entry import is_beside
from scoresheets.commands.undo import is_event
from scoresheets.log.answers import PREVIEW_MOVED_ON, Answer, Conflict, Refused
from scoresheets.log.append import Change, append_revision, is_id
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading
from scoresheets.log.text import clean_text
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.results.consequences import confirmed

Step = Mapping[str, Value]
Changes = Mapping[Address, Step | None]

Verb = Revision.Verb

PART = re.compile(r"open|carried|(?:(tie|draw)-)?([1-9][0-9]{0,4})")
#: What is said of a correction about which nothing was said.
TYPED_WRONG = "typed wrong"
LONGEST_WHY = 200
MOST_CHANGES = 60

NOTHING_NEW = Problem("nothing-new", "Nothing here differs from the sheet.")
NOT_THERE = Problem("no-such-bid", "Nothing has been entered there yet.")
MISSING = Problem("missing-field", "The hand would not be complete without it.")
HAND_BEGUN = Problem("hand-begun", "Something was entered after that hand. Take that back first.")


@dataclass(frozen=True)
class OpenedRow:
    """A row of the sheet, opened to be corrected.

    `asks` have the names under which they stand (blind hands with their prefix); `hand` is the deal with nothing
    written in it and `table` as it found it, both None for draws and totals brought along. `whole`: nothing of it may
    be missing afterwards.
    """

    part: str
    number: int
    asks: tuple[Ask, ...]
    hand: Hand | None = None
    table: Table | None = None
    whole: bool = True

    def ask(self, address: Address) -> Ask | None:
        """The ask at an address, where it belongs to the row."""
        return next((ask for ask in self.asks if (self.number, ask.name) == address), None)


def opened_row(reading: SheetReading, part: str) -> OpenedRow | None:
    """The row of that name ("4", "tie-1", "draw-1", "carried", "open"); None where nothing of it can be corrected."""
    part = open_part(reading) if part == "open" else part
    match = PART.fullmatch(part)
    if match is None:
        return None
    kind, number = match[1], int(match[2] or 0)
    if part == "carried" or kind == "draw":
        address = (SHEET, part)
        ask = reading.ask_at(address) if address in reading.standing and address not in reading.sheet.unread else None
        return OpenedRow(part, SHEET, (ask,)) if ask else None
    sheet, settlement = reading.sheet, reading.sheet.settlement
    if kind == "tie":
        if settlement is None:
            return None
        if number <= len(settlement.ties):
            return row_of_deal(reading, part, settlement.ties[number - 1].table, settlement.ties[number - 1].hand)
        hand = settlement.hand if number == len(settlement.ties) + 1 else None
        return begun(reading, part, sheet.table, hand) if hand else None
    if row := sheet.row(number):
        return row_of_deal(reading, part, row.table, row.hand)
    if sheet.open and number == sheet.open.hand.number:
        return begun(reading, part, sheet.table, sheet.open.hand)
    return None


def open_part(reading: SheetReading) -> str:
    """The name of the hand that is being written down, a blind one too; "" where there is none.

    Before anything is written of it, it is the hand before that somebody wants to change.
    """
    settlement, rows, opened = reading.sheet.settlement, reading.sheet.rows, reading.sheet.open
    if opened:
        return str(rows[-1].hand.number if rows and not opened.hand.steps else opened.hand.number)
    return f"tie-{len(settlement.ties) + 1}" if settlement and settlement.hand else ""


def begun(reading: SheetReading, part: str, table: Table, hand: Hand) -> OpenedRow | None:
    """The row of the hand that is being written down, where anything of it is, whether it fits or not."""
    row = row_of_deal(reading, part, table, hand, whole=False)
    return row if any((row.number, ask.name) in reading.entries for ask in row.asks) else None


def row_of_deal(reading: SheetReading, part: str, table: Table, hand: Hand, *, whole: bool = True) -> OpenedRow:
    """The row of a deal."""
    bare = type(hand)(hand.number, hand.dealer, hand.order, hand.cards, prefix=hand.prefix)
    asks = tuple(named(ask, hand.prefix) for ask in reading.game.asks(table, hand))
    return OpenedRow(part, hand.address("")[0], asks, bare, table, whole)


def named(ask: Ask, prefix: str) -> Ask:
    """The ask under the name at which it stands on the sheet."""
    return type(ask)(prefix + ask.name, ask.fields, ask.optional, ask.seat)


def part_of(address: Address) -> str:
    """The name of the row an address belongs to."""
    hand, ask = address
    return str(hand) if hand != SHEET else "-".join(ask.split("-")[:2])


def faults(reading: SheetReading, row: OpenedRow, changes: Changes) -> tuple[Problem, ...]:
    """Every problem of the row with the changes in it, the unwise ones included."""
    return tuple(problem for of_ask in faults_by_ask(reading, row, changes).values() for problem in of_ask)


def faults_by_ask(reading: SheetReading, row: OpenedRow, changes: Changes) -> dict[str, list[Problem]]:
    """The same ask by ask."""
    if row.hand is None or row.table is None:
        return {
            address[1]: list(problems(reading.game, reading.table, reading.entries, address, step or {}))
            for address, step in changes.items()
        }
    by_ask: dict[str, list[Problem]] = {}
    hand = row.hand
    for ask in row.asks:
        address, of_ask = (row.number, ask.name), by_ask.setdefault(ask.name, [])
        step = changes[address] if address in changes else reading.entries.get(address)
        if step is None:
            of_ask += [] if ask.optional or not row.whole else [MISSING]
            continue
        own = type(ask)(ask.name.removeprefix(hand.prefix), ask.fields, ask.optional, ask.seat)
        of_ask += problems_of_step(reading.game, row.table, hand, own, step, blocking=False)
        if fits(own, step):
            hand = hand.with_step(own.name, step)
    return by_ask


def correcting(
    reading: SheetReading, changes: Changes, saw: Mapping[Address, int | None], *, why: str = TYPED_WRONG,
    sure: bool = False,
) -> Change | Answer:  # fmt: skip
    """The change that corrects what stands at these addresses, or why that cannot be. `None` takes something off.

    All of them belong to one row, or to what stands without meaning and is taken off. The whole row is checked with
    everything in its new place.
    """
    meant = {address: meant_by(reading, address, step) for address, step in changes.items()}
    new = {address: step for address, step in meant.items() if not is_there(reading, address, step)}
    if not new:
        known = all(address in reading.standing or asks_for(reading, address) for address in changes)
        return Change(Verb.AGREE, {}) if known else Refused((NOT_ASKED,), reading)
    for address, step in new.items():
        standing = reading.standing.get(address)
        if standing and standing.pk != saw.get(address):
            return Conflict(address, standing, step or {}, reading)
    loose = {address for address, step in new.items() if step is None and address in reading.sheet.unread}
    kept = {address: step for address, step in new.items() if address not in loose}
    if kept:
        refused = problems_of_row(reading, kept)
        if any(problem.blocking for problem in refused) or (refused and not sure):
            return Refused(refused, reading)
    gone = [reading.standing[address] for address in new if address in reading.standing]
    gone += [entry for address in loose for entry in sitting_by(reading, address)]
    return Change(Verb.CORRECT, {address: step for address, step in kept.items() if step is not None}, gone, why=why)


def meant_by(reading: SheetReading, address: Address, step: Step | None) -> Step | None:
    """A step in which nothing was chosen says "nobody" where there has to be an answer, and else is none."""
    if step is None or step:
        return step
    row = opened_row(reading, part_of(address))
    ask = row.ask(address) if row else None
    return None if ask is None or ask.optional else step


def sitting_by(reading: SheetReading, address: Address) -> list[LogEntry]:
    """Who sits somewhere by that event; nothing where it is none. Another event of its number may follow."""
    hand, ask = address
    if not is_event(reading, address):
        return []
    k = ask.rpartition("-")[2]
    return [entry for other, entry in reading.standing.items() if other[0] == hand and is_beside(other[1], k)]


def problems_of_row(reading: SheetReading, changes: Changes) -> tuple[Problem, ...]:
    """Why the changes cannot stand in one row of the sheet."""
    parts = {part_of(address) for address in changes}
    row = opened_row(reading, parts.pop()) if len(parts) == 1 else None
    if row is None:
        return (NOT_ASKED,)
    for address, step in changes.items():
        ask = row.ask(address)
        if ask is None or is_event(reading, address):
            return (NOT_ASKED,)
        if not ask.optional and address not in reading.standing:
            return (NOT_THERE,)
        if not ask.optional and step is None:
            return (MISSING,)
    return faults(reading, row, changes)


def asks_for(reading: SheetReading, address: Address) -> bool:
    """Whether something can be written at the address in a row that can be corrected."""
    row = opened_row(reading, part_of(address))
    return row is not None and row.ask(address) is not None


def is_there(reading: SheetReading, address: Address, step: Step | None) -> bool:
    """Whether that, or nothing, stands there already."""
    standing = reading.standing.get(address)
    return standing is None if step is None else standing is not None and standing.says(step)


def correct(
    sheet: Sheet,
    changes: Changes,
    *,
    saw: Mapping[Address, int | None],
    digest: str,
    key: str,
    by: Scorekeeper,
    why: str = TYPED_WRONG,
    sure: bool = False,
) -> Answer:
    """Write what was wrong as it was, in one write. `digest` is that of the preview (`Impact.digest`).

    Codes beside those of the rules: `not-asked`, `no-such-bid`, `nothing-new`, `moved-on` (an `OutdatedPreview`: it
    would say something else now). What stands after it and no longer fits stays, unread.
    """
    wrong = problems_of_changes(changes)
    reason = clean_text(why, LONGEST_WHY, field="why")
    if isinstance(reason, Problem):
        wrong = (*wrong, reason)
    if wrong or isinstance(reason, Problem):
        return Refused(wrong)
    reason = reason or TYPED_WRONG
    clean = cleaned(changes)
    seen = {address: pk if is_id(pk) else None for address, pk in saw.items()}

    def decide(reading: SheetReading) -> Change | Answer:
        change = correcting(reading, clean, seen, why=reason, sure=sure)
        if not isinstance(change, Change) or change.verb == Verb.AGREE:
            return change
        return confirmed(reading, change, digest, PREVIEW_MOVED_ON)

    body = {
        "changes": [[hand, ask, step, seen.get((hand, ask))] for (hand, ask), step in sorted(clean.items())],
        "why": reason,
        "sure": sure,
    }
    return append_revision(sheet, Verb.CORRECT, body, decide, key=key, by=by)


def problems_of_changes(changes: object) -> tuple[Problem, ...]:
    """Whether it is something that can be written at all."""
    if not isinstance(changes, dict) or len(changes) > MOST_CHANGES:
        return (NOT_ASKED,)
    if not changes:
        return (NOTHING_NEW,)
    return tuple(problems_of_each(changes))


def problems_of_each(changes: Mapping[object, object]) -> Iterator[Problem]:
    for address, step in changes.items():
        yield from problems_of_address(address)
        if step is not None:
            yield from problems_of_values(step)


def cleaned(changes: Changes) -> dict[Address, Step | None]:
    """The changes without what was not chosen."""
    return {
        address: None if step is None else {name: value for name, value in step.items() if value is not None}
        for address, step in changes.items()
    }


def deal_again(sheet: Sheet, hand: int, event: int, *, key: str, by: Scorekeeper) -> Answer:
    """Take the last scored hand off the sheet and let it be dealt again by the same dealer, in one write.

    `event` is the number the misdeal gets. Codes: `not-asked`, `hand-begun` (something stands after the hand).
    """
    address = (hand, f"misdeal-{event}") if is_number(event) else (hand, "")
    if problems_of_address(address):
        return Refused((NOT_ASKED,))

    def decide(reading: SheetReading) -> Change | Answer:
        if address in reading.standing:
            return Change(Verb.AGREE, {})
        if "misdeal" not in reading.game.events or not is_last_scored(reading, hand):
            return Refused((HAND_BEGUN if reading.sheet.row(hand) else NOT_ASKED,), reading)
        swept = [other for other in reading.entries if other[0] == hand and not is_event(reading, other)]
        kept = {other: step for other, step in reading.entries.items() if other not in swept}
        misfits = tuple(p for p in problems(reading.game, reading.table, kept, address, {}) if p.blocking)
        if misfits:
            return Refused(misfits, reading)
        return Change(Verb.MISDEAL, {address: {}}, [reading.standing[other] for other in swept])

    return append_revision(sheet, Verb.MISDEAL, {"hand": hand, "event": event, "scored": True}, decide, key=key, by=by)


def is_last_scored(reading: SheetReading, hand: int) -> bool:
    """Whether the hand is scored and nothing has been written after it, nor to settle the end."""
    rows = reading.sheet.rows
    carried = reading.game.carried_ask(reading.table)
    before = (SHEET, carried.name) if carried else None
    later = [a for a in reading.entries if a[0] > hand or (a[0] == SHEET and a != before)]
    return bool(rows) and rows[-1].hand.number == hand and not later
