"""All addresses of the site."""

from django.urls import include, path

from clubs.views.accounts import account
from clubs.views.apart import apart
from clubs.views.bringing import bringing
from clubs.views.club import club
from clubs.views.doors import clubs, come_in
from clubs.views.drawing import chair, draw_tables, night_rules
from clubs.views.front import favicon, front
from clubs.views.health import healthz
from clubs.views.nights import change_night, nights, plan_night
from clubs.views.organising import organise
from clubs.views.roll_call import call, roll_call
from clubs.views.settings import club_settings, diary, door_sign, found_club
from clubs.views.signs import table_codes, table_signs

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
    # nights
    path("clubs/<slug:slug>/nights/", nights, name="nights"),
    path("clubs/<slug:slug>/nights/new/", plan_night, name="plan_night"),
    path("clubs/<slug:slug>/nights/<int:pk>/change/", change_night, name="change_night"),
    path("clubs/<slug:slug>/nights/<int:pk>/roll-call/", roll_call, name="roll_call"),
    path("clubs/<slug:slug>/nights/<int:pk>/roll-call/<int:member>/", call, name="call"),
    path("clubs/<slug:slug>/nights/<int:pk>/tables/", draw_tables, name="draw_tables"),
    path("clubs/<slug:slug>/nights/<int:pk>/tables/rules/<slug:game>/", night_rules, name="night_rules"),
    path("clubs/<slug:slug>/nights/<int:pk>/chair/", chair, name="chair"),
    path("clubs/<slug:slug>/nights/<int:pk>/codes/", table_codes, name="table_codes"),
    path("clubs/<slug:slug>/nights/<int:pk>/signs/", table_signs, name="table_signs"),
    path("clubs/<slug:slug>/nights/<int:pk>/bring/", bringing, name="bringing"),
    path("clubs/<slug:slug>/apart/", apart, name="apart"),
    path("clubs/<slug:slug>/", club, name="club"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.views.problems.bad_request"
handler403 = "clubs.views.problems.forbidden"
handler404 = "clubs.views.problems.not_found"
# What django-allauth answers with to who tries too often.
handler429 = "clubs.views.problems.too_often"
handler500 = "clubs.views.problems.server_error"
