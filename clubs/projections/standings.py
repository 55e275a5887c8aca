"""Updating ratings and standings once for all changes, however many games that were.

A transaction that has read games (`update`) leaves a row with their players. All such rows of a club are handled
together: changes are computed without a lock, and written in pieces, each a short transaction. The rows stay until the
last piece is written, so that pages say "being counted" and a process that ends leaves the work to the next one. If
another process has read games meanwhile, nothing more is written and the work begins again.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from clubs.models import Club, PendingUpdate, Season, Table
from clubs.projections.lease import has_lease
from clubs.queue.changes import put_back, wake
from clubs.ratings.store import Change as RatingChange
from clubs.ratings.store import changes_of, write_changes
from clubs.standings.locked import differences_of
from clubs.standings.store import Step, steps_of, write_rows
from scoresheets.log.prepared import PreparedQuery, add_rows

#: Lets others write after a transaction that took so many seconds.
Rest = Callable[[float], object]

Kind = PendingUpdate.Kind
Row = TypeVar("Row")
#: A row of the queue: its id, its kind, the id of what has changed, and what it says of that.
Waiting = tuple[int, str, int, dict[str, Any] | None]

#: What is counted here, and nowhere else.
KINDS = (Kind.STANDING, Kind.SEASON)
#: So many rows of standings are written in one transaction, and of ratings, which are smaller.
PIECE = 50
RATINGS = 200


@dataclass
class Changed:
    """Whose games have changed: ids of members, with the records that count for them; all, where it is everybody."""

    people: list[int] = field(default_factory=list)
    everybody: bool = False
    #: The only days on which something has changed ("2026-03-01"); None: any.
    days: list[str] | None = field(default_factory=list)
    #: Ids of tables of one night that had no placing until now, where nothing else has changed; None: something has.
    ended: list[int] | None = field(default_factory=list)
    #: How many pieces of the standings are written.
    pieces: int = 0

    @classmethod
    def read(cls, details: dict[str, Any] | None) -> Changed:
        """As a row of the queue says it; without a word, everything."""
        return cls(**details) if details else cls(everybody=True)

    def __add__(self, other: Changed) -> Changed:
        return Changed(
            people=sorted({*self.people, *other.people}),
            everybody=self.everybody or other.everybody,
            days=None if self.days is None or other.days is None else sorted({*self.days, *other.days}),
            ended=None if self.ended is None or other.ended is None else sorted({*self.ended, *other.ended}),
        )

    def is_in(self, season: Season) -> bool:
        """Whether a day on which something has changed may be one of the season."""
        days = self.days
        return days is None or any(season.begins <= datetime.date.fromisoformat(on) <= season.ends for on in days)

    @property
    def since(self) -> datetime.date | None:
        """The first day on which something may have changed; None: any."""
        is_any_day = self.everybody or not self.days
        return None if is_any_day else datetime.date.fromisoformat(min(self.days or ()))

    def tables(self, club: Club) -> list[Table]:
        """The tables that have ended, where all are of one night still; else none, and all games are read."""
        ended = self.ended or []
        tables = list(Table.objects.filter(pk__in=ended, night__club=club).select_related("night"))
        return tables if len(tables) == len(ended) and len({table.night_id for table in tables}) == 1 else []


def to_be_counted(club: Club, changed: Changed) -> None:
    """The standings are counted later: to be called in the transaction that reads the games. One statement."""
    add_rows([PendingUpdate(club_id=club.pk, kind=Kind.STANDING, subject=club.pk, details=asdict(changed))])
    transaction.on_commit(wake)


# What changes: read, with no lock


@dataclass
class Work:
    """What is to be written: ratings and standings, whether a locked season differs, and what is counted later."""

    ratings: list[RatingChange] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    differs: dict[int, bool] = field(default_factory=dict)
    later: list[Season] = field(default_factory=list)

    @property
    def pieces(self) -> Sequence[Callable[[], None]]:
        """What is written in one transaction each, the ratings first; what is little, in a single one."""
        ratings, steps = pieces_of(self.ratings, RATINGS), pieces_of(self.steps, PIECE)
        if len(ratings) <= 1 and len(steps) <= 1:
            return [partial(write_piece, self.ratings, self.steps)]
        return [partial(write_piece, some, []) for some in ratings] + [partial(write_piece, [], some) for some in steps]

    def finish(self, club: Club) -> None:
        """What is written with the last of the rows."""
        for pk, differs in self.differs.items():
            club.seasons.filter(pk=pk).exclude(differs=differs).update(differs=differs)
        put_back(club.pk, *self.later)


def write_piece(ratings: list[RatingChange], steps: list[Step]) -> None:
    """Four statements at most."""
    if ratings:
        write_changes(ratings)
    if steps:
        write_rows(steps)


def pieces_of(rows: list[Row], size: int) -> list[list[Row]]:
    return [rows[begin : begin + size] for begin in range(0, len(rows), size)]


def work_of(club: Club, changed: Changed) -> Work:
    """The standings in which something has changed. A locked one is compared as a whole, by itself."""
    seasons = list(club.seasons.all())
    if changed.everybody:
        return Work(changes_of(club), steps_of(club, None, None), later=seasons)
    if not changed.people:
        return Work()
    whose, ended = set[int | None](changed.people), changed.tables(club)
    seasons = [season for season in seasons if changed.is_in(season)]
    running = [season for season in seasons if season.locked_at is None]
    steps = [step for season in (None, *running) for step in steps_of(club, season, whose, ended)]
    ratings = changes_of(club, changed.since)
    return Work(ratings, steps, later=[season for season in seasons if season.locked_at is not None])


def work_of_season(season: Season | None) -> Work:
    """The standing of one season, or whether a locked one differs."""
    if season is None:
        return Work()
    if season.locked_at is None:
        return Work(steps=steps_of(season.club, season, None))
    return Work(differs={season.pk: bool(differences_of(season))})


# How it is written


@PreparedQuery
def waiting_standings(club: int) -> QuerySet[PendingUpdate, Waiting]:
    rows = PendingUpdate.objects.filter(club=club, kind__in=KINDS).order_by("pk")
    return rows.values_list("pk", "kind", "subject", "details")


@PreparedQuery
def locks_of_seasons(club: int) -> QuerySet[Season, tuple[int, datetime.datetime | None]]:
    return Season.objects.filter(club=club).values_list("pk", "locked_at")


@dataclass
class Basis:
    """What a count began with: rows of the queue, and which seasons are locked. A write by another count changes it."""

    club: Club
    waiting: list[Waiting]
    locked: set[tuple[int, datetime.datetime | None]]

    @classmethod
    def of(cls, club: Club) -> Basis:
        return cls(club, waiting_standings(club=club.pk), set(locks_of_seasons(club=club.pk)))

    def of_kind(self, kind: str, subject: int) -> dict[int, dict[str, Any] | None]:
        """The rows that ask for the same: what they say, by their ids."""
        return {pk: details for pk, *what, details in self.waiting if what == [kind, subject]}

    def holds(self) -> bool:
        """Whether all of it is so still. The club is locked from now on, so that it stays so in this transaction."""
        is_there = Club.objects.select_for_update(no_key=True).filter(pk=self.club.pk).values_list("pk")
        return bool(is_there) and self == Basis.of(self.club)

    def go_on(self, pk: int, pieces: int) -> Basis:
        """The basis once a piece is written, by one of the rows: whoever else counts the same stops there.

        Who goes on after a restart reads all games, because the rows say no more how everybody stood before.
        """
        row = self.club.pending_updates.get(pk=pk)
        row.details = (row.details or {}) | {"ended": None, "pieces": pieces}
        row.save(update_fields=["details"])
        return Basis.of(self.club)


def count_standings(club: Club, kind: str, subject: int, *, holder: str, rest: Rest) -> None:
    """Count what all rows of that kind and subject ask for, and delete them with the last piece.

    `rest` is called after each piece, with the seconds it took. `holder` renews the lease; "" has none. Nothing more is
    written once somebody else has read games of the club or written its standings: the next one counts what waits then.
    """
    basis = Basis.of(club)
    mine = basis.of_kind(kind, subject)
    if not mine:
        return
    if kind == Kind.STANDING:
        work = work_of(club, sum((Changed.read(details) for details in mine.values()), Changed()))
    else:
        work = work_of_season(club.seasons.filter(pk=subject).first())
    pieces = work.pieces
    for number, write in enumerate(pieces, 1):
        began, is_last = time.monotonic(), number == len(pieces)
        with transaction.atomic():
            if holder:
                has_lease(holder)
            if not basis.holds():
                return
            write()
            if is_last:
                work.finish(club)
                PendingUpdate.objects.filter(pk__in=list(mine)).delete()
            else:
                basis = basis.go_on(min(mine), number)
        rest(time.monotonic() - began)
