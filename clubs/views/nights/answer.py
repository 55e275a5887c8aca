"""Answering for a night before it begins, from its page and from the page of the club."""

from __future__ import annotations

from urllib.parse import urldefrag

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.access.next_page import next_of
from clubs.access.visit import enter
from clubs.nights.replies import NO_KEY, NotAnswered
from clubs.views.nights.coming import person_of, source_of, take, to_who_are_you
from clubs.views.nights.night import night_page
from clubs.views.nights.nights import night_of

#: Where on a page one answers.
PLACE = "#coming"


@never_cache
@require_POST
def answer_night(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What the button `do` says: yes, no, late (`comes`), undo, or not-here.

    Nobody answers who has not said who they are, nor on a phone that did not come by the club's link.
    """
    visit = enter(request, slug)
    night = night_of(visit, pk)
    me = person_of(visit)
    if me is None and not visit.phone_counts:
        return night_page(request, visit, pk, wrong=NO_KEY, status=403)
    if me is None:
        return to_who_are_you(visit, night.get_absolute_url())
    try:
        take(night, me, request, source=source_of(visit))
    except NotAnswered as error:
        return night_page(request, visit, pk, wrong=str(error), status=422)
    there, _ = urldefrag(next_of(request, night.get_absolute_url()))
    return HttpResponseRedirect(there + PLACE, status=303)
