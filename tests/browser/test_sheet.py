"""The running sheet in a browser: it fits, its rows open, its numbers say why."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.models import Sheet
from tests.browser.conftest import DESK, PHONE, Guard, in_sizes
from tests.browser.pads import hold, unplug
from tests.browser.waits import settled, wait_for
from tests.factories import NAMES
from tests.scoresheets.laid import SECRET, document, hand, laid_down

LONG = [
    "Maximiliana Konstantinopolitanska-Lang",
    "محمد عبد الرحمن بن يوسف بن عبد الله",
    "👩‍👩‍👧‍👦 The whole family of the house",
    '<b>Bold</b> & "Co" <script>1</script>',
    "Ed",
    "Wolfeschlegelsteinhausenbergerdorff",
    "李小龍",
    "Øyvind Ångström Sæther",
    "Hal",
    "Jo",
]
TABLET = {"viewport": {"width": 820, "height": 1180}}
SMALL = {"viewport": {"width": 360, "height": 560}}

#: Every total or bid that lies outside of the window or over its neighbour, and whether the page goes sideways.
AMISS = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.push('the page goes sideways');
  for (const cell of document.querySelectorAll('.sheet td')) {
    const room = cell.getBoundingClientRect();
    if (room.left < -0.5 || room.right > page.clientWidth + 0.5) found.push(`${cell.textContent.trim()} lies outside`);
    for (const part of cell.querySelectorAll('.mark, .bt, .plus, .sign')) {
      const box = part.getBoundingClientRect();
      const fits = !box.width || (box.left >= room.left - 1 && box.right <= room.right + 1);
      if (!fits) found.push(`${part.textContent.trim()} is wider than its cell`);
    }
  }
  return found;
}"""


def sheet_of(players: list[str], *, scale: int = 1, hands: int = 2, **more: object) -> Sheet:
    """A sheet with totals as wide as they come: `scale` 10 makes them −104 and such."""
    totals = {name: (-7 if at % 2 else 9) * scale - at for at, name in enumerate(players)}
    carried = {"carried": {"hands": 1, "totals": totals, "last_dealer": players[0]}}
    order = players[2:] + players[:2]
    scored = hand(" ", "") | {"bids": dict.fromkeys(order, 0), "tricks": dict.fromkeys(order, 0) | {order[0]: 2}}
    return laid_down(document("", [carried, scored], plan={"hands": max(hands, 4)}) | {"players": players} | more)


FIRST = hand("Bo Cy Di Ann", "0000", "1000")


@pytest.mark.journey
def test_everybodys_total_fits_side_by_side_on_a_phone(phone: Page):
    amiss = {}
    for players, scale in [(4, 20), (6, 20), (7, 20), (8, 20), (9, 12), (10, 12), (10, 1)]:
        phone.goto(f"/sheets/{sheet_of(LONG[:players], scale=scale).code}/")
        for is_open in (False, True):
            if is_open:
                phone.locator("[data-opens=hand-2]").tap()
                expect(phone.locator("#hand-2 .bt").first).to_be_visible()
            for size in in_sizes(phone, SMALL, PHONE):
                amiss[players, scale, is_open, size["width"]] = phone.evaluate(AMISS)
    assert {when: found for when, found in amiss.items() if found} == {}
    assert len(amiss) == 28


def test_bid_over_tricks_and_total_fit_side_by_side_on_a_tablet(open_page: Callable[..., Page]):
    tablet = open_page(TABLET)
    for players in (6, 10):
        tablet.goto(f"/sheets/{sheet_of(LONG[:players], scale=12).code}/")
        expect(tablet.locator("#hand-2 .bt").first).to_be_visible()
        expect(tablet.get_by_text("dealt").first).to_be_visible()
        assert tablet.evaluate(AMISS) == [], players


def test_long_names_are_cut_for_the_eye_alone_ten_short_are_all_there_and_a_crowd_pushes_not_the_page(phone: Page):
    phone.goto(f"/sheets/{sheet_of(LONG).code}/")
    head = phone.locator(".sheet thead th").nth(1)
    expect(head).to_have_text(LONG[0])
    assert head.bounding_box()["height"] < 140
    assert phone.locator("script", has_text="1").count() == 0
    phone.goto(f"/sheets/{sheet_of(list(NAMES)).code}/")
    assert phone.locator(".sheet thead th").all_inner_texts() == ["Hand", *NAMES]
    phone.goto(f"/sheets/{sheet_of([f'Name {n}' for n in range(14)]).code}/")
    assert phone.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert phone.locator(".sheet-frame").evaluate("frame => frame.scrollWidth > frame.clientWidth")


def test_names_stay_in_sight_while_the_sheet_is_scrolled(phone: Page):
    hands = [{"bids": {"Bo": 0, "Ann": 0}, "tricks": {"Bo": 1, "Ann": 0}}]
    hands += [hand("Ann Bo", "00", "10"), hand("Bo Ann", "00", "10")] * 11
    phone.goto(f"/sheets/{laid_down(document('Ann Bo', hands, plan={'hands': 40}) | CARDS_OF_ONE).code}/")
    phone.locator("#hand-20").scroll_into_view_if_needed()
    before = phone.locator("#hand-20").bounding_box()["y"]
    phone.mouse.wheel(0, 200)
    wait_for(phone, lambda: phone.locator("#hand-20").bounding_box()["y"] < before)
    box = phone.locator(".sheet thead th").nth(1).bounding_box()
    assert 0 <= box["y"] < 60


#: One card in every hand, however many there are.
CARDS_OF_ONE = {"plan": {"peak": 1, "extra_rounds": 11}}


def test_row_opens_and_closes_on_a_tap_and_its_numbers_say_why_over_the_sheet(phone: Page, axe: Callable[[Page], None]):
    sheet = laid_down(document(hands=[FIRST], plan={"hands": 4}))
    phone.goto(f"/sheets/{sheet.code}/")
    row, bids = phone.locator("[data-opens=hand-1]"), phone.locator("#hand-1 .bt").first
    panel, total = phone.locator("dialog.panel"), phone.locator("#hand-1 .mark a").nth(1)
    expect(bids).to_be_hidden()
    total.tap()
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("Bo, Hand 1")
    expect(panel).to_contain_text("Bid 0, took 1: set, and the greater comes off: −1.")
    axe(phone)
    panel.get_by_role("button", name="Close").tap()
    expect(panel).to_be_hidden()
    assert phone.url.endswith(f"/sheets/{sheet.code}/")

    # A second tap while the reason comes leads nowhere else.
    phone.reload()
    left_for: list[str] = []
    phone.on("request", lambda asked: left_for.append(asked.url) if asked.is_navigation_request() else None)
    total.evaluate("link => { link.click(); link.click(); }")
    expect(panel).to_contain_text("Bo, Hand 1")
    settled(phone)
    assert left_for == []
    assert phone.url.endswith(f"/sheets/{sheet.code}/")
    panel.get_by_role("button", name="Close").tap()
    expect(panel).to_be_hidden()

    row.tap()
    expect(bids).to_be_visible()
    expect(row).to_have_attribute("aria-expanded", "true")
    expect(phone.locator("#hand-1 .callout")).to_contain_text("Dog Pile for Bo")
    phone.locator("#hand-1 .bt").nth(1).tap()
    expect(panel).to_contain_text("Bid 0, took 1: set, and the greater comes off: −1.")
    panel.get_by_role("button", name="Close").tap()
    row.tap()
    expect(bids).to_be_hidden()
    expect(row).to_have_attribute("aria-expanded", "false")


def test_row_opens_without_a_script_too_and_a_reason_is_a_page(plain_phone: Page):
    plain_phone.goto(f"/sheets/{laid_down(document(hands=[FIRST], plan={'hands': 4})).code}/")
    row, bids = plain_phone.locator("[data-opens=hand-1]"), plain_phone.locator("#hand-1 .bt").first
    row.tap()
    expect(bids).to_be_visible()
    row.tap()
    expect(bids).to_be_hidden()
    plain_phone.locator("#hand-1 .mark a").nth(1).tap()
    expect(plain_phone.get_by_role("heading", name="Bo, Hand 1")).to_be_visible()
    plain_phone.get_by_role("link", name="Back to the sheet").tap()
    expect(plain_phone).to_have_url(re.compile("#hand-1$"))


def test_tap_on_a_number_without_a_connection_keeps_the_sheet(phone: Page, guard: Guard):
    sheet = laid_down(document(hands=[FIRST], plan={"hands": 4}))
    phone.goto(f"/sheets/{sheet.code}/")
    unplug(phone)
    phone.locator("#hand-1 .mark a").nth(1).tap()
    expect(phone.locator("dialog.panel")).to_contain_text("There is no connection just now")
    assert phone.url.endswith(f"/sheets/{sheet.code}/")
    phone.context.set_offline(False)
    phone.get_by_role("button", name="Close").tap()
    phone.locator("#hand-1 .mark a").nth(1).tap()
    expect(phone.locator("dialog.panel")).to_contain_text("Bo, Hand 1")
    guard.complaints[:] = [said for said in guard.complaints if "ERR_INTERNET_DISCONNECTED" not in said]


def test_everything_can_be_reached_by_keyboard(desk: Page):
    desk.goto(f"/sheets/{laid_down(document(hands=[FIRST], plan={'hands': 4})).code}/")
    desk.locator("[data-opens=hand-1]").focus()
    desk.keyboard.press("Enter")
    expect(desk.locator("#hand-1 .callout")).to_be_visible()
    desk.keyboard.press("Tab")
    assert desk.evaluate("document.activeElement.textContent.trim()") == "5, in the box"
    desk.keyboard.press("Enter")
    expect(desk.locator("dialog.panel")).to_be_visible()
    desk.keyboard.press("Escape")
    expect(desk.locator("dialog.panel")).to_be_hidden()
    assert desk.evaluate("document.activeElement.textContent.trim()") == "5, in the box"


def test_times_are_said_in_the_zone_of_whoever_looks(open_page: Callable[..., Page]):
    sheet = laid_down(document(hands=[FIRST], plan={"hands": 4}))
    texts = []
    for zone in ("Asia/Tokyo", "America/New_York"):
        page = open_page(DESK, timezone_id=zone, locale="en-GB")
        page.goto(f"/sheets/{sheet.code}/")
        texts.append(page.locator("time[data-show='both']").first.inner_text())
    assert texts[0] != texts[1]


def test_sheet_and_reason_are_accessible(phone: Page, axe_day_and_night: Callable[[Page], None]):
    tie = hand("Cy Di Ann Bo", "1200", "1220")
    sheet = laid_down(
        document(hands=[FIRST], plan={"hands": 1}, tie_breaks=[tie], house_rules={"dealer_bid_final": True})
    )
    running = laid_down(
        document(hands=[FIRST, {"arrives": "Ed"}, {"leaves": "Cy"}, {"bids": {"Di": 1}}], plan={"hands": 4}),
        title="<b>",
    )
    crowd = laid_down(document(" ".join(f"P{n}" for n in range(11)), plan={"hands": 11}))
    hold(phone, SECRET)
    for path in (sheet.code, f"{running.code}/?open=1", crowd.code, f"{sheet.code}/why/tie-1/3"):
        phone.goto(f"/sheets/{path}" if "?" in path else f"/sheets/{path}/")
        for _ in in_sizes(phone):
            axe_day_and_night(phone)
