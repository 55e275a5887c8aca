"""The page of those who run the club."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access.visit import Role, enter
from clubs.organising import sections_of, waiting_in

if TYPE_CHECKING:
    from django.http import HttpRequest


@never_cache
@require_safe
def organise(request: HttpRequest, slug: str) -> TemplateResponse:
    """Everything an organiser does, one tap away, and what waits for them."""
    visit = enter(request, slug, Role.ORGANISER)
    context = {
        "visit": visit,
        "club": visit.club,
        "here": "organise",
        "waiting": waiting_in(visit.club),
        "sections": sections_of(visit.club),
    }
    return TemplateResponse(request, "clubs/organise.html", context)
