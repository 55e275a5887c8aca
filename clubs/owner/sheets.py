"""The sheets of the site that belong to no club."""

from __future__ import annotations

from collections.abc import Sequence

from clubs.models import Table
from scoresheets.models import Sheet
from scoresheets.models.sheet import SheetQuerySet


def sheets_without_club() -> SheetQuerySet:
    """Sheets at no table of any club, nor of an evening without a club."""
    return Sheet.objects.exclude(table__in=Table.objects.belonging())


def names_on(sheet: Sheet) -> list[str]:
    """Who sits on it, as it shows them: `seats` are at hand."""
    return [sheet.aliases.get(str(seat.player_id), seat.name) for seat in seats_of(sheet)]


def seats_of(sheet: Sheet) -> Sequence:
    return sorted(sheet.seats.all(), key=lambda seat: seat.number)


def table_of(sheet: Sheet) -> Table | None:
    """The table of a club at which the sheet is; None for a sheet without a club."""
    return Table.objects.belonging().select_related("night__club").filter(sheet=sheet).first()
