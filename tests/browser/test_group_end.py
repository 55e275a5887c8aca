"""A group of a play-off ends with a tie across the line, on the phone that keeps its sheet (Rule 14)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from rules.core.stakes import group
from scoresheets.commands.ruling import rule_cut
from tests.browser.pads import Pad
from tests.browser.test_pad_page import same
from tests.factories import new_key, sure_of

SIX = ["Ann", "Bo", "Cy", "Di", "Ed", "Wolfeschlegelsteinhausenbergerdorff Nan"]
TIED = "are tied for the last place through."


def in_view(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.journey
def test_tie_for_the_last_place_is_played_out_on_the_phone(phone: Page, axe: Callable[[Page], None]) -> None:
    pad = Pad(phone, SIX, plan={"hands": 1}, decides=group(3))
    order = pad.scorer.reading.sheet.open.hand.order
    # Bo has 6, Ann is set; the other four are level at 5 for two places.
    pad.bids({1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0}, order)
    pad.fewer("Ann")
    pad.tap(pad.score)
    expect(phone.locator("h1")).to_have_text("Blind hand for two places")
    expect(phone.get_by_text("are tied for the last two places through.")).to_be_visible()
    pad.rest()
    same(pad)
    in_view(phone)
    axe(phone)
    pad.bid(1, 0, 0)
    pad.bid(0, 5, 0)
    pad.rest()
    same(pad)
    pad.fewer("Ann")
    pad.tap(pad.score)
    expect(phone.locator("h1")).to_have_text("Blind hand 2 for a place")
    same(pad)
    # The organiser ends it from their own phone: the pad follows, and a tap on "take back" would bring it back.
    sure_of(rule_cut(pad.scorer.sheet, [5], key=new_key(), by=pad.marge.by, why="It is late"))
    phone.wait_for_url(f"**{pad.url('result')}")
    expect(phone.locator(".aloud")).to_contain_text("Through: Bo, ")
    expect(phone.get_by_text("The organiser’s ruling", exact=True)).to_be_visible()
    in_view(phone)
    axe(phone)
    phone.goto(pad.url("sheet"))
    in_view(phone)
    axe(phone)
