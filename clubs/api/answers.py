"""The frame of every answer: the rate, keys, problems, paging, ETag.

A view is decorated with what it gives, and its shape, and takes request and caller. It answers with an `Answer`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

from clubs import __version__
from clubs.api.callers import NotAnswered, caller_of, key_sent, name_of
from clubs.api.paging import Paged
from clubs.api.rate import reading
from clubs.site.error_views import TO_PROGRAMS
from rules.core.files.schema import Shape
from rules.core.problems import Problem

JSON = "application/json"
NO_SUCH_THING, WRONG_METHOD = Problem(*TO_PROGRAMS[404]), Problem(*TO_PROGRAMS[405])
#: Seconds for which a browser need not ask again whether it may ask.
ASKED_ONCE = 24 * 60 * 60
#: Conditions of a write: to something that is read they do not matter.
OF_A_WRITE = ("HTTP_IF_MATCH", "HTTP_IF_UNMODIFIED_SINCE")


@dataclass(frozen=True)
class Answer:
    """What a view answers: a document or a text, and its page of a list.

    `make` instead of a document makes it only where it is needed; `version` is another one whenever it is another.
    """

    document: object = None
    page: Paged | None = None
    make: Callable[[], bytes] | None = None
    version: str = ""

    @cached_property
    def content(self) -> bytes:
        """What is sent. It is made once."""
        if self.make is not None:
            return self.make()
        return self.document if isinstance(self.document, bytes) else as_json(self.document)

    @property
    def etag(self) -> str:
        """Tells it from every other answer at its address; of a release of the site that may say it otherwise."""
        content = self.version.encode() if self.version else self.content
        return f'"{hashlib.sha256(__version__.encode() + content).hexdigest()[:32]}"'


View = Callable[..., Answer]


@dataclass(frozen=True)
class Endpoint:
    """What one method of an address gives, and takes. `shape` None: it is no JSON, but `media`."""

    summary: str
    shape: Shape | None = None
    media: str = JSON
    method: str = "GET"
    is_paged: bool = False
    takes_key: bool = True
    takes_key_in_address: bool = False
    #: Query parameters beside those: name and what it does.
    query: Mapping[str, str] = field(default_factory=dict)
    #: It is asked with the key of a scorekeeper link, and not with a read key.
    takes_link: bool = False
    #: What is sent, and what is answered by other statuses where that is more than a problem.
    body: Shape | None = None
    refusals: Mapping[int, Shape] = field(default_factory=dict)
    about: str = ""


def as_json(document: object) -> bytes:
    """The document as it is sent."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


def gives(endpoint: Endpoint) -> Callable[[View], Callable[..., HttpResponse]]:
    """Decorates a view that reads: it is asked with GET, by programs, and answers what the endpoint says."""

    def decorated(view: View) -> Callable[..., HttpResponse]:
        @csrf_exempt
        @wraps(view)
        def answered(request: HttpRequest, **parts: Any) -> HttpResponse:
            def respond(key: str) -> HttpResponse:
                return response_to(request, endpoint, view(request, caller_of(request, key), **parts))

            return framed(request, respond, in_address=endpoint.takes_key_in_address)

        answered.endpoint = endpoint  # type: ignore[attr-defined]
        return answered

    return decorated


def framed(
    request: HttpRequest, respond: Callable[[str], HttpResponse], *, methods: Sequence[str] = ("GET", "HEAD"),
    in_address: bool = False,
) -> HttpResponse:  # fmt: skip
    """What `respond` answers to the key that was sent ("": none), in the frame of every answer."""
    allowed = ", ".join((*methods, "OPTIONS"))
    if request.method == "OPTIONS":
        return preflight(allowed)
    if request.method not in methods:
        return wrong_method(allowed)
    key = key_sent(request, in_address=in_address)
    try:
        not_too_often(request, key)
        response = respond(key)
    except NotAnswered as refused:
        response = problem_response(refused)
    except Http404:
        response = problem_response(NotAnswered(404, NO_SUCH_THING))
    return with_headers(response, is_private=bool(key))


def not_too_often(request: HttpRequest, key: str) -> None:
    """Count the request. Raises `NotAnswered` (429) where it is one too many: the database was not asked."""
    wait = reading.take(name_of(request, key))
    if wait:
        raise NotAnswered(429, Problem("too-often", f"That was too often. Wait {wait} s."), wait=wait)


def response_to(request: HttpRequest, endpoint: Endpoint, answer: Answer) -> HttpResponse:
    """The answer, or 304 where the program has it."""
    etag = answer.etag
    for condition in OF_A_WRITE:
        request.META.pop(condition, None)
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        unchanged["ETag"] = etag
        return unchanged
    content_type = endpoint.media if endpoint.media == JSON else f"{endpoint.media}; charset=utf-8"
    response = HttpResponse(answer.content, content_type=content_type)
    response["ETag"] = etag
    if answer.page:
        response["Link"] = answer.page.header
    return response


def with_headers(response: HttpResponse, *, is_private: bool) -> HttpResponse:
    """For what stands between the program and the site."""
    response["Cache-Control"] = "private, no-cache" if is_private or response.status_code >= 400 else "no-cache"
    patch_vary_headers(response, ["Authorization"])
    return response


def preflight(methods: str) -> HttpResponse:
    """What a browser is told that asks whether a page of another site may ask. The database is not."""
    response = HttpResponse(status=204)
    response["Allow"] = methods
    response["Access-Control-Allow-Methods"] = methods
    response["Access-Control-Allow-Headers"] = "Authorization, Content-Type, If-None-Match, Idempotency-Key"
    response["Access-Control-Max-Age"] = str(ASKED_ONCE)
    return with_headers(response, is_private=False)


def wrong_method(methods: str) -> HttpResponse:
    response = problem_response(NotAnswered(405, WRONG_METHOD))
    response["Allow"] = methods
    return with_headers(response, is_private=False)


def problem_response(refused: NotAnswered) -> HttpResponse:
    """What is wrong, as the site answers everywhere who asks for JSON: a sentence and its code."""
    problem = {"problem": refused.problem.message, "code": refused.problem.code}
    response = JsonResponse(problem, status=refused.status)
    if refused.status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if refused.wait:
        response["Retry-After"] = str(refused.wait)
    return response
