"""Deleting a club, a sheet or an account: first what goes, then a tick and a button."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.outdated import HAS_CHANGED, NotNow
from clubs.access.visit import require_owner
from clubs.models import User
from clubs.owner.backup_first import BACKED_UP, about_backup, missing_tick
from clubs.owner.clubs import clubs_with_counts
from clubs.owner.deletion import (
    Deletion,
    delete,
    deletion_of_account,
    deletion_of_club,
    deletion_of_sheet,
    deletion_of_sheet_of_club,
    play_off_with,
)
from clubs.owner.sheets import table_of
from clubs.site.backups import BackupProblem
from scoresheets.access.throttle import NoSuchSheet
from scoresheets.models import Sheet
from scoresheets.models.sheet import is_token


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_club(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: what goes with the club. POST: it is gone."""
    require_owner(request)
    return confirmed(request, deletion_of_club(get_object_or_404(clubs_with_counts(), slug=slug)))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def delete_sheet(request: HttpRequest, code: str) -> HttpResponse:
    """GET: what goes with the sheet, of a club or of none. POST: it is gone. Where it stays, its page says why."""
    require_owner(request)
    sheet = Sheet.objects.filter(code=code if is_token(code) else "").prefetch_related("seats").first()
    if sheet is None:
        raise NoSuchSheet
    table = table_of(sheet)
    if play_off_with(table):
        return HttpResponseRedirect(reverse("owner_sheet", args=[code]))
    return confirmed(request, deletion_of_sheet_of_club(sheet, table) if table else deletion_of_sheet(sheet))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def remove_account(request: HttpRequest, pk: int) -> HttpResponse:
    """GET: what becomes of the account, which owns no site. POST: it is gone."""
    require_owner(request)
    return confirmed(request, deletion_of_account(get_object_or_404(User, pk=pk, is_superuser=False)))


def confirmed(request: HttpRequest, deletion: Deletion) -> HttpResponse:
    """The page that asks; after a tick, a backup and the deletion, the page that says where the backup is."""
    if request.method != "POST":
        return question(request, deletion)
    if request.POST.get("saw") != deletion.mark:
        return question(request, deletion, says={"problem": HAS_CHANGED}, status=409)
    has_backup = bool(request.POST.get(BACKED_UP))
    missing = ([] if request.POST.get("sure") else ["sure"]) + missing_tick(has_backup=has_backup)
    if missing:
        return question(request, deletion, says={"missing": missing}, status=422)
    try:
        backup = delete(deletion, has_backup=has_backup)
    except BackupProblem as problem:
        return question(request, deletion, says=about_backup(problem), status=409)
    except NotNow as problem:
        return question(request, deletion, says={"problem": str(problem)}, status=409)
    return TemplateResponse(request, "clubs/owner/deleted.html", {"deletion": deletion, "backup": backup})


def question(
    request: HttpRequest, deletion: Deletion, *, says: dict[str, object] | None = None, status: int = 200
) -> HttpResponse:
    """The page that asks; `says`: what was wrong with a post."""
    context = {"deletion": deletion, "ticked": request.POST} | about_backup() | (says or {})
    return TemplateResponse(request, "clubs/owner/delete.html", context, status=status)
