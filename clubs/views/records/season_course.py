"""The course of a standing: its race chart, and the nights that are left out."""

from __future__ import annotations

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import enter
from clubs.season_course.course import course_of
from clubs.season_course.dropped_nights import dropped_rows
from clubs.season_course.race_chart import RaceChart
from clubs.standings.compute import terms_of
from clubs.views.records.standings import season_of


@require_safe
@vary_on_cookie
def race_chart(request: HttpRequest, slug: str, which: str) -> TemplateResponse:
    """Everybody's place after each night. `line` in the address brings the line of that member (id) forward."""
    visit = enter(request, slug)
    season = season_of(visit.club, which)
    course = course_of(visit.club, season)
    chosen = number_in(request.GET.get("line", "")) if "line" in request.GET else visit.me
    context = {
        "visit": visit, "club": visit.club, "here": "standings", "season": season, "which": which,
        "course": course, "chart": RaceChart(course, chosen) if course.stops else None,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/season_course/race_chart.html", context)


def number_in(text: str) -> int:
    """The id that an address gives; 0 for anything else."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


@require_safe
@vary_on_cookie
def nights_left_out(request: HttpRequest, slug: str, which: str) -> TemplateResponse:
    """Which nights are left out of everybody's points, and what the standing would be with all of them."""
    visit = enter(request, slug)
    season = season_of(visit.club, which)
    context = {
        "visit": visit, "club": visit.club, "here": "standings", "season": season, "which": which,
        "terms": terms_of(season), "rows": dropped_rows(visit.club, season) if season else [],
    }  # fmt: skip
    return TemplateResponse(request, "clubs/season_course/nights_left_out.html", context)
