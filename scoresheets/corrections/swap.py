"""Two seats that were swapped since some hand: the corrected sheet, with a preview of the changes.

Either their numbers are in each other's column, or they sat in each other's place, and only the order of bidding and
dealing differs. Each is one change, which can be undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.core.fields import SHEET, Address, Ask, SeatChoice, Value
from rules.core.problems import Problem
from rules.core.table import Row, Table
from scoresheets.commands.enter import is_number
from scoresheets.log.answers import SAID_OTHERWISE, Answer, Refused
from scoresheets.log.append import Change, append_revision
from scoresheets.log.state import SheetReading
from scoresheets.models import Revision, Scorekeeper, Sheet
from scoresheets.results.consequences import confirmed
from scoresheets.results.impact import previewed

Step = dict[str, "Value"]

#: What was swapped: the numbers in the columns, or the places at the table.
NUMBERS, SEATS = "numbers", "seats"
#: What a later reader is told about it.
WHY = "two seats were swapped"

WHICH_TWO = Problem("unknown-player", "Which two?", "swap")
WHICH_HANDS = Problem("not-asked", "Both have to have played in all of these hands.", "since")
NO_MORE = Problem("something-later", "From there on the sheet would make no sense.", "since")
THE_SAME = Problem("nothing-changes", "They have the same numbers there.", "since")
NOT_SEATED = Problem("not-asked", "Seats cannot be changed in this game.", "what")


@dataclass(frozen=True)
class Swap:
    """`first` and `second` were swapped: NUMBERS from hand `since` to `until`, or SEATS from `since` on (`what`)."""

    what: str
    first: int
    second: int
    since: int
    until: int

    @property
    def is_sound(self) -> bool:
        """Whether its numbers are numbers at all."""
        numbers = (self.first, self.second, self.since, self.until)
        return all(is_number(number) for number in numbers) and self.what in (NUMBERS, SEATS)

    def seat(self, seat: Value) -> Value:
        """Whose it is: of one what was the other's."""
        if isinstance(seat, bool) or seat not in (self.first, self.second):
            return seat
        return self.second if seat == self.first else self.first


def correct_swap(sheet: Sheet, swap: Swap, *, digest: str, key: str, by: Scorekeeper) -> Answer:
    """Put it right, if it moves just what its preview (`Impact.digest`) said.

    Codes: `unknown-player`, `not-asked`, `something-later` (the rules could not read it), `nothing-changes`,
    `said-otherwise` (an `OutdatedPreview`).
    """
    if not swap.is_sound:
        return Refused((WHICH_TWO,))

    def decide(reading: SheetReading) -> Change | Answer:
        change = swap_change(reading, swap)
        if isinstance(change, Problem):
            return Refused((change,), reading)
        return confirmed(reading, change, digest, SAID_OTHERWISE)

    body = {"what": swap.what, "one": swap.first, "other": swap.second, "since": swap.since, "until": swap.until}
    return append_revision(sheet, Revision.Verb.CORRECT, body, decide, key=key, by=by)


def swap_change(reading: SheetReading, swap: Swap) -> Change | Problem:
    """The change that puts it right, or why there is none."""
    if swap.first == swap.second:
        return WHICH_TWO
    change = other_places(reading, swap) if swap.what == SEATS else other_columns(reading, swap)
    if isinstance(change, Problem):
        return change
    if not change.added:
        return THE_SAME
    after = previewed(reading, change)
    lost = set(after.sheet.unread) - set(reading.sheet.unread)
    # A bid of the open hand waits for its turn; a hand that was scored, or a blind one, must still be read.
    if len(after.sheet.rows) < len(reading.sheet.rows) or any(address[0] == SHEET for address in lost):
        return NO_MORE
    return change


def other_places(reading: SheetReading, swap: Swap) -> Change | Problem:
    """They sat in each other's place from a hand on: who bids and deals when is another."""
    if "reseat" not in reading.game.seatings:
        return NOT_SEATED
    moment = table_at(reading, swap.since)
    if moment is None or not {swap.first, swap.second} <= set(moment[0].seats):
        return WHICH_HANDS
    table, events = moment
    order = {f"place-{place}": swap.seat(seat) for place, seat in enumerate(table.seats, 1)}
    return Change(Revision.Verb.CORRECT, {(swap.since, f"reseat-{events + 1}"): order}, why=WHY)


def table_at(reading: SheetReading, hand: int) -> tuple[Table, int] | None:
    """The table as the hand found it, and how much had happened before it; None where there is no such hand."""
    sheet = reading.sheet
    if row := sheet.row(hand):
        return row.table, len(row.events)
    if sheet.open and hand == reading.next_hand and sheet.open.misfit is None:
        return sheet.table, len(sheet.open.events)
    return None


def other_columns(reading: SheetReading, swap: Swap) -> Change | Problem:
    """Their numbers stood in each other's column from one hand to another."""
    rows = [row for row in reading.sheet.rows if swap.since <= row.hand.number <= swap.until]
    numbers = range(swap.since, swap.until + 1)
    played = all({swap.first, swap.second} <= set(row.table.seats) for row in rows)
    if not rows or len(rows) != len(numbers) or not played:
        return WHICH_HANDS
    added: dict[Address, Mapping[str, Value]] = {}
    gone = []
    for row in rows:
        steps = swapped_steps(reading, swap, row)
        for ask in {**row.hand.steps, **steps}:
            standing = reading.standing.get(row.hand.address(ask))
            if standing and ask in steps and standing.says(steps[ask]):
                continue
            gone += [standing] if standing else []
            if ask in steps:
                added[row.hand.address(ask)] = steps[ask]
    return Change(Revision.Verb.CORRECT, added, gone, why=WHY)


def swapped_steps(reading: SheetReading, swap: Swap, row: Row) -> dict[str, Step]:
    """What was written of a hand, with the two seats in each other's place, by the name of the ask."""
    asks = tuple(reading.game.asks(row.table, row.hand))
    partner = dict(partners(asks, swap))
    return {
        partner[ask.name].name: swapped_step(ask, partner[ask.name], row.hand.steps[ask.name], swap)
        for ask in asks
        if ask.name in row.hand.steps
    }


def partners(asks: tuple[Ask, ...], swap: Swap) -> Iterator[tuple[str, Ask]]:
    """Every ask with the one that asks the same of the other seat; of the table, itself."""
    own = {seat: [ask for ask in asks if ask.seat == seat] for seat in (swap.first, swap.second)}
    for ask in asks:
        if ask.seat in own:
            place = own[ask.seat].index(ask)
            yield ask.name, own[swap.second if ask.seat == swap.first else swap.first][place]
        else:
            yield ask.name, ask


def swapped_step(ask: Ask, partner: Ask, step: Mapping[str, Value], swap: Swap) -> Step:
    """A step as it would have been written in the other column: fields of a seat, and seats as values, change over."""
    swapped: Step = {}
    for place, field in enumerate(ask.fields):
        if field.name not in step:
            continue
        name = partner.fields[place].name
        if ask.seat is None and field.seat in (swap.first, swap.second):
            mine = [other for other in ask.fields if other.seat == field.seat]
            theirs = [other for other in ask.fields if other.seat == swap.seat(field.seat)]
            name = theirs[mine.index(field)].name
        value = step[field.name]
        swapped[name] = swap.seat(value) if isinstance(field, SeatChoice) else value
    return swapped
