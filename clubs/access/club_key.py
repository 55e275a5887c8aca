"""The key of a club in an address: `?key=` opens the page for a browser that was never here.

What is handed out (an email, a calendar, the Share button) is opened by in-app browsers, second phones and mail apps,
which have no cookie from before. So the addresses of a club that is shown by its link carry its key, and the page
itself is answered, not a redirect: what makes a preview of a link keeps no cookies.

In a public club the key opens nothing, but lets a phone answer for who uses it. So what everybody may read there (the
Share button, the tags for previews, the calendar) is without it, and what goes to the club's people has it.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from clubs.access.visit import COOKIE, club_at, cookie_of, give_key, is_shown, visit_to
from clubs.models import Club
from scoresheets.access.scorekeepers import REFERRER_POLICY, SECRET

#: The field of the address.
KEY = "key"
#: What a request is marked with whose address has a key of no club, and with the members' club that its key is of.
WRONG_KEY, MEMBERS_CLUB = "club_key_is_wrong", "members_club_of_key"


def shared_address(request: HttpRequest, club: Club, path: str) -> str:
    """The whole address of a page of the club, as it is handed out: with the key, but for what everybody may see."""
    return handed_out(club, request.build_absolute_uri(path))


def address_for_people(request: HttpRequest, club: Club, path: str) -> str:
    """The same with the key, of a public club too: for the people of the club, who answer there.

    Of a members' club the key opens nothing. It lets the page where one signs in say which club it is.
    """
    return with_key(club, request.build_absolute_uri(path))


def handed_out(club: Club, address: str) -> str:
    """A whole address as anybody may get it: with the key, but for what everybody may see."""
    return address if club.visibility == Club.Visibility.PUBLIC else with_key(club, address)


def with_key(club: Club, address: str) -> str:
    """A whole address with the key, if it is one of a page of the club: others ask for none."""
    parts = urlsplit(address)
    if not parts.path.startswith(club.get_absolute_url()):
        return address
    return parts._replace(query="&".join(filter(None, (parts.query, urlencode({KEY: club.key}))))).geturl()


def open_by_key(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Middleware: a browser that brings the key of a club in an address is shown the club, now and from now on.

    The page is asked as if the cookie had been there. One query, and none for an address without a key. Where the club
    has another address by now, it leads there, unless another club is shown at this one. That the key is none, or of a
    members' club, is noted for the page that says so (`has_wrong_key`, `members_club_of`).
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        key = request.GET.get(KEY, "")
        slug = slug_of(request) if key else ""
        if not slug:
            return get_response(request)
        club = Club.objects.open().filter(key=key).first() if SECRET.fullmatch(key) else None
        if club is None:
            setattr(request, WRONG_KEY, True)
            return get_response(request)
        # A club that is not shown is as none here too: else any good key would tell which addresses are clubs.
        if slug != club.slug and not is_shown(visit_to(request, *club_at(request, slug))):
            return HttpResponseRedirect(request.get_full_path().replace(f"/{slug}/", f"/{club.slug}/", 1))
        is_for_members = club.visibility == Club.Visibility.MEMBERS
        response = ask_members(request, club, slug) if is_for_members else let_in(request, club)
        response.headers["Referrer-Policy"] = REFERRER_POLICY
        return response

    def ask_members(request: HttpRequest, club: Club, slug: str) -> HttpResponseBase:
        if slug == club.slug:
            setattr(request, MEMBERS_CLUB, club)
        return get_response(request)

    def let_in(request: HttpRequest, club: Club) -> HttpResponseBase:
        known, marked = cookie_of(request, club)
        request.COOKIES[COOKIE.format(club.pk)] = f"{club.key}.{marked}"
        response = get_response(request)
        if known != club.key:
            give_key(request, response, club, key=club.key, marked=marked)
        return response

    return answer


def slug_of(request: HttpRequest) -> str:
    """The club in the address, "" for an address of none, such as that of the list of clubs."""
    if not request.path_info.startswith("/clubs/"):
        return ""
    try:
        return str(resolve(request.path_info).kwargs.get("slug", ""))
    except Resolver404:
        return ""


def has_wrong_key(request: HttpRequest) -> bool:
    """Whether the address has a key that opens nothing (any more)."""
    return hasattr(request, WRONG_KEY)


def members_club_of(request: HttpRequest) -> Club | None:
    """The members' club whose page is asked for with its key: who has it may know what the club is called."""
    return getattr(request, MEMBERS_CLUB, None)
