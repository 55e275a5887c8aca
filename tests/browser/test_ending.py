"""The end of a game in a browser: cards are tapped, the result is read out, the same players go on."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, in_sizes
from tests.browser.waits import is_still
from tests.factories import Scorer, hashed, scorer
from tests.scoresheets.laid import SECRET, document, hand, laid_down

FIRST = hand("Bo Cy Di Ann", "0000", "1000")
BLIND = hand("Cy Di Ann Bo", "1200", "1220")


def hold(page: Page) -> Page:
    """Let the browser keep score."""
    page.context.add_cookies([{"name": "pencil", "value": SECRET, "domain": "localhost", "path": "/"}])
    return page


@pytest.fixture
def p(transactional_db: None) -> Scorer:
    """Five have played their one hand: Cy and Di are at the bottom with −1, Bo leads."""
    kept = scorer(5, browser=hashed(SECRET), plan={"hands": 1})
    kept.hand({2: 1, 3: 1, 4: 1, 5: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 5: 0, 1: 0})
    return kept


def draw(page: Page, name: str, card: str) -> None:
    """Tap the card that somebody drew."""
    page.get_by_role("group", name=name).locator(".chip", has=page.get_by_role("radio", name=card, exact=True)).tap()


@pytest.mark.journey
@pytest.mark.parametrize("javascript", [True, False], ids=["with script", "without"])
def test_cards_are_tapped_drawn_again_and_settle_the_bottom(
    p: Scorer, open_page: Callable[..., Page], javascript: bool
):
    phone = hold(open_page(PHONE, javascript=javascript))
    phone.goto(f"/sheets/{p.sheet.code}/pad/")
    expect(phone.get_by_role("heading", name="Draw cards for last place")).to_be_visible()
    draw(phone, "Cy", "seven")
    draw(phone, "Di", "seven")
    phone.get_by_role("button", name="Save the cards").tap()
    expect(phone.get_by_text("Same rank: draw again.")).to_be_visible()
    draw(phone, "Cy", "two")
    draw(phone, "Di", "ace")
    phone.get_by_role("button", name="Save the cards").tap()
    expect(phone.locator(".aloud")).to_contain_text("Cy takes the circle with −1 point, having drawn the lowest card.")
    assert p.reading.sheet.loser == 3


def test_cards_to_tap_are_large_enough_and_side_by_side(p: Scorer, phone: Page):
    hold(phone).goto(f"/sheets/{p.sheet.code}/draw/")
    boxes = [chip.bounding_box() for chip in phone.locator(".ranks .chip").all()]
    assert len(boxes) == 26
    assert min(box["width"] for box in boxes) >= 40
    assert min(box["height"] for box in boxes) >= 48
    assert max(box["x"] + box["width"] for box in boxes) <= 390


def test_result_leads_to_the_sheet_and_to_the_same_players_again(phone: Page):
    sheet = laid_down(document(hands=[FIRST], plan={"hands": 1}, tie_breaks=[BLIND]))
    hold(phone).goto(f"/sheets/{sheet.code}/result/")
    expect(phone.locator(".trophies")).to_contain_text("Winner")
    expect(phone.locator(".trophies .mark.boxed")).to_have_text("5, in the box")
    phone.get_by_role("link", name="Back to the sheet").tap()
    expect(phone.locator("#tie-1")).to_be_visible()
    phone.get_by_role("link", name="The result").first.tap()
    phone.get_by_role("link", name="Same players again").tap()
    expect(phone).to_have_url(re.compile(rf"/open/\?again={sheet.code}$"))


def test_tie_break_stands_on_the_sheet_with_the_tied_total_on_a_phone(phone: Page):
    sheet = laid_down(document(hands=[FIRST], plan={"hands": 1}, tie_breaks=[BLIND]))
    phone.goto(f"/sheets/{sheet.code}/")
    cells = phone.locator("#tie-1 td")
    expect(cells.nth(2)).to_contain_text("+6")
    expect(cells.nth(2).locator(".mark")).to_be_visible()
    expect(cells.nth(2).locator(".mark")).to_contain_text("5")
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.journey
def test_table_stops_and_plays_on(open_page: Callable[..., Page], transactional_db: None):
    kept = scorer(4, browser=hashed(SECRET))
    kept.hand({2: 1, 3: 1, 4: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 1: 0})
    phone = hold(open_page(PHONE))
    phone.goto(f"/sheets/{kept.sheet.code}/")
    phone.get_by_role("button", name="Stop here").tap()
    expect(phone.get_by_text("The table stopped after hand 1 of 4.")).to_be_visible()
    expect(phone.locator(".aloud")).to_contain_text("Bo wins with 6 points.")
    phone.get_by_role("button", name="Play on").tap()
    expect(phone).to_have_url(re.compile("/pad/$"))
    phone.goto(f"/sheets/{kept.sheet.code}/")
    expect(phone.get_by_role("button", name="Stop here")).to_be_visible()
    assert kept.reading.sheet.open is not None


def test_steps_are_taken_back_from_the_sheet_one_after_the_other(
    open_page: Callable[..., Page], transactional_db: None
):
    kept = scorer(4, browser=hashed(SECRET))
    kept.any_hand()
    kept.bid(3, 1)
    phone = hold(open_page(PHONE))
    phone.goto(f"/sheets/{kept.sheet.code}/")
    for offered in ("Cy’s bid in hand 2", "the tricks of hand 1", "Ann’s bid in hand 1", "Di’s bid in hand 1"):
        phone.get_by_role("button", name=f"Take back {offered}").tap()
    expect(phone.get_by_role("button", name="Take back Cy’s bid in hand 1")).to_be_visible()
    phone.reload()
    expect(phone.get_by_role("button", name="Take back Cy’s bid in hand 1")).to_be_visible()
    assert len(kept.reading.entries) == 2


def test_draw_and_result_are_accessible(p: Scorer, phone: Page, axe_day_and_night: Callable[[Page], None]):
    settled = laid_down(document(hands=[FIRST], plan={"hands": 1}, tie_breaks=[BLIND]))
    unsettled = laid_down(document(hands=[FIRST], plan={"hands": 1}))
    hold(phone)
    for path in (f"{p.sheet.code}/draw", f"{settled.code}/result", f"{unsettled.code}/result", f"{settled.code}"):
        phone.goto(f"/sheets/{path}/")
        is_still(phone)
        for _ in in_sizes(phone):
            axe_day_and_night(phone)
