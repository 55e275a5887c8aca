"""Opening a club by its link, and the list of clubs."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access.known_clubs import clubs_for
from clubs.access.visit import cookie_of, give_key, is_shown, is_signed_in, visit_to
from clubs.models import Club
from clubs.site.error_views import problem_page
from clubs.views.nights.door import to_the_door
from scoresheets.access.scorekeepers import REFERRER_POLICY, SECRET
from scoresheets.access.throttle import NoSuchSheet

GONE = "This link does not open a club, or no longer does. Ask somebody in the club for the new one."
NOT_YOURS = (
    "This club is shown to its members, and the address you signed in with is none of theirs. "
    "Ask an organiser to invite you, or sign in with the address the club knows."
)


@never_cache
@require_safe
def come_in(request: HttpRequest, slug: str, key: str) -> HttpResponseBase:
    """The club's own link, on its QR code: this browser is shown the club from now on. Nothing is used up by it.

    The key alone says which club it is, so that a printed code outlives another address of the club.
    """
    club = Club.objects.open().filter(key=key).first() if SECRET.fullmatch(key) else None
    if club is None:
        raise NoSuchSheet(GONE)
    response: HttpResponseBase
    if club.visibility == Club.Visibility.MEMBERS and not is_shown(visit_to(request, club)):
        response = members_only(request, club)
    else:
        # Whoever scans the code on the wall when they arrive is asked to check in.
        response = HttpResponseRedirect(to_the_door(replace(visit_to(request, club), has_key=True)))
        give_key(request, response, club, key=club.key, marked=cookie_of(request, club)[1])
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


def members_only(request: HttpRequest, club: Club) -> HttpResponse:
    """Its link opens nothing to who does not sign in."""
    if is_signed_in(request):
        return problem_page(request, 403, title="For its members", sentence=NOT_YOURS)
    return to_sign_in(club.get_absolute_url())


def to_sign_in(then: str) -> HttpResponseRedirect:
    """To the page where one signs in, and from there to the path `then`."""
    return HttpResponseRedirect(f"{reverse('account_request_login_code')}?{urlencode({'next': then})}")


@never_cache
@require_safe
def clubs(request: HttpRequest) -> TemplateResponse:
    """The clubs of who is signed in, those this phone knows, and those that are open to everybody."""
    return TemplateResponse(request, "clubs/club/clubs.html", {"clubs": clubs_for(request)})
