"""Correcting a row of the sheet: form, preview, confirmation; and orphaned entries."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from rules.core.fields import SHEET, Address
from rules.core.problems import Problem
from scoresheets.commands.enter import NOT_ASKED
from scoresheets.corrections import correct as correction
from scoresheets.corrections.conflict import conflict_of
from scoresheets.corrections.correct import LONGEST_WHY, TYPED_WRONG, OpenedRow, opened_row, part_of
from scoresheets.corrections.links import return_address
from scoresheets.corrections.orphans import left_over_of
from scoresheets.corrections.row_form import RowForm, Tapped
from scoresheets.log.answers import PREVIEW_MOVED_ON, Conflict, Done, Refused
from scoresheets.log.append import Change
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Scorekeeper, Sheet
from scoresheets.models.log import LONGEST_ASK
from scoresheets.models.sheet import new_token
from scoresheets.results.consequences import full_impact
from scoresheets.results.impact import Impact, OutdatedPreview, previewed
from scoresheets.views.public.corrected import came_from, correction_shown
from scoresheets.views.public.lookup import may_write, sheet_of, to_the_sheet
from scoresheets.views.table.entry import TWICE, number

SAW = "saw:"
#: No page of ours asks for more at once.
MOST_LEFT = 100
SEAT = re.compile(r"[1-9][0-9]{0,3}")
MOVE = re.compile(r"(.{1,100}):([+-]1)")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, code: str, part: str) -> HttpResponse:
    """Open a row of the sheet, look at what a correction of it moves, write it.

    A post says what is wanted: `move` a number up or down, `look` at what it moves, `back` from there, or nothing:
    write it. A link may bring answers (`?use=`), and leads to what they move.
    """
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        return to_the_sheet(request, sheet)
    reading = read_sheet(sheet)
    row = opened_row(reading, part)
    if row is None and part == "open" and request.method != "POST":
        return HttpResponseRedirect(reverse("pad", args=[code]))
    if row is None:
        return nothing_to_correct(request, reading, part)
    form = RowForm.of(reading, row, tapped(request))
    if request.method != "POST":
        return looked_at(request, form.using(request.GET)) if "use" in request.GET else form_page(request, form)
    if any(len(values) > 1 for _, values in request.POST.lists()):
        return form_page(request, form, (TWICE,), status=422)
    form = form.filled_in(request.POST.dict())
    if match := MOVE.fullmatch(request.POST.get("move", "")):
        return form_page(request, form.moved(match[1], int(match[2])))
    if "back" in request.POST:
        return form_page(request, form)
    if "as-played" in request.POST and form.as_played:
        form = form.with_step(form.as_played.ask, form.as_played.step)
    if "look" in request.POST or "as-played" in request.POST:
        return looked_at(request, form)
    return written(request, sheet, keeper, form)


def looked_at(request: HttpRequest, form: RowForm) -> HttpResponse:
    """What the form would move, or why it cannot be. Nothing is written."""
    is_post = request.method == "POST"
    saw = saw_of(request, form.row) if is_post else {(form.row.number, ask): pk for ask, pk in form.saw}
    change = correction.correcting(form.reading, form.changes, saw, sure=True)
    if isinstance(change, Conflict):
        return form_page(request, form, status=409, conflict=change)
    if isinstance(change, Refused):
        return form_page(request, form, change.problems, status=422 if is_post else 200)
    if not isinstance(change, Change) or not form.changes:
        return form_page(request, form, (correction.NOTHING_NEW,), status=422 if is_post else 200)
    return form_page(request, form, unwise(form), impact=full_impact(form.reading, previewed(form.reading, change)))


def written(request: HttpRequest, sheet: Sheet, keeper: Scorekeeper, form: RowForm) -> HttpResponse:
    """Write what the form says, as its preview said."""
    row = form.row
    answer = correction.correct(
        sheet,
        form.steps_in(request.POST.dict()),
        saw=saw_of(request, row),
        digest=request.POST.get("seen", ""),
        key=request.POST.get("key", ""),
        by=keeper,
        why=request.POST.get("why", ""),
        sure=True,
    )
    if isinstance(answer, Done):
        return HttpResponseRedirect(place_of(request, answer.reading, row, changed=answer.version), status=303)
    reading = answer.reading or form.reading
    opened = opened_row(reading, row.part)
    if opened is None:
        return nothing_to_correct(request, reading, row.part)
    form = RowForm.of(reading, opened, form.tapped).filled_in(request.POST.dict())
    if isinstance(answer, Conflict):
        return form_page(request, form, status=409, conflict=answer)
    if isinstance(answer, OutdatedPreview):
        return form_page(request, form, answer.problems, status=409, impact=answer.moves)
    return form_page(request, form, answer.problems, status=422)


def tapped(request: HttpRequest) -> Tapped:
    """The number that was tapped, as the link says it, or the form that carries it on."""
    data = request.POST if request.method == "POST" else request.GET
    seat = data.get("seat", "")
    return Tapped(int(seat) if SEAT.fullmatch(seat) else None, data.get("ask", "")[:LONGEST_ASK])


def unwise(form: RowForm) -> tuple[Problem, ...]:
    """What may be written and should be thought about."""
    return tuple(problem for problem in form.problems if not problem.blocking)


def saw_of(request: HttpRequest, row: OpenedRow) -> dict[Address, Any]:
    """What the form says that it saw standing, by address."""
    return {(row.number, ask.name): number(request, SAW + ask.name) for ask in row.asks}


def form_page(
    request: HttpRequest, form: RowForm, problems: tuple[Problem, ...] = (), *, status: int = 200,
    impact: Impact | None = None, conflict: Conflict | None = None,
) -> TemplateResponse:  # fmt: skip
    """The form, or the preview of what it moves (`impact`)."""
    reading, row = form.reading, form.row
    offered = form.as_played if problems and impact is None else None
    context = {
        "sheet": reading.record,
        "form": form,
        "impact": impact,
        "key": new_token(),
        "why": request.POST.get("why", TYPED_WRONG)[:LONGEST_WHY],
        "longest_why": LONGEST_WHY,
        "problems": [] if offered else [p for p in problems if impact or p.seat not in form.seated],
        "conflict": conflict_of(reading, conflict)["says"] if conflict else "",
        "as_played": offered,
        "again": deal_again_of(reading, row) if offered else None,
        "came_from": came_from(request),
        "back": place_of(request, reading, row),
    }
    return TemplateResponse(request, "scoresheets/corrections/correct.html", context, status=status)


def nothing_to_correct(request: HttpRequest, reading: SheetReading, part: str) -> HttpResponse:
    """That row is not on the sheet, or not any more."""
    if correction.PART.fullmatch(part) is None:
        raise Http404
    status = 409 if request.method == "POST" else 404
    context = {"sheet": reading.record, "part": part, "back": reverse("sheet", args=[reading.record.code])}
    return TemplateResponse(request, "scoresheets/corrections/correct_gone.html", context, status=status)


def place_of(request: HttpRequest, reading: SheetReading, row: OpenedRow, *, changed: int = 0) -> str:
    """Where somebody came from; else where the row stands: on the pad while it is open, or on the sheet.

    `changed` is the version by which the row was corrected, 0 where it was not.
    """
    word = came_from(request) or ("sheet" if row.whole else "pad")
    is_on_sheet = word == "sheet"
    parameters = {"open": row.number if is_on_sheet else 0, "changed": changed}
    query = urlencode({name: value for name, value in parameters.items() if value})
    # What was changed is said below the row of a hand, and at the head of the page about any other row.
    anchor = f"#hand-{row.part}" if row.number else "" if changed else f"#{row.part}"
    return return_address(reading.record.code, word) + (f"?{query}" if query else "") + (anchor if is_on_sheet else "")


# The last hand, dealt again


def deal_again_of(reading: SheetReading, row: OpenedRow) -> Mapping[str, Any] | None:
    """What the form to deal the hand again says, where it is the last one; None where it is not."""
    code, hand = reading.record.code, row.number
    if "misdeal" not in reading.game.events or hand == SHEET:
        return None
    if not row.whole:
        return {"action": reverse("misdeal", args=[code]), "hand": hand, "event": reading.next_event}
    if not correction.is_last_scored(reading, hand):
        return None
    scored = reading.sheet.row(hand)
    return {
        "action": reverse("deal_again", args=[code]),
        "hand": hand,
        "event": len(scored.events) + 1 if scored else 1,
    }


@never_cache
@require_POST
def deal_again(request: HttpRequest, code: str) -> HttpResponse:
    """The last scored hand is taken off the sheet and dealt again."""
    sheet, keeper = may_write(request, code)
    answer = correction.deal_again(
        sheet, number(request, "hand"), number(request, "event"), key=request.POST.get("key", ""), by=keeper
    )
    if isinstance(answer, Done):
        return HttpResponseRedirect(reverse("pad", args=[code]), status=303)
    reading = answer.reading or read_sheet(sheet)
    row = opened_row(reading, str(request.POST.get("hand", ""))[:8])
    if row is None or not isinstance(answer, Refused):
        return nothing_to_correct(request, reading, "1")
    return form_page(request, RowForm.of(reading, row), answer.problems, status=422)


# What has no place


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def left_over(request: HttpRequest, code: str) -> HttpResponse:
    """What stands on the sheet and has no place there since something was changed, one by one; a post takes it off."""
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        return to_the_sheet(request, sheet)
    reading = read_sheet(sheet)
    at = number(request, "at") if request.method == "POST" else request.GET.get("at", "1")
    place = int(at) if str(at).isdecimal() and len(str(at)) < 5 else 1
    problems: tuple[Problem, ...] = ()
    status = 200
    if request.method == "POST":
        # What is off the sheet already is off it.
        seen = {address: pk for address, pk in seen_left(request).items() if address in reading.standing}
        answer = taken_off(request, sheet, keeper, reading, seen) if seen else None
        if answer is None or isinstance(answer, Done):
            return HttpResponseRedirect(f"{reverse('left_over', args=[code])}?at={place}", status=303)
        reading = answer.reading or reading
        problems = answer.problems if isinstance(answer, Refused) else (PREVIEW_MOVED_ON,)
        status = 422 if isinstance(answer, Refused) and not answer.is_outdated else 409
    left = left_over_of(reading)
    orphan = left[place - 1] if 0 < place <= len(left) else None
    context = {
        "sheet": sheet,
        "left": left,
        "orphan": orphan,
        "at": place,
        "goes": where_it_goes(reading, orphan.address) if orphan else "",
        "with_it": [other for other in left if orphan and other.address[0] == orphan.address[0]],
        "key": new_token(),
        "problems": problems,
        "changed": correction_shown(request, reading),
    }
    return TemplateResponse(request, "scoresheets/corrections/orphans.html", context, status=status)


def seen_left(request: HttpRequest) -> dict[Address, Any]:
    """What a post wants to have off the sheet, with the ids of what it saw there: all of it in one hand."""
    hand = number(request, "hand")
    asks = [name.removeprefix(SAW) for name in list(request.POST)[:MOST_LEFT] if name.startswith(SAW)]
    return {(hand, ask[:40]): number(request, SAW + ask) for ask in asks}


def taken_off(
    request: HttpRequest, sheet: Sheet, keeper: Scorekeeper, reading: SheetReading, saw: Mapping[Address, Any]
) -> Done | Conflict | Refused:
    """Take what is not read off the sheet, in one write. What is read is not taken off here."""
    if any(address not in reading.sheet.unread for address in saw):
        return Refused((NOT_ASKED,), reading)
    changes = dict.fromkeys(saw)
    change = correction.correcting(reading, changes, saw)
    impact = full_impact(reading, previewed(reading, change)) if isinstance(change, Change) else None
    return correction.correct(
        sheet, changes, saw=saw, digest=impact.digest if impact else "", key=request.POST.get("key", ""), by=keeper,
        why="had no place",
    )  # fmt: skip


def where_it_goes(reading: SheetReading, address: Address) -> str:
    """The page on which what stood there can be written anew; "" where the sheet has no such place now."""
    code = reading.record.code
    if reading.is_open(address):
        return reverse("pad", args=[code])
    part = part_of(address)
    return reverse("correct", args=[code, part]) if opened_row(reading, part) else ""
