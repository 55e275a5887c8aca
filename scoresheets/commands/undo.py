"""Undo: withdraws what a revision added and brings back what it withdrew, and why it may be too late.

Both are rows of their own. An undo is a revision like any other, so it can itself be undone.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from rules.core.fields import SHEET, Address, Value
from rules.core.problems import Problem
from scoresheets.commands.last_entry import last_said
from scoresheets.log.answers import Answer, Refused
from scoresheets.log.append import Change
from scoresheets.log.entries import LogEntry, entry_history
from scoresheets.log.occupants import SITS
from scoresheets.log.state import NOTE, SheetReading, is_for_the_rules, reading_before
from scoresheets.models import Entry, Revision, Sheet

Verb = Revision.Verb

NOTHING_TO_UNDO = Problem("nothing-to-undo", "There is nothing to take back.")
SOMETHING_LATER = Problem("something-later", "Something has been entered since. Take that back first.")


@dataclass(frozen=True)
class RevisionDiff:
    """What one write did: which addresses it added to, and which entries it withdrew."""

    pk: int
    verb: str
    added: frozenset[Address]
    withdrawn: tuple[LogEntry, ...]

    @property
    def is_correction(self) -> bool:
        """Whether it corrected something, or took a correction back."""
        takes_back = self.verb == Verb.UNDO and bool(self.withdrawn)
        return self.verb == Verb.CORRECT or (takes_back and all(old.verb == Verb.CORRECT for old in self.withdrawn))


def revision_diff(sheet: Sheet, version: int) -> RevisionDiff | None:
    """What the write of that version did to the entries, in one query. None: nothing, or there is no such write."""
    history = entry_history(sheet, between=(version, version))
    added, withdrawn = history.added.get(version, []), history.withdrawn.get(version, [])
    if not added and not withdrawn:
        return None
    if added:
        pk, verb = added[0].added_id, added[0].added_verb
    else:
        pk, verb = withdrawn[0].withdrawn_id or 0, withdrawn[0].withdrawn_verb or ""
    return RevisionDiff(pk, verb, frozenset(entry.address for entry in added), tuple(withdrawn))


def undoing(reading: SheetReading, version: int) -> Change | Answer:
    """The change that takes back the write of that version, or why that cannot be.

    Of what was typed in from paper, or came from a file, it takes back what was played last.
    """
    done = revision_diff(reading.record, version)
    if done is None or done.verb in (Verb.OPEN, Verb.SET_UP):
        return Refused((NOTHING_TO_UNDO,), reading)
    active = [
        entry
        for entry in reading.standing.values()
        if done.pk in (entry.first_id, entry.added_id) or (is_name_put_right(entry) and entry.address in done.added)
    ]
    if done.verb == Verb.RESTORE:
        return forward_again(reading, version, done, active)
    if done.verb == Verb.PAPER and active:
        active = last_said(reading, active)
        if not active:
            return Refused((NOTHING_TO_UNDO,), reading)
    elif not done.added or done.added != {entry.address for entry in active}:
        if is_undone(reading.record, done.pk):
            return Change(Verb.AGREE, {})
        if done.added:
            return Refused((SOMETHING_LATER,), reading)
    stays = [done.verb == Verb.RETYPE and is_bid_before(reading, old.address, active) for old in done.withdrawn]
    restored = [old for old, is_outdone in zip(done.withdrawn, stays, strict=True) if not is_outdone]
    free = [reading.standing.get(old.address) in (None, *active) for old in restored]
    # A correction is about a hand that is done with, and can be taken back as long as nothing stands in its place.
    if not all(free) or (not done.is_correction and is_buried(reading, active, restored)):
        return Refused((SOMETHING_LATER,), reading)
    if is_dealt_away(reading, active, restored):
        return Refused((SOMETHING_LATER,), reading)
    change = Change(Verb.UNDO, {}, active, restored, undoes_id=done.pk)
    if marks := marks_without_a_hand(reading, change):
        change = Change(Verb.UNDO, {}, [*active, *marks], restored, undoes_id=done.pk)
    # The game may lock an entry that was spoken at the table. A correction of a typing error was not spoken.
    spoken = active if done.verb == Verb.ENTER else []
    # What went because it had no place has none again; and what fitted may fit no more since the set-up was put right.
    # What was taken back, and a stop after which the table played on, had its place.
    placeless = {old.address for old in done.withdrawn} if done.verb not in (Verb.UNDO, Verb.PLAY_ON) else ()
    return locked_by_game(reading, spoken) or left_unread(reading, change, placeless, before=version) or change


def can_be_undone(reading: SheetReading, version: int) -> bool:
    """Whether the write of that version would be taken back if somebody asked for it."""
    change = undoing(reading, version)
    return isinstance(change, Change) and change.verb == Verb.UNDO


def corrections_of(reading: SheetReading) -> list[int]:
    """The corrections that say something of the hand that is written down now: their versions, the latest first."""
    hand = reading.hand
    entries = [reading.standing.get(hand.address(ask)) for ask in hand.steps] if hand else []
    return sorted({entry.first for entry in entries if entry and entry.verb == Verb.CORRECT}, reverse=True)


def latest_that_can_be_undone(reading: SheetReading, versions: Sequence[int]) -> int | None:
    """The first of these writes that would be taken back. None: none would."""
    return next((version for version in versions if can_be_undone(reading, version)), None)


def forward_again(
    reading: SheetReading, version: int, done: RevisionDiff, active: Sequence[LogEntry]
) -> Change | Answer:
    """The change that takes back a way back that was taken: only as long as nothing was written after it."""
    if is_undone(reading.record, done.pk):
        return Change(Verb.AGREE, {})
    later = Entry.objects.filter(Q(added_by__version__gt=version) | Q(withdrawn_by__version__gt=version))
    if later.filter(sheet=reading.record).exists():
        return Refused((SOMETHING_LATER,), reading)
    return Change(Verb.UNDO, {}, active, done.withdrawn, undoes_id=done.pk)


def playing_on(reading: SheetReading) -> Change | None:
    """The change that takes back that the table stopped early. None: the game has come to its end."""
    stopped = reading.stopped
    if stopped is None:
        return Change(Verb.AGREE, {}) if reading.sheet.open else None
    settlement = reading.sheet.settlement
    settled = [reading.standing[address] for address in (settlement.read if settlement else ())]
    unsettled = [entry for address, entry in reading.standing.items() if is_of_the_end(reading, address)]
    done = revision_diff(reading.record, stopped.first)
    gone = {entry.address: entry for entry in (stopped, *settled, *unsettled)}
    return Change(Verb.PLAY_ON, {}, list(gone.values()), done.withdrawn if done else (), undoes_id=stopped.first_id)


def is_of_the_end(reading: SheetReading, address: Address) -> bool:
    """Whether the address belongs to the blind hand or draw that is open."""
    return address in reading.entries and address[0] == SHEET and reading.is_open(address)


def is_buried(reading: SheetReading, active: Collection[LogEntry], restored: Collection[LogEntry]) -> bool:
    """Whether it is about a hand that is done with, and not the last thing written there."""
    if any(entry.first in (reading.last_write, reading.last_played) for entry in active):
        return False
    addresses = [*(entry.address for entry in active), *(old.address for old in restored)]
    return any(reading.is_scored(address) for address in addresses if not is_note(address))


def is_bid_before(reading: SheetReading, address: Address, active: Sequence[LogEntry]) -> bool:
    """Whether something stands there by now that comes before what is taken back, and so can only go after it.

    A number was typed anew, who was caught by it has bid again, and since the first dealer was put right they bid
    before it. What they bid at first does not come back then.
    """
    hand, there = reading.hand, reading.standing.get(address)
    if hand is None or there is None or there in active:
        return False
    in_turn = [hand.address(ask.name) for ask in reading.game.asks(reading.sheet.table, hand) if ask.name in hand.steps]
    mine = [in_turn.index(entry.address) for entry in active if entry.address in in_turn]
    return address in in_turn and bool(mine) and in_turn.index(address) < min(mine)


def is_dealt_away(reading: SheetReading, active: Collection[LogEntry], restored: Collection[LogEntry]) -> bool:
    """Whether it would bring back what was written of a hand before a misdeal that stands.

    Both could not be taken back any more: the misdeal is the later one, and where it withdrew something, that stands.
    """
    dealt = [entry for entry in reading.standing.values() if is_misdeal(entry.address) and entry not in active]
    written = [old for old in restored if is_for_the_rules(old.address) and not is_event(reading, old.address)]
    return any(entry.address[0] == old.address[0] and old.first < entry.first for entry in dealt for old in written)


def is_misdeal(address: Address) -> bool:
    return address[1].startswith("misdeal-")


def is_event(reading: SheetReading, address: Address) -> bool:
    """Whether the address is one of an event between hands."""
    kind, _, number = address[1].rpartition("-")
    return kind in reading.game.events and number.isdecimal()


def is_name_put_right(entry: LogEntry) -> bool:
    """Whether the entry corrects a mistyped name; it is undone together with the entry that replaced the name."""
    return entry.verb == Verb.SET_UP and entry.address[1].startswith(SITS)


def is_note(address: Address) -> bool:
    return address[1].startswith(NOTE)


def is_undone(sheet: Sheet, write_id: int) -> bool:
    """Whether the write is taken back, and that was not taken back in turn."""
    undone_by: dict[int, list[int]] = {}
    for later in Revision.objects.filter(sheet=sheet, undoes__isnull=False).only("pk", "undoes_id"):
        if later.undoes_id is not None:
            undone_by.setdefault(later.undoes_id, []).append(later.pk)

    def undone(pk: int) -> bool:
        return any(not undone(later) for later in undone_by.get(pk, ()))

    return undone(write_id)


def locked_by_game(reading: SheetReading, active: Collection[LogEntry]) -> Refused | None:
    """The game's own word on what may not be taken back once it is spoken (Rule 8)."""
    hand = reading.hand
    if hand is None:
        return None
    names = [entry.address[1].removeprefix(hand.prefix) for entry in active if reading.is_open(entry.address)]
    refusals = [reading.game.may_take_back(reading.sheet.table, hand, name) for name in names if name in hand.steps]
    problems = tuple(problem for problem in refusals if problem)
    return Refused(problems, reading) if problems else None


def left_unread(
    reading: SheetReading, change: Change, but: Collection[Address] = (), *, before: int | None = None
) -> Refused | None:
    """Whether the change would leave something standing, `but` for these, that the rules could no longer read.

    What they did not read `before` that version either, such as an early end that had lost its place, is none later.
    """
    unread = set(newly_unread(reading, entries_after(reading, change))) - set(but)
    if unread and before is not None:
        unread -= unread_before(reading, before)
    return Refused((SOMETHING_LATER,), reading) if unread else None


def entries_after(reading: SheetReading, change: Change) -> dict[Address, Mapping[str, Value]]:
    """What the rules would read after the change."""
    gone = {entry.address for entry in change.withdrawn}
    kept = {address: step for address, step in reading.entries.items() if address not in gone}
    restored = {old.address: old.data for old in change.restored if is_for_the_rules(old.address)}
    return {**kept, **restored, **change.added}


def marks_without_a_hand(reading: SheetReading, change: Change) -> list[LogEntry]:
    """What a correction of the set-up has noted of a hand, such as a missed rule, that would lose its place.

    Nobody takes it back by itself.
    """
    marks = [entry for address in reading.entries if (entry := reading.standing[address]).verb == Verb.SET_UP]
    if not marks:
        return []
    unread = newly_unread(reading, entries_after(reading, change))
    return [entry for entry in marks if entry.address in unread]


def unread_before(reading: SheetReading, version: int) -> set[Address]:
    """What had no place on the sheet just before that version was written, and still says the same. One query."""
    then = reading_before(reading, entry_history(reading.record), version)
    return {address for address in then.sheet.unread if then.entries[address] == reading.entries.get(address)}


def newly_unread(reading: SheetReading, entries: Mapping[Address, Mapping[str, Value]]) -> list[Address]:
    """What stands unread among `entries` and was read before, or was not there, in the order of the sheet."""
    before = set(reading.sheet.unread)
    return [address for address in reading.with_entries(entries).unread if address not in before]
