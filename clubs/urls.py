"""All addresses of the site."""

from django.urls import include, path

from clubs.views.club import club
from clubs.views.front import favicon, front
from clubs.views.health import healthz
from clubs.views.organised_standings import standing_file, what_if
from clubs.views.seasons import archive_season, edit_season, lock_season, new_season, seasons
from clubs.views.standings import behind, standing, standings

urlpatterns = [
    path("", front, name="front"),
    path("", include("scoresheets.urls")),
    path("healthz", healthz, name="healthz"),
    path("clubs/<slug:slug>/", club, name="club"),
    # standings and seasons
    path("clubs/<slug:slug>/standings/", standings, name="standings"),
    path("clubs/<slug:slug>/standings/<slug:which>/", standing, name="standing"),
    path("clubs/<slug:slug>/standings/<slug:which>/standing.<slug:kind>", standing_file, name="standing_file"),
    path("clubs/<slug:slug>/standings/<slug:which>/<int:member>/<slug:figure>/", behind, name="behind"),
    path("clubs/<slug:slug>/seasons/", seasons, name="seasons"),
    path("clubs/<slug:slug>/seasons/new/", new_season, name="new_season"),
    path("clubs/<slug:slug>/seasons/<int:season>/change/", edit_season, name="edit_season"),
    path("clubs/<slug:slug>/seasons/<int:season>/lock/", lock_season, name="lock_season"),
    path("clubs/<slug:slug>/seasons/<int:season>/archive/", archive_season, name="archive_season"),
    path("clubs/<slug:slug>/organise/what-if/", what_if, name="what_if"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.views.problems.bad_request"
handler403 = "clubs.views.problems.forbidden"
handler404 = "clubs.views.problems.not_found"
handler500 = "clubs.views.problems.server_error"
