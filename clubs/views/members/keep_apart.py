"""Pairs that are kept apart, for organisers only."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.audit_log import write_down
from clubs.access.visit import Role, enter
from clubs.members.keep_apart import keep_apart
from clubs.models import KeptApart, Member
from clubs.views.nights.nights import whole

#: Without names, because more people may read the audit log than this page.
CHANGED = "Changed who is kept apart."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def apart(request: HttpRequest, slug: str) -> HttpResponse:
    """GET: the pairs. POST: `one` and `other` are a pair from now on, or the pair of `line` is none any more."""
    visit = enter(request, slug, Role.ORGANISER)
    people = {str(member.pk): member for member in Member.objects.current().filter(club=visit.club).order_by("name")}
    wrong = ""
    if request.method == "POST":
        line = KeptApart.objects.filter(club=visit.club, pk=whole(request.POST.get("line", ""))).first()
        first, second = people.get(request.POST.get("one", "")), people.get(request.POST.get("other", ""))
        if line:
            line.delete()
        elif first and second and first != second:
            keep_apart(visit.club, first, second)
        elif "line" not in request.POST:
            wrong = "Two people make a pair: choose both."
        if not wrong:
            write_down(visit.club, CHANGED, by=visit.member)
            return HttpResponseRedirect(request.path, status=303)
    pairs = KeptApart.objects.filter(club=visit.club).select_related("one__same_as", "other__same_as")
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "pairs": sorted(pairs, key=lambda pair: (pair.one.main_record.name, pair.other.main_record.name)),
        "people": people.values(),
        "chosen": (request.POST.get("one", ""), request.POST.get("other", "")),
        "wrong": wrong,
    }
    return TemplateResponse(request, "clubs/members/keep_apart.html", context, status=422 if wrong else 200)
