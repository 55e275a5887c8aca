"""The rules of the help pages say what decides a game, also where it seldom happens."""

import pytest

from rules import find_game


@pytest.mark.parametrize(
    ("slug", "number", "said"),
    [
        pytest.param("dingo", 8, "The ace rabbit is no dingo", id="2.6 a kept ace rabbit is not red-handed"),
        pytest.param("dingo", 9, "it counts for each", id="2.5 a shared hand is won by each"),
        pytest.param("dingo", 9, "If all four are caught, nobody has won it", id="2.5 everybody caught"),
        pytest.param("dingo", 9, "Level in those too, nobody has won", id="2.5 level in hands won as well"),
        pytest.param("dirty-deals", 2, "trump with the bower of the suit that was led", id="3.1 how a trick is taken"),
        pytest.param("dirty-deals", 6, "even when the claim itself pays nothing", id="3.3 the bower of a claim of 0"),
        pytest.param("dirty-deals", 8, "that may be a third", id="3.5 overtaking"),
        pytest.param("bird-dog", 3, "same rank in the other suit of its colour", id="4.1 the Bird Dog"),
        pytest.param("bird-dog", 6, "When nobody called", id="4.3 the bonus where nobody called"),
        pytest.param("bird-dog", 7, "The pairs of a broken nil", id="4.3 pairs of a broken nil"),
        pytest.param("hotdog", 3, "A pass gives the choice to the dealer", id="7.5 the non-dealer chooses first"),
        pytest.param("hotdog", 3, "nobody can bid higher", id="7.5 no ladder of bids"),
        pytest.param("hotdog", 6, "where both have passed, it is the dealer", id="5.5 relish where both have passed"),
        pytest.param("hotdog", 7, "no number of tricks wins the game at once", id="5.3 no automatic win"),
        pytest.param("hotdog", 9, "lifted to what a game needs", id="5.3 the total after an automatic win"),
    ],
)
def test_help_page_says(slug, number, said):
    assert said in next(rule.text for rule in find_game(slug).rules_text if rule.number == number)
