"""All addresses of the site."""

from django.urls import include, path

from clubs.views.accounts import account
from clubs.views.club import club
from clubs.views.doors import clubs, come_in
from clubs.views.front import favicon, front
from clubs.views.health import healthz
from clubs.views.member import member
from clubs.views.organising import organise
from clubs.views.records import games, hands, records
from clubs.views.settings import club_settings, diary, door_sign, found_club

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
    path("clubs/<slug:slug>/", club, name="club"),
    # members' pages, records and old games
    path("clubs/<slug:slug>/members/<int:pk>/", member, name="member"),
    path("clubs/<slug:slug>/records/", records, name="records"),
    path("clubs/<slug:slug>/games/", games, name="games"),
    path("clubs/<slug:slug>/hands/", hands, name="hands"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.views.problems.bad_request"
handler403 = "clubs.views.problems.forbidden"
handler404 = "clubs.views.problems.not_found"
# What django-allauth answers with to who tries too often.
handler429 = "clubs.views.problems.too_often"
handler500 = "clubs.views.problems.server_error"
