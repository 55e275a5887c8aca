"""Two records of one person: both side by side, then one."""

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
    picked = [one_of(visit, pk).who if pk else None for pk in (data.get("one", ""), data.get("other", ""))]
    one, other = picked
    if one is None or other is None or one == other:
        same = one is not None and one == other
        said = ["Choose two records: these are one already."] if same else []
        if request.method == "POST" and not said:
            said = ["Choose two records."]
        return merge_page(request, visit, picked, said=said, status=422 if request.method == "POST" else 200)
    if request.method != "POST":
        return merge_page(request, visit, picked)
    counts = request.POST.get("counts", "")
    if counts not in (str(one.pk), str(other.pk)):
        return merge_page(request, visit, picked, said=["Which of the two records counts?"], status=422)
    into, gone = (one, other) if counts == str(one.pk) else (other, one)
    said = merge.merge(gone, into, by=visit.member)
    if said:
        return merge_page(request, visit, picked, said=said, status=409)
    return HttpResponseRedirect(reverse("member_settings", args=[slug, into.pk]), status=303)


def merge_page(
    request: HttpRequest, visit: Visit, picked: list[Member | None], *, said: list[str] | None = None, status: int = 200
) -> TemplateResponse:
    one, other = picked
    sides: list[Side] = []
    why_two: list[str] = []
    counts = 0
    if one is not None and other is not None and one != other:
        sides = [merge.side_of(one), merge.side_of(other)]
        counts = likelier(*sides).member.pk
        gone, into = (other, one) if counts == one.pk else (one, other)
        why_two = said or merge.why_two(gone, into)
    people = visit.club.members.filter(same_as__isnull=True)
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "members",
        "people": sorted(people, key=lambda member: member.called.casefold()),
        "one": one,
        "other": other,
        "sides": sides,
        "counts": counts,
        "said": said or why_two,
        "can": bool(sides) and not (said or why_two),
    }
    return TemplateResponse(request, "clubs/members/merge.html", context, status=status)


def likelier(one: Side, other: Side) -> Side:
    """The record that should count: who belongs to the club now, has more to say in it, and has played more."""

    def weight(side: Side) -> tuple[bool, bool, int, bool, int]:
        member = side.member
        here = member.approved_at is not None and member.left_at is None
        return here, member.role != Role.GUEST, RANKS[Role(member.role)], bool(side.accounts), side.games

    return other if weight(other) > weight(one) else one
