"""A link that hands the pencil of a sheet to another phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from scoresheets.reading import read_sheet
from scoresheets.sharing import find_link, give_pencil, hashed, new_pencil, take_pencil

if TYPE_CHECKING:
    from django.http import HttpRequest

GONE = "This link opens no sheet any more. Ask the scorekeeper for a new one."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: HttpRequest, token: str) -> HttpResponseBase:
    """GET: whose table it is, and a button; nothing is consumed. POST: this browser may write from now on."""
    if request.method == "POST":
        return take(request, token)
    link = find_link(token)
    if link is None:
        return gone(request)
    reading = read_sheet(link.sheet)
    names = [reading.names[seat] for seat in reading.sheet.table.seats]
    return TemplateResponse(request, "scoresheets/keep.html", {"reading": reading, "names": names})


def take(request: HttpRequest, token: str) -> HttpResponseBase:
    """To the pad, with the pencil. The page's script asks for the address alone, to leave no page to come back to."""
    secret = new_pencil(request)
    keeper = take_pencil(token, hashed(secret), request.POST.get("name", ""))
    if keeper is None:
        return gone(request)
    pad = reverse("pad", args=[keeper.sheet.code])
    response: HttpResponseBase
    if "application/json" in request.headers.get("Accept", ""):
        response = JsonResponse({"to": pad})
    else:
        response = HttpResponseRedirect(pad, status=303)
    give_pencil(request, response, secret)
    return response


def gone(request: HttpRequest) -> HttpResponseBase:
    context = {"title": "This link is used up", "sentence": GONE}
    return TemplateResponse(request, "problem.html", context, status=404)
