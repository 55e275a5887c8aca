"""A member looks themselves up: from the records to their page, from a figure to the hand it was made of."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, played

SMALL = {**PHONE, "viewport": {"width": 360, "height": 640}}
#: Forty letters and no place to break.
LONG = "Bartholomewmaximilianalexanderferdinandx"


def is_within(page: Page) -> None:
    """Nothing stands out sideways."""
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url


@pytest.mark.journey
def test_from_the_records_to_the_hand_a_figure_is_made_of(
    open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    club = ClubFactory(awards_at_once=True)
    members = [MemberFactory(club=club, name=name) for name in (LONG, "Bo", "Cy", "Di")]
    TrophyFactory(club=club)
    for _ in range(3):
        played(NightFactory(club=club), members)
    page = open_page(SMALL)
    page.goto(f"/clubs/{club.slug}/records/")
    axe(page)
    is_within(page)
    # Two taps: any old sheet.
    with page.expect_navigation():
        page.get_by_role("link", name="All games").click()
    axe(page)
    is_within(page)
    page.get_by_label("Member").select_option(label="Bo")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("3 games of Bo")).to_be_visible()
    page.locator(".games a").first.click()
    expect(page).to_have_url(re.compile("/watch/"))
    # A member's page: the trophy, a chart with the numbers behind it.
    page.goto(f"/clubs/{club.slug}/members/{members[0].pk}/")
    axe(page)
    is_within(page)
    expect(page.locator(".member-trophies")).to_contain_text("The Cup")
    chart = page.locator("figure", has=page.get_by_role("heading", name="Bids made, by cards"))
    expect(chart.get_by_role("img")).to_have_accessible_name("Bids made, by cards")
    expect(chart.locator("table")).to_be_hidden()
    chart.get_by_text("The numbers").click()
    axe(page)
    is_within(page)
    chart.get_by_role("link", name="2", exact=True).click()
    # The hands it is made of, and one of them on its sheet.
    expect(page.get_by_text("6 hands")).to_be_visible()
    axe(page)
    is_within(page)
    page.locator(".hands a").first.click()
    expect(page).to_have_url(re.compile(r"\?open=3#hand-3"))
    expect(page.locator("#hand-3")).to_be_in_viewport()


def test_charts_are_seen_at_night_and_on_a_wide_screen(
    open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    club = ClubFactory()
    members = MemberFactory.create_batch(4, club=club)
    played(NightFactory(club=club), members)
    played(NightFactory(club=club), members)
    page = open_page({"viewport": {"width": 1280, "height": 800}}, dark=True)
    page.goto(f"/clubs/{club.slug}/members/{members[1].pk}/")
    axe(page)
    is_within(page)
    charts = page.locator(".chart svg")
    assert charts.count() == 5
    for at in range(5):
        box = charts.nth(at).bounding_box()
        assert box is not None
        assert box["width"] > 250
        assert box["height"] > 100
