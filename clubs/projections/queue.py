"""`results_changed`: that results have changed is written down in the transaction that changes them.

What follows is computed after it, by `clubs.projections.worker`. Pages say meanwhile that it is being counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from clubs.models import Club, Member, Night, PendingUpdate, PlayOff, Season, Table
from clubs.projections import worker
from scoresheets.models import Sheet
from scoresheets.questions import Question, add_rows

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet

    from scoresheets.reading import SheetReading

Kind = PendingUpdate.Kind

#: What changed, by the model of its row.
KINDS: dict[type[Model], PendingUpdate.Kind] = {
    Sheet: Kind.SHEET, PlayOff: Kind.PLAY_OFF, Night: Kind.NIGHT, Member: Kind.MEMBER, Club: Kind.CLUB,
    Season: Kind.SEASON,
}  # fmt: skip


def results_changed(club_id: int | None, *changed: Model, kind: PendingUpdate.Kind | None = None) -> None:
    """These sheets, play-offs, nights, members, seasons, or all games of a club (`Club`) give other results now.

    To be called in the transaction that changes them. One statement. `kind`: what of them has changed, where it is not
    the usual. `club_id` is None for a sheet of no club.
    """
    add_rows([PendingUpdate(club_id=club_id, kind=kind or KINDS[type(row)], subject=row.pk) for row in changed])
    transaction.on_commit(worker.wake)


@Question
def tables_with(sheet: int) -> QuerySet[Table]:
    """The table at which the sheet stands, with its night."""
    return Table.objects.filter(sheet=sheet, withdrawn_at__isnull=True).select_related("night")


def sheet_changed(reading: SheetReading, **signal: Any) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `scoresheets.publishing.sheet_published`. Two statements."""
    tables = tables_with(sheet=reading.record.pk)
    results_changed(tables[0].night.club_id if tables else None, reading.record)
