"""The least a Django site can do, as a measure: one row written, one row looked at.

They are served by the same server, with the site's own middleware, session and CSRF, from the same database. They know
nothing of a game, check nothing and keep no history: a scoring post is held against them.
"""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import include, path
from django.utils import timezone
from django.views.decorators.http import condition, require_POST, require_safe

from scoresheets.models import Player, Sheet


@require_POST
def bare_insert(request: HttpRequest) -> HttpResponse:
    """One INSERT in one IMMEDIATE transaction, and a page of 2 kB."""
    with transaction.atomic():
        player = Player.objects.create(name=request.POST["name"][:40], created=timezone.now())
    return render(request, "bare.html", {"player": player, "counts": range(4)})


def version_of(request: HttpRequest, watch: str) -> str:
    """What a conditional request is held against: the one SELECT."""
    return f'"{get_object_or_404(Sheet, watch=watch).version}"'


@require_safe
@condition(etag_func=version_of)
def bare_page(request: HttpRequest, watch: str) -> HttpResponse:
    """304 for who has the newest version."""
    return HttpResponse("something newer")


urlpatterns = [
    path("bare/insert/", bare_insert, name="bare_insert"),
    path("bare/page/<str:watch>/", bare_page, name="bare_page"),
    path("", include("clubs.urls")),
]

handler400 = "clubs.site.error_views.bad_request"
handler403 = "clubs.site.error_views.forbidden"
handler404 = "clubs.site.error_views.not_found"
handler500 = "clubs.site.error_views.server_error"
