"""The organiser's ruling on a tie across the line of a group: which of the tied players go on (Rule 14).

It is an entry on the group's sheet, after the last hand. So it has a history, counts as long as its tie is there, and
is undone like any other entry.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rules.core.fields import SHEET
from rules.core.outcome import Cut, Tie
from rules.core.playoffs.group_end import RULING, problems_of_ruling, ruling_step
from rules.core.problems import Problem
from scoresheets.commands.enter import is_number
from scoresheets.commands.undo import left_unread
from scoresheets.log.answers import Answer, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading
from scoresheets.log.text import clean_text
from scoresheets.models import Revision, Scorekeeper, Sheet

LONGEST_REASON = 200
STILL_PLAYING = Problem("no-tie", "This table is still playing: nobody is tied for a place yet.")
NO_TIE = Problem("no-tie", "Nobody is tied across the line here: there is nothing to rule.")
NOT_TIED = Problem("not-tied", "Only those who are tied can be named here.")


def rule_cut(
    sheet: Sheet, through: Collection[int], *, key: str, by: Scorekeeper, edge: str | None = None, why: str = ""
) -> Answer:
    """Write that of those who are tied these seats go over the line: as many as the tie has places.

    `edge` is the line: over `through` they go to the winners' side, over `below` to the losers' side; None: the first
    across which all of them are tied. A blind hand that was begun for the tie is withdrawn with it. Codes: `no-tie`,
    `not-tied`, `bad-places`, `too-long`.
    """
    reason = clean_text(why, LONGEST_REASON, field="why")
    if isinstance(reason, Problem):
        return Refused((reason,))
    goes = {seat for seat in through if is_number(seat)}
    if len(goes) < len(list(through)):
        return Refused((NOT_TIED,))

    def decide(reading: SheetReading) -> Change | Answer:
        settlement = reading.sheet.settlement
        cut = settlement.cut if settlement else None
        if settlement is None or cut is None or not cut.ties:
            return Refused((STILL_PLAYING if reading.sheet.open else NO_TIE,), reading)
        tie = tie_across(cut, goes, edge)
        if tie is None:
            return Refused((NOT_TIED,), reading)
        after = len(settlement.ties) + len(settlement.draws)
        step = ruling_step(tie, after, goes)
        problems = tuple(problems_of_ruling(tie, after, step))
        if problems:
            return Refused((so_many(tie),), reading)
        address = (SHEET, f"{RULING}{len(settlement.rulings) + 1}")
        gone = [*begun(reading), *([reading.standing[address]] if address in reading.standing else [])]
        change = Change(Revision.Verb.RULE, {address: step}, gone, why=reason)
        return left_unread(reading, change) or change

    body = {"through": sorted(goes), "edge": edge, "why": reason}
    return append_revision(sheet, Revision.Verb.RULE, body, decide, key=key, by=by)


def tie_across(cut: Cut, goes: Collection[int], edge: str | None) -> Tie | None:
    """The tie these seats belong to; None where they belong to none, or not all to the same."""
    ties = (tie for tie in cut.ties if edge in (None, tie.edge))
    return next((tie for tie in ties if set(goes) <= set(tie.players)), None)


def so_many(tie: Tie) -> Problem:
    """How many of them have to be named."""
    where = "through" if tie.edge == "through" else "to the losers"
    several = f"{tie.places} of them go {where}: say who."
    sentence = f"One of them goes {where}: say who." if tie.places == 1 else several
    return Problem("bad-places", sentence, "goes", params={"places": tie.places, "edge": tie.edge})


def begun(reading: SheetReading) -> Iterator[LogEntry]:
    """What is written of the blind hand that is open."""
    settlement = reading.sheet.settlement
    hand = settlement.hand if settlement else None
    if hand is not None:
        yield from (reading.standing[hand.address(name)] for name in hand.steps)
