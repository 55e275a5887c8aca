"""The page of a night for a big screen in the room."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import Visit, enter
from clubs.evening.summary import mark_of, seen_of, tables_of
from clubs.models import Night, Table
from clubs.views.nights.night import STOP_POLLING, marked, night_of
from clubs.wall.wall import wall_of
from scoresheets.access.qr import qr_of
from scoresheets.access.scorekeepers import REFERRER_POLICY


@require_safe
@vary_on_cookie
@cache_control(private=True, no_cache=True)
def wall(request: HttpRequest, slug: str, pk: int) -> TemplateResponse:
    """All tables, the play-off, standings and trophies, to be shown in turn."""
    visit = enter(request, slug)
    night = night_of(visit, pk)
    response = TemplateResponse(request, "clubs/wall/page.html", about(request, visit, night, tables_of([night])))
    # The code for other phones may be in it.
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


@require_safe
@cache_control(private=True, no_store=True)
def wall_now(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What has changed since `?v=`: 204 for nothing, 286 once the night is closed and all is counted."""
    visit = enter(request, slug)
    night = night_of(visit, pk)
    tables = tables_of([night])
    is_final = night.closed_at is not None and not visit.club.is_being_counted
    if request.GET.get("v") == mark(visit, night, tables) and not is_final:
        return HttpResponse(status=204)
    context = about(request, visit, night, tables)
    return TemplateResponse(request, "clubs/wall/wall.html", context, status=STOP_POLLING if is_final else 200)


def mark(visit: Visit, night: Night, tables: list[Table]) -> str:
    """What the page says it has: every minute is news, and so is that everything is counted."""
    counting = "-counting" if visit.club.is_being_counted else ""
    return marked(mark_of(night, tables), ticks=True) + counting


def about(request: HttpRequest, visit: Visit, night: Night, tables: list[Table]) -> dict[str, object]:
    """What page and fragment show: the same to everybody."""
    (evening,) = seen_of([night], tables)
    return {
        "visit": visit,
        "club": visit.club,
        "night": night,
        "evening": evening,
        "wall": wall_of(evening),
        "mark": mark(visit, night, tables),
        "goes_on": night.closed_at is None or visit.club.is_being_counted,
        "shown_at": timezone.now(),
        "qr": qr_of(request.build_absolute_uri(visit.way_in)),
    }
