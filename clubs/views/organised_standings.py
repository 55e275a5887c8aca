"""What organisers do with a standing: look at it by another scheme, and take it away as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access.visit import Role, enter
from clubs.standings.compute import terms_of, with_scores
from clubs.standings.export import KINDS, file_of
from clubs.standings.league import ALL_TIME, league_of
from clubs.standings.season_form import Counted, filled_in
from clubs.standings.seasons import have_seen
from clubs.standings.what_if import supposed
from clubs.views.standings import season_of

if TYPE_CHECKING:
    from clubs.standings.season_form import Counted as Form


@never_cache
@require_safe
def what_if(request: HttpRequest, slug: str) -> TemplateResponse:
    """Where everybody would stand by another scheme. Nothing is kept; a form that is wrong is shown again (422)."""
    visit = enter(request, slug, Role.ORGANISER)
    season = season_of(visit.club, request.GET.get("of", ALL_TIME))
    asked = "scheme" in request.GET
    one_game = with_scores(terms_of(season), visit.club, season).one_game
    filled = {"data": request.GET} if asked else {"initial": filled_in(terms_of(season))}
    form: Form = Counted(one_game=one_game, **filled)
    context = {
        "visit": visit, "club": visit.club, "here": "standings", "form": form, "season": season,
        "which": str(season.pk) if season else ALL_TIME, "seasons": visit.club.seasons.standing(), "lines": None,
    }  # fmt: skip
    if asked and form.is_valid():
        terms = form.terms()
        context |= {"terms": terms, "lines": supposed(visit.club, season, terms)}
    status = 422 if asked and form.errors else 200
    return TemplateResponse(request, "clubs/what_if.html", context, status=status)


@require_POST
def counting_seen(request: HttpRequest, slug: str, which: str) -> HttpResponse:
    """An organiser dismisses, for everybody, the note that a standing is counted differently."""
    visit = enter(request, slug, Role.ORGANISER)
    have_seen(visit.club, season_of(visit.club, which), by=visit.member)
    return HttpResponseRedirect(reverse("standing", args=[slug, which]), status=303)


@never_cache
@require_safe
def standing_file(request: HttpRequest, slug: str, which: str, ending: str) -> HttpResponse:
    """The standing as CSV, XLSX or JSON."""
    visit = enter(request, slug, Role.ORGANISER)
    league = league_of(visit.club, season_of(visit.club, which))
    if ending not in KINDS:
        raise Http404
    name = f"{visit.club.slug}-{slugify(league.name) or league.which}.{ending}"
    response = HttpResponse(file_of(league, ending), content_type=KINDS[ending])
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
