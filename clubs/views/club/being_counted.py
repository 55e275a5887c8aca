"""The state of pending updates, which pages of a club poll."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from clubs.access.next_page import next_of
from clubs.access.visit import Role, enter
from clubs.projections import failed


@require_safe
@cache_control(private=True, no_store=True)
def being_counted(request: HttpRequest, slug: str) -> HttpResponse:
    """204 while something is counted; then what lets the page fetch its own content anew."""
    visit = enter(request, slug)
    if visit.club.is_being_counted:
        return HttpResponse(status=204)
    page = urlsplit(request.headers.get("HX-Current-URL", ""))
    path = page.path if page.path.startswith("/") and not page.path.startswith("//") else visit.club.get_absolute_url()
    return TemplateResponse(
        request, "clubs/club/counted_now.html", {"page": f"{path}?{page.query}" if page.query else path}
    )


@require_POST
def count_again(request: HttpRequest, slug: str) -> HttpResponse:
    """Try at once what could not be counted; back to the page that said so."""
    visit = enter(request, slug, Role.ORGANISER)
    failed.count_again(visit.club)
    return HttpResponseRedirect(next_of(request, visit.club.get_absolute_url()), status=303)
