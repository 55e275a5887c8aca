"""With a second game in the house the form asks which, and asks only what that game declares."""

from __future__ import annotations

import re
from typing import ClassVar

import pytest
from django.test import Client

from rules import all_games, find_game
from rules.core.formats import Race
from rules.core.game import Game
from rules.core.options import HouseRule
from scoresheets.log.state import read_sheet
from scoresheets.opening import form, open_sheet
from scoresheets.opening.options_form import HouseField, field_text, parse_value, widget_of
from scoresheets.opening.schedule import minutes_of, rounded_minutes
from tests.factories import NAMES, new_key
from tests.scoresheets.opening.test_open import filled, names_on, opened, post, text

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


@pytest.fixture
def second_game(monkeypatch):
    games = (*all_games(), Beggar())
    monkeypatch.setattr(form, "all_games", lambda: games)
    monkeypatch.setattr(open_sheet, "find_game", lambda slug: next(game for game in games if game.slug == slug))


def test_only_game_is_not_asked_for(client, monkeypatch):
    monkeypatch.setattr(form, "all_games", lambda: all_games()[:1])
    assert "Which game?" not in text(client.get("/open/"))


def test_games_stand_there_with_what_they_are_about(client, second_game):
    page = text(client.get("/open/"))
    assert "Which game?" in page
    assert "2–3 players Beggar race to 11 A card at a time" in page
    assert "4–10 players Dirty Dog 9 to 24 hands Bids and tricks, up the stairs and down again" in page


def test_form_asks_the_house_rules_of_the_game_that_was_chosen(client, second_game):
    page = post(client, filled(3, game="beggar"), "look")
    assert "Points that win.Usually: 11." in text(page)
    assert "Who fails loses this.Usually: the game." in text(page)
    assert "Aces are high.Usually: yes." in text(page)
    assert "The dealer cannot take their bid back" not in text(page)
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
    assert (widget_of(rule), field_text(rule.default)) == (kind, shows)
    assert parse_value(rule, typed) == means


def test_choice_offers_its_values_in_words():
    rule = Beggar.house_rules[2]
    assert HouseField(rule, "choice", "game").options == [("game", "the game"), ("points", "two points")]


@pytest.mark.parametrize(("players", "peak", "says"), [
    (6, 8, "about 1 h 50"), (4, 12, "about 2 h 20"), (10, 5, "about 1 h"), (4, 1, "about 10 min"),
])  # fmt: skip
def test_estimate_grows_with_hands_and_cards(players, peak, says):
    game = find_game("dirty-dog")
    cards = game.schedule(players, {"peak": peak}, {"deal_whole_deck": False})
    assert rounded_minutes(minutes_of(cards, players)) == says


def test_six_players_and_eighteen_hands_take_an_hour_and_fifty_minutes():
    up = list(range(1, 9))
    assert minutes_of([*up, 8, 8, *up[::-1]], 6) == 111
    assert [rounded_minutes(minutes) for minutes in (111, 118, 42, 3)] == [
        "about 1 h 50", "about 2 h", "about 40 min", "about 10 min",
    ]  # fmt: skip


# The games of the house


def chosen(page):
    return re.search(r'name="game"\s+value="([a-z-]+)"[^>]*checked', page.content.decode())[1]


def seats_of(sheet):
    return [seat.name for seat in sheet.seats.order_by("number")]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_is_opened_by_the_usual_number_of_players(client, game):
    names = list(NAMES[: game.made_for[0]])
    sheet = opened(post(client, filled(names, game=game.slug, asked="another")))
    setup = read_sheet(sheet).setup
    assert (sheet.game, seats_of(sheet), setup.dealer_choice) == (game.slug, names, game.first_dealer_by.word)
    assert setup.house_rules == {}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_page_asks_who_deals_first_in_the_words_of_the_game(client, game):
    page = text(client.get(f"/open/?game={game.slug}"))
    assert game.first_dealer_by.asks in page
    assert game.first_dealer_by.how in page


def test_game_for_most_people_is_proposed_to_who_has_kept_none(client):
    page = client.get("/open/")
    assert chosen(page) == "dirty-dog"
    assert '<details class="games" id="games" open>' in page.content.decode()


def test_game_that_was_kept_last_on_this_phone_comes_chosen(client):
    opened(post(client, filled(3, game="bird-dog")))
    page = client.get("/open/")
    assert chosen(page) == "bird-dog"
    assert '<details class="games" id="games" >' in page.content.decode()
    assert chosen(client.get("/open/?game=hotdog")) == "hotdog"
    assert chosen(client.get("/open/?game=snap")) == "bird-dog"
    assert chosen(Client().get("/open/")) == "dirty-dog"


def test_names_are_kept_when_the_game_changes_and_who_has_no_seat_is_named(client):
    page = post(client, filled(5, game="hotdog", asked="dirty-dog"), "look")
    assert names_on(page) == list(NAMES[:5])
    assert "Hotdog is for 2 players. Without a seat this time: Cy, Di and Ed." in text(page)
    assert len(re.findall(r'name="dealer"', page.content.decode().split("<template")[0])) == 2
    unseen = post(client, filled(5, game="hotdog"))
    assert unseen.status_code == 422
    sheet = opened(post(client, filled(5, game="hotdog", seen="without-a-seat")))
    assert seats_of(sheet) == ["Ann", "Bo"]


def test_dealer_who_has_no_seat_in_the_other_game_is_asked_for_again(client):
    page = post(client, filled(3, game="hotdog", dealer="3", seen="without-a-seat"))
    assert page.status_code == 422
    assert "Who deals first?" in text(page)


def test_seats_that_are_still_free_are_counted(client):
    assert "Dingo is for 4 players. 1 seat to go." in text(post(client, filled(3, game="dingo"), "look"))
    assert "to go" not in text(post(client, filled(4, game="dingo"), "look"))
    assert "to go" not in text(post(client, filled(3), "look"))


def test_nobody_is_waited_for_where_nobody_can_join(client):
    data = filled(2, game="hotdog", coming=["Gus"])
    page = post(client, data, "look").content.decode()
    assert re.search(r'id="expected"\s+hidden', page)
    assert 'value="Gus"' in page, "but they are, as soon as the game changes back"
    assert opened(post(client, data)).coming == []


@pytest.mark.parametrize(("game", "house", "says"), [
    ("dingo", {}, "4 hands"), ("dingo", {"hands": "1"}, "1 hand"), ("bird-dog", {"target": "21"}, "Race to 21"),
    ("dirty-deals", {}, "First to two rubbers of 9"), ("dirty-deals", {"rubbers_to_win": "1"}, "One rubber to 9"),
    ("hotdog", {}, "Best of three games to 5"), ("hotdog", {"games_to_win": "9"}, "Best of 17 games to 5"),
    ("hotdog", {"target": "0"}, "The length does not work like this"),
])  # fmt: skip
def test_line_says_how_long_it_is_played(client, game, house, says):
    seats = find_game(game).made_for[0]
    typed = {f"house-{key}": value for key, value in house.items()}
    page = post(client, filled(seats, game=game) | typed, "look").content.decode()
    assert says in " ".join(re.sub(r"<[^>]+>", " ", page.split('id="short"')[1].split("</summary>")[0]).split())


@pytest.mark.parametrize(("do", "before", "after"), [
    ("more-hands", "4", "5"), ("less-hands", "4", "3"), ("less-hands", "1", "1"), ("more-hands", "x", "1"),
    ("more-hands", "40", "40"),
])  # fmt: skip
def test_plus_and_minus_step_through_a_length_that_is_a_house_rule(client, do, before, after):
    page = post(client, filled(4, game="dingo") | {"house-hands": before}, do)
    assert re.search(rf'name="house-hands"\s+id="house-hands"\s+value="{after}"', page.content.decode())


def test_house_rules_of_another_game_are_its_usual_ones(client):
    data = filled(2, game="hotdog", asked="bird-dog") | {"house-target": "21"}
    page = post(client, data, "look").content.decode()
    assert re.search(r'name="house-footlong"\s+value="on"\s+checked', page)
    assert re.search(r'id="house-target"\s+value="5"', page)
    assert read_sheet(opened(post(client, data))).setup.house_rules == {}
    asked = data | {"asked": "hotdog", "house-footlong": ""}
    assert read_sheet(opened(post(client, asked | {"key": new_key()}))).setup.house_rules == {
        "target": 21, "footlong": False,
    }  # fmt: skip


def doubts_on(page):
    return re.findall(r'type="radio"\s+name="house-(\w+)"\s+value="(\w+)"\s+checked', page.content.decode())


def test_doubtful_rules_are_asked_in_plain_sight_the_first_time_with_an_answer_chosen_and_the_reason(client):
    page = client.get("/open/?game=dingo")
    assert doubts_on(page) == [("ten_value", "2"), ("ten_point_ace", "hearts")]
    for rule in find_game("dingo").house_rules:
        assert rule.doubt in text(page)
    assert not doubts_on(client.get("/open/?game=bird-dog"))


def test_a_variant_is_asked_in_plain_sight_and_left_out_where_the_table_says_no(client):
    page = client.get("/open/?game=hotdog")
    assert doubts_on(page) == [("footlong", "on")]
    assert "The Footlong may be bid. It is a variant." in text(page)
    sheet = opened(post(client, filled(2, game="hotdog", asked="hotdog") | {"house-footlong": ""}))
    assert read_sheet(sheet).setup.house_rules == {"footlong": False}
    again = client.get("/open/?game=hotdog")
    assert not doubts_on(again)
    assert not re.search(r'name="house-footlong"\s+checked', again.content.decode()), "as it was said the last time"


def test_afterwards_they_are_with_the_other_house_rules_as_this_phone_said_the_last_time(client):
    said = {"house-ten_value": "1", "house-ten_point_ace": "hearts", "house-unplayed_ace_rabbit_is_red_handed": "on"}
    opened(post(client, filled(4, game="dingo") | said))
    page = client.get("/open/")
    assert not doubts_on(page)
    shown = page.content.decode()
    assert re.search(r'<select name="house-ten_value".*?value="1" selected', shown, re.S)
    assert re.search(r'<select name="house-ten_point_ace".*?value="hearts" selected', shown, re.S)
    assert not re.search(r'name="house-unplayed_ace_rabbit_is_red_handed"\s+checked', shown), "that is no doubt"
    assert doubts_on(Client().get("/open/?game=dingo")), "another phone has not been asked"
    look = client.post("/open/look/", filled(4, game="dingo", asked="hotdog"))
    assert not doubts_on(look)
    assert re.search(r'<select name="house-ten_value".*?value="1" selected', look.content.decode(), re.S)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_only_totals_are_brought_where_the_game_can_go_on_from_them(client, game):
    page = text(client.get(f"/open/?game={game.slug}"))
    can = game.carried_ask(game.open_table(range(1, game.made_for[0] + 1), 1)) is not None
    assert ("Bring only the totals" in page) is can
    assert "Type them in, hand by hand" in page


def test_same_players_again_play_the_same_game_again(client):
    table = opened(post(client, filled(2, game="hotdog")))
    opened(post(client, filled(3, game="bird-dog")))
    page = client.get(f"/open/?again={table.code}")
    assert (chosen(page), names_on(page)) == ("hotdog", ["Ann", "Bo"])
