"""All addresses of the site."""

from django.urls import include, path

from clubs.views.accounts import account
from clubs.views.club import club
from clubs.views.control import announce_last, answer_table, close_night, control, control_tables
from clubs.views.doors import clubs, come_in
from clubs.views.front import favicon, front
from clubs.views.health import healthz
from clubs.views.honours import honour, honours
from clubs.views.night import night, night_tables
from clubs.views.organising import organise
from clubs.views.settings import club_settings, diary, door_sign, found_club
from clubs.views.standings import behind, standing, standings
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
    # the door
    path("account/", account, name="account"),
    path("account/", include("allauth.urls")),
    path("clubs/", clubs, name="clubs"),
    path("clubs/found/", found_club, name="found_club"),
    path("clubs/<slug:slug>/in/<str:key>/", come_in, name="come_in"),
    path("clubs/<slug:slug>/organise/", organise, name="organise"),
    path("clubs/<slug:slug>/settings/", club_settings, name="club_settings"),
    path("clubs/<slug:slug>/sign/", door_sign, name="door_sign"),
    path("clubs/<slug:slug>/diary/", diary, name="diary"),
    # the evening
    path("clubs/<slug:slug>/", club, name="club"),
    path("clubs/<slug:slug>/nights/<int:pk>/", night, name="night"),
    path("clubs/<slug:slug>/nights/<int:pk>/tables/", night_tables, name="night_tables"),
    path("clubs/<slug:slug>/nights/<int:pk>/control/", control, name="control"),
    path("clubs/<slug:slug>/nights/<int:pk>/control/tables/", control_tables, name="control_tables"),
    path("clubs/<slug:slug>/nights/<int:pk>/last-hand/", announce_last, name="announce_last"),
    path("clubs/<slug:slug>/nights/<int:pk>/tables/<int:table>/answered/", answer_table, name="answer_table"),
    path("clubs/<slug:slug>/nights/<int:pk>/close/", close_night, name="close_night"),
    # standings and seasons
    path("clubs/<slug:slug>/standings/", standings, name="standings"),
    path("clubs/<slug:slug>/standings/<slug:which>/", standing, name="standing"),
    path("clubs/<slug:slug>/standings/<slug:which>/<int:member>/<slug:figure>/", behind, name="behind"),
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
# What django-allauth answers with to who tries too often.
handler429 = "clubs.views.problems.too_often"
handler500 = "clubs.views.problems.server_error"
