"""Opening a sheet by plain posts: every button posts the whole form and gets it back."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from scoresheets.log.state import read_sheet
from scoresheets.models import Player, Seat, Sheet
from tests.factories import NAMES, new_key

pytestmark = pytest.mark.django_db


def filled(players: int | list[str] = 6, **more: Any) -> dict[str, Any]:
    """The form with so many typed names, the first of whom deals."""
    names = list(NAMES[:players]) if isinstance(players, int) else players
    typed = {"key": new_key(), "name": names, "pick": [""] * len(names), "dealer": "1"}
    return typed | {name.replace("_", "-"): value for name, value in more.items()}


def post(client: Client, data: dict[str, Any], do: str = "open") -> HttpResponse:
    return client.post("/open/", data | {"do": do})


def text(response: HttpResponse) -> str:
    """What a reader sees of the page."""
    page = re.sub(r"<(head|template|script).*?</\1>", "", response.content.decode(), flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", page)).replace("\xa0", " ").split())


def names_on(response: HttpResponse) -> list[str]:
    """The names round the table, as the form would post them again."""
    page = response.content.decode().split("<template")[0]
    return [unescape(name) for name in re.findall(r'name="name"\s+value="([^"]*)"', page)]


def opened(response: HttpResponse) -> Sheet:
    assert response.status_code == 303, text(response)
    return Sheet.objects.get(code=response["Location"].split("/")[2])


def test_front_page_leads_to_it_and_no_account_is_needed(client):
    front = client.get("/")
    assert 'href="/open/"' in front.content.decode()
    assert client.get("/open/").status_code == 200


def test_six_names_and_a_dealer_open_a_sheet_and_lead_to_its_pad(client):
    sheet = opened(post(client, filled(6, dealer="3")))
    reading = read_sheet(sheet)
    assert [reading.names[seat] for seat in reading.setup.seats] == ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
    assert (reading.setup.first_dealer, reading.setup.dealer_choice) == (3, "jack")
    assert reading.setup.plan == {"peak": 8}
    assert len(reading.table.schedule) == 18
    assert client.get(f"/sheets/{sheet.code}/pad/").status_code == 200


def test_who_opened_it_may_write_and_nobody_else(client):
    sheet = opened(post(client, filled()))
    assert client.cookies["pencil"]["httponly"]
    assert [keeper.revoked_at for keeper in sheet.scorekeepers.all()] == [None]
    assert Client().post(f"/sheets/{sheet.code}/stop/", {"key": new_key()}).status_code == 403
    assert sheet.watch not in sheet.code


def test_same_tap_twice_opens_one_sheet(client):
    client.get("/open/")
    data = filled()
    first, second = opened(post(client, data)), opened(post(client, data))
    assert first == second
    assert Sheet.objects.count() == 1


def test_typed_name_joins_the_table_and_the_field_is_empty_again(client):
    page = post(client, filled(["Ann"], typed="  Bo   the  Elder "), "add")
    assert names_on(page) == ["Ann", "Bo the Elder"]
    assert 'id="typed"\n                           value=""' in page.content.decode()


def test_enter_presses_add_as_the_first_button_of_the_form(client):
    page = client.get("/open/").content.decode()
    first = page[page.index('<form id="opening"') :].split("<button")[1]
    assert 'value="add"' in first


@pytest.mark.parametrize("do", ["add", "open"])
def test_nothing_typed_adds_nobody(client, do):
    page = post(client, filled(["Ann"], typed="   "), do)
    assert names_on(page) == ["Ann"]


@pytest.mark.parametrize(("do", "order"), [
    ("up-2", "BACD"), ("down-2", "ACBD"), ("up-1", "ABCD"), ("down-4", "ABCD"), ("remove-3", "ABD"), ("up-9", "ABCD"),
])  # fmt: skip
def test_arrows_move_a_name_and_a_cross_takes_it_away(client, do, order):
    page = post(client, filled(list("ABCD")), do)
    assert page.status_code == 200
    assert "".join(names_on(page)) == order


def test_dealer_moves_with_their_name(client):
    page = post(client, filled(list("ABCD"), dealer="1"), "down-1")
    assert re.search(r'value="2" checked', page.content.decode())
    assert "Start: C bids first" in text(page)


def test_dealer_who_is_taken_away_is_asked_for_again(client):
    page = post(client, filled(list("ABCD"), dealer="1"), "remove-1")
    assert not re.search(r'name="dealer" value="\d" checked', page.content.decode())


def test_name_can_be_changed_where_it_stands(client):
    page = post(client, filled(["Ann", "Bo"]), "rename-2")
    assert re.search(r'type="text"\s+name="name"\s+value="Bo"', page.content.decode())


def test_one_line_says_what_is_ahead(client):
    page = post(client, filled(6, dealer="4"), "look")
    assert "Most cards 8 · 18 hands · about 1 h 50 · Cy deals last" in text(page)
    assert "Start: Ed bids first" in text(page)


def test_line_without_a_dealer_does_not_say_who_deals_last(client):
    page = post(client, filled(6, dealer=""), "look")
    assert "Most cards 8 · 18 hands · about 1 h 50 Change" in text(page)


@pytest.mark.parametrize(("chosen", "plan", "hands"), [
    ({"by": "peak", "plan-peak": "5"}, {"peak": 5}, 12),
    ({"by": "peak", "plan-peak": "5", "plan-extra_rounds": "1"}, {"peak": 5, "extra_rounds": 1}, 18),
    ({"by": "hands", "plan-hands": "12"}, {"hands": 12}, 12),
    ({"by": "hands", "plan-hands": "20", "plan-peak": "99"}, {"hands": 20}, 20),
    ({"by": "", "plan-hands": "20", "plan-peak": "3"}, {"peak": 8}, 18),
])  # fmt: skip
def test_hands_are_chosen_by_most_cards_or_by_their_number(client, chosen, plan, hands):
    reading = read_sheet(opened(post(client, filled(6) | chosen)))
    assert reading.setup.plan == plan
    assert len(reading.table.schedule) == hands


def test_length_that_breaks_rule_4_is_possible_and_says_so(client):
    page = post(client, filled(6, by="hands") | {"plan-hands": "20"}, "look")
    assert "20 hands for 6 players" in text(page)
    assert "Rule 4" in text(page)
    opened(post(client, filled(6, by="hands") | {"plan-hands": "20"}))


@pytest.mark.parametrize(("do", "before", "after"), [
    ("more-hands", "18", "24"), ("less-hands", "18", "12"), ("more-hands", "20", "24"), ("less-hands", "6", "6"),
    ("more-peak", "7", "8"), ("more-peak", "8", "8"), ("less-peak", "1", "1"), ("less-peak", "", "7"),
])  # fmt: skip
def test_plus_and_minus_step_through_what_is_offered(client, do, before, after):
    key = do.split("-")[1]
    page = post(client, filled(6, by=key) | {f"plan-{key}": before}, do)
    assert re.search(rf'name="plan-{key}"\s+id="plan-{key}"\s+value="{after}"', page.content.decode())


def test_somebody_still_coming_is_not_dealt_in_but_the_cards_are_enough_for_them(client):
    page = post(client, filled(6, typed_late="Gus"), "add-late")
    assert "Most cards 7 · 18 hands" in text(page)
    sheet = opened(post(client, filled(6, coming=["Gus"])))
    assert sheet.coming == ["Gus"]
    assert read_sheet(sheet).setup.plan == {"peak": 7}
    assert sheet.seats.count() == 6


def test_who_is_not_coming_after_all_is_taken_off(client):
    page = post(client, filled(6, coming=["Gus", "Hal"]), "drop-late-1")
    assert "Hal still coming" in text(page)
    assert "Gus" not in text(page)


def test_house_rules_stand_there_with_what_is_usual(client):
    page = text(client.get("/open/"))
    assert "The dealer cannot take their bid back.Usually: no." in page
    assert "Usually: five, or as many as the deck allows." in page
    assert "Usually: 10." in page


def test_only_house_rules_that_differ_are_written_down(client):
    chosen = {"house-dealer_bid_final": "on", "house-tie_break_cards": "3", "house-bottom_buddies_gap": "10"}
    reading = read_sheet(opened(post(client, filled() | chosen)))
    assert reading.setup.house_rules == {"dealer_bid_final": True, "tie_break_cards": 3}


def test_whole_deck_is_proposed_where_the_house_deals_it(client):
    page = post(client, filled(4) | {"house-deal_whole_deck": "on"}, "look")
    assert "Most cards 13" in text(page)


def test_sheet_may_have_a_name_and_its_scorekeeper_too(client):
    sheet = opened(post(client, filled(title=" Thursday,  table 2 ", keeper="Marge")))
    assert sheet.title == "Thursday, table 2"
    assert sheet.scorekeepers.get().name == "Marge"


def test_everything_typed_so_far_comes_back(client):
    data = filled(["Ann", "Bo"], title="T 2", keeper="Marge", coming=["Gus"], typed_late="Hal", by="peak")
    page = post(client, data | {"plan-peak": "4", "house-replan": "on", "house-bottom_buddies_gap": "7"}, "look")
    shown = page.content.decode()
    for name, value in {
        "title": "T 2", "keeper": "Marge", "coming": "Gus", "typed-late": "Hal", "house-bottom_buddies_gap": "7",
        "plan-peak": "4",
    }.items():  # fmt: skip
        assert re.search(rf'name="{name}"[^>]*value="{value}"', shown), name
    assert re.search(r'name="house-replan"\s+checked', shown)
    assert re.search(r'id="by-peak"\s+value="peak"\s+checked', shown)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    "name", ["Zoë", "عبد الرحمن", "שרה", "小林", "🂡🎲", "<b>Kay</b>", '"><script>', "O’Neil & Söhne", "W" * 40]
)
def test_names_of_any_script_are_text(client, name):
    page = post(client, filled([name, "Bo"]), "look")
    assert names_on(page) == [name, "Bo"]
    sheet = opened(post(client, filled([name, "Bo", "Cy", "Di"])))
    assert read_sheet(sheet).names[1] == name
    for shown in (page, client.get("/open/"), client.get("/")):
        assert "<script>" not in re.sub(r"<script[^>]+>", "", shown.content.decode())
        assert "<b>Kay" not in shown.content.decode()


def test_script_is_told_the_same_by_the_parts_of_the_page(client):
    answer = client.post("/open/look/", filled(6, dealer="4"))
    assert answer.status_code == 200
    told = answer.content.decode()
    assert "Cy</bdi> deals" in told
    assert "<html" not in told
    parts = {"short", "how", "unwise", "start", "game", "seats", "several", "dealing", "doubts", "house", "paper"}
    assert parts == set(re.findall(r'id="(\w+)"[^>]*data-part', told))


def test_script_is_told_which_name_is_wrong(client):
    answer = client.post("/open/look/", filled(["John", "Bo", "john"]))
    assert '"player-3": "There is a second john here: add an initial."' in answer.content.decode()


def test_nothing_is_written_before_start(client):
    client.get("/open/")
    for do in ("add", "look", "up-2", "same"):
        post(client, filled(), do)
    client.post("/open/look/", filled())
    assert not Sheet.objects.exists()
    assert not Player.objects.exists()
    assert not Seat.objects.exists()


def test_page_is_neither_kept_by_the_browser_nor_found_by_search_engines(client):
    page = client.get("/open/")
    assert "no-store" in page["Cache-Control"]
    assert "noindex" in page["X-Robots-Tag"]
