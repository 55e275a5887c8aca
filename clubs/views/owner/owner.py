"""The page of the owner: the health of the site, and backups."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access.visit import require_owner
from clubs.club.founding import new_code
from clubs.club.organiser_codes import clubs_without_organiser
from clubs.models import Club, User
from clubs.owner import backup_first
from clubs.owner.forgotten import for_how_long, forgotten_evenings, forgotten_sheets
from clubs.owner.health import health
from clubs.owner.sheets import sheets_without_club
from clubs.site.backups import BackupProblem

#: So many clubs without an organiser are named.
MOST_NAMED = 10


@never_cache
@require_safe
def owner(request: HttpRequest) -> HttpResponse:
    """How the site is, and the ways to everything on it."""
    require_owner(request)
    return owner_page(request)


def owner_page(request: HttpRequest, *, problem: str = "", code: str = "", status: int = 200) -> HttpResponse:
    clubs = Club.objects.filter(moved_to__isnull=True)
    context = {
        "health": health(), "problem": problem, "code": code, "clubs": clubs.filter(is_evening=False).count(),
        "evenings": clubs.filter(is_evening=True).count(), "sheets": sheets_without_club().count(),
        "accounts": User.objects.count(), "nobody_organises": clubs_without_organiser().order_by("name")[:MOST_NAMED],
        "forgotten": forgotten_sheets().count(), "forgotten_evenings": forgotten_evenings().count(),
        "how_long": for_how_long(),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/owner/owner.html", context, status=status)


@never_cache
@require_POST
def make_founding_code(request: HttpRequest) -> HttpResponse:
    """POST: a code by which somebody starts a club, shown now and never again."""
    require_owner(request)
    return owner_page(request, code=new_code())


@never_cache
@require_POST
def back_up(request: HttpRequest) -> HttpResponse:
    """POST: a backup is made, and the page says where it is."""
    require_owner(request)
    try:
        backup_first.back_up()
    except BackupProblem as problem:
        return owner_page(request, problem=str(problem), status=409)
    return HttpResponseRedirect(f"{reverse('owner')}#backups", status=303)
