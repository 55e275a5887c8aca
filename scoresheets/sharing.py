"""Who may write on a sheet, and how a phone comes by that right.

The right is held by a browser: its cookie `pencil` is a secret of 128 bits, and the sheet's scorekeeper row
has the SHA-256 of it. A keeper link hands the right to another browser. No session is needed for any of it.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from rules.core.problems import Problem
from scoresheets.ink import Change, write_on
from scoresheets.models import Keeper, Link, Sheet, Write
from scoresheets.models.sheet import LONGEST_NAME, new_token
from scoresheets.names import clean_text
from scoresheets.questions import Question

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

PENCIL = "pencil"
A_YEAR = 365 * 24 * 60 * 60
#: Long enough for the longest evening, and gone the next day.
LIFE_OF_A_LINK = datetime.timedelta(hours=16)
SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
KEEP_SHEET = "scoresheets.keep_sheet"


def pencil_of(request: HttpRequest) -> str:
    """The secret in the browser's cookie; "" where it has none that could be ours."""
    secret = request.COOKIES.get(PENCIL, "")
    return secret if SECRET.fullmatch(secret) else ""


def browser_of(request: HttpRequest) -> str:
    """What the database knows this browser by (`Keeper.browser`); "" where it holds no pencil."""
    secret = pencil_of(request)
    return hashed(secret) if secret else ""


def new_pencil(request: HttpRequest) -> str:
    """The browser's own secret where it has one, else a new one: hand it to `give_pencil` and `hashed`."""
    return pencil_of(request) or new_token()


def give_pencil(request: HttpRequest, response: HttpResponseBase, secret: str) -> None:
    """Let the browser keep the secret for another year from now."""
    response.set_cookie(
        PENCIL, secret, max_age=A_YEAR, path="/", httponly=True, samesite="Lax", secure=request.is_secure()
    )


def hashed(secret: str) -> str:
    """SHA-256 (hex) of a secret: all that the database is told of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


@Question
def holding(code: str, browser: str) -> QuerySet[Keeper]:
    """Who may write on the sheet of that code from that browser, with the sheet."""
    return Keeper.objects.select_related("sheet").filter(sheet__code=code, browser=browser, revoked_at__isnull=True)


def find_sheet(request: HttpRequest, code: str) -> tuple[Sheet, Keeper | None]:
    """The sheet of that code and, where this browser or its account may write on it, the scorekeeper.

    One query where the browser holds the pencil. Raises `Sheet.DoesNotExist`.
    """
    if not SECRET.fullmatch(code):
        raise Sheet.DoesNotExist
    browser = browser_of(request)
    if browser:
        for keeper in holding(code=code, browser=browser):
            return keeper.sheet, keeper
    sheet = Sheet.objects.get(code=code)
    return sheet, keeper_by_account(request, sheet)


def who_may(request: HttpRequest, sheet: Sheet) -> Keeper | None:
    """The scorekeeper who may write on the sheet from this browser: by its cookie, else by its account."""
    browser = browser_of(request)
    if browser:
        keeper = sheet.keepers.filter(browser=browser, revoked_at__isnull=True).first()
        if keeper:
            keeper.sheet = sheet
            return keeper
    return keeper_by_account(request, sheet)


def keeper_by_account(request: HttpRequest, sheet: Sheet) -> Keeper | None:
    """Who may write because Django's permission question is answered with yes. No session, no question.

    The row is not saved: that is for the first write.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    user = request.user
    if not user.is_authenticated or not user.has_perm(KEEP_SHEET, sheet):
        return None
    known = sheet.keepers.filter(user=user, revoked_at__isnull=True).first()
    name = (user.get_full_name() or user.get_username())[:LONGEST_NAME]
    return known or Keeper(sheet=sheet, user=user, name=name, created=timezone.now())


# Keeper links


def make_link(sheet: Sheet, *, by: Keeper | None, lifetime: datetime.timedelta | None = LIFE_OF_A_LINK) -> str:
    """A new keeper link; its token, which is told this once. `lifetime` None: until it is revoked."""
    token, now = new_token(), timezone.now()
    Link.objects.create(
        sheet=sheet, token_hash=hashed(token), made_by=by, created=now, expires=now + lifetime if lifetime else None
    )
    return token


def find_link(token: str) -> Link | None:
    """The link of that token with its sheet, if it still opens it. Looking at it consumes nothing."""
    if not isinstance(token, str) or not SECRET.fullmatch(token):
        return None
    link = Link.objects.select_related("sheet").filter(token_hash=hashed(token), kind=Link.KEEP).first()
    return link if link and link.is_good(timezone.now()) else None


def take_pencil(token: str, browser: str, name: str = "") -> Keeper | None:
    """Let the browser write on the sheet of the link, under a name if one is given; None if the link is not good.

    A name that is no text is left away: nobody is kept from the table by it.
    """
    link = find_link(token)
    if link is None or not browser:
        return None
    cleaned = clean_text(name, LONGEST_NAME)
    called = "" if isinstance(cleaned, Problem) else cleaned
    for _ in range(2):
        keeper = Keeper.objects.filter(sheet=link.sheet, browser=browser, revoked_at__isnull=True).first()
        if keeper:
            if called and called != keeper.name:
                rename(keeper, called)
            return keeper
        try:
            with transaction.atomic():
                return Keeper.objects.create(
                    sheet=link.sheet, name=called, browser=browser, link=link, created=timezone.now()
                )
        except IntegrityError:
            continue  # the same browser took it twice at once: the other tap has made the row
    return None


def rename(keeper: Keeper, name: str) -> Problem | None:
    """What a scorekeeper wants to be called; or what is wrong with it. "" is nobody in particular.

    It is a write like any other, so that every phone hears of it.
    """
    called = clean_text(name, LONGEST_NAME, field="name")
    if isinstance(called, Problem):
        return called
    if called != keeper.name:
        with transaction.atomic():
            change = Change(Write.Verb.CALL, {}, why=called)
            write_on(keeper.sheet, Write.Verb.CALL, {"name": called}, lambda _: change, key=new_token(), by=keeper)
            keeper.name = called
            keeper.save(update_fields=["name"])
    return None


def revoke_link(link: Link) -> None:
    """From now on the link opens nothing, and who came by it cannot write any more."""
    now = timezone.now()
    with transaction.atomic():
        Link.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=now)
        Keeper.objects.filter(Q(link=link), revoked_at__isnull=True).update(revoked_at=now)
