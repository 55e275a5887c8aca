"""With a second game in the house the form asks which, and asks only what that game declares."""

from __future__ import annotations

import re
from typing import ClassVar

import pytest

from rules import all_games, find_game
from rules.core.formats import Race
from rules.core.game import Game
from rules.core.house import HouseRule
from scoresheets import forms, opening
from scoresheets.house import HouseField, kind_of, shown, taken
from scoresheets.outlook import about, minutes_of
from tests.scoresheets.test_open import filled, post, text

pytestmark = pytest.mark.django_db


class Beggar(Game):
    """A game for two or three that is a race."""

    slug = "beggar"
    name = "Beggar"
    blurb = "A card at a time"
    players = range(2, 4)
    made_for = range(2, 4)
    house_rules: ClassVar = (
        HouseRule("aces_high", default=True, values=(False, True), sentence="Aces are high."),
        HouseRule("target", default=11, values=range(1, 100), sentence="Points that win."),
        HouseRule(
            "fail", default="game", values=("game", "points"), sentence="Who fails loses this.",
            choices={"game": "the game", "points": "two points"},
        ),
    )  # fmt: skip

    def format(self, table):
        return Race(11)

    def asks(self, table, hand):
        yield from ()

    def result(self, table, hand):
        return None

    def why(self, table, hand, seat):
        return ""

    def read_item(self, item):
        return None

    def write_item(self, row, hand, item):
        return None

    def item_shape(self):
        return {}


@pytest.fixture
def second_game(monkeypatch):
    games = (*all_games(), Beggar())
    monkeypatch.setattr(forms, "all_games", lambda: games)
    monkeypatch.setattr(opening, "find_game", lambda slug: next(game for game in games if game.slug == slug))


def test_only_game_is_not_asked_for(client, monkeypatch):
    monkeypatch.setattr(forms, "all_games", lambda: all_games()[:1])
    assert "Which game?" not in text(client.get("/open/"))


def test_games_stand_there_with_what_they_are_about(client, second_game):
    page = text(client.get("/open/"))
    assert "Which game?" in page
    assert "2–3 Beggar A card at a time 2 to 3 players, race to 11" in page
    assert "Dirty Dog Bids and tricks, up the stairs and down again 4 to 10 players, 9 to 24 hands" in page


def test_form_asks_the_house_rules_of_the_game_that_was_chosen(client, second_game):
    page = post(client, filled(3, game="beggar"), "look")
    assert "Points that win.Usually: 11." in text(page)
    assert "Who fails loses this.Usually: the game." in text(page)
    assert "Aces are high.Usually: yes." in text(page)
    assert "The dealer cannot take his bid back" not in text(page)
    assert "Race to 11" in text(page)
    assert not re.search(r'name="by"', page.content.decode())


def test_game_says_for_how_many_it_is(client, second_game):
    page = post(client, filled(4, game="beggar"))
    assert page.status_code == 422
    assert "Beggar is for 2 to 3 players." in text(page)


@pytest.mark.parametrize(("key", "kind", "shows", "typed", "means"), [
    ("aces_high", "tick", "on", "", False), ("aces_high", "tick", "on", "on", True),
    ("target", "number", "11", " 21 ", 21), ("target", "number", "11", "", 11), ("target", "number", "11", "200", 200),
    ("target", "number", "11", "x", "x"), ("fail", "choice", "game", "points", "points"),
    ("fail", "choice", "game", "all", "all"),
])  # fmt: skip
def test_house_rule_makes_its_own_field(key, kind, shows, typed, means):
    rule = next(rule for rule in Beggar.house_rules if rule.key == key)
    assert (kind_of(rule), shown(rule)) == (kind, shows)
    assert taken(rule, typed) == means


def test_choice_offers_its_values_in_words():
    rule = Beggar.house_rules[2]
    assert HouseField(rule, "choice", "game").options == [("game", "the game"), ("points", "two points")]


@pytest.mark.parametrize(("players", "peak", "says"), [
    (6, 8, "about 1 h 50"), (4, 12, "about 2 h 20"), (10, 5, "about 1 h"), (4, 1, "about 10 min"),
])  # fmt: skip
def test_estimate_grows_with_hands_and_cards(players, peak, says):
    game = find_game("dirty-dog")
    cards = game.schedule(players, {"peak": peak}, {"deal_whole_deck": False})
    assert about(minutes_of(cards, players)) == says


def test_six_players_and_eighteen_hands_take_an_hour_and_fifty_minutes():
    up = list(range(1, 9))
    assert minutes_of([*up, 8, 8, *up[::-1]], 6) == 111
    assert [about(minutes) for minutes in (111, 118, 42, 3)] == [
        "about 1 h 50", "about 2 h", "about 40 min", "about 10 min",
    ]  # fmt: skip
