"""Standings, and the evidence of each figure."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie
from django_tables2 import RequestConfig

from clubs.access.visit import Role, Visit, enter
from clubs.link_previews import previews
from clubs.link_previews.tags import tags_of
from clubs.models import Club, Season
from clubs.ratings.skill import EXPLAINED, LEAST_GAMES
from clubs.records.bests import is_by_points
from clubs.season_course.last_night_claims import last_night_of
from clubs.season_course.last_visit import remember, visit_news
from clubs.standings.compute import compare, terms_of, with_scores
from clubs.standings.evidence import FIGURES, games_behind, hands_behind, typed_behind, worths
from clubs.standings.export import KINDS, standing_file_of
from clubs.standings.league import ALL_TIME, League, league_now, league_of
from clubs.standings.one_game import games_in, lines_in
from clubs.standings.season_form import Counted, filled_in
from clubs.standings.season_form import Counted as Form
from clubs.standings.seasons import have_seen, latest_seasons
from clubs.standings.table import A_PAGE, StandingTable
from clubs.standings.what_if import supposed
from rules.core.numbers import percent_text
from scoresheets.link_previews.image import image_response

#: Games or hands on a page.
MOST_SHOWN = 40


@require_safe
@vary_on_cookie
def standings(request: HttpRequest, slug: str) -> TemplateResponse:
    """The standing of the season that is on, or the one nobody had to choose."""
    visit = enter(request, slug)
    league = league_now(visit.club)
    if not visit.me:
        return standings_page(request, visit, league)
    since, seen, now = visit_news(request, visit.club, visit.me, league)
    response = standings_page(request, visit, league, since=since)
    remember(request, response, visit.club, seen, now)
    return response


@require_safe
@vary_on_cookie
def standing(request: HttpRequest, slug: str, which: str) -> TemplateResponse:
    """The standing of any season, or of all time."""
    visit = enter(request, slug)
    return standings_page(request, visit, league_of(visit.club, season_of(visit.club, which)))


@require_safe
def standing_preview(request: HttpRequest, slug: str, which: str) -> HttpResponse:
    """The picture that a chat shows with the link."""
    club = enter(request, slug).club
    return image_response(request, previews.of_standing(league_of(club, season_of(club, which))))


def season_of(club: Club, which: str) -> Season | None:
    """The season an address speaks of; None for all time. Raises `Http404` where there is none."""
    if which == ALL_TIME:
        return None
    season = (
        club.seasons.filter(pk=which).first() if which.isascii() and which.isdecimal() and len(which) < 10 else None
    )
    if season is None:
        raise Http404
    return season


def standings_page(
    request: HttpRequest, visit: Visit, league: League, *, since: Sequence[str] = ()
) -> TemplateResponse:
    """`since`: what is new for the reader, a sentence each."""
    table = StandingTable(league, me=visit.me)
    RequestConfig(request, paginate={"per_page": A_PAGE}).configure(table)
    context = {
        "visit": visit, "club": visit.club, "here": "standings", "league": league, "table": table,
        "says": league.says(visit.me), "all_columns": request.GET.get("columns") == "all",
        "seasons": latest_seasons(visit.club, league.season), "my_page": page_of(table, league, visit.me),
        "news": league.news, "since": since, "last_night": last_night_of(league),
        "link_preview": tags_of(request, visit.club, previews.of_standing(league), f"{league.url}preview.png"),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/standings/standings.html", context)


def page_of(table: StandingTable, league: League, me: int) -> int:
    """On which page the reader's row is; 0 where they see it, or have none."""
    lines = list(table.data)
    mine = league.line_of(me) if me else None
    page = 1 + lines.index(mine) // A_PAGE if mine else 0
    return 0 if page == table.page.number else page


@require_safe
@vary_on_cookie
def standing_games(request: HttpRequest, slug: str, which: str) -> TemplateResponse:
    """One game of a standing, `game` in the address or the one played most: averages, best and worst of everybody."""
    visit = enter(request, slug)
    club, season = visit.club, season_of(visit.club, which)
    games = games_in(club, season)
    chosen = request.GET.get("game", "")
    game = chosen if chosen in games else next(iter(games), "")
    lines = Paginator(lines_in(club, season, game) if game else [], A_PAGE)
    context = {
        "visit": visit, "club": club, "here": "standings", "season": season, "which": which, "games": games,
        "game": game, "page": lines.get_page(request.GET.get("page")), "has_scores": bool(game) and is_by_points(game),
        "compares": compare([game]),
        "rating_meaning": EXPLAINED, "rating_least": LEAST_GAMES,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/standings/games.html", context)


@require_safe
@vary_on_cookie
def behind(request: HttpRequest, slug: str, which: str, member: int, figure: str) -> TemplateResponse:
    """The games or the hands that a figure is made of."""
    visit = enter(request, slug)
    club, season = visit.club, season_of(visit.club, which)
    league = league_of(club, season)
    line, evidence = league.line_of(member), FIGURES.get(figure)
    if line is None or evidence is None or getattr(line.row, figure) is None:
        raise Http404
    context = {
        "visit": visit, "club": club, "here": "standings", "league": league, "line": line, "evidence": evidence,
        "figure": figure, "value": getattr(line.row, figure),
        "made_share": percent_text(line.row.made, line.row.bids) if figure == "made" else "",
    }  # fmt: skip
    if evidence.hands is not None:
        hands = Paginator(hands_behind(club, season, line.row, evidence), MOST_SHOWN)
        context |= {
            "page": hands.get_page(request.GET.get("page")), "typed": typed_behind(club, season, line.row, figure)
        }  # fmt: skip
    else:
        games = Paginator(games_behind(club, season, line.row, evidence), MOST_SHOWN)
        page = games.get_page(request.GET.get("page"))
        context |= {"page": page, "worths": worths(club, season, line.row, list(page))}
    return TemplateResponse(request, "clubs/standings/evidence.html", context)


@never_cache
@require_safe
def what_if(request: HttpRequest, slug: str) -> TemplateResponse:
    """The standings would be by another scheme. Nothing is kept; a form that is wrong is shown again (422)."""
    visit = enter(request, slug, Role.ORGANISER)
    season = season_of(visit.club, request.GET.get("of", ALL_TIME))
    is_filled_in = "scheme" in request.GET
    one_game = with_scores(terms_of(season), visit.club, season).one_game
    filled = {"data": request.GET} if is_filled_in else {"initial": filled_in(terms_of(season))}
    form: Form = Counted(one_game=one_game, **filled)
    context = {
        "visit": visit, "club": visit.club, "here": "standings", "form": form, "season": season,
        "which": str(season.pk) if season else ALL_TIME, "seasons": visit.club.seasons.standing(), "lines": None,
    }  # fmt: skip
    if is_filled_in and form.is_valid():
        terms = form.terms()
        context |= {"terms": terms, "lines": supposed(visit.club, season, terms)}
    status = 422 if is_filled_in and form.errors else 200
    return TemplateResponse(request, "clubs/standings/what_if.html", context, status=status)


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
    response = HttpResponse(standing_file_of(league, ending), content_type=KINDS[ending])
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
