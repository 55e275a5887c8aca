"""Adding and removing notes about a hand."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from scoresheets.commands import enter
from scoresheets.commands.enter import LONGEST_NOTE
from scoresheets.log.answers import Done, Refused
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models.sheet import new_token
from scoresheets.sheet.notes import said_of_hands
from scoresheets.views.public.lookup import may_write

NUMBER = re.compile(r"[0-9]{1,5}")


@require_http_methods(["GET", "HEAD", "POST"])
def note(request: HttpRequest, code: str) -> TemplateResponse | HttpResponseRedirect:
    """Ask what there is to say about hand `?hand=`, or write it down."""
    sheet, keeper = may_write(request, code)
    if request.method != "POST":
        reading = read_sheet(sheet)
        hand = number(request.GET.get("hand", ""))
        hand = last_dealt(reading) if hand is None else hand
        if hand > last_dealt(reading):
            raise Http404
        return note_page(request, reading, hand, {"hand": hand, "key": new_token()})
    kept = {name: request.POST.get(name, "")[:1000] for name in ("hand", "tag", "seat", "note", "key")}
    hand, seat = number(kept["hand"]), number(kept["seat"])
    answer = enter.note(
        sheet,
        -1 if hand is None else hand,
        tag=kept["tag"],
        # Somebody who is nobody is refused, not taken for the table.
        seat=-1 if seat is None and kept["seat"] else seat,
        text=kept["note"],
        key=kept["key"],
        by=keeper,
    )
    if isinstance(answer, Done):
        return HttpResponseRedirect(f"{reverse('note', args=[code])}?hand={hand}", status=303)
    reading = answer.reading or read_sheet(sheet)
    problems = answer.problems if isinstance(answer, Refused) else ()
    # What was refused was not written under its key; what is sent next is something else.
    again = {**kept, "key": new_token()}
    wrong = {problem.field or "note": problem.message for problem in problems}
    hand = last_dealt(reading) if hand is None else hand
    return note_page(request, reading, hand, {**again, "hand": hand}, wrong, status=422)


@require_POST
def withdraw_note(request: HttpRequest, code: str, hand: int, note: int) -> TemplateResponse | HttpResponseRedirect:
    """Take back what was said: note number `note` of the hand."""
    sheet, keeper = may_write(request, code)
    reading = read_sheet(sheet)
    note_there = next((known for known in reading.notes if (known.hand, known.k) == (hand, note)), None)
    # One that is gone was taken back already.
    answer = enter.undo(sheet, note_there.version, key=request.POST.get("key", ""), by=keeper) if note_there else None
    if isinstance(answer, Refused):
        wrong = {"note": answer.problems[0].message}
        return note_page(request, reading, hand, {"hand": hand, "key": new_token()}, wrong, status=422)
    return HttpResponseRedirect(f"{reverse('note', args=[code])}?hand={hand}", status=303)


def note_page(
    request: HttpRequest, reading: SheetReading, hand: int, kept: Mapping[str, object],
    wrong: Mapping[str, str] | None = None, *, status: int = 200,
) -> TemplateResponse:  # fmt: skip
    """The form, what was said about the hand already, and what is wrong with what was sent."""
    seated = reading.sheet.table.seats
    context = {
        "sheet": reading.record,
        "hand": hand,
        "tags": reading.game.tags,
        "people": [(seat, reading.names[seat]) for seat in (*seated, *(set(reading.names) - set(seated)))],
        "notes": said_of_hands(reading).get(hand, []),
        "kept": kept,
        "withdraw_key": new_token(),
        "wrong": wrong or {},
        "longest_note": LONGEST_NOTE,
        "words_url": reverse("words", args=[reading.record.code]),
    }
    return TemplateResponse(request, "scoresheets/notes/note.html", context, status=status)


def last_dealt(reading: SheetReading) -> int:
    """The hand one most likely has something to say about: the one before us, or the last there was."""
    return reading.next_hand if reading.sheet.open else max(reading.next_hand - 1, 0)


def number(text: str) -> int | None:
    """A whole number as a form sends it, or None."""
    return int(text) if NUMBER.fullmatch(text) else None
