"""Sessions: accounts signed in on browsers, since when, and when each was used last.

A browser stays signed in for some time after its last use, but not for ever, as the settings say. The use is written
once a day, so that reading pages does not write. allauth has a list of sessions too, but it stores the address of every
browser.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.base import UpdateError
from django.db import DatabaseError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

from clubs.models import BrowserSession, User
from clubs.models.session import SINCE
from clubs.notices.this_browser import forget_others

#: Keys of a session: what the browser is called, and the day it was used last.
BROWSER, USED = "browser", "used"
#: An attribute of a request on which somebody signed out.
SIGNED_OUT = "signed_out"
#: The first that fits says what it is: others claim to be one of the later ones as well.
BROWSERS = {
    "Edge": "Edg", "Opera": "OPR", "Samsung Internet": "SamsungBrowser", "Firefox": "Firefox|FxiOS",
    "Chrome": "Chrome|CriOS|Chromium", "Safari": "Safari",
}  # fmt: skip
SYSTEMS = {
    "iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "ChromeOS": "CrOS",
    "Mac": "Macintosh", "Linux": "Linux",
}  # fmt: skip


def signed_in_from(
    sender: object, request: HttpRequest, user: User, **signal: Any,  # noqa: ARG001 - as Django sends it
) -> None:  # fmt: skip
    """The receiver of `user_logged_in`: remember the browser, and when. Whoever used it before hears nothing there."""
    request.session[BROWSER] = browser_name(request.META.get("HTTP_USER_AGENT", ""))
    request.session[SINCE] = request.session[USED] = timezone.localdate().isoformat()
    forget_others(request, user)


def note_sign_out(sender: object, request: HttpRequest, **signal: Any) -> None:  # noqa: ARG001 - as Django sends it
    """The receiver of `user_logged_out`."""
    setattr(request, SIGNED_OUT, True)


def browser_name(agent: str) -> str:
    """What a person calls it.

    >>> browser_name("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Safari/537")
    'Chrome on Android'
    """
    browser = next((name for name, sign in BROWSERS.items() if re.search(sign, agent)), "A browser")
    system = next((name for name, sign in SYSTEMS.items() if re.search(sign, agent)), "")
    return f"{browser} on {system}" if system else browser


def note_use_of_sessions(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: the first use of a session on a day makes it last longer. Where nothing can be written, it is not."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        session = getattr(request, "session", None)
        if session is not None and session.accessed and SESSION_KEY in session:
            note_use(session)
        if hasattr(request, SIGNED_OUT):
            # What pages said to the account is not shown to whoever has the browser next. What waits to be sent stays.
            response.headers["Clear-Site-Data"] = '"cache"'
        return response

    return answer


def note_use(session: Any) -> None:
    """Write today into the session, unless it stands there."""
    today = timezone.localdate().isoformat()
    if session.get(USED) == today:
        return
    session[USED] = today
    session.setdefault(SINCE, today)
    session.setdefault(BROWSER, "A browser")
    try:
        session.save()
    except (DatabaseError, UpdateError):
        session.modified = False


# What an account sees of it


@dataclass(frozen=True)
class SignedIn:
    """A browser on which the account is signed in. `name` tells it from others and opens nothing."""

    name: str
    browser: str
    since: datetime.date | None
    used: datetime.date | None
    is_this: bool


def browsers_of(user: User, this: str | None) -> list[SignedIn]:
    """All of them, this one (a session key) first, then the one that was used last."""
    browsers = []
    for row in BrowserSession.objects.filter(user=user, expire_date__gt=timezone.now()):
        data = row.get_decoded()
        browser = str(data.get(BROWSER, "A browser"))
        days = parse_day(data.get(SINCE)), parse_day(data.get(USED))
        browsers.append(SignedIn(session_name(row.session_key), browser, *days, is_this=row.session_key == this))
    return sorted(browsers, key=lambda row: (row.is_this, row.used or datetime.date.min), reverse=True)


def session_name(session_key: str) -> str:
    """What a session is called on a page: its key would open it."""
    return hashlib.sha256(session_key.encode()).hexdigest()[:16]


def parse_day(text: Any) -> datetime.date | None:
    """The day that stands in a session, if one does."""
    return datetime.date.fromisoformat(text) if isinstance(text, str) else None


def sign_out(user: User, name: str) -> None:
    """Sign the account out on the browser of that name."""
    keys = BrowserSession.objects.filter(user=user).values_list("session_key", flat=True)
    BrowserSession.objects.filter(
        user=user, session_key__in=[key for key in keys if session_name(key) == name]
    ).delete()


def sign_out_everywhere(user: User, *, but: str | None = None) -> None:
    """Sign the account out on every browser, or on all but the one with that session key."""
    BrowserSession.objects.filter(user=user).exclude(session_key=but or "").delete()
