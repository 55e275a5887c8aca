"""The page that plans a play-off: number of groups, who goes on, number of hands, and the next tables."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.outdated import PLAY_OFF_HAS_CHANGED
from clubs.access.visit import Role, Visit, enter
from clubs.models import Night, PlayOff
from clubs.nights.times import gone_by
from clubs.play_offs.plan import IS_THERE, Planned, as_text, from_text, games_for, other_game, proposed
from clubs.play_offs.plan_steppers import steppers, tapped
from clubs.play_offs.plan_text import Hours, hours_of, how, sentence
from clubs.play_offs.state import play_off_of
from clubs.tables.draft import Drawing
from clubs.tables.open import CLOSED
from clubs.views.nights.nights import held, night_of, shown_from_the_top
from rules.core.playoffs.plan import PlayOffPlan, alternatives, propose

CANNOT_BE = "A play-off cannot be set up like that."
TOO_FEW = "There are not enough people here for a play-off."
WAYS = (
    (PlayOff.Mixed.RANDOM, "At random"),
    (PlayOff.Mixed.STANDING, "Mixed by standing"),
    (PlayOff.Mixed.HAND, "By hand"),
)


@dataclass(frozen=True)
class Other:
    """Another plan that makes sense as well, as the page offers it."""

    plan: PlayOffPlan
    says: str

    @property
    def text(self) -> str:
        return as_text(self.plan)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plan_play_off(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: what is planned, or proposed for who is here. POST: the number or the choice that was tapped."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    if request.method != "POST":
        return plan_page(request, visit, planned_for(night))
    with transaction.atomic():
        night = held(visit, night)
        return answer(request, visit, planned_for(night))


def planned_for(night: Night) -> Drawing:
    """The drawing of the night, for a play-off where one makes sense: as it is kept, else as it is proposed."""
    drawing = Drawing(night)
    proposal = None if drawing.play_off else proposed(drawing.chairs_wanted, drawing.wanted)
    if proposal:
        drawing.plan(proposal)
    return drawing


def answer(request: HttpRequest, visit: Visit, drawing: Drawing) -> HttpResponse:
    """Do what was tapped, in a transaction that has the night for itself."""
    night, now, do = drawing.night, drawing.planned_now, request.POST.get("do", "")
    draw = HttpResponseRedirect(reverse("draw_tables", args=[visit.club.slug, night.pk]), status=303)
    here = HttpResponseRedirect(request.path, status=303)
    wrong = IS_THERE if play_off_of(night) else CLOSED if night.closed_at or night.archived_at else ""
    if wrong:
        return plan_page(request, visit, drawing, status=409, wrong=wrong)
    if now is None:
        return plan_page(request, visit, drawing, status=422, wrong=TOO_FEW)
    wished = changed(now, request.POST)
    if request.POST.get("saw") != drawing.mark:
        # The same tap sent again asks for what is there already.
        asked_for = not do and wished == now and night.drawn.get("play_off") == now.as_kept()
        return here if asked_for else plan_page(request, visit, drawing, status=409, wrong=PLAY_OFF_HAS_CHANGED)
    if do == "plain":
        drawing.plan_no_play_off()
        drawing.keep()
        return draw
    if wished is None:
        return plan_page(request, visit, drawing, status=422, wrong=CANNOT_BE)
    if wished.is_refused and wished != now and not now.is_refused:
        return plan_page(request, visit, drawing, status=422, refused=wished)
    drawing.plan(wished)
    drawing.keep()
    return draw if do == "draw" else here


def changed(now: Planned, data: QueryDict) -> Planned | None:
    """What is planned with what was tapped; None where no button says that."""
    if "plan" in data:
        plan = from_text(data.get("plan", ""), now)
        return replace(now, plan=plan) if plan else None
    if "game" in data:
        game = next((game for game in games_for(now.players, now.game) if game.slug == data["game"]), None)
        plan = propose(game, now.players) if game and game != now.game else now.plan
        if not game or not plan:
            return None
        other = replace(now, game=game, plan=plan)
        return other if other.has_losers_table else replace(other, carry_over=False, cut_by_high_card=False)
    if "mixed" in data:
        return replace(now, mixed=data["mixed"]) if data["mixed"] in PlayOff.Mixed.values else None
    if ("carry_over" in data or "cut_by_high_card" in data) and not now.has_losers_table:
        return None
    if "carry_over" in data:
        return replace(now, carry_over=data["carry_over"] == "1")
    if "cut_by_high_card" in data:
        return replace(now, cut_by_high_card=data["cut_by_high_card"] == "1")
    return now


def plan_page(
    request: HttpRequest, visit: Visit, drawing: Drawing, *, status: int = 200, wrong: str = "",
    refused: Planned | None = None,
) -> TemplateResponse:  # fmt: skip
    night = drawing.night
    context: dict[str, object] = {
        "visit": visit, "club": visit.club, "here": "nights", "night": night, "drawing": drawing,
        "play_off": play_off_of(night), "wrong": wrong or (CLOSED if night.closed_at else ""),
        "instead": instead_of(drawing),
    }  # fmt: skip
    planned = drawing.planned_now
    if planned:
        context |= about(drawing, planned, refused)
    page = TemplateResponse(request, "clubs/play_offs/plan.html", context, status=status)
    return shown_from_the_top(page) if wrong else page


def instead_of(drawing: Drawing) -> str:
    """That the proposal is for another game than was planned, or than the club plays; "" where it is not."""
    chosen = "play_off" in drawing.night.drawn and drawing.no_more is None
    if drawing.play_off is None or chosen:
        return ""
    return other_game(drawing.no_more.game if drawing.no_more else drawing.wanted, drawing.play_off)


def about(drawing: Drawing, planned: Planned, refused: Planned | None) -> dict[str, object]:
    """What the page says of the plan, and what can be tapped."""
    night, rules = drawing.night, drawing.rules_of(planned.game)
    hours = hours_of(night, planned, rules)
    numbers = steppers(planned, hours)
    if refused:
        key = tapped(planned.plan, refused.plan)
        for stepper in numbers:
            if stepper.key == key:
                stepper.refused = " ".join(problem.message for problem in refused.problems() if problem.blocking)
    return {
        "planned": planned,
        "says": sentence(planned, hours),
        "hours": hours,
        "problems": [
            problem for problem in planned.problems() if not any(problem in stepper.problems for stepper in numbers)
        ],
        "steppers": numbers,
        "ways": WAYS,
        "others": [Other(plan, describe(drawing, planned, plan)) for plan in alternatives(planned.plan, planned.game)],
        "games": games_for(planned.players, planned.game),
        "leaving": gone_by(night, drawing.present.values(), hours.done),
    }


def describe(drawing: Drawing, planned: Planned, plan: PlayOffPlan) -> str:
    """Another plan, with its own hours."""
    other = replace(planned, plan=plan)
    hours: Hours = hours_of(drawing.night, other, drawing.rules_of(planned.game))
    says = how(other, hours)
    return f"{says[0].upper()}{says[1:]}."
