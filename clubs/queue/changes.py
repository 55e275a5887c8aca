"""`results_changed` adds a row to the queue, in the transaction that changes results.

Results follow from nights, play-offs, rulings and seasons: saving one calls it by `post_save`. A published sheet calls
it by `sheet_published`. `clubs.projections.worker` computes the rest after the commit. Until then pages say that it is
being counted.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from django.db import transaction
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.dispatch import Signal

from clubs.models import Club, Member, Night, PendingUpdate, PlayOff, Ruling, Season, Standing, Table, Upload
from scoresheets.log.prepared import PreparedQuery, add_rows
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet

Kind = PendingUpdate.Kind

#: Sent when something was committed that the worker is to do: what waits here, or the file of a club.
work_waits = Signal()
#: So many rows have a statement that is put into SQL once.
A_FEW = 20
#: What changed, by the model of its row.
KINDS: dict[type[Model], PendingUpdate.Kind] = {
    Sheet: Kind.SHEET, PlayOff: Kind.PLAY_OFF, Night: Kind.NIGHT, Member: Kind.MEMBER, Club: Kind.CLUB,
    Season: Kind.SEASON, Table: Kind.TABLE, Upload: Kind.PAST,
}  # fmt: skip

#: What the standing of a season follows from.
COUNTED_OF_SEASON = ("begins", "ends", "games", "scheme", "order", "numbers", "drops", "least_nights", "locked_at")


def results_changed(club_id: int | None, *changed: Model, kind: PendingUpdate.Kind | None = None) -> None:
    """These sheets, play-offs, nights, members, seasons, or all games of a club (`Club`) give other results now.

    Of a `Table` only what the club keeps of it alone is counted: for files, which also change the whole club. An upload
    with results of the past is written, and counted once all of it stands there. To be called in the transaction that
    changes them. One statement, for a few. `kind`: what of them has changed, where it is not the usual. `club_id` is
    None for a sheet of no club.
    """
    rows = [PendingUpdate(club_id=club_id, kind=kind or KINDS[type(row)], subject=row.pk) for row in changed]
    if len(rows) <= A_FEW:
        add_rows(rows)
    else:
        PendingUpdate.objects.bulk_create(rows, batch_size=500)
    transaction.on_commit(wake)


# Rows that results follow from: receivers of `post_save`


def night_saved(instance: Night, *, created: bool, update_fields: Collection[str] | None, **signal: Any) -> None:  # noqa: ARG001 - Django gives more
    """Whether and when a night counts."""
    if not created and has_saved(update_fields, "on", "for_fun", "archived_at"):
        results_changed(instance.club_id, instance)


def play_off_saved(instance: PlayOff, *, created: bool, update_fields: Collection[str] | None, **signal: Any) -> None:  # noqa: ARG001 - Django gives more
    """Whether the tables of a play-off are single games."""
    if not created and has_saved(update_fields, "called_off_at"):
        results_changed(instance.night.club_id, instance)
        results_changed(instance.night.club_id, instance.night, kind=Kind.TROPHIES)


def ruling_saved(instance: Ruling, **signal: Any) -> None:  # noqa: ARG001 - Django gives more
    """A ruling, or that it is withdrawn."""
    results_changed(instance.play_off.night.club_id, instance.play_off)


def season_saved(instance: Season, *, update_fields: Collection[str] | None, **signal: Any) -> None:  # noqa: ARG001 - Django gives more
    """How a season is counted. A locked one does not move."""
    if instance.locked_at is None and has_saved(update_fields, *COUNTED_OF_SEASON):
        results_changed(instance.club_id, instance)


def has_saved(update_fields: Collection[str] | None, *names: str) -> bool:
    """Whether one of these fields was saved; `update_fields` is None where all were."""
    return update_fields is None or not set(names).isdisjoint(update_fields)


#: Whose `post_save` gives other results, and what receives it.
RECEIVERS: dict[type[Model], Callable[..., None]] = {
    Night: night_saved, PlayOff: play_off_saved, Ruling: ruling_saved, Season: season_saved,
}  # fmt: skip


def wake() -> None:
    """Let the worker of this process look at once at what waits. To be called when it is committed."""
    work_waits.send(None)


def is_counted_still(sender: object, *, sheet: Sheet, **signal: Any) -> bool:  # noqa: ARG001 - Django gives both
    """The receiver of `scoresheets.results.being_counted.is_it_counted_still`.

    Nobody waits for what has failed again and again.
    """
    waiting = PendingUpdate.objects.filter(kind=Kind.SHEET, subject=sheet.pk)
    return waiting.exists() and not waiting.failing().exists()


def standings_are_missing(**signal: object) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `post_migrate`: an update of the site that counts differently takes the standings away.

    They are counted as soon as the site is open. One query where none are missing.
    """
    played = Table.objects.counting().filter(night__club=OuterRef("pk"), placings__isnull=False)
    kept = Standing.objects.filter(club=OuterRef("pk"), season__isnull=True)
    pending = PendingUpdate.objects.filter(club=OuterRef("pk"), kind=Kind.CLUB)
    for club in Club.objects.filter(Exists(played), ~Exists(kept), ~Exists(pending)):
        results_changed(club.pk, club)


def put_back(club_id: int, row: Model) -> None:
    """The worker itself has not done all of it: the rest is counted after whatever else waits. One statement."""
    add_rows([PendingUpdate(club_id=club_id, kind=KINDS[type(row)], subject=row.pk)])


@PreparedQuery
def tables_with(sheet: int) -> QuerySet[Table]:
    """The table at which the sheet stands, with its night."""
    return Table.objects.filter(sheet=sheet, withdrawn_at__isnull=True).select_related("night")


def sheet_changed(reading: SheetReading, **signal: Any) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.log.publish.sheet_published`. Two statements."""
    tables = tables_with(sheet=reading.record.pk)
    results_changed(tables[0].night.club_id if tables else None, reading.record)
