"""Typing in hands from paper, and carrying totals over."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoresheets.log.answers import Done, Refused
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models import Scorekeeper
from scoresheets.models.sheet import new_token
from scoresheets.paper.carry_over import Carrying, carry
from scoresheets.paper.grid import LONGEST_INPUT, Grid
from scoresheets.paper.hand_form import TypedHand
from scoresheets.paper.type_in import type_in as write_typed_hands
from scoresheets.views.public.lookup import sheet_of, to_the_sheet
from scoresheets.views.table.corrections import MOVE

#: How a page is asked for one hand instead of the grid.
BY_HAND = "hand"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def type_in(request: HttpRequest, code: str) -> HttpResponse:
    """The grid from the open hand on. POST: written, or everything given back with what is wrong; `do=look`: totals.

    Where no hand fits into a row, and with `by=hand`, they are typed one after the other.
    """
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        return to_the_sheet(request, sheet)
    reading = read_sheet(sheet)
    if request.method != "POST" and reading.sheet.open is None:
        return back_to_the_sheet(reading)
    if not Grid(reading).is_possible or BY_HAND in (request.GET.get("by"), request.POST.get("by")):
        return type_hand(request, reading, keeper)
    if request.method != "POST":
        return grid_page(request, Grid(reading), key=new_token())
    grid = Grid.posted(reading, request.POST)
    if request.POST.get("do") == "look":
        grid.problems = grid.walk.problems
        return grid_page(request, grid, key=new_token())
    answer = write_typed_hands(sheet, grid.typed, key=request.POST.get("key", ""), by=keeper)
    if isinstance(answer, Done):
        return back_to_the_sheet(answer.reading)
    problems = answer.problems if isinstance(answer, Refused) else ()
    # Read again: while this was being typed, somebody may have written on the sheet.
    fresh = Grid(answer.reading or grid.reading, grid.texts, problems)
    return grid_page(request, fresh, key=new_token(), status=422)


def grid_page(request: HttpRequest, grid: Grid, *, key: str, status: int = 200) -> TemplateResponse:
    """The page with the grid."""
    context = {"grid": grid, "reading": grid.reading, "sheet": grid.reading.record, "key": key, "data": grid.data}
    return TemplateResponse(request, "scoresheets/paper/type_in.html", context, status=status)


def type_hand(request: HttpRequest, reading: SheetReading, keeper: Scorekeeper) -> HttpResponse:
    """One hand: its page, and with a post the page of the next, or the same with what is wrong."""
    if request.method != "POST":
        return hand_page(request, TypedHand(reading))
    hand = TypedHand(reading, {name: request.POST.get(name, "")[:LONGEST_INPUT] for name in request.POST})
    if match := MOVE.fullmatch(request.POST.get("move", "")):
        return hand_page(request, hand.moved(match[1], int(match[2])))
    next_one = f"{reverse('type_in', args=[reading.record.code])}?by={BY_HAND}"
    if hand.hand is None or request.POST.get("hand") != str(hand.hand.number):
        # Sent again, or somebody else has written it meanwhile.
        return HttpResponseRedirect(next_one, status=303)
    answer = write_typed_hands(reading.record, hand.steps, key=request.POST.get("key", ""), by=keeper)
    if isinstance(answer, Done):
        if answer.reading.sheet.open is None:
            return back_to_the_sheet(answer.reading)
        return HttpResponseRedirect(next_one, status=303)
    problems = answer.problems if isinstance(answer, Refused) else ()
    return hand_page(request, TypedHand(answer.reading or reading, hand.texts, problems), status=422)


def hand_page(request: HttpRequest, hand: TypedHand, *, status: int = 200) -> TemplateResponse:
    """The page with one hand."""
    reading = hand.reading
    context = {
        "typed": hand,
        "has_grid": Grid(reading).is_possible,
        "sheet": reading.record,
        "reading": reading,
        "key": new_token(),
        "dealer": reading.names[hand.hand.dealer] if hand.hand else "",
        "so_far": [
            {
                "name": reading.names[person.seat],
                "total": person.total,
                "boxed": person.boxed,
                "circled": person.circled,
            }
            for person in Grid(reading).so_far
        ],
    }
    return TemplateResponse(request, "scoresheets/paper/type_hand.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def resume(request: HttpRequest, code: str) -> HttpResponse:
    """Which hand is next, and with which totals? POST: what that comes to, and with `do=write` it stands."""
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        return to_the_sheet(request, sheet)
    reading = read_sheet(sheet)
    if reading.game.carried_ask(reading.table) is None:
        return to_the_sheet(request, sheet)
    if request.method != "POST":
        return resume_page(request, Carrying.standing(reading))
    form = Carrying.posted(reading, request.POST)
    if request.POST.get("do") != "write" or form.problems:
        return resume_page(request, form, status=422 if form.problems else 200)
    answer = carry(sheet, form.step, saw=form.saw, key=request.POST.get("key", ""), by=keeper)
    if isinstance(answer, Done):
        return HttpResponseRedirect(reverse("pad", args=[code]), status=303)
    fresh = Carrying.posted(answer.reading or reading, request.POST)
    fresh.refuse(answer)
    return resume_page(request, fresh, status=422 if isinstance(answer, Refused) else 409)


def resume_page(request: HttpRequest, form: Carrying, *, status: int = 200) -> TemplateResponse:
    """The page that asks for totals."""
    context = {"form": form, "reading": form.reading, "sheet": form.reading.record, "key": new_token()}
    return TemplateResponse(request, "scoresheets/paper/resume.html", context, status=status)


def back_to_the_sheet(reading: SheetReading) -> HttpResponseRedirect:
    """To the sheet, and from a game that is over to its result."""
    page = "result" if reading.sheet.settlement else "sheet"
    return HttpResponseRedirect(reverse(page, args=[reading.record.code]), status=303)
