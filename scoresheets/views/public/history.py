"""The history of a sheet, and restoring the sheet as it was before any of its revisions."""

from __future__ import annotations

import re

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_http_methods, require_safe

from scoresheets.history.restore import restore, restore_preview
from scoresheets.history.timeline import history_of
from scoresheets.log.answers import Done, Refused
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Scorekeeper, Sheet
from scoresheets.models.sheet import new_token
from scoresheets.sheet.outsiders import read_for
from scoresheets.views.public.corrected import correction_shown
from scoresheets.views.public.lookup import may_write, sheet_of, watched_sheet

VERSION = re.compile(r"[0-9]{1,9}")


@require_safe
@cache_control(private=True, no_cache=True)
def history(request: HttpRequest, code: str) -> TemplateResponse:
    """Who wrote what when; `?before=<version>` for what is older than that. Who may write can go back from here."""
    sheet, keeper = sheet_of(request, code)
    return history_page(request, sheet, keeper)


@require_safe
@cache_control(private=True, no_cache=True)
def watch_history(request: HttpRequest, watch: str) -> TemplateResponse:
    """The same for who watches: how the numbers came about is no secret of the scorekeepers."""
    return history_page(request, watched_sheet(request, watch), None, watching=True)


def history_page(
    request: HttpRequest, sheet: Sheet, keeper: Scorekeeper | None, *, watching: bool = False
) -> TemplateResponse:
    """The page; ways back are shown to a scorekeeper alone."""
    text = request.GET.get("before", "")
    before = int(text) if VERSION.fullmatch(text) and int(text) > 1 else None
    reading = read_for(sheet, keeper)
    newest = sheet.version
    if reading.withheld:
        # Up to the write that made the last hand in sight.
        newest = reading.last_played or 1
        before = min(before or newest + 1, newest + 1)
    context = {
        "sheet": sheet,
        "reading": reading,
        "keeper": keeper,
        "watching": watching,
        "history": history_of(reading, by=keeper, before=before),
        "is_newest": before is None or before > newest,
        "changed": correction_shown(request, reading) if keeper else "",
    }
    return TemplateResponse(request, "scoresheets/history/page.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def way_back(request: HttpRequest, code: str, version: int) -> HttpResponse:
    """What going back to just before `version` would discard; a post does it."""
    sheet, keeper = may_write(request, code)
    if request.method != "POST":
        return way_back_page(request, read_sheet(sheet), version, keeper)
    seen = request.POST.get("seen", "")
    answer = restore(
        sheet,
        version,
        seen=int(seen) if VERSION.fullmatch(seen) else 0,
        key=request.POST.get("key", ""),
        by=keeper,
    )
    if isinstance(answer, Done):
        return HttpResponseRedirect(reverse("sheet", args=[code]), status=303)
    reading, refused = answer.reading or read_sheet(sheet), answer if isinstance(answer, Refused) else None
    problem, status = refused.problems[0].message if refused else "", 409 if refused and refused.is_outdated else 422
    return way_back_page(request, reading, version, keeper, problem=problem, status=status)


def way_back_page(
    request: HttpRequest,
    reading: SheetReading,
    version: int,
    keeper: Scorekeeper,
    *,
    problem: str = "",
    status: int = 200,
) -> TemplateResponse:
    """The preview; 404 where nothing was changed by that version."""
    back = restore_preview(reading, version, by=keeper)
    if back is None:
        raise Http404
    context = {
        "sheet": reading.record,
        "reading": reading,
        "back": back,
        "problem": problem,
        "key": new_token(),
    }
    return TemplateResponse(request, "scoresheets/history/restore.html", context, status=status)
