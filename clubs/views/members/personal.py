"""Personal links: the nights of one member, to be answered without signing in."""

from __future__ import annotations

import datetime

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.members.personal_links import find_link, revoke_link
from clubs.models import Club, Member, Night, Reply
from clubs.nights.calendar import Addresses, calendar_of
from clubs.nights.replies import TOO_LATE, NotAnswered, answers_of, is_open
from clubs.views.nights.coming import Coming, take
from clubs.views.nights.nights import calendar_response, whole
from scoresheets.access.scorekeepers import REFERRER_POLICY
from scoresheets.access.throttle import NoSuchSheet

A_DAY = datetime.timedelta(days=1)
#: Nights on the page.
MOST_NIGHTS = 12
NO_LINK = "This personal link does not work, or no longer does. Ask an organiser for a new one."


def webcal(request: HttpRequest, token: str) -> str:
    """The address by which a phone subscribes to the calendar."""
    return f"webcal://{request.get_host()}{reverse('my_calendar', args=[token])}"


def person_of(token: str) -> Member:
    """Whose link it is. Raises `NoSuchSheet`."""
    link = find_link(token)
    if link is None:
        raise NoSuchSheet(NO_LINK)
    return link.member.main_record


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_nights(request: HttpRequest, token: str) -> HttpResponse:
    """GET: the nights to come. POST: an answer for the `night`, as the button `do` says; `do=revoke` ends the link.

    It shows how many come and no names: a link is passed on easily.
    """
    me = person_of(token)
    response = answered(request, me, token) if request.method == "POST" else nights_page(request, me, token)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


def answered(request: HttpRequest, me: Member, token: str) -> HttpResponse:
    if request.POST.get("do") == "revoke":
        revoke_link(me, by=me)
        return TemplateResponse(request, "clubs/members/link_revoked.html", {"club": me.club})
    number = whole(request.POST.get("night", ""))
    night = next((night for night in nights_ahead(me) if night.pk == number), None)
    if night is None and not me.club.nights.filter(pk=number).exists():
        raise Http404
    if night is None:
        return nights_page(request, me, token, wrong={number: TOO_LATE})
    try:
        take(night, me, request, source=Reply.Source.LINK)
    except NotAnswered as error:
        return nights_page(request, me, token, wrong={number: str(error)})
    return HttpResponseRedirect(f"{request.path}#night-{number}", status=303)


def nights_ahead(me: Member) -> list[Night]:
    """The nights that can be answered, the next first. One query."""
    # Those of yesterday as well: a late one may still begin.
    nights = me.club.nights.standing().filter(on__gte=me.club.today() - A_DAY, begun_at__isnull=True)
    ahead = list(nights.order_by("on", "begins", "pk"))
    for night in ahead:
        night.club = me.club
    return [night for night in ahead if is_open(night)][:MOST_NIGHTS]


@require_safe
def my_calendar(request: HttpRequest, token: str) -> HttpResponseBase:
    """The nights with one's own answers, for a calendar that subscribes; in a members' club the only one.

    The key of the club is not in it: whoever has a personal link sees nothing else of the club.
    """
    me = person_of(token)
    there = request.build_absolute_uri(reverse("my_nights", args=[token]))

    def answer(night: Night) -> str:
        return f"{there}#night-{night.pk}"

    def page(night: Night) -> str:
        return request.build_absolute_uri(night.get_absolute_url()) if is_public else answer(night)

    is_public = me.club.visibility == Club.Visibility.PUBLIC
    return calendar_response(request, me.club, calendar_of(me.club, Addresses(page, answer), me))


def nights_page(
    request: HttpRequest, me: Member, token: str, *, wrong: dict[int, str] | None = None
) -> TemplateResponse:
    """`wrong` is what is wrong about an answer, by night (id); on top where the night is not on the page any more."""
    comings = [Coming(answers, me) for answers in answers_of(nights_ahead(me)).values()]
    shown, wrong = {coming.night.pk for coming in comings}, wrong or {}
    problem = " ".join(says for number, says in wrong.items() if number not in shown)
    context = {
        "club": me.club,
        "me": me,
        "nights": [(coming, wrong.get(coming.night.pk, "")) for coming in comings],
        "problem": problem,
        "page": reverse("my_nights", args=[token]),
        "calendar": webcal(request, token),
    }
    status = 409 if problem else 422 if wrong else 200
    return TemplateResponse(request, "clubs/members/my_nights.html", context, status=status)
