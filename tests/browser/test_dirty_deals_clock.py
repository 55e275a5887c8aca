"""The clock of a negotiation: on the pad, on the phones in the kitchen, without network, and whether it rings."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.claims import Claims
from tests.browser.conftest import DESK, PHONE
from tests.browser.pads import is_dressed, unplug
from tests.browser.waits import wait_for

#: Three minutes have just begun.
BEGUN = re.compile(r"^(3:00|2:5\d)$")
#: A phone whose own time can be set, and whose loudspeaker is only counted.
TOYS = """
  window.skew = Number(localStorage.skew ?? 0);
  const real = Date.now.bind(Date);
  Date.now = () => real() + window.skew;
  window.rang = 0;
  const node = { connect: (other) => other, frequency: {}, start() { window.rang += 1; }, stop() {} };
  node.gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
  window.AudioContext = class {
    state = 'suspended';
    currentTime = 0;
    resume() { this.state = 'running'; return Promise.resolve(); }
    createOscillator() { return node; }
    createGain() { return node; }
  };
"""


#: The clock looks at the time at once, as a page does that comes into sight.
LOOK_AGAIN = "() => { document.dispatchEvent(new Event('visibilitychange')) }"


@pytest.fixture
def pad(phone: Page) -> Claims:
    phone.add_init_script(TOYS)
    return Claims(phone)


def left(page: Page) -> str:
    """What is left, as the page shows it."""
    return page.locator(".clock .left").inner_text()


def later(page: Page, seconds: int) -> None:
    """So many seconds pass on this phone."""
    page.evaluate("seconds => { window.skew += seconds * 1000 }", seconds)


@pytest.mark.journey
def test_negotiation_runs_down_and_is_ended_by_a_tap_as_often_as_the_table_likes(pad: Claims) -> None:
    page = pad.page
    expect(page.locator(".clock")).to_be_hidden()
    for times in (1, 2):
        pad.negotiate()
        expect(page.locator(".clock .left")).to_have_text(BEGUN)
        expect(page.get_by_role("button", name="Negotiate")).to_be_hidden()
        pad.tap(page.get_by_role("button", name="End it"))
        pad.rest()
        expect(page.locator(".clock")).to_be_hidden()
        pad.is_saved()
        assert len(pad.scorer.reading.sheet.open.events) == 2 * times
    assert pad.title == "Hand 1"
    pad.claim("Ann", "H", "Bo", 4)
    pad.is_saved()
    assert pad.totals()["Ann"] == 5, "talk changes nothing"


def test_it_runs_from_when_it_was_written_whatever_this_phone_thinks_the_time_is(pad: Claims) -> None:
    page = pad.page
    page.evaluate("localStorage.skew = 3600000")
    page.reload()
    assert page.evaluate("Date.now() - new Date().getTime()") > 3_500_000
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):
        pad.negotiate()
    pad.is_saved()
    expect(page.locator(".clock")).not_to_have_attribute("data-here", "")
    page.evaluate(LOOK_AGAIN)
    expect(page.locator(".clock .left")).to_have_text(BEGUN)
    page.reload()
    expect(page.locator(".clock .left")).to_have_text(BEGUN)
    standing = pad.scorer.reading.standing[1, "negotiation-1"]
    ends = page.locator(".clock").get_attribute("data-ends")
    assert page.evaluate("ends => Date.parse(ends)", ends) == pytest.approx(
        1000 * (standing.at.timestamp() + 180), abs=1001
    )


def test_first_start_asks_whether_to_ring_and_this_phone_remembers(pad: Claims) -> None:
    page, question = pad.page, pad.page.get_by_text("Ring when time is up?")
    pad.negotiate()
    expect(question).to_be_visible()
    pad.tap(page.get_by_role("button", name="Yes"))
    expect(question).to_be_hidden()
    expect(page.get_by_role("button", name="Rings when time is up")).to_be_visible()
    later(page, 178)
    expect(page.locator(".clock .up")).to_have_text("Time is up.")
    assert page.evaluate("window.rang") == 3
    page.evaluate(LOOK_AGAIN)
    assert page.evaluate("window.rang") == 3, "and not again"
    expect(page.get_by_role("button", name="Negotiate")).to_be_visible()
    pad.negotiate()
    expect(question).to_be_hidden()
    bell = page.locator(".bell")
    expect(bell).to_have_attribute("aria-label", "Rings when time is up")
    pad.tap(bell)
    expect(bell).to_have_attribute("aria-label", "Does not ring")


def test_phone_that_said_no_shows_it_and_is_silent(pad: Claims) -> None:
    page = pad.page
    pad.negotiate()
    pad.tap(page.get_by_role("button", name="No", exact=True))
    later(page, 181)
    expect(page.locator(".clock .up")).to_have_text("Time is up.")
    assert page.evaluate("window.rang") == 0


def test_who_comes_late_sees_that_time_is_up_and_hears_nothing(pad: Claims) -> None:
    page = pad.page
    pad.negotiate()
    pad.tap(page.get_by_role("button", name="Yes"))
    pad.is_saved()
    page.evaluate("localStorage.skew = 0")
    page.reload()
    # A finger was on the page: it could ring.
    pad.tap(page.locator("#pad h1"))
    # Before the site was asked for the time, this phone's counts: it was three minutes ago.
    later(page, 300)
    expect(page.locator(".clock .up")).to_have_text("Time is up.")
    assert page.evaluate("window.rang") == 0


def test_negotiation_is_taken_back_and_its_end_too(pad: Claims) -> None:
    page = pad.page
    pad.negotiate()
    pad.is_saved()
    pad.tap(page.get_by_role("button", name="End it"))
    pad.rest()
    pad.is_saved()
    expect(pad.back).to_contain_text("a negotiation")
    pad.tap(pad.back)
    pad.rest()
    pad.is_saved()
    expect(page.locator(".clock .left")).to_have_text(BEGUN)
    pad.tap(pad.back)
    pad.rest()
    pad.is_saved()
    expect(page.locator(".clock")).to_be_hidden()
    assert pad.scorer.reading.sheet.open.events == ()


def test_phones_in_the_kitchen_follow_the_clock(
    pad: Claims, open_page: Callable[..., Page], axe: Callable[[Page], None]
) -> None:
    kitchen, telly = open_page(PHONE), open_page(DESK)
    kitchen.add_init_script(TOYS)
    answers: list[int] = []
    kitchen.on("response", lambda answer: answers.append(answer.status) if "rows" in answer.url else None)
    kitchen.goto(f"/watch/{pad.scorer.sheet.watch}/")
    telly.goto(f"/watch/{pad.scorer.sheet.watch}/table/")
    expect(kitchen.locator(".clock")).to_be_hidden()
    pad.negotiate()
    for page in (kitchen, telly):
        expect(page.locator(".clock .left")).to_have_text(BEGUN)
        expect(page.locator(".clock")).to_contain_text("Negotiation")
        axe(page)
    answers.clear()
    wait_for(kitchen, lambda: len(answers) >= 2)
    assert set(answers) == {204}, "nothing is sent while nothing is written"
    kitchen.get_by_role("button", name="Yes").tap()
    left, bell = (kitchen.locator(part).bounding_box() for part in (".clock .left", ".clock .bell"))
    assert left
    assert bell
    assert bell["y"] < left["y"] + left["height"], "the bell stands beside the time"
    later(kitchen, 170)
    expect(kitchen.locator(".clock .up")).to_have_text("Time is up.")
    assert kitchen.evaluate("window.rang") == 3
    assert kitchen.context.cookies() == []
    pad.tap(pad.page.get_by_role("button", name="End it"))
    for page in (kitchen, telly):
        expect(page.locator(".clock")).to_be_hidden()


@pytest.mark.usefixtures("off_the_net")
def test_negotiation_without_network_counts_down_here(pad: Claims) -> None:
    page = pad.page
    pad.is_saved()
    is_dressed(page)
    unplug(page)
    pad.negotiate()
    expect(page.locator(".clock .left")).to_have_text(BEGUN)
    later(page, 60)
    expect(page.locator(".clock .left")).to_have_text(re.compile(r"^(2:00|1:5\d)$"))
    page.context.set_offline(False)
    page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()
    assert pad.scorer.reading.sheet.open.events[0].kind == "negotiation"
    expect(page.locator(".clock")).not_to_have_attribute("data-here", "")


def test_house_without_a_clock_has_none(phone: Page) -> None:
    pad = Claims(phone, house_rules={"negotiation_minutes": 0})
    expect(phone.get_by_text("Who claims?")).to_be_visible()
    assert phone.get_by_role("button", name="Negotiate").count() == 0
    assert phone.locator("#pad .clock").count() == 0
    pad.claim("Ann", "H", "Bo", 4)
    pad.is_saved()
    assert pad.totals()["Ann"] == 5
