"""The running sheet of a table, the explanation of each number, and the sheet as a file."""

from __future__ import annotations

import json

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from scoresheets.access.qr import qr_of
from scoresheets.access.scorekeepers import was_cut_off
from scoresheets.access.viewer import owners_page_of
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections.links import correction_link
from scoresheets.corrections.orphans import left_over_of
from scoresheets.files.sheet_file import played_on, sheet_file_of
from scoresheets.link_previews.of_sheet import tags_of_sheet
from scoresheets.log.state import SheetReading
from scoresheets.models.sheet import new_token
from scoresheets.paper.layout import OnPaper
from scoresheets.results.callouts import last_line
from scoresheets.results.chances import chances_said, needs_said
from scoresheets.results.consequences import before_stopping
from scoresheets.results.explain import why_of
from scoresheets.results.finale import club_sentences, prizes_of, superlatives_of
from scoresheets.results.remarks import remarks_beside
from scoresheets.results.verdict import verdict_of
from scoresheets.score_curve.curve import ScoreCurve
from scoresheets.score_curve.drawing import CurveDrawing
from scoresheets.sheet.outsiders import read_for
from scoresheets.sheet.readback import read_back_of
from scoresheets.sheet.table import RunningSheet
from scoresheets.views.public.corrected import correction_shown
from scoresheets.views.public.lookup import sheet_of
from scoresheets.wording.options import house_rules_in_words


@require_safe
@cache_control(private=True, no_cache=True)
def sheet(request: HttpRequest, code: str) -> TemplateResponse:
    """The running sheet, and for who may write on it what is next, what can be taken back, and the early end."""
    record, keeper = sheet_of(request, code)
    reading = read_for(record, keeper)
    opened = opened_row(request)
    changed = correction_shown(request, reading) if keeper else SafeString()
    is_row_open = reading.sheet.row(opened) is not None
    running = RunningSheet(reading, reverse("sheet", args=[code]), opened, changed if is_row_open else "")
    scan = {"qr": qr_of(request.build_absolute_uri(reverse("watch", args=[record.watch])))}
    context = about_the_sheet(reading, running) | scan | {"keeper": keeper}
    context["link_preview"] = tags_of_sheet(request, record, reading)
    context["needs"] = list(needs_said(reading).values())
    context["owners_page"] = owners_page_of(request, record)
    if keeper:
        context |= choices(reading) | {"changed": "" if is_row_open else changed}
    elif was_cut_off(request, record):
        # What it had not sent is still on that phone, and the pad does not open any more.
        context["kept"] = {"code": record.code, "names": reading.names}
    return TemplateResponse(request, "scoresheets/sheet/page.html", context)


@require_safe
@cache_control(private=True, no_cache=True)
def why(request: HttpRequest, code: str, hand: str, seat: int) -> TemplateResponse:
    """Why a number on the sheet is what it is."""
    record, keeper = sheet_of(request, code)
    shown_on = "pad" if keeper and request.GET.get("from") == "pad" else "sheet"
    change = correction_link(code, hand, shown_on, seat=seat) if keeper else ""
    return why_page(request, read_for(record, keeper), reverse(shown_on, args=[code]), hand, seat, change=change)


@require_safe
@cache_control(private=True, no_cache=True)
def curve(request: HttpRequest, code: str) -> HttpResponse:
    """The score curve. With `?only=` it is sent alone, for a page that shows it."""
    record, keeper = sheet_of(request, code)
    figure = render_to_string(
        "scoresheets/score_curve/figure.html", {"drawing": CurveDrawing(ScoreCurve(read_for(record, keeper)))}
    )
    if "only" in request.GET:
        return HttpResponse(figure)
    context = {"sheet": record, "figure": figure, "here": reverse("sheet", args=[code])}
    return TemplateResponse(request, "scoresheets/score_curve/page.html", context)


@require_safe
def export_sheet(request: HttpRequest, code: str) -> HttpResponse:
    """The sheet as a file that scores the same wherever it is read."""
    record, keeper = sheet_of(request, code)
    text = json.dumps(sheet_file_of(read_for(record, keeper)), ensure_ascii=False, indent=2)
    response = HttpResponse(text + "\n", content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{record.game}-{played_on(record)}.json"'
    response["Cache-Control"] = "private, no-store"
    return response


def why_page(
    request: HttpRequest, reading: SheetReading, here: str, hand: str, seat: int, *, change: str = ""
) -> TemplateResponse:
    """The reason for the number of `seat` in the part `hand` of the sheet at `here`; 404 where there is none.

    `change` is where it can be corrected, "" for who may not.
    """
    reason = why_of(reading, hand, seat)
    if reason is None:
        raise Http404
    context = {
        "reading": reading,
        "sheet": reading.record,
        "reason": reason,
        "here": here,
        "part": f"hand-{hand}",
        "change": change,
        "is_beside_pad": here == reverse("pad", args=[reading.record.code]),
    }
    return TemplateResponse(request, "scoresheets/sheet/explain.html", context)


def opened_row(request: HttpRequest) -> int:
    """The hand whose row is to be open, 0 for none."""
    row = request.GET.get("open", "")
    return int(row) if row.isascii() and row.isdecimal() and len(row) < 6 else 0


def about_the_sheet(reading: SheetReading, running: RunningSheet) -> dict[str, object]:
    """What the page of a sheet says beside the table, to scorekeeper and watcher alike."""
    chosen = house_rules_in_words(reading.game, reading.setup.house_rules)
    # What was true after the last hand in sight may not be so any more.
    is_withheld = reading.withheld is not None
    return {
        "reading": reading,
        "sheet": reading.record,
        "left": left_over_of(reading),
        "running": running,
        "called": None if is_withheld else last_line(reading),
        "chances": [] if is_withheld else chances_said(reading),
        "remarks": [] if is_withheld else remarks_beside(reading),
        "words_url": f"{running.here}words/",
        "house_rules": [rule for rule in chosen if rule.differs],
        "remark": reading.game.plan_remark(reading.table),
        "paper": OnPaper(running),
    } | about_the_end(reading)


def about_the_end(reading: SheetReading) -> dict[str, object]:
    """How the game ended, what is told of it, and whether that is shown bit by bit (`finale`): it was held back."""
    return {
        "verdict": verdict_of(reading),
        "prizes": prizes_of(reading.record),
        "superlatives": [*superlatives_of(reading), *club_sentences(reading)],
        "finale": reading.finished and bool(reading.table.house_rules["hold_result"]),
    }


def choices(reading: SheetReading) -> dict[str, object]:
    """What a scorekeeper can do from the page of the sheet."""
    return {
        "key": new_token(),
        "take_back": what_is_taken_back(reading),
        "may_resume": not reading.sheet.rows and reading.game.carried_ask(reading.table) is not None,
        "before_stopping": before_stopping(reading),
        "may_stop": reading.sheet.open is not None and reading.sheet.table.hands_done > 0,
    }


@require_safe
@cache_control(private=True, no_cache=True)
def read_back(request: HttpRequest, code: str) -> TemplateResponse:
    """Who bid and took what in the last hand, to be read to the table; by a voice, if asked and where there is one."""
    record, keeper = sheet_of(request, code)
    reading = read_for(record, keeper)
    changed = correction_shown(request, reading) if keeper else ""
    context = {"sheet": record, "keeper": keeper, "last": read_back_of(reading), "changed": changed}
    return TemplateResponse(request, "scoresheets/sheet/read_back.html", context)
