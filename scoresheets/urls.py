"""The addresses of a sheet."""

from django.urls import path

from scoresheets.views.help import (
    add_word,
    game_rules,
    game_words,
    rules_page,
    watch_rules,
    watch_words,
    withdraw_word,
    words,
)
from scoresheets.views.note import note, withdraw_note

urlpatterns = [
    path("rules/<slug:slug>/", game_rules, name="game_rules"),
    path("words/<slug:slug>/", game_words, name="game_words"),
    path("sheets/<str:code>/rules/", rules_page, name="rules_page"),
    path("sheets/<str:code>/words/", words, name="words"),
    path("sheets/<str:code>/words/add/", add_word, name="add_word"),
    path("sheets/<str:code>/words/<int:word>/withdraw/", withdraw_word, name="withdraw_word"),
    path("sheets/<str:code>/note/", note, name="note"),
    path("sheets/<str:code>/note/<int:hand>/<int:note>/withdraw/", withdraw_note, name="withdraw_note"),
    path("watch/<str:watch>/rules/", watch_rules, name="watch_rules"),
    path("watch/<str:watch>/words/", watch_words, name="watch_words"),
]
