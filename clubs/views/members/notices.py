"""Notices: one's own choices, the browsers that show them, and stopping them by a link."""

from __future__ import annotations

import json

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from clubs.access.visit import SignInFirst, Visit, enter
from clubs.accounts.sessions import browser_name
from clubs.members.notice_kinds import NOTICE_KINDS
from clubs.members.people import records_of
from clubs.models import Event, Member, PushSubscription
from clubs.notices import choices
from clubs.notices.links import find_to_stop
from clubs.notices.mail import address_of_person, mail_is_printed
from clubs.notices.this_browser import remember_browser
from clubs.notices.vapid import public_key
from clubs.views.nights.coming import person_of, to_who_are_you
from clubs.views.nights.nights import whole
from scoresheets.access.scorekeepers import REFERRER_POLICY
from scoresheets.access.throttle import NoSuchSheet

NOT_HERE = "Sign in to change your notices. On a phone that is not signed in, only its own notices can be changed."
NO_MAIL = "No email can be sent to you here."
STOPS_NOTHING = "This link stops nothing, or no longer does. Your choices are on your own page in the club."


def own(request: HttpRequest, slug: str) -> tuple[Visit, Member | None]:
    """The visit, and whose notices they are: of who is signed in, else of whom this phone may answer for.

    Raises what `enter` raises, and the same for a browser that never has a person here.
    """
    visit = enter(request, slug)
    person = person_of(visit)
    if person is None and not visit.phone_counts:
        raise PermissionDenied if visit.account else SignInFirst
    return visit, person


def may_choose(visit: Visit, person: Member) -> bool:
    """Whether this browser may change all choices: not a phone that only says who uses it, if they have an account."""
    return visit.member is not None or not any(record.user_id for record in records_of(person))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_notices(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the choices. POST: what the button `do` says: save, mail (switch it on), stop, remove (`browser`)."""
    visit, person = own(request, slug)
    if person is None:
        return to_who_are_you(visit, request.path)
    if request.method != "POST":
        return choices_page(request, visit, person)
    if not may_choose(visit, person):
        return choices_page(request, visit, person, wrong=NOT_HERE, status=403)
    do = request.POST.get("do", "")
    try:
        if do == "save":
            save(request, visit, person)
        elif do == "mail":
            if not mail_address(visit, person):
                raise choices.NotTaken(NO_MAIL)
            choices.switch_on(person, "mail")
        elif do == "stop":
            choices.stop(person)
        elif do == "remove":
            choices.remove(person, pk=whole(request.POST.get("browser", "")))
    except choices.NotTaken as error:
        return choices_page(request, visit, person, wrong=str(error), status=422)
    return HttpResponseRedirect(request.path, status=303)


def save(request: HttpRequest, visit: Visit, person: Member) -> None:
    """Raises `choices.NotTaken`."""
    mail = request.POST.getlist("mail") if mail_address(visit, person) else None
    quiet = request.POST.get("quiet_from", ""), request.POST.get("quiet_until", "")
    choices.choose(person, push=request.POST.getlist("push"), mail=mail, quiet=quiet)


def mail_address(visit: Visit, person: Member) -> str:
    """Where mail goes for who is signed in; "" where none can be sent, and for a phone that says who uses it."""
    return "" if visit.member is None or mail_is_printed() else address_of_person(person)


def choices_page(
    request: HttpRequest, visit: Visit, person: Member, *, wrong: str = "", status: int = 200
) -> TemplateResponse:
    chosen, browsers = choices.settings_of(person), choices.browsers_of(person)
    may, address = may_choose(visit, person), mail_address(visit, person)
    runs = visit.member is not None and visit.organises
    kinds = [kind for kind in NOTICE_KINDS if kind != Event.Kind.CALLED or runs]
    is_on = chosen is not None and bool(chosen.push or chosen.mail)
    typed = request.POST if wrong else {}
    hours = {
        name: typed.get(name, f"{hour:%H:%M}" if (hour := chosen and getattr(chosen, name)) else "")
        for name in ("quiet_from", "quiet_until")
    }
    context = {
        "visit": visit, "club": visit.club, "here": "members", "person": person, "may_choose": may,
        "is_on": is_on, "wrong": wrong, "quiet": hours, "key": public_key(), "address": address,
        "by_mail": bool(chosen and chosen.mail), "printed": mail_is_printed(), "browsers": browsers,
        "digests": " ".join(each.endpoint_hash for each in browsers if visit.member or each.session_id is None),
        "kinds": [
            (kind, NOTICE_KINDS[kind], bool(chosen and kind in chosen.push), bool(chosen and kind in chosen.mail))
            for kind in kinds
        ],
    }  # fmt: skip
    return TemplateResponse(request, "clubs/notices/choices.html", context, status=status)


@never_cache
@require_POST
def notice_browser(request: HttpRequest, slug: str) -> HttpResponse:
    """This browser shows notices from now on (`endpoint`, `p256dh`, `auth`), or with `do=remove` none any more.

    204, or 400 with what is wrong.
    """
    visit, person = own(request, slug)
    if person is None:
        raise PermissionDenied
    endpoint = request.POST.get("endpoint", "")
    if request.POST.get("do") == "remove":
        choices.remove(person, endpoint=endpoint)
        return HttpResponse(status=204)
    name = browser_name(request.META.get("HTTP_USER_AGENT", ""))
    try:
        browser = choices.read_browser(endpoint, request.POST.get("p256dh", ""), request.POST.get("auth", ""), name)
    except choices.NotTaken as error:
        return JsonResponse({"problem": str(error)}, status=400)
    session = (request.session.session_key or "") if visit.member else ""
    choices.subscribe(person, browser, session=session, key=visit.club.key)
    response = HttpResponse(status=204)
    remember_browser(request, response, browser.digest)
    return response


@csrf_exempt
@never_cache
@require_POST
def renew_browser(request: HttpRequest) -> HttpResponse:
    """A browser has got another address from its push service: JSON with `former`, `endpoint`, `p256dh`, `auth`.

    Its service worker says so, which has no form: that it knows the former address tells who it is.
    """
    try:
        content = json.loads(request.body)
        former, *rest = (str(content[name]) for name in ("former", "endpoint", "p256dh", "auth"))
        browser = choices.read_browser(*rest)
    except (ValueError, TypeError, KeyError):
        return JsonResponse({"problem": choices.NO_KEYS}, status=400)
    except choices.NotTaken as error:
        return JsonResponse({"problem": str(error)}, status=400)
    if not choices.is_endpoint(former) or not choices.renew(former, browser):
        raise NoSuchSheet(STOPS_NOTHING)
    response = HttpResponse(status=204)
    remember_browser(request, response, browser.digest)
    return response


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_notices(request: HttpRequest, token: str) -> HttpResponse:
    """GET: the buttons. POST, of whoever has the link, an email program or a notice: they are stopped.

    By the link of an email its program can stop mail alone; `do=all`: on phones too.
    """
    whose = find_to_stop(token)
    if whose is None:
        raise NoSuchSheet(STOPS_NOTHING)
    is_browser, stops_all = isinstance(whose, PushSubscription), request.POST.get("do") == "all"
    club = whose.member.club if isinstance(whose, PushSubscription) else whose.club
    if request.method == "POST":
        if isinstance(whose, PushSubscription):
            whose.delete()
        elif stops_all:
            choices.stop(whose)
        else:
            choices.stop_mail(whose)
    context = {
        "club": club, "is_browser": is_browser, "stops_all": stops_all, "stopped": request.method == "POST",
        "choices": reverse("my_notices", args=[club.slug]),
    }  # fmt: skip
    response = TemplateResponse(request, "clubs/notices/stop.html", context)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response
