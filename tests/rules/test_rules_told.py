"""The rules of the help pages say what decides a game, also where it seldom happens."""

from dataclasses import replace

import pytest

from rules import all_games, find_game
from rules.core.options import TABLE_RULES


@pytest.mark.parametrize(
    ("slug", "number", "said"),
    [
        pytest.param("dingo", 8, "The ace rabbit is no dingo", id="2.6 a kept ace rabbit is not red-handed"),
        pytest.param("dingo", 9, "it counts for each", id="2.5 a shared hand is won by each"),
        pytest.param("dingo", 9, "If all four are caught, nobody has won it", id="2.5 everybody caught"),
        pytest.param("dingo", 9, "Level in those too, nobody has won", id="2.5 level in hands won as well"),
        pytest.param("dirty-deals", 2, "trump with the bower of the suit that was led", id="3.1 how a trick is taken"),
        pytest.param("dirty-deals", 6, "even when the claim itself pays nothing", id="3.3 the bower of a claim of 0"),
        pytest.param("dirty-deals", 8, "A third player may still overtake", id="3.5 overtaking"),
        pytest.param("bird-dog", 3, "same rank in the other suit of its colour", id="4.1 the Bird Dog"),
        pytest.param("bird-dog", 6, "If nobody called", id="4.3 the bonus where nobody called"),
        pytest.param("bird-dog", 7, "The pairs of a broken nil", id="4.3 pairs of a broken nil"),
        pytest.param(
            "hotdog", 3, "If the non-dealer passes, the dealer may choose", id="7.5 the non-dealer chooses first"
        ),
        pytest.param("hotdog", 3, "nobody can bid higher", id="7.5 no ladder of bids"),
        pytest.param("hotdog", 6, "where both have passed, it is the dealer", id="5.5 relish where both have passed"),
        pytest.param("hotdog", 11, "no number of tricks wins the game at once", id="5.3 no automatic win"),
        pytest.param("hotdog", 9, "lifted to what a game needs", id="5.3 the total after an automatic win"),
    ],
)
def test_help_page_says(slug, number, said):
    rule = next(rule for rule in find_game(slug).rules_text if rule.number == number)
    assert said in f"{rule.text} {rule.default}"


GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


@GAMES
def test_whoever_has_never_played_it_reads_the_aim_and_the_cards_first(game):
    titles = [passage.title for passage in game.how_to_play]
    assert titles[:2] == ["The aim", "The cards"], f"Write how_to_play of {game.name}: the aim and the cards first."
    assert all(passage.text.endswith(".") for passage in game.how_to_play)


@GAMES
def test_rules_name_house_rules_of_the_game_and_none_twice(game):
    named = [key for rule in game.rules_text for key in rule.house]
    assert set(named) <= {rule.key for rule in game.house_rules}
    of_every_table = {rule.key for rule in TABLE_RULES}
    assert set(named) | {"bottom_buddies_gap"} | of_every_table >= {rule.key for rule in game.house_rules}


@GAMES
def test_hand_of_the_example_is_one_that_the_game_takes_step_by_step(game):
    assert game.example, f"Write the example of {game.name}: one hand, which the rules page scores."
    seats = range(1, len(game.example.players) + 1)
    table = game.open_table(seats, seats[-1], {})
    hand = replace(game.deal(table), cards=game.example.cards)
    due = {ask.name: ask for ask in game.asks(table, hand) if not ask.optional} | {
        ask.name: ask for ask in game.asks(table, hand) if ask.name in game.example.steps
    }
    assert due.keys() == game.example.steps.keys()
    for ask in game.asks(table, hand):
        if ask.name in due:
            step = game.example.steps[ask.name]
            assert [*ask.problems(step), *game.check(table, hand, ask, step)] == [], ask.name
            hand = replace(hand, steps={**hand.steps, ask.name: step})


@pytest.mark.parametrize(
    ("slug", "points"),
    [
        ("dirty-dog", {1: 7, 2: 5, 3: 6, 4: -2, 5: 6}),
        ("dingo", {1: -2, 2: 15, 3: 7, 4: 2}),
        ("dirty-deals", {1: 0, 2: 7, 3: 0, 4: 3}),
        ("bird-dog", {1: 3, 2: 0, 3: 0}),
        ("hotdog", {1: 2, 2: 0}),
    ],
)
def test_hand_of_the_example_is_worth_what_it_comes_to_by_hand(slug, points):
    game = find_game(slug)
    seats = range(1, len(game.example.players) + 1)
    table = game.open_table(seats, seats[-1], {})
    hand = replace(game.deal(table), cards=game.example.cards, steps=game.example.steps)
    assert game.score(table, hand).points == points
