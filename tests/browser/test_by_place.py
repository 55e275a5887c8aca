"""Standing by place: on the watch page it is switched to and follows, on the pad it works without network."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pads import Pad, is_dressed, unplug
from tests.browser.test_pad_page import BOTH
from tests.browser.waits import settled, wait_until
from tests.factories import Scorer, scorer

#: Every movement that a script begins is written down, with what it moves; and how often the rows were drawn.
WATCHED_MOVES = """window.moves = [];
window.drawn = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, ...more) {
  window.moves.push([this.dataset.placeOf, frames.map((frame) => Object.keys(frame).join())].flat());
  return animate.call(this, frames, ...more);
};
const look = Element.prototype.checkVisibility;
Element.prototype.checkVisibility = function (...how) {
  window.drawn += this.matches(".by-place");
  return look.apply(this, how);
};"""
#: They never arrive.
SLOW_MOVES = WATCHED_MOVES.replace(
    "animate.call(this, frames, ...more)", "animate.call(this, frames, { duration: 1e9 })"
)


@pytest.fixture
def p(transactional_db: None) -> Scorer:
    """Four hands of one card. After the first Ann is last: Bo bids first in the second."""
    kept = scorer(4, plan={"peak": 1})
    kept.hand({1: 0, 2: 0, 3: 0, 4: 0}, {1: 1, 2: 0, 3: 0, 4: 0})
    return kept


def names(rows: Locator) -> list[str]:
    return rows.locator("[data-place-of] .name").all_inner_texts()


@pytest.mark.journey
def test_watcher_turns_to_the_places_which_follow_by_the_same_poll_and_glide(
    p: Scorer, phone: Page, axe: Callable[[Page], None]
) -> None:
    phone.add_init_script(WATCHED_MOVES)
    there = f"/watch/{p.sheet.watch}/"
    phone.goto(there)
    rows = phone.locator("ol.by-place")
    expect(rows).to_be_hidden()
    phone.get_by_role("link", name="By place").tap()
    expect(rows).to_be_visible()
    expect(phone.locator("#sheet")).to_be_hidden()
    axe(phone)
    assert names(rows) == ["Bo", "Cy", "Di", "Ann"]
    phone.goto(there)
    expect(rows).to_be_visible()
    polls: list[str] = []
    phone.on("request", lambda request: polls.append(urlsplit(request.url).path))
    p.hand({1: 1, 2: 1, 3: 1, 4: 1}, {1: 1, 2: 0, 3: 0, 4: 0})
    expect(rows.locator("li").first).to_contain_text("Ann")
    assert names(rows) == ["Ann", "Bo", "Cy", "Di"]
    expect(rows.locator("li").first).to_contain_text(re.compile(r"made\s+1 of 2\s*last hand\s+\+6\s*5"))
    assert sorted(phone.evaluate("moves")) == [[seat, "transform", "transform"] for seat in "1234"]
    settled(phone)
    assert set(polls) <= {f"{there}rows/", "/healthz"}
    phone.emulate_media(reduced_motion="reduce")
    p.hand({1: 1, 2: 1, 3: 1, 4: 0}, {1: 0, 2: 0, 3: 1, 4: 0})
    expect(rows.locator("li").first).to_contain_text("Cy")
    assert len(phone.evaluate("moves")) == 4, "nothing glides for who wants no motion"
    phone.get_by_role("link", name="By seat").tap()
    expect(phone.locator("#sheet")).to_be_visible()
    phone.reload()
    expect(rows).to_be_hidden()


def same_by_place(pad: Pad) -> None:
    """The script draws the rows by place as the site renders them."""
    pad.is_saved()
    site, script = (rows_in(page) for page in pad.page.evaluate(BOTH, f"{pad.url('pad')}?by=place"))
    assert script == site


def rows_in(page: str) -> list[str]:
    """The list by place of a page in short."""
    found = re.search(r"<ol [^>]*by-place.*?</ol>", page, re.DOTALL)
    assert found
    return found[0].split("\n")


@pytest.mark.usefixtures("off_the_net")
def test_pad_turns_its_rows_over_and_goes_on_without_network(phone: Page, axe: Callable[[Page], None]) -> None:
    phone.add_init_script(SLOW_MOVES)
    pad = Pad(phone, 4, plan={"peak": 1})
    pad.scorer.hand({1: 0, 2: 0, 3: 0, 4: 0}, {1: 1, 2: 0, 3: 0, 4: 0})
    pad.load()
    is_dressed(phone)
    pad.open("places")
    rows = phone.locator("ol.by-place")
    expect(rows).to_be_visible()
    same_by_place(pad)
    axe(phone)
    unplug(phone)
    pad.rest()
    pad.bids({3: 1, 4: 1, 1: 1, 2: 1}, [3, 4, 1, 2])
    # Tricks are counted by seat.
    expect(rows).to_have_count(0)
    for name in ("Bo", "Cy", "Di"):
        pad.fewer(name)
    pad.tap(pad.score)
    expect(rows).to_be_visible()
    assert names(rows) == ["Ann", "Bo", "Cy", "Di"]
    expect(rows.locator("li").first).to_contain_text(re.compile(r"1 of 2\s*last hand \+6\s*5"))
    # Nobody glides again where the pad is drawn while they are on their way.
    drawn = phone.evaluate("drawn")
    phone.evaluate("dispatchEvent(new Event('online'))")
    wait_until(phone, "before => drawn > before", drawn)
    assert sorted(phone.evaluate("moves.map(([seat]) => seat)")) == ["1", "2", "3", "4"]
    pad.rest()
    pad.tap(pad.back)
    pad.rest()
    expect(rows).to_have_count(0)
    pad.open("places")
    expect(rows.locator("li").first).to_contain_text(re.compile(r"Bo\s*made 1 of 1\s*last hand \+5\s*5"))
    pad.rest()
    pad.open("places")
    pad.tap(pad.score)
    phone.context.set_offline(False)
    expect(rows).to_be_visible()
    pad.rest()
    same_by_place(pad)
    assert pad.scorer.reading.next_hand == 3


@pytest.mark.parametrize("game", ["dingo", "dirty-deals"])
def test_a_pad_of_prompts_shows_the_places_in_the_place_of_the_scores(phone: Page, game: str) -> None:
    pad = Pad(phone, game=game)
    pad.scorer.any_hand()
    pad.load()
    is_dressed(phone)
    pad.open("places")
    expect(phone.locator("#by-place")).to_be_visible()
    expect(phone.locator(".scores")).to_be_hidden()
    same_by_place(pad)
    pad.rest()
    pad.open("places")
    expect(phone.locator(".scores").first).to_be_visible()
