"""The roll call: who is here, who comes later, who does not come."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.access.visit import Role, Visit, enter
from clubs.club.forms import find_known
from clubs.members.people import locked, new_guest
from clubs.models import Night
from clubs.nights.form import read_hour
from clubs.nights.nights import Whereabouts, game_for, wanted_game, whereabouts
from clubs.nights.replies import changed_since
from clubs.nights.roll_call import Line, Says, answer, answer_those, chairs_for, close_roll, leaves_at, roll
from clubs.nights.seating import fewest_tables, sizes_of
from clubs.play_offs.plan_text import instead
from clubs.tables.draft import Drawing
from clubs.views.nights.nights import held, night_of, shown_from_the_top, whole
from rules.core.problems import Problem
from scoresheets.log.text import clean_name, same_name
from scoresheets.opening.game_cards import by_size

MOST_CALLS = 5_000
#: htmx stops asking when it is told so with this status.
STOP_POLLING = 286


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def roll_call(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: the roll, as last time was. POST: every answer that was tapped, and what the button `do` says.

    What an organiser has not seen is not written: who answered after the reply `newest` (id), of which the page knew,
    is shown first.
    """
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    if request.method != "POST":
        return roll_page(request, visit, night)
    do, wrong = request.POST.get("do", ""), dict[str, str]()
    with transaction.atomic():
        # A guest may be new to the club. Whoever answers waits until what is seen here is written.
        locked(visit.club)
        held(visit, night)
        unseen = unseen_on(night, request.POST)
        lines = [] if unseen else close_roll(night, tapped(request.POST), replies_only=do == "confirm")
        if not unseen and do != "confirm":
            wrong = take_guest(night, request.POST) or take_leaver(night, lines, request.POST)
        # Of what is refused nothing is written: the page shows it again as it was typed and tapped.
        transaction.set_rollback(bool(wrong))
    if unseen:
        return roll_page(request, visit, night, status=409, unseen=unseen)
    if do == "confirm":
        return HttpResponseRedirect(reverse("roll_call", args=[slug, pk]), status=303)
    if wrong:
        return roll_page(request, visit, night, status=422, wrong=wrong)
    game = find_known(do.removeprefix("game-"))
    if game:
        with transaction.atomic():
            drawing = Drawing(held(visit, night))
            drawing.play(game)
            drawing.keep()
    if do == "draw":
        return HttpResponseRedirect(reverse("draw_tables", args=[slug, pk]), status=303)
    if do == "play-off":
        return HttpResponseRedirect(reverse("plan_play_off", args=[slug, pk]), status=303)
    return HttpResponseRedirect(reverse("roll_call", args=[slug, pk]) + where_tapped(do), status=303)


@never_cache
@require_POST
def call(request: HttpRequest, slug: str, pk: int, member: int) -> HttpResponse:
    """One answer, as soon as it was tapped; the page hears how many it makes."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    where = whereabouts(night)
    lines = roll(night, where)
    line = next((line for line in lines if line.member.pk == member), None)
    says = request.POST.get(f"call-{member}", "")
    if line is None or says not in Says.values:
        return HttpResponse(status=204)
    answer(night, line.member, says)
    line.says, line.called = says, True
    context = {
        "proposed": sum(line.is_proposed for line in lines),
        "club": visit.club, "night": night, "line": line, "tally": tally(night, lines, where),
        "staying": staying(lines), "typed": {"leaver": whole(request.POST.get("leaver", ""))},
    }  # fmt: skip
    return TemplateResponse(request, "clubs/nights/roll_tally.html", context)


@never_cache
@require_safe
def arrivals(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Who has answered or checked in since the reply `?v=` (id): their lines, and how many there are; 204 for nobody.

    286 once the night is closed: then nobody does.
    """
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    if night.closed_at:
        return HttpResponse(status=STOP_POLLING)
    newest, people = changed_since(night, whole(request.GET.get("v", "")))
    if not people:
        return HttpResponse(status=204)
    where = whereabouts(night)
    lines = roll(night, where)
    context = {
        "club": visit.club, "visit": visit, "night": night, "newest": newest, "tally": tally(night, lines, where),
        "changed": [line for line in lines if line.member.pk in people],
        "proposed": sum(line.is_proposed for line in lines),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/nights/arrivals.html", context)


def unseen_on(night: Night, data: QueryDict) -> set[int]:
    """Who on the roll (ids) has answered since the page was shown; what was tapped of all others is written down."""
    _, people = changed_since(night, whole(data.get("newest", "")))
    unseen = people & {line.member.pk for line in roll(night)} if people else set()
    if unseen:
        answer_those(night, tapped(data), but=unseen)
    return unseen


def where_tapped(do: str) -> str:
    """The part of the roll that the button belongs to, for the next one there."""
    if do == "guest":
        return "#guest-h"
    if do.startswith("game-"):
        return "?open=night-game#night-game"
    return "#leaves-h" if do == "leaves" or do.startswith("stays-") else ""


def tapped(data: QueryDict) -> dict[int, str]:
    """The answers that are others than those the page was shown with, by member."""
    answers = {}
    for name, says in list(data.items())[:MOST_CALLS]:
        number = whole(name.removeprefix("call-")) if name.startswith("call-") else 0
        if number and says in Says.values and says != data.get(f"was-{number}"):
            answers[number] = says
    return answers


def take_guest(night: Night, data: QueryDict) -> dict[str, str]:
    """Somebody new is here; or what is wrong with it, by field."""
    typed = data.get("guest", "")
    if not typed.strip():
        # Return beside who leaves early presses the first button of the form, which is the one for guests.
        adds_guest = data.get("do") == "guest" and not data.get("leaver")
        return {"guest": "What is the guest called?"} if adds_guest else {}
    name = clean_name(typed)
    if isinstance(name, Problem):
        return {"guest": name.message}
    alike = [line for line in roll(night) if same_name(name) in map(same_name, names_of(line))]
    if any(line.says == Says.HERE for line in alike):
        return {"guest": f"{name} is on the roll already. If this is another one: add an initial."}
    if alike:
        answer(night, alike[0].member, Says.HERE)
    else:
        new_guest(night.club, name, night)
    return {}


def names_of(line: Line) -> tuple[str, str]:
    return line.member.name, line.member.called


def take_leaver(night: Night, lines: list[Line], data: QueryDict) -> dict[str, str]:
    """Somebody leaves early, or stays after all; or what is wrong with it, by field."""
    stays = data.get("do", "").removeprefix("stays-")
    leaver = data.get("leaver", "")
    for line in lines:
        if str(line.member.pk) == stays and line.called:
            leaves_at(night, line.member, None)
    if not leaver and data.get("do") != "leaves":
        return {}
    leaving = next((line for line in lines if str(line.member.pk) == leaver), None)
    if leaving is None:
        return {"until": "Who leaves early?"}
    hour = read_hour(data.get("until", ""))
    if hour is None:
        return {"until": "At what time? For example 21:00."}
    leaves_at(night, leaving.member, hour)
    return {}


def roll_page(
    request: HttpRequest, visit: Visit, night: Night, *, status: int = 200, wrong: dict[str, str] | None = None,
    unseen: Collection[int] = (),
) -> TemplateResponse:  # fmt: skip
    newest, _ = changed_since(night, 0)
    where = whereabouts(night)
    lines = roll(night, where)
    for line in lines if wrong else ():
        line.tapped = tapped(request.POST).get(line.member.pk, "")
    answered = [line for line in lines if line.reply]
    before = [line for line in lines if line.was_here and not line.reply]
    others = [line for line in lines if not line.was_here and not line.reply]
    guests = [line for line in others if is_old_guest(line)]
    rest = [line for line in others if not is_old_guest(line)]
    is_first = not any(line.was_here for line in lines)
    # Heading, lines, and whether they are always in sight.
    groups = (
        ("Answered before", answered, True),
        ("There last time", before, True),
        ("The club" if is_first else "Others of the club", rest, is_first),
        ("Guests of other nights", guests, False),
    )
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "nights",
        "night": night,
        "is_first": is_first,
        "newest": newest,
        "unseen": [line.member for line in lines if line.member.pk in unseen],
        "proposed": sum(line.is_proposed for line in lines),
        "groups": [group for group in groups if group[1]],
        "leaving": [line for line in lines if line.leaves],
        "staying": staying(lines),
        "typed": {
            "guest": request.POST.get("guest", "")[:200],
            "until": request.POST.get("until", "21:00")[:8],
            "leaver": whole(request.POST.get("leaver", "")),
        },
        "wrong": wrong or {},
        "unfolded": request.GET.get("open", ""),
        "tally": tally(night, lines, where),
    }
    page = TemplateResponse(request, "clubs/nights/roll_call.html", context, status=status)
    return shown_from_the_top(page) if unseen else page


def is_old_guest(line: Line) -> bool:
    """Whether they are a guest of whom tonight nobody has said anything."""
    return not line.called and line.member.role == Role.GUEST


def staying(lines: list[Line]) -> list[Line]:
    """Who is in and has not said that they leave early."""
    return [line for line in lines if line.is_in and not line.leaves]


def tally(night: Night, lines: list[Line], where: Whereabouts) -> dict[str, object]:
    """How many there are, and how many tables and what play-off those make who do not sit at an open table."""
    late, others = sum(line.is_late for line in lines), where.others
    coming = [line for line in lines if line.is_in]
    free = [line for line in coming if line.member.pk not in where.busy]
    wanted = wanted_game(night)
    game = game_for(len(free), night, wanted)
    chairs = chairs_for(free, game)
    tables = fewest_tables(chairs, game.made_for)
    sizes = sizes_of(chairs, [game.made_for] * tables)
    return {
        "here": len(coming) - late + others, "others": others, "late": late, "seated": len(coming) - len(free),
        "sizes": sizes, "even": len(set(sizes)) == 1, "instead": instead(night, free, wanted), "game": game,
        "games": by_size(),
    }  # fmt: skip
