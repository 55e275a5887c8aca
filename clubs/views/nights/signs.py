"""The codes of a night's tables: one after the other on the organiser's screen, and all of them on paper."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.audit_log import write_down
from clubs.access.visit import Role, enter
from clubs.models import Night, Table
from clubs.tables.open import take_back
from clubs.tables.signs import give_code, signs_of
from clubs.views.nights.nights import night_of
from scoresheets.access.scorekeepers import REFERRER_POLICY


def to_be_played(night: Night) -> QuerySet[Table]:
    """The night's tables that are not over."""
    return night.tables.standing().playing().filter(sheet__isnull=False).select_related("sheet")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def table_codes(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: the code of `?table=` for who keeps or (`?for=watch`) who watches. POST: what the button `do` says."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    tables = list(to_be_played(night))
    number = request.POST.get("table", request.GET.get("table", ""))
    table = next((table for table in tables if str(table.number) == number), tables[0] if tables else None)
    if request.method == "POST":
        if request.POST.get("do") == "take-back" and (taken := take_back(night)):
            says = "a table" if taken == 1 else f"{taken} tables"
            write_down(visit.club, f"Took {says} back that had not begun, {night.on:%Y-%m-%d}.", by=visit.member)
            return HttpResponseRedirect(reverse("draw_tables", args=[slug, pk]), status=303)
        if request.POST.get("do", "").startswith("codes"):
            for night_table in tables:
                give_code(night_table)
        if request.POST.get("do") == "codes-on-signs":
            return HttpResponseRedirect(reverse("table_signs", args=[slug, pk]), status=303)
        return HttpResponseRedirect(f"{request.path}?table={table.number if table else ''}", status=303)
    signs = signs_of(tables, request.build_absolute_uri)
    at = tables.index(table) if table else 0
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "nights",
        "night": night,
        "signs": signs,
        "sign": signs[at] if signs else None,
        "next": signs[at + 1].table if at + 1 < len(signs) else None,
        "play_off": night.play_offs.standing().first(),
        "kind": "watch" if request.GET.get("for") == "watch" else "keep",
        "blank": sum(not table.sheet.begun for table in tables if table.sheet and table.source == table.Source.DRAWN),
    }
    response = TemplateResponse(request, "clubs/tables/table_codes.html", context)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


@never_cache
@require_safe
def table_signs(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A sign for every table, to be printed and folded: one side for those who watch, one for the scorekeeper."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    signs = signs_of(to_be_played(night), request.build_absolute_uri)
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "nights",
        "night": night,
        "signs": signs,
        "lacking": sum(not sign.keep for sign in signs),
    }
    response = TemplateResponse(request, "clubs/tables/table_signs.html", context)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response
