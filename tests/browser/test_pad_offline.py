"""The network is cut in the middle of an evening: the scorekeeper goes on, and back, as if it were there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from rules.core.fields import SHEET
from scoresheets.commands import enter
from tests.browser.pads import Pad, is_dressed, likely_bids, unplug
from tests.browser.waits import wait_until
from tests.factories import new_key, sure_of

pytestmark = pytest.mark.usefixtures("off_the_net")


@pytest.fixture
def pad(phone: Page) -> Pad:
    """Four players in hand 4 of 12, the first three hands on the site."""
    return Pad(phone, 4, hands=3, plan={"peak": 3, "extra_rounds": 1})


def knows_the_way(pad: Pad) -> None:
    """Wait until the pad has asked for the hands before the last."""
    kept = """code => JSON.parse(localStorage[`kept-${code}`] ?? '{"pad":{}}').pad.whole"""
    wait_until(pad.page, kept, pad.code)


def cut(pad: Pad) -> None:
    pad.is_saved()
    knows_the_way(pad)
    is_dressed(pad.page)
    unplug(pad.page)


def mend(pad: Pad) -> None:
    pad.page.context.set_offline(False)
    pad.page.evaluate("dispatchEvent(new Event('online'))")
    pad.is_saved()


def take_back(pad: Pad, times: int = 1) -> None:
    for _ in range(times):
        pad.tap(pad.back)
        pad.rest()


def steps(pad: Pad) -> dict[tuple[int, str], dict[str, object]]:
    return {address: dict(step) for address, step in pad.scorer.reading.entries.items()}


def test_hands_that_the_site_has_scored_are_taken_back_to_the_first_bid_of_the_evening(pad: Pad) -> None:
    expect(pad.back).to_have_text("Back to hand 3")
    cut(pad)
    for number in (3, 2, 1):
        expect(pad.back).to_have_text(f"Back to hand {number}")
        # The hand, and its four bids.
        take_back(pad, 5)
        assert pad.title == f"Hand {number} of 12"
    expect(pad.back).to_have_attribute("aria-disabled", "true")
    assert set(pad.totals().values()) == {0}
    expect(pad.page.locator("#pad .boxed, #pad .circled")).to_have_count(0)
    order = [2, 3, 4, 1]
    pad.bids({2: 1, 3: 1, 4: 1, 1: 1}, order)
    pad.more("Ann")
    for name in ("Bo", "Cy", "Di", "Ann"):
        pad.fewer(name)
    pad.count_out()
    pad.rest()
    totals = pad.totals()
    mend(pad)
    assert pad.scorer.reading.sheet.rows[0].hand.steps["bid-2"] == {"bid": 1}
    assert [row.hand.number for row in pad.scorer.reading.sheet.rows] == [1]
    names = pad.scorer.reading.names
    assert {names[seat]: total for seat, total in pad.scorer.reading.sheet.totals.items()} == totals == pad.totals()


def test_what_was_scored_since_the_page_was_loaded_is_taken_back_too(pad: Pad) -> None:
    knows_the_way(pad)
    for _ in range(2):
        hand = pad.scorer.reading.sheet.open.hand
        pad.bids(likely_bids(hand.order, hand.cards), hand.order)
        pad.count_out()
        pad.rest()
        pad.is_saved()
    cut(pad)
    for number in (5, 4, 3, 2):
        expect(pad.back).to_have_text(f"Back to hand {number}")
        take_back(pad, 5)
    expect(pad.back).to_have_text("Back to hand 1")
    mend(pad)
    assert pad.scorer.reading.next_hand == 2


def test_what_another_phone_has_scored_is_taken_back_too(pad: Pad) -> None:
    knows_the_way(pad)
    pad.marge.any_hand()
    pad.marge.any_hand()
    expect(pad.page.locator("h1")).to_have_text("Hand 6 of 12")
    cut(pad)
    take_back(pad, 10)
    expect(pad.page.locator("h1")).to_have_text("Hand 4 of 12")
    mend(pad)
    assert pad.scorer.reading.next_hand == 4


def test_a_misdeal_that_was_sent_and_is_taken_back_shows_the_old_bids_at_once(pad: Pad) -> None:
    pad.bid(1, 0)
    pad.open("more")
    pad.tap(pad.page.get_by_role("button", name="Misdeal"))
    pad.rest()
    cut(pad)
    assert "the misdeal" in pad.back.inner_text()
    take_back(pad)
    expect(pad.page.get_by_label("Bo bid 0. I typed it wrong")).to_be_visible()
    before = pad.due
    take_back(pad)
    pad.bid(2)
    mend(pad)
    entries = steps(pad)
    order = pad.scorer.reading.sheet.open.hand.order
    assert [entries[4, f"bid-{seat}"] for seat in order[:2]] == [{"bid": 1}, {"bid": 2}]
    assert (4, "misdeal-1") not in entries
    assert pad.due == before


def test_a_misdeal_of_a_hand_that_was_scored_since_is_taken_back_in_its_turn(pad: Pad) -> None:
    sure_of(enter.misdeal(pad.scorer.sheet, 4, 1, key=new_key(), by=pad.scorer.by))
    pad.scorer.any_hand()
    pad.load()
    cut(pad)
    take_back(pad, 5)
    assert "the misdeal" in pad.back.inner_text()
    take_back(pad)
    expect(pad.back).to_have_text("Back to hand 3")
    mend(pad)
    assert (4, "misdeal-1") not in steps(pad)


def test_a_number_that_was_typed_wrong_comes_back_and_can_be_bid_anew(pad: Pad) -> None:
    pad.bid(1, 1)
    pad.open("retype-2")
    pad.tap(pad.page.get_by_role("dialog").get_by_role("button", name="Bo bid 0", exact=True))
    cut(pad)
    take_back(pad)
    expect(pad.page.get_by_label("Bo bid 1. I typed it wrong")).to_be_visible()
    take_back(pad)
    expect(pad.page.get_by_label(re.compile("Bo bid . I typed"))).to_have_count(0)
    pad.bid(2)
    mend(pad)
    assert steps(pad)[4, "bid-2"] == {"bid": 2}


def test_what_was_put_back_without_network_can_be_typed_wrong_again(pad: Pad) -> None:
    pad.bid(1, 1)
    pad.open("retype-2")
    panel = pad.page.get_by_role("dialog")
    pad.tap(panel.get_by_role("button", name="Bo bid 0", exact=True))
    cut(pad)
    take_back(pad)
    pad.open("retype-2")
    pad.tap(panel.get_by_role("button", name="Bo bid 3", exact=True))
    mend(pad)
    assert steps(pad)[4, "bid-2"] == {"bid": 3}


def test_a_blind_hand_is_left_for_the_hands_before_it(phone: Page) -> None:
    pad = Pad(phone, 4, plan={"peak": 1})
    for taker in (1, 1, 2, 2):
        pad.scorer.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})
    pad.load()
    cut(pad)
    pad.bid(0, 1)
    take_back(pad, 2)
    take_back(pad, 10)
    assert pad.title == "Hand 3 of 4"
    expect(pad.back).to_have_text("Back to hand 2")
    mend(pad)
    assert pad.scorer.reading.next_hand == 3
    assert not [ask for hand, ask in steps(pad) if hand == SHEET]


def test_the_bar_says_how_it_stands(pad: Pad) -> None:
    line = pad.page.locator(".top .line")
    expect(pad.sent).to_have_text(re.compile(r"^saved \d\d:\d\d$"))
    expect(line).to_be_empty()
    cut(pad)
    expect(line).to_have_text("no connection: kept on this phone")
    expect(pad.sent).to_have_text(re.compile(r"^saved \d\d:\d\d$"))
    pad.bid(1, 0, 1)
    expect(pad.sent).to_have_text("3 to send")
    expect(line).to_have_text("no connection: kept on this phone")
    expect(pad.page.locator(".bid.unsent")).to_have_count(3)
    mend(pad)
    expect(pad.sent).to_have_text(re.compile(r"^saved \d\d:\d\d$"))
    expect(line).to_be_empty()
    expect(pad.page.locator(".bid.unsent")).to_have_count(0)


@pytest.mark.journey
@pytest.mark.parametrize("what", ["Rules", pytest.param("Watch link", marks=pytest.mark.thorough)])
def test_a_page_that_needs_the_network_says_so_and_the_pad_stays(pad: Pad, what: str) -> None:
    cut(pad)
    pad.bid(1)
    expect(pad.page.locator(".top .line")).to_be_visible()
    pad.page.get_by_role("link", name="Skip to content").press("Enter")
    expect(pad.page).to_have_url(re.compile(r"/pad/#main$"))
    pad.open("more")
    pad.page.get_by_role("link", name=what).tap()
    panel = pad.page.get_by_role("dialog", name="No connection")
    expect(panel).to_contain_text("That needs a connection. Everything here is kept on this phone.")
    panel.get_by_role("button", name="Close").tap()
    assert pad.page.url.endswith("/pad/#main")
    pad.page.get_by_role("button", name="Quiet").tap()
    expect(panel).to_be_visible()


@pytest.mark.journey
def test_hands_scored_without_network_stand_on_the_sheet_as_not_sent(pad: Pad) -> None:
    cut(pad)
    for _ in range(2):
        while pad.page.locator(".keys button").count():
            pad.bid(0)
        pad.rest()
        pad.count_out()
        pad.rest()
    pad.open("sheet")
    rows = pad.page.locator("#whole-sheet tbody.unsent")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Not sent yet:")
    expect(pad.page.locator("#whole-sheet #hand-4")).to_be_hidden()
    last = rows.last.locator(".mark").evaluate_all(
        "marks => marks.map(m => [...m.childNodes].filter(n => n.nodeType === 3).map(n => n.data.trim()).join(''))"
    )
    assert [int(total.replace("−", "-")) for total in last] == list(pad.totals().values())
    pad.page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    mend(pad)
    pad.open("sheet")
    expect(rows).to_have_count(0)
    expect(pad.page.locator("#whole-sheet #hand-5")).to_contain_text("cards")
