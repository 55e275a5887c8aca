"""The only way to write on a sheet: a revision, the entries it adds and those it withdraws, in one transaction.

The packages above, such as `commands` and `opening`, decide what changes; nothing else writes entries.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.db.models import Exists, Q, QuerySet
from django.utils import timezone

from rules.core.fields import Address
from rules.core.problems import Problem
from scoresheets.log.answers import Answer, Done, Refused
from scoresheets.log.cache import WriteMark, written_readings
from scoresheets.log.entries import LogEntry, one_object
from scoresheets.log.identity import tell_seating, wishes_of_newcomers
from scoresheets.log.limits import TooManyHandsError, check_hands, too_many_hands, too_many_writes
from scoresheets.log.occupants import Chair
from scoresheets.log.prepared import PreparedQuery, add_rows, change_row
from scoresheets.log.publish import publish
from scoresheets.log.state import LAST_HAND, NOTE, SET_UP, SheetReading, read_sheet
from scoresheets.models import Entry, Revision, Scorekeeper, Sheet

KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")

LARGEST_ID = 2**63
#: After these the reading at hand does not know who sits where, or what the writers are called now.
TELLS_NOT_ALL = (Revision.Verb.OPEN, Revision.Verb.CALL)
BAD_KEY = Problem("bad-key", "This page is too old. Reload it.")
#: Hands are played by these; to stop after the last one is no hand more.
ADDS_HANDS = (Revision.Verb.ENTER, Revision.Verb.PAPER)
#: How long a result is held back at most: nobody waits forever for a tap.
HELD_BACK = datetime.timedelta(minutes=10)
CUT_OFF = Problem("cut-off", "This phone can no longer enter scores on this sheet.")
KEY_USED = Problem("key-used", "Something else was sent with this tap before. Load the page again.")


@dataclass(frozen=True)
class Change:
    """What one write does to a sheet: new steps by address, entries it withdraws, withdrawn entries it restores.

    `chairs` are seats that were given for it: their rows are there already.
    """

    verb: str
    added: Mapping[Address, Mapping[str, Any]]
    withdrawn: Sequence[LogEntry] = ()
    restored: Sequence[LogEntry] = ()
    undoes_id: int | None = None
    why: str = ""
    chairs: Mapping[int, Chair] = field(default_factory=dict)
    #: What those are called instead who come by it, and hide their names (`SheetReading.aliases`).
    aliases: Mapping[int, str] = field(default_factory=dict)
    #: Players (ids) who are none of those the club has proposed for their name.
    strangers: Collection[int] = ()


@PreparedQuery
def locked(pk: int) -> QuerySet[Sheet]:
    """The row of the sheet, which is the queue for everything on it. SQLite has locked the whole file by then."""
    return Sheet.objects.select_for_update(no_key=True).filter(pk=pk)


@PreparedQuery
def writes_at(sheet: int, key: str, version: int, by: int) -> QuerySet[Revision]:
    """The write that made that version of the sheet, and the one of that key.

    `cut_off` says on each whether the scorekeeper `by` is one no more: asked with the rest, and under the lock, so that
    what arrives after somebody was cut off is not written.
    """
    gone = Exists(Scorekeeper.objects.filter(pk=by, revoked_at__isnull=False))
    writes = Revision.objects.only("version", "key", "at", "verb", "digest").annotate(cut_off=gone)
    return writes.filter(Q(key=key) | Q(version=version), sheet=sheet)


def append_revision(
    sheet: Sheet, verb: str, body: Mapping[str, object], decide: Callable[[SheetReading], Change | Answer], *,
    key: str, by: Scorekeeper,
) -> Answer:  # fmt: skip
    """Ask `decide` what is to change on the sheet as it stands now, and write that: once for each key.

    `body` is what was posted: the same key with another verb or body is refused (`key-used`). Answers
    `Refused`, with `bad-key`, where the key is none, with `cut-off` where the scorekeeper is one no more, with
    `closed` where the club has closed the sheet, and with the codes of `limits` where it is too large.
    """
    if not is_key(key):
        return Refused((BAD_KEY,))
    digest = digest_of(verb, body)
    try:
        return append_once(sheet, digest, decide, key=key, by=by)
    except TooManyHandsError as too_many:
        return Refused((too_many_hands(),), too_many.before)


@transaction.atomic
def append_once(
    sheet: Sheet, digest: str, decide: Callable[[SheetReading], Change | Answer], *, key: str, by: Scorekeeper
) -> Answer:
    """Ask and write under the lock of the sheet, as `append_revision` says."""
    fresh = locked.get(pk=sheet.pk)
    last, known, cut_off = None, None, False
    for write in writes_at(sheet=fresh.pk, key=key, version=fresh.version, by=by.pk or 0):
        cut_off = bool(vars(write)["cut_off"])
        last = WriteMark(write.pk, write.version, write.at) if write.version == fresh.version else last
        known = write if write.key == key else known
    reading = (last and written_readings.get(fresh, last)) or read_sheet(fresh)
    if cut_off:
        return Refused((CUT_OFF,), reading)
    if known and known.digest == digest:
        return Done(known.version, known.at, known.verb, reading, again=True)
    if known:
        return Refused((KEY_USED,), reading)
    if fresh.closed:
        return Refused((Problem("closed", fresh.closed),), reading)
    if too_many := too_many_writes(fresh):
        return Refused((too_many,), reading)
    match decide(reading):
        case Change() as change:
            done = commit(reading, change, key=key, digest=digest, by=by)
            check_hands(reading, done.reading, last_hand_of(change))
            return done
        case refused:
            return refused


def last_hand_of(change: Change) -> int:
    """The last hand that is played by the change; 0 where none is."""
    return max((hand for hand, _ in change.added), default=0) if change.verb in ADDS_HANDS else 0


def commit(
    reading: SheetReading,
    change: Change,
    *,
    key: str,
    digest: str,
    by: Scorekeeper,
    at: datetime.datetime | None = None,
) -> Done:
    """Write the change, now or as of `at`. The sheet's row must be locked."""
    sheet = reading.record
    if by._state.adding:
        by = saved(by)
    sheet.version += 1
    write = Revision(
        sheet=sheet, version=sheet.version, key=key, digest=digest, verb=change.verb, keeper=by,
        at=at or timezone.now(), undoes_id=change.undoes_id, why=change.why,
    )  # fmt: skip
    add_rows([write])
    after = reading.changed(
        [entry.address for entry in change.withdrawn], add_entries(write, change), change.chairs, change.aliases
    )
    finished_before = sheet.finished_at is not None
    sheet.begun = sheet.begun or any(address != SET_UP for address in after.standing)
    sheet.result_opens_at = when_it_opens(reading, after, change.verb, write.at)
    is_shown = after.finished and sheet.result_opens_at is None
    sheet.finished_at = (sheet.finished_at or write.at) if is_shown else None
    sheet.title = after.setup.title if after.setup.title is not None else sheet.title
    change_row(sheet, "version", "begun", "finished_at", "result_opens_at", "title")
    if change.aliases:
        sheet.aliases_version += 1
        sheet.aliases = {**sheet.aliases, **{str(player): name for player, name in change.aliases.items()}}
        change_row(sheet, "aliases_version", "aliases")
    touched = [*(entry.address for entry in change.withdrawn), *change.added, *(old.address for old in change.restored)]
    tell_seating(reading, after, touched, change.strangers)
    if wishes := wishes_of_newcomers(reading, after, touched):
        sheet.badges = {**sheet.badges, **wishes}
        change_row(sheet, "badges")
    counts = any(address != LAST_HAND and not address[1].startswith(NOTE) for address in touched)
    if (is_shown or finished_before) and counts:
        publish(after, was_published=finished_before)
    if change.verb not in TELLS_NOT_ALL:
        mark = WriteMark(write.pk, write.version, write.at)
        transaction.on_commit(lambda: keep_for_next_write(after, mark))
    return Done(write.version, write.at, str(write.verb), after)


def when_it_opens(
    before: SheetReading, after: SheetReading, verb: str, at: datetime.datetime
) -> datetime.datetime | None:
    """Until when the result is held back after a write at that moment; None: it is not.

    That is for the hand that ends the game. What a blind hand or a draw decides is not: the tie was known to everybody,
    and the cards lay on the table. Nor is what was stopped early, corrected, or typed in from paper.
    """
    if not after.finished:
        return None
    if before.finished:
        return before.record.result_opens_at
    ends_it = verb == Revision.Verb.ENTER and not after.sheet.table.stopped
    is_by_hand = after.sheet.settlement is not None and not after.sheet.settlement.read
    return at + HELD_BACK if after.table.house_rules["hold_result"] and ends_it and is_by_hand else None


@transaction.atomic
def open_result(sheet: Sheet) -> None:
    """Show the result that is held back, to everybody: from now on the game is finished. Twice is as good as once.

    It ended when its last hand was scored.
    """
    fresh = locked.get(pk=sheet.pk)
    if fresh.result_opens_at is None:
        return
    reading = read_sheet(fresh)
    fresh.result_opens_at = None
    if not reading.finished:
        fresh.save(update_fields=["result_opens_at"])
        return
    fresh.finished_at = max(reading.standing[address].at for address in reading.entries)
    fresh.save(update_fields=["result_opens_at", "finished_at"])
    publish(reading, was_published=False)


def keep_for_next_write(after: SheetReading, mark: WriteMark) -> None:
    """Keep the reading after a write; of a sheet that has ended, none."""
    if after.finished:
        written_readings.forget(after.record)
    else:
        written_readings.put(after, mark)


@dataclass(frozen=True)
class First:
    """The first write on a sheet that was just opened: its `data` by address."""

    by: Scorekeeper
    data: Mapping[Address, Mapping[str, Any]]
    digest: str


def begin(firsts: Sequence[First], *, key: str) -> None:
    """Write the first things on sheets that nobody else knows yet, and whose version is that of this write already.

    Two queries, however many they are: nothing is published of a blank sheet.
    """
    writes = [
        Revision(
            sheet=first.by.sheet, version=first.by.sheet.version, key=key, digest=first.digest,
            verb=Revision.Verb.OPEN, keeper=first.by, at=first.by.sheet.opened_at,
        )
        for first in firsts
    ]  # fmt: skip
    add_rows(writes)
    add_rows([
        Entry(sheet_id=write.sheet_id, hand=hand, ask=ask, data=data, added_by=write, first_by=write)
        for write, first in zip(writes, firsts, strict=True) for (hand, ask), data in first.data.items()
    ])  # fmt: skip


def add_entries(write: Revision, change: Change) -> list[LogEntry]:
    """Withdraw and add the entries of a write. The answer is those that it has made active."""
    if change.withdrawn:
        gone = Entry.objects.filter(pk__in=[entry.pk for entry in change.withdrawn]).withdraw(write)
        if gone != len(change.withdrawn):
            raise RuntimeError("An entry was withdrawn while its sheet was locked.")
    new = entries_made(change, write_id=write.pk, version=write.version, by=write.keeper.name, at=write.at)
    rows = [
        Entry(
            sheet_id=write.sheet_id, hand=entry.address[0], ask=entry.address[1], data=entry.data, added_by=write,
            first_by_id=entry.first_id,
        )
        for entry in new
    ]  # fmt: skip
    add_rows(rows)
    return [replace(entry, pk=row.pk) for entry, row in zip(new, rows, strict=True)]


def entries_made(change: Change, *, write_id: int, version: int, by: str, at: datetime.datetime) -> list[LogEntry]:
    """The entries that the change makes active, if it is written so. They have no ids of their own yet."""
    verb, by = one_object(str(change.verb)), one_object(by)
    added = (write_id, version, verb)
    return [
        *(
            LogEntry(0, (hand, one_object(ask)), data, write_id, version, by, at, verb, *added)
            for (hand, ask), data in change.added.items()
        ),
        *(
            LogEntry(0, old.address, old.data, old.first_id, old.first, old.by, old.at, old.verb, *added)
            for old in change.restored
        ),
    ]


def saved(by: Scorekeeper) -> Scorekeeper:
    """A scorekeeper who writes for the first time: by their account alone, as host of the table, or as a program."""
    known = Scorekeeper.objects.filter(sheet=by.sheet, user=by.user, browser=by.browser, revoked_at=None).first()
    if known is None:
        by.save()
    return known or by


def is_key(key: object) -> bool:
    """Whether it is the key of a tap: 16 to 64 letters, digits, `-` and `_`."""
    return isinstance(key, str) and KEY.fullmatch(key) is not None


def is_id(value: object) -> bool:
    """Whether it can be the id of a row: what somebody says they saw is anything."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < LARGEST_ID


def digest_of(verb: str, body: Mapping[str, object]) -> str:
    """SHA-256 of what was posted, whatever the order of its fields."""
    return hashlib.sha256(json.dumps([verb, body], sort_keys=True).encode()).hexdigest()
