"""A member without an account, on the way home: what they come for is two taps from the front page of their club."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from clubs.models import Award
from clubs.trophies.awards import confirm
from scoresheets.models import Sheet
from tests.browser.conftest import PHONE, in_sizes
from tests.browser.test_every_page import SMALLEST
from tests.club_factories import NightFactory, TrophyFactory, played
from tests.clubs.evenings import A_WEEK
from tests.clubs.night_played import Evening, an_evening

#: The fourth of eight has a name as long as they get.
LONG = "Wilhelmine-Charlotte von Sachsen-Meining"


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    """Two nights were played, and of the second both trophies were won: it is over."""
    evening = an_evening(visibility="link")
    ann, *_ = evening.members
    evening.members[3].name = evening.members[3].player.name = LONG
    evening.members[3].player.save()
    evening.members[3].save()
    for name, goes in (("The Cup", "winner"), ("The Old Dog", "loser")):
        TrophyFactory(club=evening.club, name=name, goes=goes)
    before: Any = NightFactory(club=evening.club, on=evening.night.on - A_WEEK)
    played(before, evening.members[2:6])
    table = evening.table(hands=None)
    for award in Award.objects.filter(table=table):
        confirm(award, by=None)
    assert Award.objects.get(table=table, trophy__goes="winner").member == ann
    evening.night.closed_at = timezone.now()
    evening.night.save()
    return evening


def test_member_finds_everything_within_two_taps_of_the_front_page(
    evening: Evening, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    page = open_page(PHONE | SMALLEST)
    bo = evening.members[1]

    def looked_at() -> None:
        for size in in_sizes(page, PHONE, SMALLEST):
            assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], (page.url, size)
        axe_day_and_night(page)

    def taps(*names: str) -> None:
        """From the front page of the club by these links, two at most."""
        assert len(names) <= 2
        page.goto(evening.url("club"))
        for name in names:
            tap(page.get_by_role("main").or_(page.locator(".tabs")).get_by_role("link", name=name))

    def tap(links: Locator) -> None:
        with page.expect_navigation():
            links.first.tap()

    # The code on the wall, and who this is.
    page.goto(evening.url("come_in", evening.club.key))
    expect(page).to_have_url(page.url.partition("/clubs/")[0] + evening.url("club"))
    # What is seen without a tap: both trophies, who holds them and since when, and the tables of the evening.
    expect(page.locator(".held li").filter(has_text="The Cup")).to_contain_text("Ann")
    expect(page.locator(".held li").filter(has_text="The Old Dog")).to_contain_text("Bo")
    expect(page.locator(".held")).to_contain_text("since")
    expect(page.locator(".tonight")).to_contain_text("Ann wins with")
    looked_at()
    taps("This is me")
    looked_at()
    tap(page.get_by_role("button", name="Bo", exact=True))
    expect(page.get_by_role("heading", name="You are Bo")).to_be_visible()
    looked_at()

    # Their row is highlighted on the front page and in the standings, which say how they stand.
    taps()
    expect(page.locator(".held .mine")).to_contain_text("Bo")
    taps("Standings")
    expect(page.locator("tr.mine")).to_contain_text("Bo")
    expect(page.get_by_text("6th, tied with")).to_be_in_viewport()
    expect(page.locator("tr.mine td").first).to_be_in_viewport()
    looked_at()

    # The line of those who held a trophy.
    taps("The Old Dog")
    expect(page.locator("main")).to_contain_text("Bo")
    looked_at()

    # Their own page, and from a figure to the hands it is made of.
    taps("Members")
    tap(page.locator("li.mine").get_by_role("link", name="Bo"))
    expect(page).to_have_url(page.url.partition("/clubs/")[0] + evening.url("member", bo.pk))
    expect(page.get_by_text("This is me")).to_be_visible()
    looked_at()
    tap(page.get_by_role("link", name="Score a hand"))
    expect(page.locator("main li, main tr").first).to_be_visible()
    looked_at()
    tap(page.locator("main a[href*='/watch/']"))
    expect(page.locator("th.me").first).to_contain_text("Bo")
    looked_at()

    # An old sheet, one tap from the list of all games; and from the sheet back to the club.
    sheet = Sheet.objects.get(table__night__on__lt=evening.night.on)
    taps("All games")
    looked_at()
    tap(page.locator(f"main a[href='{reverse('watch', args=[sheet.watch])}']"))
    expect(page.get_by_role("heading", name="The result")).to_be_visible()

    # The hall of fame, its honours, and the nights: by the bar, on so small a phone too.
    page.goto(evening.url("club"))
    tap(page.locator(".tabs").get_by_role("link", name="Hall of fame"))
    looked_at()
    tap(page.locator(".page-tabs").get_by_role("link", name="Honours"))
    looked_at()
    tap(page.locator(".tabs").get_by_role("link", name="Nights"))
    looked_at()
