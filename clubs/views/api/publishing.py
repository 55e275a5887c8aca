"""What others show of a club: a standing in a spreadsheet or in a frame, and its results in a feed."""

from __future__ import annotations

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from clubs.access.visit import enter
from clubs.api.answers import Answer, Endpoint, gives
from clubs.api.callers import Caller
from clubs.api.documents.feed import feed_of
from clubs.models.club import ORIGIN, Club
from clubs.standings.export import standing_file_of
from clubs.standings.table import A_PAGE
from clubs.views.api.reading import league_at, league_in


@gives(Endpoint("A standing for a spreadsheet", media="text/csv", takes_key_in_address=True))
def api_standing_csv(request: HttpRequest, caller: Caller, slug: str, which: str) -> Answer:
    """For =IMPORTDATA and its like: names cannot be formulas. `which` is the id of a season, or "all-time"."""
    return Answer(standing_file_of(league_at(caller, slug, which), "csv"))


def for_spreadsheet(address: str) -> str:
    """What is typed into a cell to read the CSV at that address."""
    return f'=IMPORTDATA("{address}")'


@gives(Endpoint("The latest results as a feed", media="application/atom+xml", takes_key_in_address=True))
def api_results(request: HttpRequest, caller: Caller, slug: str) -> Answer:
    """Atom (RFC 4287), the latest game first."""
    return Answer(feed_of(caller.club(slug), request.build_absolute_uri, request.path))


@require_safe
@cache_control(private=True, no_cache=True)
def standing_frame(request: HttpRequest, slug: str, which: str) -> HttpResponseBase:
    """A standing of a public club for a page of the one web site that the club has named: no other may show it.

    `which` is the id of a season, or "all-time". What a site has got into its page is seen by all who come there.
    """
    club = enter(request, slug).club
    if club.visibility != Club.Visibility.PUBLIC or not ORIGIN.fullmatch(club.frame_origin):
        raise Http404
    league = league_in(club, which)
    context = {
        "club": club, "league": league, "lines": league.lines[:A_PAGE], "more": max(len(league.lines) - A_PAGE, 0)
    }  # fmt: skip

    @xframe_options_exempt
    @csp_replace({"frame-ancestors": [club.frame_origin]})
    def framed(request: HttpRequest) -> HttpResponse:
        return TemplateResponse(request, "clubs/api/frame.html", context)

    return framed(request)
