"""Restoring a sheet to its state just before a revision.

Nothing is deleted: what was added since is withdrawn, and what was withdrawn since is brought back, notes, names and
the set-up included. A restore is a revision like any other and can be undone. The names of scorekeepers and the active
scorekeeper are no entries, and stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.problems import Problem
from scoresheets.history.timeline import HandRevisions, RevisionText, grouped_by_hand, revision_texts, writes_of
from scoresheets.log.answers import MOVED_ON, Answer, Refused
from scoresheets.log.append import Change, append_revision, is_id
from scoresheets.log.entries import EntryHistory, entry_history
from scoresheets.log.state import SheetReading, reading_before
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.results.consequences import full_impact
from scoresheets.results.impact import Impact

Verb = Revision.Verb

#: So many discarded writes are shown at once; more of them are folded.
MOST_READ = 8
#: So many are read aloud at all, the newest; the others stand in the history.
MOST_SHOWN = 100

NO_WAY_BACK = Problem("no-way-back", "There is nothing on this sheet to go back to before that.")


@dataclass(frozen=True)
class RestorePreview:
    """What going back to just before `revision` would do: `before` is the sheet now, `after` as it would be.

    `count` writes would be discarded, which are all since that changed something, and that one; `discards` are the
    newest of them, hand by hand. `seen` is what a post says it has seen.
    """

    revision: RevisionText
    count: int
    discards: tuple[HandRevisions, ...]
    before: SheetReading
    after: SheetReading
    moves: Impact
    changes: bool
    seen: int

    @property
    def target(self) -> list[RevisionText]:
        """What it goes back to just before."""
        return [self.revision]

    @property
    def revisions(self) -> list[RevisionText]:
        """What would be discarded, the newest first, as far as it is read aloud."""
        return [revision for stretch in self.discards for revision in stretch.revisions]

    @property
    def is_long(self) -> bool:
        """Whether they are too many to be read before anybody goes back."""
        return self.count > MOST_READ


def restore_preview(reading: SheetReading, version: int, *, by: Scorekeeper | None) -> RestorePreview | None:
    """What there is to be said before anybody goes back, in three queries; None where there is no way back."""
    if not 1 < version <= reading.version:
        return None
    past = entry_history(reading.record)
    to = revision_texts(reading, writes_of(reading.record, (version, version)), past, by=by)
    if not to or not to[0][1].changes:
        return None
    changing = sorted(at for at in past.added.keys() | past.withdrawn.keys() if at >= version)
    shown = changing[-MOST_SHOWN:]
    newest = writes_of(reading.record, (shown[0], reading.version))
    revisions = revision_texts(reading, [write for write in newest if write.version in shown], past, by=by)
    change = going_back(reading, past, version)
    after = reading_before(reading, past, version)
    return RestorePreview(
        to[0][1],
        len(changing),
        tuple(grouped_by_hand(revisions)),
        reading,
        after,
        full_impact(reading, after, is_written_told=False),
        changes=bool(change.withdrawn or change.restored),
        seen=past.last_change,
    )


def going_back(reading: SheetReading, past: EntryHistory, version: int) -> Change:
    """The change after which exactly that stands which stood just before that version."""
    then = past.before(version)
    now = {row.address: row for row in past.rows if row.is_active}
    same = {address for address in then if address in now and now[address].is_same(then[address])}
    return Change(
        Verb.RESTORE,
        {},
        [reading.standing[address] for address in now if address not in same],
        [row for address, row in then.items() if address not in same],
    )


def restore(sheet: Sheet, version: int, *, seen: int, key: str, by: Scorekeeper) -> Answer:
    """Go back to just before the write that made the sheet's `version`, on a finished sheet too.

    `seen` is `RestorePreview.seen` as the scorekeeper was shown it. Where exactly that stands already: agreement.
    Codes: `no-way-back`, `moved-on` (something has changed since they looked).
    """
    if not is_id(version) or not is_id(seen):
        return Refused((NO_WAY_BACK,))

    def decide(reading: SheetReading) -> Change | Answer:
        past = entry_history(reading.record)
        write = Revision.objects.filter(sheet=reading.record, version=version).values_list("pk", flat=True).first()
        if write is None or version < 2 or not (version in past.added or version in past.withdrawn):
            return Refused((NO_WAY_BACK,), reading)
        change = going_back(reading, past, version)
        if not change.withdrawn and not change.restored:
            return Change(Verb.AGREE, {})
        if past.last_change != seen:
            return Refused((MOVED_ON,), reading)
        return Change(change.verb, {}, change.withdrawn, change.restored, undoes_id=write)

    return append_revision(sheet, Verb.RESTORE, {"version": version, "seen": seen}, decide, key=key, by=by)
