"""What to bring to a night, to be ticked off."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.access.visit import Role, enter
from clubs.tables.packing import pack, things_for
from clubs.views.nights import night_of


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bringing(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """GET: the list, for everybody: who has a trophy reads it here. POST: an organiser ticks a `thing` off."""
    visit = enter(request, slug, Role.ORGANISER if request.method == "POST" else "")
    night = night_of(visit, pk)
    if request.method == "POST":
        pack(night, request.POST.get("thing", ""), packed=request.POST.get("packed") == "1")
        return HttpResponseRedirect(request.path, status=303)
    context = {
        "visit": visit, "club": visit.club, "here": "nights", "night": night, "things": things_for(night),
    }  # fmt: skip
    return TemplateResponse(request, "clubs/bringing.html", context)
