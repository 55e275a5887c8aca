"""Scorekeepers: the right to write on a sheet, and how a browser gets it.

A browser holds the right: its cookie `pencil` is a secret of 128 bits, and the sheet's scorekeeper row has its SHA-256.
A keeper link gives the right to another browser. None of it needs a session.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import re
from collections.abc import Sequence

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.crypto import salted_hmac

from rules.core.problems import Problem
from scoresheets.log.answers import Answer, Done
from scoresheets.log.append import CUT_OFF, Change, append_revision, is_key
from scoresheets.log.prepared import PreparedQuery, add_rows
from scoresheets.log.text import clean_text, without_address
from scoresheets.models import Revision, Scorekeeper, ShareLink, Sheet
from scoresheets.models.sheet import LONGEST_NAME, new_token

BROWSER_COOKIE = "pencil"
A_YEAR = 365 * 24 * 60 * 60
#: Long enough for the longest evening, and gone the next day.
LIFE_OF_A_LINK = datetime.timedelta(hours=16)
SECRET = re.compile(r"[A-Za-z0-9_-]{22}")
#: An address can be a key. Its own pages get no Referer with it, nor does what stands in front of the site and logs
#: them. It is not "no-referrer": with that a browser posts a form from nowhere, and the form would be refused.
REFERRER_POLICY = "strict-origin"
KEEP_SHEET = "scoresheets.keep_sheet"
WATCH_SHEET = "scoresheets.watch_sheet"
#: Sent with `request` and `sheet`: the answer is whether this browser runs the table at which the sheet stands, and so
#: may write on it without a link and without an account. A receiver asks the database only where a cookie says so.
who_runs_the_table = Signal()


class MayNotWrite(PermissionDenied):
    """This browser does not write on the sheet. It says so in a sentence; `code` is `cut-off` for who once did."""

    def __init__(self, code: str = CUT_OFF.code) -> None:
        super().__init__(CUT_OFF.message if code else "You need a scorekeeper link to enter scores on this sheet.")
        self.code = code


def browser_secret(request: HttpRequest) -> str:
    """The secret in the browser's cookie; "" where it has none that could be ours."""
    secret = request.COOKIES.get(BROWSER_COOKIE, "")
    return secret if SECRET.fullmatch(secret) else ""


def browser_of(request: HttpRequest) -> str:
    """What the database knows this browser by (`Scorekeeper.browser`); "" where it has no secret."""
    secret = browser_secret(request)
    return hashed(secret) if secret else ""


def new_browser_secret(request: HttpRequest) -> str:
    """The browser's own secret where it has one, else a new one: hand it to `keep_browser_secret` and `hashed`."""
    return browser_secret(request) or new_token()


def keep_browser_secret(request: HttpRequest, response: HttpResponseBase, secret: str) -> None:
    """Let the browser keep the secret for another year from now."""
    response.set_cookie(
        BROWSER_COOKIE, secret, max_age=A_YEAR, path="/", httponly=True, samesite="Lax", secure=request.is_secure()
    )


def hashed(secret: str) -> str:
    """SHA-256 (hex) of a secret: all that the database is told of it."""
    return hashlib.sha256(secret.encode()).hexdigest()


@PreparedQuery
def holding(code: str, browser: str) -> QuerySet[Scorekeeper]:
    """Who may write on the sheet of that code from that browser, with the sheet."""
    return Scorekeeper.objects.select_related("sheet").filter(
        sheet__code=code, browser=browser, revoked_at__isnull=True
    )


def find_sheet(request: HttpRequest, code: str) -> tuple[Sheet, Scorekeeper | None]:
    """The sheet of that code and, where this browser or its account may write on it, the scorekeeper.

    One query where the browser is a scorekeeper’s. Raises `Sheet.DoesNotExist`.
    """
    if not SECRET.fullmatch(code):
        raise Sheet.DoesNotExist
    browser = browser_of(request)
    if browser:
        for keeper in holding(code=code, browser=browser):
            return keeper.sheet, keeper
    sheet = Sheet.objects.get(code=code)
    return sheet, keeper_by_right(request, sheet)


def scorekeeper_for(request: HttpRequest, sheet: Sheet) -> Scorekeeper | None:
    """The scorekeeper who may write on the sheet from this browser: by its cookie, its account, or as its host."""
    browser = browser_of(request)
    if browser:
        keeper = sheet.scorekeepers.filter(browser=browser, revoked_at__isnull=True).first()
        if keeper:
            keeper.sheet = sheet
            return keeper
    return keeper_by_right(request, sheet)


def refusal_for(request: HttpRequest, sheet: Sheet) -> MayNotWrite:
    """What to tell a browser that may not write on the sheet. For who may not, and for nobody else."""
    return MayNotWrite(CUT_OFF.code if was_cut_off(request, sheet) else "")


def was_cut_off(request: HttpRequest, sheet: Sheet) -> bool:
    """Whether the browser, which may not write on the sheet, once did."""
    browser = browser_of(request)
    return bool(browser) and sheet.scorekeepers.filter(browser=browser).exists()


def last_name_of(browser: str) -> str:
    """What the scorekeeper on this browser was called last, on whatever sheet; "" where that was never said.

    So the name is asked for once, and every later sheet has it.
    """
    names = Scorekeeper.objects.filter(browser=browser).exclude(name="") if browser else Scorekeeper.objects.none()
    return names.order_by("-pk").values_list("name", flat=True).first() or ""


def keeper_by_right(request: HttpRequest, sheet: Sheet) -> Scorekeeper | None:
    """Who may write without ever having come by a link: by their account, else because they run the table."""
    return keeper_by_account(request, sheet) or keeper_who_hosts(request, sheet)


def keeper_who_hosts(request: HttpRequest, sheet: Sheet) -> Scorekeeper | None:
    """Who may write because this browser runs the table. The row is not saved: that is for the first write."""
    browser = browser_of(request)
    if not browser or not any(runs for _, runs in who_runs_the_table.send(None, request=request, sheet=sheet)):
        return None
    return Scorekeeper(sheet=sheet, browser=browser, name=last_name_of(browser), created=timezone.now())


def keeper_by_account(request: HttpRequest, sheet: Sheet) -> Scorekeeper | None:
    """Who may write because Django's permission question is answered with yes. No session, no question.

    The row is not saved: that is for the first write.
    """
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    user = request.user
    if not user.is_authenticated or not user.has_perm(KEEP_SHEET, sheet):
        return None
    known = sheet.scorekeepers.filter(user=user, revoked_at__isnull=True).first()
    if known:
        return known
    return Scorekeeper(sheet=sheet, user=user, name=user.name_on(sheet)[:LONGEST_NAME], created=timezone.now())


def may_watch(request: HttpRequest, sheet: Sheet) -> bool:
    """Whether the account that is signed in may watch a sheet that is not for everybody. No session, no question."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    return request.user.is_authenticated and request.user.has_perm(WATCH_SHEET, sheet)


# Keeper links


def make_link(
    sheet: Sheet, *, by: Scorekeeper | None, lifetime: datetime.timedelta | None = LIFE_OF_A_LINK, key: str = ""
) -> str:
    """A keeper link; its token, which is told now and kept nowhere. `lifetime` None: until it is revoked.

    With the `key` of a tap the same tap again gets the same link: nobody can make the token of it who has not both
    the key and the site's secret.
    """
    token, now = linked(sheet, by, key) if key else new_token(), timezone.now()
    made = {"sheet": sheet, "made_by": by, "created": now, "expires": now + lifetime if lifetime else None}
    ShareLink.objects.get_or_create(token_hash=hashed(token), defaults=made)
    return token


def make_links(
    made: Sequence[tuple[Sheet, Scorekeeper, str]], lifetime: datetime.timedelta | None = LIFE_OF_A_LINK
) -> None:
    """The same for many sheets at once, none of whose links was made before: the sheet, who made it, and the key."""
    now = timezone.now()
    add_rows([
        ShareLink(
            sheet=sheet, token_hash=hashed(linked(sheet, by, key)), made_by=by, created=now,
            expires=now + lifetime if lifetime else None,
        )
        for sheet, by, key in made
    ])  # fmt: skip


def linked(sheet: Sheet, by: Scorekeeper | None, key: str) -> str:
    """The token of the link that a tap makes: 128 bits, as everywhere."""
    mac = salted_hmac("link", f"{sheet.pk} {by.pk if by else 0} {key}", algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()[:16]).decode().rstrip("=")


def known_link(token: str) -> ShareLink | None:
    """The link of that token with its sheet, whether or not it still opens it. Looking at it consumes nothing."""
    if not isinstance(token, str) or not SECRET.fullmatch(token):
        return None
    return ShareLink.objects.select_related("sheet").filter(token_hash=hashed(token), kind=ShareLink.KEEP).first()


def find_link(token: str) -> ShareLink | None:
    """The link of that token with its sheet, if it still opens it."""
    link = known_link(token)
    return link if link and link.is_good(timezone.now()) else None


def revoke_link(link: ShareLink, *, by: Scorekeeper | None = None) -> bool:
    """From now on the link opens nothing, and who came by it cannot write any more: all but `by`, who wants it so.

    Whether it was done: somebody who has been cut off themselves meanwhile revokes nothing.
    """
    with transaction.atomic():
        lock_sheet(link.sheet)
        now = timezone.now()
        if by and not still_writes(by):
            return False
        ShareLink.objects.filter(pk=link.pk, revoked_at__isnull=True).update(revoked_at=now)
        came = Scorekeeper.objects.filter(link=link, revoked_at__isnull=True)
        (came.exclude(pk=by.pk) if by else came).update(revoked_at=now)
    return True


def new_watch_address(sheet: Sheet, *, saw: str) -> None:
    """Another address for those who watch, in the place of `saw`, which shows nothing from now on."""
    if SECRET.fullmatch(saw):
        Sheet.objects.filter(pk=sheet.pk, watch=saw).update(watch=new_token())


# The active scorekeeper


def join_by_link(token: str, browser: str, name: str = "", *, key: str = "") -> Scorekeeper | None:
    """Let the browser write on the sheet of the link, under a name if one is given; None if the link is not good.

    Everybody at the table hears who is now keeping score. A name that is no text is left away: nobody is kept from the
    table by it. `key` is that of the tap; without one the tap is not known again.
    """
    link = find_link(token)
    if link is None or not browser:
        return None
    cleaned = clean_text(name, LONGEST_NAME)
    called = "" if isinstance(cleaned, Problem) else cleaned
    with transaction.atomic():
        # The same tap twice, or somebody who takes the link away, waits here.
        sheet = lock_sheet(link.sheet)
        if not ShareLink.objects.filter(pk=link.pk, revoked_at__isnull=True).exists():
            return None
        keeper = Scorekeeper.objects.filter(sheet=sheet, browser=browser, revoked_at__isnull=True).first()
        if keeper is None:
            name = called or last_name_of(browser)
            keeper = Scorekeeper.objects.create(
                sheet=sheet, name=name, browser=browser, link=link, created=timezone.now()
            )
        elif called and called != keeper.name:
            rename_scorekeeper(keeper, called)
        keeper.sheet = sheet
        if active_scorekeeper(sheet) != keeper:
            become_active(keeper, key=key if is_key(key) else new_token())
    return keeper


def become_active(keeper: Scorekeeper, *, key: str) -> Answer:
    """The scorekeeper says that they keep the next hands. The others may still write, and are told who has it."""
    change = Change(Revision.Verb.TAKE_OVER, {})
    return append_revision(keeper.sheet, Revision.Verb.TAKE_OVER, {}, lambda _: change, key=key, by=keeper)


def active_scorekeeper(sheet: Sheet) -> Scorekeeper | None:
    """Who took over last and may still write. None: it was never handed on."""
    took = Revision.objects.filter(sheet=sheet, verb=Revision.Verb.TAKE_OVER, keeper__revoked_at__isnull=True)
    last = took.select_related("keeper").order_by("-version").first()
    return last.keeper if last else None


def rename_scorekeeper(keeper: Scorekeeper, name: str) -> Problem | None:
    """What a scorekeeper wants to be called; or what is wrong with it. "" is nobody in particular.

    It is a write like any other, so that every phone hears of it.
    """
    called = clean_text(without_address(name), LONGEST_NAME, field="name")
    if isinstance(called, Problem):
        return called
    if called != keeper.name:
        with transaction.atomic():
            change = Change(Revision.Verb.CALL, {}, why=called)
            answer = append_revision(
                keeper.sheet, Revision.Verb.CALL, {"name": called}, lambda _: change, key=new_token(), by=keeper
            )
            if not isinstance(answer, Done):
                return CUT_OFF
            keeper.name = called
            keeper.save(update_fields=["name"])
    return None


def cut_off(keeper: Scorekeeper, *, by: Scorekeeper) -> bool:
    """From now on the phone of `keeper` may not write; nor does any link open that it came by or has made.

    Whether it was done. Nobody cuts themselves off, and nobody cuts off who was cut off themselves: so two who do it to
    each other at once leave one, and there is always somebody who may write.
    """
    with transaction.atomic():
        lock_sheet(keeper.sheet)
        now = timezone.now()
        if keeper.pk == by.pk or not still_writes(by):
            return False
        links = ShareLink.objects.filter(Q(pk=keeper.link_id) | Q(made_by=keeper), sheet=keeper.sheet)
        links.filter(revoked_at__isnull=True).update(revoked_at=now)
        Scorekeeper.objects.filter(pk=keeper.pk, revoked_at__isnull=True).update(revoked_at=now)
    return True


def still_writes(keeper: Scorekeeper) -> bool:
    """Whether nobody has cut them off since they were found."""
    return keeper._state.adding or Scorekeeper.objects.filter(pk=keeper.pk, revoked_at__isnull=True).exists()


def lock_sheet(sheet: Sheet) -> Sheet:
    """The sheet as it is now; whoever else wants to write on it waits until this transaction is done."""
    return Sheet.objects.select_for_update(no_key=True).get(pk=sheet.pk)
