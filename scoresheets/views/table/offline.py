"""Sheets that a phone opens without network: what it keeps for them in advance, and what it sends afterwards."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import get_conditional_response
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from rules import UnknownGame, find_game
from rules.core.game import Game
from scoresheets.access.scorekeepers import browser_of, hashed, keep_browser_secret, new_browser_secret
from scoresheets.log.state import SheetReading
from scoresheets.models.sheet import is_token
from scoresheets.opening.candidates import company_of
from scoresheets.opening.defaults import Past, champions_of
from scoresheets.opening.form import Opening
from scoresheets.opening.open_sheet import BAD_CODE, NEEDS_ACCOUNT, Opened
from scoresheets.opening.open_sheet import open_sheet as open_new_sheet
from scoresheets.pad.build import page_of
from scoresheets.pad.offline import CODE, DATA, WATCH, blank_reading, numbers_of_players, state_before
from scoresheets.pad.state import as_json
from scoresheets.views.public.opening import STATUS, WAIT, signed_in_user
from scoresheets.views.table.pad import pad_page, page_data

#: What a form has for one browser: scripts read their own.
TOKENS = re.compile(r'<input type="hidden" name="csrfmiddlewaretoken" value="[^"]*">')


@require_safe
@cache_control(no_cache=True)
def offline_pads(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The pads of a game that a phone keeps, for every number of players. Nobody's: the same for every browser."""
    try:
        content, etag = prepared_pads(find_game(slug))
    except UnknownGame:
        raise Http404 from None
    response = HttpResponse(content, content_type="application/json")
    response.headers["ETag"] = etag
    return get_conditional_response(request, etag=etag, response=response) or response


@cache
def prepared_pads(game: Game) -> tuple[bytes, str]:
    """The pads of a game as JSON, and the tag by which they are known: once for each process."""
    content = json.dumps(pads_of(game), ensure_ascii=False, separators=(",", ":")).encode()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def pads_of(game: Game) -> dict[str, object]:
    """What a phone needs to begin the game: `pads` by number of players, with `states` by who deals first, from 1 on.

    `code`, `watch` and `data` are what stands in the `html` for what the phone puts there.
    """
    pads = {}
    for players in numbers_of_players(game):
        readings = [blank_reading(game, players, dealer) for dealer in range(1, players + 1)]
        data = page_data(readings[0], state_before(readings[0]), page_of(readings[0]))
        pads[players] = {
            "html": blank_page(readings[0]),
            "data": {name: value for name, value in data.items() if name != "pad"},
            "states": [as_json(state_before(reading)) for reading in readings],
            "unwise": [problem.message for problem in game.setup_problems(range(1, players + 1), {}, {})],
        }
    asks = game.first_dealer_by
    places = {"code": CODE, "watch": WATCH, "data": json.dumps(DATA)}
    return {"game": game.slug, "name": game.name, "asks": [asks.asks, asks.how], **places, "pads": pads}


def blank_page(reading: SheetReading) -> str:
    """The page of a pad with nobody's names and nothing of a request in it."""
    page = pad_page(HttpRequest(), reading, state_before(reading), key=CODE)
    page.context_data = {**(page.context_data or {}), "data": DATA}
    return TOKENS.sub("", page.render().content.decode())


@never_cache
@require_POST
def open_offline(request: HttpRequest) -> HttpResponseBase:
    """Open the sheet that a phone has begun without network, under the `code` it has drawn.

    It is dated by this site's clock. The same tap again finds the same sheet. 200 with `code` and `watch`; else
    `problem` and its `code`: 403 and 429 as the page of the form, 409 where another sheet has that code, 422.
    """
    user = signed_in_user(request)
    if user is None and not settings.OPEN_SHEETS_WITHOUT_ACCOUNT:
        return refusal(NEEDS_ACCOUNT.code, NEEDS_ACCOUNT.message)
    code = request.POST.get("code", "")
    if not is_token(code):
        return refusal(BAD_CODE.code, BAD_CODE.message)
    secret, people = new_browser_secret(request), company_of(request, user)
    names = {player.pk: player.called for player in people}
    form = Opening.posted(request.POST, Past(names, champions=champions_of(browser_of(request))))
    # By a key or nothing: the form draws one where none comes.
    form.key = request.POST.get("key", "")
    form.check(to_open=True)
    refused = next((problem for problem in form.problems if problem.blocking), None)
    if refused is not None:
        response: HttpResponseBase = refusal(refused.code, refused.message)
    else:
        answer = open_new_sheet(
            form.set_up(), browser=hashed(secret), key=form.key, user=user,
            address=request.META.get("REMOTE_ADDR", ""), keeper_name=form.keeper, sure=True, candidates=list(names),
            code=code,
        )  # fmt: skip
        if isinstance(answer, Opened):
            response = JsonResponse({"code": answer.sheet.code, "watch": answer.sheet.watch})
        else:
            response = refusal(answer.code, answer.problems[0].message)
    keep_browser_secret(request, response, secret)
    return response


def refusal(code: str, sentence: str) -> JsonResponse:
    """Why the sheet was not opened."""
    response = JsonResponse({"code": code, "problem": sentence}, status=STATUS.get(code, 422))
    if response.status_code == 429:
        response.headers["Retry-After"] = str(WAIT)
    return response
