"""Watching games without bids: what is asked next, what was written so far, the match, and a game's own live thing."""

import pytest
from django.template import engines
from django.test import Client

from scoresheets.sheet import game_blocks
from scoresheets.sheet.scoreboard import TableTop
from tests.factories import Scorer, scorer, sure_of
from tests.scoresheets.laid import laid_down, reading_of
from tests.scoresheets.other_games import claim, deals
from tests.scoresheets.results.test_of_other_games import FINISHED
from tests.scoresheets.sheet.test_of_other_games import GAMES, RUNNING, strange_in, words

pytestmark = pytest.mark.django_db


@pytest.fixture
def bird_dog() -> Scorer:
    """A hand of Bird Dog in which a card was turned and Ann called."""
    table = scorer(game="bird-dog")
    sure_of(table.enter(1, "turned", card_1="9H", caller=1))
    return table


def read(client: Client, watch: str, more: str = "") -> str:
    answer = client.get(f"/watch/{watch}/{more}")
    assert answer.status_code in (200, 286)
    return words(answer.content.decode())


@GAMES
@pytest.mark.parametrize("more", ["", "table/"])
def test_watcher_is_told_in_words_of_the_game(said, more, client):
    page = read(client, laid_down(said).watch, more)
    assert "deals" in page
    assert "next: the " in page
    assert strange_in(page, said["game"]) == []


@pytest.mark.parametrize("said", FINISHED.values(), ids=FINISHED.keys())
@pytest.mark.parametrize("more", ["", "table/"])
def test_end_is_told_in_words_of_the_game(said, more, client):
    page = read(client, laid_down(said).watch, more)
    assert "Ann wins with" in page or "Bo wins with" in page
    assert strange_in(page, said["game"]) == []


@GAMES
def test_poll_that_changes_nothing_takes_one_query(said, client, statements):
    sheet = laid_down(said)
    for more in ("rows/", "table/top/"):
        with statements(exactly=1):
            assert client.get(f"/watch/{sheet.watch}/{more}?v={sheet.version}").status_code == 204


@GAMES
def test_changed_sheet_takes_three_queries(said, client, statements):
    sheet = laid_down(said)
    with statements(exactly=3):
        client.get(f"/watch/{sheet.watch}/rows/?v=0")


def test_what_was_written_so_far_is_seen_with_what_is_asked_next(bird_dog, client):
    page = read(client, bird_dog.sheet.watch, "rows/")
    assert "next: the turned cards" not in page
    assert "next: " in page
    assert "nine of hearts" in page


def test_match_is_said_with_the_legs_of_everybody():
    top = TableTop(reading_of(RUNNING["dirty-deals"]))
    assert top.match == "Rubber 2 to 9: <bdi>Ann</bdi> 1, first to two"
    assert [place.legs for place in top.places] == ["1 rubber", "", "", ""]


def test_nobody_has_box_or_circle_before_the_next_leg_is_begun():
    top = TableTop(reading_of(deals(claim("Ann"))))
    assert [(place.total, place.boxed, place.circled) for place in top.places] == [(0, False, False)] * 4


def test_heading_says_of_how_many_where_hands_are_planned_only():
    assert TableTop(reading_of(RUNNING["dingo"])).heading == "Hand 2 of 2"
    assert TableTop(reading_of(RUNNING["bird-dog"])).heading == "Hand 2"


def test_next_dealer_of_a_race_is_told_and_after_the_last_planned_hand_nobody_deals():
    assert "<bdi>Cy</bdi> deals next" in TableTop(reading_of(RUNNING["bird-dog"])).facts
    assert not [fact for fact in TableTop(reading_of(RUNNING["dingo"])).facts if "deals next" in fact]


def test_game_shows_a_live_thing_of_its_own_to_those_who_watch(client):
    page = client.get(f"/watch/{laid_down(RUNNING['dirty-deals']).watch}/").content.decode()
    assert "data-clock" in page
    assert "js/widgets/timer.js" in page
    assert "css/games/dirty_deals.css" in page


def test_game_without_a_live_thing_shows_none(client):
    page = client.get(f"/watch/{laid_down(RUNNING['bird-dog']).watch}/").content.decode()
    assert "data-clock" not in page


def test_block_of_a_game_stands_where_another_page_asks_for_it_and_else_what_that_page_has(monkeypatch):
    own = "{% extends layout %}{% block watch %}It rings in {{ minutes }}.{% endblock %}{% block row %}-{% endblock %}"
    pages = {"own.html": own, "layout.html": "{% block watch %}nothing{% endblock %}"}
    loader = [("django.template.loaders.locmem.Loader", pages)]
    monkeypatch.setattr(engines["django"].engine, "loaders", loader)
    monkeypatch.setattr(
        engines["django"].engine, "template_loaders", engines["django"].engine.get_template_loaders(loader)
    )
    assert game_blocks.block_of("own.html", "layout.html", {"minutes": 3}) == "It rings in 3."
    assert game_blocks.block_of("none.html", "layout.html", {}) == "nothing"
