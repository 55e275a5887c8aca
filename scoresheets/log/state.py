"""The state of a sheet, replayed from its rows by the rules, with names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

# That of Python 3.11 has one lock for all readings: the thread that reads would hold up the one that writes.
from django.utils.functional import cached_property

from rules import find_game
from rules.core.engine.replay import Sheet as RulesSheet
from rules.core.engine.replay import problems, problems_at, read, stood, stood_on
from rules.core.fields import SHEET, Address, Ask, Value
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.stakes import ALL, Decides
from rules.core.table import Hand, Table
from scoresheets.log.aliases import aliases_of
from scoresheets.log.entries import EntryHistory, LogEntry, entry_values, log_entries
from scoresheets.log.incremental import Rest, read_on, rest_from
from scoresheets.log.occupants import SITS, Chair, Occupancy
from scoresheets.log.prepared import PreparedQuery
from scoresheets.models import Entry, Revision, Seat, Sheet

#: Where the set-up stands. The rules get it as a table, not as a step.
SET_UP: Address = (SHEET, "table")
#: What is said about a hand stands at `note-1`, `note-2` … of it. The rules never see it.
NOTE = "note-"
#: After which hand the table stops, where somebody has announced that. The rules never see it.
LAST_HAND: Address = (SHEET, "last-hand")


@dataclass(frozen=True)
class Setup:
    """How the table was opened: seats clockwise, who deals first and why, the hands, the house rules.

    `dealer_choice` is how the first dealer was found: `champion`, `chosen`, or as the game says. `title` is what the
    sheet is called, of which the sheet's row has a copy; None on a sheet that was opened before its title stood here.
    `decides` says what the end of the sheet is for.
    """

    seats: tuple[int, ...]
    first_dealer: int
    dealer_choice: str
    plan: Mapping[str, int]
    house_rules: Mapping[str, Value]
    title: str | None = None
    decides: Decides = ALL


@dataclass(frozen=True)
class Note:
    """Something said about a hand. Never counted."""

    pk: int
    hand: int
    k: int
    tag: str
    seat: int | None
    note: str
    by: str
    version: int


@dataclass(frozen=True)
class Withheld:
    """What is kept from those who look on: everything after the hand `shown` (0: all hands).

    `hand` is the one that is played now, of `planned` (0: nobody knows); None: the last is played, and its result is
    held back.
    """

    shown: int
    hand: int | None = None
    planned: int = 0

    @property
    def heading(self) -> str:
        """How far the table is: "Hand 13 of 14"."""
        if self.hand is None:
            return "The last hand"
        return f"Hand {self.hand} of {self.planned}" if self.planned else f"Hand {self.hand}"

    @property
    def sentence(self) -> str:
        """What a page says about it."""
        if self.hand is None:
            return "The last hand is played. The result comes in a moment."
        standing = f" This is the score after hand {self.shown}." if self.shown else ""
        return f"Totals are hidden until the game ends.{standing}"


@dataclass(frozen=True)
class SheetReading:
    """A sheet of the database as one moment found it: its row, what stands on it, and what that comes to.

    `chairs` are the seats as they were first given; who sits on them now is told by `sitting`. `withheld`: it is read
    for somebody who looks on, and some hands are kept from them (`scoresheets.sheet.outsiders`): they are not in it.
    """

    record: Sheet
    version: int
    chairs: Mapping[int, Chair]
    standing: Mapping[Address, LogEntry]
    #: What players (ids) are called instead, whose names are hidden.
    aliases: Mapping[int, str] = field(default_factory=dict)
    #: How the rules read it, where that is known already.
    known: RulesSheet | None = field(default=None, repr=False, compare=False)
    withheld: Withheld | None = None

    @cached_property
    def sitting(self) -> Occupancy:
        """Who sat where, hand by hand."""
        seats = self.setup.seats if SET_UP in self.standing else ()
        standing = {address: entry.data for address, entry in self.standing.items()}
        return Occupancy(self.chairs, seats, standing, self.aliases)

    def called(self, player: object, name: str) -> str:
        """What a player (id) is called, who stands there under that name."""
        return self.aliases.get(player, name) if isinstance(player, int) else name

    @cached_property
    def names(self) -> dict[int, str]:
        """What everybody is called, by seat, as the next hand is played; who gave up a seat is not among them."""
        return self.names_at(self.next_hand)

    def names_at(self, hand: int) -> dict[int, str]:
        """What those were called who sat there when `hand` was played."""
        return {seat: chair.name for seat, chair in self.sitting.at(hand).items()}

    @cached_property
    def replaced(self) -> dict[Address, str]:
        """Who gave up a seat, by the address of the substitution."""
        sitting = self.sitting
        return {
            (change.hand, ask): sitting.before(change.hand, change.k)[change.seat].name
            for change in sitting.changes
            if (change.hand, ask := f"substitute-{change.k}") in self.standing
        }

    @cached_property
    def game(self) -> Game:
        return find_game(self.record.game)

    @cached_property
    def setup(self) -> Setup:
        data = self.standing[SET_UP].data
        return Setup(
            seats=tuple(data["seats"]),
            first_dealer=data["first_dealer"],
            dealer_choice=data["found"],
            plan=data["plan"],
            house_rules=data["house_rules"],
            title=data.get("title"),
            decides=Decides.read(data.get("decides")),
        )

    @cached_property
    def table(self) -> Table:
        """The table as it was opened."""
        setup = self.setup
        table = self.game.open_table(setup.seats, setup.first_dealer, setup.plan, setup.house_rules, setup.decides)
        return table.but(known_occupants=self.sitting.numbers)

    @cached_property
    def entries(self) -> dict[Address, Mapping[str, Value]]:
        """What the rules read."""
        return {address: entry.data for address, entry in self.standing.items() if is_for_the_rules(address)}

    @cached_property
    def sheet(self) -> RulesSheet:
        """The sheet as the rules read it."""
        return self.known or read(self.game, self.table, self.entries)

    def with_entries(self, entries: Mapping[Address, Mapping[str, Value]]) -> RulesSheet:
        """How the sheet would read with other entries."""
        return read_on(self.sheet, self.table, self.entries, entries)

    @cached_property
    def rest(self) -> Rest:
        """What the rules have to read to judge a step that is not about a scored hand."""
        return rest_from(self.sheet, self.next_hand, self.entries) or Rest(self.table, self.entries)

    @property
    def finished(self) -> bool:
        return self.sheet.finished

    @property
    def is_held_back(self) -> bool:
        """Whether the game is over, and its result waits until a scorekeeper shows it."""
        return self.finished and self.record.result_opens_at is not None

    @cached_property
    def entry_ids(self) -> dict[Address, int]:
        """What a post says it `saw`, by address."""
        return {address: entry.pk for address, entry in self.standing.items()}

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What was said about hands, in the order of the sheet."""
        notes = []
        for (hand, ask), entry in self.standing.items():
            if ask.startswith(NOTE):
                data = entry.data
                notes.append(
                    Note(
                        entry.pk,
                        hand,
                        int(ask.removeprefix(NOTE)),
                        str(data["tag"]),
                        data["seat"],
                        str(data["note"]),
                        entry.by,
                        entry.first,
                    )
                )
        return tuple(sorted(notes, key=lambda note: (note.hand, note.k)))

    @cached_property
    def last_write(self) -> int | None:
        """The version of the revision that "take back" undoes now; None where there is only the set-up.

        Entries of a corrected set-up are not undone by "take back".
        """
        written = (self.standing[address] for address in self.entries)
        return max((entry.first for entry in written if entry.verb != Revision.Verb.SET_UP), default=None)

    @cached_property
    def last_played(self) -> int | None:
        """The same, but for corrections: the table has not played on by them."""
        played = (self.standing[address] for address in self.entries)
        return max((entry.first for entry in played if entry.verb != Revision.Verb.CORRECT), default=None)

    @property
    def last_entries(self) -> tuple[LogEntry, ...]:
        """What stands of that write, in the order of the sheet."""
        mine = [entry for entry in self.standing.values() if entry.first == self.last_write]
        return tuple(sorted(mine, key=lambda entry: entry.address))

    @cached_property
    def take_back(self) -> int | None:
        """The version that "Take back" names on the page of the sheet: the latest bid of the hand that is written down
        now, also where trump was noted since; where it is not bid by turns, what was written last of it. Or who comes
        or goes, or a draw beside the blind hand, where that was written since.

        Where nothing of the hand is written, the last write: "Back to hand 7".

        The pad decides the same by itself, because it works without network (`takenBack` in static/js/pad/replay.js):
        `tests/browser/test_take_back_alike.py` compares the two, and `tests/scoresheets/commands/test_any_evening.py`
        does so without a script. But where nothing of the hand is written, the pad passes over what has lost its place,
        and over what was corrected or typed in from paper, with the scored hands in which something was.
        """
        written = self.written_now
        if not written:
            return self.last_write
        last = written[latest_step(written, by_turns=self.is_bid_by_turns or self.is_reordered)]
        noted = [self.standing[self.next_hand + 1, event.name].first for event in self.sheet.noted]
        # What is written of the hand stands on who came before it, and a draw can be taken back only as the last write.
        since = [entry.first for entry in (*self.beside, *self.happened) if entry.first > max(written.values())]
        return max([last, *noted, *since])

    @property
    def hand(self) -> Hand | None:
        """The hand that is written down now: the open one, or a blind hand."""
        if self.sheet.open:
            return self.sheet.open.hand
        return self.sheet.settlement.hand if self.sheet.settlement else None

    @property
    def is_bid_by_turns(self) -> bool:
        """Whether it is written on the pad of bids, where a bid is taken back before those it was made after (Rule 8).

        It goes by the order of the bids also where one of them was typed anew or corrected since.
        """
        return self.game.pad == "bidding"

    @property
    def written_now(self) -> dict[str, int]:
        """By ask, in their order: the version that wrote each step of that hand which "Take back" names.

        Of a hand that is bid by turns these are the bids.
        """
        hand = self.hand
        if hand is None:
            return {}
        asks = (ask for ask in self.game.asks(self.sheet.table, hand) if ask.name in hand.steps)
        counts = (ask.name for ask in asks if not (ask.optional and self.is_bid_by_turns))
        return {name: self.standing[hand.address(name)].first for name in counts}

    @property
    def happened(self) -> tuple[LogEntry, ...]:
        """Who came or went last before the open hand, if that is what happened last; no misdeal."""
        last = self.sheet.open.events[-1:] if self.sheet.open else ()
        return tuple(self.standing[self.next_hand, event.name] for event in last if event.kind not in Game.events)

    @property
    def beside(self) -> tuple[LogEntry, ...]:
        """The draws and rulings that stand beside an open blind hand, in the order in which they were written."""
        settlement = self.sheet.settlement
        if settlement is None or settlement.hand is None:
            return ()
        names = [f"draw-{k}" for k in range(1, len(settlement.draws) + 1)]
        names += [ruled.name for ruled in settlement.rulings]
        return tuple(sorted((self.standing[SHEET, name] for name in names), key=lambda entry: entry.first))

    @cached_property
    def is_reordered(self) -> bool:
        """Whether what stands of the hand that is written down now was written in another order than it has now.

        Who deals, or who came or went before, was put right or taken back since. What was typed anew or corrected was
        there before: it is later than it was first said, and so it says nothing of what follows it. But nothing that
        comes before it was written later.
        """
        hand = self.hand
        if hand is None:
            return False
        in_turn = [ask.name for ask in self.game.asks(self.sheet.table, hand) if not ask.optional]
        latest = 0
        for entry in (self.standing[hand.address(name)] for name in in_turn if name in hand.steps):
            if entry.first < latest:
                return True
            if entry.verb not in (Revision.Verb.RETYPE, Revision.Verb.CORRECT):
                latest = entry.first
        return False

    @property
    def next_hand(self) -> int:
        """The number of the hand that is open, or would be next."""
        return self.sheet.table.hands_done + 1

    @property
    def last_hand(self) -> int | None:
        """The hand after which the table is to stop, where that was announced."""
        announced = self.standing.get(LAST_HAND)
        return int(announced.data["hand"]) if announced else None

    @property
    def next_event(self) -> int:
        """The number the next event of the coming hand would get."""
        return self.sheet.open.next_event if self.sheet.open else 1

    @property
    def stopped(self) -> LogEntry | None:
        """The entry that ended the game early, where one stands and counts."""
        if not self.sheet.table.stopped:
            return None
        return next((e for (_, ask), e in self.standing.items() if ask.startswith("stop-")), None)

    def is_scored(self, address: Address) -> bool:
        """Whether the address belongs to a hand that is done with: what stands there is only corrected."""
        hand = address[0]
        if hand != SHEET:
            return hand < self.next_hand
        settlement = self.sheet.settlement
        return settlement is not None and address in settlement.read and not self.is_open(address)

    def is_open(self, address: Address) -> bool:
        """Whether the address belongs to the hand being written down, or to the blind hand or draw."""
        hand, ask = address
        if hand != SHEET:
            return self.sheet.open is not None and hand == self.next_hand
        settlement = self.sheet.settlement
        if settlement is None:
            return False
        blind = settlement.hand.prefix if settlement.hand else ""
        return (blind != "" and ask.startswith(blind)) or any(ask == due.name for due in settlement.asks)

    def ask_at(self, address: Address) -> Ask | None:
        """What is asked at `address`, standing there or not; None where nothing can be."""
        rest = Rest(self.table, self.entries) if self.is_scored(address) else self.rest
        place = stood(self.game, *rest, address)
        return place.ask if place else None

    def problems(self, address: Address, step: Mapping[str, Value]) -> tuple[Problem, ...]:
        """Every problem of writing `step` there, not in a scored hand; the unwise ones included."""
        if address in self.entries:
            return problems(self.game, *self.rest, address, step)
        return problems_at(self.game, stood_on(self.sheet, self.table, address), step)

    def ask_named(self, address: Address) -> Ask | None:
        """The same without a look at whose turn it is: of the open hand at no cost."""
        hand, name = address
        if self.sheet.open and hand == self.next_hand:
            asks = self.game.asks(self.sheet.table, self.sheet.open.hand)
            if ask_there := next((ask for ask in asks if ask.name == name), None):
                return ask_there
        return self.ask_at(address)

    def changed(
        self, withdrawn: Collection[Address], added: Collection[LogEntry], chairs: Mapping[int, Chair] | None = None,
        aliases: Mapping[int, str] | None = None,
    ) -> SheetReading:  # fmt: skip
        """The sheet after one more write, which withdrew some entries and added others, and brought `chairs`."""
        kept = {address: entry for address, entry in self.standing.items() if address not in withdrawn}
        standing = kept | {entry.address: entry for entry in added}
        sat, hidden = {**self.chairs, **(chairs or {})}, {**self.aliases, **(aliases or {})}
        entries = {address: step for address, step in self.entries.items() if address not in withdrawn}
        entries |= {entry.address: entry.data for entry in added if is_for_the_rules(entry.address)}
        after = SheetReading(self.record, self.version + 1, sat, standing, hidden)
        known: dict[str, Any] = {"entries": entries}
        if standing.get(SET_UP) == self.standing.get(SET_UP):
            table = self.table.but(known_occupants=after.sitting.numbers)
            known |= {
                "setup": self.setup, "table": table, "sheet": read_on(self.sheet, table, self.entries, entries),
            }  # fmt: skip
        # That is where `cached_property` keeps what it knows.
        vars(after).update(known)
        return after

    def replayed(self) -> SheetReading:
        """The same with what the rules make of it (`known`), and with all else that was worked out already."""
        same = copy(self)
        vars(same)["known"] = self.sheet
        return same

    def with_record(self, record: Sheet) -> SheetReading:
        """The same reading with what the row of the sheet says now, and with all that was worked out already."""
        same = copy(self)
        vars(same)["record"] = record
        return same


def reading_before(now: SheetReading, history: EntryHistory, version: int) -> SheetReading:
    """The sheet as it read just before that version; `history` has all of its entries."""
    return SheetReading(now.record, version - 1, now.chairs, history.before(version), now.aliases)


def read_sheet(record: Sheet) -> SheetReading:
    """Read a sheet in two queries: its active entries with their writers, and its seats. Two more for hidden names."""
    return next(load_readings([record]))


@PreparedQuery
def standing_entries(sheets: list[int]) -> QuerySet[Entry, tuple[Any, ...]]:
    return entry_values(Entry.objects.filter(sheet__in=sheets).standing())


@PreparedQuery
def seats_of(sheets: list[int]) -> QuerySet[Seat, tuple[Any, ...]]:
    seats = Seat.objects.filter(sheet__in=sheets).order_by("sheet", "number")
    return seats.values_list("sheet", "number", "pk", "player", "name")


def load_readings(records: Sequence[Sheet]) -> Iterator[SheetReading]:
    """The readings of many sheets in as many queries; none for none.

    Seats come last: somebody who comes in between has a chair before anything is said of them.
    """
    if not records:
        return
    sheets = [record.pk for record in records]
    entries = log_entries(standing_entries(sheets=sheets))
    chairs: dict[int, dict[int, Chair]] = defaultdict(dict)
    for sheet, number, pk, player, name in seats_of(sheets=sheets):
        chairs[sheet][number] = Chair(pk, player, name)
    aliases = aliases_of(records)
    for record in records:
        active = {entry.address: entry for entry in entries[record.pk]}
        yield SheetReading(record, record.version, chairs[record.pk], active, aliases.get(record.pk, {}))


def latest_step(versions: Mapping[str, int], *, by_turns: bool) -> str:
    """The ask that is taken back first, of `versions` by ask in the order of the asks: what was written last.

    By turns it is the last in turn, which stands on those before it: so where the hand has another order now.

    >>> versions = {"bid-2": 7, "bid-3": 5, "bid-1": 6}
    >>> latest_step(versions, by_turns=False), latest_step(versions, by_turns=True)
    ('bid-2', 'bid-1')
    """
    places = list(versions)
    return places[-1] if by_turns else max(places, key=lambda ask: (versions[ask], places.index(ask)))


def is_for_the_rules(address: Address) -> bool:
    """Whether the rules read what stands there: not the set-up, nor notes, names and what was announced."""
    return address not in (SET_UP, LAST_HAND) and not address[1].startswith((NOTE, SITS))
