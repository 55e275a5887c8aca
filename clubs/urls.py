"""All addresses of the site."""

from django.urls import include, path

from clubs.views.accounts import account
from clubs.views.club import club
from clubs.views.doors import clubs, come_in
from clubs.views.front import favicon, front
from clubs.views.health import healthz
from clubs.views.in_and_out import (
    bring_club,
    club_file,
    club_parcel,
    export_club,
    import_club,
    new_club_parcel,
)
from clubs.views.organising import organise
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
    # in and out
    path("clubs/found/from-a-file/", bring_club, name="bring_club"),
    path("clubs/found/from-a-file/<int:pk>/", new_club_parcel, name="new_club_parcel"),
    path("clubs/<slug:slug>/export/", export_club, name="export_club"),
    path("clubs/<slug:slug>/export/file/", club_file, name="club_file"),
    path("clubs/<slug:slug>/import/", import_club, name="import_club"),
    path("clubs/<slug:slug>/import/<int:pk>/", club_parcel, name="club_parcel"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.views.problems.bad_request"
handler403 = "clubs.views.problems.forbidden"
handler404 = "clubs.views.problems.not_found"
# What django-allauth answers with to who tries too often.
handler429 = "clubs.views.problems.too_often"
handler500 = "clubs.views.problems.server_error"
