"""The sheet behind an address, and whether this browser may write on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse

from scoresheets.knocking import NoSuchSheet
from scoresheets.models import Sheet
from scoresheets.questions import Question
from scoresheets.sharing import SECRET, find_sheet, why_not

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from scoresheets.models import Keeper


def sheet_of(request: HttpRequest, code: str) -> tuple[Sheet, Keeper | None]:
    """The sheet of the scorekeepers' address and who may write on it; 404 where there is none."""
    try:
        return find_sheet(request, code)
    except Sheet.DoesNotExist:
        raise NoSuchSheet from None


def may_write(request: HttpRequest, code: str) -> tuple[Sheet, Keeper]:
    """The sheet and its scorekeeper; 404 where there is no sheet, 403 where this browser may not write on it."""
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        raise why_not(request, sheet)
    return sheet, keeper


def to_the_sheet(request: HttpRequest, sheet: Sheet) -> HttpResponseRedirect:
    """For who may not write on it: a page of the scorekeepers leads to the sheet, a post is refused."""
    if request.method == "POST":
        raise why_not(request, sheet)
    return HttpResponseRedirect(reverse("sheet", args=[sheet.code]))


@Question
def watched_at(watch: str) -> QuerySet[Sheet]:
    return Sheet.objects.filter(watch=watch)


def watched_sheet(watch: str) -> Sheet:
    """The sheet of the watchers' address; 404 where there is none."""
    if not SECRET.fullmatch(watch):
        raise NoSuchSheet
    try:
        return watched_at.one(watch=watch)
    except Sheet.DoesNotExist:
        raise NoSuchSheet from None
