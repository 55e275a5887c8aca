"""The front page of a club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import Role, enter
from clubs.club.first_steps import first_steps
from clubs.evening.gone_home import due_to_gone
from clubs.evening.summary import evenings, last_night, next_night, tonight
from clubs.evening.this_phone import go_on
from clubs.link_previews import previews
from clubs.link_previews.tags import tags_of
from clubs.nights.replies import night_at_door
from clubs.season_course.last_visit import remember, visit_news
from clubs.standings.league import league_now
from clubs.trophies.register import holdings
from clubs.views.club.menu import sections_of, waiting_in
from clubs.views.nights.coming import coming_to
from scoresheets.access.scorekeepers import browser_of
from scoresheets.link_previews.image import image_response
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
    held, ahead = holdings(visit.club), next_night(visit.club)
    asked = next((night for night in [*nights, ahead] if night and night.begun_at is None), None)
    at_door = night_at_door(nights)
    coming = {of.night.pk: of for of in coming_to(request, visit, [night for night in (asked, at_door) if night])}
    picture = reverse("club_preview", args=[slug])
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "club",
        "link_preview": tags_of(request, visit.club, previews.of_club(visit.club, held, ahead), picture),
        "go_on": go_on(Sheet.objects.kept_by(browser_of(request)).filter(table__night__club=visit.club)[:MOST_SHEETS]),
        "holdings": held,
        "evenings": shown,
        "door": coming.get(at_door.pk) if at_door else None,
        "due": due_to_gone(shown),
        "today": visit.club.today(),
        "next_night": ahead,
        "coming": coming.get(asked.pk) if asked else None,
        "last_night": None if over else last,
        "first_steps": first_steps(visit.club) if visit.organises else [],
    }
    if not visit.me:
        return TemplateResponse(request, "clubs/club/home.html", context)
    holders = [(holding.trophy, holding.won) for holding in held if holding.won]
    since, seen, now = visit_news(request, visit.club, visit.me, league_now(visit.club), holders)
    response = TemplateResponse(request, "clubs/club/home.html", context | {"since": since})
    remember(request, response, visit.club, seen, now)
    return response


@require_safe
def club_preview(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture that a chat shows with the link."""
    club = enter(request, slug).club
    return image_response(request, previews.of_club(club, holdings(club), next_night(club)))


@never_cache
@require_safe
def organise(request: HttpRequest, slug: str) -> TemplateResponse:
    """Everything an organiser does, one tap away, and what waits for them."""
    visit = enter(request, slug, Role.ORGANISER)
    nights, ahead = tonight(visit.club), next_night(visit.club)
    for each in [*nights, *([ahead] if ahead else [])]:
        each.club = visit.club
    night = nights[0] if nights else None
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "waiting": waiting_in(visit.club, nights, ahead),
        "sections": sections_of(visit.club, night, ahead),
    }
    return TemplateResponse(request, "clubs/club/menu.html", context)
