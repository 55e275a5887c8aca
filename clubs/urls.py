"""All addresses of the site."""

from django.urls import include, path

from clubs.views.club import club
from clubs.views.front import favicon, front
from clubs.views.health import healthz

urlpatterns = [
    path("", front, name="front"),
    path("", include("scoresheets.urls")),
    path("healthz", healthz, name="healthz"),
    path("clubs/<slug:slug>/", club, name="club"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.views.problems.bad_request"
handler403 = "clubs.views.problems.forbidden"
handler404 = "clubs.views.problems.not_found"
handler500 = "clubs.views.problems.server_error"
