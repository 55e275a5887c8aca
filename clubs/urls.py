"""All URLs of the site."""

from django.urls import include, path

from clubs.accounts.browsers import browsers
from clubs.accounts.views import account, delete_account
from clubs.site.error_views import healthz
from clubs.views.api.openapi import api_description, api_page
from clubs.views.api.publishing import api_results, api_standing_csv, standing_frame
from clubs.views.api.read_keys import read_keys
from clubs.views.api.reading import (
    api_club,
    api_clubs,
    api_members,
    api_night,
    api_nights,
    api_play_off,
    api_records,
    api_sheet,
    api_standing,
    api_standings,
    api_table,
    api_trophies,
)
from clubs.views.api.webhooks import webhooks
from clubs.views.api.writing import api_entries
from clubs.views.club.archive import bring_club, club_file, club_upload, export_club, import_club, new_club_upload
from clubs.views.club.being_counted import being_counted, count_again
from clubs.views.club.club import club, club_preview, organise
from clubs.views.club.come_in import clubs, come_in
from clubs.views.club.front import favicon, front
from clubs.views.club.imports import import_past, past_sample, past_upload
from clubs.views.club.organiser_code import become_organiser
from clubs.views.club.photos import (
    add_handover_photo,
    add_night_photo,
    photo,
    photo_picture,
    remove_photo,
)
from clubs.views.club.search_engines import robots, sitemap
from clubs.views.club.settings import audit_log, club_qr_code, club_settings, found_club
from clubs.views.members.add import add_members
from clubs.views.members.erase import erase_member
from clubs.views.members.invite_many import invite_many
from clubs.views.members.join import accept_invitation, invitation, invite, join
from clubs.views.members.keep_apart import apart
from clubs.views.members.match import match_names
from clubs.views.members.me import claim, my_page, this_is_me
from clubs.views.members.members import held_about_member, member_settings, members
from clubs.views.members.merge import merge_members
from clubs.views.members.notices import my_notices, notice_browser, renew_browser, stop_notices
from clubs.views.members.personal import my_calendar, my_nights
from clubs.views.nights.adopt import bring_in, take_out
from clubs.views.nights.answer import answer_night
from clubs.views.nights.control import announce_last, answer_table, close_night, control, control_tables
from clubs.views.nights.door import door
from clubs.views.nights.draw import chair, draw_tables, night_rules
from clubs.views.nights.night import night, night_preview, night_tables
from clubs.views.nights.nights import bringing, calendar, change_night, nights, plan_night
from clubs.views.nights.roll_call import arrivals, call, roll_call
from clubs.views.nights.signs import table_codes, table_signs
from clubs.views.nights.story import night_story, night_story_preview
from clubs.views.nights.wall import wall, wall_now
from clubs.views.nights.without_club import host_evening, open_evening, share_evening, take_evening_in
from clubs.views.owner.accounts import owner_account, owner_accounts
from clubs.views.owner.clubs import owner_club, owner_clubs
from clubs.views.owner.delete import delete_club, delete_sheet, remove_account
from clubs.views.owner.forgotten import forgotten
from clubs.views.owner.owner import back_up, make_founding_code, owner
from clubs.views.owner.sheets import owner_sheet, owner_sheets
from clubs.views.owner.sign_in import owner_sign_in
from clubs.views.play_offs.next_tables import draw_next
from clubs.views.play_offs.page import play_off, play_off_now, play_off_preview, stop_stage
from clubs.views.play_offs.plan import plan_play_off
from clubs.views.play_offs.rulings import call_off, change_ruling, draw_cards, play_off_moves, rule_cut, rule_hands
from clubs.views.records.profile import compare, member, member_preview
from clubs.views.records.records import games, hands, honour, honours, records
from clubs.views.records.season_course import nights_left_out, race_chart
from clubs.views.records.seasons import archive_season, edit_season, lock_season, new_season, seasons
from clubs.views.records.standings import (
    behind,
    counting_seen,
    standing,
    standing_file,
    standing_games,
    standing_preview,
    standings,
    what_if,
)
from clubs.views.records.trophies import (
    answer_dispute,
    archive_trophy,
    change_award,
    edit_trophy,
    give_trophy,
    new_trophy,
    trophies,
    trophy,
    trophy_picture,
    trophy_preview,
    type_holders,
)

urlpatterns = [
    path("", front, name="front"),
    path("", include("scoresheets.urls")),
    path("healthz", healthz, name="healthz"),
    path("robots.txt", robots, name="robots"),
    path("sitemap.xml", sitemap, name="sitemap"),
    # accounts and clubs
    path("account/", account, name="account"),
    path("account/browsers/", browsers, name="browsers"),
    path("account/delete/", delete_account, name="delete_account"),
    path("account/", include("allauth.urls")),
    path("clubs/", clubs, name="clubs"),
    path("clubs/found/", found_club, name="found_club"),
    path("clubs/found/organiser/", become_organiser, name="become_organiser"),
    path("clubs/<slug:slug>/in/<str:key>/", come_in, name="come_in"),
    path("clubs/<slug:slug>/organise/", organise, name="organise"),
    path("clubs/<slug:slug>/settings/", club_settings, name="club_settings"),
    path("clubs/<slug:slug>/settings/programs/", read_keys, name="read_keys"),
    path("clubs/<slug:slug>/settings/webhooks/", webhooks, name="webhooks"),
    path("clubs/<slug:slug>/sign/", club_qr_code, name="club_qr_code"),
    path("clubs/<slug:slug>/diary/", audit_log, name="audit_log"),
    # the owner of the site
    path("owner/", owner, name="owner"),
    path("owner/sign-in/<str:token>/", owner_sign_in, name="owner_sign_in"),
    path("owner/back-up/", back_up, name="back_up"),
    path("owner/founding-code/", make_founding_code, name="make_founding_code"),
    path("owner/clubs/", owner_clubs, name="owner_clubs"),
    path("owner/clubs/<slug:slug>/", owner_club, name="owner_club"),
    path("owner/clubs/<slug:slug>/delete/", delete_club, name="delete_club"),
    path("owner/sheets/", owner_sheets, name="owner_sheets"),
    path("owner/sheets/forgotten/", forgotten, name="forgotten"),
    path("owner/sheets/<str:code>/", owner_sheet, name="owner_sheet"),
    path("owner/sheets/<str:code>/delete/", delete_sheet, name="delete_sheet"),
    path("owner/accounts/", owner_accounts, name="owner_accounts"),
    path("owner/accounts/<int:pk>/", owner_account, name="owner_account"),
    path("owner/accounts/<int:pk>/delete/", remove_account, name="remove_account"),
    # the people
    path("join/<str:token>/", accept_invitation, name="accept_invitation"),
    path("coming/<str:token>/", my_nights, name="my_nights"),
    path("clubs/<slug:slug>/members/", members, name="members"),
    path("clubs/<slug:slug>/members/add/", add_members, name="add_members"),
    path("clubs/<slug:slug>/members/merge/", merge_members, name="merge_members"),
    path("clubs/<slug:slug>/members/<int:pk>/settings/", member_settings, name="member_settings"),
    path("clubs/<slug:slug>/members/<int:pk>/erase/", erase_member, name="erase_member"),
    path("clubs/<slug:slug>/members/<int:pk>/about.json", held_about_member, name="held_about_member"),
    path("clubs/<slug:slug>/invitations/", invite, name="invite"),
    path("clubs/<slug:slug>/invitations/many/", invite_many, name="invite_many"),
    path("clubs/<slug:slug>/invitations/<int:pk>/", invitation, name="invitation"),
    path("clubs/<slug:slug>/join/", join, name="join"),
    path("clubs/<slug:slug>/me/", my_page, name="my_page"),
    path("clubs/<slug:slug>/me/this/", this_is_me, name="this_is_me"),
    path("clubs/<slug:slug>/me/notices/", my_notices, name="my_notices"),
    path("clubs/<slug:slug>/me/notices/browser/", notice_browser, name="notice_browser"),
    path("notices/renew/", renew_browser, name="renew_browser"),
    path("notices/stop/<str:token>/", stop_notices, name="stop_notices"),
    path("clubs/<slug:slug>/claim/", claim, name="claim"),
    # nights
    path("clubs/<slug:slug>/door/", door, name="door"),
    path("clubs/<slug:slug>/nights/", nights, name="nights"),
    path("clubs/<slug:slug>/nights/new/", plan_night, name="plan_night"),
    path("clubs/<slug:slug>/nights/<int:pk>/coming/", answer_night, name="answer_night"),
    path("clubs/<slug:slug>/nights/<int:pk>/change/", change_night, name="change_night"),
    path("clubs/<slug:slug>/nights/<int:pk>/roll-call/", roll_call, name="roll_call"),
    path("clubs/<slug:slug>/nights/<int:pk>/roll-call/arrivals/", arrivals, name="arrivals"),
    path("clubs/<slug:slug>/nights/<int:pk>/roll-call/<int:member>/", call, name="call"),
    path("clubs/<slug:slug>/nights/<int:pk>/draw/", draw_tables, name="draw_tables"),
    path("clubs/<slug:slug>/nights/<int:pk>/draw/rules/<slug:game>/", night_rules, name="night_rules"),
    path("clubs/<slug:slug>/nights/<int:pk>/chair/", chair, name="chair"),
    path("clubs/<slug:slug>/nights/<int:pk>/codes/", table_codes, name="table_codes"),
    path("clubs/<slug:slug>/nights/<int:pk>/signs/", table_signs, name="table_signs"),
    path("clubs/<slug:slug>/nights/<int:pk>/bring/", bringing, name="bringing"),
    path("clubs/<slug:slug>/apart/", apart, name="apart"),
    # an evening without a club
    path("evenings/open/", open_evening, name="open_evening"),
    path("clubs/<slug:slug>/host/<str:token>/", host_evening, name="host_evening"),
    path("clubs/<slug:slug>/share/", share_evening, name="share_evening"),
    path("clubs/<slug:slug>/take-in/", take_evening_in, name="take_evening_in"),
    # play-offs
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/plan/", plan_play_off, name="plan_play_off"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/next/", draw_next, name="draw_next"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/", play_off, name="play_off"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/preview.png", play_off_preview, name="play_off_preview"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/now/", play_off_now, name="play_off_now"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/stop/", stop_stage, name="stop_stage"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/tie/<int:table>/", rule_cut, name="rule_cut"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/cards/", draw_cards, name="draw_cards"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/hands/", rule_hands, name="rule_hands"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/moves/", play_off_moves, name="play_off_moves"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/rulings/<int:ruling>/", change_ruling, name="change_ruling"),
    path("clubs/<slug:slug>/nights/<int:pk>/play-off/call-off/", call_off, name="call_off"),
    # the evening
    path("clubs/<slug:slug>/", club, name="club"),
    path("clubs/<slug:slug>/preview.png", club_preview, name="club_preview"),
    # in and out
    path("clubs/found/from-a-file/", bring_club, name="bring_club"),
    path("clubs/found/from-a-file/<int:pk>/", new_club_upload, name="new_club_upload"),
    path("clubs/<slug:slug>/export/", export_club, name="export_club"),
    path("clubs/<slug:slug>/export/file/", club_file, name="club_file"),
    path("clubs/<slug:slug>/import/", import_club, name="import_club"),
    path("clubs/<slug:slug>/import/<int:pk>/", club_upload, name="club_upload"),
    path("clubs/<slug:slug>/nights/<int:pk>/", night, name="night"),
    path("clubs/<slug:slug>/nights/<int:pk>/preview.png", night_preview, name="night_preview"),
    path("clubs/<slug:slug>/nights/<int:pk>/tables/", night_tables, name="night_tables"),
    path("clubs/<slug:slug>/nights/<int:pk>/photos/", add_night_photo, name="add_night_photo"),
    path("clubs/<slug:slug>/photos/<str:key>/", photo, name="photo"),
    path("clubs/<slug:slug>/photos/<str:key>/<slug:size>.webp", photo_picture, name="photo_picture"),
    path("clubs/<slug:slug>/photos/<str:key>/delete/", remove_photo, name="remove_photo"),
    path("clubs/<slug:slug>/nights/<int:pk>/story/", night_story, name="night_story"),
    path("clubs/<slug:slug>/nights/<int:pk>/story/preview.png", night_story_preview, name="night_story_preview"),
    path("clubs/<slug:slug>/nights/<int:pk>/wall/", wall, name="wall"),
    path("clubs/<slug:slug>/nights/<int:pk>/wall/now/", wall_now, name="wall_now"),
    path("clubs/<slug:slug>/nights/<int:pk>/control/", control, name="control"),
    path("clubs/<slug:slug>/nights/<int:pk>/control/tables/", control_tables, name="control_tables"),
    path("clubs/<slug:slug>/nights/<int:pk>/last-hand/", announce_last, name="announce_last"),
    path("clubs/<slug:slug>/nights/<int:pk>/tables/<int:table>/answered/", answer_table, name="answer_table"),
    path("clubs/<slug:slug>/nights/<int:pk>/close/", close_night, name="close_night"),
    path("calendar/<str:key>.ics", calendar, name="calendar"),
    path("calendar/mine/<str:token>.ics", my_calendar, name="my_calendar"),
    path("clubs/<slug:slug>/bring-in/", bring_in, name="bring_in"),
    path("clubs/<slug:slug>/take-out/<int:table>/", take_out, name="take_out"),
    path("clubs/<slug:slug>/names/", match_names, name="match_names"),
    # standings and seasons
    path("clubs/<slug:slug>/being-counted/", being_counted, name="being_counted"),
    path("clubs/<slug:slug>/being-counted/again/", count_again, name="count_again"),
    path("clubs/<slug:slug>/standings/", standings, name="standings"),
    path("clubs/<slug:slug>/standings/<slug:which>/", standing, name="standing"),
    path("clubs/<slug:slug>/standings/<slug:which>/preview.png", standing_preview, name="standing_preview"),
    path("clubs/<slug:slug>/standings/<slug:which>/games/", standing_games, name="standing_games"),
    path("clubs/<slug:slug>/standings/<slug:which>/race/", race_chart, name="race_chart"),
    path("clubs/<slug:slug>/standings/<slug:which>/left-out/", nights_left_out, name="nights_left_out"),
    path("clubs/<slug:slug>/standings/<slug:which>/frame/", standing_frame, name="standing_frame"),
    path("clubs/<slug:slug>/standings/<slug:which>/seen/", counting_seen, name="counting_seen"),
    path("clubs/<slug:slug>/standings/<slug:which>/standing.<slug:ending>", standing_file, name="standing_file"),
    path("clubs/<slug:slug>/standings/<slug:which>/<int:member>/<slug:figure>/", behind, name="behind"),
    path("clubs/<slug:slug>/seasons/", seasons, name="seasons"),
    path("clubs/<slug:slug>/seasons/new/", new_season, name="new_season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/change/", edit_season, name="edit_season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/lock/", lock_season, name="lock_season"),
    path("clubs/<slug:slug>/seasons/<int:pk>/archive/", archive_season, name="archive_season"),
    path("clubs/<slug:slug>/organise/what-if/", what_if, name="what_if"),
    # trophies
    path("clubs/<slug:slug>/trophies/", trophies, name="trophies"),
    path("clubs/<slug:slug>/trophies/new/", new_trophy, name="new_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/", trophy, name="trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/preview.png", trophy_preview, name="trophy_preview"),
    path("clubs/<slug:slug>/trophies/<int:pk>/edit/", edit_trophy, name="edit_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/archive/", archive_trophy, name="archive_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/give/", give_trophy, name="give_trophy"),
    path("clubs/<slug:slug>/trophies/<int:pk>/holders/", type_holders, name="type_holders"),
    path("clubs/<slug:slug>/trophies/<int:pk>/picture/<slug:key>/", trophy_picture, name="trophy_picture"),
    path("clubs/<slug:slug>/awards/<int:pk>/photo/", add_handover_photo, name="add_handover_photo"),
    path("clubs/<slug:slug>/awards/<int:pk>/<slug:deed>/", change_award, name="change_award"),
    path("clubs/<slug:slug>/doubts/<int:pk>/", answer_dispute, name="answer_dispute"),
    path("clubs/<slug:slug>/honours/", honours, name="honours"),
    path("clubs/<slug:slug>/honours/<slug:game>/<slug:tag>/", honour, name="honour"),
    # members' pages, records and old games
    path("clubs/<slug:slug>/members/<int:pk>/", member, name="member"),
    path("clubs/<slug:slug>/members/<int:pk>/compare/", compare, name="compare"),
    path("clubs/<slug:slug>/members/<int:pk>/preview.png", member_preview, name="member_preview"),
    path("clubs/<slug:slug>/records/", records, name="records"),
    path("clubs/<slug:slug>/games/", games, name="games"),
    path("clubs/<slug:slug>/hands/", hands, name="hands"),
    path("clubs/<slug:slug>/past/", import_past, name="import_past"),
    path("clubs/<slug:slug>/past/<int:pk>/", past_upload, name="past_upload"),
    path("clubs/<slug:slug>/past/<slug:sample>.<slug:ending>", past_sample, name="past_sample"),
    # for programs
    path("api/", api_page, name="api_page"),
    path("api/v1/openapi.json", api_description, name="api_description"),
    path("api/v1/", api_clubs, name="api_clubs"),
    path("api/v1/clubs/<slug:slug>/", api_club, name="api_club"),
    path("api/v1/clubs/<slug:slug>/members/", api_members, name="api_members"),
    path("api/v1/clubs/<slug:slug>/nights/", api_nights, name="api_nights"),
    path("api/v1/clubs/<slug:slug>/nights/<slug:uid>/", api_night, name="api_night"),
    path("api/v1/clubs/<slug:slug>/tables/<slug:uid>/", api_table, name="api_table"),
    path("api/v1/clubs/<slug:slug>/sheets/<slug:uid>/", api_sheet, name="api_sheet"),
    path("api/v1/clubs/<slug:slug>/standings/", api_standings, name="api_standings"),
    path("api/v1/clubs/<slug:slug>/standings/<slug:which>/", api_standing, name="api_standing"),
    path("api/v1/clubs/<slug:slug>/standings/<slug:which>/standing.csv", api_standing_csv, name="api_standing_csv"),
    path("api/v1/clubs/<slug:slug>/results.atom", api_results, name="api_results"),
    path("api/v1/clubs/<slug:slug>/trophies/", api_trophies, name="api_trophies"),
    path("api/v1/clubs/<slug:slug>/play-offs/<slug:uid>/", api_play_off, name="api_play_off"),
    path("api/v1/clubs/<slug:slug>/records/", api_records, name="api_records"),
    path("api/v1/sheets/<slug:uid>/entries/", api_entries, name="api_entries"),
    path("favicon.ico", favicon, name="favicon"),
]

handler400 = "clubs.site.error_views.bad_request"
handler403 = "clubs.site.error_views.forbidden"
handler404 = "clubs.site.error_views.not_found"
# What django-allauth answers with to who tries too often.
handler429 = "clubs.site.error_views.too_often"
handler500 = "clubs.site.error_views.server_error"
