"""The sheets of the site that belong to no club, and the way from any sheet to the owner's page of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from clubs.access.visit import account_of
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
    tables = Table.objects.belonging().select_related("night__club", "stage__play_off")
    return tables.filter(sheet=sheet).first()


def page_for_owner(
    sender: object,  # noqa: ARG001 - Django gives sender and signal
    *, request: HttpRequest, sheet: Sheet, **signal: Any,  # noqa: ARG001
) -> str:  # fmt: skip
    """The receiver of `scoresheets.access.viewer.who_owns_the_site`. No query without a session."""
    user = account_of(request)
    return reverse("owner_sheet", args=[sheet.code]) if user and user.is_superuser else ""
