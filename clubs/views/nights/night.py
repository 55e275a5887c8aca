"""The public page of a night."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.club_key import shared_address
from clubs.access.visit import Visit, enter
from clubs.evening.summary import Evening, evenings, mark_of, seen_of, tables_of
from clubs.link_previews import previews
from clubs.link_previews.tags import tags_of
from clubs.models import Night
from clubs.nights.roll_call import roll
from clubs.photos.photos import may_add
from clubs.play_off_page.report import five_lines, mail_of, trophies
from clubs.play_offs.plan_text import instead
from clubs.stories.story import is_over
from clubs.trophies.register import defences, holdings
from clubs.views.nights.coming import coming_to
from scoresheets.access.scorekeepers import browser_of
from scoresheets.link_previews.image import image_response
from scoresheets.models import Scorekeeper

#: htmx stops asking when it is told so with this status.
STOP_POLLING = 286


@require_safe
@vary_on_cookie
def night(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """When and where, who comes, the tables as they stand, and in the end the result."""
    visit = enter(request, slug)
    try:
        evening = evening_of(visit, pk)
    except Http404:
        if not visit.club.nights.filter(pk=pk).exists():
            raise
        # It was put away, and the sheets of its tables still lead here.
        return HttpResponseRedirect(visit.club.get_absolute_url())
    return page_of(request, visit, evening)


def night_page(request: HttpRequest, visit: Visit, pk: int, *, wrong: str, status: int) -> TemplateResponse:
    """The page, with what is `wrong` about an answer: beside the buttons, or on top where there are none any more."""
    return page_of(request, visit, evening_of(visit, pk), wrong=wrong, status=status)


def page_of(
    request: HttpRequest, visit: Visit, evening: Evening, *, wrong: str = "", status: int = 200
) -> TemplateResponse:
    context = about(visit, evening) | {"here": "nights", "mine": sheets_of(request, evening), "problem": wrong}
    context["is_over"] = is_over(evening)
    picture = reverse("night_preview", args=[visit.club.slug, evening.night.pk])
    context["link_preview"] = tags_of(request, visit.club, previews.of_night(evening), picture)
    if evening.night.begun_at is None:
        held = holdings(visit.club)
        (coming,) = coming_to(request, visit, [evening.night])
        context |= {"coming": coming, "holdings": held, "defences": defences(evening.night, held)}
        if coming.me and coming.is_open and not evening.tables:
            context |= {"wrong": wrong, "problem": ""}
        context |= {"instead": instead(evening.night, roll(evening.night)) if visit.organises else ""}
    else:
        context |= photos_of(visit, evening.night)
    if evening.night.closed_at:
        context["moved"] = f"Trophies: {trophies(evening.night)}"
    if visit.organises and evening.night.closed_at:
        address = shared_address(request, visit.club, evening.night.get_absolute_url())
        context |= result_of(evening, address)
    return TemplateResponse(request, "clubs/nights/night.html", context, status=status)


@require_safe
def night_preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The picture that a chat shows with the link."""
    return image_response(request, previews.of_night(evening_of(enter(request, slug), pk)))


@require_safe
@cache_control(private=True, no_store=True)
def night_tables(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The tables as they stand, if that is not `?v=`: 204 for nothing new, 286 when the night is closed."""
    return news(request, enter(request, slug), pk, "clubs/nights/night_tables.html")


# What the pages of the night share


def photos_of(visit: Visit, night: Night) -> dict[str, object]:
    """The photos of a night, and whether this visitor may add one. One query."""
    if visit.club.is_evening:
        return {}
    return {"photos": list(night.photos.without_pictures()), "adds_photos": may_add(visit), "has_photos": True}


def result_of(evening: Evening, address: str) -> dict[str, object]:
    """The five lines, and the mail in which they stand already."""
    lines = five_lines(evening, address)
    return {"lines": lines, "mail": mail_of(evening.night, lines)}


def news(request: HttpRequest, visit: Visit, pk: int, template: str, *, ticks: bool = False) -> HttpResponse:
    """Nothing, or the part of the page that has changed: no sheet is read to tell. It `ticks`: every minute is news."""
    night = night_of(visit, pk)
    tables = tables_of([night])
    closed = night.closed_at is not None
    if request.GET.get("v") == marked(mark_of(night, tables), ticks=ticks) and not closed:
        return HttpResponse(status=204)
    (evening,) = seen_of([night], tables)
    context = about(visit, evening, ticks=ticks) | {"mine": sheets_of(request, evening)}
    return TemplateResponse(request, template, context, status=STOP_POLLING if closed else 200)


def marked(mark: str, *, ticks: bool) -> str:
    """What a page says it has; one that ticks has it for this minute."""
    return f"{mark}-{timezone.now():%H%M}" if ticks else mark


def night_of(visit: Visit, pk: int) -> Night:
    """The night of that id in this club; 404 where there is none."""
    night = get_object_or_404(visit.club.nights.standing().select_related("trophies_table"), pk=pk)
    night.club = visit.club
    return night


def evening_of(visit: Visit, pk: int) -> Evening:
    """The same, with its tables as they stand."""
    return evenings([night_of(visit, pk)])[0]


def about(visit: Visit, evening: Evening, *, ticks: bool = False) -> dict[str, object]:
    """What every page of the night shows; where it `ticks`, for an organiser, also how many names wait."""
    tables = [seen.table for seen in evening.tables]
    context: dict[str, object] = {
        "visit": visit,
        "club": visit.club,
        "evening": evening,
        "night": evening.night,
        "mark": marked(mark_of(evening.night, tables), ticks=ticks),
    }
    if ticks:
        context["waiting"] = len(evening.attendance.unmatched)
    return context


def sheets_of(request: HttpRequest, evening: Evening) -> set[int]:
    """The sheets (ids) of the night on which this phone may write by its secret."""
    browser = browser_of(request)
    sheets = [seen.table.sheet_id for seen in evening.tables if seen.table.sheet_id]
    if not browser or not sheets:
        return set()
    kept = Scorekeeper.objects.filter(browser=browser, revoked_at__isnull=True, sheet__in=sheets)
    return set(kept.values_list("sheet", flat=True))
