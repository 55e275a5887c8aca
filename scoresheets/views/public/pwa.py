"""The site as an installed web app: manifest, service worker, and the offline page."""

from __future__ import annotations

from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

NAME = "Box & Circle"
PAPER = "#f3ecd9"
#: Pixels of an icon, and whether a phone may cut it to a shape of its own.
ICONS = ((192, False), (512, False), (512, True))


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The script that opens pads without network. At the root, because it answers only for what lies below it."""
    path = finders.find("js/sw.js")
    if not isinstance(path, str):
        raise Http404
    return HttpResponse(Path(path).read_bytes(), content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(no_cache=True)
def manifest(request: HttpRequest) -> JsonResponse:
    """What a phone must know to install the site."""
    icons = [
        {
            "src": static(f"icons/{'maskable' if may_be_cut else 'icon'}-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "maskable" if may_be_cut else "any",
        }
        for size, may_be_cut in ICONS
    ]
    content = {
        "id": "/",
        "name": NAME,
        "short_name": NAME,
        "description": "The score sheet for a card table.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
        "shortcuts": [{"name": "Keep score now", "url": reverse("open_sheet")}],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@require_safe
@cache_control(no_cache=True)
def no_connection(request: HttpRequest) -> HttpResponse:
    """What a phone shows in the place of any page that cannot come: kept by the service worker."""
    return TemplateResponse(request, "scoresheets/access/offline.html", {})
