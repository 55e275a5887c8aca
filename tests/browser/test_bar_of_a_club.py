"""The bar of a club: all of its entries in sight, by finger and by keyboard, with no script."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import DESK, ONLY_TARGETS, PHONE, see_with_axe
from tests.clubs.night_played import Evening, an_evening

NARROW = PHONE | {"viewport": {"width": 320, "height": 568}}
ENTRIES = ["Tonight", "Nights", "Standings", "Hall of fame", "Members"]


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    return an_evening()


def sign_in(page: Page, live_server: LiveServer, evening: Evening) -> None:
    session = evening.organiser().cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])


def tabs(page: Page) -> Locator:
    return page.get_by_role("navigation", name="The club", exact=True)


def in_the_bar(page: Page) -> list[str]:
    return [link.inner_text() for link in tabs(page).get_by_role("link").all()]


@pytest.mark.parametrize(
    "device", [PHONE, pytest.param(NARROW, marks=pytest.mark.journey), DESK], ids=["phone", "narrow", "desk"]
)
def test_every_entry_is_in_sight_and_one_is_lit_where_its_page_is_open(
    open_page: Callable[..., Page], live_server: LiveServer, evening: Evening, device: dict[str, object],
    axe_day_and_night: Callable[[Page], None],
) -> None:  # fmt: skip
    page = open_page(device)
    sign_in(page, live_server, evening)
    lit = {
        "club": "Tonight", "nights": "Nights", "games": "Nights", "standings": "Standings", "seasons": "Standings",
        "records": "Hall of fame", "honours": "Hall of fame", "trophies": "Hall of fame", "members": "Members",
        "organise": "Organise",
    }  # fmt: skip
    for view, entry in lit.items():
        page.goto(evening.url(view))
        assert in_the_bar(page) == [*ENTRIES, "Organise"]
        words = tabs(page).locator("a:visible").all()
        assert [word.inner_text() for word in words if weight(word) == "600"] == [entry], view
        assert not overlapping([word.evaluate(BOX_OF_TEXT) for word in words]), view
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), view
    see_with_axe(page, ONLY_TARGETS, when="the bar")
    axe_day_and_night(page)


def test_tabs_of_the_hall_of_fame_and_of_the_nights_lead_from_page_to_page_without_a_script(
    open_page: Callable[..., Page], evening: Evening
) -> None:
    page = open_page(PHONE, javascript=False)
    page.goto(evening.url("club"))
    tabs(page).get_by_role("link", name="Hall of fame").tap()
    fame = page.get_by_role("navigation", name="Hall of fame")
    for name, view in (("Honours", "honours"), ("Trophies", "trophies"), ("Records", "records")):
        fame.get_by_role("link", name=name).tap()
        page.wait_for_url(f"**{evening.url(view)}")
        expect(fame.get_by_role("link", name=name)).to_have_attribute("aria-current", "page")
        expect(page.get_by_role("heading", level=1)).to_have_text("Hall of fame")
    tabs(page).get_by_role("link", name="Nights").tap()
    page.get_by_role("navigation", name="Nights and games").get_by_role("link", name="Games").tap()
    page.wait_for_url(f"**{evening.url('games')}")


def weight(word: Locator) -> str:
    return str(word.evaluate("word => getComputedStyle(word).fontWeight"))


def overlapping(boxes: list[list[float]]) -> bool:
    return any(
        one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
        for at, one in enumerate(boxes)
        for other in boxes[at + 1 :]
    )


BOX_OF_TEXT = """word => {
    const range = document.createRange();
    range.selectNodeContents(word);
    const { left, top, right, bottom } = range.getBoundingClientRect();
    return [left, top, right, bottom];
}"""


def test_who_does_not_organise_is_not_led_there(open_page: Callable[..., Page], evening: Evening) -> None:
    page = open_page(PHONE)
    page.goto(evening.url("standings"))
    assert in_the_bar(page) == ENTRIES


def test_no_page_lays_out_the_bar_otherwise() -> None:
    project = Path(__file__).resolve().parent.parent.parent
    others = [
        file for file in (project / "static/css").rglob("*.css") if file.name not in ("club.css", "large_text.css")
    ]
    lays_out = re.compile(r"\.tabs\s+(?:ul|li|a)\b")
    assert [file.name for file in others if lays_out.search(file.read_text())] == []
