"""The score curve in a browser: one tap opens it, a finger or an arrow key reads a hand, and it is printed in black."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from scoresheets.models import Sheet
from tests.browser.waits import wait_for
from tests.factories import Scorer, scorer
from tests.scoresheets.laid import document, hand, laid_down

#: After it Bo has −1 and everybody else 5; after the second hand Ann and Di 10, Bo 4, Cy 3.
HANDS = [hand("Bo Cy Di Ann", "0000", "1000"), hand("Cy Di Ann Bo", "0000", "2000")]
NOW = ["10", "4", "3", "10"]


@pytest.fixture
def sheet(transactional_db: None) -> Sheet:
    return laid_down(document(hands=HANDS, plan={"hands": 4}))


def totals(page: Page) -> Locator:
    return page.locator(".score-names [data-total]")


def place_of(page: Page, stop: int, of: int) -> tuple[float, float]:
    """Where on the screen a stop of the curve is, half way down."""
    svg = page.locator(".score-curve > svg")
    left, right = (float(svg.get_attribute(f"data-{side}") or "") for side in ("left", "right"))
    box = svg.bounding_box()
    assert box
    units = left + (right - left) * stop / (of - 1)
    return box["x"] + units * box["width"] / 720, box["y"] + box["height"] / 2


@pytest.mark.journey
def test_one_tap_opens_it_on_the_sheet_and_a_finger_reads_a_hand(
    sheet: Sheet, phone: Page, axe_day_and_night: Callable[[Page], None]
):
    phone.goto(f"/sheets/{sheet.code}/")
    button = phone.get_by_role("link", name="Score curve")
    expect(phone.locator(".score-curve")).to_have_count(0)
    button.tap()
    expect(totals(phone)).to_have_text(NOW)
    expect(phone.get_by_role("img", name="Score curve of 4 players.")).to_be_visible()
    axe_day_and_night(phone)
    phone.touchscreen.tap(*place_of(phone, 1, of=3))
    expect(phone.locator("[data-when]")).to_have_text("After hand 1")
    expect(totals(phone)).to_have_text(["5", "−1", "5", "5"])
    phone.touchscreen.tap(*place_of(phone, 0, of=3))
    expect(phone.locator("[data-when]")).to_have_text("At the start")
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    button.tap()
    expect(phone.locator(".score-curve")).to_have_count(0)
    with phone.context.expect_page() as opened:
        button.click(modifiers=["Control"])
    expect(totals(opened.value)).to_have_text(NOW)
    expect(phone.locator(".score-curve")).to_have_count(0)


def test_arrow_keys_read_it_and_say_what_they_read(sheet: Sheet, desk: Page):
    desk.goto(f"/sheets/{sheet.code}/curve/")
    hands = desk.get_by_role("slider", name="Read a hand")
    hands.focus()
    desk.keyboard.press("ArrowLeft")
    expect(totals(desk)).to_have_text(["5", "−1", "5", "5"])
    expect(hands).to_have_attribute("aria-valuetext", "After hand 1: Ann 5, Bo −1, Cy 5, Di 5")
    desk.mouse.move(*place_of(desk, 0, of=3))
    expect(totals(desk)).to_have_text(["0", "0", "0", "0"])
    desk.mouse.move(5, 5)
    expect(totals(desk)).to_have_text(NOW)


def test_curve_that_is_open_follows_the_game_and_one_that_is_closed_is_never_asked_for(
    transactional_db: None, phone: Page
):
    p: Scorer = scorer(4)
    p.any_hand()
    asked: list[str] = []
    phone.on("request", lambda request: asked.append(request.url))
    phone.goto(f"/watch/{p.sheet.watch}/")
    p.any_hand()
    expect(phone.get_by_role("heading", name="Hand 3 of 4")).to_be_visible()
    assert [url for url in asked if "/curve/" in url] == []
    phone.get_by_role("link", name="Score curve").tap()
    expect(phone.locator("[data-when]")).to_have_text("After hand 2")
    phone.touchscreen.tap(*place_of(phone, 1, of=3))
    expect(phone.locator("[data-when]")).to_have_text("After hand 1")
    p.any_hand()
    wait_for(phone, lambda: phone.locator(".score-totals tbody tr").count() == 4)
    # Who reads a hand goes on reading it.
    expect(phone.locator("[data-when]")).to_have_text("After hand 1")


def test_without_a_script_the_link_leads_to_the_curve_and_its_table(sheet: Sheet, plain_phone: Page):
    plain_phone.goto(f"/sheets/{sheet.code}/")
    plain_phone.get_by_role("link", name="Score curve").tap()
    expect(plain_phone.get_by_role("img", name="Score curve of 4 players.")).to_be_visible()
    expect(totals(plain_phone)).to_have_text(NOW)
    plain_phone.get_by_text("The totals as a table").tap()
    expect(plain_phone.get_by_role("row", name="1 A")).to_have_count(0)
    expect(plain_phone.locator(".score-totals tbody tr").nth(1).locator("td")).to_have_text(["5", "−1", "5", "5"])


def test_on_paper_it_is_black_with_dashes_where_it_was_opened(sheet: Sheet, desk: Page):
    desk.goto(f"/sheets/{sheet.code}/")
    desk.emulate_media(media="print")
    expect(desk.locator(".score-curve")).to_have_count(0)
    desk.emulate_media(media="screen")
    desk.get_by_role("link", name="Score curve").click()
    desk.emulate_media(media="print")
    lines = desk.locator(".score-curve .line")
    expect(lines.first).to_be_visible()
    assert {line.evaluate("line => getComputedStyle(line).stroke") for line in lines.all()} == {"rgb(0, 0, 0)"}
    dashes = [line.evaluate("line => getComputedStyle(line).strokeDasharray") for line in lines.all()]
    assert len(set(dashes)) == 4
    expect(desk.locator(".score-hand")).to_be_hidden()
