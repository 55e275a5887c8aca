"""The bar of a club on a phone: what it has no room for is behind "More", by finger and by keyboard, with no script."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import DESK, ONLY_TARGETS, PHONE, see_with_axe
from tests.clubs.night_played import Evening, an_evening

NARROW = PHONE | {"viewport": {"width": 360, "height": 664}}


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


@pytest.mark.journey
@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    ("device", "behind"),
    [(PHONE, ["Nights", "Trophies", "Organise"]), (NARROW, ["Records", "Nights", "Trophies", "Organise"])],
)
@pytest.mark.parametrize("javascript", [True, False], ids=["script", "plain"])
def test_what_a_phone_has_no_room_for_is_two_taps_away(
    open_page: Callable[..., Page], live_server: LiveServer, evening: Evening, device: dict[str, object],
    behind: list[str], *, javascript: bool,
) -> None:  # fmt: skip
    page = open_page(device, javascript=javascript)
    sign_in(page, live_server, evening)
    for name, view in (("Organise", "organise"), ("Nights", "nights"), ("Trophies", "trophies")):
        page.goto(reverse("standings", args=[evening.club.slug]))
        before = in_the_bar(page)
        assert not set(before) & set(behind)
        tabs(page).get_by_text("More", exact=True).tap()
        assert in_the_bar(page) == [*before, *behind]
        tabs(page).get_by_role("link", name=name).tap()
        page.wait_for_url(f"**{evening.url(view)}")
        more = tabs(page).get_by_text("More", exact=True)
        expect(more).to_have_css("font-weight", "600")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("device", [PHONE, NARROW], ids=["phone", "narrow"])
def test_one_word_of_the_bar_is_lit_and_none_lies_over_another(
    open_page: Callable[..., Page], live_server: LiveServer, evening: Evening, device: dict[str, object]
) -> None:
    page = open_page(device)
    sign_in(page, live_server, evening)
    for view in ("club", "standings", "members", "records", "games", "nights", "trophies"):
        page.goto(evening.url(view))
        words = [*tabs(page).locator("a:visible").all(), tabs(page).locator("summary")]
        assert len([word for word in words if weight(word) == "600"]) == 1, view
        ends = [word.evaluate(ENDS_OF_TEXT) for word in words]
        assert all(left[1] < right[0] for left, right in itertools.pairwise(ends)), view


def weight(word: Locator) -> str:
    return str(word.evaluate("word => getComputedStyle(word).fontWeight"))


ENDS_OF_TEXT = """word => {
    const range = document.createRange();
    range.selectNodeContents(word);
    const { left, right } = range.getBoundingClientRect();
    return [left, right];
}"""


def test_the_panel_is_reached_and_left_by_keyboard(
    open_page: Callable[..., Page], live_server: LiveServer, evening: Evening
) -> None:
    page = open_page(PHONE)
    sign_in(page, live_server, evening)
    page.goto(evening.url("standings"))
    tabs(page).get_by_role("link", name="Records").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(tabs(page).get_by_role("link", name="Organise")).to_be_visible()
    page.keyboard.press("Enter")
    expect(tabs(page).get_by_role("link", name="Organise")).to_be_hidden()
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{evening.url('organise')}")


@pytest.mark.parametrize("device", [PHONE, NARROW], ids=["phone", "narrow"])
def test_a_tap_beside_the_panel_closes_it_and_every_target_can_be_hit(
    open_page: Callable[..., Page], live_server: LiveServer, evening: Evening, device: dict[str, object],
    axe_day_and_night: Callable[[Page], None],
) -> None:  # fmt: skip
    page = open_page(device)
    sign_in(page, live_server, evening)
    page.goto(evening.url("members"))
    see_with_axe(page, ONLY_TARGETS, when="closed")
    tabs(page).get_by_text("More", exact=True).tap()
    axe_day_and_night(page)
    see_with_axe(page, ONLY_TARGETS, when="open")
    for link in tabs(page).get_by_role("link").all():
        box = link.bounding_box()
        assert box
        assert box["height"] >= 48, link.inner_text()
    page.touchscreen.tap(100, 200)
    expect(tabs(page).get_by_role("link", name="Nights")).to_be_hidden()
    assert page.url.endswith(evening.url("members"))


def test_a_wide_screen_has_all_of_it_in_sight(
    open_page: Callable[..., Page], live_server: LiveServer, evening: Evening
) -> None:
    page = open_page(DESK)
    sign_in(page, live_server, evening)
    page.goto(evening.url("nights"))
    assert in_the_bar(page) == ["Tonight", "Standings", "Members", "Records", "Nights", "Trophies", "Organise"]
    expect(tabs(page).get_by_text("More", exact=True)).to_be_hidden()


def test_who_does_not_organise_is_not_led_there(open_page: Callable[..., Page], evening: Evening) -> None:
    page = open_page(PHONE)
    page.goto(evening.url("standings"))
    tabs(page).get_by_text("More", exact=True).tap()
    assert in_the_bar(page)[-2:] == ["Nights", "Trophies"]


def test_no_page_lays_out_the_entries_of_the_bar_otherwise() -> None:
    """What they are called by is in the style sheet of the bar, and in no other."""
    project = Path(__file__).resolve().parent.parent.parent
    template = "".join((project / f"templates/clubs/{name}.html").read_text() for name in ("tabs", "tabs_more"))
    classes = {"where-wide", *re.findall(r'<li class="([\w-]+)"', template)}
    assert {"tab-more", "to-records"} <= classes
    others = [file for file in (project / "static/css").rglob("*.css") if file.name != "club.css"]
    used = re.compile(rf"\.(?:{'|'.join(classes)})\b")
    assert [file.name for file in others if used.search(file.read_text())] == []
