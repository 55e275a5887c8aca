"""The end of games without a loser's trophy: winner, shared places, legs, sessions, and a race that was stopped."""

import re

import pytest

from scoresheets.results.verdict import verdict_of
from tests.scoresheets.laid import SECRET, laid_down, reading_of
from tests.scoresheets.other_games import bird, claim, deals, dingo, hotdog, hunted, pairs, picked
from tests.scoresheets.sheet.test_of_other_games import RUNNING, strange_in, words


def verdict(said: dict):
    return verdict_of(reading_of(said))


def aloud(said: dict) -> str:
    return re.sub(r"</?(b|bdi)>", "", verdict(said).aloud)


def placed(said: dict) -> list[tuple]:
    return [(one.place, one.name, one.total, one.boxed, one.circled) for one in verdict(said).places]


TWO_RUBBERS = deals(claim("Ann"), claim("Bo"), claim("Ann"))
ELEVEN = bird(pairs(4, 1, 0), pairs(4, 1, 0), pairs(4, 1, 0))
SESSION = dingo(hunted(two="Ann Bo", three="Ann Bo"), hunted(two="Ann Bo"))
LEVEL = dingo(hunted(aces="Cy"), house_rules={"hands": 1})
FINISHED = {"dingo": SESSION, "dirty-deals": TWO_RUBBERS, "bird-dog": ELEVEN,
            "hotdog": hotdog(picked("Ann", 15), picked("Ann", 15))}  # fmt: skip


def test_match_is_won_with_its_legs():
    assert aloud(TWO_RUBBERS) == "Ann wins with 2 rubbers."
    assert placed(TWO_RUBBERS) == [
        (1, "Ann", 2, True, False), (2, "Bo", 1, False, False), (3, "Cy", 0, False, False), (3, "Di", 0, False, False),
    ]  # fmt: skip
    assert [one.unit for one in verdict(TWO_RUBBERS).places] == ["rubbers", "rubber", "rubbers", "rubbers"]
    assert verdict(TWO_RUBBERS).placed_by == "by rubbers won"


def test_every_leg_is_told_with_the_totals_it_ended_with():
    legs = [(leg.winner, leg.name, leg.totals, leg.at_once) for leg in verdict(TWO_RUBBERS).match.legs]
    assert legs == [
        ("Ann", "rubber 1", "9 : 0 : 0 : 3", False),
        ("Bo", "rubber 2", "0 : 9 : 0 : 3", False),
        ("Ann", "rubber 3", "9 : 0 : 0 : 3", False),
    ]


def test_race_is_won_with_its_points():
    assert aloud(ELEVEN) == "Ann wins with 12 points."
    assert verdict(ELEVEN).placed_by == ""


@pytest.mark.parametrize("said", FINISHED.values(), ids=FINISHED.keys())
def test_nobody_takes_a_trophy_for_losing(said):
    found = verdict(said)
    assert [one.circled for one in found.places] == [False] * len(said["players"])
    assert [one.boxed for one in found.trophies] == [True]
    assert found.first == "Winner"
    assert found.ends == []


def test_first_place_may_be_shared_for_good():
    found = verdict(LEVEL)
    assert found.is_settled
    assert aloud(LEVEL) == "Ann and Bo share first place with 0 points each."
    assert [(one.place, one.name) for one in found.trophies] == [(1, "Ann"), (1, "Bo")]
    assert found.first == "Shared first"


def test_session_says_beside_the_places_what_else_counts():
    assert all("won" in " ".join(one.more) for one in verdict(SESSION).places)


STOPPED_RACE = bird(pairs(3, 1, 0), stopped_after=1)


def test_race_that_was_stopped_is_led_and_not_won():
    found = verdict(STOPPED_RACE)
    assert found.stopped == "The table stopped after hand 1."
    assert aloud(STOPPED_RACE) == "Ann leads with 3 points."
    assert found.first == "In the lead"


def test_match_that_was_stopped_says_how_far_everybody_was_in_the_last_leg():
    said = deals(claim("Ann"), claim("Bo", surplus=2), stopped_after=2)
    assert aloud(said) == "Ann leads with 1 rubber and 0 in rubber 2."
    assert [one.more for one in verdict(said).places][:2] == [("0 in rubber 2",), ("7 in rubber 2",)]


def test_match_that_was_stopped_between_two_legs_has_no_leg_to_tell_of():
    assert aloud(deals(claim("Ann"), stopped_after=1)) == "Ann leads with 1 rubber."


def test_session_that_was_stopped_is_won_all_the_same():
    said = dingo(hunted(two="Ann Bo", three="Ann Bo"), stopped_after=1)
    assert verdict(said).stopped == "The table stopped after hand 1 of 2."
    assert aloud(said) == "Bo wins with 4 points."


@pytest.mark.django_db
@pytest.mark.parametrize("said", FINISHED.values(), ids=FINISHED.keys())
def test_page_of_the_result_is_in_words_of_its_game_and_takes_three_queries(said, client, statements):
    sheet = laid_down(said)
    client.cookies["pencil"] = SECRET
    client.get(f"/sheets/{sheet.code}/result/")
    with statements(exactly=3):
        answer = client.get(f"/sheets/{sheet.code}/result/")
    page = words(answer.content.decode())
    assert "The result" in page
    assert "wins with" in page
    assert strange_in(page, said["game"]) == []


@pytest.mark.django_db
@pytest.mark.parametrize("said", RUNNING.values(), ids=RUNNING.keys())
def test_game_that_is_not_over_has_no_result(said, client):
    sheet = laid_down(said)
    assert client.get(f"/sheets/{sheet.code}/result/").status_code == 302
