"""An organiser's way with the trophies, and a member's look at them, on a phone."""

from __future__ import annotations

import datetime
import io
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image
from playwright.sync_api import Page, expect

from clubs.access.visit import COOKIE
from clubs.models import Award, Club, Trophy
from clubs.trophies.past_holders import add_holders, members_by_name, read_lines
from tests.browser.conftest import DESK, PHONE
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.trophy_night import night, third_wins

LONG = "Bartholomew Featherstonehaugh-Cholmondel"


def sign_in(page: Page, club: Club, address: str) -> None:
    """The browser is an organiser's."""
    client, user = Client(), UserFactory()
    MemberFactory(club=club, name="Olga", user=user, role="organiser")
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}])


def fits(page: Page) -> bool:
    """Whether nothing has to be pushed sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.fixture
def club(transactional_db: None) -> Club:
    """Ann has won the first night, Bo was last; there are holders from before the site."""
    club = ClubFactory(name="The Thursday Players", slug="thursday")
    four = [MemberFactory(club=club, name=name) for name in ("Ann", LONG, "Cy", "Di")]
    cup = TrophyFactory(club=club)
    TrophyFactory(club=club, name="The Spoon", goes="loser", drawing="spoon")
    read, _ = read_lines(f"1998 Zed\n2001 {LONG}", members_by_name(club), club.today())
    add_holders(cup, read, by=None)
    played(night(club), four)
    NightFactory(club=club, on=club.today() + datetime.timedelta(days=2))
    return club


@pytest.mark.journey
def test_trophy_is_won_confirmed_handed_over_and_asked_about(
    club: Club, open_page: Callable[..., Page], live_server: object, axe: Callable[[Page], None]
) -> None:
    phone = open_page({**PHONE, "viewport": {"width": 360, "height": 640}})
    sign_in(phone, club, live_server.url)
    phone.goto("/clubs/thursday/trophies/")
    axe(phone)
    assert fits(phone)
    card = phone.locator(".trophy", has=phone.get_by_role("heading", name="The Cup"))
    card.get_by_role("button", name="Yes, it goes to Ann").click()
    expect(card).to_contain_text(f"Won by Ann, still with {LONG}.")
    expect(phone.locator(".before")).to_contain_text(f"{LONG} brings The Cup.")
    card.get_by_role("button", name="Ann has it now").click()
    expect(card).to_contain_text("Handed over")
    expect(phone.locator(".before")).to_contain_text("Ann brings The Cup.")

    third_wins(Award.objects.get(member__name="Ann").table)
    phone.reload()
    expect(card.locator(".problem")).to_contain_text("names Cy now.")
    expect(card.locator(".holder")).to_have_text("Ann")
    axe(phone)
    card.get_by_role("button", name="It goes to Cy").click()
    expect(card.locator(".holder")).to_have_text("Cy")
    expect(card).to_contain_text("Won by Cy, still with Ann.")

    card.locator(".face").click()
    expect(phone.locator(".line-of")).to_contain_text(f"Cy took it from {LONG} on 5 March 2026")
    assert fits(phone)
    phone.get_by_text("What was asked, and decided").click()
    axe(phone)
    phone.get_by_role("button", name="Ask again").click()
    expect(phone.locator(".holder")).to_have_text("Ann")
    with phone.expect_navigation():
        phone.get_by_role("link", name="Take back a win").click()
    assert fits(phone)
    phone.get_by_role("button", name="Take back that Ann won it, 5 March 2026").click()
    expect(phone.locator(".holder")).to_have_text(LONG)
    phone.get_by_text("What was taken back").click()
    phone.get_by_role("button", name="Put it back").click()
    expect(phone.locator(".holder")).to_have_text("Ann")


@pytest.mark.allow_statuses(422)
def test_trophy_of_ones_own_with_a_picture_and_holders_from_before(
    club: Club, open_page: Callable[..., Page], live_server: object, axe: Callable[[Page], None]
) -> None:
    desk = open_page(DESK, dark=True)
    sign_in(desk, club, live_server.url)
    desk.goto("/clubs/thursday/trophies/new/")
    axe(desk)
    desk.get_by_label("an old boot").check()
    desk.get_by_role("button", name="Add trophy").click()
    expect(desk.locator(".field.wrong")).to_contain_text("A trophy needs a name.")
    axe(desk)
    desk.get_by_label("What it is called").fill("The Boot of Shame")
    file = io.BytesIO()
    Image.new("RGB", (900, 1600), "teal").save(file, "JPEG")
    desk.get_by_label("Or a photo of the trophy").set_input_files(
        {"name": "boot.jpg", "mimeType": "image/jpeg", "buffer": file.getvalue()}
    )
    desk.get_by_role("button", name="Add trophy").click()
    expect(desk.get_by_role("heading", name="The Boot of Shame")).to_be_visible()
    assert (
        desk.locator(".portrait img").evaluate("picture => picture.decode().then(() => picture.naturalHeight)") == 512
    )

    desk.get_by_role("link", name="Holders of the past").click()
    desk.get_by_label("The holders").fill("1971 Zed\n12 May 2003 Ann\n2009 somebody else")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Next").click()
    axe(desk)
    desk.get_by_role("button", name="Save 3 wins").click()
    expect(desk.locator(".line-of")).to_contain_text(
        "somebody else took it from Ann in 2009, Ann from Zed on 12 May 2003"
    )
    with desk.expect_navigation():
        desk.get_by_role("link", name="Record a win").click()
    axe(desk)
    desk.get_by_label("Who").fill("Di")
    desk.get_by_label("What for").fill("She lost a bet")
    desk.get_by_role("button", name="Save").click()
    expect(desk.locator(".holder")).to_have_text("Di")
    assert Trophy.objects.get(name="The Boot of Shame").drawing == "boot"


def test_member_sees_their_row_highlighted_and_the_hand_that_proves_their_honour(
    club: Club, open_page: Callable[..., Page], live_server: object, axe: Callable[[Page], None]
) -> None:
    phone = open_page(PHONE)
    bart = club.members.get(name=LONG)
    phone.context.add_cookies(
        [{"name": COOKIE.format(club.pk), "value": f"{club.key}.{bart.pk}", "url": live_server.url}]
    )
    phone.goto("/clubs/thursday/trophies/")
    expect(phone.locator(".holder.mine")).to_have_text(LONG)
    expect(phone.get_by_text("An organiser has yet to confirm.").first).to_be_visible()
    with phone.expect_navigation():
        phone.get_by_role("link", name="Honours", exact=True).click()
    axe(phone)
    assert fits(phone)
    card = phone.locator(".board .card", has=phone.get_by_role("heading", name="Clean Run"))
    with phone.expect_navigation():
        card.get_by_role("link", name="Cy").click()
    axe(phone)
    assert fits(phone)
    phone.goto("/clubs/thursday/honours/dirty-dog/proximity-alert/")
    phone.get_by_role("link", name="hand 1").first.click()
    expect(phone.locator("#hand-1")).to_be_in_viewport()
