"""Merging two records of one person, shown side by side."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import RANKS, Role, Visit, enter
from clubs.members import merge
from clubs.members.merge import Side
from clubs.models import Member
from clubs.views.members.members import one_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def merge_members(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: choose two, `?one=` and `?other=`, and see them side by side. POST: they are one, `counts` is the record."""
    visit = enter(request, slug, Role.ORGANISER)
    data = request.POST if request.method == "POST" else request.GET
    picked = [one_of(visit, pk).main_record if pk else None for pk in (data.get("one", ""), data.get("other", ""))]
    first, second = picked
    if first is None or second is None or first == second:
        same = first is not None and first == second
        problems = ["Choose two records: these are one already."] if same else []
        if request.method == "POST" and not problems:
            problems = ["Choose two records."]
        return merge_page(request, visit, picked, problems=problems, status=422 if request.method == "POST" else 200)
    if request.method != "POST":
        return merge_page(request, visit, picked)
    counts = request.POST.get("counts", "")
    if counts not in (str(first.pk), str(second.pk)):
        return merge_page(request, visit, picked, problems=["Which of the two records counts?"], status=422)
    into, gone = (first, second) if counts == str(first.pk) else (second, first)
    problems = merge.merge(gone, into, by=visit.member)
    if problems:
        return merge_page(request, visit, picked, problems=problems, status=409)
    return HttpResponseRedirect(reverse("member_settings", args=[slug, into.pk]), status=303)


def merge_page(
    request: HttpRequest,
    visit: Visit,
    picked: list[Member | None],
    *,
    problems: list[str] | None = None,
    status: int = 200,
) -> TemplateResponse:
    first, second = picked
    sides: list[Side] = []
    why_two: list[str] = []
    counts = 0
    if first is not None and second is not None and first != second:
        sides = [merge.side_of(first), merge.side_of(second)]
        counts = likelier(*sides).member.pk
        gone, into = (second, first) if counts == first.pk else (first, second)
        why_two = problems or merge.why_two(gone, into)
    people = visit.club.members.filter(same_as__isnull=True)
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "members",
        "people": sorted(people, key=lambda member: member.called.casefold()),
        "first": first,
        "other": second,
        "sides": sides,
        "counts": counts,
        "problems": problems or why_two,
        "can": bool(sides) and not (problems or why_two),
    }
    return TemplateResponse(request, "clubs/members/merge.html", context, status=status)


def likelier(first: Side, second: Side) -> Side:
    """The record that should count: who belongs to the club now, has more to say in it, and has played more."""

    def weight(side: Side) -> tuple[bool, bool, int, bool, int]:
        member = side.member
        here = member.approved_at is not None and member.left_at is None
        return here, member.role != Role.GUEST, RANKS[Role(member.role)], bool(side.accounts), side.games

    return second if weight(second) > weight(first) else first
