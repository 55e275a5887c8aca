"""The records of a club, its past games, and the hands behind a figure."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import enter
from clubs.models import Club, Honour
from clubs.records.games import WantedGames, game_lines
from clubs.records.hands import Person, WantedHands, hand_url, lines_of_hands
from clubs.records.honours import board, evidence, term_called
from clubs.records.records import club_records, over_the_years, played_games
from rules import find_game

GAMES_A_PAGE, HANDS_A_PAGE = 30, 50


@require_safe
@vary_on_cookie
def records(request: HttpRequest, slug: str) -> TemplateResponse:
    """The best and the worst of every game, who has the most of everything, and the way to every old sheet."""
    visit = enter(request, slug)
    played = played_games(visit.club)
    chosen = request.GET.get("game", "")
    chosen = chosen if chosen in played else next(iter(played), "")
    context = {
        "visit": visit, "club": visit.club, "here": "records",
        "played": [(find_game(game), games) for game, games in played.items()],
        "game": find_game(chosen) if chosen else None,
        "records": club_records(visit.club, chosen) if chosen else [],
        "over_the_years": over_the_years(visit.club),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/records/list.html", context)


@require_safe
@vary_on_cookie
def games(request: HttpRequest, slug: str) -> TemplateResponse:
    """All old games, the latest first: of one game, of a season, of somebody."""
    visit = enter(request, slug)
    club = visit.club
    seasons = list(club.seasons.filter(archived_at__isnull=True))
    person, other = person_asked(club, request.GET.get("member", "")), person_asked(club, request.GET.get("other", ""))
    wanted = WantedGames.from_query(request.GET, seasons, person, other)
    if wanted is None:
        raise Http404
    page = Paginator(wanted.tables(club).select_related("night", "sheet", "stage__play_off"), GAMES_A_PAGE).get_page(
        request.GET.get("page")
    )
    context = {
        "visit": visit, "club": club, "here": "nights", "wanted": wanted, "page": page, "seasons": seasons,
        "lines": game_lines(club, page.object_list, person), "played": [find_game(game) for game in played_games(club)],
        "people": sorted(club.members.people(), key=lambda member: member.shown.casefold()),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/records/games.html", context)


@require_safe
@vary_on_cookie
def hands(request: HttpRequest, slug: str) -> HttpResponse:
    """The hands a figure of somebody is made of; of nobody in particular there are the records."""
    visit = enter(request, slug)
    person = person_asked(visit.club, request.GET.get("member", ""))
    if person is None:
        return redirect("records", slug)
    wanted = WantedHands.from_query(request.GET, person)
    if wanted is None:
        raise Http404
    page = Paginator(wanted.hands(visit.club), HANDS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "visit": visit, "club": visit.club, "here": "members",
        "wanted": wanted, "page": page, "lines": lines_of_hands(visit.club, list(page)),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/records/hands.html", context)


def person_asked(club: Club, pk: str) -> Person | None:
    """The person an address asks for, None where it asks for nobody; 404 where there is no such member."""
    if not pk:
        return None
    known = pk.isascii() and pk.isdecimal() and len(pk) < 10
    record = club.members.filter(pk=pk, approved_at__isnull=False).select_related("same_as").first() if known else None
    if record is None:
        raise Http404
    record.main_record.club = club
    return Person.of(record.main_record)


#: Proofs on a page.
A_PAGE = 50


@require_safe
@vary_on_cookie
def honours(request: HttpRequest, slug: str) -> TemplateResponse:
    """Every term with those it was said of most often; with `?open=` all of them for one term."""
    visit = enter(request, slug)
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "terms": board(visit.club),
        "opened": request.GET.get("open", ""),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/records/honours.html", context)


@require_safe
@vary_on_cookie
def honour(request: HttpRequest, slug: str, game: str, tag: str) -> TemplateResponse:
    """Every time a term was said, of everybody or (`?of=`) of one member, the latest first, with its hand."""
    visit = enter(request, slug)
    term = term_called(game, tag)
    of = request.GET.get("of", "")
    member = visit.club.members.filter(pk=int(of)).first() if of.isascii() and of.isdecimal() and len(of) < 10 else None
    if term is None or (of and member is None):
        raise Http404
    page = Paginator(evidence(visit.club, game, tag, member), A_PAGE).get_page(request.GET.get("page"))
    proofs = [(proof, term.counted(proof.value), url_of(proof)) for proof in page]
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "term": term, "of": member and member.main_record,
        "page": page, "proofs": proofs,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/records/honour.html", context)


def url_of(proof: Honour) -> str:
    """Where its hand stands, opened; "" where there is no sheet."""
    return hand_url(proof.table.sheet.watch, proof.hand) if proof.table.sheet else ""
