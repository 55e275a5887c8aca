"""Share links of a sheet: for watchers, for another scorekeeper, and the list of scorekeepers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from rules.core.problems import Problem
from scoresheets.access.listing import links_of, phones_of
from scoresheets.access.qr import qr_code, qr_of
from scoresheets.access.scorekeepers import (
    LIFE_OF_A_LINK,
    REFERRER_POLICY,
    become_active,
    cut_off,
    find_link,
    make_link,
    new_watch_address,
    refusal_for,
    rename_scorekeeper,
    revoke_link,
)
from scoresheets.log.append import is_id, is_key, saved
from scoresheets.models import Scorekeeper, Sheet
from scoresheets.models.sheet import new_token
from scoresheets.views.public.lookup import sheet_of, to_the_sheet

Deed = Callable[[HttpRequest, Sheet, Scorekeeper], HttpResponse | None]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def links(request: HttpRequest, code: str) -> HttpResponse:
    """GET: the links and who may write. POST: what the button `do` says. Only for those who may write."""
    sheet, keeper = sheet_of(request, code)
    if keeper is None:
        return to_the_sheet(request, sheet)
    deed = DEEDS.get(request.POST.get("do", "")) if request.method == "POST" else None
    response = deed(request, sheet, keeper) if deed else links_page(request, sheet, keeper)
    response = response or HttpResponseRedirect(reverse("links", args=[code]), status=303)
    response.headers["Referrer-Policy"] = REFERRER_POLICY
    return response


def links_page(
    request: HttpRequest, sheet: Sheet, keeper: Scorekeeper, *, status: int = 200, **more: Any
) -> HttpResponse:
    watch = request.build_absolute_uri(reverse("watch", args=[sheet.watch]))
    phones = phones_of(sheet, keeper)
    context = {
        "sheet": sheet,
        "keeper": keeper,
        "key": new_token(),
        "watch": watch,
        "watch_qr": qr_of(watch),
        "phones": phones,
        "holder": next((phone for phone in phones if phone.is_active), None),
        "links": links_of(sheet),
        "hours": int(LIFE_OF_A_LINK.total_seconds()) // 3600,
        "state": reverse("state", args=[sheet.code]),
        **more,
    }
    return TemplateResponse(request, "scoresheets/access/links.html", context, status=status)


# What a button does: the page it answers with, None for the page of links anew


def hand_over(request: HttpRequest, sheet: Sheet, keeper: Scorekeeper) -> HttpResponse | None:
    """A keeper link, to be scanned by a neighbour. It is told now and never again."""
    if keeper._state.adding:
        # They write by their account and have not written yet.
        keeper = saved(keeper)
    key = request.POST.get("key", "")
    token = make_link(sheet, by=keeper, key=key if is_key(key) else new_token())
    if find_link(token) is None:
        # The page was sent once more, and the link is taken away by now.
        return None
    address = request.build_absolute_uri(reverse("keep", args=[token]))
    return links_page(request, sheet, keeper, made=address, made_qr=qr_code(address))


def start_scoring(request: HttpRequest, sheet: Sheet, keeper: Scorekeeper) -> HttpResponse | None:
    """This phone keeps the next hands again."""
    key = request.POST.get("key", "")
    become_active(keeper, key=key if is_key(key) else new_token())
    return None


def call(request: HttpRequest, sheet: Sheet, keeper: Scorekeeper) -> HttpResponse | None:
    """What this scorekeeper is called."""
    typed = request.POST.get("name", "")
    wrong = rename_scorekeeper(keeper, typed)
    return links_page(request, sheet, keeper, status=422, wrong=wrong.message, typed=typed[:1000]) if wrong else None


def other_watch_address(request: HttpRequest, sheet: Sheet, keeper: Scorekeeper) -> HttpResponse | None:
    """A new link for those who watch; the old one shows nothing any more."""
    new_watch_address(sheet, saw=request.POST.get("watch", ""))
    return None


def cut_phone_off(request: HttpRequest, sheet: Sheet, keeper: Scorekeeper) -> HttpResponse | None:
    """One phone may not write any more. Who opened the sheet is not cut off without a second question."""
    phone = next((p for p in phones_of(sheet, keeper) if str(p.pk) == request.POST.get("phone", "")), None)
    if phone is None:
        # Somebody else did it before.
        return None
    if not phone.may_go:
        problem = Problem("not-yourself", "You cannot cut off your own phone. Another scorekeeper can.")
        return links_page(request, sheet, keeper, status=422, refused=problem.message)
    if phone.opened and request.POST.get("sure", "") != "1":
        return links_page(request, sheet, keeper, status=422, phone=phone)
    other = sheet.scorekeepers.filter(pk=phone.pk).first()
    if other and not cut_off(other, by=keeper):
        raise refusal_for(request, sheet)
    return links_page(request, sheet, keeper, notice=f"{phone.name or 'That phone'} can no longer enter scores.")


def take_link_away(request: HttpRequest, sheet: Sheet, keeper: Scorekeeper) -> HttpResponse | None:
    """A keeper link opens nothing any more, and who came by it may not write."""
    number = request.POST.get("link", "")
    pk = int(number) if number.isascii() and number.isdecimal() and len(number) < 20 else 0
    link = sheet.links.filter(pk=pk).select_related("sheet").first() if is_id(pk) else None
    if link and not revoke_link(link, by=keeper):
        raise refusal_for(request, sheet)
    return None


DEEDS: dict[str, Deed] = {
    "hand-over": hand_over,
    "start-scoring": start_scoring,
    "call": call,
    "watch": other_watch_address,
    "cut-off": cut_phone_off,
    "take-away": take_link_away,
}
