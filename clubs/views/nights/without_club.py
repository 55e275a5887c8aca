"""An evening without a club: opening it, sharing it, and giving it to a club."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.visit import Visit, account_of, enter, give_host_right, give_key, host_token
from clubs.evening.take_in import answer, clubs_to_take_it, lines_of, take_in
from clubs.evening.without_club import PLAY_OFF, TABLES
from clubs.evening.without_club import open_evening as open_new_evening
from clubs.joining.match import people_of
from clubs.models import Club, Member
from rules.core.problems import Problem
from scoresheets.access.network import network_hash
from scoresheets.access.qr import qr_code
from scoresheets.access.scorekeepers import REFERRER_POLICY, browser_of, hashed, keep_browser_secret, new_browser_secret
from scoresheets.access.throttle import NoSuchSheet
from scoresheets.log.append import is_key
from scoresheets.opening.candidates import company_of
from scoresheets.opening.defaults import past_of
from scoresheets.opening.form import Opening
from scoresheets.opening.open_sheet import clean_names, may_not_open
from scoresheets.views.public.opening import account_needed_page, opening_page, too_many_sheets_page

HOST_GONE = "This link does not open an evening. Ask whoever runs it for the new one."


@never_cache
@require_POST
def open_evening(request: HttpRequest) -> HttpResponseBase:
    """Open an evening for everybody in the form that opens a sheet: a play-off or several tables, as `do` says."""
    user, do = account_of(request), request.POST.get("do", "")
    if do not in (PLAY_OFF, TABLES):
        raise BadRequest
    if user is None and not settings.OPEN_SHEETS_WITHOUT_ACCOUNT:
        return account_needed_page(request)
    network, is_member = network_hash(request.META.get("REMOTE_ADDR", "")), user is not None
    if refused := may_not_open(network, signed_in=is_member, count=False):
        return too_many_sheets_page(request, refused.message)
    people, secret = company_of(request, user), new_browser_secret(request)
    form = Opening.posted(request.POST, past_of(browser_of(request), people, game=request.POST.get("game", "")))
    names, coming = names_in(form)
    if not form.wrong and (refused := may_not_open(network, signed_in=is_member)):
        return too_many_sheets_page(request, refused.message)
    response: HttpResponseBase
    if form.wrong:
        response = opening_page(request, form, people, status=422)
    else:
        night = open_new_evening(
            names, form.game, do=do, key=form.key, browser=hashed(secret), house_rules=form.rules, coming=coming
        )
        to = "plan_play_off" if "play_off" in night.drawn else "draw_tables"
        response = HttpResponseRedirect(reverse(to, args=[night.club.slug, night.pk]), status=303)
        give_key(request, response, night.club, key=night.club.key, marked=0)
        give_host_right(request, response, night.club)
    keep_browser_secret(request, response, secret)
    return response


def names_in(form: Opening) -> tuple[list[str], list[str]]:
    """The clean names of who is here and of who is still coming. What is wrong is beside its field, in `form.wrong`."""
    problems: list[Problem] = []
    form.check()
    names = clean_names([row.name for row in form.rows], "player", problems)
    coming = clean_names(form.expected, "coming", problems, beside=names)
    form.wrong |= {problem.field or "": problem.message for problem in problems}
    for place, row in enumerate(form.rows, 1):
        row.problem = form.wrong.get(f"player-{place}", "")
        row.typing = row.typing or bool(row.problem)
    if form.typed.strip():
        form.wrong["typed"] = "This name is not at the table yet: add it, or clear it."
    if len(form.rows) <= form.game.made_for[-1]:
        form.wrong["sheet"] = "One table is enough for so few. Start it below."
    if not is_key(form.key):
        raise BadRequest
    return names, coming


@never_cache
@require_safe
def host_evening(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The host link: this phone runs the evening from now on, beside the one that opened it."""
    club = Club.objects.filter(slug=slug, is_evening=True, moved_to__isnull=True).first()
    if club is None or not constant_time_compare(token, host_token(club)):
        raise NoSuchSheet(HOST_GONE)
    response = HttpResponseRedirect(club.get_absolute_url())
    give_key(request, response, club, key=club.key, marked=0)
    give_host_right(request, response, club)
    keep_browser_secret(request, response, new_browser_secret(request))
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


def enter_evening(request: HttpRequest, slug: str) -> Visit:
    """The visit of a host to an evening without a club. Raises `Http404` for a club, `PermissionDenied`."""
    visit = enter(request, slug)
    if not visit.club.is_evening:
        raise Http404
    if not visit.organises:
        raise PermissionDenied
    return visit


@never_cache
@require_safe
def share_evening(request: HttpRequest, slug: str) -> HttpResponse:
    """The two links of the evening, each with its code: for everybody to look at, and for another phone to run it."""
    visit = enter_evening(request, slug)
    club = visit.club
    links = [
        request.build_absolute_uri(reverse(name, args=[slug, key]))
        for name, key in (("come_in", club.key), ("host_evening", host_token(club)))
    ]
    watch, host = [(address, qr_code(address)) for address in links]
    context = {"visit": visit, "club": club, "here": "nights", "watch": watch, "host": host}
    response = TemplateResponse(request, "clubs/evening/share.html", context)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def take_evening_in(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: which club (`?club=`), and who is who in it. POST: the evening belongs to that club."""
    visit = enter_evening(request, slug)
    user = account_of(request)
    data = request.POST if request.method == "POST" else request.GET
    clubs = clubs_to_take_it(user) if user else []
    named = data.get("club", clubs[0].slug if len(clubs) == 1 else "")
    club = next((club for club in clubs if club.slug == named), None)
    lines = lines_of(visit.club, club) if club else []
    status = 200
    if request.method == "POST" and club and user:
        if answer(lines, club, request.POST):
            by = Member.objects.of_account(user.pk).filter(club=club).first()
            night = take_in(visit.club, club, lines, by=by.main_record if by else None)
            to = reverse("night", args=[club.slug, night.pk]) if night else club.get_absolute_url()
            return HttpResponseRedirect(to, status=303)
        status = 422
    context = {
        "visit": visit, "club": visit.club, "here": "nights", "user_account": user, "clubs": clubs, "into": club,
        "lines": lines, "people": people_of(club) if club else [], "night": visit.club.nights.first(),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/evening/take_in.html", context, status=status)
