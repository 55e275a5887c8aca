"""Sheets without a club that nobody has opened for long: the owner ticks those that are to be deleted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import require_owner
from clubs.owner.backup_first import BACKED_UP, about_backup, missing_tick
from clubs.owner.forgotten import MOST_LISTED, delete_forgotten, for_how_long, forgotten_sheets, last_day
from clubs.owner.sheets import names_on
from clubs.owner.tables import title_of
from clubs.site.backups import BackupProblem
from scoresheets.access.scorekeepers import SECRET
from scoresheets.models import Sheet

#: What is missing in the form where no sheet is ticked.
SHEETS = "sheets"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_forgotten_sheets(request: HttpRequest) -> HttpResponse:
    """GET: the forgotten sheets. POST: those that are ticked are deleted, unless somebody has opened them meanwhile."""
    require_owner(request)
    if request.method != "POST":
        return forgotten_page(request)
    codes = ticked_codes(request)
    has_backup = bool(request.POST.get(BACKED_UP))
    missing = ([] if codes else [SHEETS]) + missing_tick(has_backup=has_backup)
    if missing:
        return forgotten_page(request, says={"missing": missing}, status=422)
    try:
        outcome = delete_forgotten(codes, has_backup=has_backup)
    except BackupProblem as problem:
        return forgotten_page(request, says=about_backup(problem), status=409)
    context = {"outcome": outcome, "backup": outcome.backup, "kept": [described(sheet) for sheet in outcome.kept]}
    return TemplateResponse(request, "clubs/owner/forgotten_deleted.html", context)


def ticked_codes(request: HttpRequest) -> list[str]:
    """The sheets that are ticked; with “all” those that the page has listed, and no others."""
    codes = request.POST.getlist("listed" if request.POST.get("all") else "sheet")
    return [code for code in codes if SECRET.fullmatch(code)][:MOST_LISTED]


def forgotten_page(request: HttpRequest, *, says: dict[str, object] | None = None, status: int = 200) -> HttpResponse:
    """The list, with what was ticked before; `says`: what was wrong with a post."""
    forgotten = forgotten_sheets()
    listed = forgotten.prefetch_related("seats")[:MOST_LISTED]
    context = {
        "sheets": [described(sheet) | {"last": last_day(sheet)} for sheet in listed],
        "count": forgotten.count(), "how_long": for_how_long(), "ticked": request.POST,
        "codes": request.POST.getlist("sheet"),
    }  # fmt: skip
    context |= about_backup() | (says or {})
    return TemplateResponse(request, "clubs/owner/forgotten.html", context, status=status)


def described(sheet: Sheet) -> dict[str, object]:
    """What tells a sheet from others."""
    return {"code": sheet.code, "title": title_of(sheet), "names": ", ".join(names_on(sheet))}
