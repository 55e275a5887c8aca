"""The evening as an organiser runs it with one phone, and what the tables and the members see of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from clubs.access.visit import COOKIE
from clubs.models import Award, Table
from clubs.tables.open import say_stakes
from scoresheets.models import Sheet
from tests.browser.conftest import DESK
from tests.browser.pads import Pad, is_dressed
from tests.club_factories import TrophyFactory
from tests.clubs.night_played import Evening, an_evening, scorer_of


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    """A club by link, with names as long as they get, and the two trophies."""
    evening = an_evening(visibility="link")
    evening.members[3].name = evening.members[3].player.name = "Wilhelmine-Charlotte von Sachsen-Meining"
    evening.members[3].player.save()
    evening.members[3].save()
    for name, goes in (("The Cup", "winner"), ("The Old Dog", "loser")):
        trophy = TrophyFactory(club=evening.club, name=name, goes=goes)
        Award.objects.create(
            trophy=trophy, member=evening.members[3], on=evening.night.on, source="typed", confirmed_at=timezone.now()
        )
    return evening


def take_along(page: Page, client: Client) -> Page:
    """The browser is signed in as the test's own client is."""
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": base(page)}])
    return page


def base(page: Page) -> str:
    page.goto("/healthz")
    return page.url.removesuffix("healthz")


def knows(page: Page, evening: Evening, me: int) -> Page:
    """The phone came in by the club's link, and said who uses it."""
    cookie = {"name": COOKIE.format(evening.club.pk), "value": f"{evening.club.key}.{me}", "url": base(page)}
    page.context.add_cookies([cookie])
    return page


def at_a_table(pad: Pad, evening: Evening) -> Table:
    """The pad's sheet lies on the first table of the night."""
    table = Table.objects.create(night=evening.night, number=1, game=pad.scorer.sheet.game, sheet=pad.scorer.sheet)
    home = {"home": evening.page, "club_name": evening.club.name}
    Sheet.objects.filter(pk=pad.scorer.sheet.pk).update(**home)
    say_stakes(evening.night)
    pad.load()
    return table


def fits(page: Page) -> None:
    """Nothing is out of sight sideways."""
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


@pytest.mark.journey(seconds=15)
@pytest.mark.file_by_file
def test_an_organiser_ends_the_night_at_all_tables_from_one_phone(
    evening: Evening, phone: Page, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    pad = Pad(phone, 4)
    pad.scorer.clear_hand()
    at_a_table(pad, evening)
    evening.table(hands=1, seats=slice(4, 8))
    organiser = take_along(open_page(), evening.organiser())

    # The table asks for the organiser.
    pad.open("more")
    axe(phone)
    phone.get_by_role("button", name="Call the organiser").tap()
    expect(phone.locator(".top .line")).to_contain_text("organiser called at")
    organiser.goto(evening.url("club"))
    axe(organiser)
    organiser.get_by_role("link", name="Control page").tap()
    expect(organiser.get_by_text("has been calling you")).to_be_visible()
    axe(organiser)
    fits(organiser)
    organiser.get_by_role("button", name="On my way").tap()
    expect(organiser.get_by_text("has been calling you")).to_have_count(0)
    expect(phone.locator(".top .line")).to_have_text("the organiser is on their way")

    # The organiser tells all tables that this is the last hand.
    organiser.get_by_role("button", name="All tables stop after this hand").tap()
    expect(organiser.get_by_text("stops after hand 2")).to_have_count(2)
    said = phone.locator(".bar")
    expect(said).to_contain_text("The table stops after hand 2.")
    axe(phone)
    pad.tap(said.get_by_role("button", name="OK"))
    expect(said).to_have_count(0)
    expect(phone.locator(".facts")).to_contain_text("Last hand:")
    pad.load()
    is_dressed(phone)
    expect(said).to_have_count(0)

    # The hand is scored, and the table stops in one tap.
    pad.scorer.clear_hand()
    expect(said).to_contain_text("Hand 2 was the last one.")
    axe(phone)
    # On a page that is opened anew it stands there from the first moment on, whatever loads later.
    phone.route("**/other_phones*.js", lambda route: None)
    with phone.expect_request("**/other_phones*.js"):
        pad.load()
    pad.tap(said.get_by_role("button", name="Stop here"))
    phone.wait_for_url("**/result/")
    expect(phone.get_by_text("The table stopped after hand 2 of 4.")).to_be_visible()

    # The control page has heard of it.
    expect(organiser.locator(".control").get_by_text("finished")).to_be_visible()

    # Five lines for an email.
    organiser.reload()
    organiser.get_by_text("The result so far, for an email").tap()
    organiser.context.grant_permissions(["clipboard-read", "clipboard-write"])
    organiser.get_by_role("button", name="Copy").tap()
    expect(organiser.get_by_text("Copied.")).to_be_visible()
    copied = organiser.evaluate("navigator.clipboard.readText()").strip().splitlines()
    assert len(copied) == 5
    assert copied[4].endswith(f"{evening.page}?key={evening.club.key}")
    organiser.get_by_role("button", name="Close the night").tap()
    expect(organiser.get_by_role("button", name="Open the night again")).to_be_visible()
    axe(organiser)


@pytest.mark.journey(seconds=15)
def test_a_member_finds_their_table_and_follows_it(
    evening: Evening, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    table = evening.table(hands=1)
    say_stakes(evening.night)
    page = knows(open_page(viewport={"width": 360, "height": 640}), evening, evening.members[0].pk)
    page.goto("/")
    axe(page)
    fits(page)
    page.get_by_role("link", name="is on: table 1").tap()
    expect(page.locator("caption .stakes")).to_have_text("Played for The Cup and The Old Dog.")
    axe(page)
    fits(page)
    page.get_by_role("link", name="The Trumps").tap()
    expect(page.get_by_role("heading", name="The tables")).to_be_visible()
    axe(page)
    fits(page)
    # Somebody bids, and the page of the night follows.
    expect(page.locator(".tables")).to_contain_text("Hand 2 of 4")
    scorer_of(table).clear_hand()
    expect(page.locator(".tables")).to_contain_text("Hand 3 of 4")
    page.get_by_role("link", name="Tonight").tap()
    expect(page.locator(".held")).to_contain_text("The Old Dog")
    axe(page)
    fits(page)


def test_a_sheet_of_another_phone_is_brought_in_by_its_link(
    evening: Evening, phone: Page, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    pad = Pad(phone, ["Ann", "Bo", "Cyril", "Xaver"], hands=1)
    pad.open("more")
    phone.get_by_role("button", name="Let someone else score").tap()
    link = phone.locator(".to-scan .address").inner_text()
    desk = take_along(open_page(DESK), evening.organiser())
    desk.goto(evening.url("bring_in"))
    axe(desk)
    desk.get_by_label("Its scorekeeper link").fill(link)
    desk.get_by_role("button", name="Next").click()
    expect(desk.get_by_label("Ann is")).to_have_value(str(evening.members[0].pk))
    axe(desk)
    desk.get_by_label("Cyril is").select_option(label="Cy")
    desk.get_by_label("Xaver is").select_option("guest")
    desk.get_by_role("button", name="Bring it in").click()
    expect(desk.locator(".control")).to_contain_text("Table 1")
    with desk.expect_navigation():
        desk.get_by_role("link", name="Take it out again").click()
    axe(desk)
    desk.get_by_role("button", name="Take it out").click()
    expect(desk.get_by_text("No table has opened yet.")).to_be_visible()
