"""The page behind a keeper link: another phone becomes the scorekeeper."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoresheets.access.scorekeepers import (
    REFERRER_POLICY,
    browser_of,
    hashed,
    join_by_link,
    keep_browser_secret,
    known_link,
    last_name_of,
    new_browser_secret,
    scorekeeper_for,
)
from scoresheets.access.throttle import NoSuchSheet
from scoresheets.log.state import read_sheet
from scoresheets.models import ShareLink
from scoresheets.models.sheet import new_token

ASK = "Ask the scorekeeper for a new one."
NEVER_WAS = f"This link does not open a sheet. {ASK}"
REVOKED = f"This link was revoked and no longer works. {ASK}"
RUN_OUT = f"This link worked for one evening and has expired. {ASK}"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, token: str) -> HttpResponseBase:
    """GET: whose table it is, and a button; nothing is consumed. POST: this browser may write from now on."""
    link = known_link(token)
    if link is None:
        raise NoSuchSheet(NEVER_WAS)
    response = opened(request, link, token) if link.is_good(timezone.now()) else gone(request, link)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


def opened(request: HttpRequest, link: ShareLink, token: str) -> HttpResponseBase:
    if request.method == "POST":
        return take(request, link, token)
    reading = read_sheet(link.sheet)
    context = {
        "reading": reading,
        "names": [reading.names[seat] for seat in reading.sheet.table.seats],
        "called": last_name_of(browser_of(request)),
        # Who found the link in a terminal, and not on a neighbour's phone, writes alone: no name is needed yet.
        "from_somebody": link.made_by_id is not None,
        "key": new_token(),
    }
    return TemplateResponse(request, "scoresheets/access/join.html", context)


def take(request: HttpRequest, link: ShareLink, token: str) -> HttpResponseBase:
    """To the pad, as the active scorekeeper. The script asks for the address alone, so that no page is left behind."""
    secret = new_browser_secret(request)
    name, key = request.POST.get("name", ""), request.POST.get("key", "")
    keeper = join_by_link(token, hashed(secret), name, key=key)
    if keeper is None:
        return gone(request, link)
    pad = reverse("pad", args=[keeper.sheet.code])
    response: HttpResponseBase
    if "application/json" in request.headers.get("Accept", ""):
        response = JsonResponse({"to": pad})
    else:
        response = HttpResponseRedirect(pad, status=303)
    keep_browser_secret(request, response, secret)
    return response


def gone(request: HttpRequest, link: ShareLink) -> HttpResponseBase:
    """The link is good no more. Who came by it and still may write is led to the pad all the same."""
    if scorekeeper_for(request, link.sheet):
        return HttpResponseRedirect(reverse("pad", args=[link.sheet.code]), status=303)
    link.refresh_from_db(fields=["revoked_at"])
    title, sentence = ("This link was revoked", REVOKED) if link.revoked_at else ("This link is used up", RUN_OUT)
    context = {"title": title, "sentence": sentence}
    return TemplateResponse(request, "problem.html", context, status=404)
