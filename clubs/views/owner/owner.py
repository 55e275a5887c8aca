"""The page of the owner: the health of the site, and backups."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access.visit import require_owner
from clubs.owner.health import health
from clubs.site.backups import BackupProblem, make_backup


@never_cache
@require_safe
def owner(request: HttpRequest) -> HttpResponse:
    """How the site is, and the ways to everything on it."""
    require_owner(request)
    return owner_page(request)


def owner_page(request: HttpRequest, *, problem: str = "", status: int = 200) -> HttpResponse:
    context = {"health": health(), "problem": problem}
    return TemplateResponse(request, "clubs/owner/owner.html", context, status=status)


@never_cache
@require_POST
def back_up(request: HttpRequest) -> HttpResponse:
    """POST: a backup is made, and the page says where it is."""
    require_owner(request)
    try:
        make_backup()
    except BackupProblem as problem:
        return owner_page(request, problem=str(problem), status=409)
    return HttpResponseRedirect(f"{reverse('owner')}#backups", status=303)
