"""The front page of a club."""

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_cookie

from clubs.doors import enter


@require_safe
@vary_on_cookie
def club(request: HttpRequest, slug: str) -> TemplateResponse:
    """Both trophies and who holds them, tonight's tables, and the way to everything else."""
    visit = enter(request, slug)
    return TemplateResponse(request, "clubs/club.html", {"visit": visit, "club": visit.club, "here": "club"})
