"""A phone that slept comes back to the same place, at the newest, and one that goes dark is told how not to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from rules import all_games
from rules.core.game import Game
from tests.browser.conftest import PHONE
from tests.browser.pads import Pad, is_dressed
from tests.browser.waits import FRAMES, settled, wait_for
from tests.factories import sure_of

#: The screen goes dark, and lights up again after so many seconds.
DARK = """() => {
  Object.defineProperty(document, 'hidden', { value: true, configurable: true });
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}"""
LIGHT = """(seconds) => {
  const now = Date.now.bind(Date);
  Date.now = () => now() + seconds * 1000;
  delete document.hidden;
  delete document.visibilityState;
  document.dispatchEvent(new Event('visibilitychange'));
}"""
#: What the line on top has said until now: some of it stands there for a moment only.
LISTEN = """() => {
  window.said = [];
  const hear = () => document.querySelectorAll('.top .line').forEach((line) => window.said.push(line.textContent));
  new MutationObserver(hear).observe(document.body, { childList: true, characterData: true, subtree: true });
}"""
#: Whether there is room under the letters for what hangs below the line: a letter hangs by a fifth of its size.
TAILS = """(line) => {
  const { fontSize, lineHeight, height } = getComputedStyle(line);
  return parseFloat(height) >= (parseFloat(lineHeight) + parseFloat(fontSize)) / 2 + parseFloat(fontSize) / 5 - 0.5;
}"""
NO_LOCK = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"
#: No page asks every few seconds: only because something has happened.
NEVER_BY_ITSELF = "window.setInterval = () => 0;"
LOCK = "navigator.wakeLock.request = async () => ({});"


@pytest.fixture
def pad(phone: Page) -> Pad:
    phone.add_init_script(LOCK)
    return awake(phone)


def awake(phone: Page) -> Pad:
    """A pad that has all it loads after it has opened, and has asked the site once what is new."""
    with phone.expect_response("**/state/**"):
        pad = Pad(phone, 4, hands=1)
    is_dressed(phone)
    return pad


def goes_dark(pad: Pad) -> None:
    pad.page.evaluate(DARK)


def wake(pad: Pad, seconds: int = 600) -> None:
    """Light up again."""
    pad.page.evaluate(LIGHT, seconds)


@pytest.mark.journey
def test_waking_leads_to_the_newest_at_once(phone: Page) -> None:
    phone.add_init_script(LOCK + NEVER_BY_ITSELF)
    pad = awake(phone)
    goes_dark(pad)
    sure_of(pad.marge.bid(3, 1))
    # What a phone does that hears of a network: in the dark it asks nothing.
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url) if "/state/" in request.url else None)
    phone.evaluate("dispatchEvent(new Event('online'))")
    settled(phone)
    assert asked == []
    assert pad.due == "Cy"
    phone.evaluate(LISTEN)
    wake(pad)
    expect(pad.page.locator(".pad h2 bdi")).to_have_text("Di")
    expect(pad.page.locator(".top .line")).to_be_empty()
    assert set(pad.page.evaluate("window.said")) - {""} == {"nothing is lost"}


def test_who_looked_away_for_a_moment_is_told_nothing(pad: Pad) -> None:
    goes_dark(pad)
    pad.page.evaluate(LISTEN)
    with pad.page.expect_response("**/state/**"):
        wake(pad, 1)
    pad.page.evaluate(FRAMES)
    assert set(pad.page.evaluate("window.said")) <= {""}
    assert pad.page.locator(".top .line").inner_text() == ""


def test_counts_are_where_they_were(pad: Pad) -> None:
    pad.bid(1, 1, 1, 1)
    pad.rest()
    pad.fewer("Cy")
    goes_dark(pad)
    wake(pad)
    assert pad.page.get_by_label("Cy took").input_value() == "0"


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_a_tap_whose_answer_fell_asleep_is_sent_again_at_once(pad: Pad) -> None:
    asleep: list[Route] = []
    pad.page.route("**/enter/", lambda route: asleep.append(route) if not asleep else route.fallback())
    pad.bid(1)
    wait_for(pad.page, lambda: asleep)
    goes_dark(pad)
    wake(pad)
    expect(pad.sent).to_have_attribute("data-state", "saved")
    assert pad.scorer.reading.entries[2, "bid-3"] == {"bid": 1}
    pad.page.unroute_all(behavior="ignoreErrors")


def test_where_the_browser_does_not_keep_it_lit_the_pad_says_once_how_to_set_the_phone(
    phone: Page, axe: Callable[[Page], None]
) -> None:
    phone.add_init_script(NO_LOCK)
    pad = Pad(phone, 6, hands=2)
    line = phone.locator(".top .line")
    expect(line).to_have_text("this phone may go dark: see More")
    assert line.evaluate(TAILS)
    axe(phone)
    pad.bid(0)
    expect(line).to_be_visible()
    pad.open("more")
    phone.get_by_role("button", name="Keep the screen on").tap()
    panel = phone.get_by_role("dialog", name="Keep the screen on")
    expect(panel).to_contain_text("Auto-Lock")
    expect(panel).to_contain_text("Android")
    axe(phone)
    panel.get_by_role("button", name="Close").tap()
    expect(line).to_be_empty()
    pad.load()
    is_dressed(phone)
    # What is said once is gone after ten seconds by itself: now, and not later.
    assert line.inner_text() == ""
    pad.open("more")
    expect(phone.get_by_role("button", name="Keep the screen on")).to_be_visible()


def test_who_has_not_looked_under_more_is_not_told_again(phone: Page) -> None:
    phone.add_init_script(NO_LOCK)
    pad = Pad(phone, 6, hands=2)
    line = phone.locator(".top .line")
    expect(line).to_be_visible()
    pad.load()
    is_dressed(phone)
    # What is said once is gone after ten seconds by itself: now, and not later.
    assert line.inner_text() == ""
    pad.open("more")
    expect(phone.get_by_role("button", name="Keep the screen on")).to_be_visible()


def test_a_phone_that_is_kept_lit_is_told_nothing(pad: Pad) -> None:
    assert pad.page.locator(".top .line").inner_text() == ""
    pad.open("more")
    expect(pad.page.get_by_role("button", name="Keep the screen on")).to_be_hidden()


#: Where everything is that a finger meets, and what lies over it; without what is said in the heading.
PLACES = """() => [...document.querySelectorAll('#pad :is(a, button, input, label, li, h2)')]
  .filter((part) => part.checkVisibility())
  .map((part) => [part, part.getBoundingClientRect()])
  .map(([part, { x, y, width, height }]) => {
    const over = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.line') !== null;
    return [part.textContent.trim(), x, y, width, height, over && width > 1];
  })"""
#: Milliseconds after which no line stands there any more.
A_WHILE = 20_000
WINDOWS = {"phone": (390, 664), "short": (360, 560), "on its side": (664, 390)}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_that_the_phone_may_go_dark_is_said_once_and_moves_and_covers_nothing(
    open_page: Callable[..., Page], game: Game, window: str
) -> None:
    width, height = WINDOWS[window]
    page = open_page(PHONE, viewport={"width": width, "height": height})
    page.add_init_script(NO_LOCK)
    page.clock.install()
    Pad(page, game.made_for[0], game=game.slug, **({} if game.pad == "bidding" else {"plan": {}}))
    before = page.evaluate(PLACES)
    line = page.locator(".top .line")
    expect(line).to_have_text("this phone may go dark: see More")
    assert page.evaluate(PLACES) == before
    assert not any(place[-1] for place in before)
    page.clock.fast_forward(A_WHILE)
    expect(line).to_have_text("")
    assert page.evaluate(PLACES) == before


def test_in_a_blind_hand_nothing_moves_for_it_either(phone: Page) -> None:
    phone.add_init_script(NO_LOCK)
    pad = Pad(phone, 4, plan={"peak": 1})
    for taker in (1, 1, 2, 2):
        pad.scorer.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})
    phone.evaluate("localStorage.clear()")
    pad.load()
    before = phone.evaluate(PLACES)
    expect(phone.locator(".top .line")).to_have_text("this phone may go dark: see More")
    assert phone.evaluate(PLACES) == before
