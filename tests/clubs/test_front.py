"""The front page: one thing to do, and the way back to the sheets of this phone."""

import pytest
from django.test import Client

from rules import all_games
from scoresheets.sharing import hashed
from tests.factories import opened, pencil

pytestmark = pytest.mark.django_db

SECRET = "the-pencil-of-a-phone1"


@pytest.fixture
def phone(client: Client) -> Client:
    client.cookies["pencil"] = SECRET
    return client


def test_newcomer_is_asked_one_thing(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        page = client.get("/").content.decode()
    assert "Keep score now" in page
    assert "Sheets on this phone" not in page
    assert "no-store" not in client.get("/").get("Cache-Control", "")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_is_named_with_its_rules_its_words_and_the_way_to_open_it(client, game):
    page = client.get("/").content.decode()
    for address in (f"/open/?game={game.slug}", f"/rules/{game.slug}/", f"/words/{game.slug}/"):
        assert f'href="{address}"' in page
        assert client.get(address).status_code == 200


def test_sheets_say_which_game_they_are_of(phone):
    opened(game="hotdog", browser=hashed(SECRET))
    assert "Hotdog, not begun" in phone.get("/").content.decode()


def test_running_sheet_leads_to_its_pad_and_a_finished_one_to_its_result(phone):
    running = opened(["Ann", "<b>Kay</b>"], browser=hashed(SECRET), title="Table 2").sheet
    finished = pencil(["Cy", "Di"], browser=hashed(SECRET))
    finished.any_game()
    page = phone.get("/").content.decode()
    assert f'href="/sheets/{running.code}/pad/"' in page
    assert f'href="/sheets/{finished.sheet.code}/result/"' in page
    assert "Table 2" in page
    assert "&lt;b&gt;Kay&lt;/b&gt;" in page
    assert "finished" in page


def test_sheets_of_others_are_not_shown(phone):
    theirs = opened(["Xaver", "Yves"], browser=hashed("another phone")).sheet
    page = phone.get("/").content.decode()
    assert theirs.code not in page
    assert "Xaver" not in page


def test_three_queries_find_the_latest_six_however_many_there_are(phone, django_assert_num_queries):
    for night in range(9):
        opened(10, browser=hashed(SECRET), title=f"Night {night}")
    with django_assert_num_queries(3):
        page = phone.get("/").content.decode()
    assert page.count("/pad/") == 6
    assert "Night 8" in page
    assert "Night 2" not in page
    assert "Cookie" in phone.get("/")["Vary"]


def test_browser_that_was_shown_no_page_finds_the_sign_of_the_site(client):
    answer = client.get("/favicon.ico")
    assert answer.status_code == 302
    assert answer["Location"].endswith("icons/favicon.svg")
