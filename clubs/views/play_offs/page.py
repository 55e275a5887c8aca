"""The public page of a play-off: groups and finals, what is open, and how it ended."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import Role, Visit, enter
from clubs.link_previews import previews
from clubs.link_previews.tags import tags_of
from clubs.models import PlayOff
from clubs.play_off_page.cache import rendered_page
from clubs.play_off_page.next_step import next_thing, stops_of
from clubs.play_off_page.page import Followed, mark_of_play_off
from clubs.play_off_rounds import stages
from clubs.play_off_rounds.next_tables import done_after_groups
from clubs.tables.control import NotStopped
from clubs.trophies.register import open_questions
from clubs.views.nights.night import STOP_POLLING
from scoresheets.link_previews.image import image_response
from scoresheets.log.append import is_key
from scoresheets.models.sheet import new_token


@require_safe
@vary_on_cookie
@cache_control(private=True, no_cache=True)
def play_off(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Everything there is to see of it; the evening's record, when it is over."""
    visit = enter(request, slug)
    chosen = play_off_of(visit, pk)
    if chosen.called_off_at:
        return called_off(request, visit, chosen)
    context = whole(visit, chosen)
    preview, picture = previews.of_play_off(context["followed"]), reverse("play_off_preview", args=[slug, pk])
    context["link_preview"] = tags_of(request, visit.club, preview, picture)
    return TemplateResponse(request, "clubs/play_offs/play_off.html", context)


@require_safe
def play_off_preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The picture that a chat shows with the link."""
    visit = enter(request, slug)
    chosen = play_off_of(visit, pk)
    if chosen.called_off_at:
        raise Http404
    followed = rendered_page(chosen, mark_of_play_off(chosen, chosen.night)).followed
    return image_response(request, previews.of_play_off(followed))


@require_safe
@cache_control(private=True, no_store=True)
def play_off_now(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What has changed since `?v=`: 204 for nothing, 286 where nothing changes any more."""
    visit = enter(request, slug)
    play_off = play_off_of(visit, pk)
    if play_off.called_off_at:
        # The page says so when it is loaded again: htmx does that for this header.
        return HttpResponse(status=200, headers={"HX-Refresh": "true"})
    mark = mark_of_play_off(play_off, play_off.night)
    closed = play_off.night.closed_at is not None
    if request.GET.get("v") == mark and not closed:
        return HttpResponse(status=204)
    context = about(visit, play_off, mark)
    return TemplateResponse(request, "clubs/play_offs/now.html", context, status=STOP_POLLING if closed else 200)


@require_POST
def stop_stage(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """All tables of a round stop after the same hand, which none of them has scored: both finals too."""
    visit = enter(request, slug, Role.ORGANISER)
    play_off = play_off_of(visit, pk)
    if play_off.called_off_at:
        # Each of its tables plays for itself.
        return called_off(request, visit, play_off, status=409)
    hand, key = number(request.POST.get("hand", "")), request.POST.get("key", "")
    round_ = play_off.stages.standing().filter(number=number(request.POST.get("round", "")))
    try:
        with transaction.atomic():
            for stage in round_ if is_key(key) else ():
                stages.stop_stage(request, visit, stage, hand, key=key)
    except NotStopped as problem:
        context = whole(visit, play_off) | {"problem": str(problem)}
        return TemplateResponse(request, "clubs/play_offs/play_off.html", context, status=422)
    back = reverse("control", args=[slug, pk]) if request.POST.get("from") == "control" else play_off.get_absolute_url()
    return HttpResponseRedirect(back, status=303)


# What they share


def play_off_of(visit: Visit, pk: int) -> PlayOff:
    """The play-off of the night of that id in this club, else the last that was called off; 404 where there is none."""
    # Django finds no row for a number beyond 64 bits on a primary key, and breaks for one on a foreign key.
    play_offs = PlayOff.objects.filter(night__pk=pk, night__club=visit.club, night__archived_at__isnull=True)
    latest = F("called_off_at").desc(nulls_first=True)
    chosen = play_offs.select_related("night").order_by(latest, "-pk").first()
    if chosen is None:
        raise Http404
    chosen.night.club = visit.club
    return chosen


def called_off(request: HttpRequest, visit: Visit, play_off: PlayOff, *, status: int = 200) -> TemplateResponse:
    """That it was called off, and the way back."""
    context = {"visit": visit, "club": visit.club, "here": "nights", "night": play_off.night, "play_off": play_off}
    return TemplateResponse(request, "clubs/play_offs/called_off.html", context, status=status)


def about(visit: Visit, play_off: PlayOff, mark: str = "") -> dict[str, Any]:
    """What page and fragment show, the reader's own rows lit."""
    mark = mark or mark_of_play_off(play_off, play_off.night)
    page = rendered_page(play_off, mark)
    context: dict[str, Any] = {
        "visit": visit, "club": visit.club, "here": "nights", "night": play_off.night, "play_off": play_off,
        "mark": mark,
        "followed": page.followed, "body": page.lit_for(visit.players), "says": page.followed.says_to(visit.players),
    }  # fmt: skip
    if visit.organises:
        waiting = open_questions(visit.club, night=play_off.night) if page.followed.now.is_over else []
        context |= {"next": next_thing(page.followed, waiting), "holdings": waiting}
        context["from"] = f"play-off-{play_off.night_id}"
    return context


def whole(visit: Visit, play_off: PlayOff) -> dict[str, Any]:
    """What the whole page shows: the forms of organisers too, which no news takes out of their hands."""
    context = about(visit, play_off)
    followed = context["followed"]
    if visit.organises and isinstance(followed, Followed):
        goes_on = not followed.now.is_over and play_off.night.closed_at is None
        context |= {
            "key": new_token(), "stops": stops_of(followed.of_stages),
            "done_early": done_after_groups(followed.now) if goes_on else [],
        }  # fmt: skip
    return context


def number(typed: str) -> int:
    """A number as a form sends it; 0 for anything else."""
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else 0
