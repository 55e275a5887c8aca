"""The page "For programs" of an organiser: read keys are made and revoked."""

from __future__ import annotations

from html import escape
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Role, Visit, enter
from clubs.api import keys
from clubs.models.club import LONGEST_LABEL, Club
from clubs.standings.league import ALL_TIME
from clubs.views.api.publishing import for_spreadsheet
from rules.core.problems import Problem
from scoresheets.access.scorekeepers import SECRET
from scoresheets.log.append import is_id
from scoresheets.log.text import clean_text
from scoresheets.models.sheet import new_token

#: Stands in an address where the key belongs.
PLACE_OF_KEY = "YOUR-KEY"
NO_LABEL = "Say what the key is for."
OUT_OF_DATE = "This page is out of date. Press the button again."
REVOKED = "That key was revoked since. Make a new one."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def read_keys(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the keys that are good, and how they are used. POST: another one, or (`revoke`: its id) one less."""
    visit = enter(request, slug, Role.ORGANISER)
    if request.method != "POST":
        return keys_page(request, visit)
    if "revoke" in request.POST:
        number = request.POST["revoke"]
        pk = int(number) if number.isascii() and number.isdecimal() and len(number) < 20 else 0
        if is_id(pk):
            keys.revoke_key(visit.club, pk, by=visit.member)
        return HttpResponseRedirect(reverse("read_keys", args=[slug]), status=303)
    label, uid = clean_text(request.POST.get("label", ""), LONGEST_LABEL), request.POST.get("uid", "")
    if isinstance(label, Problem):
        return keys_page(request, visit, wrong=label.message, status=422)
    if not label or not SECRET.fullmatch(uid):
        return keys_page(request, visit, wrong=OUT_OF_DATE if label else NO_LABEL, status=422)
    made = keys.make_key(visit.club, label, uid=uid, by=visit.member)
    if isinstance(made, Problem) or not made:
        return keys_page(request, visit, wrong=made.message if isinstance(made, Problem) else REVOKED, status=422)
    return keys_page(request, visit, made=made, label=label)


def keys_page(
    request: HttpRequest, visit: Visit, *, made: str = "", label: str = "", wrong: str = "", status: int = 200
) -> TemplateResponse:
    """The page; with `made` the key that was made just now, for what `label` says."""
    club = visit.club
    context = {
        "visit": visit, "club": club, "here": "organise", "keys": club.read_keys.good(), "made": made, "label": label,
        "wrong": wrong, "typed": request.POST.get("label", "")[:LONGEST_LABEL] if wrong else "", "uid": new_token(),
        "most": LONGEST_LABEL, "seasons": club.seasons.standing(), **addresses_to_paste(request, club, made),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/api/read_keys.html", context, status=status)


def addresses_to_paste(request: HttpRequest, club: Club, made: str) -> dict[str, str]:
    """What is pasted into other programs: whole addresses, with the key where the club is not public.

    A key that was not made just now is known to nobody any more: its place is marked.
    """
    is_public, title = club.visibility == Club.Visibility.PUBLIC, escape(f"Standings of {club.name}")
    key = "" if is_public else f"?{urlencode({'key': made or PLACE_OF_KEY})}"

    def address(name: str, *args: str) -> str:
        return request.build_absolute_uri(reverse(name, args=[club.slug, *args]))

    frame = f'<iframe src="{address("standing_frame", ALL_TIME)}" title="{title}" width="100%" height="600"></iframe>'
    return {
        "spreadsheet": for_spreadsheet(address("api_standing_csv", ALL_TIME) + key),
        "feed": address("api_results") + key, "frame": frame if is_public and club.frame_origin else "",
    }  # fmt: skip
