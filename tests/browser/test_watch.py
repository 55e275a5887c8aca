"""Watching from a second browser: it follows by itself, and stays as it was pushed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, Guard, in_sizes
from tests.browser.pads import unplug
from tests.browser.waits import is_still, settled
from tests.factories import Scorer, scorer, sure_of

LYING = {"viewport": {"width": 844, "height": 390}}
#: No page asks every few seconds: only because something has happened.
NEVER_BY_ITSELF = "const later = setTimeout; window.setTimeout = (what, ms) => (ms < 2500 ? later(what, ms) : 0);"
#: Whether everything on the page that is read across the table is inside of the window.
OUTSIDE = """() => [...document.querySelectorAll('.table-top li, .table-top .mark')].filter((part) => {
  const box = part.getBoundingClientRect();
  return box.left < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5;
}).map((part) => part.textContent.trim())"""


@pytest.fixture
def p(transactional_db: None) -> Scorer:
    """A table of four that has scored one hand of four; Cy bids next."""
    kept = scorer(4)
    kept.any_hand()
    return kept


@pytest.mark.journey
def test_bid_is_seen_as_it_falls_and_the_hand_when_it_is_scored(p: Scorer, phone: Page):
    phone.goto(f"/watch/{p.sheet.watch}/")
    cell = phone.locator("#hand-2 td").nth(2)
    expect(cell).to_contain_text("bids next")
    sure_of(p.bid(3, 2))
    expect(cell).to_have_text("bids 2")
    for seat in (4, 1, 2):
        sure_of(p.bid(seat, 1))
    sure_of(p.tricks({3: 2, 4: 0, 1: 0, 2: 0}))
    expect(phone.locator("#hand-2 .mark").nth(2)).to_contain_text("12")
    expect(phone.get_by_role("heading", name="Hand 3 of 4")).to_be_visible()


def test_nothing_is_moved_while_nothing_changes(p: Scorer, phone: Page):
    phone.goto(f"/watch/{p.sheet.watch}/")
    phone.evaluate("document.querySelector('#watched').marked = true")
    with phone.expect_response(re.compile("/rows/")) as answer:
        pass
    assert answer.value.status == 204
    assert phone.evaluate("document.querySelector('#watched').marked") is True


def test_row_that_was_opened_stays_open_when_the_sheet_moves_on(p: Scorer, phone: Page):
    phone.goto(f"/watch/{p.sheet.watch}/")
    phone.locator("[data-opens=hand-1]").tap()
    sure_of(p.bid(3, 2))
    expect(phone.locator("#hand-2 td").nth(2)).to_have_text("bids 2")
    expect(phone.locator("#hand-1 .bt").first).to_be_visible()
    expect(phone.locator("[data-opens=hand-1]")).to_have_attribute("aria-expanded", "true")


def test_watcher_needs_no_cookie_and_gets_none(p: Scorer, phone: Page):
    phone.goto(f"/watch/{p.sheet.watch}/")
    sure_of(p.bid(3, 2))
    expect(phone.locator("#hand-2 td").nth(2)).to_have_text("bids 2")
    assert phone.context.cookies() == []


@pytest.mark.journey
def test_watcher_is_told_when_there_is_no_connection_and_when_there_is_again(p: Scorer, phone: Page, guard: Guard):
    phone.goto(f"/watch/{p.sheet.watch}/")
    unplug(phone)
    expect(phone.locator("#live")).to_have_text("no connection, trying again")
    sure_of(p.bid(3, 2))
    phone.context.set_offline(False)
    expect(phone.locator("#live")).to_have_text("live")
    expect(phone.locator("#hand-2 td").nth(2)).to_have_text("bids 2")
    guard.complaints[:] = [
        said for said in guard.complaints if "ERR_INTERNET_DISCONNECTED" not in said and "htmx" not in said
    ]


def test_finished_game_is_asked_for_no_more_until_somebody_looks_again(p: Scorer, phone: Page):
    phone.clock.install()
    phone.goto(f"/watch/{p.sheet.watch}/")
    p.any_game()
    expect(phone.locator("#live")).to_have_text("finished")
    expect(phone.get_by_role("heading", name="The result")).to_be_visible()
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url) if "/rows/" in request.url else None)
    phone.clock.run_for(60_000)
    settled(phone)
    assert asked == []
    sure_of(p.undo())
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.get_by_role("heading", name="The result")).to_be_hidden()
    expect(phone.locator("#live")).to_have_text("live")
    with phone.expect_request(re.compile("/rows/")):
        phone.clock.run_for(10_000)


def test_page_asks_at_once_when_it_is_looked_at_again(p: Scorer, phone: Page):
    phone.add_init_script(NEVER_BY_ITSELF)
    phone.goto(f"/watch/{p.sheet.watch}/")
    with phone.expect_request(re.compile("/rows/")):
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_reason_and_word_open_over_the_watched_sheet(p: Scorer, phone: Page, axe: Callable[[Page], None]):
    phone.goto(f"/watch/{p.sheet.watch}/")
    phone.locator("#hand-1 .mark a").nth(1).tap()
    panel = phone.locator("dialog.panel[open]")
    expect(panel).to_contain_text("Bo, Hand 1")
    axe(phone)
    panel.get_by_role("button", name="Close").tap()
    phone.get_by_role("link", name="Dog Pile").first.tap()
    expect(phone.locator("dialog.panel[open]")).to_contain_text("Tricks that land on somebody who bid none.")


def test_sheet_can_be_watched_without_a_script(p: Scorer, plain_phone: Page):
    plain_phone.goto(f"/watch/{p.sheet.watch}/")
    expect(plain_phone.get_by_text("live", exact=True)).to_be_hidden()
    sure_of(p.bid(3, 2))
    plain_phone.get_by_role("link", name="Refresh").tap()
    expect(plain_phone.locator("#hand-2 td").nth(2)).to_contain_text("bids 2")


def test_table_can_be_read_across_it_without_scrolling(transactional_db: None, phone: Page):
    sizes = "marks => marks.map(mark => parseFloat(getComputedStyle(mark).fontSize))"
    for players in (4, 6, 10):
        kept = scorer(players)
        kept.any_hand()
        phone.goto(f"/watch/{kept.sheet.watch}/table/")
        assert phone.locator(".table-top li").count() == players
        for size in in_sizes(phone, PHONE, LYING, DESK):
            assert phone.evaluate(OUTSIDE) == [], (players, size)
            assert min(phone.locator(".table-top .mark").evaluate_all(sizes)) >= 32, (players, size)


@pytest.mark.journey
def test_table_follows_by_itself(p: Scorer, desk: Page):
    desk.goto(f"/watch/{p.sheet.watch}/table/")
    sure_of(p.bid(3, 2))
    expect(desk.locator(".table-top li").nth(2)).to_contain_text("bids 2")
    expect(desk.locator(".table-top li.now")).to_contain_text("Di")


def test_watched_pages_are_accessible(
    p: Scorer, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
):
    page = open_page(PHONE)
    for more in ("", "table/", "why/1/2/"):
        page.goto(f"/watch/{p.sheet.watch}/{more}")
        axe_day_and_night(page)
    p.any_game()
    for more in ("", "table/"):
        page.goto(f"/watch/{p.sheet.watch}/{more}")
        is_still(page)
        axe_day_and_night(page)
