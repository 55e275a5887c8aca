"""What is refused when a sheet is opened, and what is only warned of: a sentence each, and nothing written."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.http import HttpResponse, QueryDict
from django.test import Client

from scoresheets.models import Player, Sheet
from tests.scoresheets.opening.test_open import filled, names_on, opened, post, text

pytestmark = pytest.mark.django_db

MANY = [f"P{number}" for number in range(1, 31)]

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "two of a name": (filled(["John", "Bo", "Cy", "JOHN"]), "There is a second JOHN here: add an initial."),
    "two of a name, written differently": (filled(["Zoë", "Bo", "Cy", "Zoe\u0308"]), "add an initial"),
    "somebody coming who sits there": (filled(4, coming=["Ann"]), "There is a second Ann here: add an initial."),
    "no name": (filled(["Ann", "", "Cy", "Di"]), "A name is missing here."),
    "a name nobody sees": (filled(["Ann", "\u200b", "Cy", "Di"]), "A name is missing here."),
    "a long name": (filled(["Ann", "B" * 41, "Cy", "Di"]), "At most 40 characters fit here."),
    "a name with a bell in it": (filled(["Ann", "B\x07o", "Cy", "Di"]), "There is a character in it that is no text."),
    "a name with a zero in it": (filled(["Ann", "B\x00o", "Cy", "Di"]), "There is a character in it that is no text."),
    "nobody": (filled(0), "Dirty Dog is for 2 to 25 players."),
    "one player": (filled(1), "Dirty Dog is for 2 to 25 players."),
    "26 players": (filled(MANY[:26]), "Dirty Dog is for 2 to 25 players."),
    "no dealer": (filled(4, dealer=""), "Who deals first?"),
    "a dealer who is not there": (filled(4, dealer="5"), "Who deals first?"),
    "a dealer of another kind": (filled(4, dealer="-1"), "Who deals first?"),
    "too many cards": (filled(6, by="peak") | {"plan-peak": "9"}, "With 6 players the most cards can be 1 to 8."),
    "no cards": (filled(6, by="peak") | {"plan-peak": "0"}, "With 6 players the most cards can be 1 to 8."),
    "no hands": (filled(6, by="hands") | {"plan-hands": "0"}, "A sheet has 1 to 120 hands here."),
    "hands without end": (filled(6, by="hands") | {"plan-hands": "1001"}, "A sheet has at most 120 hands here."),
    "rounds without end": (filled(6, by="peak") | {"plan-extra_rounds": "999"}, "That number of extra rounds"),
    "half a hand": (filled(6, by="hands") | {"plan-hands": "2.5"}, "A whole number belongs here."),
    "hands in a huge number": (filled(6, by="hands") | {"plan-hands": "9" * 5000}, "A whole number belongs here."),
    "hands in letters": (filled(6, by="hands") | {"plan-hands": "many"}, "A whole number belongs here."),
    "a negative number of cards": (filled(6, by="peak") | {"plan-peak": "-3"}, "A whole number belongs here."),
    "a blind hand beyond the deck": (filled(6) | {"house-tie_break_cards": "9"}, "has at most 8 cards"),
    "a gap beyond all": (filled(6) | {"house-bottom_buddies_gap": "51"}, "does not take that value"),
    "a gap in letters": (filled(6) | {"house-bottom_buddies_gap": "wide"}, "A number from 1 to 50 belongs here."),
    "a long title": (filled(4, title="T" * 81), "At most 80 characters fit here."),
    "eleven still coming": (filled(4, coming=MANY[:11]), "At most 10 can be waited for."),
    "a name left in the field": (filled(4, typed="Ed"), "This name is not at the table yet"),
    "no key": (filled(4, key=""), "This page is too old."),
    "a key that is none": (filled(4, key="<key>"), "This page is too old."),
}  # fmt: skip


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused_with_a_sentence(client, what):
    data, sentence = REFUSED[what]
    page = post(client, data)
    assert page.status_code == 422
    assert sentence in text(page)
    assert names_on(page) == data["name"]
    assert not Sheet.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.parametrize(("typed", "sentence"), [
    ("ann", "There is a second ann here: add an initial."), ("N" * 41, "At most 40 characters fit here."),
    ("N\x00", "There is a character in it that is no text."), ("\u200d", "A name is missing here."),
])  # fmt: skip
@pytest.mark.parametrize("field", ["typed", "typed-late"])
def test_name_that_cannot_be_added_stays_in_its_field_with_the_sentence_beside_it(client, field, typed, sentence):
    page = post(client, filled(2) | {field: typed}, "add" if field == "typed" else "add-late")
    assert page.status_code == 422
    assert sentence in text(page)
    assert names_on(page) == ["Ann", "Bo"]


@pytest.mark.parametrize("data", [
    filled(4) | {"pick": [""] * 3},
    filled(4) | {"game": "snap"},
    filled(MANY * 3),
    filled(4, coming=MANY * 3),
])  # fmt: skip
def test_what_no_page_of_ours_sends_is_a_bad_request(client, data):
    assert post(client, data).status_code == 400
    assert not Sheet.objects.exists()


@pytest.mark.parametrize("do", ["", "up", "jump-3", "pick-x", "pick-999999", "pick-" + "9" * 400, "more-", "add-early"])
def test_button_that_is_none_is_a_bad_request_or_does_nothing(client, do):
    page = post(client, filled(4), do)
    assert page.status_code in (200, 400)
    assert not Sheet.objects.exists()


def test_huge_post_is_refused(client):
    assert post(client, filled(4, title="T" * 300_000)).status_code == 413
    assert post(client, filled(4) | {f"field-{number}": "" for number in range(600)}).status_code in (400, 413)


def test_post_of_another_site_is_refused():
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/open/", filled(4)).status_code == 403
    assert strict.post("/open/look/", filled(4)).status_code == 403
    assert not Sheet.objects.exists()


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_not_allowed(client, method):
    assert getattr(client, method)("/open/").status_code == 405
    assert client.get("/open/look/").status_code == 405


@pytest.mark.parametrize(("players", "code", "sentence"), [
    (2, "few-players", "is best with four or more players"), (3, "few-players", "is best with four or more players"),
    (11, "many-players", "11 players: two tables are better."), (25, "many-players", "two tables are better."),
])  # fmt: skip
def test_what_is_unwise_is_warned_of_once_and_then_done(client, players, code, sentence):
    data = filled(MANY[:players])
    shown = post(client, data, "look")
    assert shown.status_code == 200
    assert sentence in text(shown)
    assert f'name="seen" value="{code}"' in shown.content.decode()
    unseen = post(client, data)
    assert unseen.status_code == 422
    assert sentence in text(unseen)
    assert not Sheet.objects.exists()
    sheet = opened(post(client, data | {"seen": code}))
    assert sheet.seats.count() == players


def test_four_to_ten_players_hear_no_warning(client):
    for players in (4, 10):
        assert 'name="seen"' not in post(client, filled(players), "look").content.decode()


def test_table_that_is_still_filling_is_not_called_wrong(client):
    page = post(client, filled(["Ann"], dealer=""), "look")
    assert page.status_code == 200
    assert "is for 2 to 25" not in text(page)
    assert 'role="alert">Something' not in page.content.decode()


def test_opening_without_an_account_can_be_switched_off(client, settings):
    settings.OPEN_SHEETS_WITHOUT_ACCOUNT = False
    for answer in (client.get("/open/"), post(client, filled(4))):
        assert answer.status_code == 403
        assert "On this site a sheet is opened with an account." in text(answer)
        assert "/account/login/code/?next=/open/" in answer.content.decode()
    assert not Sheet.objects.exists()


def test_member_may_open_one_where_others_may_not(client, settings, django_user_model):
    settings.OPEN_SHEETS_WITHOUT_ACCOUNT = False
    client.force_login(django_user_model.objects.create_user("marge"))
    sheet = opened(post(client, filled(4)))
    assert sheet.scorekeepers.get().user.username == "marge"


def fields_of(page: HttpResponse) -> QueryDict:
    """What the button "Send it again" sends."""
    fields = QueryDict(mutable=True)
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page.content.decode()):
        fields.appendlist(html.unescape(name), html.unescape(value))
    return fields


def test_too_many_sheets_from_one_address_have_to_wait(client, settings):
    settings.OPEN_SHEETS_PER_HOUR = 2
    for _ in range(2):
        opened(post(client, filled(4)))
    page = post(client, filled(4))
    assert page.status_code == 429
    assert page["Retry-After"] == "600"
    assert "Many sheets have been opened from here" in text(page)
    assert Sheet.objects.count() == 2
    again = fields_of(page)
    assert again.getlist("name") == ["Ann", "Bo", "Cy", "Di"], "what was typed can be sent again"
    settings.OPEN_SHEETS_PER_HOUR = 3
    sheet = opened(client.post("/open/", dict(again.lists())))
    assert opened(client.post("/open/", dict(again.lists()))) == sheet, "it is the same tap"
    elsewhere = client.post("/open/", filled(4), REMOTE_ADDR="192.0.2.7")
    assert elsewhere.status_code == 303


def test_refused_form_has_a_key_that_works(client):
    page = post(client, filled(4, key="<key>"))
    key = page.content.decode().split('name="key" value="')[1].split('"')[0]
    opened(post(client, filled(4, key=key)))
