"""What search engines ask for: robots.txt and the sitemap."""

from __future__ import annotations

from django.contrib.sitemaps import Sitemap
from django.contrib.sitemaps.views import sitemap as sitemap_of
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from clubs.club.search_engines import listed_paths


class ListedPages(Sitemap):
    """The pages of public clubs."""

    def items(self) -> list[str]:
        return list(listed_paths())

    def location(self, item: str) -> str:
        return item


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Where the sitemap is. Nothing is shut out here: a page that may not be listed says so itself."""
    text = f"User-agent: *\nDisallow:\nSitemap: {request.build_absolute_uri(reverse('sitemap'))}\n"
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponseBase:
    """The addresses of the front page and of all pages of public clubs that may be listed."""
    return sitemap_of(request, {"clubs": ListedPages()})
