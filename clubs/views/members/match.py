"""The page that matches typed names with the people of the club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Role, Visit, enter
from clubs.joining.match import match_names as write_matches
from clubs.joining.match import matches_at, people_of, waiting_matches
from clubs.models import Table


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def match_names(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: every name that waits, or with `?table=` those of one table. POST: who they are; blank ones wait on."""
    visit = enter(request, slug, Role.ORGANISER)
    values = request.POST if request.method == "POST" else request.GET
    table = table_asked_for(visit, values.get("table", ""))
    tables = matches_at(table, visit.club) if table else waiting_matches(visit.club)
    status = 200
    if request.method == "POST":
        if write_matches(visit.club, tables, request.POST, by=visit.member):
            to = f"{reverse('match_names', args=[slug])}?saved"
            if table:
                to = reverse("control", args=[slug, table.night_id])
            return HttpResponseRedirect(to, status=303)
        status = 422
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "tables": tables,
        "people": people_of(visit.club) if tables else [],
        "table": table,
        "saved": "saved" in request.GET,
        "back": reverse("club" if visit.club.is_evening else "organise", args=[slug]),
    }
    return TemplateResponse(request, "clubs/members/match_names.html", context, status=status)


def table_asked_for(visit: Visit, number: str) -> Table | None:
    """The table of that id at a night of the club; 404 where there is none, None where none was asked for."""
    if not number:
        return None
    tables = Table.objects.standing().filter(night__club=visit.club, night__archived_at__isnull=True)
    pk = int(number) if number.isdecimal() and len(number) < 19 else 0
    return get_object_or_404(tables.select_related("night", "sheet", "stage"), pk=pk)
