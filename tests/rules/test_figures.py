"""What a game tells of a player over many games: the marks of their hands, and the figures made of them."""

from __future__ import annotations

import random

import pytest

from rules import all_games, find_game
from rules.core.engine.replay import read
from tests.rules.dice import whole_hand


def rows_by_dice(game, hands: int, seed: int = 0):
    """Scored hands of the game, thrown by dice."""
    dice, entries = random.Random(seed), {}
    plan = {"hands": 40} if game.plan_choices(game.made_for[0], {}) else {}
    table = game.open_table(range(1, game.made_for[0] + 1), 1, plan)
    for _ in range(hands):
        sheet = read(game, table, entries)
        if sheet.open is None:
            break
        hand = sheet.open.hand
        entries |= {(hand.number, ask): step for ask, step in whole_hand(dice, game, sheet.table, hand).items()}
    return read(game, table, entries).rows


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_marks_are_numbers_of_those_who_played_the_hand(game) -> None:
    for row in rows_by_dice(game, 6):
        for seat, marks in game.marks(row).items():
            assert seat in row.points
            assert all(type(value) is int and mark == mark.lower() for mark, value in marks.items())


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_figures_have_keys_and_names_of_their_own(game) -> None:
    assert len({figure.key for figure in game.figures}) == len(game.figures)
    assert len({figure.name for figure in game.figures}) == len(game.figures)
    for figure in game.figures:
        assert len(figure.mark) <= 40
        assert not figure.of or figure.of_name or figure.of in {other.mark for other in game.figures}
        assert not figure.record or figure.how in ("most", "least")


@pytest.mark.parametrize("game", [game for game in all_games() if game.figures], ids=lambda game: game.slug)
def test_what_figures_count_is_found_in_hands(game) -> None:
    seen = {
        mark for seed in range(8) for row in rows_by_dice(game, 6, seed) for m in game.marks(row).values() for mark in m
    }
    known = {mark for figure in game.figures for mark in (figure.mark, figure.of) if mark}
    assert seen <= known, "a mark that no figure counts"


def marks_of_hand(bids: str, tricks: str) -> dict[int, dict[str, int]]:
    """Marks of a hand of Dirty Dog; bids and tricks in bidding order, the dealer last."""
    game = find_game("dirty-dog")
    said, took = [int(n) for n in bids.split()], [int(n) for n in tricks.split()]
    cards, n = sum(took), len(said)
    table = game.open_table(range(1, n + 1), n, {"peak": cards})
    table = table.__class__(**{**vars(table), "schedule": (cards,)})
    steps = {(1, f"bid-{seat}"): {"bid": bid} for seat, bid in enumerate(said, 1)}
    steps[1, "tricks"] = {f"tricks-{seat}": count for seat, count in enumerate(took, 1)}
    (row,) = read(game, table, steps).rows
    return {seat: dict(marks) for seat, marks in game.marks(row).items()}


@pytest.mark.parametrize(
    ("bids", "tricks", "marks"),
    [
        pytest.param("0 0 1 1", "2 1 0 0", {1: {"dog-pile": 2}, 2: {"dog-pile": 1}, 4: {"ruled": 2}}, id="dog-pile"),
        pytest.param("1 1 0 0", "1 1 0 1", {4: {"dog-pile": 1, "ruled": 1, "caught": 1}}, id="caught-by-the-rule"),
        pytest.param("1 1 1 1", "1 1 1 0", {4: {"ruled": 0, "caught": 0}}, id="caught-at-none"),
        pytest.param("2 1 1 0", "2 1 0 0", {}, id="already-overbid"),
    ],
)
def test_dog_piles_and_what_the_rule_did_to_the_last_bidder(bids, tricks, marks) -> None:
    assert marks_of_hand(bids, tricks) == marks
