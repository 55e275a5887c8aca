"""A sheet that a phone has opened without network is opened on the site, under the code that the phone has drawn."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from scoresheets.log.state import read_sheet
from scoresheets.models import Player, Sheet
from scoresheets.models.sheet import is_token, new_token
from scoresheets.opening.open_sheet import CODE_USED, Refused, open_sheet
from tests.factories import new_key, set_up
from tests.factories import opened as other_sheet
from tests.scoresheets.opening.test_open import filled

pytestmark = pytest.mark.django_db

ADDRESS = "/open/offline/"


def drawn(players: int | list[str] = 6, **more: Any) -> dict[str, Any]:
    """What a phone sends."""
    return filled(players) | {"code": new_token(), "asked": "", "game": "dirty-dog"} | more


def sent(client: Client, data: dict[str, Any]) -> HttpResponse:
    return client.post(ADDRESS, data)


def test_it_has_the_code_that_the_phone_has_drawn_and_its_phone_may_write(client: Client) -> None:
    data = drawn(6, dealer="3")
    answer = sent(client, data)
    sheet = Sheet.objects.get(code=data["code"])
    assert answer.json() == {"code": sheet.code, "watch": sheet.watch}
    assert read_sheet(sheet).setup.first_dealer == 3
    assert client.get(f"/sheets/{sheet.code}/pad/").status_code == 200
    assert Client().post(f"/sheets/{sheet.code}/stop/", {"key": new_key()}).status_code == 403


def test_same_opening_sent_again_makes_no_second_sheet(client: Client) -> None:
    client.get("/open/")
    data = drawn()
    assert sent(client, data).json() == sent(client, data).json()
    assert Sheet.objects.count() == 1


def test_code_of_another_sheet_is_refused_and_so_is_it_when_both_come_at_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = other_sheet(4).sheet
    data = drawn(code=taken.code)
    answer = sent(client, data)
    assert (answer.status_code, answer.json()) == (409, {"code": "code-used", "problem": CODE_USED.message})
    # The other one comes after this one has looked, and before it has written.
    looks = iter([None, 0])
    monkeypatch.setattr("scoresheets.opening.open_sheet.first_used_code", lambda _: next(looks))
    late = open_sheet(set_up(4), browser="b" * 64, key=new_key(), code=taken.code, sure=True)
    assert isinstance(late, Refused)
    assert late.code == "code-used"
    assert Sheet.objects.count() == 1


def test_two_phones_that_open_a_sheet_for_the_same_table_have_two(client: Client) -> None:
    first, second = drawn(), drawn()
    assert sent(client, first).status_code == sent(Client(), second).status_code == 200
    assert Sheet.objects.count() == 2


BAD_CODES = ["", "short", "A" * 21 + "B", "A" * 23, "A" * 21 + "/", "A" * 21 + "\n", "Ä" * 22, "\x00" * 22]


@pytest.mark.parametrize("code", BAD_CODES)
def test_code_that_the_site_would_not_draw_is_refused(client: Client, code: str) -> None:
    answer = sent(client, drawn(code=code))
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-code")
    assert not Sheet.objects.exists()


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"name": ["Ann", "ANN"], "pick": ["", ""]}, "duplicate-player"),
        ({"name": ["Ann"], "pick": [""]}, "bad-players"),
        ({"dealer": ""}, "bad-first-dealer"),
        ({"key": "<key>"}, "bad-key"),
        ({"title": "T" * 81}, "too-long"),
        ({"typed": "Ed"}, "not-seated"),
    ],
)
def test_what_the_form_refuses_is_refused_with_its_sentence(client: Client, more: dict[str, Any], code: str) -> None:
    answer = sent(client, drawn(**more))
    assert answer.status_code == 422
    assert answer.json()["code"] == code
    assert answer.json()["problem"].endswith((".", "?"))
    assert not Sheet.objects.exists()


def test_form_of_another_site_is_a_bad_request(client: Client) -> None:
    assert sent(client, drawn(game="chess")).status_code == 400
    assert sent(client, drawn(pick=["1"])).status_code == 400
    assert client.get(ADDRESS).status_code == 405
    assert Client(enforce_csrf_checks=True).post(ADDRESS, drawn()).status_code == 403


def test_limits_and_accounts_are_those_of_the_form(
    client: Client, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as many:
        many.setattr("scoresheets.opening.open_sheet.count_action", lambda *_: 600)
        answer = sent(client, drawn())
        assert (answer.status_code, answer.json()["code"]) == (429, "too-many-sheets")
        assert answer.headers["Retry-After"]
    settings.OPEN_SHEETS_WITHOUT_ACCOUNT = False
    answer = sent(client, drawn())
    assert (answer.status_code, answer.json()["code"]) == (403, "sign-in-first")
    assert not Sheet.objects.exists()


def test_people_of_before_are_the_same_people_and_strangers_are_none_of_them(client: Client) -> None:
    sent(client, drawn(4))
    ann = Player.objects.get(name="Ann")
    stranger = Player.objects.create(name="Zed")
    sent(client, drawn(["Ann", "Zed", "Cy", "Di"], pick=[ann.pk, stranger.pk, "", ""]))
    seats = Sheet.objects.latest("pk").seats.order_by("number")
    assert seats[0].player_id == ann.pk
    assert seats[1].player_id != stranger.pk


@given(st.binary(min_size=16, max_size=16), st.integers(0, 21), st.characters())
def test_token_is_one_text_only(drawn_bytes: bytes, at: int, other: str) -> None:
    token = base64.urlsafe_b64encode(drawn_bytes).decode().rstrip("=")
    assert is_token(token)
    changed = token[:at] + other + token[at + 1 :]
    # Another text is another token, or none.
    same = is_token(changed) and base64.urlsafe_b64decode(f"{changed}==") == drawn_bytes
    assert same == (changed == token)
