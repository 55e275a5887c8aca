"""The seasons of a club, and the commands of organisers for them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.outdated import NotNow
from clubs.access.visit import Role, Visit, enter
from clubs.models import Season
from clubs.standings import seasons as deeds
from clubs.standings.compute import terms_of
from clubs.standings.locked import differences_of, mark_of
from clubs.standings.season_form import SeasonForm, new_filled_in, season_filled_in
from clubs.trophies.season import season_ends

#: Seasons are opened by many and made by few: nobody looks for one that is further back than this.
MOST_SEASONS = 200


@require_safe
@vary_on_cookie
def seasons(request: HttpRequest, slug: str) -> TemplateResponse:
    """All seasons with their champions and losers; organisers make, change, lock and put them away here."""
    visit = enter(request, slug)
    listed_seasons = list(visit.club.seasons.all()[:MOST_SEASONS])
    ends = deeds.ends_of(visit.club, listed_seasons)
    today = visit.club.today()
    listed = [(season, *ends.get(season.pk, ([], [])), season.is_over_on(today)) for season in listed_seasons]
    standing = [season for season in listed_seasons if season.archived_at is None]
    context = {
        "visit": visit, "club": visit.club, "here": "standings", "today": today,
        "seasons": standing[: deeds.MOST_TABS],
        "kept": [line for line in listed if line[0].archived_at is None],
        "away": [line for line in listed if line[0].archived_at is not None],
    }  # fmt: skip
    return TemplateResponse(request, "clubs/standings/seasons.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new_season(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the form, filled in as the standing nobody had to choose. POST: the season is there."""
    visit = enter(request, slug, Role.ORGANISER)
    if request.method != "POST":
        return season_page(request, visit, SeasonForm(club=visit.club, initial=new_filled_in()))
    form = SeasonForm(request.POST, club=visit.club)
    if not form.is_valid():
        return season_page(request, visit, form, status=422)
    try:
        season = form.twin or deeds.make_season(visit.club, form.says(), by=visit.member)
    except NotNow as problem:
        form.add_error("name", str(problem))
        return season_page(request, visit, form, status=409)
    return HttpResponseRedirect(season.get_absolute_url(), status=303)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit_season(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: the season as it stands. POST: changed, unless it is locked (409)."""
    visit = enter(request, slug, Role.ORGANISER)
    season = get_object_or_404(visit.club.seasons, pk=pk)
    if request.method != "POST":
        form = SeasonForm(club=visit.club, season=season, initial=season_filled_in(season, terms_of(season)))
        return season_page(request, visit, form)
    form = SeasonForm(request.POST, club=visit.club, season=season)
    if not form.is_valid():
        return season_page(request, visit, form, status=422)
    try:
        deeds.change_season(season, form.says(), by=visit.member)
    except NotNow as problem:
        form.add_error(None, str(problem))
        return season_page(request, visit, form, status=409)
    return HttpResponseRedirect(season.get_absolute_url(), status=303)


def season_page(request: HttpRequest, visit: Visit, form: SeasonForm, *, status: int = 200) -> TemplateResponse:
    context = {"visit": visit, "club": visit.club, "here": "standings", "form": form, "season": form.season}
    return TemplateResponse(request, "clubs/standings/season_form.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def lock_season(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: what locking means, or what was corrected since. POST `do`: lock, open, or take-over what was shown."""
    visit = enter(request, slug, Role.ORGANISER)
    season = get_object_or_404(visit.club.seasons, pk=pk)
    if request.method != "POST":
        return lock_page(request, visit, season)
    try:
        match request.POST.get("do", ""):
            case "lock":
                deeds.lock(season, by=visit.member)
            case "open":
                deeds.open_again(season, by=visit.member)
            case "take-over":
                deeds.take_over(season, request.POST.get("saw", ""), by=visit.member)
            case _:
                return lock_page(request, visit, season, problem="Choose one of the buttons.", status=422)
    except NotNow as problem:
        return lock_page(request, visit, season, problem=str(problem), status=409)
    return HttpResponseRedirect(reverse("lock_season", args=[slug, season.pk]), status=303)


def lock_page(
    request: HttpRequest, visit: Visit, season: Season, *, problem: str = "", status: int = 200
) -> TemplateResponse:
    differences = differences_of(season) if season.locked_at else []
    context = {
        "visit": visit, "club": visit.club, "here": "standings", "season": season, "problem": problem,
        "differences": differences, "mark": mark_of(differences), "today": visit.club.today(),
        "ends": season_ends(season),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/standings/lock_season.html", context, status=status)


@require_POST
def archive_season(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Put it away, or (`do` is "back") bring it back."""
    visit = enter(request, slug, Role.ORGANISER)
    season = get_object_or_404(visit.club.seasons, pk=pk)
    if request.POST.get("do") == "back":
        deeds.unarchive(season, by=visit.member)
    else:
        deeds.archive(season, by=visit.member)
    return HttpResponseRedirect(reverse("seasons", args=[slug]), status=303)
