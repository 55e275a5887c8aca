"""Receivers that add a change to the queue when a row that results follow from is written, in whatever way.

Each model has a function here that names the results to count again. `save` calls it by `post_save`, a query set by
`post_bulk_save`. No caller has to remember it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, TypeAlias

from django.db.models import Q, QuerySet
from django.db.models.signals import post_save, pre_save

from clubs.models import Member, Night, PendingUpdate, PlayerAlias, PlayOff, Ruling, Season, Stage, Table, Upload
from clubs.models.base import ResultSource, post_bulk_save, pre_bulk_save
from clubs.queue.changes import add_to_queue
from scoresheets.log.occupants import SITS
from scoresheets.models import Entry, Seat

Kind = PendingUpdate.Kind

#: The id of a club, what has changed in it, and the id of that.
Change: TypeAlias = tuple[int, PendingUpdate.Kind, int]


def of_nights(nights: Iterable[Night], fields: Collection[str]) -> Iterator[Change]:
    """Whether and when they count, or only what their trophies follow."""
    kind = Kind.TROPHIES if {"trophies", "trophies_table"}.issuperset(fields) else Kind.NIGHT
    for night in nights:
        yield night.club_id, kind, night.pk


def of_tables(tables: Iterable[Table], fields: Collection[str]) -> Iterator[Change]:  # noqa: ARG001 - as all have them
    """Whether their sheets stand at them. A table without a sheet is of the past, and changes the standings."""
    for table in tables:
        if table.sheet_id:
            yield table.night.club_id, Kind.SHEET, table.sheet_id
        else:
            yield table.night.club_id, Kind.TABLE, table.pk
            yield table.night.club_id, Kind.CLUB, table.night.club_id


def of_play_offs(play_offs: Iterable[PlayOff], fields: Collection[str]) -> Iterator[Change]:  # noqa: ARG001
    """Whether their tables are single games."""
    for play_off in play_offs:
        yield play_off.night.club_id, Kind.PLAY_OFF, play_off.pk
        yield play_off.night.club_id, Kind.TROPHIES, play_off.night_id


def of_parts(rows: Iterable[Stage | Ruling], fields: Collection[str]) -> Iterator[Change]:  # noqa: ARG001
    """A stage or a ruling of a play-off."""
    for row in rows:
        yield row.play_off.night.club_id, Kind.PLAY_OFF, row.play_off_id


def of_seasons(seasons: Iterable[Season], fields: Collection[str]) -> Iterator[Change]:  # noqa: ARG001
    """How they are counted. A locked one does not move."""
    for season in seasons:
        if season.locked_at is None:
            yield season.club_id, Kind.SEASON, season.pk


def of_members(members: Iterable[Member], fields: Collection[str]) -> Iterator[Change]:  # noqa: ARG001
    """Who they are, and whose record counts for them."""
    for member in members:
        yield member.club_id, Kind.MEMBER, member.pk
        yield member.club_id, Kind.MEMBER, member.identity


def of_aliases(aliases: Iterable[PlayerAlias], fields: Collection[str]) -> Iterator[Change]:  # noqa: ARG001
    """The games that the players have finished in the club."""
    of: dict[int, list[int]] = defaultdict(list)
    for alias in aliases:
        of[alias.club_id].append(alias.player_id)
    for club, players in of.items():
        games = games_of(club, players).filter(sheet__finished_at__isnull=False)
        for sheet in games.values_list("sheet__pk", flat=True):
            yield club, Kind.SHEET, sheet


def games_of(club: int, players: Collection[int]) -> QuerySet[Table]:
    """The tables of the club (id) at which any of these players (ids) sat."""
    sat = Seat.objects.filter(player__in=players).values("sheet")
    took_over = Entry.objects.filter(ask__startswith=SITS, data__player__in=list(players)).values("sheet")
    return Table.objects.standing().filter(Q(sheet__in=sat) | Q(sheet__in=took_over), night__club=club)


def of_uploads(uploads: Iterable[Upload], fields: Collection[str]) -> Iterator[Change]:  # noqa: ARG001
    """What is to be written of the past; the club, once all of it stands there."""
    for upload in uploads:
        if upload.club_id is None or upload.confirmed_at is None:
            continue
        if upload.taken_at is None:
            yield upload.club_id, Kind.PAST, upload.pk
        elif upload.kind == Upload.Kind.RESULTS and upload.added:
            yield upload.club_id, Kind.CLUB, upload.club_id


SOURCES: dict[type[ResultSource], Callable[[Any, Collection[str]], Iterable[Change]]] = {
    Member: of_members, Night: of_nights, PlayOff: of_play_offs, PlayerAlias: of_aliases, Ruling: of_parts,
    Season: of_seasons, Stage: of_parts, Table: of_tables, Upload: of_uploads,
}  # fmt: skip

#: What else is read of many.
RELATED: dict[type[ResultSource], tuple[str, ...]] = {
    PlayOff: ("night",), Ruling: ("play_off__night",), Stage: ("play_off__night",), Table: ("night", "sheet"),
}  # fmt: skip


def counts_at_once(row: ResultSource) -> bool:
    """Whether a new row changes results. What is opened at a table is counted when its sheet is published."""
    if isinstance(row, Table) and row.sheet:
        return row.source == Table.Source.BROUGHT or row.sheet.finished_at is not None
    return isinstance(row, PlayerAlias | Ruling | Season)


def announce(
    model: type[ResultSource], rows: Iterable[Any], update_fields: Collection[str] | None, *, is_new: bool = False
) -> None:
    """Put what follows from these rows into the queue."""
    if fields := model.results_in(update_fields):
        add_to_queue(SOURCES[model](filter(counts_at_once, rows) if is_new else rows, fields))


# Receivers


def row_saved(
    sender: type[ResultSource], instance: ResultSource, *, created: bool, update_fields: Collection[str] | None,
    **signal: Any,  # noqa: ARG001 - Django gives more
) -> None:  # fmt: skip
    announce(sender, [instance], update_fields, is_new=created)


def rows_saved(
    sender: type[ResultSource], rows: QuerySet[Any] | list[Any], *, created: bool,
    update_fields: Collection[str] | None, **signal: Any,  # noqa: ARG001
) -> None:  # fmt: skip
    related = rows.select_related(*RELATED.get(sender, ())) if isinstance(rows, QuerySet) else rows
    announce(sender, related, update_fields, is_new=created)


def member_will_be_saved(instance: Member, update_fields: Collection[str] | None, **signal: Any) -> None:  # noqa: ARG001
    """Whoever they were counts for them no more."""
    if not instance._state.adding:
        announce(Member, Member.objects.filter(pk=instance.pk), update_fields)


def connect() -> None:
    """From now on they announce themselves."""
    for model in SOURCES:
        post_save.connect(row_saved, sender=model, dispatch_uid="clubs")
        post_bulk_save.connect(rows_saved, sender=model, dispatch_uid="clubs")
    pre_save.connect(member_will_be_saved, sender=Member, dispatch_uid="clubs")
    pre_bulk_save.connect(rows_saved, sender=Member, dispatch_uid="clubs")
