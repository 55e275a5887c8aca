"""The browser that asks, by the cookie it was given when it first showed notices: which of the browsers here it is.

A browser without an account only says who uses it. As soon as it says that it is somebody else, what is said to the
former person is no longer for it.
"""

from __future__ import annotations

import hashlib

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from clubs.access.visit import A_YEAR, give_key
from clubs.models import Club, Member, PushSubscription, User
from clubs.models.member import of_person

#: The cookie: the SHA-256 of the browser's endpoint, which is one for the whole site. Signed, because it stands in a
#: page that others who use the same name may open.
COOKIE = "shows-notices"


def digest_of(endpoint: str) -> str:
    """The SHA-256 of an endpoint, by which a browser is found: addresses are too long for an index."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def remember_browser(request: HttpRequest, response: HttpResponseBase, digest: str) -> None:
    """Let the browser know which one it is."""
    response.set_signed_cookie(
        COOKIE, digest, salt=COOKIE, max_age=A_YEAR, path="/", httponly=True, samesite="Lax", secure=request.is_secure()
    )  # fmt: skip


def shown_here(request: HttpRequest) -> QuerySet[PushSubscription]:
    """Whose notices this browser shows, in all clubs; nobody's where it never showed any."""
    digest = request.get_signed_cookie(COOKIE, default="", salt=COOKIE)
    return PushSubscription.objects.filter(endpoint_hash=digest) if digest else PushSubscription.objects.none()


def shows_notices(request: HttpRequest, club: Club) -> bool:
    """Whether this browser shows notices of that club. One query, or none."""
    return shown_here(request).filter(member__club=club).exists()


def note_who_uses_it(
    request: HttpRequest, response: HttpResponseBase, club: Club, *, key: str, marked: int
) -> None:  # fmt: skip
    """Let the browser remember who uses it (a member's id, 0: nobody in particular), as `give_key` does; it shows
    nobody else's notices of that club any more. Where somebody is signed in is for them to say.
    """
    others = shown_here(request).filter(member__club=club, session__isnull=True)
    with transaction.atomic():
        others.exclude(of_person(marked)).delete()
        give_key(request, response, club, key=key, marked=marked)


def forget_others(request: HttpRequest, user: User) -> None:
    """Somebody signs in: in their clubs it no longer shows the notices of others who only said that they use it."""
    if COOKIE not in request.COOKIES:
        return
    records = list(Member.objects.of_account(user.pk))
    people, clubs = {record.identity for record in records}, {record.club_id for record in records}
    others = shown_here(request).filter(member__club__in=clubs, session__isnull=True)
    others.exclude(of_person(people)).delete()
