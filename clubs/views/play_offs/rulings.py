"""Rulings of organisers about a play-off: ties, cards, corrections, calling it off."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.outdated import HAS_CHANGED, NotNow
from clubs.access.visit import Role, Visit, account_of, enter
from clubs.models import PlayOff, Ruling, Stage, Table
from clubs.play_off_rounds import call_off as play_off_rounds_call_off
from clubs.play_off_rounds import corrections, rulings
from clubs.play_off_rounds.corrections import Moves
from clubs.play_offs.next_round import ahead_in
from clubs.play_offs.state import PlayOffNow, now
from clubs.play_offs.table_state import TableNow
from clubs.play_offs.unequal_hands import CHOICES
from clubs.tables.control import keeper_of
from clubs.tables.open import NotOpened
from clubs.views.play_offs.page import number, play_off_of
from rules.core.cards import RANKS, rank_shown
from rules.core.problems import Problem
from scoresheets.commands.ruling import LONGEST_REASON
from scoresheets.log.answers import Done, Refused
from scoresheets.log.text import clean_text
from scoresheets.models import Scorekeeper
from scoresheets.models.sheet import new_token

Kind = Ruling.Kind
SAY_WHY = "Say why: everybody can read it on the page of the play-off."
CHOOSE_ONE = "Choose one of the ways."
KEEP_OR_REDRAW = "Choose: keep it as played, or draw again."


def standing_at(visit: Visit, pk: int) -> PlayOff:
    """The play-off of the night of that id that stands. Raises `Http404`."""
    play_off = play_off_of(visit, pk)
    if play_off.called_off_at is not None:
        raise Http404
    return play_off


def page(
    request: HttpRequest, visit: Visit, play_off: PlayOff, name: str, more: Mapping[str, object], *, status: int = 200
) -> TemplateResponse:
    """One of these pages."""
    context = {
        "visit": visit, "club": visit.club, "here": "nights", "night": play_off.night, "play_off": play_off,
        "key": new_token(), "longest": LONGEST_REASON, "reason": request.POST.get("reason", "")[:LONGEST_REASON],
        **more,
    }  # fmt: skip
    return TemplateResponse(request, f"clubs/play_offs/{name}.html", context, status=status)


def question_page(
    request: HttpRequest, visit: Visit, play_off: PlayOff, name: str, *, problem: str = "", about_reason: str = "",
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    """One that asks for a decision and its reason, with what it is about and what is wrong with the answer."""
    state = now(play_off)
    more = about_hands(state, request.POST.get("do", "")) if name == "hands" else about_moves(state)
    more |= {"problem": problem, "about_reason": about_reason}
    return page(request, visit, play_off, name, more, status=status)


def to_play_off(play_off: PlayOff, anchor: str = "") -> HttpResponseRedirect:
    return HttpResponseRedirect(play_off.get_absolute_url() + anchor, status=303)


def reason_in(request: HttpRequest) -> tuple[str, str]:
    """The reason that was typed, and what is wrong with it."""
    text = clean_text(request.POST.get("reason", ""), LONGEST_REASON, field="reason")
    if isinstance(text, Problem):
        return "", text.message
    return text, "" if text else SAY_WHY


# A tie across a line


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rule_cut(request: HttpRequest, slug: str, pk: int, table: int) -> HttpResponse:
    """An organiser rules which of those who are tied go over the line, with a reason."""
    visit = enter(request, slug, Role.ORGANISER)
    play_off = standing_at(visit, pk)
    tables = Table.objects.standing().filter(stage__play_off=play_off, stage__abandoned_at__isnull=True)
    chosen = get_object_or_404(tables.select_related("sheet", "stage__play_off"), pk=table, sheet__isnull=False)
    chosen.night = play_off.night
    if request.method != "POST" or chosen.sheet is None:
        return tie_page(request, visit, play_off, chosen)
    reason, problem = reason_in(request)
    if problem:
        return tie_page(request, visit, play_off, chosen, about_reason=problem, status=422)
    answer = rulings.rule(
        chosen, [number(seat) for seat in request.POST.getlist("goes")], edge=request.POST.get("edge") or None,
        reason=reason, key=request.POST.get("key", ""), keeper=keeper_of(request, chosen.sheet), by=visit.member,
    )  # fmt: skip
    if isinstance(answer, Done):
        return to_play_off(play_off, f"#table-{chosen.pk}")
    is_stale = isinstance(answer, Refused) and answer.code in ("no-tie", "not-tied")
    message = answer.problems[0].message if isinstance(answer, Refused) else HAS_CHANGED
    return tie_page(request, visit, play_off, chosen, problem=message, status=409 if is_stale else 422)


def tie_page(
    request: HttpRequest, visit: Visit, play_off: PlayOff, table: Table, *, problem: str = "", about_reason: str = "",
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    """The tie with its people, what the table itself can do about it, and what was ruled before."""
    state = now(play_off)
    stage, seen = next((stage, other) for stage in state.stages for other in stage.tables if other.table.pk == table.pk)
    cuts = (decision for decision in rulings.ruling_texts(state) if decision.ruling.kind == Kind.CUT)
    decisions = [decision for decision in cuts if decision.ruling.says.get("table") == table.pk]
    more = {
        "table": table, "seen": seen, "ahead": ahead_in(state, stage),
        "by_hand": all(waiting.what == "ruling" for waiting in seen.reading.sheet.waiting),
        "ties": ties_of(seen, request.POST.get("edge", "")), "decisions": decisions, "problem": problem,
        "about_reason": about_reason, "chosen": [number(seat) for seat in request.POST.getlist("goes")],
    }  # fmt: skip
    return page(request, visit, play_off, "tie", more, status=status)


def ties_of(seen: TableNow, posted: str = "") -> list[dict[str, object]]:
    """Every tie across a line of the table, with whom it is about: the one that was `posted` about, else the first."""
    people = {person.player: person for person in seen.people}
    ties = seen.cut.ties if seen.is_over else ()
    edge = next((tie.edge for tie in ties if tie.edge == posted), ties[0].edge if ties else "")
    return [
        {
            "edge": tie.edge, "places": tie.places, "posted": tie.edge == edge,
            "people": [people[player] for player in tie.players],
        }
        for tie in ties
    ]  # fmt: skip


# Cards for the loser's trophy


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def draw_cards(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Those who are lowest have drawn a card each: the ranks are tapped."""
    visit = enter(request, slug, Role.ORGANISER)
    play_off = standing_at(visit, pk)
    if request.method != "POST":
        return cards_page(request, visit, play_off)
    posted = request.POST.dict()
    typed = {number(name.removeprefix("rank-")): rank for name, rank in posted.items() if name.startswith("rank-")}
    try:
        rulings.draw(play_off, typed, saw=request.POST.get("saw", ""), by=visit.member)
    except NotNow as problem:
        return cards_page(request, visit, play_off, problem=str(problem), status=409)
    except rulings.BadCards as problem:
        return cards_page(request, visit, play_off, problem=str(problem), status=422)
    if rulings.who_draws(now(play_off)):
        return HttpResponseRedirect(reverse("draw_cards", args=[slug, pk]), status=303)
    return to_play_off(play_off)


def cards_page(
    request: HttpRequest, visit: Visit, play_off: PlayOff, *, problem: str = "", status: int = 200
) -> HttpResponse:
    """Who draws, and what was drawn before."""
    state = now(play_off)
    chosen = request.POST if status == 422 else {}
    drawing = [(person, chosen.get(f"rank-{person.player}", "")) for person in rulings.who_draws(state)]
    more = {
        "drawing": drawing, "ranks": [(rank, rank_shown(rank)) for rank in reversed(RANKS)], "problem": problem,
        "mark": rulings.mark_of_draw(state),
        "decisions": [decision for decision in rulings.ruling_texts(state) if decision.ruling.kind == Kind.DRAW],
    }  # fmt: skip
    return page(request, visit, play_off, "cards", more, status=status)


# Finals of different length


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rule_hands(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The finals played different numbers of hands: an organiser decides what that means for the loser's trophy."""
    visit = enter(request, slug, Role.ORGANISER)
    play_off = standing_at(visit, pk)
    if request.method != "POST":
        return question_page(request, visit, play_off, "hands")
    reason, problem = reason_in(request)
    choice = request.POST.get("do", "")
    if problem or choice not in CHOICES:
        wrong = "" if choice in CHOICES else CHOOSE_ONE
        return question_page(request, visit, play_off, "hands", problem=wrong, about_reason=problem, status=422)
    try:
        rulings.rule_hands(
            play_off, choice, saw=request.POST.get("saw", ""), reason=reason, key=request.POST.get("key", ""),
            keeper=lambda sheet: keeper_of(request, sheet), by=visit.member,
        )  # fmt: skip
    except NotNow as refused:
        return question_page(request, visit, play_off, "hands", problem=str(refused), status=409)
    return to_play_off(play_off)


def about_hands(state: PlayOffNow, chosen: str) -> dict[str, object]:
    """What was played, the three ways, and what was decided before."""
    return {
        "unequal": state.unequal, "chosen": chosen,
        "decisions": [decision for decision in rulings.ruling_texts(state) if decision.ruling.kind == Kind.HANDS],
    }  # fmt: skip


# A correction after the draw


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def play_off_moves(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What a correction would move at tables that are drawn: kept as played, or drawn anew."""
    visit = enter(request, slug, Role.ORGANISER)
    play_off = standing_at(visit, pk)
    if request.method != "POST":
        return question_page(request, visit, play_off, "moves")
    reason, problem = reason_in(request)
    if problem:
        return question_page(request, visit, play_off, "moves", about_reason=problem, status=422)
    choice, saw = request.POST.get("do", ""), request.POST.get("saw", "")
    try:
        if choice == "keep":
            corrections.keep(play_off, saw, reason=reason, by=visit.member)
        elif choice == "redraw":
            keeper = visit.member.shown if visit.member else ""
            corrections.redraw(
                play_off, saw, reason=reason, by=visit.member, user=account_of(request), keeper=keeper
            )  # fmt: skip
        else:
            return question_page(request, visit, play_off, "moves", problem=KEEP_OR_REDRAW, status=422)
    except NotNow as refused:
        return question_page(request, visit, play_off, "moves", problem=str(refused), status=409)
    except NotOpened as refused:
        return question_page(request, visit, play_off, "moves", problem=str(refused), status=422)
    return to_play_off(play_off)


def about_moves(state: PlayOffNow) -> dict[str, object]:
    """What a correction moves, and what was answered before."""
    moved = corrections.moves(state)
    return {
        "moves": moved, "undoes": undoing(state, moved) if moved else None,
        "decisions": [each for each in rulings.ruling_texts(state) if each.ruling.kind in (Kind.KEEP, Kind.REDRAW)],
        "waits": [(table, bool(ties_of(table))) for table in moved.unsettled] if moved else [],
    }  # fmt: skip


def undoing(state: PlayOffNow, moved: Moves) -> Ruling | None:
    """The redraw that would be right again if it were taken back: the old tables were drawn for those people."""
    for ruling in reversed(state.rulings):
        if ruling.kind != Kind.REDRAW or ruling.withdrawn_at is not None:
            continue
        old = corrections.stages_in(ruling, "old")
        belongs = {(stage.side, stage.number): ids_at(state, stage) for stage in old}
        if all(set(stage.drawn_for) == belongs[stage.side, stage.number] for stage in old) and moved.stages:
            return ruling
        return None
    return None


def ids_at(state: PlayOffNow, stage: Stage) -> set[int]:
    return {person.player for person in state.sent_to(stage.side, stage.number)}


# The way back of all of them


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def change_ruling(request: HttpRequest, slug: str, pk: int, ruling: int) -> HttpResponse:
    """Something that was decided by hand, and its way back."""
    visit = enter(request, slug, Role.ORGANISER)
    play_off = standing_at(visit, pk)
    chosen = get_object_or_404(play_off.rulings.select_related("by"), pk=ruling)
    chosen.play_off = play_off
    if request.method != "POST":
        return ruling_page(request, visit, play_off, chosen)
    try:
        rulings.withdraw(chosen, key=request.POST.get("key", ""), keeper=keeper_for(request, chosen), by=visit.member)
    except NotNow as problem:
        return ruling_page(request, visit, play_off, chosen, problem=str(problem), status=409)
    if chosen.kind in (Kind.KEEP, Kind.REDRAW):
        return HttpResponseRedirect(reverse("play_off_moves", args=[slug, pk]), status=303)
    return to_play_off(play_off)


def keeper_for(request: HttpRequest, ruling: Ruling) -> Scorekeeper | None:
    """As whom the organiser writes on the sheet that the ruling stands on; None where it stands on none."""
    if ruling.kind not in (Kind.CUT, Kind.HANDS):
        return None
    table = Table.objects.filter(pk=ruling.says.get("table"), stage__play_off=ruling.play_off).first()
    return keeper_of(request, table.sheet) if table and table.sheet else None


def ruling_page(
    request: HttpRequest, visit: Visit, play_off: PlayOff, ruling: Ruling, *, problem: str = "", status: int = 200
) -> HttpResponse:
    """The ruling in words."""
    state = now(play_off)
    decision = next(other for other in rulings.ruling_texts(state) if other.ruling.pk == ruling.pk)
    refused = corrections.why_it_stays(ruling) if ruling.kind == Kind.REDRAW and not ruling.withdrawn_at else ""
    more = {
        "decision": decision, "problem": problem or refused, "refused": refused,
        "plays_it_out": state.game.play_off.losers_table,
    }  # fmt: skip
    return page(request, visit, play_off, "ruling", more, status=status)


# Calling it off


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def call_off(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Its tables are single games again; `do` is "back": the play-off is there again."""
    visit = enter(request, slug, Role.ORGANISER)
    play_off = play_off_of(visit, pk)
    if request.method != "POST":
        why_not = play_off_rounds_call_off.why_it_stays_called_off(play_off)
        return page(request, visit, play_off, "call_off", {"why_not": why_not})
    try:
        if request.POST.get("do") == "back":
            play_off_rounds_call_off.bring_back(play_off, by=visit.member)
        else:
            play_off_rounds_call_off.call_off(play_off, by=visit.member)
    except NotNow as problem:
        return page(request, visit, play_off, "call_off", {"problem": str(problem)}, status=409)
    return to_play_off(play_off)
