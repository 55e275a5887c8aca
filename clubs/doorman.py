"""What every request passes on its way in and out."""

import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase

from clubs.views.problems import problem_page, wrong_method

Answer = Callable[[HttpRequest], HttpResponseBase]

journal = logging.getLogger("clubs.requests")


def one_line_a_request(get_response: Answer) -> Answer:
    """Write method, name of the page, status and milliseconds of every request to the journal.

    Never the path: the path of a sheet is the key to it.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        begin = time.perf_counter()
        response = get_response(request)
        spent = (time.perf_counter() - begin) * 1000
        journal.info("%s %s %s %.0f ms", request.method, page_name(request), response.status_code, spent)
        return response

    return answer


def page_name(request: HttpRequest) -> str:
    """The URL name of the page a request went to, or its pattern; `-` when it reached no page of ours."""
    match = request.resolver_match
    if match is None:
        return "static" if request.path.startswith(settings.STATIC_URL) else "-"
    return match.url_name or match.route


def nothing_too_big(get_response: Answer) -> Answer:
    """Refuse a body over the limit by what it says of itself, before a byte of it is read."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if said_length(request) > settings.DATA_UPLOAD_MAX_MEMORY_SIZE:
            return problem_page(request, 413)
        return get_response(request)

    return answer


def said_length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


def a_sentence_for_the_wrong_method(get_response: Answer) -> Answer:
    """Django answers a wrong method with nothing at all, for which browsers show a page of their own."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        return wrong_method(request, response) if isinstance(response, HttpResponseNotAllowed) else response

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
