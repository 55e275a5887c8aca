"""A game that is written down ask by ask is kept on a phone: the page has all of it, the script shows what is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pads import A_MOMENT, Pad
from tests.sixth.visit import sixth_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def marbles(tmp_path: Path) -> Iterator[None]:
    with sixth_game(tmp_path):
        yield


@pytest.fixture
def pad(marbles: None, phone: Page) -> Pad:
    """Four players at a game that has no page of its own."""
    return Pad(phone, 4, game="marbles", plan={})


def shown(page: Page) -> list[str]:
    """The asks in front of the scorekeeper."""
    return page.eval_on_selector_all(
        "section[data-ask]", "all => all.filter(one => one.checkVisibility()).map(one => one.dataset.ask)"
    )


def test_one_ask_is_in_front_and_a_tap_goes_on_to_the_next(pad: Pad) -> None:
    page = pad.page
    page.screenshot(path="/tmp/pad1.png")
    assert shown(page) == ["shooter"]
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name="Bo", exact=True))
    assert shown(page) == ["ring"]
    pad.rest()
    page.screenshot(path="/tmp/pad2.png")
    pad.tap(page.get_by_role("button", name="Write it down").locator("visible=true"))
    page.screenshot(path="/tmp/pad3.png")
    pad.tap(page.get_by_label("Seven", exact=True))
    pad.tap(page.get_by_label("it rained"))
    page.wait_for_timeout(A_MOMENT)
    pad.tap(page.get_by_role("button", name="Write it down").locator("visible=true"))
    assert shown(page) == ["marbles"]
    pad.rest()
    page.screenshot(path="/tmp/pad4.png")
    pad.is_saved()
    assert pad.pencil.reading.entries[1, "ring"] == {"card": "7", "rain": True}
    expect(pad.back).to_contain_text("Take back")


def ring(pad: Pad, first: str, *kept: int) -> None:
    """A whole ring: who hit first, the two, and who kept how many."""
    page = pad.page
    pad.tap(page.locator("section[data-ask=shooter]").get_by_role("button", name=first, exact=True))
    pad.rest()
    pad.tap(page.locator("section[data-ask=ring]").get_by_label("Two", exact=True))
    pad.tap(page.locator("section[data-ask=ring] .go"))
    pad.rest()
    steps = page.locator("section[data-ask=marbles] .step")
    for at, count in enumerate(kept):
        steps.nth(at).locator("input").fill(str(count))
    pad.tap(page.locator("section[data-ask=marbles] .go"))
    pad.rest()


@pytest.mark.usefixtures("off_the_net")
def test_rings_go_on_without_network_and_their_points_come_with_it(pad: Pad) -> None:
    page = pad.page
    ring(pad, "Ann", 4, 3, 0)
    pad.is_saved()
    assert pad.title == "Hand 2"
    assert pad.totals() == {"Ann": 4, "Bo": 3, "Cy": 0, "Di": 0}
    page.wait_for_timeout(2500)
    page.context.set_offline(True)
    ring(pad, "Bo", 1, 5, 1)
    assert pad.title == "Hand 3"
    page.wait_for_timeout(5000)
    page.screenshot(path="/tmp/pad5.png")
    expect(page.locator(".top .line")).to_have_text("no connection: hand 2 waits for its points")
    expect(page.locator(".top .facts")).to_contain_text("Cy deals")
    ring(pad, "Cy", 0, 0, 0)
    assert pad.title == "Hand 4"
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    expect(page.locator(".top .line")).to_be_hidden()
    assert pad.totals() == {"Ann": 5, "Bo": 8, "Cy": 1, "Di": 7}
