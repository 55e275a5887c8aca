"""The reasons behind numbers where there are legs, and where the sentence is the game's own."""

import pytest

from scoresheets.results.explain import why_of
from tests.scoresheets.laid import laid_down, reading_of
from tests.scoresheets.other_games import claim, deals, hotdog, picked
from tests.scoresheets.sheet.test_of_other_games import RUNNING, strange_in, words


def reason(said: dict, key: str, seat: int):
    found = why_of(reading_of(said), key, seat)
    assert found is not None
    return found


ONE_RUBBER = deals(claim("Ann"), claim("Bo", surplus=2))


def test_first_hand_of_a_leg_begins_at_its_start():
    assert reason(ONE_RUBBER, "2", 2).sum == (
        ("Rubber 2, at the start", "0"), ("Hand 2", "+7"), ("After hand 2", "7"),
    )  # fmt: skip


def test_hand_that_won_the_leg_says_so_to_everybody():
    assert "That wins rubber 1; the next rubber begins at 0." in reason(ONE_RUBBER, "1", 1).sentences
    assert (
        "<bdi>Ann</bdi> wins rubber 1 by this hand; the next rubber begins at 0."
        in reason(ONE_RUBBER, "1", 2).sentences
    )


def test_last_leg_of_the_match_is_followed_by_none():
    assert "That wins rubber 2." in reason(deals(claim("Ann"), claim("Ann")), "2", 1).sentences


def test_total_that_is_lifted_by_a_win_at_once_says_from_where():
    assert reason(hotdog(picked("Ann", 12), picked("Ann", 15)), "2", 1).sum == (
        ("After hand 1", "2"), ("Hand 2", "0"), ("The game, won at once", "+3"), ("After hand 2", "5"),
    )  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize("said", RUNNING.values(), ids=RUNNING.keys())
def test_page_of_reasons_is_in_words_of_its_game(said, client, statements):
    sheet = laid_down(said)
    for seat in range(1, len(said["players"]) + 1):
        with statements(exactly=3):
            answer = client.get(f"/sheets/{sheet.code}/why/1/{seat}/")
        assert strange_in(words(answer.content.decode()), said["game"]) == []
