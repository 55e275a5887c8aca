"""A member opens the race chart of a season and follows a line: by a tap, by the keyboard, and without a script."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club
from clubs.standings.store import keep_standings
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, scored

LONG = "Theodora-Wilhelmina Featherstonehaugh-Vi"
NAMES = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Joe", "Kit", LONG]


@pytest.fixture
def club(transactional_db: None) -> Club:
    """Twelve people over three nights, in another order on each; the last one has the longest name."""
    club = ClubFactory(name="The Thursday Club", slug="thursday")
    members = [MemberFactory(club=club, name=name) for name in NAMES]
    for week in range(3):
        night = NightFactory(club=club, on=timezone.localdate() - datetime.timedelta(days=7 * (3 - week)))
        turned = members[5 * week :] + members[: 5 * week]
        scored(night, [(member, -at) for at, member in enumerate(turned[:6])])
        scored(night, [(member, -at) for at, member in enumerate(turned[6:])])
    keep_standings(club)
    return club


@pytest.mark.journey
def test_a_line_is_followed(
    club: Club, live_server: LiveServer, phone: Page, axe_day_and_night: Callable[[Page], None]
) -> None:
    phone.goto(f"{live_server.url}/clubs/thursday/standings/")
    expect(phone.locator(".form-dots").first).to_be_visible()
    phone.get_by_role("link", name="Race chart").click()
    lines = phone.locator(".race .lines > [data-line]")
    expect(lines).to_have_count(12)
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    cy = phone.locator(".race-names a", has_text="Cy")
    box = cy.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    cy.click()
    expect(phone.locator(".race-says")).to_contain_text("Cy: ")
    expect(phone.locator(".race .lines > .near")).to_contain_text("Cy")
    expect(lines.last).to_contain_text("Cy")
    axe_day_and_night(phone)
    # The next name by an arrow key, and back to none by a tap on its line's own name.
    names = phone.locator(".race-names a")
    after = names.nth(names.all_inner_texts().index(cy.inner_text()) + 1)
    cy.press("ArrowDown")
    expect(after).to_be_focused()
    expect(after).to_have_attribute("aria-current", "true")
    after.click()
    expect(phone.locator(".race .near")).to_have_count(0)
    expect(phone.locator(".race-says")).to_be_empty()
    phone.locator(".race .lines > .grey .label").last.click()
    expect(phone.locator(".race .near")).to_have_count(1)
    phone.get_by_text("The places as a table").click()
    expect(phone.locator(".race-places tbody tr")).to_have_count(12)


@pytest.mark.journey
def test_a_line_is_followed_without_a_script(club: Club, live_server: LiveServer, plain_phone: Page) -> None:
    plain_phone.goto(f"{live_server.url}/clubs/thursday/standings/all-time/race/")
    expect(plain_phone.locator(".race .chosen")).to_have_count(0)
    plain_phone.locator(".race-names a", has_text="Flo").click()
    expect(plain_phone.locator(".race .following .chosen")).to_contain_text("Flo")
    expect(plain_phone.locator(".race-says")).to_contain_text("Flo: ")
