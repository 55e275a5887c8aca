"""The next tables of a play-off: shown, drawn again, opened; and casual tables for players who are done."""

from __future__ import annotations

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.audit_log import write_down
from clubs.access.outdated import TABLES_HAVE_CHANGED, NotNow
from clubs.access.visit import Role, Visit, account_of, enter
from clubs.models import Night, Stage, Table
from clubs.nights.casual import night_for_fun
from clubs.play_off_rounds.next_tables import Finals, Wish
from clubs.play_off_rounds.stages import open_next
from clubs.play_offs.state import PlayOffNow, now, play_off_of
from clubs.tables.open import CLOSED, NotOpened
from clubs.views.nights.nights import held, night_of, whole
from scoresheets.wording.markup import as_text, listed

NOT_YET = "The next tables cannot be drawn yet."
NOT_LIKE_THIS = "The tables cannot be opened like this."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def draw_next(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: what can be drawn now, with what was wished. POST: open it, or (`do` is "fun") a table for who is done."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    if request.method != "POST":
        return next_page(request, visit, finals_of(request, night))
    with transaction.atomic():
        night = held(visit, night)
        if request.POST.get("do") == "fun":
            return just_for_fun(request, visit, finals_of(request, night))
        return open_them(request, visit, finals_of(request, night))


def finals_of(request: HttpRequest, night: Night) -> Finals:
    """What can be drawn on the night, with what the form wishes; 404 where no play-off stands."""
    play_off = play_off_of(night)
    if play_off is None:
        raise Http404
    play_off.night = night
    fields = request.POST if request.method == "POST" else request.GET
    return Finals(now(play_off), Wish.read((name, text) for name, texts in fields.lists() for text in texts))


def open_them(request: HttpRequest, visit: Visit, finals: Finals) -> HttpResponse:
    """Open every table that was shown, or none, in a transaction that has the night for itself."""
    state = finals.state
    opened = opened_since(request, state)
    if opened:
        # The same tap, sent again, or another organiser was quicker.
        return codes(visit, finals.night, opened)
    if finals.night.closed_at or finals.night.archived_at:
        return next_page(request, visit, finals, status=409, wrong=CLOSED)
    if not finals.drawn:
        return next_page(request, visit, finals, status=409, wrong=NOT_YET)
    if request.POST.get("saw") != finals.mark:
        return next_page(request, visit, finals, status=409, wrong=TABLES_HAVE_CHANGED)
    if finals.is_blocked:
        return next_page(request, visit, finals, status=422, wrong=NOT_LIKE_THIS)
    keeper = visit.member.shown if visit.member else ""
    try:
        with transaction.atomic():
            stages = open_next(
                state.play_off, finals.drawn, hands=finals.hands, user=account_of(request), keeper=keeper
            )
    except NotOpened as error:
        return next_page(request, visit, finals, status=422, wrong=str(error))
    except NotNow as outdated:
        return next_page(request, visit, finals_of(request, finals.night), status=409, wrong=str(outdated))
    tables_text = as_text(listed([table.label for drawn in finals.drawn for table in drawn.tables]))
    write_down(visit.club, f"Drew {tables_text} of the play-off on {finals.night.on:%Y-%m-%d}.", by=visit.member)
    return codes(visit, finals.night, stages)


def opened_since(request: HttpRequest, state: PlayOffNow) -> list[Stage]:
    """The stages that this very form would open, where all of them stand already."""
    stages = []
    for text in request.POST.getlist("stage"):
        side, _, number = text.partition(".")
        stage = state.stage_of(side, whole(number))
        if stage is None:
            return []
        stages.append(stage.stage)
    return stages


def codes(visit: Visit, night: Night, stages: list[Stage]) -> HttpResponseRedirect:
    """To the codes of the tables, the first of these first."""
    first: Table | None = night.tables.standing().filter(stage__in=stages).order_by("number").first()
    at = f"?table={first.number}" if first else ""
    return HttpResponseRedirect(reverse("table_codes", args=[visit.club.slug, night.pk]) + at, status=303)


def just_for_fun(request: HttpRequest, visit: Visit, finals: Finals) -> HttpResponse:
    """Who is done after the groups gets tables that count for nothing: those of a night beside this one."""
    members = [person.member for person in finals.done_early if person.member]
    if not members:
        return next_page(request, visit, finals, status=409, wrong="Nobody is done yet.")
    everybody = [person.member for person in finals.state.people.values() if person.member]
    beside = night_for_fun(finals.night, members, everybody)
    return HttpResponseRedirect(reverse("draw_tables", args=[visit.club.slug, beside.pk]), status=303)


def next_page(
    request: HttpRequest, visit: Visit, finals: Finals, *, status: int = 200, wrong: str = ""
) -> TemplateResponse:
    context = {
        "visit": visit, "club": visit.club, "here": "nights", "night": finals.night, "finals": finals,
        "play_off": finals.state.play_off, "wrong": wrong or (CLOSED if finals.night.closed_at else ""),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/play_offs/next.html", context, status=status)
