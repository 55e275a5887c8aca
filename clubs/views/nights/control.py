"""The control page, on which an organiser runs the night."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access.club_key import shared_address
from clubs.access.visit import Role, enter
from clubs.evening.gone_home import due_to_gone
from clubs.models import Night
from clubs.play_off_page.next_step import stops_of
from clubs.tables import control as tables_control
from clubs.trophies.register import open_questions
from clubs.views.nights.night import about, evening_of, news, result_of
from scoresheets.log.append import is_key
from scoresheets.models.sheet import new_token


@never_cache
@require_safe
def control(request: HttpRequest, slug: str, pk: int) -> TemplateResponse:
    """One line a table, and what can be said to all of them."""
    visit = enter(request, slug, Role.ORGANISER)
    evening = evening_of(visit, pk)
    address = shared_address(request, visit.club, evening.night.get_absolute_url())
    more = {"here": "organise", "key": new_token(), "stops": stops_of(evening.of_stages)} | result_of(evening, address)
    if any(seen.is_over for seen in evening.tables):
        old = is_old(evening.night)
        more |= {"holdings": open_questions(visit.club, night=evening.night if old else None), "from": f"night-{pk}"}
        more |= {"due": due_to_gone([evening])}
    return TemplateResponse(request, "clubs/tables/control.html", about(visit, evening, ticks=True) | more)


def is_old(night: Night) -> bool:
    """Whether it is over: what waits from other nights is asked where the club plays now."""
    later = Night.objects.standing().filter(club=night.club_id, on__gt=night.on, begun_at__isnull=False)
    return night.closed_at is not None or later.exists()


@never_cache
@require_safe
def control_tables(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The lines of the tables, if they are not `?v=`: 204 for nothing new."""
    return news(request, enter(request, slug, Role.ORGANISER), pk, "clubs/tables/control_tables.html", ticks=True)


@require_POST
def announce_last(request: HttpRequest, slug: str, pk: int) -> HttpResponseRedirect:
    """All tables stop after the hand that is open; `do` is "back": they play on."""
    visit = enter(request, slug, Role.ORGANISER)
    night = get_object_or_404(visit.club.nights.standing(), pk=pk)
    key = request.POST.get("key", "")
    if is_key(key):
        tell = (
            tables_control.play_on_everywhere if request.POST.get("do") == "back" else tables_control.announce_last_hand
        )
        tell(request, visit, night, key=key)
    return to_control(night)


@require_POST
def answer_table(request: HttpRequest, slug: str, pk: int, table: int) -> HttpResponseRedirect:
    """The organiser is on their way to the table that asked for them."""
    visit = enter(request, slug, Role.ORGANISER)
    night = get_object_or_404(visit.club.nights.standing(), pk=pk)
    tables_control.answer_table(get_object_or_404(night.tables.standing(), pk=table))
    return to_control(night)


@require_POST
def close_night(request: HttpRequest, slug: str, pk: int) -> HttpResponseRedirect:
    """The night is over; `do` is "open": it is not."""
    visit = enter(request, slug, Role.ORGANISER)
    night = get_object_or_404(visit.club.nights.standing(), pk=pk)
    if request.POST.get("do") == "open":
        tables_control.open_again(night, visit)
    else:
        tables_control.close(night, visit)
    return to_control(night)


def to_control(night: Night) -> HttpResponseRedirect:
    return HttpResponseRedirect(reverse("control", args=[night.club.slug, night.pk]), status=303)
