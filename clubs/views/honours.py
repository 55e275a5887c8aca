"""The board of honours: what members are remembered for, and the hands that prove it."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.doors import enter
from clubs.honours import board, evidence, term_called


@require_safe
@vary_on_cookie
def honours(request: HttpRequest, slug: str) -> TemplateResponse:
    """Every term with those it was said of, most often first."""
    visit = enter(request, slug)
    context = {"visit": visit, "club": visit.club, "here": "trophies", "terms": board(visit.club)}
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
    found = evidence(visit.club, game, tag, member)
    for proof in found:
        proof.counted = term.counted(proof.value)
    context = {
        "visit": visit, "club": visit.club, "here": "trophies", "term": term, "of": member and member.who,
        "proofs": found,
    }  # fmt: skip
    return TemplateResponse(request, "clubs/honour.html", context)
