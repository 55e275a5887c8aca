"""The draft of a night's tables: shown, changed by hand, drawn again, opened."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.audit_log import write_down
from clubs.access.outdated import TABLES_HAVE_CHANGED
from clubs.access.visit import Role, Visit, account_of, enter
from clubs.models import Night, PlayOff, Table, Trophy
from clubs.nights.roll_call import Line
from clubs.nights.times import gone_by
from clubs.play_off_rounds.stages import open_groups
from clubs.play_offs.plan import IS_THERE, why_not
from clubs.play_offs.plan_text import hours_of, instead, sentence
from clubs.play_offs.state import play_off_of
from clubs.tables.draft import Drawing
from clubs.tables.drawn_table import Drawn
from clubs.tables.open import CLOSED, NotOpened, follow, forget_planned_play_off, give_chair, open_tables, say_stakes
from clubs.trophies.register import trophy_games
from clubs.views.nights.nights import NO_ANSWER, follow_choices, followed, held, night_of, shown_from_the_top, whole
from rules import all_games
from rules.core.problems import Problem
from scoresheets.log.limits import plan_choices
from scoresheets.opening.game_cards import by_size, takes_latecomers
from scoresheets.opening.options_form import HouseForm, field_text

NOT_TWO = "Two change places: tap two names."


@dataclass(frozen=True)
class Card:
    """A drawn table as the page shows it."""

    at: int
    number: int
    drawn: Drawn
    chairs: list[Line]
    length: str
    plans: list[tuple[str, list[tuple[str, str, bool]]]]
    problems: list[Problem]
    #: Of a play-off.
    is_group: bool = False

    @property
    def short(self) -> int:
        """Its number: groups are counted by themselves."""
        return self.at + 1 if self.is_group else self.number

    @property
    def part(self) -> str:
        """The part of the page with its dealer and its length."""
        return f"chairs-{self.at}"

    @property
    def called(self) -> str:
        """ "table 3", "group 1"."""
        return f"{'group' if self.is_group else 'table'} {self.short}"

    @property
    def dealers(self) -> list[Line]:
        """Who may deal first: whoever is there from the first hand on."""
        return [line for line in self.chairs if not line.is_late]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def draw_tables(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: the tables as they are drawn. POST: what the button `do` says."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    if request.method != "POST":
        return draw_page(request, visit, Drawing(night))
    with transaction.atomic():
        night = held(visit, night)
        return answer(request, visit, Drawing(night))


def answer(request: HttpRequest, visit: Visit, drawing: Drawing) -> HttpResponse:
    """Do what the button says, in a transaction that has the night for itself."""
    night, do = drawing.night, request.POST.get("do", "")
    there = HttpResponseRedirect(reverse("table_codes", args=[visit.club.slug, night.pk]), status=303)
    if request.POST.get("saw") != drawing.mark:
        if do == "open" and opened_since(request, night):
            # The same tap, sent again.
            return there
        return draw_page(request, visit, drawing, status=409, wrong=TABLES_HAVE_CHANGED)
    if night.closed_at or night.archived_at:
        return draw_page(request, visit, drawing, status=409, wrong=CLOSED)
    take(drawing, request.POST)
    if do != "open":
        people = picked(request)
        if do == "swap" and len(people) != 2:
            return draw_page(request, visit, drawing, status=422, wrong=NOT_TWO)
        act(drawing, do, people)
        drawing.keep()
        return HttpResponseRedirect(request.path + unfolded_at(do), status=303)
    if drawing.play_off:
        return open_play_off(request, visit, drawing, there)
    follows = request.POST.get("follows", "")
    choices = [value for value, _ in choices_of(drawing)]
    if choices and follows == Night.Follows.PLAY_OFF:
        drawing.keep()
        return HttpResponseRedirect(reverse("plan_play_off", args=[visit.club.slug, night.pk]), status=303)
    if choices and follows not in choices:
        drawing.keep()
        return draw_page(request, visit, drawing, status=422, wrong_follows=NO_ANSWER)
    if not drawing.is_ready:
        drawing.keep()
        return draw_page(request, visit, drawing, status=422, wrong="The tables cannot be opened like this.")
    keeper = visit.member.shown if visit.member else ""
    try:
        with transaction.atomic():
            tables = open_tables(drawing, user=account_of(request), keeper=keeper)
    except NotOpened as error:
        return draw_page(request, visit, drawing, status=422, wrong=f"Table {error.number}: {error.problem.message}")
    if choices:
        follow(night, follows)
    else:
        forget_planned_play_off(night)
    say_stakes(night)
    numbers = f"table {tables[0].number}" if len(tables) == 1 else f"tables {tables[0].number} to {tables[-1].number}"
    write_down(visit.club, f"Opened {numbers} on the night of {night.on:%Y-%m-%d}.", by=visit.member)
    return there


def open_play_off(request: HttpRequest, visit: Visit, drawing: Drawing, there: HttpResponse) -> HttpResponse:
    """Open the groups of a play-off, all of them or none; what the trophies follow is answered by it."""

    night, planned = drawing.night, drawing.planned_now
    if planned is None or not drawing.is_ready or planned.is_refused:
        drawing.keep()
        return draw_page(request, visit, drawing, status=422, wrong="The groups cannot be opened like this.")
    if play_off_of(night):
        return draw_page(request, visit, drawing, status=409, wrong=IS_THERE)
    mixed = PlayOff.Mixed.HAND if drawing.by_hand else planned.mixed
    try:
        with transaction.atomic():
            open_groups(
                drawing, planned.plan, mixed=mixed, carry_over=planned.carry_over,
                cut_by_high_card=planned.cut_by_high_card, user=account_of(request),
                keeper=visit.member.shown if visit.member else "",
            )  # fmt: skip
    except NotOpened as error:
        return draw_page(request, visit, drawing, status=422, wrong=f"Table {error.number}: {error.problem.message}")
    groups = "group" if planned.groups == 1 else "groups"
    says = f"Opened a play-off with {planned.groups} {groups} on the night of {night.on:%Y-%m-%d}."
    write_down(visit.club, says, by=visit.member)
    return there


def picked(request: HttpRequest) -> list[int]:
    """Whose names were tapped."""
    return [number for text in request.POST.getlist("who") if (number := whole(text))]


def opened_since(request: HttpRequest, night: Night) -> bool:
    """Whether this very drawing was opened: by a tap that is sent twice, or by another organiser."""
    return night.tables.standing().exists() and not night.drawn and bool(request.POST.get("saw"))


def take(drawing: Drawing, data: QueryDict) -> None:
    """What was chosen on the page beside the button: dealers, lengths, and whether it is all for fun."""
    for at, drawn in enumerate(drawing.tables):
        deals = data.get(f"deals-{at}", "")
        drawn.deals = next((pk for pk in drawing.starters(drawn) if str(pk) == deals), drawn.deals)
        if f"plan-{at}" in data:
            key, _, value = data.get(f"plan-{at}", "").partition("=")
            choices = plan_choices(drawn.game, len(drawn.people), drawing.rules_of(drawn.game))
            offered = {(choice.key, str(v)): v for choice in choices for v in choice.amounts[0].offered}
            drawn.plan = {key: offered[key, value]} if (key, value) in offered else {}
    night = drawing.night
    if "fun-asked" in data and night.for_fun != bool(data.get("for_fun")):
        night.for_fun = bool(data.get("for_fun"))
        with transaction.atomic():
            night.save(update_fields=["for_fun"])


def act(drawing: Drawing, do: str, people: list[int]) -> None:
    """What a button does; one that is unknown does nothing."""
    verb, _, of = do.partition("-")
    at = int(of) if of.isascii() and of.isdecimal() and len(of) < 4 and int(of) < len(drawing.tables) else None
    game = next((game for game in all_games() if game.slug == of), None)
    if do == "again":
        drawing.again()
    elif do == "out":
        drawing.bring(people, None)
    elif do == "swap":
        drawing.swap(*people)
    elif verb == "bring" and at is not None:
        drawing.bring(people, at)
    elif verb == "hold" and at is not None:
        drawing.hold(at)
    elif do == "plain":
        drawing.plan_no_play_off()
    elif verb == "game" and game:
        drawing.play(game)
    elif verb in ("more", "less") and game and not drawing.play_off:
        drawing.have(game, more=verb == "more")


def choices_of(drawing: Drawing) -> list[tuple[str, str]]:
    """What the trophies may follow, where that is to be asked: the club has one, and two or more tables play for it."""
    night, games = drawing.night, trophy_games()
    numbers = [table.number for table in drawing.where.tonight if table.game in games]
    numbers += [
        number
        for number, drawn in zip(numbers_of(drawing), drawing.tables, strict=True)
        if drawn.game.play_off.champion_deals
    ]
    if night.for_fun or len(numbers) < 2 or drawing.play_off or play_off_of(night):
        return []
    has_one = Trophy.objects.filter(club=night.club_id, archived_at__isnull=True).exists()
    return follow_choices(numbers) if has_one else []


def numbers_of(drawing: Drawing) -> range:
    """The numbers the drawn tables will have: a night counts its tables through."""
    last = max((table.number for table in drawing.where.tonight), default=0)
    return range(last + 1, last + 1 + len(drawing.tables))


def draw_page(
    request: HttpRequest, visit: Visit, drawing: Drawing, *, status: int = 200, wrong: str = "", wrong_follows: str = ""
) -> TemplateResponse:
    night = drawing.night
    cards = [card_of(drawing, at, number) for at, number in enumerate(numbers_of(drawing))]
    counts = [(game, sum(drawn.game == game for drawn in drawing.tables)) for game in by_size()]
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "nights",
        "night": night,
        "drawing": drawing,
        **about_play_off(drawing),
        "cards": cards,
        "counts": counts,
        "games": by_size(),
        "unfolded": request.GET.get("open", ""),
        "played": [(game, len(drawing.rules_of(game))) for game, count in counts if count and game.house_rules],
        "running": running(night) if drawing.outside else [],
        "opened": len(drawing.where.tonight),
        "choices": choices_of(drawing),
        "picked": picked(request),
        "followed": request.POST.get("follows", "") or followed(night),
        "wrong": wrong or (CLOSED if night.closed_at else ""),
        "wrong_follows": wrong_follows,
    }
    page = TemplateResponse(request, "clubs/tables/draw_tables.html", context, status=status)
    return shown_from_the_top(page) if wrong or wrong_follows else page


def unfolded_at(do: str) -> str:
    """The part of the page the button belongs to: it is in sight, and open, after the tap as it was before."""
    verb, _, of = do.partition("-")
    part = {"game": "night-game", "less": "counts", "more": "counts", "hold": f"chairs-{whole(of)}"}.get(verb, "")
    return f"?open={part}#{part}" if part else ""


def about_play_off(drawing: Drawing) -> dict[str, object]:
    """The sentence of the play-off the tables are drawn for, or of the one that could be played instead."""
    planned = drawing.planned_now
    if planned is None:
        gone = drawing.no_more
        return {
            "instead": instead(drawing.night, drawing.present.values(), drawing.wanted),
            "no_more": why_not(gone.game, drawing.chairs_for(gone.game)) if gone else "",
        }
    hours = hours_of(drawing.night, planned, drawing.rules_of(planned.game))
    return {
        "planned": planned, "says": sentence(planned, hours), "hours": hours, "troubles": planned.problems(),
        "leaving": gone_by(drawing.night, drawing.present.values(), hours.done),
    }  # fmt: skip


def card_of(drawing: Drawing, at: int, number: int) -> Card:
    drawn = drawing.tables[at]
    order = [*drawing.starters(drawn), *drawing.latecomers(drawn)]
    chairs = [drawing.present[pk] for pk in order]
    return Card(
        at, number, drawn, chairs, drawing.length_of(drawn), plans_of(drawing, drawn), list(drawing.problems(drawn)),
        is_group=drawing.play_off is not None,
    )  # fmt: skip


def plans_of(drawing: Drawing, drawn: Drawn) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """How long the table can play, by the ways to say it: what is posted, its words, whether it is chosen."""
    ways = []
    if drawing.play_off:
        # All groups play the same number of hands: it is chosen where the play-off is planned.
        return []
    for choice in plan_choices(drawn.game, len(drawn.people), drawing.rules_of(drawn.game)):
        offered = []
        for value in choice.amounts[0].offered:
            plan = {choice.key: value}
            looked = drawing.outlook_of(drawn, plan)
            words = f"{value}: {looked.hands} hands, {looked.about}" if looked else str(value)
            offered.append((f"{choice.key}={value}", words, drawn.plan == plan))
        ways.append((choice.words, offered))
    return ways


def running(night: Night) -> list[Table]:
    """The tables that play and take somebody in."""
    playing = night.tables.standing().playing().filter(sheet__isnull=False)
    joined = [game.slug for game in all_games() if takes_latecomers(game)]
    return list(playing.filter(game__in=joined))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def chair(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Who came unannounced gets a chair: `member` at the running `table`. GET leads to the tables."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    there = HttpResponseRedirect(reverse("draw_tables", args=[slug, pk]), status=303)
    if request.method != "POST":
        return there
    line = next((line for line in Drawing(night).outside if str(line.member.pk) == request.POST.get("member")), None)
    table = next((table for table in running(night) if str(table.number) == request.POST.get("table")), None)
    if line and table and give_chair(table, line.member):
        write_down(visit.club, f"Gave {line.member.called} a chair at {table}, {night.on:%Y-%m-%d}.", by=visit.member)
    return there


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def night_rules(request: HttpRequest, slug: str, pk: int, game: str) -> HttpResponse:
    """By which house rules a game is played tonight: as the club played it last, until somebody says otherwise."""
    visit = enter(request, slug, Role.ORGANISER)
    night = night_of(visit, pk)
    named_game = next((other for other in all_games() if other.slug == game and other.house_rules), None)
    if named_game is None:
        raise Http404
    form = HouseForm(named_game, {})
    if request.method != "POST":
        fill(form, Drawing(night))
        return rules_page(request, visit, night, form)
    form.take(request.POST)
    chosen = form.chosen
    problems = named_game.setup_problems(range(1, named_game.made_for[0] + 1), {}, chosen)
    form.wrong = {problem.field: problem.message for problem in problems if problem.blocking and problem.field}
    if form.wrong:
        return rules_page(request, visit, night, form, status=422)
    with transaction.atomic():
        night = held(visit, night)
        drawing = Drawing(night)
        drawing.house_rules[named_game.slug] = chosen
        drawing.keep()
    return HttpResponseRedirect(reverse("draw_tables", args=[slug, pk]), status=303)


def fill(form: HouseForm, drawing: Drawing) -> None:
    """The house rules as they are chosen, as the form shows them."""
    form.texts |= {key: field_text(value) for key, value in drawing.rules_of(form.game).items()}


def rules_page(
    request: HttpRequest, visit: Visit, night: Night, form: HouseForm, *, status: int = 200
) -> TemplateResponse:
    context = {
        "visit": visit, "club": visit.club, "here": "nights", "night": night, "game": form.game,
        "fields": [form.field(rule) for rule in form.game.house_rules],
    }  # fmt: skip
    return TemplateResponse(request, "clubs/tables/night_rules.html", context, status=status)
