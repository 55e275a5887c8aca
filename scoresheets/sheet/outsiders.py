"""What those may see of a sheet who look on: all that no scorekeeper reads goes through `for_outsiders`.

Two house rules of every table keep something from them: the totals of the last hands (`hidden_hands`), and the result
until the scorekeeper shows it (`hold_result`). Both are one thing here: a reading without the hands that come after the
last one in sight. So nothing that is made of it can give them away: totals, places, curve, files, bids and tricks, from
which the points of a hand follow, and what was noted about it.
"""

from __future__ import annotations

from dataclasses import replace

from rules.core.formats import FixedHands, Race
from scoresheets.log.entries import LogEntry
from scoresheets.log.state import SheetReading, Withheld, is_for_the_rules, read_sheet
from scoresheets.models import Scorekeeper, Sheet


def for_outsiders(reading: SheetReading) -> SheetReading:
    """The same sheet for somebody who looks on; as it is, where nothing is kept from them."""
    withheld = withheld_of(reading)
    if withheld is None:
        return reading
    standing = {address: entry for address, entry in reading.standing.items() if address[0] <= withheld.shown}
    entries = {address: entry.data for address, entry in standing.items() if is_for_the_rules(address)}
    return replace(reading, standing=standing, known=reading.with_entries(entries), withheld=withheld)


def read_for(sheet: Sheet, keeper: Scorekeeper | None) -> SheetReading:
    """The sheet for who asks: all of it for a scorekeeper, what an outsider may see for everybody else."""
    reading = read_sheet(sheet)
    return reading if keeper else for_outsiders(reading)


def may_be_read(reading: SheetReading, entry: LogEntry) -> bool:
    """Whether an outsider may read of this entry in the history.

    Where the result waits for a tap, what was taken back of the open hand may have been the result already.
    """
    hand, _ = entry.address
    if reading.withheld:
        return hand <= reading.withheld.shown
    waits = reading.table.house_rules["hold_result"] and not reading.finished
    return not waits or entry.is_active or hand < reading.next_hand


def withheld_of(reading: SheetReading) -> Withheld | None:
    """What is kept from those who look on; None where nothing is."""
    sheet = reading.sheet
    in_sight = last_in_sight(reading)
    if reading.is_held_back:
        before = sheet.table.hands_done - 1
        return Withheld(before if in_sight is None else min(before, in_sight))
    if sheet.open is None or in_sight is None or sheet.table.hands_done <= in_sight:
        return None
    return Withheld(in_sight, sheet.open.hand.number, reading.game.planned_hands(sheet.table))


def last_in_sight(reading: SheetReading) -> int | None:
    """The last hand whose totals everybody sees, whether or not it is played; None: no hand is hidden, so far.

    Of a game to a target nobody knows which hands are the last: they are hidden once so many hands, each as good as the
    best so far, could end it, and from then on. Of one that the table ends nobody knows anything.
    """
    table = reading.sheet.table
    hidden = table.house_rules["hidden_hands"]
    if not isinstance(hidden, int) or not hidden:
        return None
    length = reading.game.format(table)
    if isinstance(length, FixedHands):
        last = reading.game.planned_hands(table)
        announced = reading.last_hand
        return max((last if announced is None else min(last, announced)) - hidden, 0)
    if length.target is None:
        return None
    legs_to_win = length.legs_to_win if isinstance(length, Race) else None
    best, ends = 1, {leg.hand for leg in table.legs}
    for row in table.rows:
        best = max(best, *row.points.values())
        is_last_leg = legs_to_win is None or max(row.table.legs_won().values()) >= legs_to_win - 1
        is_near = max(row.totals.values()) + hidden * best >= length.target
        if is_last_leg and is_near and row.hand.number not in ends:
            return row.hand.number
    return None
