"""All addresses of the site."""

from django.urls import include, path

from clubs.views.club import club
from clubs.views.front import favicon, front
from clubs.views.health import healthz
from clubs.views.standings import behind, standing, standings

urlpatterns = [
    path("", front, name="front"),
    path("", include("scoresheets.urls")),
    path("healthz", healthz, name="healthz"),
    path("clubs/<slug:slug>/", club, name="club"),
    # standings and seasons
    path("clubs/<slug:slug>/standings/", standings, name="standings"),
    path("clubs/<slug:slug>/standings/<slug:which>/", standing, name="standing"),
    path("clubs/<slug:slug>/standings/<slug:which>/<int:member>/<slug:figure>/", behind, name="behind"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.views.problems.bad_request"
handler403 = "clubs.views.problems.forbidden"
handler404 = "clubs.views.problems.not_found"
handler500 = "clubs.views.problems.server_error"
