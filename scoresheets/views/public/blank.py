"""Blank sheets, to be printed and filled in by hand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from rules import all_games
from rules.core.game import Game
from rules.core.options import Amount
from rules.core.problems import Problem
from scoresheets.access.qr import qr_of
from scoresheets.opening.game_cards import by_size
from scoresheets.opening.open_sheet import clean_names
from scoresheets.paper.layout import LAYOUTS, Blank
from scoresheets.sheet.outsiders import read_for
from scoresheets.views.public.lookup import sheet_of
from scoresheets.views.public.rules import game_of

WORDS = (("players", "Players across"), ("hands", "A column for every hand"))
WHOLE = re.compile(r"[0-9]{1,3}")
#: The people an empty sheet is drawn for before anybody says how many.
USUAL = 6
TYPE_IN = (
    "Scan with the scorekeeper’s phone to type this sheet in afterwards; on any other phone it shows the running sheet."
)
OPEN = "Scan to open a sheet on the site, into which these hands can be typed afterwards."


@require_safe
@cache_control(private=True, no_cache=True)
def blank_sheet(request: HttpRequest, code: str) -> TemplateResponse:
    """The hands of a sheet that are still to come, with names, cards and dealers. `?layout=`: players or hands."""
    record, keeper = sheet_of(request, code)
    reading = read_for(record, keeper)
    blank = Blank.of_sheet(reading, layout_of(request))
    context = {
        "sheet": record,
        "keeper": keeper,
        "blank": blank if blank.hands else None,
        "layouts": WORDS,
        "title": record.title or reading.game.name,
        "qr": qr_of(request.build_absolute_uri(reverse("type_in", args=[code]))),
        "says": TYPE_IN,
    }
    return TemplateResponse(request, "scoresheets/paper/blank.html", context)


@require_safe
def blank(request: HttpRequest) -> TemplateResponse:
    """An empty sheet for people who have none on the site: how many, who, how many cards. Nothing is kept."""
    games = by_size(all_games())
    game = game_of(request.GET.get("game", games[0].slug))
    kept = {name: request.GET.get(name, "")[:2000] for name in ("players", "names", "amount")}
    if request.GET.get("asked", game.slug) != game.slug:
        # The numbers of another game say nothing about this one.
        kept |= {"players": "", "amount": ""}
    wanted = BlankForm(game, kept["players"] or usual_players(game), kept["names"], kept["amount"])
    context = {
        "game": game,
        "games": games,
        "is_for_several": len(game.players) > 1,
        "kept": {**kept, "players": str(len(wanted.names)), "layout": layout_of(request)},
        "choice": wanted.amount,
        "wrong": wanted.wrong,
        "blank": None if wanted.wrong else wanted.blank(layout_of(request)),
        "layouts": WORDS,
        "title": game.name,
        "qr": qr_of(request.build_absolute_uri(reverse("open_sheet"))),
        "says": OPEN,
    }
    return TemplateResponse(request, "scoresheets/paper/blank.html", context, status=422 if wanted.wrong else 200)


def usual_players(game: Game) -> str:
    """So many people an empty sheet is drawn for."""
    return str(min(max(USUAL, game.made_for[0]), game.made_for[-1]))


def layout_of(request: HttpRequest) -> str:
    name = request.GET.get("layout", "")
    return name if name in LAYOUTS else LAYOUTS[0]


@dataclass
class BlankForm:
    """An empty sheet as somebody asks for it: what was typed."""

    game: Game
    players: str
    typed_names: str
    typed_amount: str

    def __post_init__(self) -> None:
        problems: list[Problem] = []
        typed = [line for line in self.typed_names.splitlines() if line.strip()]
        self.names = clean_names(typed, "names", problems) or [""] * (parse_count(self.players) or 0)
        self.wrong = [problem.message for problem in problems]
        plan = self.plan()
        if not self.wrong:
            unfit = self.game.setup_problems(range(1, len(self.names) + 1), plan, {})
            self.wrong = [problem.message for problem in unfit if problem.blocking]
        self.chosen = plan

    @property
    def amount(self) -> Amount | None:
        """The number by which so many choose how long they play, where the game lets them."""
        choices = self.game.plan_choices(len(self.names), {})
        return choices[0].amounts[0] if choices else None

    def plan(self) -> dict[str, int]:
        """The plan that was typed; what is no number goes to `wrong`."""
        amount, typed = self.amount, self.typed_amount.strip()
        if amount is None or not typed:
            return {}
        value = parse_count(typed)
        if value is None:
            self.wrong.append("That is not a number of hands or cards.")
            return {}
        return {amount.key: value}

    def blank(self, layout: str) -> Blank:
        """The empty sheet."""
        seats = range(1, len(self.names) + 1)
        table = self.game.open_table(seats, 1, self.chosen, {})
        return Blank.of_table(self.game, table, dict(zip(seats, self.names, strict=True)), layout)


def parse_count(typed: str) -> int | None:
    """A small whole number, or None."""
    return int(typed) if WHOLE.fullmatch(typed.strip()) else None
