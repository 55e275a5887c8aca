"""The front page."""

from django.http import HttpRequest, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.evening.this_phone import go_on, on_now, visits_of
from rules import all_games
from rules.core.numbers import spelled
from scoresheets.access.scorekeepers import browser_of
from scoresheets.models import Sheet
from scoresheets.opening.game_cards import GameCard, by_size
from scoresheets.sheet.occupancy import called_at

#: Sheets of this phone that are offered to be opened again.
MOST_SHEETS = 6


@require_safe
@vary_on_cookie
def front(request: HttpRequest) -> TemplateResponse:
    """What this phone is in the middle of, the nights of the clubs it knows, and its latest sheets."""
    kept = list(Sheet.objects.kept_by(browser_of(request))[:MOST_SHEETS])
    called = called_at(kept) if kept else {}
    games = {game.slug: game.name for game in all_games()}
    sheets = [(sheet, games.get(sheet.game, ""), called.get(sheet.pk, [])) for sheet in kept]
    cards = [GameCard(game) for game in by_size()]
    visits = visits_of(request)
    context = {
        "sheets": sheets,
        "cards": cards,
        "how_many": spelled(len(cards)),
        "clubs": [visit.club for visit in visits if not visit.club.is_evening],
        "evenings": [visit.club for visit in visits if visit.club.is_evening],
        "on_now": on_now(request, visits),
        "go_on": go_on(kept),
    }
    return TemplateResponse(request, "clubs/club/front.html", context)


@require_safe
@cache_control(max_age=86_400)
def favicon(request: HttpRequest) -> HttpResponseRedirect:
    """The sign of the site, where a browser looks for it that was shown no page: a picture, a sheet file."""
    return HttpResponseRedirect(static("icons/favicon.svg"))
