"""The sheets of the site, as its owner lists and finds them: those of no club, and by a search all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db.models import Q
from django.http import HttpRequest
from django.urls import reverse

from clubs.access.visit import account_of
from clubs.models import Table
from rules import all_games
from scoresheets.access.scorekeepers import hashed
from scoresheets.models import Seat, ShareLink, Sheet
from scoresheets.models.sheet import SheetQuerySet

#: What a link of a sheet has in it: the code of the sheet, that of its watch page, or the token of a scorekeeper link.
TOKEN = re.compile(r"(?<![\w-])[A-Za-z0-9_-]{22}(?![\w-])")


def sheets_without_club() -> SheetQuerySet:
    """Sheets at no table of any club, nor of an evening without a club."""
    return Sheet.objects.exclude(table__in=Table.objects.belonging())


def find_sheets(text: str) -> SheetQuerySet:
    """All sheets of the site, of clubs too, that a link or a code leads to, or with the text in their title or a name.

    One query, beside that of the sheets themselves.
    """
    return Sheet.objects.filter(linked(text) | titled(text) | with_name(text))


def linked(text: str) -> Q:
    """Sheets of which the text is a link or a code."""
    tokens = TOKEN.findall(text)
    keeper_links = ShareLink.objects.filter(token_hash__in=[hashed(token) for token in tokens])
    return Q(code__in=tokens) | Q(watch__in=tokens) | Q(pk__in=keeper_links.values("sheet"))


def titled(text: str) -> Q:
    """Sheets with the text in their title, or without one in the name of their game, which stands for it."""
    games = [game.slug for game in all_games() if text.casefold() in game.name.casefold()]
    return Q(title__icontains=text) | Q(title="", game__in=games)


def with_name(text: str) -> Q:
    """Sheets on which a name has the text in it. A name that is hidden there finds nothing. One query."""
    seats = Seat.objects.filter(name__icontains=text)
    covered = seats.filter(sheet__aliases_version__gt=0).values_list("pk", "player", "sheet__aliases")
    hidden = [pk for pk, player, aliases in covered if str(player) in aliases]
    return Q(pk__in=seats.exclude(pk__in=hidden).values("sheet"))


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
