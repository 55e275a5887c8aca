"""Joining, leaving, substitutes and seat changes: four pages that show a preview first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from rules.core.problems import Problem
from scoresheets.log.answers import Done, Refused
from scoresheets.log.state import read_sheet
from scoresheets.models import Player, Scorekeeper, Sheet
from scoresheets.models.sheet import new_token
from scoresheets.roster.candidates import expected_at, people_for, seated_elsewhere
from scoresheets.roster.change import GAME_OVER, VERBS, change_roster
from scoresheets.roster.form import PeopleForm
from scoresheets.roster.preview import preview_digest
from scoresheets.views.public.lookup import may_write

#: People shown at once; the others are behind "More people".
CHIPS = 9
#: What the links between the pages say.
KINDS = (
    ("arrive", "Joining"),
    ("leave", "Leaving"),
    ("substitute", "Substitute"),
    ("reseat", "Seats"),
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def arrive(request: HttpRequest, code: str) -> HttpResponse:
    """A late arrival, or somebody who comes back."""
    return people(request, code, "arrive")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody goes home: after this hand, or now."""
    return people(request, code, "leave")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def substitute(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody takes over a seat with its total."""
    return people(request, code, "substitute")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def reseat(request: HttpRequest, code: str) -> HttpResponse:
    """Two change places, or everybody sits in another order."""
    return people(request, code, "reseat")


@never_cache
@require_safe
def people_look(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """What was tapped so far comes to: the part of the page that changes with every tap."""
    if kind not in VERBS:
        raise Http404
    sheet, keeper = may_write(request, code)
    form = PeopleForm(kind, read_sheet(sheet), request.GET, *known(sheet, keeper, kind))
    return TemplateResponse(request, "scoresheets/roster/preview.html", {"form": form})


def people(request: HttpRequest, code: str, kind: str) -> HttpResponse:
    """GET: who is it? POST: what it means, and once that was shown, write it down."""
    sheet, keeper = may_write(request, code)
    reading, data = read_sheet(sheet), request.POST if request.method == "POST" else request.GET
    form = PeopleForm(kind, reading, data, *known(sheet, keeper, kind))
    if request.method != "POST" or not data.get("seen"):
        return people_page(request, form, checked=request.method == "POST")
    if form.wish is None or form.is_asked:
        return people_page(request, form, checked=True, status=422)
    answer = change_roster(
        sheet, form.wish, key=data.get("key", ""), by=keeper, sure=True, digest=data["seen"], digest_of=preview_digest
    )
    if isinstance(answer, Done):
        return HttpResponseRedirect(reverse("pad", args=[code]), status=303)
    return refused(request, form, answer if isinstance(answer, Refused) else Refused((GAME_OVER,), answer.reading))


def refused(request: HttpRequest, form: PeopleForm, answer: Refused) -> HttpResponse:
    """The page with what was tapped and what stands against it; what it means is said anew."""
    data = form.data.copy()
    data.pop("at", None)
    fresh = replace(form, reading=answer.reading or read_sheet(form.reading.record), data=data)
    # What the page says of itself anyway is not said twice.
    shown = {problem.message for problem in fresh.problems}
    first = [problem for problem in answer.problems if problem.message not in shown]
    return people_page(request, fresh, checked=True, status=409 if answer.is_outdated else 422, first=first)


def people_page(
    request: HttpRequest, form: PeopleForm, *, checked: bool, status: int = 200, first: Sequence[Problem] = ()
) -> TemplateResponse:
    """The page of one kind. `checked`: somebody wants to know what it means, and has to say who."""
    chips = form.chips
    context = {
        "sheet": form.reading.record,
        "reading": form.reading,
        "form": form,
        "kinds": KINDS,
        "chips": chips[:CHIPS],
        "more_chips": chips[CHIPS:],
        "key": new_token(),
        "first": first,
        "missing": missing(form) if checked and not (form.is_ready or form.is_asked or form.problems or first) else "",
        "look": reverse("people_look", args=[form.reading.record.code, form.kind]),
    }
    return TemplateResponse(request, f"scoresheets/roster/{form.kind}.html", context, status=status)


def missing(form: PeopleForm) -> str:
    """What is to be tapped first."""
    return "Which two?" if form.kind == "reseat" else "Who is it?"


def known(sheet: Sheet, keeper: Scorekeeper, kind: str) -> tuple[Sequence[Player], Sequence[Player], Collection[int]]:
    """Who can be tapped on the page, whom of them the club expects, and who (ids) sits elsewhere."""
    if kind not in ("arrive", "substitute"):
        return (), (), ()
    expected = expected_at(sheet)
    return people_for(keeper, expected), expected, seated_elsewhere(sheet)
