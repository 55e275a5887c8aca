"""More people than one table is made for, without a club and without an account."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Night
from scoresheets.models import Sheet
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_opening import goes_sideways, type_names
from tests.factories import Scorer

LONG = "Bartholomew of Hohenzollern-Sigmaringen"
THIRTEEN = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kit", "Lou", LONG]


def open_with(page: Page, button: str) -> None:
    """From the opening page to the codes: three taps, each on a page that fits."""
    page.goto("/open/")
    type_names(page, THIRTEEN)
    page.get_by_role("button", name=button).click()
    for last in ("See the groups", "Open 2 groups") if button == "Play-off" else ("Open 2 tables",):
        expect(page.get_by_role("button", name=last)).to_be_visible()
        assert not goes_sideways(page)
        page.get_by_role("button", name=last).click()
    expect(page.get_by_text("The scorekeeper scans this.")).to_be_visible()
    assert not goes_sideways(page)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("look", [PHONE, DESK], ids=["phone", "desk"])
def test_thirteen_people_open_a_play_off_in_three_taps_and_two_phones_run_it(
    live_server: object,
    open_page: Callable[..., Page],
    axe_day_and_night: Callable[[Page], None],
    look: dict[str, object],
) -> None:
    host, neighbour, watcher = open_page(look), open_page(PHONE), open_page(PHONE)
    open_with(host, "Play-off")
    axe_day_and_night(host)
    codes = host.url

    # The links of the evening: one to look, one to run it.
    host.get_by_role("link", name=re.compile("^Share this evening")).click()
    expect(host.get_by_role("heading", name="For a second host")).to_be_visible()
    assert not goes_sideways(host)
    axe_day_and_night(host)
    addresses = host.locator(".address").all_inner_texts()
    watcher.goto(addresses[0])
    expect(watcher.get_by_role("heading", name="The tables")).to_be_visible()
    assert not watcher.get_by_role("link", name="Control page").count()
    neighbour.goto(addresses[1])
    neighbour.get_by_role("link", name="Control page").click()
    expect(neighbour.get_by_role("heading", level=1)).to_be_visible()

    # The host keeps a sheet on their own phone.
    host.goto(codes)
    host.get_by_role("link", name="Keep score on this phone").click()
    host.wait_for_url("**/pad/")

    # The groups are played; the finals come from the second host's phone.
    for played in Sheet.objects.all():
        Scorer(played, played.scorekeepers.first()).any_game()
    neighbour.goto(re.sub("codes/.*", "play-off/next/", codes))
    neighbour.get_by_role("button", name=re.compile("^Open")).click()
    expect(neighbour.get_by_text("The scorekeeper scans this.")).to_be_visible()
    assert Sheet.objects.count() == 4
    assert Night.objects.get().club.is_evening


@pytest.mark.journey
@pytest.mark.django_db(transaction=True)
def test_thirteen_people_open_two_plain_tables(live_server: object, phone: Page) -> None:
    open_with(phone, "Two tables")
    assert sorted(sheet.seats.count() for sheet in Sheet.objects.all()) == [6, 7]
