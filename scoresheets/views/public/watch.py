"""Watching a sheet: no sign-in, no cookie, no session. The page polls every few seconds."""

from __future__ import annotations

import gzip
from typing import NamedTuple
from zlib import crc32

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import compress_string
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from scoresheets.access.qr import qr_of
from scoresheets.access.viewer import owners_page_of, seats_of_onlooker
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.link_previews.image import image_response
from scoresheets.link_previews.of_sheet import points_of_sheet, preview_of_sheet, tags_of_sheet
from scoresheets.models import Sheet
from scoresheets.results.being_counted import is_being_counted
from scoresheets.results.finale import current_streaks
from scoresheets.score_curve.curve import ScoreCurve
from scoresheets.score_curve.drawing import CurveDrawing
from scoresheets.sheet.by_place import ByPlace
from scoresheets.sheet.outsiders import read_for
from scoresheets.sheet.scoreboard import TableTop
from scoresheets.sheet.table import RunningSheet
from scoresheets.views.public.lookup import watched_sheet
from scoresheets.views.public.sheet import about_the_sheet, opened_row, why_page

#: htmx stops asking when it is told so with this status.
STOP_POLLING = 286
#: Bytes of all fragments: two hundred whole games of eight.
MOST_KEPT = 1_000_000


class Fragment(NamedTuple):
    """What is sent to everybody who watches. No form and no secret but its own address is in it: it may be squeezed."""

    #: A fortieth of the text in memory; to unpack that takes a fifth of a millisecond.
    squeezed: bytes

    @property
    def html(self) -> SafeString:
        """The text as its template has rendered it."""
        return mark_safe(gzip.decompress(self.squeezed).decode())  # noqa: S308

    def answer(self, request: HttpRequest, status: int = 200) -> HttpResponse:
        """The fragment for a browser that can unpack it, or cannot."""
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return HttpResponse(self.html, status=status)
        response = HttpResponse(self.squeezed, status=status, headers={"Content-Encoding": "gzip"})
        patch_vary_headers(response, ["Accept-Encoding"])
        return response


#: The fragments of each sheet for its version: a process renders them once for everybody.
fragments: VersionedCache[Fragment] = VersionedCache(MOST_KEPT)


def fragment_of(sheet: Sheet, template: str) -> Fragment:
    """The fragment of the sheet as it is now."""
    counting = is_being_counted(sheet)
    version = (
        sheet.edition,
        sheet.quiet,
        sheet.title,
        sheet.aliases_version,
        sheet.stakes,
        repr(sheet.also_called),
        counting,
    )

    def render() -> Fragment:
        html = render_to_string(template, watched(sheet, counting=counting))
        return Fragment(compress_string(html.encode()))

    return fragments.get_or_make((sheet.watch, template), version, render, lambda fragment: len(fragment.squeezed))


ROWS = "scoresheets/watch/rows.html"
TOP = "scoresheets/watch/top.html"
CURVE = "scoresheets/score_curve/figure.html"


@require_safe
@cache_control(private=True, no_cache=True)
def watch(request: HttpRequest, watch: str) -> TemplateResponse:
    """The running sheet for everyone who has the address, following the game."""
    sheet = watched_sheet(request, watch)
    opened = opened_row(request)
    rows = fragment_of(sheet, ROWS).html
    if opened:
        rows = render_to_string(ROWS, watched(sheet, opened, counting=is_being_counted(sheet)))
    qr = qr_of(request.build_absolute_uri(request.path))
    preview = tags_of_sheet(request, sheet)
    by = "place" if request.GET.get("by") == "place" else "seat"
    context = {
        "sheet": sheet,
        "rows": rows,
        "by": by,
        "qr": qr,
        "me": seats_of_onlooker(request, sheet),
        # Without a club no session is touched, and the owner finds the sheet in a list.
        "owners_page": owners_page_of(request, sheet) if sheet.home else "",
        "link_preview": preview,
    }
    return TemplateResponse(request, "scoresheets/watch/page.html", context)


@require_safe
def watch_preview(request: HttpRequest, watch: str) -> HttpResponse:
    """The picture that a chat shows with the link."""
    sheet = watched_sheet(request, watch)
    return image_response(request, preview_of_sheet(sheet), lambda: points_of_sheet(sheet))


@require_safe
@cache_control(private=True, no_store=True)
def watch_rows(request: HttpRequest, watch: str) -> HttpResponse:
    """What has changed since version `?v=`: 204 for nothing, else the fragment; 286 with it once all is counted."""
    return news(request, watched_sheet(request, watch), ROWS)


@require_safe
@cache_control(private=True, no_cache=True)
def watch_table(request: HttpRequest, watch: str) -> TemplateResponse:
    """Everybody's total in letters that can be read across the table."""
    sheet = watched_sheet(request, watch)
    return TemplateResponse(
        request, "scoresheets/watch/table.html", {"sheet": sheet, "top": fragment_of(sheet, TOP).html}
    )


@require_safe
@cache_control(private=True, no_store=True)
def watch_top(request: HttpRequest, watch: str) -> HttpResponse:
    """The same as `watch_rows` for the page that is read across the table."""
    return news(request, watched_sheet(request, watch), TOP)


@require_safe
@cache_control(private=True, no_cache=True)
def watch_curve(request: HttpRequest, watch: str) -> HttpResponse:
    """The score curve. With `?only=` it is sent alone, for a page that shows it: nobody has it drawn who does not."""
    sheet = watched_sheet(request, watch)
    curve = fragment_of(sheet, CURVE)
    if "only" in request.GET:
        return curve.answer(request)
    context = {"sheet": sheet, "figure": curve.html, "here": reverse("watch", args=[watch])}
    return TemplateResponse(request, "scoresheets/score_curve/page.html", context)


@require_safe
@cache_control(private=True, no_cache=True)
def watch_why(request: HttpRequest, watch: str, hand: str, seat: int) -> TemplateResponse:
    """Why a number on the sheet is what it is."""
    return why_page(request, read_for(watched_sheet(request, watch), None), reverse("watch", args=[watch]), hand, seat)


def news(request: HttpRequest, sheet: Sheet, template: str) -> HttpResponse:
    """Nothing, or what the page is to show from now on."""
    if sheet.finished_at is not None and not is_being_counted(sheet):
        return fragment_of(sheet, template).answer(request, STOP_POLLING)
    if request.GET.get("v") == shown(sheet):
        return HttpResponse(status=204)
    return fragment_of(sheet, template).answer(request)


def shown(sheet: Sheet) -> str:
    """What a page says it has: the version, and what makes no version: quiet, hidden names, what is played for."""
    beside = ["quiet"] if sheet.quiet else []
    beside += [f"{sheet.aliases_version}"] if sheet.aliases_version else []
    beside += [f"{crc32(sheet.stakes.encode()):x}"] if sheet.stakes else []
    return "-".join([sheet.edition, *beside])


def watched(sheet: Sheet, opened: int = 0, *, counting: bool) -> dict[str, object]:
    """Everything the fragments show. `counting`: more may be called in a moment."""
    reading = read_for(sheet, None)
    # The page asks for it in a moment, and would have to read the sheet again.
    preview_of_sheet(sheet, reading)
    running = RunningSheet(reading, reverse("watch", args=[sheet.watch]), opened)
    return about_the_sheet(reading, running) | {
        "shown": shown(sheet),
        "top": TableTop(reading),
        "standing": ByPlace(reading),
        "drawing": CurveDrawing(ScoreCurve(reading)),
        "counting": counting,
        "streaks": current_streaks(reading),
    }
