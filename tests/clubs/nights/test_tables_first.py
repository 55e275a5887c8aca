"""On the page of a night the tables stand first, for everybody who looks at it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.clubs.night_played import Evening

pytestmark = pytest.mark.django_db


def main_of(client: Client, evening: Evening) -> str:
    """The content of the night's page, after the heading and the line with its day."""
    page = client.get(evening.page).content.decode()
    return page.split("<main")[1].split('<p class="facts">')[1].split("</p>", 1)[1]


@pytest.fixture
def tables(evening: Evening) -> None:
    evening.table(hands=1)
    evening.table(hands=1, seats=slice(4, 8))
    evening.night.trophies = "nothing"
    evening.night.save()


@pytest.mark.parametrize("organises", [True, False], ids=["organiser", "anybody"])
@pytest.mark.usefixtures("tables")
def test_the_tables_stand_before_everything_else(evening: Evening, *, organises: bool) -> None:
    shown = main_of(evening.organiser() if organises else Client(), evening)
    first = shown.index('class="table-name"')
    assert "Trophies" not in shown[:first]
    for later in ("No trophies tonight.", "What to bring", *(("Roll call", "Change the night") if organises else ())):
        assert shown.index(later) > first, later


@pytest.mark.usefixtures("tables")
def test_the_control_page_is_one_tap_from_the_heading_of_the_tables(evening: Evening) -> None:
    shown = main_of(evening.organiser(), evening)
    assert shown.index("Control page") < shown.index('class="table-name"')
    assert "Control page" not in main_of(Client(), evening)


def test_before_the_first_table_the_roll_call_is_the_first_button(evening: Evening) -> None:
    evening.night.begun_at = None
    evening.night.save()
    shown = main_of(evening.organiser(), evening)
    assert "The tables" not in shown
    assert 'class="button go"' in shown[: shown.index("Roll call")]
