"""The front page of a club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import Role, enter
from clubs.evening.gone_home import due_to_gone
from clubs.evening.summary import evenings, last_night, next_night, tonight
from clubs.evening.this_phone import go_on
from clubs.trophies.register import holdings
from clubs.views.club.menu import sections_of, waiting_in
from scoresheets.access.scorekeepers import browser_of
from scoresheets.models import Sheet

#: Of the sheets of this club that were kept on this phone the latest.
MOST_SHEETS = 6


@require_safe
@vary_on_cookie
def club(request: HttpRequest, slug: str) -> HttpResponse:
    """Both trophies and who holds them, tonight's tables, and the way to everything else.

    An evening without a club has its night instead.
    """
    visit = enter(request, slug)
    night = visit.club.nights.standing().first() if visit.club.is_evening else None
    if night:
        return HttpResponseRedirect(reverse("night", args=[slug, night.pk]))
    nights = tonight(visit.club)
    last = None if any(night.begun_at for night in nights) else last_night(visit.club)
    # On the way home people still look at the tables of the evening.
    over = last if last and last.on == visit.club.today() else None
    shown = evenings([over, *nights] if over else nights)
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "club",
        "go_on": go_on(Sheet.objects.kept_by(browser_of(request)).filter(table__night__club=visit.club)[:MOST_SHEETS]),
        "holdings": holdings(visit.club),
        "evenings": shown,
        "due": due_to_gone(shown),
        "today": visit.club.today(),
        "next_night": next_night(visit.club),
        "last_night": None if over else last,
    }
    return TemplateResponse(request, "clubs/club/home.html", context)


@never_cache
@require_safe
def organise(request: HttpRequest, slug: str) -> TemplateResponse:
    """Everything an organiser does, one tap away, and what waits for them."""
    visit = enter(request, slug, Role.ORGANISER)
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "waiting": waiting_in(visit.club),
        "sections": sections_of(visit.club),
    }
    return TemplateResponse(request, "clubs/club/menu.html", context)
