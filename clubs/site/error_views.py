"""Error pages, each with a sentence that says what to do next."""

from __future__ import annotations

import datetime
import logging
import sys
import time
from urllib.parse import urlencode

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import Error, connection
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs import __version__
from clubs.access.club_key import has_wrong_key, members_club_of
from clubs.access.next_page import next_here
from clubs.access.visit import ClubArchived, EveningMoved, NotShown, SignInFirst, account_of
from clubs.models import CacheRow
from clubs.site.database_errors import FULL, trace, trouble_of
from scoresheets.access.network import client_hash
from scoresheets.access.repeated_post import repeated_post
from scoresheets.access.scorekeepers import SECRET, MayNotWrite
from scoresheets.access.throttle import WRONG_ADDRESS, NoSuchSheet, count_action

journal = logging.getLogger("clubs.problems")


# Status: title, sentence.
PROBLEMS = {
    400: (
        "That could not be read",
        "What arrived here is not what this page sends. Go back, reload the page and try again.",
    ),
    403: ("Not from this browser", "This browser may not do that. Ask the scorekeeper for a scorekeeper link."),
    404: (
        "Nothing at this address",
        "There is no page here. Check the link: a sheet only opens with its full address.",
    ),
    405: (
        "Only a button leads here",
        "There is nothing to see at this address. Go back to the page with the button, and press it there.",
    ),
    413: ("That is too much at once", "What was sent is larger than this site takes. A sheet never needs that much."),
    429: ("Too many at once", "That was too many tries. Wait a few minutes and try again."),
    503: (
        "Not just now",
        "The site cannot reach its records at the moment. What was entered before is kept. Try again in a moment.",
    ),
    500: ("Something broke here", "The fault is on our side. What was entered before is kept. Try again in a moment."),
}

#: Seconds until it is worth trying again: a lock is given up by then, and a full disk asks for patience anyhow.
RETRY_AFTER = "10"
NO_ROOM = (
    "The disk of this site is full, and nothing more can be saved. What was entered before is kept. "
    "Tell the person who runs the site, and try again when there is room."
)
SIGN_IN = "Organisers need to sign in for this. Sign in, and do it again."
ARCHIVED = "You can read it, but not start anything new. An organiser can bring it back in its settings."
SIGN_IN_FIRST = "sign-in-first"
NOT_SHOWN = "not-shown"
OF_A_CLUB = "This page belongs to a club"
ASK_FOR_LINK = (
    "A club shows its pages to its members and to people who have its link. Ask somebody in the club for the link, or "
    "scan its QR code. Members can also sign in."
)
NOT_FOR_THIS_ACCOUNT = (
    "A club shows its pages to its members and to people who have its link. The account you are signed in with belongs "
    "to no member here. Ask somebody in the club for the link, or an organiser for an invitation."
)
FOR_MEMBERS = "Its pages are for its members. Sign in, and you come to this one."
FOR_OTHER_MEMBERS = (
    "Its pages are for its members, and the account you are signed in with belongs to none of them. Ask an organiser "
    "for an invitation, or sign in with the address the club knows."
)
OLD_LINK = "This link does not open the club"
ASK_FOR_NEW_LINK = "It is incomplete, or the club has a new one by now. Ask somebody in the club, or scan its QR code."

#: What lies below is asked by programs alone.
FOR_PROGRAMS = "/api/v1/"
#: What they are told, and its code, where that is not what people are told.
TO_PROGRAMS = {
    400: ("bad-request", "What was sent cannot be read."),
    404: ("not-found", "There is nothing at this address, or it is not shown to you."),
    405: ("wrong-method", "This address does not take that method."),
    413: ("too-large", "What was sent is larger than this site takes."),
    503: ("not-now", "The site cannot answer at the moment. Try again as Retry-After says, or in a minute."),
    500: ("broken", "Something broke on this site. Try again in a minute."),
}

PLAIN_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>
<body><h1>{title}</h1><p>{sentence}</p></body></html>
"""


def problem_page(
    request: HttpRequest, status: int, *, title: str = "", sentence: str = "", code: str = "", table: str = ""
) -> HttpResponse:
    """The page for `status` (a key of PROBLEMS), with the site's template where it can be rendered.

    `title` and `sentence` replace the usual ones, which are others for programs. A caller that asks for JSON gets
    `{"problem": sentence}`, with the `code` of the problem if it has one. `table` is the address of a sheet to go back
    to. A 503 says when to come again. It never raises: when the template itself fails, the answer is plain HTML.
    """
    usual_title, usual = PROBLEMS[status]
    if is_for_programs(request) and status in TO_PROGRAMS:
        its_code, usual = TO_PROGRAMS[status]
        code = code or its_code
    title, sentence = title or usual_title, sentence or usual
    again = {"Retry-After": RETRY_AFTER} if status == 503 else {}
    if wants_json(request):
        problem = {"problem": sentence} | ({"code": code} if code else {})
        return JsonResponse(problem, status=status, headers=again)
    page: str
    try:
        context = {"status": status, "title": title, "sentence": sentence, "again": sent_again(request, status)}
        context |= {"sign_in": may_help_to_sign_in(request, status, code), "table": table}
        page = render_to_string("problem.html", context, request)
    except Exception:  # whatever broke the page may break this one too, and a reader must get an answer
        page = PLAIN_PAGE.format(title=title, sentence=usual)
    response = HttpResponse(page, status=status, headers=again)
    response.headers["Cache-Control"] = "no-store"
    return response


def wants_json(request: HttpRequest) -> bool:
    """Whether a problem is answered as data: to a script of ours, which says so, and to programs."""
    return "application/json" in request.headers.get("Accept", "") or is_for_programs(request)


def is_for_programs(request: HttpRequest) -> bool:
    """Whether the address is one for programs, or would be."""
    return request.path.startswith(FOR_PROGRAMS)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Anything malformed; a body with too much in it is 413.

    A session that could not be saved because of the database comes here too.
    """
    if trouble_of(exception):
        return server_error(request)
    too_much = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    return problem_page(request, 413 if too_much else 400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Not from this browser. A phone that may not write any more is told so, and its script by `code`.

    Who has only to sign in is led there, and comes back to the page they asked for.
    """
    if isinstance(exception, SignInFirst):
        return sign_in_first(request)
    if isinstance(exception, ClubArchived):
        return problem_page(request, 403, title="The club is archived", sentence=ARCHIVED)
    if isinstance(exception, MayNotWrite):
        title = "Not from this phone any more" if exception.code else "Not from this phone"
        return problem_page(request, 403, title=title, sentence=str(exception), code=exception.code)
    return problem_page(request, 403)


def sign_in_first(request: HttpRequest) -> HttpResponse:
    """A page that wants an account: to where one signs in. What was posted is not kept for later."""
    if request.method in ("GET", "HEAD") and not wants_json(request):
        return HttpResponseRedirect(f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': next_here(request)})}")
    return problem_page(request, 403, title="Sign in first", sentence=SIGN_IN, code=SIGN_IN_FIRST)


def too_often(request: HttpRequest) -> HttpResponse:
    """Codes, passwords and the like were tried more often than anybody mistypes."""
    response = problem_page(request, 429)
    response.headers["Retry-After"] = "300"
    return response


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A post without the token of this site: nearly always a page that stood open for very long."""
    sentence = "It was open for too long. Go back, reload it and try again."
    return problem_page(request, 403, title="This page is too old", sentence=sentence)


def wrong_method(request: HttpRequest, refused: HttpResponse) -> HttpResponse:
    """Somebody came to an address that only takes posts, from their history perhaps, or the other way round."""
    response = problem_page(request, 405)
    response.headers["Allow"] = refused.headers["Allow"]
    return response


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Nothing is here. Who tries many wrong addresses of sheets is told to wait; a right one opens all the same.

    The pages of an evening that a club has taken in are there by now.
    """
    if isinstance(exception, EveningMoved):
        return HttpResponseRedirect(exception.to)
    if isinstance(exception, NotShown):
        return club_not_shown(request)
    if not isinstance(exception, NoSuchSheet):
        return problem_page(request, 404)
    wait = count_action(WRONG_ADDRESS, client_hash(request))
    return too_many_wrong_addresses(request, wait) if wait else problem_page(request, 404, sentence=str(exception))


def club_not_shown(request: HttpRequest) -> HttpResponse:
    """A page of a club that this browser may not see, or of none: what to ask for, and where to sign in.

    It says the same wherever there might be a club, so that nobody learns where there is one.
    """
    account = account_of(request)
    if club := members_club_of(request):
        sentence = FOR_OTHER_MEMBERS if account else FOR_MEMBERS
        return problem_page(request, 403, title=club.name, sentence=sentence, code=NOT_SHOWN)
    if has_wrong_key(request) and (wait := count_action(WRONG_ADDRESS, client_hash(request))):
        return too_many_wrong_addresses(request, wait)
    if has_wrong_key(request):
        return problem_page(request, 403, title=OLD_LINK, sentence=ASK_FOR_NEW_LINK, code=NOT_SHOWN)
    sentence = NOT_FOR_THIS_ACCOUNT if account else ASK_FOR_LINK
    watch = request.GET.get("from", "")
    table = reverse("watch", args=[watch]) if SECRET.fullmatch(watch) else ""
    return problem_page(request, 403, title=OF_A_CLUB, sentence=sentence, code=NOT_SHOWN, table=table)


def too_many_wrong_addresses(request: HttpRequest, wait: int) -> HttpResponse:
    """For so many seconds no wrong address is answered otherwise."""
    sentence = "Too many wrong addresses were tried from here just now. The right link still works: scan it again."
    response = problem_page(request, 429, title="Too many wrong addresses", sentence=sentence)
    response.headers["Retry-After"] = str(wait)
    return response


def may_help_to_sign_in(request: HttpRequest, status: int, code: str) -> bool:
    """Whether somebody who is signed in might see a page here. It is said of every address that might be a club's."""
    there = request.path.startswith(("/clubs/", "/watch/", "/sheets/"))
    return (code in (SIGN_IN_FIRST, NOT_SHOWN) or (status == 404 and there)) and account_of(request) is None


def server_error(request: HttpRequest) -> HttpResponse:
    """Anything we did not foresee; where it happened goes to the journal, the address of the page does not.

    A database that is locked, full or away is no fault of a page: 503, and when to come again.
    """
    error = sys.exc_info()[1]
    if trouble := trouble_of(error):
        journal.error("The database could not be used: %s.", trouble)
        return problem_page(request, 503, sentence=NO_ROOM if trouble == FULL else "")
    journal.error("A page broke. %s", trace(error))
    return problem_page(request, 500)


def sent_again(request: HttpRequest, status: int) -> dict[str, object] | None:
    """What "Send it again" sends: the same post under the same key. Only after a 503, and only what this site sent.

    None where there is nothing to send again: a page is asked for again by its address.
    """
    if status != 503 or request.method != "POST" or not getattr(request, "csrf_processing_done", False):
        return None
    return repeated_post(request)


#: Seconds for which a write that succeeded is believed: whoever asks again and again causes none.
BELIEVED = 5.0


class WriteProbe:
    """Whether the database takes a write: asked of it again only after a while."""

    def __init__(self) -> None:
        self.succeeded_at = 0.0

    def write(self) -> None:
        """Write one row. Raises the database's error where nothing can be written: a full disk, a lost right."""
        if self.succeeded_at and time.monotonic() - self.succeeded_at < BELIEVED:
            return
        now = timezone.now()
        row = CacheRow(cache_key="health", value="", expires=now + datetime.timedelta(days=1))
        CacheRow.objects.bulk_create(
            [row], update_conflicts=True, unique_fields=["cache_key"], update_fields=["expires"]
        )
        self.succeeded_at = time.monotonic()


probe = WriteProbe()


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """For whoever watches over the machine: 200 when the database can be read and written, 503 when it cannot."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as problem:
        journal.warning("The database is unreachable: %s", problem)
        return JsonResponse({"database": "unreachable", "version": __version__}, status=503)
    try:
        probe.write()
    except Error as problem:
        journal.warning("The database is not writable: %s", problem)
        return JsonResponse({"database": "not writable", "version": __version__}, status=503)
    return JsonResponse({"database": "ok", "version": __version__})
