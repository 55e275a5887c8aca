"""Sheets and evenings without a club that nobody has opened for long: the owner ticks what is to be deleted."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
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

#: What is missing in the form where nothing is ticked.
NOTHING = "nothing"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_unused(request: HttpRequest) -> HttpResponse:
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
    kept = [
        {"code": sheet.code, "title": title_of(sheet), "names": ", ".join(names_on(sheet))}
        for sheet in outcome.kept_sheets
    ]
    context = {"outcome": outcome, "backup": outcome.backup, "kept": kept}
    return TemplateResponse(request, "clubs/owner/forgotten_deleted.html", context)


def ticked(request: HttpRequest) -> Chosen:
    """What is ticked; with “all” what the page has listed, and nothing else."""
    listed = "listed_" if request.POST.get("all") else ""
    codes = [code for code in request.POST.getlist(f"{listed}sheet") if SECRET.fullmatch(code)]
    slugs = [slug for slug in request.POST.getlist(f"{listed}evening") if "\0" not in slug]
    return Chosen(codes[:MOST_LISTED], slugs[:MOST_LISTED])


def forgotten_page(request: HttpRequest, *, says: dict[str, object] | None = None, status: int = 200) -> HttpResponse:
    """The list, with what was ticked before; `says`: what was wrong with a post."""
    sheets, evenings = forgotten_sheets(), forgotten_evenings()
    listed = [described(sheet) for sheet in sheets.prefetch_related("seats")[:MOST_LISTED]]
    too = [described_evening(evening) for evening in evenings.prefetch_related("members")[:MOST_LISTED]]
    context = {
        "sheets": listed, "evenings": too, "listed": len(listed) + len(too), "count": sheets.count(),
        "evening_count": evenings.count(), "how_long": for_how_long(), "ticked": request.POST,
        "codes": request.POST.getlist("sheet"), "slugs": request.POST.getlist("evening"),
    }  # fmt: skip
    context |= about_backup() | (says or {})
    return TemplateResponse(request, "clubs/owner/forgotten.html", context, status=status)


def described(sheet: Sheet) -> dict[str, object]:
    """What tells a forgotten sheet from others."""
    return {
        "code": sheet.code, "title": title_of(sheet), "names": ", ".join(names_on(sheet)), "last": last_day(sheet)
    }  # fmt: skip


def described_evening(evening: Club) -> dict[str, object]:
    """What tells a forgotten evening from others."""
    names = ", ".join(sorted(member.name for member in evening.members.all()))
    return {
        "slug": evening.slug, "name": evening.name, "names": names, "sheets": vars(evening)["sheets"],
        "last": last_day(evening),
    }  # fmt: skip
