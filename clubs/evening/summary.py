"""The running nights of a club, with a summary of each table."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from clubs.access.outdated import mark_for
from clubs.models import Attendance, Chair, Club, Member, Night, Placing, PlayerAlias, PlayOff, Stage, Table
from clubs.models.play_off import nth_round
from clubs.nights.attendance import AttendanceSummary, attendance
from clubs.nights.replies import near
from clubs.play_offs.lengths import lengths_of
from rules import UnknownGame, find_game
from scoresheets.log.state import SheetReading
from scoresheets.sheet.summary import Glance, read_sheets

A_DAY = datetime.timedelta(days=1)


@dataclass(frozen=True)
class Seen:
    """A table of a night as it stands now. `glance` is None where it has no sheet: not yet, or of the past.

    `coming` are those for whom a chair is kept there.
    """

    table: Table
    glance: Glance | None = None
    placings: tuple[Placing, ...] = ()
    #: That it plays more or fewer hands than the other tables of its round (`play_offs.lengths`).
    length: str = ""
    coming: tuple[Member, ...] = ()

    def __str__(self) -> str:
        return str(self.table)

    @property
    def within(self) -> str:
        """Its name within a sentence: "table 2"; a label of its own as it stands."""
        return str(self.table) if self.table.label else f"table {self.table.number}"

    @property
    def game(self) -> str:
        try:
            return find_game(self.table.game).name
        except UnknownGame:
            return self.table.game

    @property
    def line_waits_for(self) -> str:
        """What settles a tie across a line of it, while its play-off stands (`Glance.line_waits_for`)."""
        of_play_off = self.table.stage is not None and self.table.stage.play_off.called_off_at is None
        return self.glance.line_waits_for if self.glance and of_play_off else ""

    @property
    def is_single_again(self) -> bool:
        """Whether it was of a play-off that was called off: nobody goes on from it to anything."""
        return self.table.stage is not None and self.table.stage.play_off.called_off_at is not None

    @property
    def asks_since(self) -> datetime.datetime | None:
        """Since when it asks for the organiser."""
        return self.glance.sheet.asks_since if self.glance else None

    @property
    def is_running(self) -> bool:
        """Whether hands are still played at it."""
        return self.glance is not None and self.glance.is_running

    @property
    def is_over(self) -> bool:
        """Whether nothing about it is open."""
        return self.table.ended_at is not None if self.glance is None else self.glance.is_finished

    @cached_property
    def done_at(self) -> datetime.datetime | None:
        """When the last hand will be scored, by what hands have taken so far."""
        return self.glance.done_at(timezone.now()) if self.glance and self.glance.is_running else None

    @property
    def idle(self) -> int | None:
        """For how many minutes nothing was written on it; None where nothing was, or it is over."""
        if self.glance is None or self.glance.last_at is None or self.is_over:
            return None
        return max(int((timezone.now() - self.glance.last_at).total_seconds() // 60), 0)


@dataclass(frozen=True)
class Block:
    """Tables of a night that are played side by side: a round of its play-off, or (`number` 0) single games."""

    number: int
    tables: list[Seen]

    @property
    def name(self) -> str:
        """What stands over them."""
        if not self.number:
            return "Other tables"
        several = "s" if len(self.tables) > 1 else ""
        if self.number == 1:
            return f"The group{several}"
        finals = all(seen.table.stage.is_final for seen in self.tables if seen.table.stage)
        return f"The final{several}" if finals else f"The {nth_round(self.number)}"


@dataclass(frozen=True)
class Evening:
    """A night with its tables."""

    night: Night
    tables: list[Seen] = field(default_factory=list)

    @property
    def play_off(self) -> PlayOff | None:
        """The play-off whose tables they are, unless it was called off."""
        stages = [seen.table.stage for seen in self.tables if seen.table.stage]
        return next((stage.play_off for stage in stages if stage.play_off.called_off_at is None), None)

    @cached_property
    def attendance(self) -> AttendanceSummary:
        """Who is and was at the tables. Two queries, three with results of the past."""
        glances = {seen.table.sheet_id or 0: seen.glance for seen in self.tables if seen.glance}
        known = {sheet: glance.reading.sitting.everybody for sheet, glance in glances.items()}
        return attendance(self.night.club, [seen.table for seen in self.tables], known)

    @property
    def people(self) -> int:
        """How many they are."""
        return self.attendance.count([seen.table for seen in self.tables])

    @property
    def blocks(self) -> list[Block]:
        """The tables by the rounds of the play-off, the latest first; single games stand last."""
        of: dict[int, Block] = {}
        is_on, lengths = self.play_off is not None, lengths_of(self.of_stages)
        for seen in self.tables:
            number = seen.table.stage.number if is_on and seen.table.stage else 0
            with_length = replace(seen, length=lengths.get(seen.table.sheet_id or 0, ""))
            of.setdefault(number, Block(number, [])).tables.append(with_length)
        return sorted(of.values(), key=lambda block: -block.number)

    @property
    def of_stages(self) -> list[tuple[Stage, Glance]]:
        """The tables of the play-off, each with its stage."""
        pairs = [(seen.table.stage, seen.glance) for seen in self.tables] if self.play_off else []
        return [(stage, glance) for stage, glance in pairs if stage and glance]

    @property
    def play_off_said(self) -> str:
        """How far the play-off is: "2 groups, hand 7 of 12"."""
        progress = how_far(self.of_stages)
        decided = self.play_off is not None and self.play_off.decided_at is not None
        if progress or decided or self.night.closed_at:
            return progress or "over"
        if any(glance.ties for _, glance in self.of_stages):
            return "a tie is to be settled"
        if not any(stage.is_final for stage, _ in self.of_stages):
            return "the next tables are to be drawn"
        sides = {stage.side for stage, _ in self.of_stages if stage.is_final and stage.abandoned_at is None}
        return f"the final{'s are' if len(sides) > 1 else ' is'} to be settled"

    @property
    def singles(self) -> list[Seen]:
        """The tables that play, and for themselves: all that play, where no play-off goes on."""
        return [seen for seen in self.running if self.play_off is None or seen.table.stage is None]

    @property
    def is_on(self) -> bool:
        """Whether it has begun and was not closed."""
        return self.night.begun_at is not None and self.night.closed_at is None

    @property
    def running(self) -> list[Seen]:
        """The tables at which hands are played."""
        return [seen for seen in self.tables if seen.is_running]

    @property
    def unfinished(self) -> list[Seen]:
        """The tables of which something is open, a tie perhaps."""
        return [seen for seen in self.tables if seen.glance and not seen.is_over]

    @property
    def told_to_stop(self) -> list[Seen]:
        """The tables that were told which hand is their last."""
        return [seen for seen in self.running if seen.glance and seen.glance.last_hand is not None]

    @property
    def done_at(self) -> datetime.datetime | None:
        """When the last of them is done, where that can be told of every one."""
        times = [seen.done_at for seen in self.running]
        return max((time for time in times if time), default=None) if all(times) else None


def tonight(club: Club) -> list[Night]:
    """The nights that are on, those of a day that are just for fun after the others. One query."""
    nights = club.nights.standing().filter(is_on(club)).select_related("trophies_table")
    return list(nights.order_by("on", "for_fun", "begins", "pk"))


def is_on(club: Club) -> Q:
    """Whether a night is planned for now (`near`), or begun and not closed, the evening before perhaps."""
    today = club.today()
    return Q(near(club) | Q(begun_at__isnull=False, on__range=(today - A_DAY, today)), closed_at__isnull=True)


def next_night(club: Club) -> Night | None:
    """The first of those to come that has not begun and is not on. One query."""
    ahead = club.nights.standing().filter(on__gt=club.today(), begun_at__isnull=True).exclude(near(club))
    return ahead.order_by("on", "begins", "pk").first()


def last_night(club: Club) -> Night | None:
    """The latest of those that are over. One query."""
    over = club.nights.standing().filter(Q(closed_at__isnull=False) | Q(on__lt=club.today()), begun_at__isnull=False)
    return over.order_by("-on", "-pk").first()


def evenings(nights: Iterable[Night]) -> list[Evening]:
    """Nights with their tables as they stand: five queries at most, however many tables there are."""
    nights = list(nights)
    return seen_of(nights, tables_of(nights))


def tables_of(nights: list[Night]) -> list[Table]:
    """The tables of the nights with their sheets, in their order. One query."""
    return (
        list(Table.objects.standing().filter(night__in=nights).select_related("sheet", "stage__play_off"))
        if nights
        else []
    )


def mark_of(night: Night, tables: Iterable[Table]) -> str:
    """Another one whenever something that a page of the night shows may have changed."""
    state: list[object] = [night.begun_at, night.closed_at, night.trophies, night.trophies_table_id]
    # A table without a sheet tells of no restored backup.
    state += [night.created, night.generation]
    for table in tables:
        sheet, stage = table.sheet, table.stage
        sheet_state = sheet and (sheet.edition, sheet.asks_since, sheet.aliases_version, sheet.coming, sheet.stakes)
        state += [table.pk, str(table), sheet_state]
        state.append(stage and (stage.pk, stage.play_off.called_off_at, stage.play_off.decided_at))
    return mark_for(state)


def seen_of(nights: list[Night], tables: list[Table]) -> list[Evening]:
    """The nights with these tables, read as they stand: four queries at most."""
    readings = read_sheets(table.sheet for table in tables if table.sheet)
    typed = [table for table in tables if table.sheet is None]
    placings: dict[int, list[Placing]] = defaultdict(list)
    if typed:
        for placing in Placing.objects.filter(table__in=typed).select_related("member__same_as").order_by("place"):
            placings[placing.table_id].append(placing)

    coming = still_coming(tables, readings)

    def seen(table: Table) -> Seen:
        if table.sheet is None:
            return Seen(table, placings=tuple(placings[table.pk]))
        return Seen(table, Glance(readings[table.sheet.pk]), coming=tuple(coming[table.pk]))

    of: dict[int, list[Seen]] = defaultdict(list)
    for table in tables:
        of[table.night_id].append(seen(table))
    return [Evening(night, of[night.pk]) for night in nights]


def still_coming(tables: Sequence[Table], readings: Mapping[int, SheetReading]) -> dict[int, list[Member]]:
    """By table (id) that plays: who has a chair there, and sits at no other that plays. Two queries, if any."""
    coming: dict[int, list[Member]] = defaultdict(list)
    waits = [table for table in tables if table.sheet and table.sheet.coming and readings[table.sheet.pk].sheet.open]
    if not waits:
        return coming
    here: dict[int, set[int]] = defaultdict(set)
    for table in tables:
        # Who has played another game tonight may come to this one all the same.
        if table.sheet and readings[table.sheet.pk].sheet.open:
            here[table.night_id] |= {chair.player for chair in readings[table.sheet.pk].sitting.now.values()}
    sitting = {player for players in here.values() for player in players}
    named = PlayerAlias.objects.filter(player__in=sitting, member__isnull=False).select_related("member__same_as")
    # Who was typed in under another name, and matched since.
    members = {known.player_id: known.member.identity for known in named if known.member}
    people = {night: {members[player] for player in players & members.keys()} for night, players in here.items()}
    not_tonight = Attendance.objects.filter(
        night=OuterRef("table__night"), member=OuterRef("member"), says=Attendance.Says.NOT
    )
    chairs = Chair.objects.filter(table__in=waits).annotate(stays_away=Exists(not_tonight)).order_by("place")
    of: dict[int, list[Any]] = defaultdict(list)
    for chair in chairs.select_related("member__same_as"):
        of[chair.table_id].append(chair)
    for table in waits:
        # Theirs are the last chairs of the table.
        late = of[table.pk][-len(table.sheet.coming) :] if table.sheet else ()
        waited_for = [chair.member for chair in late if not chair.stays_away]
        coming[table.pk] = [
            member.main_record
            for member in waited_for
            if member.player_id not in here[table.night_id] and member.identity not in people[table.night_id]
        ]
    return coming


def how_far(tables: Sequence[tuple[Stage, Glance]]) -> str:
    """How far a play-off has come by those of its tables that play: "2 groups, hand 7 of 12"; "" where none does."""
    playing = [(stage, glance) for stage, glance in tables if glance.is_running]
    if not playing:
        return ""
    by_id = {stage.pk: stage for stage, _ in playing}
    stages = by_id.values()
    standing = [stage for stage, _ in tables if stage.abandoned_at is None]
    if all(stage.is_final for stage in stages):
        for_both = any(stage.is_final and stage.side == Stage.Side.LOSERS for stage in standing)
        alone = "the losers’ table" if playing[0][0].side == Stage.Side.LOSERS else (
            "the winners’ table" if for_both else "the final"
        )  # fmt: skip
        what = "the finals" if len(playing) > 1 else alone
    else:
        noun = "group" if all(stage.side == Stage.Side.ALL for stage in stages) else "table"
        together = sum(stage.pk in by_id for stage in standing)
        some = f"{len(playing)} of " if len(playing) < together else ""
        what = f"{some}{together} {noun}{'' if together == 1 else 's'}"
    if not any(glance.reading.entries for _, glance in playing):
        return f"{what}, not begun"
    hands = sorted(glance.reading.next_hand for _, glance in playing)
    planned = {stage.hands for stage in stages}
    of = f" of {planned.pop()}" if len(planned) == 1 and 0 not in planned else ""
    far = f"hand {hands[0]}" if hands[0] == hands[-1] else f"hands {hands[0]} to {hands[-1]}"
    return f"{what}, {far}{of}"
