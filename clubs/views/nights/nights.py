"""Nights of a club: the list, planning one, changing one."""

from __future__ import annotations

import datetime
import hashlib

from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.audit_log import write_down
from clubs.access.club_key import shared_address
from clubs.access.visit import Role, Visit, enter, is_shown, visit_to
from clubs.evening.summary import is_on
from clubs.models import Club, Night
from clubs.nights.calendar import Addresses, calendar_of
from clubs.nights.form import PLANNED, NightPlan, read_day
from clubs.nights.nights import MOST_AT_ONCE, bring_back, evenings_of, plan_nights, put_away
from clubs.nights.repetition import rhythm_text
from clubs.tables.open import AT_TABLE, Follows, follow, say_stakes, trophy_tables
from clubs.tables.packing import pack, things_for
from scoresheets.log.append import is_id
from scoresheets.models.sheet import is_token

#: Nights on a page.
MOST_NIGHTS = 30
NO_GOOD_DAY = "One of these is not a day. Correct it, or leave it out."
NO_NIGHTS = "Choose at least one day."
NO_ANSWER = "Choose one of these first."


def night_of(visit: Visit, pk: int) -> Night:
    """The night of that number in the club one visits; 404 where it has none, or put it away for all but organisers."""
    if not is_id(pk):
        raise Http404
    nights = visit.club.nights.all() if visit.organises else visit.club.nights.standing()
    night = get_object_or_404(nights.select_related("trophies_table"), pk=pk)
    night.club = visit.club
    return night


def held(visit: Visit, night: Night) -> Night:
    """The night as it stands now, which nobody else changes until the transaction is over."""
    fresh = Night.objects.select_for_update(of=("self",)).select_related("trophies_table").get(pk=night.pk)
    fresh.club = visit.club
    return fresh


def shown_from_the_top(page: TemplateResponse) -> TemplateResponse:
    """The page, whose sentence about what went wrong is on top: it is shown even where only a part was asked for."""
    page["HX-Reswap"] = "outerHTML show:window:top"
    return page


def whole(text: str) -> int:
    """A row's number; 0 for what can be none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else 0


@require_safe
@vary_on_cookie
def nights(request: HttpRequest, slug: str) -> TemplateResponse:
    """Tonight's; those to come, the next first; those that were, the last first; put away ones for organisers."""
    visit = enter(request, slug)
    today = visit.club.today()
    listed = visit.club.nights.standing()
    not_over = is_on(visit.club) | Q(on__gt=today, closed_at__isnull=True)
    past = Paginator(listed.exclude(not_over), MOST_NIGHTS).get_page(request.GET.get("page"))
    ahead = list(listed.filter(not_over).order_by("on", "begins", "pk"))
    shown = evenings_of([*ahead, *past])
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "nights",
        "tonight": [evening for evening in shown[: len(ahead)] if evening.night.on <= today],
        "to_come": [evening for evening in shown[: len(ahead)] if evening.night.on > today],
        "past": shown[len(ahead) :],
        "page": past,
        "archived": visit.club.nights.filter(archived_at__isnull=False) if visit.organises else (),
    }
    return TemplateResponse(request, "clubs/nights/nights.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plan_night(request: HttpRequest, slug: str) -> HttpResponse:
    """Another night, or a series of them."""
    visit = enter(request, slug, Role.ORGANISER)
    do = request.POST.get("do", "")
    form = NightPlan(request.POST or None, club=visit.club)
    if request.method != "POST" or do == "edit" or not form.is_valid():
        return plan_page(request, visit, form, status=422 if request.POST and do != "edit" else 200)
    if not form.is_series:
        (night,) = plan_nights(form.planned())
        write_down(visit.club, f"Planned {night} on {night.on:%Y-%m-%d}.", by=visit.member)
        return HttpResponseRedirect(night.get_absolute_url(), status=303)
    if do != "plan":
        return series_page(request, visit, form, [(day.isoformat(), True) for day in form.days])
    chosen = chosen_days(request, visit.club)
    days = sorted({day for _, day, is_kept in chosen if is_kept and day})
    if not days or any(is_kept and day is None for _, day, is_kept in chosen):
        wrong = NO_NIGHTS if not any(is_kept for _, _, is_kept in chosen) else NO_GOOD_DAY
        lines = [(typed, is_kept) for typed, _, is_kept in chosen]
        return series_page(request, visit, form, lines, wrong=wrong, status=422)
    plan_nights(form.planned(), days)
    entry = f"Planned {len(days)} night{'' if len(days) == 1 else 's'} from {days[0]:%Y-%m-%d} on."
    write_down(visit.club, entry, by=visit.member)
    return HttpResponseRedirect(reverse("nights", args=[slug]), status=303)


def plan_page(request: HttpRequest, visit: Visit, form: NightPlan, *, status: int = 200) -> TemplateResponse:
    context = {"visit": visit, "club": visit.club, "here": "nights", "form": form}
    return TemplateResponse(request, "clubs/nights/plan.html", context, status=status)


def chosen_days(request: HttpRequest, club: Club) -> list[tuple[str, datetime.date | None, bool]]:
    """The lines of the preview of a series: what stands there, its day (None: none that can be meant), and whether it
    is kept.
    """
    kept = request.POST.getlist("keep")
    typed = [request.POST.get(f"day-{number}", "") for number in range(1, MOST_AT_ONCE + 1)]
    return [(text[:10], read_day(text, club), str(number) in kept) for number, text in enumerate(typed, 1) if text]


def series_page(
    request: HttpRequest, visit: Visit, form: NightPlan, lines: list[tuple[str, bool]], *, wrong: str = "",
    status: int = 200,
) -> TemplateResponse:  # fmt: skip
    """The days of a series, before anything is planned: each can be moved or left out. One query."""
    days = [read_day(text, visit.club) for text, _ in lines]
    there = visit.club.nights.standing().filter(on__in=[day for day in days if day])
    planned = {night.on: night for night in there}
    context = {
        "visit": visit, "club": visit.club, "here": "nights", "form": form, "wrong": wrong,
        "lines": [
            {"typed": text, "day": day, "there": planned.get(day) if day else None,
             "is_kept": is_kept and (status == 422 or day not in planned)}
            for (text, is_kept), day in zip(lines, days, strict=True)
        ],
        "rhythm": rhythm_text(form.cleaned_data["on"], form.cleaned_data["weeks"] or "1"),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/nights/series.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_night(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """When, where, what the trophies follow; put it away, or bring it back. POST: what the button `do` says."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    if request.method != "POST":
        return change_page(request, visit, night, NightPlan(club=visit.club, night=night))
    deed = DEEDS.get(request.POST.get("do", ""))
    if deed:
        done, says = deed
        with transaction.atomic():
            done(night)
            write_down(visit.club, f"{says} the night of {night.on:%Y-%m-%d}.", by=visit.member)
        return HttpResponseRedirect(request.path, status=303)
    form = NightPlan(request.POST, club=visit.club, night=night)
    if not form.is_valid():
        return change_page(request, visit, night, form, status=422)
    with transaction.atomic():
        planned = form.planned()
        if request.POST.get("follows"):
            if not follow(night, request.POST["follows"]):
                return change_page(request, visit, night, form, status=422, wrong=NO_ANSWER)
            planned.trophies = night.trophies
        change(night, planned)
        write_down(visit.club, f"Changed the night of {night.on:%Y-%m-%d}.", by=visit.member)
    return HttpResponseRedirect(night.get_absolute_url(), status=303)


def change(night: Night, planned: Night) -> None:
    """Keep what was typed; what counts otherwise by it is counted again."""
    changed = [name for name in PLANNED if getattr(night, name) != getattr(planned, name)]
    for name in changed:
        setattr(night, name, getattr(planned, name))
    night.save(update_fields=changed)
    say_stakes(night)


DEEDS = {"put-away": (put_away, "Archived"), "bring-back": (bring_back, "Brought back")}


def change_page(
    request: HttpRequest, visit: Visit, night: Night, form: NightPlan, *, status: int = 200, wrong: str = ""
) -> TemplateResponse:
    tables = trophy_tables(night)
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "nights",
        "night": night,
        "form": form,
        "choices": follow_choices([table.number for table in tables]) if len(tables) > 1 else (),
        "followed": request.POST.get("follows") or followed(night),
        "wrong": wrong,
    }
    return TemplateResponse(request, "clubs/nights/change.html", context, status=status)


def follow_choices(numbers: list[int]) -> list[tuple[str, str]]:
    """What the trophies may follow, with tables of these numbers: what is posted, and its words."""
    tables = [(f"{AT_TABLE}{number}", f"Table {number}") for number in numbers]
    return [(Follows.PLAY_OFF, "A play-off"), *tables, (Follows.NOTHING, "No trophies tonight")]


def followed(night: Night) -> str:
    """What was answered; "" where it was not yet."""
    if night.trophies == Follows.TABLE:
        return f"{AT_TABLE}{night.trophies_table.number}" if night.trophies_table else ""
    return night.trophies


@require_safe
def calendar(request: HttpRequest, key: str) -> HttpResponseBase:
    """The nights, for whoever has the address: a calendar comes without a cookie and without an account.

    The address of a members' club shows nothing but to its members, who are signed in where they load it. The same is
    asked of the database where there is none, as in `club_at`.
    """
    # PostgreSQL takes no text with a NUL in it.
    key = key if is_token(key) else ""
    club = Club.objects.open().filter(calendar_key=key).first() or Club(pk=0, visibility=Club.Visibility.MEMBERS)
    if club.visibility == Club.Visibility.MEMBERS and not is_shown(visit_to(request, club)):
        raise Http404

    def page(night: Night) -> str:
        return shared_address(request, club, night.get_absolute_url())

    return calendar_response(request, club, calendar_of(club, Addresses(page, lambda night: f"{page(night)}#coming")))


def calendar_response(request: HttpRequest, club: Club, content: bytes) -> HttpResponseBase:
    """The calendar; 304 where the browser has it already."""
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    response["Cache-Control"] = "private, max-age=900"
    response["X-Robots-Tag"] = "noindex, nofollow"
    response["ETag"] = f'"{hashed_bytes(content)}"'
    return get_conditional_response(request, response["ETag"], response=response) or response


def hashed_bytes(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bringing(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: the list, for everybody: who has a trophy reads it here. POST: an organiser ticks a `thing` off."""
    visit = enter(request, slug, Role.ORGANISER if request.method == "POST" else "")
    night = night_of(visit, pk)
    if request.method == "POST":
        pack(night, request.POST.get("thing", ""), packed=request.POST.get("packed") == "1")
        return HttpResponseRedirect(request.path, status=303)
    context = {
        "visit": visit, "club": visit.club, "here": "nights", "night": night, "things": things_for(night),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/nights/packing.html", context)
