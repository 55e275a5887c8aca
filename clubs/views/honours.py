"""The board of honours: what members are remembered for, and the hands that prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import enter
from clubs.records.hands import hand_url
from clubs.records.honours import board, evidence, term_called

if TYPE_CHECKING:
    from clubs.models import Honour

#: Proofs on a page.
A_PAGE = 50


@require_safe
@vary_on_cookie
def honours(request: HttpRequest, slug: str) -> TemplateResponse:
    """Every term with those it was said of most often; with `?open=` all of them for one term."""
    visit = enter(request, slug)
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "terms": board(visit.club),
        "opened": request.GET.get("open", ""),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/honours.html", context)


@require_safe
@vary_on_cookie
def honour(request: HttpRequest, slug: str, game: str, tag: str) -> TemplateResponse:
    """Every time a term was said, of everybody or (`?of=`) of one member, the latest first, with its hand."""
    visit = enter(request, slug)
    term = term_called(game, tag)
    of = request.GET.get("of", "")
    member = visit.club.members.filter(pk=int(of)).first() if of.isascii() and of.isdecimal() and len(of) < 10 else None
    if term is None or (of and member is None):
        raise Http404
    page = Paginator(evidence(visit.club, game, tag, member), A_PAGE).get_page(request.GET.get("page"))
    proofs = [(proof, term.counted(proof.value), url_of(proof)) for proof in page]
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "term": term, "of": member and member.who,
        "page": page, "proofs": proofs,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/honour.html", context)


def url_of(proof: Honour) -> str:
    """Where its hand stands, opened; "" where there is no sheet."""
    return hand_url(proof.table.sheet.watch, proof.hand) if proof.table.sheet else ""
