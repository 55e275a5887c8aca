"""The page on which an organiser code is entered."""

from __future__ import annotations

from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import require_account
from clubs.club.organiser_codes import (
    CODE_IS_WRONG,
    NotDone,
    club_of_code,
    member_of,
    people_without_account,
    use_organiser_code,
)
from clubs.models import User
from clubs.site.error_views import too_often
from rules.core.problems import Problem
from scoresheets.access.scorekeepers import REFERRER_POLICY
from scoresheets.log.text import clean_name


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def become_organiser(request: HttpRequest) -> HttpResponse:
    """GET: the form, with a good `?code=` its club, with another one that it does not work; nothing is used up.

    POST: with `do=become` it is.
    """
    user = require_account(request)
    code = (request.POST if request.method == "POST" else request.GET).get("code", "")[:60]
    if request.method != "POST":
        return code_page(request, user, code)
    if not ratelimit.consume(request, action="found_club", dry_run=True):
        return too_often(request)
    club = club_of_code(code)
    if club is None:
        ratelimit.consume(request, action="found_club")
        return code_page(request, user, code, problem=CODE_IS_WRONG, status=422)
    if request.POST.get("do") != "become":
        return code_page(request, user, code)
    me, called = request.POST.get("me", ""), request.POST.get("called", "")[:200]
    name = "" if me or member_of(user, club) else clean_name(called)
    if isinstance(name, Problem):
        return code_page(request, user, code, called_problem=name.message, status=422)
    try:
        club = use_organiser_code(user, code=code, me=me, called=name)
    except NotDone as problem:
        return code_page(request, user, code, problem=str(problem), status=409)
    return HttpResponseRedirect(reverse("organise", args=[club.slug]), status=303)


def code_page(
    request: HttpRequest, user: User, code: str, *, problem: str = "", called_problem: str = "", status: int = 200
) -> HttpResponse:
    """The form: for the code alone, or for who somebody is where the code is good. It says so of one that is not."""
    club = club_of_code(code) if code else None
    if code and club is None:
        problem = problem or CODE_IS_WRONG
    context = {
        "code": code,
        "of_club": club,
        "belongs": member_of(user, club) if club else None,
        "people": [(str(member.pk), member.name, member.role) for member in people_without_account(club)]
        if club
        else [],
        "me": request.POST.get("me", ""),
        "called": request.POST.get("called", "")[:200],
        "problem": problem,
        "called_problem": called_problem,
    }
    response = TemplateResponse(request, "clubs/club/become_organiser.html", context, status=status)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response
