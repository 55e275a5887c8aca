"""All addresses of the site."""

from django.urls import include, path

from clubs.views.club import club
from clubs.views.front import favicon, front
from clubs.views.health import healthz
from clubs.views.honours import honour, honours
from clubs.views.trophies import (
    answer_doubt,
    archive_trophy,
    change_award,
    edit_trophy,
    give_trophy,
    new_trophy,
    trophies,
    trophy,
    trophy_picture,
    type_holders,
)

urlpatterns = [
    path("", front, name="front"),
    path("", include("scoresheets.urls")),
    path("healthz", healthz, name="healthz"),
    path("clubs/<slug:slug>/", club, name="club"),
    # trophies
    path("clubs/<slug:slug>/trophies/", trophies, name="trophies"),
    path("clubs/<slug:slug>/trophies/new/", new_trophy, name="new_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/", trophy, name="trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/edit/", edit_trophy, name="edit_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/archive/", archive_trophy, name="archive_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/give/", give_trophy, name="give_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/holders/", type_holders, name="type_holders"),
    path("clubs/<slug:slug>/trophies/<int:pk>/picture/<slug:key>/", trophy_picture, name="trophy_picture"),
    path("clubs/<slug:slug>/awards/<int:pk>/<slug:deed>/", change_award, name="change_award"),
    path("clubs/<slug:slug>/doubts/<int:pk>/", answer_doubt, name="answer_doubt"),
    path("clubs/<slug:slug>/honours/", honours, name="honours"),
    path("clubs/<slug:slug>/honours/<slug:game>/<slug:tag>/", honour, name="honour"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.views.problems.bad_request"
handler403 = "clubs.views.problems.forbidden"
handler404 = "clubs.views.problems.not_found"
handler500 = "clubs.views.problems.server_error"
