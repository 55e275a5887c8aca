"""The sheet of an address, and whether this browser may write on it."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

from scoresheets.access.last_opened import note_opening
from scoresheets.access.scorekeepers import (
    SECRET,
    find_sheet,
    keeper_by_right,
    may_watch,
    refusal_for,
    scorekeeper_for,
    was_cut_off,
)
from scoresheets.access.throttle import NoSuchSheet
from scoresheets.log.prepared import PreparedQuery
from scoresheets.models import Scorekeeper, Sheet


def sheet_of(request: HttpRequest, code: str) -> tuple[Sheet, Scorekeeper | None]:
    """The sheet of the scorekeepers' address and who may write on it; 404 where there is none that is shown to them."""
    try:
        sheet, keeper = find_sheet(request, code)
    except Sheet.DoesNotExist:
        ask_as_of_hidden(request)
        raise NoSuchSheet from None
    if sheet.members_only and keeper is None and not may_watch(request, sheet):
        # Whose phone was cut off hears so, and sees no more of it.
        raise refusal_for(request, sheet) if was_cut_off(request, sheet) else NoSuchSheet
    note_opening(request, sheet)
    return sheet, keeper


def ask_as_of_hidden(request: HttpRequest) -> None:
    """Ask where there is no sheet what is asked about one that is not shown: the time an answer takes tells nobody
    which of the two it is.
    """
    sheet = hidden_sheet()
    keeper_by_right(request, sheet)
    may_watch(request, sheet)
    was_cut_off(request, sheet)


def hidden_sheet() -> Sheet:
    """A sheet of a members' club that is in no database."""
    return Sheet(pk=0, members_only=True)


def may_write(request: HttpRequest, code: str) -> tuple[Sheet, Scorekeeper]:
    """The sheet and its scorekeeper; 404 where there is no sheet, 403 where this browser may not write on it."""
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        raise refusal_for(request, sheet)
    return sheet, keeper


def to_the_sheet(request: HttpRequest, sheet: Sheet) -> HttpResponseRedirect:
    """For who may not write on it: a page of the scorekeepers leads to the sheet, a post is refused."""
    if request.method == "POST":
        raise refusal_for(request, sheet)
    return HttpResponseRedirect(reverse("sheet", args=[sheet.code]))


@PreparedQuery
def watched_at(watch: str) -> QuerySet[Sheet]:
    return Sheet.objects.filter(watch=watch)


def watched_sheet(request: HttpRequest, watch: str) -> Sheet:
    """The sheet of the watchers' address; 404 where there is none that is shown to this browser."""
    if not SECRET.fullmatch(watch):
        raise NoSuchSheet
    try:
        sheet = watched_at.get(watch=watch)
    except Sheet.DoesNotExist:
        may_see(request, hidden_sheet())
        raise NoSuchSheet from None
    if not may_see(request, sheet):
        raise NoSuchSheet
    note_opening(request, sheet)
    return sheet


def may_see(request: HttpRequest, sheet: Sheet) -> bool:
    """Whether this browser may look on. Where everybody may, neither session nor account is asked for."""
    return not sheet.members_only or scorekeeper_for(request, sheet) is not None or may_watch(request, sheet)
