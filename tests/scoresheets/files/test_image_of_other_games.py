"""The picture of a match, of a session, and of a race that was stopped; and the last hand read back."""

import re

import pytest
from django.test import Client

from scoresheets.files.image import Picture
from tests.scoresheets.laid import laid_down, reading_of
from tests.scoresheets.other_games import bird, claim, deals, pairs
from tests.scoresheets.results.test_of_other_games import FINISHED, LEVEL, TWO_RUBBERS
from tests.scoresheets.sheet.test_of_other_games import RUNNING, strange_in, words


def ended(said: dict) -> list[str]:
    return [line.text for line in Picture(reading_of(said)).ended]


def test_picture_of_a_match_has_the_winner_and_the_legs_won():
    assert ended(TWO_RUBBERS) == ["Ann wins."]
    assert [(row.total, row.boxed) for row in Picture(reading_of(TWO_RUBBERS)).rows][:2] == [("2", True), ("1", False)]


def test_picture_of_a_running_match_says_how_it_stands():
    picture = Picture(reading_of(deals(claim("Ann"), claim("Bo", surplus=2))))
    assert "Rubber 2 to 9: Ann 1, first to two" in " ".join(line.text for line in picture.ended)
    assert [row.more.text for row in picture.rows][:2] == ["1 rubber", "0 rubbers"]


def test_picture_says_who_leads_a_race_that_was_stopped():
    assert ended(bird(pairs(3, 1, 0), stopped_after=1)) == ["Ann leads."]


def test_picture_says_who_shares_the_first_place():
    assert ended(LEVEL) == ["Ann and Bo share first place."]


def test_picture_of_a_session_says_how_far_it_has_come():
    assert Picture(reading_of(RUNNING["dingo"])).about.startswith("After hand 1 of 2 · ")
    assert Picture(reading_of(RUNNING["bird-dog"])).about.startswith("After hand 1 · ")


@pytest.mark.django_db
@pytest.mark.parametrize("said", FINISHED.values(), ids=FINISHED.keys())
def test_picture_is_in_words_of_its_game(said, client: Client):
    answer = client.get(f"/sheets/{laid_down(said).code}/picture.svg")
    assert answer.status_code == 200
    assert strange_in(words(answer.content.decode()), said["game"]) == []


@pytest.mark.django_db
def test_last_hand_is_read_back_with_what_the_game_says_of_it(client: Client):
    page = client.get(f"/sheets/{laid_down(RUNNING['dirty-deals']).code}/read-back/").content.decode()
    said = re.findall(r'data-say="([^"]*)"', page)
    assert said[0] == "Hand 2."
    assert said[2].startswith("Bo ")
    assert said[2].endswith(": plus 7. 7 now.")
