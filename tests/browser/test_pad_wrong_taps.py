"""Wrong taps: what is tapped twice, taken back or dealt again leaves nothing wrong behind."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE
from tests.browser.pads import Pad
from tests.browser.waits import wait_until
from tests.factories import sure_of
from tests.scoresheets.corrections.test_correct import corrected
from tests.scoresheets.corrections.test_setup import caught_and_dealt_anew

#: Every post of the pad: held back, it is a network that does not answer.
NOWHERE = re.compile("/(enter|undo|stop|misdeal|retype)/$")
COUNTS = "all => all.map(i => i.value).join(' ')"


@pytest.fixture
def pad(phone: Page) -> Pad:
    return Pad(phone, 6, hands=6, plan={"peak": 8})


def double_tap(pad: Pad, what: Locator) -> None:
    """Two taps of one finger in one place, whatever lies there at the second."""
    what.scroll_into_view_if_needed()
    box = what.bounding_box()
    assert box
    for _ in range(2):
        pad.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    pad.rest()


def bids(pad: Pad) -> list[object]:
    """The bids of the open hand, as they stand on the sheet."""
    pad.is_saved()
    opened = pad.scorer.reading.sheet.open
    assert opened
    return [step["bid"] for ask, step in opened.hand.steps.items() if ask.startswith("bid-")]


def test_a_number_that_is_tapped_twice_in_a_panel_is_no_bid_of_the_next_one(pad: Pad) -> None:
    pad.bid(2, 3)
    for number in range(8):
        pad.open("retype-2")
        double_tap(pad, pad.page.locator(f"#panel .keys button[value='{number}']"))
        assert bids(pad) == [number, 3]
        assert pad.due == "Di"
        expect(pad.page.locator("dialog[open]")).to_have_count(0)
        pad.rest()


@pytest.mark.parametrize("what", ["more", "sheet", "retype-2", "trump"])
def test_a_panel_that_is_opened_with_two_taps_stays_open_and_takes_none_of_them(pad: Pad, what: str) -> None:
    pad.tap(pad.page.locator(".trump button[value='H']"))
    pad.bid(2)
    double_tap(pad, pad.page.locator(f"#pad [data-open='{what}']"))
    expect(pad.page.locator("dialog[open]")).to_have_count(1)
    assert bids(pad) == [2]
    expect(pad.page.locator("h1")).to_have_text("Hand 7 of 18")


@pytest.mark.parametrize("what", ["Misdeal", "Save"])
def test_what_is_tapped_twice_under_more_does_nothing_beside(pad: Pad, what: str) -> None:
    pad.open("more")
    pad.page.locator("#turned-card").select_option("7H")
    double_tap(pad, pad.page.locator("#more").get_by_role("button", name=what))
    expect(pad.page.locator("dialog[open]")).to_have_count(0)
    assert bids(pad) == []
    assert pad.due == "Bo"


def test_a_hand_that_is_dealt_again_is_counted_anew(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1)
    pad.bid(1, 1, 1, 1)
    pad.rest()
    pad.more("Ann")
    pad.open("more")
    pad.tap(phone.get_by_role("button", name="Misdeal"))
    pad.rest()
    pad.bid(1, 1, 1, 1)
    pad.rest()
    assert phone.locator(".step input").evaluate_all(COUNTS) == "1 1 1 1"
    expect(phone.locator(".touched")).to_have_count(0)


def test_an_early_end_without_network_is_called_so_and_taken_back(phone: Page) -> None:
    pad = Pad(phone, 4, hands=2)
    phone.route(NOWHERE, lambda route: None)
    pad.bid(1)
    pad.open("more")
    pad.tap(phone.get_by_role("button", name="Stop here"))
    pad.rest()
    expect(pad.page.locator(".pad h2")).to_have_text("The game stops here.")
    expect(pad.back).to_have_text("Take back the early end")
    pad.tap(pad.back)
    pad.rest()
    assert pad.due == "Ann"
    phone.unroute(NOWHERE)
    pad.is_saved()
    assert bids(pad) == [1]


def blind_hand(pad: Pad, bid: int = 0) -> None:
    """A blind hand in which all bid the same."""
    pad.bid(*[bid] * 4)
    pad.rest()


def test_back_after_a_blind_hand_leads_to_the_blind_hand(phone: Page) -> None:
    pad = Pad(phone, 4, plan={"peak": 1})
    while pad.scorer.reading.sheet.open:
        pad.scorer.any_hand()
    pad.load()
    expect(phone.locator("h1")).to_have_text("Blind hand for the lead")
    expect(pad.back).to_have_text("Back to hand 4")
    blind_hand(pad)
    pad.count_out()
    pad.is_saved()
    pad.rest()
    expect(phone.locator("h1")).to_have_text("Blind hand 2 for the lead")
    expect(pad.back).to_have_text("Back to the blind hand")
    pad.tap(pad.back)
    expect(phone.locator("h1")).to_have_text("Blind hand for the lead")
    expect(pad.score).to_have_text("Score the blind hand")
    pad.is_saved()
    pad.rest()
    entries = pad.scorer.reading.entries
    assert (0, "tie-1-bid-1") in entries
    assert (0, "tie-1-tricks") not in entries


def test_back_from_the_blind_hand_without_network_is_the_last_hand_itself(phone: Page) -> None:
    pad = Pad(phone, 4, plan={"peak": 1})
    while pad.scorer.reading.sheet.open:
        pad.scorer.any_hand()
    pad.load()
    phone.route(NOWHERE, lambda route: None)
    pad.tap(pad.back)
    pad.rest()
    expect(phone.locator("h1")).to_have_text("Hand 4 of 4")
    pad.tap(pad.score)
    pad.rest()
    expect(phone.locator("h1")).to_have_text("The end")
    phone.unroute(NOWHERE)
    pad.is_saved()
    expect(phone.locator("h1")).to_have_text("Blind hand for the lead")


def test_a_number_typed_anew_goes_back_alone_also_without_network_where_others_bid_before_it_now(phone: Page) -> None:
    pad = Pad(phone, 4)
    caught_and_dealt_anew(pad.scorer)
    pad.load()
    wait_until(phone, "code => JSON.parse(localStorage.getItem(`kept-${code}`)).pad.whole", pad.code)
    phone.route(NOWHERE, lambda route: None)
    expect(pad.back).to_have_text("Take back Bo’s 0")
    pad.tap(pad.back)
    expect(pad.back).to_have_text("Take back Bo’s 1")
    pad.rest()
    pad.tap(pad.back)
    expect(pad.back).to_have_text("Take back Ann’s 1")


def test_a_change_of_two_bids_is_taken_back_as_one_also_without_network(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1)
    pad.bid(0, 0)
    assert bids(pad) == [0, 0]
    order = pad.scorer.reading.sheet.open.hand.order
    sure_of(corrected(pad.scorer, {(2, f"bid-{seat}"): {"bid": 1} for seat in order[:2]}))
    pad.load()
    expect(pad.back).to_have_text("Take back the change of hand 2")
    # The whole way back comes a moment after the page.
    wait_until(phone, "code => JSON.parse(localStorage.getItem(`kept-${code}`)).pad.whole", pad.code)
    phone.route(NOWHERE, lambda route: None)
    pad.tap(pad.back)
    expect(phone.locator(".seats .bid")).to_have_text(["not yet", "not yet", "0", "0"])
    expect(pad.back).to_have_text("Take back Di’s 0")
    phone.unroute(NOWHERE)
    assert bids(pad) == [0, 0]


def test_the_light_stays_in_sight_with_more_players_than_fit(phone: Page) -> None:
    pad = Pad(phone, [f"Player {k}" for k in range(1, 26)], hands=1)
    in_sight = """() => {
      const [light, frame] = ['li.now', '.seats'].map(what => document.querySelector(what).getBoundingClientRect());
      return light.top >= frame.top - 1 && light.bottom <= frame.bottom + 1;
    }"""
    out_of_sight = []
    for _ in range(24):
        if not phone.evaluate(in_sight):
            out_of_sight.append(pad.due)
        pad.bid(0)
    assert out_of_sight == []


@pytest.mark.parametrize("hands", range(4, 10))
def test_on_a_phone_lying_on_its_side_every_number_key_is_in_sight(open_page: Callable[..., Page], hands: int) -> None:
    page = open_page(PHONE | {"viewport": {"width": 664, "height": 390}})
    Pad(page, 4, hands=hands, plan={"peak": 10})
    outside = """keys => keys.map(key => [key.textContent, key.getBoundingClientRect()])
      .filter(([, at]) => at.right > innerWidth || at.bottom > innerHeight || at.width < 48)
      .map(([number]) => number)"""
    assert page.locator(".pad .keys button").evaluate_all(outside) == []


@pytest.mark.parametrize("hand", ["right", "left"])
def test_a_sign_stands_beside_the_drawn_mark_and_not_on_it(phone: Page, hand: str) -> None:
    pad = Pad(phone, 4, plan={"peak": 1})
    while pad.scorer.reading.sheet.open:
        pad.scorer.any_hand()
    pad.load()
    phone.evaluate("hand => document.documentElement.setAttribute('data-hand', hand)", hand)
    covered = """rows => rows.map(row => {
      const across = what => [...row.querySelectorAll(what)].map(part => part.getBoundingClientRect());
      const [sign] = across('.sign > :first-child');
      return across('.pencil, .bid, .name bdi').filter(at => at.left < sign.right - 3 && sign.left < at.right).length;
    })"""
    assert phone.locator(".seats > li").evaluate_all(covered) == [0, 0, 0, 0]
