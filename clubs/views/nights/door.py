"""Checking in at the door: the QR code of the club leads here on the evening of a night."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Visit, enter
from clubs.evening.summary import tonight
from clubs.nights import replies
from clubs.nights.replies import NotAnswered, answers_of
from clubs.views.nights.coming import Coming, person_of, source_of, to_who_are_you


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def door(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: who is at the door of tonight's night; a phone that does not know who uses it is asked. POST: they are here,
    or (`do=undo`) not after all.
    """
    visit = enter(request, slug)
    coming = at_the_door(visit)
    if coming is None:
        return HttpResponseRedirect(visit.club.get_absolute_url(), status=303)
    if coming.me is None:
        if not visit.phone_counts:
            return HttpResponseRedirect(visit.club.get_absolute_url(), status=303)
        return to_who_are_you(visit, request.path)
    if request.method != "POST":
        return door_page(request, visit, coming)
    try:
        if request.POST.get("do") == "undo":
            replies.check_out(coming.night, coming.me, source=source_of(visit))
        else:
            replies.check_in(coming.night, coming.me, source=source_of(visit))
    except NotAnswered as error:
        return door_page(request, visit, coming, wrong=str(error), status=409)
    return HttpResponseRedirect(request.path, status=303)


def door_page(
    request: HttpRequest, visit: Visit, coming: Coming, *, wrong: str = "", status: int = 200
) -> TemplateResponse:
    context = {
        "visit": visit, "club": visit.club, "here": "club", "coming": coming, "night": coming.night,
        "wrong": wrong,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/nights/door.html", context, status=status)


def at_the_door(visit: Visit) -> Coming | None:
    """The night that people check in to now, for this visitor; None: there is none. Four queries at most."""
    night = None if visit.club.is_evening else replies.night_at_door(tonight(visit.club))
    return Coming(answers_of([night])[night.pk], person_of(visit)) if night else None


def to_the_door(visit: Visit) -> str:
    """The path to which the QR code of the club leads: to the door, while somebody is to check in there."""
    coming = at_the_door(visit)
    is_wanted = coming is not None and not coming.is_here
    return reverse("door", args=[visit.club.slug]) if is_wanted else visit.club.get_absolute_url()
