"""The settings of a club, its QR code, its audit log, and founding a club."""

from __future__ import annotations

from urllib.parse import urlencode

from allauth.core import ratelimit
from django.conf import settings
from django.core.paginator import Paginator
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.access.visit import Role, Visit, enter, require_account
from clubs.club import first_steps
from clubs.club import settings as club_settings_commands
from clubs.club.forms import TAKEN_BY_ANOTHER, Founding, Particulars, zones
from clubs.club.founding import NO_CODE, create_club, is_good
from clubs.club.organiser_codes import club_of_code
from clubs.site.error_views import too_often
from scoresheets.access.qr import qr_code
from scoresheets.access.scorekeepers import SECRET

#: Entries of the audit log on a page.
MOST_LINES = 50


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def found_club(request: HttpRequest) -> HttpResponse:
    """GET: `?code=` is written into the form, and not used up. POST: the club is there; who founded it organises it."""
    user = require_account(request)
    needs_code = not user.is_superuser
    if request.method != "POST":
        initial = {"code": request.GET.get("code", "")[:60], "time_zone": settings.TIME_ZONE}
        return founding_page(request, Founding(initial=initial, needs_code=needs_code))
    if not ratelimit.consume(request, action="found_club", dry_run=True):
        return too_often(request)
    if club_of_code(request.POST.get("code", "")[:60]):
        # It is no founding code: it makes somebody an organiser.
        code = urlencode({"code": request.POST["code"][:60]})
        return HttpResponseRedirect(f"{reverse('become_organiser')}?{code}", status=303)
    form = Founding(request.POST, needs_code=needs_code)
    form.full_clean()
    if needs_code and "code" in form.cleaned_data and not is_good(form.cleaned_data["code"]):
        ratelimit.consume(request, action="found_club")
        form.add_error("code", NO_CODE)
    if not form.is_valid():
        return founding_page(request, form, status=422)
    club = create_club(user, **form.cleaned_data)
    if club is None:
        form.add_error("code", NO_CODE)
        return founding_page(request, form, status=409)
    return HttpResponseRedirect(reverse("organise", args=[club.slug]), status=303)


def founding_page(request: HttpRequest, form: Founding, *, status: int = 200) -> TemplateResponse:
    return TemplateResponse(request, "clubs/club/found.html", {"form": form, "zones": sorted(zones())}, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def club_settings(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: what is settled. POST: what the button `do` says; none: keep what was typed."""
    visit = enter(request, slug, Role.ORGANISER)
    if request.method != "POST":
        return settings_page(request, visit, Particulars(club=visit.club))
    do = request.POST.get("do", "")
    if do in first_steps.DEEDS:
        first_steps.DEEDS[do](visit.club)
        there = "club_qr_code" if do == "open-code" else "club"
        return HttpResponseRedirect(reverse(there, args=[slug]), status=303)
    deed = DEEDS.get(do)
    if deed:
        saw = request.POST.get("saw", "")
        # A key is looked for as it stands: PostgreSQL takes no text with a NUL in it.
        deed(visit, saw if SECRET.fullmatch(saw) else "")
        return HttpResponseRedirect(request.path, status=303)
    form = Particulars(request.POST, club=visit.club)
    if not form.is_valid():
        return settings_page(request, visit, form, status=422)
    try:
        club_settings_commands.settle(visit.club, form.cleaned_data, by=visit.member)
    except IntegrityError:
        # At the same moment another club was given that address.
        form.add_error("slug", TAKEN_BY_ANOTHER)
        return settings_page(request, visit, form, status=422)
    return HttpResponseRedirect(reverse("club_settings", args=[form.cleaned_data["slug"]]), status=303)


def new_link(visit: Visit, saw: str) -> None:
    club_settings_commands.new_link(visit.club, saw=saw, by=visit.member)


def new_calendar(visit: Visit, saw: str) -> None:
    club_settings_commands.new_calendar(visit.club, saw=saw, by=visit.member)


def put_away(visit: Visit, saw: str) -> None:
    club_settings_commands.put_away(visit.club, by=visit.member)


def bring_back(visit: Visit, saw: str) -> None:
    club_settings_commands.bring_back(visit.club, by=visit.member)


DEEDS = {"new-link": new_link, "new-calendar": new_calendar, "put-away": put_away, "bring-back": bring_back}


def settings_page(request: HttpRequest, visit: Visit, form: Particulars, *, status: int = 200) -> TemplateResponse:
    context = {"visit": visit, "club": visit.club, "here": "organise", "form": form, "zones": sorted(zones())}
    return TemplateResponse(request, "clubs/club/settings.html", context, status=status)


@never_cache
@require_safe
def club_qr_code(request: HttpRequest, slug: str) -> TemplateResponse:
    """The club's QR code, for whoever is in: on a phone that is passed round, and printed for the wall.

    In a public club a stranger, too, sees it: it has no key that they do not have.
    """
    visit = enter(request, slug)
    club = visit.club
    address = request.build_absolute_uri(visit.way_in)
    context = {"visit": visit, "club": club, "here": "organise", "address": address, "qr": qr_code(address)}
    return TemplateResponse(request, "clubs/club/qr_code.html", context)


@never_cache
@require_safe
def audit_log(request: HttpRequest, slug: str) -> TemplateResponse:
    """The audit log of the club, newest first."""
    visit = enter(request, slug, Role.ORGANISER)
    page = Paginator(visit.club.audit_entries.select_related("by"), MOST_LINES).get_page(request.GET.get("page"))
    context = {"visit": visit, "club": visit.club, "here": "organise", "page": page}
    return TemplateResponse(request, "clubs/club/audit_log.html", context)
