"""The front page: one thing to do, and the way back to the sheets of this phone."""

import datetime

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from rules import all_games
from scoresheets.access.scorekeepers import hashed
from scoresheets.models import Scorekeeper
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.factories import opened, scorer

pytestmark = pytest.mark.django_db

SECRET = "the-secret-of-a-phone1"


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
    finished = scorer(["Cy", "Di"], browser=hashed(SECRET))
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


def test_phone_that_is_in_the_middle_of_a_game_goes_on_with_one_tap(phone):
    table = scorer(["Ann", "Bo", "Cy", "Di"], browser=hashed(SECRET))
    table.clear_hand()
    page = phone.get("/")
    words = " ".join(page.content.decode().split())
    planned = table.reading.game.planned_hands(table.reading.sheet.table)
    assert f'href="/sheets/{table.sheet.code}/pad/"><b>Go on: hand 2 of {planned}</b>' in words
    assert words.index("Go on:") < words.index("Keep score now")
    # Only one button is the first thing to do.
    assert words.count('class="button go') == 1 + words.count('class="button go-on"')


def test_latest_of_several_games_comes_first_and_an_old_one_not_at_all(phone):
    old, first, second = (scorer(["Ann", "Bo"], browser=hashed(SECRET), title=title) for title in ("A", "B", "C"))
    with time_machine.travel(timezone.now() - datetime.timedelta(days=3)):
        old.clear_hand()
    second.clear_hand()
    first.clear_hand()
    finished = scorer(["Cy", "Di"], browser=hashed(SECRET))
    finished.any_game()
    found = phone.get("/").context["go_on"]
    assert [glance.sheet.title for glance in found] == ["B", "C"]


def test_club_offers_to_go_on_with_its_own_tables_alone(phone):
    club = ClubFactory(visibility="public")
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    Scorekeeper.objects.filter(sheet=table.sheet).update(browser=hashed(SECRET))
    scorer(["Ann", "Bo"], browser=hashed(SECRET)).clear_hand()
    page = phone.get(club.get_absolute_url())
    assert [glance.sheet for glance in page.context["go_on"]] == [table.sheet]
    words = page.content.decode()
    assert words.index("Go on: hand 2") < words.index("Tonight</h2>")
    assert not Client().get(club.get_absolute_url()).context["go_on"]
