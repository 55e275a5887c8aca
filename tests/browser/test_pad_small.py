"""Small things at the table: what is read out, a buzz, the scorekeeper's own row, the last hand."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pads import Pad, is_dressed

BUZZES = "window.buzzed = []; navigator.vibrate = (how) => { window.buzzed.push(how); return true; };"
NO_BUZZ = "delete Navigator.prototype.vibrate;"


@pytest.fixture
def pad(phone: Page) -> Pad:
    """Six players in hand 7 of 18, seven cards, Ann deals and Bo leads."""
    return Pad(phone, 6, hands=6, plan={"peak": 8})


@pytest.mark.journey
def test_a_line_to_read_out_when_all_have_bid(pad: Pad, axe: Callable[[Page], None]) -> None:
    pad.tap(pad.page.get_by_label("Hearts"))
    pad.bid(2, 0, 1, 3, 0)
    line = pad.page.locator(".aloud")
    expect(line).to_have_count(0)
    pad.bid(2)
    pad.rest()
    said = "Seven cards, hearts. Bo 2, Cy 0, Di 1, Ed 3, Flo 0, Ann 2: over by one. Bo leads."
    expect(line).to_have_text(said)
    cut = "line => line.scrollHeight > line.clientHeight + 1"
    assert not line.evaluate(cut)
    pad.tap(line)
    panel = pad.page.get_by_role("dialog", name="Read out")
    expect(panel).to_contain_text(said)
    axe(pad.page)
    panel.get_by_role("button", name="Close").tap()
    pad.more("Bo")
    expect(line).to_have_count(0)


@pytest.mark.parametrize(
    ("bids", "end"),
    [((6, 0, 0, 0, 0, 0), "under by one"), ((7, 7, 7, 0, 0, 0), "over by 14"), ((1, 0, 0, 0, 0, 0), "under by six")],
)
def test_the_line_says_by_how_much_the_bids_miss(pad: Pad, bids: tuple[int, ...], end: str) -> None:
    pad.bid(*bids)
    expect(pad.page.locator(".aloud")).to_have_text(re.compile(rf"^Seven cards\. Bo .*: {end}\. Bo leads\.$"))


def test_the_line_opens_without_a_script_too(plain_phone: Page) -> None:
    pad = Pad(plain_phone, 4, hands=1)
    for _ in range(4):
        pad.key(1).tap()
    plain_phone.locator(".aloud").tap()
    expect(plain_phone.get_by_role("dialog")).to_contain_text(
        "Two cards. Cy 1, Di 1, Ann 1, Bo 1: over by two. Cy leads."
    )


def test_a_tap_buzzes_until_that_is_switched_off(phone: Page) -> None:
    phone.add_init_script(BUZZES)
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    pad.bid(1, 2)
    assert phone.evaluate("window.buzzed") == [15] * 2
    is_dressed(phone)
    pad.open("more")
    pad.tap(phone.get_by_role("button", name="No buzz"))
    expect(phone.get_by_role("button", name="Buzz at a tap")).to_be_visible()
    phone.get_by_role("link", name="Close").tap()
    pad.rest()
    pad.bid(0, 1, 3)
    assert len(phone.evaluate("window.buzzed")) == 2
    pad.load()
    pad.bid(1)
    # Not at a tap that is refused either.
    pad.tap(phone.locator(".took [aria-disabled], .keys .no, .go[aria-disabled]").first)
    assert phone.evaluate("window.buzzed") == []


def test_a_struck_out_number_says_no_with_another_buzz(phone: Page) -> None:
    phone.add_init_script(BUZZES)
    pad = Pad(phone, 4, hands=1)
    pad.bid(1, 0, 0)
    assert phone.evaluate("window.buzzed") == [15] * 3
    pad.tap(phone.locator(".keys .no"))
    assert phone.evaluate("window.buzzed.slice(3)") == [[25, 60, 25]]


def test_who_wants_less_motion_feels_nothing(phone: Page) -> None:
    phone.emulate_media(reduced_motion="reduce")
    phone.add_init_script(BUZZES)
    pad = Pad(phone, 4, hands=1)
    pad.bid(1, 0, 0)
    pad.tap(phone.locator(".keys .no"))
    assert phone.evaluate("window.buzzed") == []


def test_a_phone_that_cannot_buzz_is_not_asked(phone: Page) -> None:
    phone.add_init_script(NO_BUZZ)
    pad = Pad(phone)
    pad.open("more")
    expect(phone.locator("[data-pref=buzz]")).to_be_hidden()
    expect(phone.locator("[data-pref=hand]")).to_be_visible()


def test_the_scorekeepers_own_row_is_marked_once_they_have_said_which(pad: Pad, axe: Callable[[Page], None]) -> None:
    page = pad.page
    own = page.locator(".seats > li.mine")
    expect(own).to_have_count(0)
    is_dressed(page)
    pad.open("more")
    page.get_by_role("button", name="My row").tap()
    panel = page.get_by_role("dialog", name="Which row is yours?")
    axe(page)
    panel.get_by_role("button", name="Di", exact=True).tap()
    expect(own).to_contain_text("Di")
    axe(page)
    pad.load()
    expect(own).to_contain_text("Di")
    assert page.evaluate("document.querySelector('dialog[open]')") is None
    # At another table they are found by their name.
    other = Pad(page, ["Ed", "Flo", "Di"])
    expect(own).to_contain_text("Di")
    other.bid(0)
    expect(own).to_have_count(1)


def test_a_row_can_be_nobodys_again(pad: Pad) -> None:
    pad.page.evaluate("localStorage.setItem('my-name', 'Bo')")
    pad.load()
    expect(pad.page.locator(".mine")).to_contain_text("Bo")
    is_dressed(pad.page)
    pad.open("more")
    pad.page.get_by_role("button", name="My row").tap()
    # So soon after, in about the same place, it would be a finger that trembles.
    pad.rest()
    pad.page.get_by_role("button", name="None of them").tap()
    expect(pad.page.locator(".mine")).to_have_count(0)


@pytest.mark.parametrize(
    ("plan", "hands", "said"),
    [({"hands": 3}, 2, "Cy deals one card"), ({"peak": 2, "extra_rounds": 0}, 3, "Di deals one card")],
)
def test_the_last_hand_is_called_the_last(phone: Page, plan: dict[str, int], hands: int, said: str) -> None:
    Pad(phone, 4, hands=hands, plan=plan)
    expect(phone.locator(".facts")).to_have_text(re.compile(rf"Last hand:\s+{said}"))
