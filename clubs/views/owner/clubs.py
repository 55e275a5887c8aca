"""The clubs of the site, for its owner, and a code for somebody who is to organise one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django_tables2 import RequestConfig

from clubs.access.visit import require_owner
from clubs.club.organiser_codes import organiser_code
from clubs.models import Club
from clubs.models.club import ORGANISER_CODE_LASTS
from clubs.owner.backup_first import BACKED_UP, about_backup, status_of
from clubs.owner.closing import OF_A_CLUB, press
from clubs.owner.clubs import clubs_with_counts
from clubs.owner.tables import A_PAGE, ClubTable
from clubs.site.backups import BackupProblem

LONGEST_TEXT = 80


@never_cache
@require_safe
def owner_clubs(request: HttpRequest) -> HttpResponse:
    """All clubs, or those with `?text=` in their name; with `?which=evenings` the evenings without a club."""
    require_owner(request)
    evenings = request.GET.get("which") == "evenings"
    text = request.GET.get("text", "").strip()[:LONGEST_TEXT]
    table = ClubTable(clubs_with_counts().filter(is_evening=evenings, name__icontains=text))
    RequestConfig(request, paginate={"per_page": A_PAGE}).configure(table)
    context = {"table": table, "evenings": evenings, "text": text}
    return TemplateResponse(request, "clubs/owner/clubs.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def owner_club(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: a club and what can be done with it. POST: what the button `do` says."""
    require_owner(request)
    club = get_object_or_404(clubs_with_counts(), slug=slug)
    do = request.POST.get("do", "") if request.method == "POST" else ""
    problem: BackupProblem | None = None
    try:
        if press(OF_A_CLUB, do, club, has_backup=bool(request.POST.get(BACKED_UP))):
            return HttpResponseRedirect(request.path, status=303)
    except BackupProblem as no_backup:
        problem = no_backup
    context = {"club": club, "days": ORGANISER_CODE_LASTS.days} | about_backup(problem)
    if do == "organiser-code" and not club.is_evening:
        context |= code_for(request, club)
    return TemplateResponse(request, "clubs/owner/club.html", context, status=status_of(problem))


def code_for(request: HttpRequest, club: Club) -> dict[str, str]:
    """A new code for an organiser, and where it is entered: shown now and never again."""
    code, path = organiser_code(club)
    return {"code": code, "address": request.build_absolute_uri(path)}
