"""Sheets and evenings without a club that nobody has opened for long: the owner ticks what is to be deleted."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import require_owner
from clubs.models import Club
from clubs.owner.backup_first import BACKED_UP, about_backup, missing_tick
from clubs.owner.forgotten import (
    MOST_LISTED,
    Chosen,
    delete_forgotten,
    for_how_long,
    forgotten_evenings,
    forgotten_sheets,
    last_day,
)
from clubs.owner.sheets import names_on
from clubs.owner.tables import title_of
from clubs.site.backups import BackupProblem
from scoresheets.access.scorekeepers import SECRET
from scoresheets.models import Sheet

Row = dict[str, object]
#: What is missing in the form where nothing is ticked.
NOTHING = "nothing"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """GET: what is forgotten. POST: what is ticked is deleted, unless somebody has opened it meanwhile."""
    require_owner(request)
    if request.method != "POST":
        return forgotten_page(request)
    chosen = ticked(request)
    has_backup = bool(request.POST.get(BACKED_UP))
    missing = ([] if chosen.sheets or chosen.evenings else [NOTHING]) + missing_tick(has_backup=has_backup)
    if missing:
        return forgotten_page(request, says={"missing": missing}, status=422)
    try:
        outcome = delete_forgotten(chosen, has_backup=has_backup)
    except BackupProblem as problem:
        return forgotten_page(request, says=about_backup(problem), status=409)
    kept = [*map(row_of_sheet, outcome.kept_sheets), *map(row_of_evening, outcome.kept_evenings)]
    context = {"outcome": outcome, "backup": outcome.backup, "kept": kept}
    return TemplateResponse(request, "clubs/owner/forgotten_deleted.html", context)


def ticked(request: HttpRequest) -> Chosen:
    """What is ticked; with “all” what the page has listed, and nothing else."""
    listed = "listed_" if request.POST.get("all") else ""
    codes = [code for code in request.POST.getlist(f"{listed}sheet") if SECRET.fullmatch(code)]
    slugs = [slug for slug in request.POST.getlist(f"{listed}evening") if "\0" not in slug]
    return Chosen(codes[:MOST_LISTED], slugs[:MOST_LISTED])


def forgotten_page(request: HttpRequest, *, says: dict[str, object] | None = None, status: int = 200) -> HttpResponse:
    """The lists, with what was ticked before; `says`: what was wrong with a post."""
    sheets, evenings = forgotten_sheets(), forgotten_evenings()
    rows = [row_of_sheet(sheet) | {"last": last_day(sheet)} for sheet in listed(sheets, "seats")]
    more = [row_of_evening(evening) | {"last": last_day(evening)} for evening in listed(evenings, "members")]
    context = {
        "lists": [
            {"heading": "Sheets without a club", "name": "sheet", "rows": rows, "count": sheets.count()},
            {"heading": "Evenings without a club", "name": "evening", "rows": more, "count": evenings.count()},
        ],
        "listed": len(rows) + len(more), "ticked": request.POST, "how_long": for_how_long(),
        "values": request.POST.getlist("sheet") + request.POST.getlist("evening"),
    }  # fmt: skip
    context |= about_backup() | (says or {})
    return TemplateResponse(request, "clubs/owner/forgotten.html", context, status=status)


def listed(rows: QuerySet[Any], people: str) -> QuerySet[Any]:
    """Those of the rows that one page lists, with their people at hand."""
    return rows.prefetch_related(people)[:MOST_LISTED]


def row_of_sheet(sheet: Sheet) -> Row:
    """What tells a sheet from others: the value of its tick, its title, names and page."""
    page = reverse("owner_sheet", args=[sheet.code])
    return {"value": sheet.code, "title": title_of(sheet), "about": ", ".join(names_on(sheet)), "page": page}


def row_of_evening(evening: Club) -> Row:
    """The same of an evening."""
    names = ", ".join(sorted(member.name for member in evening.members.all()))
    page = reverse("owner_club", args=[evening.slug])
    return {"value": evening.slug, "title": evening.name, "about": names, "page": page}
