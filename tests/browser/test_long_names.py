"""Names of forty letters, names read from the right, names without a place to break: nothing is pushed out of sight."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from scoresheets.models import Sheet
from tests.browser.conftest import DESK, PHONE, in_sizes
from tests.browser.pads import hold
from tests.browser.test_sheet import FIRST, LONG, TABLET, sheet_of
from tests.browser.test_watch import OUTSIDE
from tests.scoresheets.laid import SECRET, document, laid_down

UNBROKEN = ["W" * 40, "M" * 39 + "1", "W" * 39 + "2", "Q" * 40]
FROM_THE_RIGHT = ["אברהם בן שלמה הלוי מירושלים", "محمد عبد الرحمن بن يوسف بن عبد الله", *LONG[2:]]
#: Names of the heads whose first letter is out of sight.
BEHEADED = """() => [...document.querySelectorAll('.sheet thead th + th')].filter((head) => {
  const range = document.createRange();
  const text = head.querySelector('.name').firstChild;
  range.setStart(text, 0);
  range.setEnd(text, 1);
  const letter = range.getBoundingClientRect(), room = head.getBoundingClientRect();
  const across = letter.left < room.left - 1 || letter.right > room.right + 1;
  return across || letter.top < room.top - 1 || letter.bottom > room.bottom + 1;
}).map((head) => head.textContent)"""


def table_of(players: list[str], **more: object) -> Sheet:
    """After one hand of one card: the first leads, the second stands alone at the bottom unless `tied`."""
    order = [*players[1:], players[0]]
    bids, tricks = dict.fromkeys(order, 0), dict.fromkeys(order, 0) | {order[0]: 1}
    return laid_down(document("", [{"bids": bids, "tricks": tricks}], plan={"hands": 1}) | {"players": players} | more)


@pytest.mark.journey
def test_name_without_a_place_to_break_pushes_no_page_sideways(phone: Page):
    hold(phone, SECRET)
    bids = dict.fromkeys([*UNBROKEN[1:], UNBROKEN[0]], 0)
    ends, running = table_of(UNBROKEN), table_of(UNBROKEN, plan={"hands": 4})
    bidding = laid_down(document("", [{"bids": {UNBROKEN[1]: 0}}], plan={"hands": 4}) | {"players": UNBROKEN})
    draws = dict.fromkeys(UNBROKEN[1:3], 1) | dict.fromkeys([UNBROKEN[3], UNBROKEN[0]], 0)
    drawing = [{"bids": bids | draws, "tricks": bids | {UNBROKEN[3]: 1}}]
    drawn = laid_down(document("", drawing, plan={"hands": 1}) | {"players": UNBROKEN})
    paths = [
        f"sheets/{running.code}/",
        f"sheets/{bidding.code}/",
        f"sheets/{bidding.code}/note/",
        f"sheets/{ends.code}/result/",
        f"sheets/{ends.code}/why/1/2/",
        f"sheets/{drawn.code}/draw/",
        f"sheets/{drawn.code}/result/",
        f"watch/{bidding.watch}/",
        f"watch/{bidding.watch}/table/",
        f"open/?again={ends.code}",
        "",
    ]
    sideways = []
    for path in paths:
        phone.goto(f"/{path}")
        for size in in_sizes(phone, PHONE, TABLET):
            if phone.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
                sideways.append((path, size))
    assert sideways == []


def test_name_is_cut_where_it_ends_from_whichever_side_it_is_read(phone: Page):
    for players in (4, 10):
        phone.goto(f"/sheets/{sheet_of(FROM_THE_RIGHT[:players]).code}/")
        for size in in_sizes(phone, PHONE, TABLET, DESK):
            assert phone.evaluate(BEHEADED) == [], (players, size)


def test_ten_long_names_can_be_read_across_the_table(phone: Page):
    phone.goto(f"/watch/{sheet_of(FROM_THE_RIGHT).watch}/table/")
    assert phone.locator(".table-top li").count() == 10
    for size in in_sizes(phone, PHONE, TABLET, DESK):
        assert phone.evaluate(OUTSIDE) == [], size


def test_row_that_is_led_back_to_is_not_under_the_names(plain_phone: Page):
    sheet = laid_down(document(hands=[FIRST] * 1, plan={"hands": 4}))
    plain_phone.set_viewport_size({"width": 390, "height": 320})
    plain_phone.goto(f"/sheets/{sheet.code}/?open=1#hand-1")
    head = plain_phone.locator(".sheet thead th").nth(1).bounding_box()
    assert plain_phone.locator("#hand-1 .mark").first.bounding_box()["y"] >= head["y"] + head["height"]
