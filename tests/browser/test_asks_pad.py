"""A game that is written down ask by ask is kept on a phone: the page has all of it, the script shows what is due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pads import A_MOMENT, Pad
from tests.sixth.visit import HERE, sixth_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def marbles(tmp_path: Path) -> Iterator[None]:
    with sixth_game(tmp_path):
        yield


@pytest.fixture
def own(tmp_path: Path, phone: Page) -> Iterator[Pad]:
    """The same game with a page of its own."""
    with sixth_game(tmp_path, (HERE / "marbles.html").read_text()):
        yield Pad(phone, 4, game="marbles", plan={})


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


def test_a_page_of_its_own_sends_with_a_tap_and_what_is_revealed_is_needed(own: Pad) -> None:
    page = own.page
    strip = page.locator(".strip")
    expect(strip).to_contain_text("nobody has hit yet")
    own.tap(page.get_by_role("button", name="Di", exact=True))
    expect(strip).to_contain_text(", Di first")
    own.rest()
    # The glass one is asked for where it is shown, and only there.
    own.tap(page.get_by_label("Seven", exact=True))
    assert shown(page) == ["ring"]
    page.screenshot(path="/tmp/pad6.png")
    own.tap(page.get_by_label("rain"))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    assert shown(page) == ["marbles"]
    own.is_saved()
    assert own.pencil.reading.entries[1, "ring"] == {"card": "7", "rain": True, "glass": 3}
    expect(strip).to_contain_text("here lay the 7")
    own.rest()
    # It was not the seven.
    own.tap(strip.get_by_role("link", name="wrong?"))
    assert shown(page) == ["shooter"]
    own.rest()
    own.tap(page.get_by_role("button", name="Nobody"))
    assert shown(page) == ["marbles"]
    own.is_saved()
    assert own.pencil.reading.entries[1, "shooter"] == {}
    expect(strip).to_contain_text(", nobody first")
    own.tap(own.back)
    own.is_saved()
    assert own.pencil.reading.entries[1, "shooter"] == {"first": 4}


def test_what_cannot_be_is_not_offered_and_an_ask_that_may_be_left_out_is_opened(own: Pad) -> None:
    page = own.page
    own.tap(page.get_by_role("button", name="Di", exact=True))
    own.rest()
    own.tap(page.get_by_role("link", name="slipped?"))
    assert shown(page) == ["ring"]
    own.tap(page.get_by_label("Seven", exact=True))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    own.is_saved()
    own.rest()
    own.tap(page.get_by_role("link", name="slipped?"))
    assert shown(page) == ["slip"]
    own.rest()
    expect(page.get_by_role("button", name="Di", exact=True)).to_be_disabled()
    own.tap(page.get_by_role("button", name="Bo", exact=True))
    assert shown(page) == ["marbles"]
    own.is_saved()
    assert own.pencil.reading.entries[1, "slip"] == {"who": 2}
    expect(page.get_by_role("link", name="Bo slipped?")).to_be_visible()


def test_counts_come_to_their_sum(own: Pad) -> None:
    page = own.page
    own.tap(page.get_by_role("button", name="Di", exact=True))
    own.rest()
    own.tap(page.get_by_label("Nine", exact=True))
    own.tap(page.locator(".glass").get_by_label("Cy"))
    own.rest()
    go, reason = page.locator("section[data-ask=marbles] .go"), page.locator("section[data-ask=marbles] .reason")
    expect(go).to_have_attribute("aria-disabled", "true")
    own.tap(go)
    expect(reason).to_have_text("Seven missing: they come to 7.")
    for name in ("Ann", "Ann", "Bo", "Cy"):
        page.get_by_role("button", name=f"{name} one more").tap()
    counts = page.locator("section[data-ask=marbles] input.num")
    assert counts.evaluate_all("all => all.map(one => one.value)") == ["2", "1", "1", "3"]
    expect(go).not_to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Di one more").tap()
    own.page.wait_for_timeout(A_MOMENT)
    own.tap(go)
    expect(reason).to_have_text("One too many: they come to 7.")
    page.get_by_role("button", name="Di one fewer").tap()
    own.page.wait_for_timeout(A_MOMENT)
    own.tap(go)
    own.is_saved()
    assert own.title == "Hand 2"
    assert own.totals() == {"Ann": 2, "Bo": 1, "Cy": 3, "Di": 3}
