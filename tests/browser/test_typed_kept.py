"""What was being typed stays when another phone writes: “Look” shows what differs and throws nothing away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.commands import enter
from scoresheets.commands.last_hand import announce
from tests.browser.pads import Pad
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.allow_statuses(409, 422)

TRICKS = "all => all.map((one) => Number(one.value))"


@pytest.fixture
def pad(phone: Page) -> Pad:
    """Four at hand 2 (two cards), all have bid; Cy bid first."""
    pad = Pad(phone, 4, hands=1)
    pad.bid(1, 1, 1, 1)
    pad.rest()
    pad.is_saved()
    return pad


def look(pad: Pad) -> None:
    pad.page.locator(".bar").get_by_role("button", name="Look").tap()


def counts(pad: Pad) -> list[int]:
    return pad.page.locator(".step input").evaluate_all(TRICKS)


@pytest.mark.journey
def test_what_was_counted_stays_when_the_news_is_about_something_else(pad: Pad) -> None:
    pad.fewer("Cy")
    sure_of(announce(pad.scorer.sheet, None, key=new_key(), by=pad.marge.by))
    expect(pad.page.locator(".bar")).to_contain_text("announced")
    look(pad)
    expect(pad.page.locator(".facts")).to_contain_text("2 cards")
    assert counts(pad) == [1, 1, 0, 1]
    assert pad.page.locator("li.touched").count() == 1


def test_what_was_counted_stays_when_a_bid_was_put_right_meanwhile(pad: Pad) -> None:
    pad.fewer("Cy")
    marge = pad.marge
    saw = marge.reading.standing[2, "bid-4"].pk
    sure_of(enter.retype(marge.sheet, (2, "bid-4"), {"bid": 2}, saw=saw, key=new_key(), by=marge.by))
    expect(pad.page.locator(".bar")).to_contain_text("Marge changed Di’s bid: 2.")
    look(pad)
    expect(pad.page.get_by_label("Di bid 2. I typed it wrong")).to_be_visible()
    assert counts(pad) == [1, 1, 0, 2]
    # This phone wrote the bid that was changed, and is told so.
    expect(pad.page.locator(".bar")).to_contain_text("Hand 2: Marge changed Di’s bid: 1 → 2.")
    pad.rest()
    pad.page.locator(".bar").get_by_role("button", name="OK").tap()
    expect(pad.page.locator(".bar")).to_have_count(0)


def test_other_numbers_of_a_hand_that_was_scored_meanwhile_are_shown_beside_those_counted_here(pad: Pad) -> None:
    for name in ("Cy", "Di"):
        pad.fewer(name)
    sure_of(pad.marge.tricks({1: 1, 2: 0, 3: 0, 4: 1}))
    expect(pad.page.locator(".bar")).to_contain_text("Marge entered the tricks.")
    look(pad)
    panel = pad.page.get_by_role("dialog")
    expect(panel).to_contain_text("Marge entered Bo 0, Di 1")
    expect(panel).to_contain_text("this phone entered Bo 1, Di 0")
    panel.get_by_role("button", name="Close").tap()
    expect(pad.page.locator(".bar")).to_contain_text("Hand 2: Bo 0 or 1? Di 1 or 0?")
    look(pad)
    # Of a scored hand it is shown first what changes.
    panel.get_by_role("link", name="Use Bo 1, Di 0").tap()
    pad.page.get_by_role("button", name="Confirm").tap()
    pad.page.wait_for_url("**/pad/")
    assert pad.scorer.reading.entries[2, "tricks"] == {"tricks-1": 1, "tricks-2": 1, "tricks-3": 0, "tricks-4": 0}
    # Back at the pad both agree, and nothing is asked any more.
    pad.load()
    pad.is_saved()
    expect(pad.page.locator(".bar")).to_have_count(0)


def test_the_same_numbers_are_no_question(pad: Pad) -> None:
    for name in ("Cy", "Di"):
        pad.fewer(name)
    sure_of(pad.marge.tricks({1: 1, 2: 1, 3: 0, 4: 0}))
    expect(pad.page.locator(".bar")).to_contain_text("Marge entered the tricks.")
    look(pad)
    pad.is_saved()
    expect(pad.page.locator("h1")).to_have_text("Hand 3 of 4")
    expect(pad.page.locator(".bar")).to_have_count(0)


def test_half_counted_numbers_are_shown_too(pad: Pad) -> None:
    pad.fewer("Cy")
    sure_of(pad.marge.tricks({1: 1, 2: 0, 3: 0, 4: 1}))
    expect(pad.page.locator(".bar")).to_contain_text("Marge entered the tricks.")
    look(pad)
    expect(pad.page.get_by_role("dialog")).to_contain_text("this phone entered Bo 1")
    pad.page.get_by_role("button", name="Keep Bo 0").tap()
    pad.is_saved()
    expect(pad.page.locator(".bar")).to_have_count(0)


def test_what_was_counted_waits_for_a_bid_that_was_taken_back(pad: Pad) -> None:
    pad.fewer("Cy")
    marge = pad.marge
    version = marge.reading.standing[2, "bid-2"].first
    sure_of(enter.undo(marge.sheet, version, key=new_key(), by=marge.by))
    expect(pad.page.locator(".bar")).to_contain_text("Marge took something back.")
    look(pad)
    pad.rest()
    pad.bid(1)
    pad.rest()
    assert counts(pad) == [1, 1, 0, 1]
    assert pad.page.locator("li.touched").count() == 1


# Game by game: what was chosen and not sent


def test_choice_that_was_not_sent_stays_or_is_shown_beside_what_another_phone_wrote(
    open_page: Callable[..., Page],
) -> None:
    page = open_page()
    pad = Pad(page, 2, game="hotdog")
    bid = page.locator("[data-ask=bid]")
    bo = bid.locator(".side:has([name=f-picker][value='2'])")
    bo.locator("label.ketchup").tap()
    chosen = bid.locator("input:checked").evaluate_all("all => all.map(({ name, value }) => `${name} ${value}`)")
    page.reload()
    expect(bid.locator("input:checked")).to_have_count(len(chosen))
    sure_of(pad.marge.enter_step(1, "bid", {"picker": 1, "topping": "ketchup", "trump": "H"}))
    expect(page.locator(".bar")).to_contain_text("Marge entered")
    look(pad)
    expect(page.get_by_role("dialog")).to_contain_text("picker Ann")
    expect(page.get_by_role("dialog")).to_contain_text("this phone entered picker Bo")
