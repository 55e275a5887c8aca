"""The profile of a member."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.access.visit import enter
from clubs.link_previews import previews
from clubs.link_previews.tags import tags_of
from clubs.models import Member
from clubs.records.comparison import Comparison
from clubs.records.hands import Person
from clubs.records.opponents import opponents_of
from clubs.records.profile import Profile
from clubs.views.records.records import person_asked
from scoresheets.link_previews.image import image_response


@require_safe
@vary_on_cookie
def member(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Their games, trophies, bids and form; a record that was merged leads to the one that counts."""
    visit = enter(request, slug)
    record = get_object_or_404(Member, club=visit.club, pk=pk, approved_at__isnull=False)
    if record.same_as_id:
        return HttpResponseRedirect(Member(pk=record.same_as_id, club=visit.club).get_absolute_url())
    record.club = visit.club
    profile = Profile(visit.club, Person.of(record), request.GET.get("game", ""))
    preview, picture = previews.of_member(record, profile), reverse("member_preview", args=[slug, pk])
    context = {
        "visit": visit, "club": visit.club, "here": "members", "member": record, "profile": profile,
        "link_preview": tags_of(request, visit.club, preview, picture),
        "is_me": record.pk == visit.me,
        "may_name": visit.organises or (visit.member is not None and visit.member.pk == record.pk),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/records/profile.html", context)


@require_safe
@vary_on_cookie
def compare(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Two members side by side, the other by `?with=`; without it the choice of whom they have played with.

    A record that was merged leads to the one that counts.
    """
    visit = enter(request, slug)
    club = visit.club
    record = get_object_or_404(Member, club=club, pk=pk, approved_at__isnull=False)
    if record.same_as_id:
        there = reverse("compare", args=[slug, record.same_as_id])
        query = request.GET.urlencode()
        return HttpResponseRedirect(f"{there}?{query}" if query else there)
    record.club = club
    person, other = Person.of(record), person_asked(club, request.GET.get("with", ""))
    context = {
        "visit": visit, "club": club, "here": "members", "member": record, "opponents": opponents_of(club, person),
    }  # fmt: skip
    if other is not None and other.member.pk != record.pk:
        comparison = Comparison(club, (person, other), request.GET.get("game", ""))
        context |= {"other": other.member, "comparison": comparison}
    return TemplateResponse(request, "clubs/records/compare.html", context)


@require_safe
def member_preview(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The picture that a chat shows with the link."""
    club = enter(request, slug).club
    record = get_object_or_404(Member, club=club, pk=pk, approved_at__isnull=False, same_as=None)
    record.club = club
    return image_response(request, previews.of_member(record, Profile(club, Person.of(record))))
