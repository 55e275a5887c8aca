"""The URLs of sheets."""

from django.urls import path

from scoresheets.views.public.blank import blank, blank_sheet
from scoresheets.views.public.download import export_csv, import_sheet, picture, watch_picture
from scoresheets.views.public.history import history, watch_history, way_back
from scoresheets.views.public.opening import open_look, open_sheet
from scoresheets.views.public.pwa import manifest, no_connection, service_worker
from scoresheets.views.public.rules import (
    add_word,
    game_rules,
    game_words,
    rules_page,
    watch_rules,
    watch_words,
    withdraw_word,
    words,
)
from scoresheets.views.public.sheet import curve, export_sheet, read_back, sheet, why
from scoresheets.views.public.watch import (
    watch,
    watch_curve,
    watch_preview,
    watch_rows,
    watch_table,
    watch_top,
    watch_why,
)
from scoresheets.views.table.corrections import correct, deal_again, left_over
from scoresheets.views.table.entry import ask_for_organiser, enter, misdeal, play_on, quiet, retype, stop, undo
from scoresheets.views.table.join import keep
from scoresheets.views.table.links import links
from scoresheets.views.table.notes import note, withdraw_note
from scoresheets.views.table.offline import offline_pads, open_offline
from scoresheets.views.table.pad import pad, state
from scoresheets.views.table.paper import resume, type_in
from scoresheets.views.table.result import again, draw, result, show_result
from scoresheets.views.table.roster import arrive, leave, people_look, reseat, substitute
from scoresheets.views.table.setup import set_up
from scoresheets.views.table.swap import swapped, swapped_look

urlpatterns = [
    # What phones ask every few seconds comes first: each address is compared with one after the other.
    path("watch/<str:watch>/rows/", watch_rows, name="watch_rows"),
    path("sw.js", service_worker, name="service_worker"),
    path("manifest.webmanifest", manifest, name="manifest"),
    path("no-connection/", no_connection, name="no_connection"),
    path("open/", open_sheet, name="open_sheet"),
    path("open/look/", open_look, name="open_look"),
    path("open/offline/", open_offline, name="open_offline"),
    path("open/offline/<slug:slug>/", offline_pads, name="offline_pads"),
    path("blank/", blank, name="blank"),
    path("import/", import_sheet, name="import_sheet"),
    path("keep/<str:token>/", keep, name="keep"),
    path("rules/<slug:slug>/", game_rules, name="game_rules"),
    path("words/<slug:slug>/", game_words, name="game_words"),
    path("sheets/<str:code>/pad/", pad, name="pad"),
    path("sheets/<str:code>/state/", state, name="state"),
    path("sheets/<str:code>/enter/", enter, name="enter"),
    path("sheets/<str:code>/retype/", retype, name="retype"),
    path("sheets/<str:code>/undo/", undo, name="undo"),
    path("sheets/<str:code>/misdeal/", misdeal, name="misdeal"),
    path("sheets/<str:code>/stop/", stop, name="stop"),
    path("sheets/<str:code>/play-on/", play_on, name="play_on"),
    path("sheets/<str:code>/correct/<slug:part>/", correct, name="correct"),
    path("sheets/<str:code>/deal-again/", deal_again, name="deal_again"),
    path("sheets/<str:code>/left-over/", left_over, name="left_over"),
    path("sheets/<str:code>/quiet/", quiet, name="quiet"),
    path("sheets/<str:code>/organiser/", ask_for_organiser, name="ask_for_organiser"),
    path("sheets/<str:code>/links/", links, name="links"),
    path("sheets/<str:code>/read-back/", read_back, name="read_back"),
    path("sheets/<str:code>/arrive/", arrive, name="arrive"),
    path("sheets/<str:code>/leave/", leave, name="leave"),
    path("sheets/<str:code>/substitute/", substitute, name="substitute"),
    path("sheets/<str:code>/reseat/", reseat, name="reseat"),
    path("sheets/<str:code>/swapped/", swapped, name="swapped"),
    path("sheets/<str:code>/swapped/look/", swapped_look, name="swapped_look"),
    path("sheets/<str:code>/<slug:kind>/look/", people_look, name="people_look"),
    path("sheets/<str:code>/rules/", rules_page, name="rules_page"),
    path("sheets/<str:code>/words/", words, name="words"),
    path("sheets/<str:code>/words/add/", add_word, name="add_word"),
    path("sheets/<str:code>/words/<int:word>/withdraw/", withdraw_word, name="withdraw_word"),
    path("sheets/<str:code>/note/", note, name="note"),
    path("sheets/<str:code>/note/<int:hand>/<int:note>/withdraw/", withdraw_note, name="withdraw_note"),
    path("watch/<str:watch>/rules/", watch_rules, name="watch_rules"),
    path("watch/<str:watch>/words/", watch_words, name="watch_words"),
    path("sheets/<str:code>/", sheet, name="sheet"),
    path("sheets/<str:code>/curve/", curve, name="curve"),
    path("sheets/<str:code>/why/<slug:hand>/<int:seat>/", why, name="why"),
    path("sheets/<str:code>/export.json", export_sheet, name="export_sheet"),
    path("sheets/<str:code>/blank/", blank_sheet, name="blank_sheet"),
    path("sheets/<str:code>/type/", type_in, name="type_in"),
    path("sheets/<str:code>/resume/", resume, name="resume"),
    path("sheets/<str:code>/picture.svg", picture, name="picture"),
    path("watch/<str:watch>/picture.svg", watch_picture, name="watch_picture"),
    path("watch/<str:watch>/preview.png", watch_preview, name="watch_preview"),
    path("sheets/<str:code>/export.csv", export_csv, name="export_csv"),
    path("sheets/<str:code>/history/", history, name="history"),
    path("sheets/<str:code>/history/<int:version>/", way_back, name="way_back"),
    path("watch/<str:watch>/history/", watch_history, name="watch_history"),
    path("sheets/<str:code>/set-up/", set_up, name="set_up"),
    path("sheets/<str:code>/draw/", draw, name="draw"),
    path("sheets/<str:code>/result/", result, name="result"),
    path("sheets/<str:code>/show-result/", show_result, name="show_result"),
    path("sheets/<str:code>/again/", again, name="again"),
    path("watch/<str:watch>/", watch, name="watch"),
    path("watch/<str:watch>/curve/", watch_curve, name="watch_curve"),
    path("watch/<str:watch>/table/", watch_table, name="watch_table"),
    path("watch/<str:watch>/table/top/", watch_top, name="watch_top"),
    path("watch/<str:watch>/why/<slug:hand>/<int:seat>/", watch_why, name="watch_why"),
]
