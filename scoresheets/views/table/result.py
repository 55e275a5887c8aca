"""The end of a game: what is still open, the draw at the bottom, the result, and the same players again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from rules.core.cards import RANK_NAMES, rank_shown
from rules.core.fields import SHEET, Ask, Choice
from rules.core.problems import Problem
from scoresheets.link_previews.of_sheet import tags_of_sheet
from scoresheets.log.append import open_result
from scoresheets.log.state import SheetReading, read_sheet
from scoresheets.models.sheet import new_token
from scoresheets.results.being_counted import is_being_counted
from scoresheets.results.qualification import cards_said, ties_said
from scoresheets.results.verdict import verdict_of
from scoresheets.score_curve.curve import ScoreCurve
from scoresheets.score_curve.drawing import CurveDrawing
from scoresheets.sheet.outsiders import read_for
from scoresheets.sheet.table import RunningSheet
from scoresheets.views.public.corrected import correction_shown, led_on
from scoresheets.views.public.lookup import may_write, sheet_of
from scoresheets.views.public.sheet import about_the_sheet


@require_safe
@cache_control(private=True, no_cache=True)
def draw(request: HttpRequest, code: str) -> HttpResponse:
    """Which cards were drawn? Where no draw is due, the result says what is."""
    record, keeper = sheet_of(request, code)
    reading = read_sheet(record)
    if keeper is None or draw_due(reading) is None:
        return HttpResponseRedirect(led_on(request, reverse("result", args=[code])))
    return draw_page(request, reading)


@require_safe
@cache_control(private=True, no_cache=True)
def result(request: HttpRequest, code: str) -> HttpResponse:
    """How the game ended, or what is still open; while hands are to be played, the sheet."""
    record, keeper = sheet_of(request, code)
    reading = read_for(record, keeper)
    if verdict_of(reading) is None:
        return HttpResponseRedirect(led_on(request, reverse("sheet", args=[code])))
    if reading.is_held_back:
        return held_back_page(request, reading)
    return result_page(request, reading, keeps=keeper is not None)


@never_cache
@require_POST
def show_result(request: HttpRequest, code: str) -> HttpResponseRedirect:
    """Show a result that is held back, to the table and to all who watch. The same tap again changes nothing."""
    sheet, _ = may_write(request, code)
    open_result(sheet)
    return HttpResponseRedirect(reverse("result", args=[code]), status=303)


def held_back_page(request: HttpRequest, reading: SheetReading) -> TemplateResponse:
    """The one button of a scorekeeper whose table holds the result back."""
    context = {
        "sheet": reading.record, "reading": reading, "changed": correction_shown(request, reading),
    }  # fmt: skip
    return TemplateResponse(request, "scoresheets/result/held_back.html", context)


@require_safe
def again(request: HttpRequest, code: str) -> HttpResponseRedirect:
    """The same players again: a new sheet, filled in from this one. The winner deals."""
    record, _ = sheet_of(request, code)
    return HttpResponseRedirect(f"{reverse('open_sheet')}?{urlencode({'again': record.code})}")


def refused_at_the_end(
    request: HttpRequest, reading: SheetReading, problems: Sequence[Problem], *, status: int
) -> TemplateResponse:
    """What a scorekeeper sees after a post that was not written, where no hand is being played.

    That is the draw, with the cards that were tapped, or the result.
    """
    if draw_due(reading):
        chosen = {name.removeprefix("f-"): request.POST[name] for name in request.POST if name.startswith("f-rank-")}
        return draw_page(request, reading, problems=problems, chosen=chosen, status=status)
    return result_page(request, reading, keeps=True, problems=problems, status=status)


def result_page(
    request: HttpRequest,
    reading: SheetReading,
    *,
    keeps: bool,
    problems: Sequence[Problem] = (),
    status: int = 200,
) -> TemplateResponse:
    """The page of the result, with what a scorekeeper can do if one `keeps` the sheet. The last hand must be scored."""
    running = RunningSheet(reading, reverse("sheet", args=[reading.record.code]))
    more: dict[str, object] = {
        "keeper": keeps,
        "verdict": verdict_of(reading),
        "key": new_token(),
        "problems": problems,
        "drawing": CurveDrawing(ScoreCurve(reading)),
    }
    more["counting"] = is_being_counted(reading.record)
    more["link_preview"] = tags_of_sheet(request, reading.record, reading)
    if keeps:
        more["changed"] = correction_shown(request, reading)
    context = about_the_sheet(reading, running) | more
    return TemplateResponse(request, "scoresheets/result/page.html", context, status=status)


def draw_due(reading: SheetReading) -> Ask | None:
    """The draw that is asked for now."""
    settlement = reading.sheet.settlement
    return next((ask for ask in settlement.asks if ask.name.startswith("draw-")), None) if settlement else None


def draw_page(
    request: HttpRequest,
    reading: SheetReading,
    *,
    problems: Sequence[Problem] = (),
    chosen: Mapping[str, str] | None = None,
    status: int = 200,
) -> TemplateResponse:
    """The page with thirteen cards for each who draws; `chosen` and `problems` are those of a refused post."""
    ask = draw_due(reading)
    table, picked = reading.sheet.table, chosen or {}
    drawing = [
        {
            "field": field.name,
            "name": reading.names[field.seat],
            "is_gone": field.seat in table.gone,
            "chosen": picked.get(field.name, ""),
            "wrong": [problem.message for problem in problems if problem.field == field.name],
            "ranks": [(rank, rank_shown(rank), RANK_NAMES[rank]) for rank in reversed(field.values)],
        }
        for field in (ask.fields if ask else ())
        if isinstance(field, Choice) and field.seat is not None
    ]
    fields = {card["field"] for card in drawing}
    context = {
        "reading": reading,
        "sheet": reading.record,
        "ask": ask,
        "hand": SHEET,
        "drawing": drawing,
        "verdict": verdict_of(reading),
        "again": bool(reading.sheet.settlement and reading.sheet.settlement.draws),
        "takes_back_the_end": reading.stopped,
        "ties": ties_said(reading),
        "goes": cards_said(reading),
        "problems": [problem for problem in problems if problem.field not in fields],
        "key": new_token(),
        "changed": correction_shown(request, reading),
    }
    return TemplateResponse(request, "scoresheets/result/draw.html", context, status=status)
