"""Writing on a sheet: one view for each verb. A form gets a page, the script gets JSON."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from rules.core.fields import SHEET, Value
from rules.core.numbers import MINUS
from rules.core.problems import Problem
from scoresheets.access.scorekeepers import MayNotWrite
from scoresheets.commands import enter as entry_commands
from scoresheets.corrections.conflict import FIELD, conflict_of
from scoresheets.corrections.links import RETURN_PAGES, return_address
from scoresheets.log.answers import Answer, Conflict, Done, Refused
from scoresheets.log.append import CUT_OFF
from scoresheets.log.limits import TOO_OFTEN
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Revision, Sheet
from scoresheets.models.sheet import new_token
from scoresheets.pad import help_call
from scoresheets.pad.bidding_pad import BiddingPad
from scoresheets.pad.build import pad_of, page_of
from scoresheets.pad.prompt_pad import PromptPad
from scoresheets.pad.state import PostAnswer, PromptState, as_json
from scoresheets.pad.undo_chain import brings
from scoresheets.sheet.row_cache import rendered_row
from scoresheets.sheet.table import RunningSheet, rendered_caption
from scoresheets.views.public.lookup import may_write
from scoresheets.views.table.pad import at, counted, pad_page
from scoresheets.views.table.result import refused_at_the_end

WHOLE = re.compile(r"[-−]?[0-9]{1,9}")
#: Everything a post may carry beside its fields.
KNOWN = ("key", "hand", "ask", "saw", "sure", "again", "version", "event")
#: Seconds after which a post that came too often is taken.
RETRY_AFTER = "60"
#: Writes that take the place of others.
PUT_AWAY = (Revision.Verb.RETYPE, Revision.Verb.MISDEAL)


class Repeated(ValueError):
    """The same field came twice."""


@never_cache
@require_POST
def enter(request: HttpRequest, code: str) -> HttpResponse:
    """Write down a bid, the tricks, the trump, a card that was drawn; `again`: what was typed wrong before."""
    if request.POST.get("again") == "1":
        return typed_wrong(request, code)
    sheet, keeper = may_write(request, code)
    sure = request.POST.get("sure") == "1"
    try:
        address, step, saw = addressed(request)
    except Repeated:
        return respond(request, sheet, Refused((TWICE,)))
    key = request.POST.get("key", "")
    answer = entry_commands.enter(sheet, address, step, saw=saw, key=key, by=keeper, sure=sure, typed=False)
    return respond(request, sheet, answer)


@never_cache
@require_POST
def retype(request: HttpRequest, code: str) -> HttpResponse:
    """ "I typed it wrong": something else at an ask of the open hand."""
    return typed_wrong(request, code)


def typed_wrong(request: HttpRequest, code: str) -> HttpResponse:
    """Replace what stands at an ask of the open hand."""
    sheet, keeper = may_write(request, code)
    try:
        address, step, saw = addressed(request)
    except Repeated:
        return respond(request, sheet, Refused((TWICE,)))
    key = request.POST.get("key", "")
    answer = entry_commands.retype(sheet, address, step, saw=saw, key=key, by=keeper, typed=False)
    return respond(request, sheet, answer)


@never_cache
@require_POST
def undo(request: HttpRequest, code: str) -> HttpResponse:
    """Take back the write that made `version` of the sheet."""
    sheet, keeper = may_write(request, code)
    answer = entry_commands.undo(sheet, number(request, "version"), key=request.POST.get("key", ""), by=keeper)
    return respond(request, sheet, answer)


@never_cache
@require_POST
def misdeal(request: HttpRequest, code: str) -> HttpResponse:
    """The hand is dealt again by the same dealer."""
    sheet, keeper = may_write(request, code)
    answer = entry_commands.misdeal(
        sheet, number(request, "hand"), number(request, "event"), key=request.POST.get("key", ""), by=keeper
    )
    return respond(request, sheet, answer)


@never_cache
@require_POST
def stop(request: HttpRequest, code: str) -> HttpResponse:
    """The table ends the game with the last scored hand; `sure`: they have read what that means."""
    sheet, keeper = may_write(request, code)
    sure = request.POST.get("sure") == "1"
    answer = entry_commands.stop(sheet, number(request, "hand"), key=request.POST.get("key", ""), by=keeper, sure=sure)
    return respond(request, sheet, answer)


@never_cache
@require_POST
def play_on(request: HttpRequest, code: str) -> HttpResponse:
    """The table has changed its mind and plays on."""
    sheet, keeper = may_write(request, code)
    return respond(request, sheet, entry_commands.play_on(sheet, key=request.POST.get("key", ""), by=keeper))


@never_cache
@require_POST
def quiet(request: HttpRequest, code: str) -> HttpResponse:
    """Whether call-outs are shown: `quiet` is 1 or 0. Nothing is written on the sheet."""
    sheet, _ = may_write(request, code)
    Sheet.objects.filter(pk=sheet.pk).update(quiet=request.POST.get("quiet") == "1")
    return HttpResponseRedirect(reverse("pad", args=[code]), status=303)


@never_cache
@require_POST
def ask_for_organiser(request: HttpRequest, code: str) -> HttpResponse:
    """The table asks for the organiser of its night: `asks` is 1, or 0 for never mind. Nothing is written."""
    sheet, _ = may_write(request, code)
    tell = help_call.ask if request.POST.get("asks") == "1" else help_call.never_mind
    tell(sheet)
    return HttpResponseRedirect(reverse("pad", args=[code]), status=303)


# What was posted

TWICE = Problem("repeated-field", "The same thing was sent twice in one post.")


def number(request: HttpRequest, name: str) -> Any:
    """A whole number that was posted, or the text that is none: it will be refused."""
    return value_of(request.POST.get(name, ""))


def value_of(text: str) -> Value:
    """Text of a form as a step has it: numbers are whole, and nothing is nothing."""
    if WHOLE.fullmatch(text):
        return int(text.replace(MINUS, "-"))
    return {"": None, "true": True, "false": False}.get(text, text)


def addressed(request: HttpRequest) -> tuple[Any, dict[str, Value], Any]:
    """Address, step and what stood there, as they were posted. Raises `Repeated`."""
    step: dict[str, Value] = {}
    for name, values in request.POST.lists():
        if len(values) > 1 and (name in KNOWN or name.startswith(FIELD)):
            raise Repeated(name)
        if name.startswith(FIELD):
            field = name.removeprefix(FIELD)
            step[field] = value_of(values[0])
    address = (number(request, "hand"), request.POST.get("ask", ""))
    return address, step, number(request, "saw")


# What is answered


def respond(request: HttpRequest, sheet: Sheet, answer: Answer) -> HttpResponse:
    """The answer to a post: 200 or 303, 409 or 422; with data for the script, with a page otherwise.

    Raises `MayNotWrite` where somebody was cut off while the post was on its way.
    """
    if isinstance(answer, Refused) and answer.code == CUT_OFF.code:
        raise MayNotWrite
    reading = answer.reading or read_sheet(sheet)
    if "application/json" in request.headers.get("Accept", ""):
        return as_data(request, reading, answer)
    if isinstance(answer, Done):
        address = return_address(sheet.code, request.POST.get("next", "")) or reverse("pad", args=[sheet.code])
        return HttpResponseRedirect(address, status=303)
    return as_page(request, reading, answer)


def as_data(request: HttpRequest, reading: SheetReading, answer: Answer) -> JsonResponse:
    """The pad as it is now and, where a hand was scored, its row of the sheet."""
    moment = pad_of(reading)
    if isinstance(answer, Done) and (answer.verb in PUT_AWAY or request.POST.get("saw")):
        moment = replace(moment, brings=brings(reading, answer.version))
    data = PostAnswer(version=reading.version, at=at(moment.when), pad=as_json(moment), row="")
    data.update(answer_data(reading, answer))
    if isinstance(answer, Done):
        hand = number(request, "hand")
        if is_row_wanted(request, reading, answer, hand):
            data["row"] = row_of(reading, hand, request.POST.get("ask", ""))
    response = JsonResponse(data, status=status_of(answer))
    if response.status_code == 429:
        response.headers["Retry-After"] = RETRY_AFTER
    return response


def answer_data(reading: SheetReading, answer: Answer) -> PostAnswer:
    """What was written, or why it was not, as every post is answered: by the pad and by a program."""
    if isinstance(answer, Done):
        # What an undo has brought back was first written before it, and is a new entry all the same.
        undone = answer.verb == Revision.Verb.UNDO
        entries = {
            f"{hand} {ask}": (entry.pk, entry.first)
            for (hand, ask), entry in reading.standing.items()
            if answer.version == entry.first or (undone and reading.is_open((hand, ask)))
        }
        return PostAnswer(wrote=answer.version, verb=answer.verb, when=answer.at.isoformat(), entries=entries)
    if isinstance(answer, Conflict):
        conflict = conflict_of(reading, answer)
        return PostAnswer(conflict=conflict, problem=conflict["says"])
    problems = [{"code": p.code, "message": p.message, "field": p.field, "seat": p.seat} for p in answer.problems]
    return PostAnswer(problem=answer.problems[0].message, problems=problems, unwise=answer.unwise)


def status_of(answer: Answer) -> int:
    """200, 409, 422; and 429 where the same post is taken later: a phone keeps it and sends it again."""
    if isinstance(answer, Done):
        return 200
    if isinstance(answer, Conflict):
        return 409
    return 429 if answer.code == TOO_OFTEN.code else 422


def is_row_wanted(request: HttpRequest, reading: SheetReading, answer: Done, hand: Any) -> bool:
    """Whether the answer has a row of the sheet: where somebody looks at it, and whatever a scored hand has changed.

    A row is a third of a post's work. The phone that does not show the sheet gets that of the open hand with its score,
    so that all scored hands are there when the network is not.
    """
    if request.headers.get("Prefer") == "return=representation":
        return True
    return answer.verb != Revision.Verb.ENTER or hand != reading.next_hand


def row_of(reading: SheetReading, hand: Any, ask: str) -> str:
    """The part of the running sheet that a post was about, else the open hand's, with what now stands above the sheet.

    "" where there is none.
    """
    running = RunningSheet(reading, reverse("sheet", args=[reading.record.code]), is_beside_pad=True)
    if hand == SHEET:
        key = "-".join(ask.split("-")[:2])
        part = next((part for part in running.parts if part.key == key), None)
    else:
        part = running.part(hand if isinstance(hand, int) else reading.next_hand)
    return rendered_caption(running) + rendered_row(part, running.span) if part else ""


def as_page(request: HttpRequest, reading: SheetReading, answer: Conflict | Refused) -> HttpResponse:
    """The pad with what is wrong and what was entered."""
    moment = pad_of(reading)
    if moment.go:
        if isinstance(answer, Conflict):
            conflict = conflict_of(reading, answer)
            page = refused_at_the_end(request, reading, (Problem("conflict", conflict["says"]),), status=409)
            page.context_data = {**(page.context_data or {}), "conflict": conflict}
            return page
        return refused_at_the_end(request, reading, answer.problems, status=422)
    if isinstance(answer, Conflict):
        return pad_page(request, reading, moment, status=409, conflict=conflict_of(reading, answer))
    reason = answer.problems[0].message
    if answer.code == entry_commands.ASKED_FIRST:
        return stop_page(request, reading, reason)
    if isinstance(moment, PromptState):
        return asked_again(request, reading, moment, answer)
    face = BiddingPad(moment, page_of(reading))
    if answer.code == "the-rule" and face.forbidden is not None:
        reason = face.rule_sum
    is_here = request.POST.get("ask") == face.ask and str(face.hand.number) == request.POST.get("hand")
    if face.bidder is not None and is_here:
        return pad_page(request, reading, moment, status=422, reason=reason)
    return pad_page(
        request, reading, moment, status=422, reason=reason if face.bidder is None and is_here else "",
        counted=counted(face, request) if is_here else None, bar={"says": reason},
    )  # fmt: skip


def stop_page(request: HttpRequest, reading: SheetReading, question: str) -> TemplateResponse:
    """The question that is asked before a table stops, with what was posted: it is sent again by who is sure."""
    back = request.POST.get("next", "")
    context = {
        "sheet": reading.record, "question": question, "hand": reading.next_hand, "key": new_token(),
        "back": back if back in RETURN_PAGES else "pad",
    }  # fmt: skip
    return TemplateResponse(request, "scoresheets/stop.html", context, status=422)


def asked_again(request: HttpRequest, reading: SheetReading, moment: PromptState, answer: Refused) -> HttpResponse:
    """The pad of a game that goes ask by ask, with what was entered and what is wrong with it in its place."""
    reason = answer.problems[0].message
    face = PromptPad(moment, page_of(reading), again=request.POST.get("ask", "").removeprefix(moment.prefix))
    if str(face.hand.number) != request.POST.get("hand") or face.again not in face.asks:
        return pad_page(request, reading, moment, status=422, bar={"says": reason})
    given = {name.removeprefix(FIELD): value for name, value in request.POST.items() if name.startswith(FIELD)}
    more: dict[str, Any] = {"again": face.again, "given": given, "unwise": answer.unwise}
    return pad_page(request, reading, moment, status=422, reason=reason, **more)
