"""The page of the running sheet for games without bids: the same page, and no word that belongs to another game."""

import re

import pytest
from django.test import Client

from scoresheets.access.scorekeepers import BROWSER_COOKIE as COOKIE
from tests.factories import scorer, sure_of
from tests.scoresheets.laid import SECRET, laid_down
from tests.scoresheets.other_games import bird, claim, deals, dingo, hotdog, hunted, pairs, picked

pytestmark = pytest.mark.django_db

#: One hand of each is scored and the next is open.
RUNNING = {
    "dingo": dingo(hunted(two="Ann Bo", three="Cy Di Bo")),
    "dirty-deals": deals(claim("Ann"), claim("Bo", surplus=2)),
    "bird-dog": bird(pairs(4, 1, 0)),
    "hotdog": hotdog(picked("Ann", 12)),
}
GAMES = pytest.mark.parametrize("said", RUNNING.values(), ids=RUNNING.keys())

#: What only Dirty Dog has: blind hands, draws, a trophy for the loser, most cards.
STRANGE = ("blind", "most cards", "loser", "takes the circle", "the lead,", "draw a card", " of 0", "went home", "bids")
#: Neither has bids, tricks that are counted, nor trump.
STRANGER = ("bid", "trick", "trump")


@pytest.fixture
def keeper() -> Client:
    client = Client()
    client.cookies[COOKIE] = SECRET
    return client


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def strange_in(said: str, game: str) -> list[str]:
    """Words on a page that no player of the game would understand."""
    strange = [*STRANGE, *(STRANGER if game in ("dingo", "dirty-deals") else ())]
    return [word for word in strange if word in said.lower()]


def page_of(client: Client, said: dict, more: str = "") -> str:
    answer = client.get(f"/sheets/{laid_down(said).code}/{more}")
    assert answer.status_code == 200
    return words(answer.content.decode())


@GAMES
def test_sheet_is_shown_in_words_of_its_game(said, keeper):
    page = page_of(keeper, said)
    assert "in the box" in page
    assert "next: the " in page
    assert strange_in(page, said["game"]) == []


def test_house_rules_stand_apart_below_the_sheet(keeper):
    page = page_of(keeper, hotdog(picked("Ann", 12), house_rules={"target": 9, "games_to_win": 1}))
    said = "House rules: Points that win a game: 9. Games that win the match: 1."
    assert page.count(said) == len(("on the screen", "on paper"))


@GAMES
def test_page_is_loaded_with_three_queries(said, keeper, statements):
    sheet = laid_down(said)
    keeper.get(f"/sheets/{sheet.code}/")
    with statements(exactly=3):
        keeper.get(f"/sheets/{sheet.code}/")


def test_leg_is_ruled_off_and_the_match_is_said_above(keeper):
    page = page_of(keeper, RUNNING["dirty-deals"])
    assert "Ann wins rubber 1, 9 : 0 : 0 : 3" in page
    assert "Rubber 2 to 9: Ann 1, first to two" in page


def test_points_of_a_hand_are_said_with_their_reason(keeper):
    assert "+9" in page_of(keeper, RUNNING["dirty-deals"])


@GAMES
def test_table_may_stop_and_play_on(said, keeper):
    sheet = laid_down(said)
    page = keeper.get(f"/sheets/{sheet.code}/").content.decode()
    assert "Stop here" in page
    hand = re.search(r'name="hand" value="(\d+)"', page)[1]
    keeper.post(f"/sheets/{sheet.code}/stop/", {"key": "stop-key-of-a-test-1", "hand": hand})
    stopped = words(keeper.get(f"/sheets/{sheet.code}/").content.decode())
    assert "The table stops here" in stopped
    assert strange_in(stopped, said["game"]) == []
    keeper.post(f"/sheets/{sheet.code}/play-on/", {"key": "stop-key-of-a-test-2"})
    assert "next: the " in words(keeper.get(f"/sheets/{sheet.code}/").content.decode())


def test_of_how_many_hands_is_said_where_they_are_planned(keeper):
    assert "hand 2 of 2" in page_of(keeper, RUNNING["dingo"])
    assert "hand 2 of" not in page_of(keeper, RUNNING["bird-dog"])


@GAMES
def test_hands_on_paper_are_offered_only_where_a_game_can_be_resumed(said, keeper):
    assert "from a paper sheet" not in page_of(keeper, {**said, "hands": []})


def test_game_may_print_more_than_the_table(keeper):
    sheet = laid_down(RUNNING["dirty-deals"])
    assert "held the bower of somebody else" in words(keeper.get(f"/sheets/{sheet.code}/").content.decode())


@GAMES
def test_house_rules_that_differ_are_printed_with_it(said, keeper):
    rules = {
        "dingo": {"ten_value": 1},
        "dirty-deals": {"target": 12},
        "bird-dog": {"target": 7},
        "hotdog": {"target": 9},
    }
    sheet = laid_down({**said, "house_rules": {**said.get("house_rules", {}), **rules[said["game"]]}})
    page = keeper.get(f"/sheets/{sheet.code}/").content.decode()
    foot = re.search(r'<footer class="on-paper paper-foot">.*?</footer>', page, re.S)[0]
    assert "House rules:" in words(foot)


def test_what_is_asked_next_stands_across_the_columns(keeper):
    html = keeper.get(f"/sheets/{laid_down(RUNNING['bird-dog']).code}/").content.decode()
    assert '<td colspan="3">' in html


def test_what_was_written_in_the_open_hand_stands_below_it(keeper):
    table = scorer(game="bird-dog")
    sure_of(table.enter(1, "turned", card_1="9H", caller=1))
    page = words(keeper.get(f"/sheets/{table.sheet.code}/").content.decode())
    assert "next: the turned cards" not in page
    assert "next: " in page
    assert "The turned cards" in page
    assert "nine of hearts" in page


def test_post_that_wins_a_leg_brings_the_row_and_how_the_match_stands(keeper):
    sheet = laid_down({**RUNNING["dirty-deals"], "hands": []})
    fields = {"f-claimer": 1, "f-suit": "H", "f-surplus": 0, "f-bower": 4}
    answer = keeper.post(
        f"/sheets/{sheet.code}/enter/",
        {"key": "key-of-a-claim-in-a-test", "hand": 1, "ask": "claim", "saw": "", **fields},
        headers={"accept": "application/json"},
    )
    said = words(answer.json()["row"])
    assert "Ann wins rubber 1" in said
    assert "Rubber 2 to 9: Ann 1, first to two" in said
    assert "next: hand 2, Bo deals" in said
