"""A finger that trembles: every button of a whole hand is tapped twice, and nothing is entered twice."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pads import Pad
from tests.browser.taps import Finger
from tests.browser.waits import settled

TWICE = """([x, y]) => {
  for (let i = 0; i < 2; i++) {
    const under = document.elementFromPoint(x, y);
    if (!under.closest('#pad.resting') || getComputedStyle(under).pointerEvents !== 'none') under.click();
  }
}"""


#: The pad takes two taps on one key for two from 120 ms on.
TAPS_A_SECOND = 12


def tap_twice(pad: Pad, what: str, *, quickly: bool) -> None:
    """Tap where the button is, and again where it was, whatever is there by then."""
    place = pad.page.locator(what).first
    box = place.bounding_box()
    assert box, what
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if quickly:
        pad.page.evaluate(TWICE, [x, y])
    else:
        Finger(pad.page).type([(x, y)] * 2, TAPS_A_SECOND)


def play_a_hand_twice(pad: Pad, *, quickly: bool) -> None:
    page = pad.page

    def twice(what: str) -> None:
        tap_twice(pad, what, quickly=quickly)
        pad.rest()

    twice(".trump button[value='H']")
    twice(".keys button[value='2']")
    assert pad.due == "Cy"
    twice(".back")
    assert pad.due == "Bo"
    for number, due in ((2, "Cy"), (0, "Di"), (1, "Ed"), (3, "Flo"), (0, "Ann")):
        twice(f".keys button[value='{number}']")
        assert pad.due == due
    twice(".keys .no")
    assert pad.due == "Ann"
    twice(".keys button[value='2']")
    assert page.locator(".step input").evaluate_all("all => all.map(i => i.value)") == ["2", "2", "0", "1", "3", "0"]
    for what in ("[aria-label='Ed one fewer']",):
        twice(what)
    twice("[aria-label='Cy one more']")
    # A tap on - or + is one trick, so that two taps are two.
    assert page.locator(".step input").evaluate_all("all => all.map(i => i.value)") == ["2", "2", "2", "1", "1", "0"]
    pad.fewer("Cy")
    twice(".go")
    expect(page.locator("h1")).to_have_text("Hand 8 of 18")
    assert pad.due == "Cy"
    pad.is_saved()
    reading = pad.scorer.reading
    assert reading.next_hand == 8
    assert reading.sheet.rows[-1].points == {1: 7, 2: 7, 3: -1, 4: 6, 5: -3, 6: 5}
    assert [address for address in reading.entries if address[0] == 8] == []
    twice(".back")
    expect(page.locator(".go")).to_have_text("Score hand 7")
    pad.is_saved()
    assert (7, "bid-1") in pad.scorer.reading.entries
    assert (7, "tricks") not in pad.scorer.reading.entries


@pytest.mark.journey
def test_a_whole_hand_tapped_twice_at_once_is_entered_once(phone: Page) -> None:
    play_a_hand_twice(Pad(phone, 6, hands=6, plan={"peak": 8}), quickly=True)


def test_a_whole_hand_double_tapped_with_a_finger_is_entered_once(phone: Page) -> None:
    play_a_hand_twice(Pad(phone, 6, hands=6, plan={"peak": 8}), quickly=False)


def test_no_tap_is_taken_for_half_a_second_after_the_pad_has_turned(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1)
    pad.bid(1, 1, 1)
    turned = """(last) => {
      if (last) document.querySelector(last).click();
      const count = () => document.querySelector('.step input').value;
      const before = count();
      document.querySelector(".step button[name='more']").click();
      return [document.getElementById('pad').classList.contains('resting'), before === count()];
    }"""
    assert phone.evaluate(turned, ".keys button[value='0']") == [True, True]
    pad.rest()
    assert phone.evaluate(turned) == [False, False]


def test_a_link_that_has_come_under_the_finger_is_not_followed(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1)
    pad.bid(1, 1, 1)
    left_for: list[str] = []
    phone.on("request", lambda asked: left_for.append(asked.url) if asked.is_navigation_request() else None)
    follow = """() => {
      document.querySelector(".keys button[value='0']").click();
      document.querySelector('#reason a').click();
    }"""
    phone.evaluate(follow)
    settled(phone)
    assert left_for == []
    expect(phone.locator("dialog[open]")).to_have_count(0)
    assert phone.url.endswith(pad.url("pad"))


def test_the_next_bidder_of_the_same_number_is_not_kept_waiting(phone: Page) -> None:
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    for name in ("Bo", "Cy", "Di", "Ed"):
        assert pad.due == name
        pad.bid(0)
    # Other keys can follow as fast as a finger goes.
    pad.tap(pad.key(1))
    assert pad.due == "Ann"
    pad.tap(pad.key(0))
    expect(pad.score).to_be_visible()
