"""A name that is typed at the pad of a club's table, on the phone of its scorekeeper and before its organiser."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.models import Member
from tests.browser.pads import Pad
from tests.browser.test_evening import at_a_table, fits, take_along
from tests.club_factories import MemberFactory
from tests.clubs.joining.test_newcomers import write
from tests.clubs.night_played import Evening, an_evening

LONG = "Wilhelmine-Charlotte von Sachsen-Meining"


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    evening = an_evening()
    MemberFactory(club=evening.club, name="Rosa Klein", nickname="Rosa")
    MemberFactory(club=evening.club, name=LONG)
    return evening


def keep(page: Page, name: str) -> None:
    """A picture of the page, where somebody wants to look at it."""
    if folder := os.environ.get("PICTURES_OF_NAMES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.fixture
def address(evening: Evening, phone: Page) -> str:
    """The page on which somebody comes late to the phone's table, after its first hand."""
    pad = Pad(phone, 4)
    pad.scorer.clear_hand()
    table = at_a_table(pad, evening)
    return phone.url.split("/sheets/")[0] + reverse("arrive", args=[table.sheet.code])


@pytest.mark.journey
def test_one_tap_says_whose_name_it_is(phone: Page, address: str) -> None:
    phone.goto(address)
    name = phone.get_by_role("textbox", name="Somebody else")
    name.fill("rosa")
    expect(phone.get_by_text("Is it Rosa?")).to_be_visible()
    phone.get_by_label("Yes, Rosa").check()
    expect(phone.get_by_role("button", name="Rosa joins")).to_be_visible()
    name.fill("Zoe")
    expect(phone.get_by_role("button", name="Zoe joins")).to_be_visible()
    expect(phone.get_by_text("Is it")).to_have_count(0)
    name.fill("Rosa")
    phone.get_by_label("No, somebody else").check()
    phone.get_by_role("button", name="Rosa joins").click()
    phone.wait_for_url("**/pad/")
    assert Member.objects.get(role="guest").name == "Rosa"


@pytest.mark.parametrize("name", ["rosa", LONG[:-1]])
def test_the_question_can_be_read_by_everybody(
    phone: Page, address: str, name: str, axe_day_and_night: Callable[[Page], None]
) -> None:
    phone.goto(f"{address}?name={name}")
    expect(phone.get_by_text("Is it")).to_be_visible()
    fits(phone)
    axe_day_and_night(phone)
    keep(phone, f"question-{name[0]}")


@pytest.mark.parametrize("device", ["phone", "dark_desk"])
def test_an_organiser_matches_a_name_from_the_control_page(
    evening: Evening, device: str, request: pytest.FixtureRequest, axe: Callable[[Page], None]
) -> None:
    page: Page = request.getfixturevalue(device)
    table = evening.table(hands=1)
    write(table, "rosa")
    other = evening.table(hands=1, seats=slice(4, 8))
    write(other, LONG.lower())
    take_along(page, evening.organiser())
    page.goto(page.url.removesuffix("healthz") + evening.control.removeprefix("/"))
    keep(page, f"control-{device}")
    page.get_by_role("link", name="Match names").click()
    expect(page.get_by_role("heading", name="Names to match")).to_be_visible()
    fits(page)
    axe(page)
    keep(page, f"match-{device}")
    page.get_by_label("rosa is").select_option(label="Rosa Klein (Rosa)")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. What they played counts for them now.")).to_be_visible()
    expect(page.get_by_label("rosa is")).to_have_count(0)


def test_a_corrected_name_asks_who_it_was(evening: Evening, phone: Page, axe: Callable[[Page], None]) -> None:
    pad = Pad(phone, 4)
    pad.scorer.clear_hand()
    table = at_a_table(pad, evening)
    bo = table.sheet.seats.get(number=2)
    evening.members[1].player = bo.player
    evening.members[1].save()
    phone.goto(phone.url.split("/sheets/")[0] + reverse("set_up", args=[table.sheet.code]))
    phone.locator("#name-0-sits-2").fill("Rosa")
    phone.get_by_role("button", name="See what changes").click()
    expect(phone.get_by_text("Who was it?")).to_be_visible()
    fits(phone)
    axe(phone)
    keep(phone, "corrected")
    phone.get_by_label("Rosa", exact=True).check()
    phone.get_by_role("button", name="See what changes").click()
    expect(phone.get_by_role("button", name="Confirm")).to_be_visible()
