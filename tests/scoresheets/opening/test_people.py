"""Who is offered when a sheet is opened: the people of this phone and nobody else."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from scoresheets.access.scorekeepers import hashed
from scoresheets.log.state import read_sheet
from scoresheets.models import Player
from tests.factories import Scorer, opened, scorer
from tests.scoresheets.conftest import Counts
from tests.scoresheets.opening.test_open import filled, names_on, post, text
from tests.scoresheets.opening.test_open import opened as sheet_of

pytestmark = pytest.mark.django_db

SECRET = "the-secret-of-a-phone1"


@pytest.fixture
def phone(client: Client) -> Client:
    """A phone with the cookie, on which nobody has played yet."""
    client.cookies["pencil"] = SECRET
    return client


def played(names: str | list[str] = "ABCD", *, to_the_end: bool = False, **more: object) -> Scorer:
    """A game on this phone."""
    table = scorer(list(names), browser=hashed(SECRET), **more)
    if to_the_end:
        table.any_game()
    return table


def chips(page: str) -> dict[str, str]:
    """The names that can be tapped and what the tap posts."""
    found = re.findall(r'value="(pick-\d+)"[^>]*data-name="([^"]*)"', page)
    return {name: value for value, name in found}


def pick_of(name: str) -> str:
    return str(Player.objects.filter(name=name).latest("pk").pk)


def dealer(page: str) -> str:
    """The name of the chosen first dealer."""
    found = re.search(r'name="dealer" value="\d+" checked>\s*<bdi>(.*?)</bdi>', page)
    return found[1] if found else ""


def test_people_of_this_phone_can_be_tapped_the_latest_first(phone):
    played(["Ann", "Bo"])
    played(["Cy", "Di"])
    assert list(chips(phone.get("/open/").content.decode())) == ["Cy", "Di", "Ann", "Bo"]


def test_strangers_are_never_shown(phone):
    opened(["Xaver", "Yves"], browser=hashed("another phone"))
    played(["Ann", "Bo"])
    page = phone.get("/open/").content.decode()
    assert "Xaver" not in page
    assert chips(Client().get("/open/").content.decode()) == {}


def test_phone_that_was_revoked_has_no_people(phone):
    table = played(["Ann", "Bo"])
    table.sheet.scorekeepers.update(revoked_at=table.by.created)
    assert chips(phone.get("/open/").content.decode()) == {}


def test_tap_seats_the_same_player_again(phone):
    played(["Ann", "Bo", "Cy", "Di"])
    page = post(phone, filled(["Gus"]), f"pick-{pick_of('Bo')}")
    assert names_on(page) == ["Gus", "Bo"]
    assert f'name="pick" value="{pick_of("Bo")}"' in page.content.decode()
    data = filled(["Gus", "Bo", "Ann", "Hal"]) | {"pick": ["", pick_of("Bo"), pick_of("Ann"), ""]}
    sheet = sheet_of(post(phone, data))
    assert Player.objects.count() == 4 + 2
    assert str(sheet.seats.get(number=2).player_id) == pick_of("Bo")


def test_second_tap_lets_them_get_up(phone):
    played(["Ann", "Bo"])
    data = filled(["Ann", "Gus"]) | {"pick": [pick_of("Ann"), ""]}
    assert names_on(post(phone, data, f"pick-{pick_of('Ann')}")) == ["Gus"]


def test_typed_name_is_a_new_player_even_if_somebody_was_called_that(phone):
    played(["Ann", "Bo", "Cy", "Di"])
    sheet_of(post(phone, filled(["Ann", "Bo", "Cy", "Di"])))
    assert Player.objects.filter(name="Ann").count() == 2


def test_somebody_elses_player_cannot_be_taken(phone):
    opened(["Xaver", "Yves"], browser=hashed("another phone"))
    played(["Ann", "Bo"])
    data = filled(["Xaver", "Bo", "Cy", "Di"]) | {"pick": [pick_of("Xaver"), pick_of("Bo"), "", ""]}
    assert post(phone, data, f"pick-{pick_of('Xaver')}").status_code == 400
    sheet = sheet_of(post(phone, data))
    assert str(sheet.seats.get(number=1).player_id) != str(Player.objects.filter(name="Xaver").earliest("pk").pk)
    assert str(sheet.seats.get(number=2).player_id) == pick_of("Bo")


def test_two_of_one_name_are_told_apart_by_when_they_played_and_asked_for_an_initial(phone):
    played(["John", "Bo"])
    played(["John", "Cy"])
    first, second = Player.objects.filter(name="John").values_list("pk", flat=True)
    page = phone.get("/open/").content.decode()
    assert len(re.findall(r"<bdi>John</bdi>\s*<small>\d+ \w+</small>", page)) == 2
    data = filled(["John", "Cy"]) | {"pick": [str(first), ""]}
    page = post(phone, data, f"pick-{second}")
    assert "There is a second John here: add an initial." in text(page)
    assert re.search(r'type="text"\s+name="name"\s+value="John"', page.content.decode())
    data = filled(["John", "John B.", "Cy", "Di"]) | {"pick": [str(first), str(second), "", ""]}
    sheet = sheet_of(post(phone, data))
    assert (sheet.seats.get(number=2).name, sheet.seats.get(number=2).player_id) == ("John B.", second)


def test_same_as_last_time_fills_all_in_the_order_they_sat(phone):
    played(["Ann", "Bo", "Cy"])
    played(["Di", "Bo", "Ann", "Ed"])
    assert "Same as last time" in text(phone.get("/open/"))
    page = post(phone, filled(["Gus"]), "same")
    assert names_on(page) == ["Di", "Bo", "Ann", "Ed"]
    assert f'name="pick" value="{pick_of("Di")}"' in page.content.decode()


def test_nobody_has_sat_here_before(client):
    assert "Same as last time" not in text(client.get("/open/"))
    assert names_on(post(client, filled(["Gus"]), "same")) == []


def test_champion_deals_where_they_sit(phone):
    won = played(["Ann", "Bo", "Cy", "Di"], to_the_end=True)
    champion = won.reading.names[won.reading.sheet.settlement.winner]
    played(["Ann", "Bo", "Cy", "Di"])
    page = post(phone, filled(["Gus"], dealer="") | {"do": ""}, f"pick-{pick_of_winner(won)}")
    assert dealer(page.content.decode()) == champion
    assert f"{champion} won last time and deals first." in text(page)
    data = filled(["Gus", champion, "Hal", "Ida"], dealer="") | {"pick": ["", str(pick_of_winner(won)), "", ""]}
    setup = read_sheet(sheet_of(post(phone, data))).setup
    assert (setup.first_dealer, setup.dealer_choice) == (2, "champion")


def test_table_may_have_somebody_else_deal_although_the_champion_sits(phone):
    won = played(["Ann", "Bo", "Cy", "Di"], to_the_end=True)
    champion = won.reading.names[won.reading.sheet.settlement.winner]
    data = filled(["Gus", champion, "Hal", "Ida"], dealer="3") | {"pick": ["", str(pick_of_winner(won)), "", ""]}
    setup = read_sheet(sheet_of(post(phone, data))).setup
    assert (setup.first_dealer, setup.dealer_choice) == (3, "chosen")


def test_without_the_champion_the_first_jack_decides(phone):
    played(["Ann", "Bo", "Cy", "Di"], to_the_end=True)
    page = post(phone, filled(["Gus", "Hal"], dealer=""), "look")
    assert "Who was dealt the first jack?" in text(page)
    assert dealer(page.content.decode()) == ""


def test_champion_of_another_phone_is_nobody_here(phone):
    table = scorer(["Ann", "Bo"], browser=hashed("another phone"))
    table.any_game()
    played(["Cy", "Di"])
    assert '"champions": {}' in phone.get("/open/").content.decode()


def pick_of_winner(table: Scorer) -> int:
    reading = table.reading
    return reading.chairs[reading.sheet.settlement.winner].player


def test_same_players_again_sit_as_they_did_and_the_winner_deals(phone):
    table = played(["Ann", "Bo", "Cy", "Di"], to_the_end=True)
    played(["Gus", "Hal"])
    answer = phone.get(f"/open/?again={table.sheet.code}")
    assert names_on(answer) == ["Ann", "Bo", "Cy", "Di"]
    assert dealer(answer.content.decode()) == table.reading.names[table.reading.sheet.settlement.winner]
    assert "Most cards 12 · 24 hands" in text(answer)
    assert "deals last" in text(answer)


def test_result_page_leads_to_the_same_players(phone):
    table = played(["Ann", "Bo", "Cy", "Di"], to_the_end=True)
    answer = phone.get(f"/sheets/{table.sheet.code}/again/", follow=True)
    assert names_on(answer) == ["Ann", "Bo", "Cy", "Di"]


@pytest.mark.parametrize("code", ["nothing", "x" * 500, "x" * 21 + "\x00", "é" * 22])
def test_again_of_a_sheet_that_is_not_there_shows_an_empty_table(phone, code):
    answer = phone.get("/open/", {"again": code})
    assert answer.status_code == 200
    assert names_on(answer) == []


def test_again_of_a_sheet_of_others_tells_nothing(phone):
    table = scorer(["Xaver", "Yves"], browser=hashed("another phone"))
    answer = phone.get(f"/open/?again={table.sheet.code}")
    assert names_on(answer) == []
    assert "Xaver" not in answer.content.decode()


def test_many_people_are_there_but_the_seldom_ones_wait(phone):
    for night in range(3):
        played([f"P{night}{seat}" for seat in range(10)])
    page = phone.get("/open/").content.decode()
    assert len(chips(page)) == 30
    assert page.count('class="seldom"') == 12


def test_page_asks_the_database_little_whatever_was_played(phone, statements: Counts):
    with statements(exactly=0):
        Client().get("/open/")
    for _ in range(3):
        played(["Ann", "Bo", "Cy", "Di"], to_the_end=True)
    phone.get("/open/")
    with statements(exactly=8):
        phone.get("/open/")
    with statements(exactly=1):
        phone.post("/open/look/", filled(6, game="dirty-dog"))
    with statements(most=26):
        sheet_of(post(phone, filled(6, game="dirty-dog")))
    for _ in range(5):
        played([f"P{seat}" for seat in range(10)])
    with statements(exactly=8):
        phone.get("/open/")
    with statements(most=26):
        sheet_of(post(phone, filled(10, game="dirty-dog")))
