"""The sheets of the site that belong to no club."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from clubs.models import Table
from scoresheets.models import Sheet
from scoresheets.models.sheet import SheetQuerySet

#: A sheet that was taken out of its club is nobody's again; one of a play-off that was drawn again is not.
NO_CLUB = Q(table__isnull=True) | Q(table__withdrawn_at__isnull=False, table__stage__isnull=True)


def sheets_without_club() -> SheetQuerySet:
    """Sheets at no table of any club, evenings without a club among them."""
    return Sheet.objects.filter(NO_CLUB)


def names_on(sheet: Sheet) -> list[str]:
    """Who sits on it, as it shows them: `seats` are at hand."""
    return [sheet.aliases.get(str(seat.player_id), seat.name) for seat in seats_of(sheet)]


def seats_of(sheet: Sheet) -> Sequence:
    return sorted(sheet.seats.all(), key=lambda seat: seat.number)


def table_of(sheet: Sheet) -> Table | None:
    """The table of a club at which the sheet is; None for a sheet without a club."""
    tables = Table.objects.select_related("night__club")
    return tables.filter(sheet=sheet).exclude(withdrawn_at__isnull=False, stage__isnull=True).first()
