"""Adopting a sheet that was opened outside of a night, and releasing it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Role, Visit, enter
from clubs.evening.adopt import NotBroughtIn, day_of, nights_for, sheet_to_bring, sheets_to_bring
from clubs.evening.adopt import bring_in as bring
from clubs.evening.adopt import take_out as take
from clubs.joining.match import Matches, count_waiting, matches_of
from clubs.models import Night, Table
from scoresheets.log.state import read_sheet
from scoresheets.models import Sheet
from scoresheets.sheet.occupancy import called_at

#: What the choice of a night says for one that is not there yet.
OF_ITS_OWN = "own"
WHICH_NIGHT = "Which night does it belong to?"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring_in(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: which sheet; with `?sheet=<code>` or `?link=`: who is who on it. POST: it stands at a table of the night."""
    visit = enter(request, slug, Role.ORGANISER)
    data = request.POST if request.method == "POST" else request.GET
    code, link = data.get("sheet", ""), data.get("link", "")
    if not code and not link:
        return which_sheet(request, visit)
    try:
        sheet = sheet_to_bring(request, visit, code, link)
    except NotBroughtIn as why:
        return which_sheet(request, visit, str(why))
    standing = Table.objects.filter(sheet=sheet, withdrawn_at__isnull=True).select_related("night").first()
    if standing is not None:
        return to_control(visit, standing.night)
    matches = matches_of(read_sheet(sheet), visit.club)
    nights = list(nights_for(sheet, visit.club))
    chosen = data.get("night", "")
    if request.method != "POST":
        return who_is_who(request, visit, matches, nights, chosen or usual(sheet, visit, nights), link)
    night = next((night for night in nights if str(night.pk) == chosen), None)
    fits = matches.take(request.POST)
    if not fits or (night is None and chosen != OF_ITS_OWN):
        problem = "" if night or chosen == OF_ITS_OWN else WHICH_NIGHT
        return who_is_who(request, visit, matches, nights, chosen, link, problem=problem, status=422)
    table = bring(sheet, night, matches, by=visit.member)
    return to_control(visit, table.night)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take_out(request: HttpRequest, slug: str, table: int) -> HttpResponse:
    """Before a sheet that was brought in is taken out again, what that means; then it is done."""
    visit = enter(request, slug, Role.ORGANISER)
    tables = Table.objects.filter(night__club=visit.club, night__archived_at__isnull=True, sheet__isnull=False)
    brought_in = get_object_or_404(
        tables.select_related("night", "sheet").filter(source=Table.Source.BROUGHT), pk=table
    )
    if request.method == "POST":
        take(brought_in, by=visit.member)
        return to_control(visit, brought_in.night)
    context = {"visit": visit, "club": visit.club, "here": "organise", "table": brought_in, "night": brought_in.night}
    return TemplateResponse(request, "clubs/tables/release.html", context)


# The pages


def which_sheet(request: HttpRequest, visit: Visit, problem: str = "") -> TemplateResponse:
    """The sheets of this phone that stand at no table, and a place for a link."""
    sheets = sheets_to_bring(request, visit)
    called = called_at(sheets) if sheets else {}
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "sheets": [(sheet, called.get(sheet.pk, [])) for sheet in sheets],
        "night": request.GET.get("night", request.POST.get("night", "")),
        "link": request.GET.get("link", request.POST.get("link", "")),
        "problem": problem,
        "waiting": count_waiting(visit.club),
    }
    return TemplateResponse(request, "clubs/tables/adopt.html", context, status=422 if problem else 200)


def who_is_who(
    request: HttpRequest, visit: Visit, matches: Matches, nights: list[Night], chosen: str, link: str, *,
    problem: str = "", status: int = 200,
) -> TemplateResponse:  # fmt: skip
    """Every name on the sheet beside who that may be, and the night."""
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "matches": matches,
        "people": matches.people,
        "reading": matches.reading,
        "sheet": matches.reading.record,
        "day": day_of(matches.reading.record, visit.club),
        "nights": nights,
        "chosen": chosen,
        "link": link,
        "problem": problem,
    }
    return TemplateResponse(request, "clubs/tables/match_players.html", context, status=status)


def usual(sheet: Sheet, visit: Visit, nights: list[Night]) -> str:
    """The night of that day, else one of its own."""
    day = day_of(sheet, visit.club)
    return next((str(night.pk) for night in nights if night.on == day), OF_ITS_OWN)


def to_control(visit: Visit, night: Night) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("control", args=[visit.club.slug, night.pk]), status=303)
