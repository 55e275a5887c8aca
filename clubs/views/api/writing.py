"""Scoring by programs: what a sheet asks for, and an entry, by the key of a scorekeeper link."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from clubs.api.answers import JSON, Answer, Endpoint, as_json, framed, response_to
from clubs.api.callers import NotAnswered
from clubs.api.documents.entries import ASKED, CONFLICT, ENTRY, REFUSED, WRITTEN, answer_document, asked_document
from clubs.api.links import CUT_OFF_PROGRAM, linked
from clubs.api.shapes import PROBLEM
from rules.core.files.schema import NotADocument, parse
from rules.core.problems import Problem
from scoresheets.commands import enter as entry_commands
from scoresheets.log.answers import Refused
from scoresheets.log.append import CUT_OFF
from scoresheets.log.state import read_sheet
from scoresheets.views.table.entry import RETRY_AFTER, status_of

CALLED = "What was sent"
READS = Endpoint(
    "What a sheet asks for next", ASKED, takes_link=True, refusals={403: PROBLEM},
    about="What may be written down now, with what stands there. The id is that of the table, or “mine”.",
)  # fmt: skip
WRITES = Endpoint(
    "Enter what was bid, taken or drawn", WRITTEN, method="POST", takes_link=True, body=ENTRY,
    refusals={403: PROBLEM, 409: CONFLICT, 413: PROBLEM, 422: REFUSED},
    about="The same rules as on the pad. “step” has a value for each name of the ask; with “sure” what is only unwise "
    "is taken; “saw” is the number of what is to be replaced.",
)  # fmt: skip


@csrf_exempt
def api_entries(request: HttpRequest, uid: str) -> HttpResponse:
    """Read what is asked, or enter it, with the key of a scorekeeper link."""

    def respond(key: str) -> HttpResponse:
        return entered(request, uid, key) if request.method == "POST" else asked(request, uid, key)

    return framed(request, respond, methods=("GET", "HEAD", "POST"))


api_entries.endpoint = (READS, WRITES)  # type: ignore[attr-defined]


def asked(request: HttpRequest, uid: str, key: str) -> HttpResponse:
    sheet = linked(request, uid, key).sheet
    return response_to(request, READS, Answer(asked_document(read_sheet(sheet))))


def entered(request: HttpRequest, uid: str, key: str) -> HttpResponse:
    """Write an entry as the pad does: by its commands, once for each key of a tap."""
    link = linked(request, uid, key)
    entry, once = entry_of(request), request.headers.get("Idempotency-Key", "")
    answer = link.write(lambda keeper: entry_commands.enter(
        link.sheet, (entry["hand"], entry["ask"]), entry["step"], saw=entry.get("saw"), key=once, by=keeper,
        sure=entry.get("sure", False),
    ))  # fmt: skip
    if isinstance(answer, Refused) and answer.code == CUT_OFF.code:
        raise NotAnswered(403, CUT_OFF_PROGRAM)
    document = answer_document(answer.reading or read_sheet(link.sheet), answer)
    response = HttpResponse(as_json(document), content_type=JSON, status=status_of(answer))
    if response.status_code == 429:
        response["Retry-After"] = RETRY_AFTER
    return response


def entry_of(request: HttpRequest) -> dict[str, Any]:
    """What was sent. Raises `NotAnswered` (400) with the first thing that is wrong with its shape."""
    try:
        document = parse(request.body, CALLED)
    except NotADocument as unreadable:
        raise NotAnswered(400, Problem("bad-document", str(unreadable))) from None
    fault = next(ENTRY.faults(document, CALLED), None)
    if fault:
        raise NotAnswered(400, fault)
    return cast("dict[str, Any]", document)
