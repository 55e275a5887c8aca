"""Opening a sheet."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from rules import all_games
from scoresheets.access.network import network_hash
from scoresheets.access.repeated_post import repeated_post
from scoresheets.access.scorekeepers import browser_of, hashed, keep_browser_secret, last_name_of, new_browser_secret
from scoresheets.models import Player
from scoresheets.models.sheet import new_token
from scoresheets.opening.candidates import company_of
from scoresheets.opening.defaults import Past, last_rule_answers, past_of
from scoresheets.opening.form import Opening
from scoresheets.opening.open_sheet import Opened, Opener, refusal_of
from scoresheets.opening.open_sheet import open_sheet as open_new_sheet
from scoresheets.opening.several_tables import offers_for

#: Seconds after which somebody who opened too many sheets may try again.
WAIT = 600
#: People shown at once; the others are behind "More people".
CHIPS = 18
SIGN_IN_TO_OPEN = "On this site a sheet is opened with an account. Sign in, and you come back here."
STATUS = {"sign-in-first": 403, "too-many-sheets": 429, "code-used": 409}


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def open_sheet(request: HttpRequest) -> HttpResponseBase:
    """GET: who plays? `?again=<code>`: the same as on that sheet; `?game=<slug>`: that game is chosen.

    POST: what the button `do` says; none: open it.
    """
    user = signed_in_user(request)
    if user is None and not settings.OPEN_SHEETS_WITHOUT_ACCOUNT:
        return account_needed_page(request)
    secret = new_browser_secret(request)
    if is_opening(request) and (refused := refusal_of(opener_of(request, secret, user))):
        return too_many_sheets_page(request, refused.problems[0].message)
    people = company_of(request, user)
    if request.method != "POST":
        past = past_of(browser_of(request), people, request.GET.get("again", ""))
        form = Opening(past, next((game for game in all_games() if game.slug == request.GET.get("game")), None))
        form.keeper = last_name_of(browser_of(request))
        if "again" in request.GET:
            form.sit_as_before()
        response: HttpResponseBase = opening_page(request, form, people)
    else:
        again, game = request.POST.get("again", ""), request.POST.get("game", "")
        form = Opening.posted(request.POST, past_of(browser_of(request), people, again, game=game))
        response = do_action(request, form, people, hashed(secret), user)
    # Already now, so that the same tap sent twice comes from the same browser.
    keep_browser_secret(request, response, secret)
    return response


@never_cache
@require_POST
def open_look(request: HttpRequest) -> HttpResponseBase:
    """What the form comes to so far: the parts of the page that change with every tap."""
    user = signed_in_user(request)
    people = company_of(request, user)
    names = {player.pk: player.called for player in people}
    answers = last_rule_answers(browser_of(request), request.POST.get("game", ""))
    form = Opening.posted(request.POST, Past(names, rule_answers=answers))
    form.check()
    context = {"form": form, "all": True, "offers": offers_for(request, form.game, len(form.rows))}
    return TemplateResponse(request, "scoresheets/opening/parts.html", context)


def do_action(
    request: HttpRequest, form: Opening, people: list[Player], browser: str, user: AbstractBaseUser | None
) -> HttpResponseBase:
    """Do what the button says: the page again, or the new sheet's pad."""
    do = request.POST.get("do", "open")
    if do != "open":
        form.act(do)
        refused = bool(form.wrong)
        form.check()
        return opening_page(request, form, people, status=422 if refused else 200)
    form.check(to_open=True)
    if not form.fits or not form.warned:
        return opening_page(request, form, people, status=422)
    opened = open_new_sheet(
        form.set_up(), browser=browser, key=form.key, user=user, address=request.META.get("REMOTE_ADDR", ""),
        keeper_name=form.keeper, sure=True, candidates=[player.pk for player in people],
    )  # fmt: skip
    if isinstance(opened, Opened):
        return HttpResponseRedirect(reverse(form.goes_on or "pad", args=[opened.sheet.code]), status=303)
    if opened.code == "sign-in-first":
        return account_needed_page(request)
    if opened.code == "too-many-sheets":
        return too_many_sheets_page(request, opened.problems[0].message)
    form.wrong["sheet"] = opened.problems[0].message
    form.key = new_token()
    return opening_page(request, form, people, status=STATUS.get(opened.code, 422))


def opening_page(request: HttpRequest, form: Opening, people: list[Player], *, status: int = 200) -> TemplateResponse:
    seated = {row.pick for row in form.rows}
    twice = {player.called for player in people if sum(other.called == player.called for other in people) > 1}
    chips = [{"player": player, "seated": player.pk in seated, "namesake": player.called in twice} for player in people]
    context = {
        "form": form,
        "offers": offers_for(request, form.game, len(form.rows)),
        "chips": chips[:CHIPS],
        "more_chips": chips[CHIPS:],
        "waited_for": [player.called for player in people if player.pk not in seated],
        "again": request.POST.get("again", request.GET.get("again", "")),
        "past": {
            "game": form.game.slug,
            "champions": form.past.champions,
            "last": [{"name": person.name, "pick": person.player} for person in form.past.last],
        },
    }
    return TemplateResponse(request, "scoresheets/opening/page.html", context, status=status)


def is_opening(request: HttpRequest) -> bool:
    """Whether a sheet is to be opened, and the form is not only to change."""
    return request.method == "POST" and request.POST.get("do", "open") == "open"


def opener_of(request: HttpRequest, secret: str, user: AbstractBaseUser | None) -> Opener:
    network = network_hash(request.META.get("REMOTE_ADDR", ""))
    return Opener(hashed(secret), request.POST.get("key", ""), user, network)


def too_many_sheets_page(request: HttpRequest, sentence: str) -> TemplateResponse:
    """Nothing is opened from there for a while: what was typed can be sent again from the page.

    The form itself would take ten times as long, of the time in which others want to write.
    """
    context = {"title": "Too many sheets", "sentence": sentence, "again": repeated_post(request)}
    page = TemplateResponse(request, "problem.html", context, status=429)
    page.headers["Retry-After"] = str(WAIT)
    return page


def account_needed_page(request: HttpRequest) -> TemplateResponse:
    """This site opens no sheets for people without an account: where one signs in, and comes back."""
    then = request.get_full_path() if request.method == "GET" else reverse("open_sheet")
    context = {"title": "Sign in first", "sentence": SIGN_IN_TO_OPEN, "sign_in": True, "then": then}
    return TemplateResponse(request, "problem.html", context, status=403)


def signed_in_user(request: HttpRequest) -> AbstractBaseUser | None:
    """The account that is signed in. The session is not touched where no cookie names one."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
        return None
    return request.user
