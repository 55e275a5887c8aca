"""Names that are markup or code are text in a real browser: nothing runs, nothing is loaded, no policy is violated.

What runs would violate the policy, and what is loaded is not there: the guard hears of both.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import PHONE
from tests.browser.pads import Pad, is_dressed, likely_bids
from tests.browser.test_every_page import PARTS, pages
from tests.browser.waits import FRAMES, wait_for
from tests.clubs.full_club import FullClub
from tests.trust.attempts import Attempt
from tests.trust.injections.texts import MARK, injections, running, write_everywhere

pytestmark = pytest.mark.promise(7)


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_runs_on_any_page_of_a_club(
    part: int, live_server: LiveServer, open_page: Callable[..., Page], attempt: Attempt
) -> None:
    full_club = FullClub()
    full_club.trophy.put_picture(None)
    full_club.trophy.save()
    write_everywhere(part, [*running(), *injections()])
    addresses = pages(full_club)[part::PARTS]
    page = open_page(PHONE)
    session = full_club.cookies["organiser"][settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    marked = 0
    for address in addresses:
        page.goto(address)
        page.evaluate(FRAMES)
        marked += MARK in page.locator("body").inner_text()
    assert marked > len(addresses) / 3
    attempt.count(len(addresses), "pages of a club opened in Chromium, where nothing ran")


def has_scored(pad: Pad, hand: int) -> bool:
    opened = pad.scorer.reading.sheet.open
    return opened is None or opened.hand.number > hand


@pytest.mark.parametrize("begin", [pytest.param(0, marks=pytest.mark.journey(seconds=15)), 7])
def test_nothing_runs_on_the_pad_the_sheet_the_watch_page_and_the_result(
    begin: int, open_page: Callable[..., Page], attempt: Attempt
) -> None:
    names = [*running()][begin : begin + 7]
    phone, watcher = open_page(PHONE), open_page(PHONE)
    pad = Pad(phone, names, hands=1, plan={"peak": 1})
    is_dressed(phone)
    watcher.goto(f"/watch/{pad.scorer.sheet.watch}/")
    expect(watcher.locator("#sheet th").filter(has_text=names[0]).first).to_be_visible()
    while opened := pad.scorer.reading.sheet.open:
        hand = opened.hand
        pad.bids(likely_bids(hand.order, hand.cards), hand.order)
        pad.count_out()
        # After the last hand the pad leads on by itself, so the pages are looked at in another tab.
        wait_for(phone, lambda hand=hand: has_scored(pad, hand.number))
        if pad.scorer.reading.sheet.open:
            pad.rest()
    pad.scorer.settle()
    other = phone.context.new_page()
    for page in ("sheet", "history", "result"):
        other.goto(pad.url(page))
        expect(other.locator("main")).to_contain_text(names[0])
    attempt.count(1, "games kept in Chromium under such names")
