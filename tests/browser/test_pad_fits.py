"""Nothing scrolls, nothing is cut off, and everything a finger must hit is large enough."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.commands import enter
from tests.browser.conftest import PHONE
from tests.browser.pads import Pad, likely_bids
from tests.browser.waits import wait_until
from tests.factories import new_key, sure_of

#: Players, most cards, and the window a phone leaves.
TABLES = [(10, 5, 390, 664), (8, 6, 390, 664), (6, 8, 390, 664), (4, 12, 390, 664), (6, 8, 360, 560)]
LONG = [
    "Maximiliana Konstantinopolitanska-Lang",
    "محمد عبد الرحمن بن يوسف",
    "Zoë",
    "Bartholomew Featherstonehaugh",
    "Ed",
    "李小龍",
]

#: Everything that lies outside of the window, is cut off or could be scrolled; [] is well.
AMISS = """() => {
  const found = [];
  const inside = (element) => {
    const box = element.getBoundingClientRect();
    const fits = box.right <= innerWidth + 0.5 && box.bottom <= innerHeight + 0.5;
    return box.width > 0 && box.top >= -0.5 && box.left >= -0.5 && fits;
  };
  const page = document.documentElement;
  if (page.scrollHeight > innerHeight || page.scrollWidth > page.clientWidth) found.push('the page scrolls');
  for (const part of document.querySelectorAll('.phone, .top, .seats, .pad, .slot')) {
    const scrolls = part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
    if (scrolls) found.push(`${part.className} scrolls`);
  }
  const parts = '.pad .keys button, .go, .reason, .read, .tools > *, .trump button' +
    ', .step button, .seats > li, .bid, .b, #pad .mark';
  for (const part of document.querySelectorAll(parts)) {
    if (!inside(part)) found.push(`${part.className || part.textContent} lies outside`);
    const at = part.getBoundingClientRect();
    const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    const covered = part.matches('button') && !part.contains(top);
    if (covered) found.push(`${part.getAttribute('aria-label')} is covered by ${top?.className}`);
  }
  return found;
}"""
SIZES = "elements => elements.map(e => e.getBoundingClientRect()).map(b => [b.width, b.height])"
#: No finger is on a key.
LIFTED = "!document.querySelector(':is(button, .button):active')"
TOPS = "rows => rows.map(row => row.querySelector('bdi').textContent)"


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("players", "cards", "width", "height"), TABLES, ids=lambda value: str(value))
def test_bids_and_tricks_fit_the_window(
    open_page: Callable[..., Page], players: int, cards: int, width: int, height: int
) -> None:
    page = open_page(PHONE, viewport={"width": width, "height": height})
    pad = Pad(page, players, hands=cards - 1, plan={"peak": cards})
    assert f"{cards} cards each" in page.locator(".facts").inner_text()
    assert page.locator(".keys button").count() == cards + 1
    assert page.evaluate(AMISS) == []
    sizes = page.eval_on_selector_all(".keys button", SIZES)
    assert min(width for width, _ in sizes) >= 48
    assert min(height for _, height in sizes) >= 56
    rows = page.eval_on_selector_all(".seats > li", TOPS)
    order = pad.scorer.reading.sheet.open.hand.order
    bids = likely_bids(order, cards)
    pad.bid(*(bids[seat] for seat in order[:-1]))
    assert page.evaluate(AMISS) == []
    pad.tap(page.get_by_label("Hearts"))
    assert page.evaluate(AMISS) == []
    pad.bid(bids[order[-1]])
    pad.rest()
    expect(pad.score).to_be_visible()
    assert page.evaluate(AMISS) == []
    for width, height in page.eval_on_selector_all(".step button, .go, .tools > *", SIZES):
        assert width >= 48
        assert height >= 48
    assert page.eval_on_selector_all(".seats > li", TOPS) == rows
    for _ in range(2):
        pad.tap(page.locator(".step button[name='more']").first)
        assert page.evaluate(AMISS) == []


def test_the_longest_names_fit_and_say_what_is_said_about_them(phone: Page) -> None:
    pad = Pad(phone, LONG, hands=7, plan={"peak": 8})
    assert phone.evaluate(AMISS) == []
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bids(likely_bids(order, 8), order)
    assert phone.evaluate(AMISS) == []
    pad.more("Zoë")
    assert phone.evaluate(AMISS) == []


def test_nothing_moves_from_one_bidder_to_the_next(phone: Page) -> None:
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    where = """() => Object.fromEntries([...document.querySelectorAll('li, .keys button, .reason, .tools > *, .slot')]
      .map((e, i) => [i, (({ x, y, width, height }) => [x, y, width, height])(e.getBoundingClientRect())]))"""
    before = phone.evaluate(where)
    bids = likely_bids(pad.scorer.reading.sheet.open.hand.order, 7)
    for seat in pad.scorer.reading.sheet.open.hand.order[:-1]:
        pad.bid(bids[seat])
        # A key that is just pressed gives way by a pixel.
        wait_until(phone, LIFTED)
        assert phone.evaluate(where) == before
    pad.tap(phone.get_by_label("Spades"))
    wait_until(phone, LIFTED)
    assert phone.evaluate(where) == before


def test_taking_back_stands_in_the_same_place_on_every_page(phone: Page) -> None:
    pad = Pad(phone, 6, hands=2, plan={"peak": 8})
    at = "e => { const b = e.getBoundingClientRect(); return [b.x, b.width, b.height] }"
    places = [pad.back.evaluate(at)]
    assert pad.back.inner_text() == "Back to hand 2"
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bid(1)
    places.append(pad.back.evaluate(at))
    pad.bid(0, 0, 0, 0, 1)
    pad.rest()
    places.append(pad.back.evaluate(at))
    assert all(place == places[0] for place in places)
    assert len(order) == 6


#: Whether the whole of a label can be seen.
WHOLE = "span => span.scrollHeight <= span.clientHeight + 1 && span.scrollWidth <= span.clientWidth + 1"


@pytest.mark.parametrize("width", [320, 360, 390])
def test_what_is_taken_back_is_read_whole_on_a_narrow_phone(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(PHONE, viewport={"width": width, "height": 640})
    pad = Pad(page, ["W" * 40, "M" * 40, "Cy", "Di"], hands=11, plan={"peak": 12})
    pad.bid(12)
    expect(pad.back).to_contain_text("’s 12")
    assert pad.back.locator("span").evaluate(WHOLE)


def test_early_end_and_names_are_read_on_the_blind_hand_of_a_narrow_phone(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE, viewport={"width": 360, "height": 640})
    pad = Pad(page, ["A" * 40, "B" * 40, "C" * 40, "D" * 40], plan={"hands": 4})
    pad.scorer.hand({2: 0, 3: 0, 4: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 1: 0})
    sure_of(enter.stop(pad.scorer.sheet, 2, key=new_key(), by=pad.scorer.by))
    pad.load()
    expect(pad.back).to_have_text("Take back the early end")
    assert pad.back.locator("span").evaluate(WHOLE)
    widths = page.eval_on_selector_all(".seats bdi", "all => all.map(name => name.getBoundingClientRect().width)")
    assert min(widths) >= 60


def test_no_number_key_stands_where_the_score_button_was(phone: Page) -> None:
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    lowest = "keys => Math.max(...keys.map(key => key.getBoundingClientRect().bottom))"
    keys = phone.eval_on_selector_all(".keys button", lowest)
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bids(likely_bids(order, 7), order)
    assert pad.score.bounding_box()["y"] >= keys


@pytest.mark.parametrize("size", ["2", "3"])
def test_larger_letters_leave_the_keys_and_the_score_button_in_the_window(phone: Page, size: str) -> None:
    phone.add_init_script(f"localStorage.setItem('like-size', '{size}')")
    pad = Pad(phone, 6, hands=6, plan={"peak": 8})
    inside = """keys => keys.map(key => key.getBoundingClientRect())
      .every(({ bottom, right }) => bottom <= innerHeight && right <= innerWidth)"""
    assert phone.eval_on_selector_all(".keys button, .tools > *, .reason", inside)
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bids(likely_bids(order, 7), order)
    assert phone.eval_on_selector_all(".go, .tools > *, .read", inside)
