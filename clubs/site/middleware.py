"""The middleware of every request and response."""

import codecs
import logging
import re
import time
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve

from clubs.site.error_views import is_for_programs, problem_page, wrong_method

#: More digits than any body has bytes, and fewer than Python refuses to read.
WHOLE = re.compile(r"[0-9]{1,20}")

#: Where a probe asks (`clubs.site.error_views.healthz`).
HEALTH = "/healthz"

#: The name of static files in the journal.
STATIC = "static"

#: By which a browser lets a page of another site read the answer, and these headers of it (CORS).
TO_OTHER_SITES = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After",
}

#: A browser takes a cookie of such a name over TLS alone, and from this very host: no neighbour of it can set one.
OF_THIS_HOST = "__Host-"

#: Stands in the environment of a request whose body was not read, because too many others were under way.
NO_ROOM_FOR_BODY = "clubs.no_room_for_body"
TOO_MANY_BYTES = (
    "Too many large files are being sent to this site, or from your network, at the moment. Nothing was saved. "
    "Try again in a minute."
)
#: Stands in the environment of a request that had to wait too long for those before it, where they write: one that
#: writes too, or a page that found the database locked.
WAITED_TOO_LONG = "clubs.waited_too_long"

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]
Answer = Callable[[HttpRequest], HttpResponseBase]

View = TypeVar("View", bound=Callable[..., HttpResponseBase])

journal = logging.getLogger("clubs.requests")


def one_line_a_request(get_response: Answer) -> Answer:
    """Write method, name of the page, status and milliseconds of every request to the journal.

    Never the path: the path of a sheet is the key to it. A static file that was sent has no line: one page asks for
    ten of them.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        begin = time.perf_counter()
        response = get_response(request)
        spent = (time.perf_counter() - begin) * 1000
        page = page_name(request)
        if page != STATIC or response.status_code >= 400:
            journal.info("%s %s %s %.0f ms", request.method, page, response.status_code, spent)
        return response

    return answer


def page_name(request: HttpRequest) -> str:
    """The URL name of the page a request went to, or its pattern; `-` when it reached no page of ours."""
    match = request.resolver_match
    if match is None:
        return STATIC if request.path.startswith(settings.STATIC_URL) else "-"
    return match.url_name or match.route


def programs_of_other_sites(get_response: Answer) -> Answer:
    """Let pages of other sites read every answer to a program, whoever gives it: a redirect and a refusal too.

    There is nothing in an answer that hangs on cookies.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if is_for_programs(request):
            for name, value in TO_OTHER_SITES.items():
                response.headers[name] = value
        return response

    return answer


def cookies_of_this_host(get_response: Answer) -> Answer:
    """Over TLS, give every cookie the prefix `__Host-`. Views see and set the plain names.

    A cookie that a browser was given under its plain name, before this version or over plain http, counts where it has
    none with the prefix, so that phones go on keeping score. One by which somebody is signed in does not.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        if not request.is_secure():
            return get_response(request)
        never_plain = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
        sent = request.COOKIES
        plain = {name: value for name, value in sent.items() if name not in never_plain and OF_THIS_HOST not in name}
        ours = {name.removeprefix(OF_THIS_HOST): sent[name] for name in sent if name.startswith(OF_THIS_HOST)}
        request.COOKIES = plain | ours
        response = get_response(request)
        for name in list(response.cookies):
            cookie = response.cookies.pop(name)
            cookie["secure"] = True
            cookie.set(OF_THIS_HOST + name, cookie.value, cookie.coded_value)
            response.cookies[OF_THIS_HOST + name] = cookie
        return response

    return answer


def any_host_for_a_probe(get_response: Answer) -> Answer:
    """Let `/healthz` answer whatever the Host header says: a probe calls by the address of the machine.

    The answer has nothing of the Host in it. `localhost` is always an allowed host.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path_info == HEALTH:
            request.META["HTTP_HOST"] = "localhost"
        return get_response(request)

    return answer


def letters_that_are_none(application: Application) -> Application:
    """Let the site answer a body whose letters Python knows only as another kind of thing: `hex`, `rot13`, `idna`.

    As soon as a body names its letters, Django reads the address in them, before it asks any middleware, and breaks
    without a page; some of the errors it takes for too many fields.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        try:
            # Django writes into it, and reads the address once more.
            return application(dict(environ), start_response)
        except (LookupError, UnicodeError, TooManyFieldsSent):
            # What cannot be read has no length either: `nothing_unreadable` has the sentence for it.
            return application(environ | {"CONTENT_TYPE": "", "CONTENT_LENGTH": "unreadable"}, start_response)

    return answer


def nothing_unreadable(get_response: Answer) -> Answer:
    """Refuse a body whose length is no number or whose letters are not UTF-8, and a cookie with a NUL in it.

    Django believes them all: it breaks over the length, half a letter breaks the page that repeats it, and PostgreSQL
    takes no NUL, not even to look for a session of that name.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        letters = request.encoding
        strange = bool(letters) and codecs.lookup(str(letters)).name != "utf-8"
        if strange or said_length(request) is None or any("\0" in cookie for cookie in request.COOKIES.values()):
            request.encoding = settings.DEFAULT_CHARSET
            return problem_page(request, 400)
        return get_response(request)

    return answer


def nothing_too_big(get_response: Answer) -> Answer:
    """Refuse a body over the limit by what it says of itself, before a byte of it is read, and one without room."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if is_too_big(request.path_info, said_length(request) or 0):
            return problem_page(request, 413)
        if NO_ROOM_FOR_BODY in request.META:
            return problem_page(request, 503, title="Too much at once", sentence=TOO_MANY_BYTES)
        return get_response(request)

    return answer


class NothingTooLate:
    """Does not begin to write what has waited for too long. The form of its page sends the same again."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        return problem_page(request, 503) if WAITED_TOO_LONG in request.META else None


def takes_up_to(limit: int) -> Callable[[View], View]:
    """Decorates a view that takes files: its body may have so many bytes."""

    def decorated(view: View) -> View:
        view.takes_up_to = limit  # type: ignore[attr-defined]
        return view

    return decorated


def limit_of(path: str) -> int:
    """How many bytes a body for that path may have."""
    try:
        return getattr(resolve(path).func, "takes_up_to", settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    except Resolver404:
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def is_too_big(path: str, length: int) -> bool:
    """Whether a body of so many bytes is refused at that path."""
    return length > settings.DATA_UPLOAD_MAX_MEMORY_SIZE and length > limit_of(path)


def said_length(request: HttpRequest) -> int | None:
    """The bytes a body says it has; None where it says something that is no number."""
    text = request.META.get("CONTENT_LENGTH") or "0"
    return int(text) if WHOLE.fullmatch(text) else None


def a_sentence_for_the_wrong_method(get_response: Answer) -> Answer:
    """Django answers a wrong method with nothing at all, for which browsers show a page of their own."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        return wrong_method(request, response) if isinstance(response, HttpResponseNotAllowed) else response

    return answer


#: What only some may see, or is at an address that is a secret.
NOT_FOR_EVERYBODY = ("clubs/", "sheets/", "watch/")


def no_club_and_no_sheet_in_a_store(get_response: Answer) -> Answer:
    """Whoever stands between a club or a sheet and its visitor keeps no page of it, unless the page says otherwise."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        match = request.resolver_match
        if match is not None and match.route.startswith(NOT_FOR_EVERYBODY):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    return answer


def no_sheet_in_a_search_engine(get_response: Answer) -> Answer:
    """Ask search engines to leave everything alone but the front page."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        match = request.resolver_match
        if isinstance(response, HttpResponse) and (match is None or match.url_name != "front"):
            response.headers.setdefault("X-Robots-Tag", "noindex, nofollow")
        return response

    return answer
