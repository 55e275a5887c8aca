"""Adding a change to the queue, in the transaction that makes the change.

Signals do it: `sheet_published` for a published sheet, and the signals of every other row that results follow from
(`clubs.queue.sources`). Only an imported club file is announced as a whole. `clubs.projections.worker` computes the
rest after the commit. Until then pages say that it is being counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.dispatch import Signal

from clubs.models import Club, Member, Night, PendingUpdate, PlayOff, Season, Standing, Table, Upload
from scoresheets.log.prepared import PreparedQuery, add_rows
from scoresheets.log.state import SheetReading
from scoresheets.models import Sheet

Kind = PendingUpdate.Kind

#: Sent when something was committed that the worker is to do: what waits here, or the file of a club.
work_waits = Signal()
#: Sent with the `table` at which a published sheet stands, and with all that `scoresheets.log.publish.sheet_published`
#: tells. Sender: `Table`.
table_published = Signal()
#: So many rows have a statement that is put into SQL once.
A_FEW = 20
#: What changed, by the model of its row.
KINDS: dict[type[Model], PendingUpdate.Kind] = {
    Sheet: Kind.SHEET, PlayOff: Kind.PLAY_OFF, Night: Kind.NIGHT, Member: Kind.MEMBER, Club: Kind.CLUB,
    Season: Kind.SEASON, Table: Kind.TABLE, Upload: Kind.PAST,
}  # fmt: skip


def results_changed(club_id: int | None, *changed: Model, kind: PendingUpdate.Kind | None = None) -> None:
    """These sheets, play-offs, nights, members, seasons, or all games of a club (`Club`) give other results now.

    Of a `Table` only what the club keeps of it alone is counted: for files, which also change the whole club. An upload
    with results of the past is written, and counted once all of it stands there. `kind`: what of them has changed,
    where it is not the usual. `club_id` is None for a sheet of no club.
    """
    add_to_queue((club_id, kind or KINDS[type(row)], row.pk) for row in changed)


def add_to_queue(changes: Iterable[tuple[int | None, PendingUpdate.Kind, int]]) -> None:
    """Clubs (ids), what has changed in them, and the ids of that. To be called in the transaction that changes it.

    One statement, for a few.
    """
    rows = [PendingUpdate(club_id=club, kind=kind, subject=subject) for club, kind, subject in dict.fromkeys(changes)]
    if len(rows) <= A_FEW:
        add_rows(rows)
    else:
        PendingUpdate.objects.bulk_create(rows, batch_size=500)
    if rows:
        transaction.on_commit(wake)


def wake() -> None:
    """Let the worker of this process look at once at what waits. To be called when it is committed."""
    work_waits.send(None)


def is_counted_still(sender: object, *, sheet: Sheet, **signal: Any) -> bool:  # noqa: ARG001 - Django gives both
    """The receiver of `scoresheets.results.being_counted.is_it_counted_still`.

    Nobody waits for what has failed again and again.
    """
    waiting = PendingUpdate.objects.filter(kind=Kind.SHEET, subject=sheet.pk)
    return waiting.exists() and not waiting.failing().exists()


def standings_are_missing(*, using: str, **signal: object) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `post_migrate`: an update of the site that counts differently takes the standings away.

    They are counted as soon as the site is open. One query where none are missing. Another database than the site's is
    left alone, and one in which only other apps were migrated so far.
    """
    if using != DEFAULT_DB_ALIAS or Club._meta.db_table not in connection.introspection.table_names():
        return
    played = Table.objects.counting().filter(night__club=OuterRef("pk"), placings__isnull=False)
    kept = Standing.objects.filter(club=OuterRef("pk"), season__isnull=True)
    pending = PendingUpdate.objects.filter(club=OuterRef("pk"), kind=Kind.CLUB)
    for club in Club.objects.filter(Exists(played), ~Exists(kept), ~Exists(pending)):
        results_changed(club.pk, club)


def put_back(club_id: int, *rows: Model) -> None:
    """The worker itself has not done all of it: the rest is counted after whatever else waits. One statement."""
    add_rows([PendingUpdate(club_id=club_id, kind=KINDS[type(row)], subject=row.pk) for row in rows])


@PreparedQuery
def tables_with(sheet: int) -> QuerySet[Table]:
    """The table at which the sheet stands, also one that was taken away, with its night and club."""
    return Table.objects.filter(sheet=sheet).select_related("night__club")


def sheet_changed(reading: SheetReading, *, was_published: bool, corrected: bool, **signal: Any) -> None:  # noqa: ARG001
    """The receiver of `scoresheets.log.publish.sheet_published`. Two statements, and those of who hears of it."""
    tables = tables_with(sheet=reading.record.pk)
    results_changed(tables[0].night.club_id if tables else None, reading.record)
    for table in tables:
        if table.withdrawn_at is None:
            table_published.send(
                sender=Table, table=table, reading=reading, was_published=was_published, corrected=corrected
            )
