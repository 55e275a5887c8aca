"""Updating the copies that follow from changed results.

Every function here is idempotent. It runs in one transaction with the removal of its request from the queue, so a
reader sees the results before it or after it. Only standings follow later (`standings`).
"""

from __future__ import annotations

import datetime
import time
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Q, QuerySet

from clubs.imports.writing import write_piece
from clubs.models import Club, Member, Night, PendingUpdate, Placing, PlayOff, Table
from clubs.play_offs.state import PlayOffNow
from clubs.projections import standings
from clubs.projections.play_off import keep_play_off
from clubs.queue.changes import KINDS
from clubs.ratings.store import keep_ratings
from clubs.records.games import is_of_play_off
from clubs.records.honours import keep_back_to_back, tell_sheets
from clubs.records.table_copies import keep_copies
from clubs.standings.store import keep_standings
from clubs.tables.open import say_stakes
from clubs.trophies.decide import look, look_at_night, look_at_people
from clubs.trophies.play_off import look_at_play_off
from scoresheets.log.append import locked
from scoresheets.log.prepared import PreparedQuery
from scoresheets.log.publish import replace_facts
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Sheet
from scoresheets.sheet.outsiders import for_outsiders

#: The kind of a change, and the id of what has changed.
Change = tuple[str, int]

Kind = PendingUpdate.Kind

#: Seconds after which no further sheet is read in the same transaction: the tables wait for it to end.
ENOUGH = 0.03
#: What is counted together; everything else one after the other.
TOGETHER: dict[str, set[Kind]] = {
    kind: kinds for kinds in ({Kind.SHEET, Kind.PLAY_OFF}, {Kind.TABLE}, {Kind.MEMBER}) for kind in kinds
}


@PreparedQuery
def locked_club(pk: int) -> QuerySet[Club]:
    return Club.objects.select_for_update(no_key=True).filter(pk=pk)


def count_changes(club_id: int | None, rows: QuerySet[PendingUpdate]) -> None:
    """Count what some of these rows of the club ask for, the oldest first, and delete them; None: of no club.

    Within a transaction. The club's row is locked before all others: so two processes never count one club at once.
    """
    club = locked_club.get(pk=club_id) if club_id else None
    # Whatever comes from now on is counted by itself: it may say more than what is read here.
    waiting = list(PendingUpdate.objects.filter(club=club).values_list("pk", "kind", "subject"))
    games = rows.exclude(kind__in=standings.KINDS).order_by("pk")
    changes = list(dict.fromkeys(games.values_list("kind", "subject")))
    if not changes:
        return
    together = TOGETHER.get(changes[0][0])
    changes = [change for change in changes if change[0] in together] if together else changes[:1]
    done = count_sheets(changes) if club is None else count_of_club(club, changes)
    PendingUpdate.objects.filter(pk__in=[pk for pk, *change in waiting if tuple(change) in done]).delete()


def count_now(club: Club, *changed: Sheet | PlayOff) -> None:
    """Count what waits of these at once, where the next step of the same transaction goes on from it."""
    for row in changed:
        waiting = PendingUpdate.objects.filter(club=club, kind=KINDS[type(row)], subject=row.pk)
        if waiting.exists():
            count_changes(club.pk, waiting)


def count_sheets(changes: Iterable[Change]) -> set[Change]:
    """What their sheets have told, for sheets of no club; which of them were done, in the time there is."""
    begin = time.monotonic()
    done: set[Change] = set()
    for kind, subject in changes:
        publish_hands(subject)
        done.add((kind, subject))
        if time.monotonic() - begin > ENOUGH:
            break
    return done


def publish_hands(sheet: int) -> SheetReading | None:
    """The sheet as it stands, with what it has told of its hands; None: it is there no more."""
    records = locked(pk=sheet)
    if not records:
        return None
    reading = read_sheet(records[0])
    replace_facts(reading)
    return reading


def count_of_club(club: Club, changes: Collection[Change]) -> set[Change]:
    """What follows from these changes in a club; which of them were done, in the time there is."""
    recount = Recount(club)
    ids: dict[str, list[int]] = defaultdict(list)
    for kind, subject in changes:
        ids[kind].append(subject)
    done = set(changes)
    if Kind.SHEET in ids or Kind.PLAY_OFF in ids:
        done = count_tables(recount, ids[Kind.SHEET], ids[Kind.PLAY_OFF])
    if Kind.TABLE in ids:
        done = keep_tables(club, ids[Kind.TABLE])
    if Kind.NIGHT in ids:
        for night in club.nights.filter(pk__in=ids[Kind.NIGHT]).select_related("trophies_table"):
            recount.night(night)
    if Kind.TROPHIES in ids:
        for night in club.nights.filter(pk__in=ids[Kind.TROPHIES]).select_related("trophies_table"):
            night.club, recount.wins = club, None
            recount.nights[night.pk] = night
    if Kind.MEMBER in ids and (members := list(club.members.filter(pk__in=ids[Kind.MEMBER]))):
        recount.members(members)
    if Kind.CLUB in ids:
        recount.games()
    recount.finish()
    if Kind.PAST in ids:
        for upload in club.uploads.filter(pk__in=ids[Kind.PAST]).select_related("club", "confirmed_by"):
            write_piece(upload)
    return done


def count_tables(recount: Recount, sheets: Iterable[int], play_offs: Collection[int]) -> set[Change]:
    """These sheets, as many as there is time for, and these play-offs, with those of the sheets."""
    sheets, begin = list(sheets), time.monotonic()
    done: set[Change] = set()
    of = dict(play_offs_of(sheets=sheets))
    # Before their sheets, as everybody waits who changes more than one.
    wanted = {*play_offs, *(play_off for play_off in of.values() if play_off is not None)}
    rows = locked_play_offs(recount.club, wanted) if wanted else []
    for sheet in sheets:
        if done and time.monotonic() - begin > ENOUGH:
            break
        if reading := publish_hands(sheet):
            recount.sheet(reading)
        done.add((Kind.SHEET, sheet))
    late = {of[sheet] for sheet in sheets if (Kind.SHEET, sheet) not in done and sheet in of}
    for play_off in rows:
        # It counts all of its sheets together.
        if play_off.pk not in late:
            recount.play_off(play_off)
    return done | {(Kind.PLAY_OFF, pk) for pk in play_offs if pk not in late}


@PreparedQuery
def play_offs_of(sheets: list[int]) -> QuerySet[Table, tuple[int, int | None]]:
    return Table.objects.filter(sheet__in=sheets).values_list("sheet", "stage__play_off")


def locked_play_offs(club: Club, ids: Collection[int]) -> list[PlayOff]:
    rows = PlayOff.objects.select_for_update(of=("self",), no_key=True).filter(night__club=club, pk__in=ids)
    return list(rows.select_related("night__trophies_table").order_by("pk"))


@PreparedQuery
def table_of_sheet(sheet: int, club: int) -> QuerySet[Table]:
    """The table of the club at which the sheet stands, with its night and its play-off."""
    tables = Table.objects.select_related("night__trophies_table", "stage__play_off")
    return tables.filter(sheet=sheet, night__club=club)


@PreparedQuery
def placings_at(table: int) -> QuerySet[Placing]:
    return Placing.objects.filter(table=table).select_related("member")


@dataclass
class Recount:
    """What has changed in a club, gathered; then what follows from all of it together, once."""

    club: Club
    people: set[Member] = field(default_factory=set)
    everybody: bool = False
    #: The only days on which something has changed; None: any.
    days: set[datetime.date] | None = field(default_factory=set)
    #: Tables that had no placing until now; None: something else has changed, too.
    ended: list[Table] | None = field(default_factory=list)
    #: Where the order of the winners may be another one: days by game; None: anywhere.
    wins: dict[str, set[datetime.date]] | None = field(default_factory=dict)
    #: Tables, nights and play-offs whose trophies are looked at, these as they stand, unless they were called off.
    tables: list[Table] = field(default_factory=list)
    nights: dict[int, Night] = field(default_factory=dict)
    play_offs: list[tuple[PlayOff, PlayOffNow | None]] = field(default_factory=list)
    has_merged: bool = False

    # What has changed

    def sheet(self, reading: SheetReading) -> None:
        """A sheet was finished, corrected or opened again, or has come to a table or from it."""
        tables = table_of_sheet(sheet=reading.record.pk, club=self.club.pk)
        if not tables:
            return
        (table,) = tables
        table.night.club = self.club
        before = [placing.member for placing in placings_at(table=table.pk)]
        after = [placing.member for placing in keep_table(table, reading)]
        if is_of_play_off(table):
            return
        self.changed(table.night, [table], before, after)
        self.tables.append(table)
        if table.withdrawn_at is not None or table.source == Table.Source.BROUGHT:
            # Whether the night has one table or several may have changed with it, and it was perhaps of another night.
            self.days = self.wins = None
            self.nights[table.night_id] = table.night

    def play_off(self, play_off: PlayOff) -> None:
        """Something of a play-off: a sheet, a ruling, a card that was drawn, a stage, whether it is called off."""
        play_off.night.club = self.club
        tables = list(Table.objects.filter(stage__play_off=play_off).select_related("night"))
        sat = Member.objects.filter(placings__table__in=tables).distinct()
        before, was_decided = list(sat), play_off.decided_at
        state = keep_play_off(play_off)
        self.changed(play_off.night, tables, before, list(sat.all()))
        self.play_offs.append((play_off, state))
        if was_decided or play_off.decided_at:
            say_stakes(play_off.night)

    def changed(
        self, night: Night, tables: Collection[Table], before: Collection[Member], after: Collection[Member]
    ) -> None:
        """Those who had a placing at these tables of the night, and those who have one now."""
        if not before and not after:
            return
        self.people |= {*before, *after}
        if self.days is not None:
            self.days.add(night.on)
        if self.wins is not None:
            for table in tables:
                self.wins.setdefault(table.game, set()).add(night.on)
        if before or (self.ended and self.ended[0].night_id != night.pk):
            self.ended = None
        elif self.ended is not None:
            self.ended += tables

    def night(self, night: Night) -> None:
        """Whether it counts, or when it was."""
        night.club = self.club
        self.people |= set(Member.objects.filter(placings__table__night=night))
        self.days = self.wins = self.ended = None
        self.nights[night.pk] = night

    def members(self, members: Collection[Member]) -> None:
        """Two records became one person, or two again."""
        keep_play_offs(self.club, members)
        self.people |= set(members)
        self.days = self.wins = self.ended = None
        self.has_merged = True

    def games(self) -> None:
        """Any game of the club."""
        keep_play_offs(self.club)
        self.days = self.wins = self.ended = None
        self.everybody = True

    # What follows

    def finish(self) -> None:
        """Everything that follows from it: winners of games running, and the trophies.

        The standings are made later, once for all games that are read until then.
        """
        if self.wins is None or self.wins:
            keep_back_to_back(self.club, self.wins)
        tell_sheets(self.told_tables())
        if self.everybody or self.people:
            standings.to_be_counted(self.club, self.for_standings())
        for table in self.tables:
            look(table)
        for night in self.nights.values():
            look_at_night(night)
        for play_off, state in self.play_offs:
            look_at_play_off(play_off.night, known=state)
        if self.has_merged:
            look_at_people(self.club)

    def told_tables(self) -> list[Table]:
        """The tables whose sheets tell something else now, perhaps, each with its night."""
        others = self.other_tables() if self.nights or self.play_offs else []
        return list({table.pk: table for table in [*others, *self.tables]}.values())

    def other_tables(self) -> list[Table]:
        """Those of these nights outside of play-offs, and those of these play-offs."""
        of_others = Q(night__in=self.nights.values(), stage__isnull=True) | Q(
            stage__play_off__in=[play_off.pk for play_off, _ in self.play_offs]
        )
        return list(Table.objects.filter(of_others, sheet__isnull=False).select_related("night__club"))

    def for_standings(self) -> standings.Changed:
        """What of it the standings are made from."""
        return standings.Changed(
            people=sorted({pk for member in self.people for pk in (member.pk, member.same_as_id) if pk}),
            everybody=self.everybody,
            days=None if self.days is None else sorted(map(str, self.days)),
            ended=None if self.ended is None else [table.pk for table in self.ended],
        )


# What a club keeps of its tables


def keep_tables(club: Club, wanted: Iterable[int]) -> set[Change]:
    """What the club keeps of these tables alone, as many as there is time for; which of them were done."""
    begin = time.monotonic()
    done: set[Change] = set()
    for pk in wanted:
        table = Table.objects.filter(pk=pk, night__club=club).select_related("night", "stage__play_off").first()
        if table is not None:
            table.night.club = club
            if table.sheet_id is None:
                keep_copies(table, None)
            else:
                keep_table(table, read_sheet(Sheet.objects.select_for_update(no_key=True).get(pk=table.sheet_id)))
        done.add((Kind.TABLE, pk))
        if time.monotonic() - begin > ENOUGH:
            break
    return done


def keep_table(table: Table, reading: SheetReading) -> list[Placing]:
    """What the club keeps of this table alone: copies, and nothing else; of one of a play-off only that it is over.

    Its placings, but for those of a play-off.
    """
    table.sheet, reading = reading.record, for_outsiders(reading)
    if table.ended_at != reading.record.finished_at:
        table.ended_at = reading.record.finished_at
        table.save(update_fields=["ended_at"])
    if is_of_play_off(table):
        return []
    return keep_copies(table, reading)


def keep_play_offs(club: Club, people: Iterable[Member] | None = None) -> None:
    """The same of all play-offs of a club, behind its tables; or of those that have counted for one of these people."""
    play_offs = PlayOff.objects.filter(night__club=club).select_related("night__club")
    if people is not None:
        play_offs = play_offs.filter(stages__tables__placings__member__in=list(people)).distinct()
    for play_off in play_offs:
        keep_play_off(play_off)


def remake(club: Club) -> int:
    """Make all copies of a club again from its sheets; how many tables it were."""
    all_tables = Table.objects.filter(night__club=club).select_related("night__club", "stage__play_off", "sheet")
    tables = all_tables.filter(sheet__isnull=False)
    with transaction.atomic():
        for table in tables:
            if table.sheet:
                keep_table(table, read_sheet(table.sheet))
        for past in all_tables.filter(sheet__isnull=True):
            keep_copies(past, None)
        keep_play_offs(club)
        keep_back_to_back(club)
        tell_sheets(tables)
        keep_ratings(club)
        keep_standings(club)
        club.pending_updates.filter(kind=Kind.STANDING).delete()
    return len(tables)
