"""Summaries of several tables: progress, expected end, the leader, and what is open."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from statistics import median

from django.db import connection
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rules.core.table import Hand
from scoresheets.log.cache import ReadingCache
from scoresheets.log.state import SheetReading, load_readings
from scoresheets.models import Revision, Sheet
from scoresheets.results.match import Match
from scoresheets.results.verdict import End, Verdict, verdict_of
from scoresheets.sheet.outsiders import for_outsiders
from scoresheets.sheet.scoreboard import TableTop

#: So many hands tell how fast a table plays.
ENOUGH_HANDS = 2
#: Nobody promises a time to the minute.
ROUNDED_TO = datetime.timedelta(minutes=5)
#: They say nothing of how long a hand takes: what was corrected later, or typed in at once.
NOT_PLAYED = (Revision.Verb.CORRECT, Revision.Verb.PAPER)


#: Readings of sheets that this process has shown.
shown_readings = ReadingCache()


def read_sheets(records: Iterable[Sheet]) -> dict[int, SheetReading]:
    """The readings of many sheets by their ids, to look at. Two queries for those on which something was written
    since this process has looked, two more for hidden names.

    All are read as an outsider may see them: what a table holds back is held back in its club too.
    """
    return {pk: for_outsiders(reading) for pk, reading in read_whole_sheets(records).items()}


def read_whole_sheets(records: Iterable[Sheet]) -> dict[int, SheetReading]:
    """The same with everything that is on them: to decide something, and not to show it.

    What was read in the middle of a transaction is not remembered: it may never have been written.
    """
    records = list(records)
    known = {record.pk: reading for record in records if (reading := shown_readings.get(record, record.version))}
    anew = load_readings([record for record in records if record.pk not in known])
    new = {new.record.pk: shown_readings.put(new, new.version) if stands_for_good() else new for new in anew}
    return known | new


def stands_for_good() -> bool:
    """Whether no transaction of this thread could still take back what is read now, but for those of a test."""
    return all(block._from_testcase for block in connection.atomic_blocks)  # type: ignore[attr-defined]  # untyped


@dataclass(frozen=True)
class Standpoint:
    """Somebody at the table: which player (id), a name, a total, and whether it is in the box or in the circle."""

    player: int
    name: str
    total: int
    boxed: bool
    circled: bool


@dataclass(frozen=True)
class Glance:
    """One table as somebody sees it who walks by."""

    reading: SheetReading

    @property
    def sheet(self) -> Sheet:
        return self.reading.record

    @property
    def game(self) -> str:
        return self.reading.game.name

    @property
    def is_running(self) -> bool:
        return self.reading.sheet.open is not None

    @property
    def is_finished(self) -> bool:
        return self.reading.finished

    @property
    def heading(self) -> str:
        """Hand 12 of 14, the blind hand, or that it is over."""
        if self.reading.withheld:
            return self.reading.withheld.heading
        if self.is_finished:
            return "finished"
        if self.is_running and not self.reading.entries:
            return "not begun"
        return TableTop(self.reading).heading

    @property
    def heading_within(self) -> str:
        """The same within a sentence: "hand 12 of 14"."""
        return self.heading[:1].lower() + self.heading[1:]

    @property
    def match(self) -> SafeString:
        """How a match stands, where there is one."""
        return Match(self.reading).strip

    @property
    def last_hand(self) -> int | None:
        """The hand after which it is to stop, as long as it plays."""
        return self.reading.last_hand if self.is_running else None

    @property
    def has_passed_it(self) -> bool:
        """Whether that hand is scored, and the table has not stopped yet."""
        return self.last_hand is not None and self.reading.next_hand > self.last_hand

    @property
    def people(self) -> list[Standpoint]:
        """Everybody at the table with the total, in seat order."""
        reading, chairs = self.reading, self.reading.sitting.at(self.reading.next_hand)
        places = zip(reading.sheet.totals, TableTop(reading).places, strict=True)
        return [Standpoint(chairs[seat].player, p.name, p.total, p.boxed, p.circled) for seat, p in places]

    @property
    def marked_people(self) -> list[Standpoint]:
        """Who is in the box or in the circle, the box first."""
        return sorted((person for person in self.people if person.boxed or person.circled), key=lambda p: not p.boxed)

    @property
    def waits_for(self) -> SafeString:
        """Whose turn it is, or what is written down next: "Cy bids", "next: the tricks"; "" where nothing is."""
        top = TableTop(self.reading)
        if self.is_finished or top.turn:
            return top.turn
        return format_html("next: {}", top.now.next_question) if top.now.next_question else SafeString()

    @cached_property
    def verdict(self) -> Verdict | None:
        """How it ended, or what is still open about it."""
        return verdict_of(self.reading)

    @property
    def ties(self) -> list[End]:
        """What is still to be settled after the last hand."""
        return [end for end in self.verdict.ends if end.state != "done"] if self.verdict else []

    @property
    def line_waits_for(self) -> str:
        """What settles a tie across a line of a group: `tie-break`, `draw`, the organiser’s `ruling`; "" for none."""
        return next((waiting.what for waiting in self.reading.sheet.waiting if waiting.edge), "")

    @cached_property
    def last_at(self) -> datetime.datetime | None:
        """When the latest of what stands was written; None where nothing was but the set-up."""
        return max((self.reading.standing[address].at for address in self.reading.entries), default=None)

    # When it will be done

    def done_at(self, now: datetime.datetime) -> datetime.datetime | None:
        """When the last hand will be scored, if it goes on as it did; None where nobody can tell.

        By the median of what a hand has taken so far for each card that was dealt, so that a pause does not count.
        """
        ahead, pace = self.ahead, self.pace
        if not ahead or pace is None or not self.ends_of_hands:
            return None
        this, *rest = ahead
        done = max(self.ends_of_hands[-1] + pace * work(this), now) + sum((pace * work(h) for h in rest), NO_TIME)
        return rounded(done)

    @property
    def ahead(self) -> Sequence[Hand]:
        """The hands it will still play, the open one first; none where that is not known, as in a race."""
        if self.reading.withheld:
            return ()
        coming, last = self.reading.sheet.coming(), self.last_hand
        planned = self.reading.game.planned_hands(self.reading.sheet.table)
        if last is not None and last >= self.reading.next_hand:
            many = last - self.reading.next_hand + 1
            return coming[:many] if planned else coming[:1] * many
        return coming if planned else ()

    @cached_property
    def pace(self) -> datetime.timedelta | None:
        """How long it takes for each unit of `work`."""
        ends = self.ends_of_hands
        rows = self.reading.sheet.rows[-len(ends) :]
        taken = [
            (later - before) / work(row.hand) for (before, later), row in zip(pairwise(ends), rows[1:], strict=True)
        ]
        played = [time.total_seconds() for time in taken if time > NO_TIME]
        return datetime.timedelta(seconds=median(played)) if len(played) >= ENOUGH_HANDS else None

    @cached_property
    def ends_of_hands(self) -> list[datetime.datetime]:
        """When each hand was scored, as far back as that can be told."""
        ends: list[datetime.datetime] = []
        for row in reversed(self.reading.sheet.rows):
            entries = [self.reading.standing[row.hand.address(name)] for name in row.hand.steps]
            written = [entry.at for entry in entries if entry.verb not in NOT_PLAYED]
            if not written or (ends and max(written) > ends[0]):
                break
            ends.insert(0, max(written))
        return ends


NO_TIME = datetime.timedelta()


def work(hand: Hand) -> int:
    """How long a hand takes beside others: its cards, with one for the dealing."""
    return hand.cards + 1


def rounded(moment: datetime.datetime) -> datetime.datetime:
    """To the next five minutes.

    >>> rounded(datetime.datetime(2026, 3, 5, 21, 36, 20, tzinfo=datetime.UTC)).minute
    40
    """
    past = (moment - datetime.datetime.min.replace(tzinfo=moment.tzinfo)) % ROUNDED_TO
    return moment - past + (ROUNDED_TO if past else NO_TIME)
