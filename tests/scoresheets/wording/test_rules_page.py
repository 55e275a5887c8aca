"""The rules page: fourteen rules, the house rules of the sheet, the numbers of the hand."""

import re

import pytest
from django.test import Client

from rules import all_games, find_game
from rules.core.options import is_offered
from scoresheets.wording.options import house_rules_in_words
from tests.factories import Scorer, hashed, opened, scorer

pytestmark = pytest.mark.django_db

SECRET = "a" * 22


@pytest.fixture
def keeper(client: Client) -> Client:
    """A browser that may write on what `scorer(browser=hashed(SECRET))` opens."""
    client.cookies["pencil"] = SECRET
    return client


def page(client: Client, scorer: Scorer) -> str:
    return text_of(client.get(f"/sheets/{scorer.sheet.code}/rules/"))


def text_of(response) -> str:
    """What the page says in its main part, without tags and with single blanks."""
    assert response.status_code == 200
    main = response.content.decode().split("<main")[1].split("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", "<main" + main).split())


def test_all_fourteen_rules_stand_on_it_by_number(client):
    html = client.get(f"/sheets/{scorer().sheet.code}/rules/").content.decode()
    assert re.findall(r'<li id="rule-(\d+)"', html) == [str(number) for number in range(1, 15)]
    assert re.findall(r'href="#rule-(\d+)"', html) == [str(number) for number in range(1, 15)]


def test_numbers_of_the_hand_are_those_of_the_open_one(client):
    p = scorer(6, plan={"peak": 8})
    p.any_hand()
    said = page(client, p)
    assert "Hand 2 of 18" in said
    assert "Cards each 2" in said
    assert "Dealer Bo" in said
    assert "First bidder Cy" in said
    assert "Last bidder Bo" in said


def test_forbidden_bid_is_told_as_soon_as_it_is_known(client):
    p = scorer(4, plan={"peak": 2})
    p.any_hand()
    assert "not yet known (0 bid of 2)" in page(client, p)
    for seat in p.reading.sheet.open.hand.order[:-1]:
        p.bid(seat, 0)
    assert "Forbidden bid 2 (0 bid of 2)" in page(client, p)


def test_each_bid_is_told_with_its_worth(client):
    p = scorer(4, plan={"peak": 2})
    p.any_hand()
    assert "0 +5 −1 or −2 1 +6 −1 or −2 2 +7 −2" in page(client, p)


def test_blind_hand_has_its_numbers_too(client):
    p = scorer(4, plan={"peak": 1})
    for taker in (3, 4, 3, 4):
        p.hand(dict.fromkeys([1, 2, 3, 4], 0), {seat: int(seat == taker) for seat in (1, 2, 3, 4)})
    said = page(client, p)
    assert "This blind hand" in said
    assert "Cards each 5" in said


def test_finished_sheet_has_no_hand_to_tell_numbers_of(client):
    p = scorer()
    p.any_game()
    said = page(client, p)
    assert "Cards each" not in said
    assert "The Rule" in said


def test_house_rules_stand_on_it_and_what_differs_is_marked(client):
    p = scorer(house_rules={"dealer_bid_final": True, "bottom_buddies_gap": 7})
    response = client.get(f"/sheets/{p.sheet.code}/rules/")
    said = text_of(response)
    assert "The dealer cannot take their bid back. Yes (otherwise: no)" in said
    assert "everyone else. 7 (otherwise: 10)" in said
    assert "a tie for the lead. Five, or as many as the deck allows" in said
    assert response.content.decode().count('class="differs"') == 2


def test_general_page_tells_the_house_rules_a_table_may_choose(client):
    said = text_of(client.get("/rules/dirty-dog/"))
    assert "House rules a table may choose" in said
    assert "No unless chosen otherwise" in said
    assert "This hand" not in said


@pytest.mark.parametrize("path", ["/rules/whist/", "/words/whist/"])
def test_game_that_is_not_here_has_no_page(client, path):
    assert client.get(path).status_code == 404


def test_sheet_that_is_not_there_has_no_rules_page(client):
    scorer()
    for path in [
        "/sheets/nothing/rules/",
        f"/sheets/{'x' * 22}/rules/",
        f"/watch/{'x' * 22}/rules/",
        "/watch/0/words/",
    ]:
        assert client.get(path).status_code == 404


def test_watchers_reach_it_without_a_cookie_and_are_given_none(client):
    p = scorer()
    response = client.get(f"/watch/{p.sheet.watch}/rules/")
    assert "Hand 1 of 4" in text_of(response)
    assert response.cookies == {}
    assert p.sheet.code not in response.content.decode()


def test_watch_address_does_not_open_the_scorekeepers_page(client):
    p = scorer()
    assert client.get(f"/sheets/{p.sheet.watch}/rules/").status_code == 404
    assert client.get(f"/watch/{p.sheet.code}/rules/").status_code == 404


def test_name_with_markup_is_text_on_it(client):
    opened_sheet = opened(["<b>Ann</b>", "Bo", "Cy", "Di"]).sheet
    html = client.get(f"/sheets/{opened_sheet.code}/rules/").content.decode()
    assert "&lt;b&gt;Ann&lt;/b&gt;" in html
    assert "<b>Ann" not in html


def test_page_may_only_be_looked_at(client):
    assert client.post(f"/sheets/{scorer().sheet.code}/rules/").status_code == 405


def test_rules_page_takes_three_queries_however_many_hands_and_seats(keeper, django_assert_num_queries):
    p = scorer(10, plan={"peak": 5}, browser=hashed(SECRET))
    for _ in range(6):
        p.any_hand()
    with django_assert_num_queries(3):
        keeper.get(f"/sheets/{p.sheet.code}/rules/")
    with django_assert_num_queries(3):
        Client().get(f"/watch/{p.sheet.watch}/rules/")
    with django_assert_num_queries(0):
        keeper.get("/rules/dirty-dog/")


def test_house_rule_in_short_is_one_sentence_with_its_value():
    chosen = {"dealer_bid_final": True, "bottom_buddies_gap": 7, "replan": False}
    short = [rule.in_short for rule in house_rules_in_words(find_game("dirty-dog"), chosen)]
    assert "The dealer cannot take their bid back." in short
    assert "Points that must lie between the Bottom Buddies and everyone else: 7." in short
    assert "Cards in the blind hand that settles a tie for the lead: five, or as many as the deck allows." in short


def test_front_page_leads_to_the_rules_and_the_words_of_every_game(client):
    html = client.get("/").content.decode()
    for path in ("/rules/dirty-dog/", "/words/dirty-dog/"):
        assert f'href="{path}"' in html


GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


@GAMES
def test_every_game_has_all_its_rules_and_house_rules_and_leads_to_the_others(client, game):
    said = text_of(client.get(f"/rules/{game.slug}/"))
    assert f"The rules of {game.name}" in said
    for passage in game.how_to_play:
        assert f"{passage.title} {passage.text}" in said
    by_key = {rule.key: rule for rule in house_rules_in_words(game, {})}
    for rule in game.rules_text:
        assert f"{rule.title} {rule.text}" in said
        assert not rule.default or f"{rule.text} Default {rule.default}" in said
        for key in rule.house:
            assert f"House rule {by_key[key].sentence} {by_key[key].value[0].upper()}" in said
    for rule in house_rules_in_words(game, {}):
        assert f"{rule.sentence} {rule.value[0].upper()}{rule.value[1:]} unless chosen otherwise" in said
        assert rule.doubt in said
    others = {other.name for other in all_games() if other.slug != game.slug}
    assert {name for name in others if name in said.split("The other games")[1]} == others


@pytest.mark.parametrize("game", [game for game in all_games() if game.house_rules], ids=lambda game: game.slug)
def test_house_rule_that_differs_is_said_with_the_usual_one_on_a_sheet_of_any_game(client, game):
    # What is chosen with something else only says nothing here.
    rule = next(rule for rule in reversed(game.house_rules) if is_offered(rule, game.house_rules, {}))
    other = next(value for value in rule.values if value != rule.default)
    said = page(client, scorer(game=game.slug, house_rules={rule.key: other}))
    told = house_rules_in_words(game, {rule.key: other})[-1]
    assert f"{told.sentence} {told.value[0].upper()}{told.value[1:]} (otherwise: {told.usual})" in said
    assert said.count("(otherwise:") == 1


@GAMES
def test_hand_that_is_played_stands_beside_the_rules_of_any_game(client, game):
    p = scorer(game=game.slug)
    p.any_hand()
    said = page(client, p)
    assert "Hand 2" in said
    assert "Dealer Bo" in said
    if game.worth(p.reading.sheet.table, p.reading.sheet.open.hand):
        assert game.worth_heads.caption in said


@GAMES
def test_words_of_every_game_stand_on_its_page_under_headings_that_are_not_empty(client, game):
    answer = client.get(f"/words/{game.slug}/")
    said = text_of(answer)
    for word in game.words:
        assert f"{word.term} {word.meaning}" in said
    assert ("Call-outs the app makes" in said) is any(word.call for word in game.words)
    assert not re.findall(r"<h2[^>]*>[^<]*</h2>\s*(?:<dl[^>]*>\s*</dl>|<h2|</main)", answer.content.decode())


def test_points_are_written_in_the_colour_of_a_loss_only_where_they_come_off(client):
    def cells(game: str) -> list[tuple[str, str]]:
        html = client.get(f"/sheets/{scorer(game=game).sheet.code}/rules/").content.decode()
        return re.findall(r'<td class="num ?(\w*)">([^<]+)</td>', html)

    assert ("made", "+6") in cells("dirty-deals")
    assert {colour for colour, _ in cells("dirty-deals")} == {"made", ""}
    assert ("set", "−3") in cells("dingo")
    assert ("set", "−1") in cells("dirty-dog")


def test_example_is_scored_by_the_house_rules_of_the_sheet(client):
    p = scorer(game="dingo", house_rules={"ten_point_ace": "diamonds"})
    assert "Bo +15 " in text_of(client.get("/rules/dingo/"))
    assert "Bo +8 " in page(client, p)


def test_example_has_its_points_and_why(client):
    said = text_of(client.get("/rules/dirty-dog/"))
    assert "Di −2 bid 2, took 1: set, and the greater comes off" in said
    assert "What each bid is worth Bid Made Set 0 +5 −1 to −5" in said


def test_rule_14_leaves_room_for_an_evening_where_only_the_lowest_go_to_the_losers_table(client):
    said = text_of(client.get("/rules/dirty-dog/"))
    assert "an evening may agree that only the lowest of each group do" in said
