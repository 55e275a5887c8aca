"""What every game in the folder promises the pages, the moment it lands."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import UnknownGame, all_games, find_game
from rules.core.engine.replay import read
from rules.core.fields import Choice, Count, SeatChoice, Tick
from rules.core.game import Game
from tests.rules.dice import whole_hand
from tests.rules.strategies import keep, kept_sheets

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
KEBAB = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
#: What a form of the pages takes for the name of a field.
FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
SNAKE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def test_listing_the_folder_lists_the_games(project):
    found = {path.stem for path in (project / "rules").iterdir() if not path.name.startswith("__")} - {"core"}
    assert {game.module for game in all_games()} == found


def test_game_is_found_by_its_slug_and_nothing_else():
    for game in all_games():
        assert find_game(game.slug) is game
    with pytest.raises(UnknownGame):
        find_game("no-such-game")


@GAMES
def test_names_agree(game, project):
    assert KEBAB.fullmatch(game.slug)
    assert type(game).__module__.split(".")[:2] == ["rules", game.module]
    assert type(game).__name__ == "".join(part.capitalize() for part in game.slug.split("-"))
    assert (project / "templates" / "scoresheets" / "games" / f"{game.module}.html").is_file()
    assert game.name
    assert game.blurb


@GAMES
def test_bids_tricks_and_trump_are_declared_as_they_are_asked_for(game):
    table = game.open_table(range(1, game.made_for[0] + 1), 1, {})
    names = {ask.name.rstrip("0123456789") for ask in game.asks(table, game.deal(table))}
    assert game.has_bids == ("bid-" in names)
    assert game.has_tricks == ("tricks" in names)
    assert game.has_trump == (type(game).trump is not Game.trump)


@GAMES
def test_numbers_of_players_make_sense(game):
    assert game.players[0] >= 2
    assert set(game.made_for) <= set(game.players)
    for players in (0, game.players[0] - 1, game.players[-1] + 1):
        codes = [problem.code for problem in game.setup_problems(range(1, players + 1), {}, {})]
        assert codes == ["bad-players"]


@GAMES
def test_house_rules_have_sentences_and_sensible_values(game):
    rules = {rule.key: rule for rule in game.house_rules}
    assert len(rules) == len(game.house_rules)
    for rule in game.house_rules:
        assert SNAKE.fullmatch(rule.key)
        assert rule.sentence.endswith(".")
        assert rule.default in rule.values or (rule.default is None and rule.default_words)
        assert rule.problem(rule.default) is None
        assert rule.problem([]).code == "bad-document"
        assert all(rule.problem(value) is None for value in rule.values)
        if all(isinstance(value, str) for value in rule.values):
            assert set(rule.choices) == set(rule.values), "every word a rule can take is said in words"
        assert not rule.doubt or rule.doubt.endswith(".")
        assert not rule.doubt or rule.default is not None, "an answer is chosen already"
        assert not rule.lasts or isinstance(rule.values, range) or rule.choices, "it is stepped through, or chosen"
        assert set(rule.steps) <= set(rule.values)
        assert rule.only_with is None or rule.only_with[1] in rules[rule.only_with[0]].values


@GAMES
def test_usual_set_up_has_no_problem(game):
    for players in game.made_for:
        assert list(game.setup_problems(range(1, players + 1), {}, {})) == []


@GAMES
def test_way_to_the_first_dealer_is_said_in_words(game):
    assert SNAKE.fullmatch(game.first_dealer_by.word)
    assert game.first_dealer_by.asks.endswith("?")
    assert not game.first_dealer_by.how or game.first_dealer_by.how.endswith(".")


@GAMES
def test_examples_of_these_tests_have_scored_hands(game):
    """Laws that hold for empty sheets only would say little."""
    table = game.open_table(range(1, game.made_for[0] + 1), 1)
    sheets = [read(game, table, keep(game, table, random.Random(seed), 45)) for seed in range(12)]
    assert max(len(sheet.rows) for sheet in sheets) >= 2
    assert sum(bool(sheet.rows) for sheet in sheets) >= 6


@GAMES
@pytest.mark.parametrize("seed", range(5))
def test_any_hand_that_is_thrown_is_a_whole_one(game, seed):
    table = game.open_table(range(1, game.made_for[0] + 1), 1)
    hand = game.deal(table)
    for ask, step in whole_hand(random.Random(seed), game, table, hand).items():
        hand = hand.with_step(ask, step)
    entries = {hand.address(ask): step for ask, step in hand.steps.items()}
    assert [row.hand for row in read(game, table, entries).rows] == [hand]


@GAMES
@given(data=st.data())
def test_every_ask_uses_the_four_kinds_of_fields_and_names_that_fit_an_address(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    asks = [ask for row in sheet.rows for ask in game.asks(row.table, row.hand)]
    if sheet.open:
        asks += game.asks(sheet.table, sheet.open.hand)
        asks += [game.event_ask(sheet.table, kind, 1) for kind in game.events]
    for ask in asks:
        assert KEBAB.fullmatch(ask.name)
        assert len(ask.name) <= 30
        assert len({field.name for field in ask.fields}) == len(ask.fields)
        for field in ask.fields:
            assert isinstance(field, Count | Choice | SeatChoice | Tick)
            assert FIELD.fullmatch(field.name)
            if isinstance(field, Count):
                assert field.low <= field.high
        if ask.seat is not None:
            assert ask.seat in sheet.table.seats or any(ask.seat in row.table.seats for row in sheet.rows)


@GAMES
@given(data=st.data())
def test_names_of_asks_differ_within_a_hand_and_depend_on_nothing_written_there(game, data):
    table, entries = data.draw(kept_sheets(game))
    for row in read(game, table, entries).rows:
        asks = [ask.name for ask in game.asks(row.table, row.hand)]
        assert len(asks) == len(set(asks))
        assert set(row.hand.steps) <= set(asks)
        assert not any(ask.startswith(tuple(f"{kind}-" for kind in (*game.events, "note", "tie"))) for ask in asks)


@GAMES
@given(data=st.data())
def test_call_outs_have_words_reasons_and_seats_that_sit_there(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    called = [(call, row.table.seats) for row in sheet.rows for call in game.hand_callouts(row)]
    called += [(call, sheet.table.seats) for call in sheet.callouts]
    words = {word.call for word in game.words}
    for call, seats in called:
        assert call.call in words
        assert call.reason
        assert set(call.seats) <= set(seats)
        assert call.seats == tuple(seat for seat in seats if seat in call.seats), "in seat order"


@GAMES
@given(data=st.data())
def test_helps_for_the_pages_answer_for_every_hand(game, data):
    table, entries = data.draw(kept_sheets(game))
    sheet = read(game, table, entries)
    for hand in sheet.coming():
        assert game.hand_numbers(sheet.table, hand)
        game.worth(sheet.table, hand)
        game.avoided_sum(sheet.table, hand)
        game.trump(hand)
    game.look_up(sheet.table)
    game.plan_remark(table)
