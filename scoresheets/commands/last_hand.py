"""The announcement of the last hand: "all tables stop after this hand".

It is an entry the rules never see. The table plays on, its pad shows the announcement, and it stops by the verb `stop`
when that hand is scored. So the announcement has a history and can be undone.
"""

from __future__ import annotations

from rules.core.problems import Problem
from scoresheets.log.answers import Answer, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.state import LAST_HAND, SheetReading
from scoresheets.models import Revision, Scorekeeper, Sheet

OVER = Problem("game-over", "The last hand is played here already.")
SAID = Problem("already-said", "That was announced here already.")
UNSAID = Problem("nothing-to-undo", "Nothing is announced here.")
PASSED = Problem("hand-scored", "That hand is scored here already.")


def announce(sheet: Sheet, hand: int | None = None, *, key: str, by: Scorekeeper) -> Answer:
    """Say that the table stops after `hand`; None: after the one that is open.

    Codes: `game-over` (nothing is open), `hand-scored` (it has come further), `already-said`: no phone hears the same
    news twice.
    """

    def decide(reading: SheetReading) -> Change | Answer:
        if reading.sheet.open is None:
            return Refused((OVER,), reading)
        last = reading.next_hand if hand is None else hand
        if last == reading.last_hand:
            return Refused((SAID,), reading)
        if last < reading.next_hand:
            return Refused((PASSED,), reading)
        before = reading.standing.get(LAST_HAND)
        return Change(Revision.Verb.ANNOUNCE, {LAST_HAND: {"hand": last}}, [before] if before else [])

    return append_revision(sheet, Revision.Verb.ANNOUNCE, {"hand": hand}, decide, key=key, by=by)


def take_back(sheet: Sheet, *, key: str, by: Scorekeeper) -> Answer:
    """The table plays on as if nothing had been announced. Code: `nothing-to-undo`."""

    def decide(reading: SheetReading) -> Change | Answer:
        announced = reading.standing.get(LAST_HAND)
        if announced is None:
            return Refused((UNSAID,), reading)
        return Change(Revision.Verb.UNDO, {}, [announced], undoes_id=announced.added_id)

    return append_revision(sheet, Revision.Verb.UNDO, {"announced": True}, decide, key=key, by=by)
