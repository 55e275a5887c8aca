"""The pad on a machine with a keyboard: number keys for bids, tricks and points, and what stands beside the pad."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pads import Pad, is_dressed, likely_bids
from tests.browser.waits import settled


def press(pad: Pad, *keys: object) -> None:
    for key in keys:
        pad.rest()
        pad.page.keyboard.press(f"{key}")


def test_a_whole_game_of_dirty_dog_is_kept_with_the_number_keys(desk: Page) -> None:
    pad = Pad(desk, 3, plan={"hands": 3})
    is_dressed(desk)
    rows = desk.locator(".took > li")
    for number in range(1, 4):
        reading = pad.scorer.reading
        order, cards = reading.sheet.open.hand.order, reading.sheet.open.hand.cards
        bids = likely_bids(order, cards)
        first, *others = order
        # A wrong digit is taken back; what a field holds is not touched.
        press(pad, 0 if bids[first] else 1, "Backspace", bids[first])
        expect(desk.locator(".bid:not(.none)")).to_have_text([str(bids[first])])
        press(pad, *(bids[seat] for seat in others))
        expect(rows).to_have_count(3)
        # The first takes them all; a count that was wrong is typed again.
        press(pad, cards, 1, "Backspace")
        expect(rows.nth(1)).to_contain_class("picked")
        press(pad, 0, 0)
        expect(desk.locator(".step input").first).to_have_value(str(cards))
        press(pad, "Enter")
        if number < 3:
            expect(desk.locator("#pad h1")).to_have_text(f"Hand {number + 1} of 3")
            pad.is_saved()
    desk.wait_for_url(lambda url: not url.endswith(pad.url("pad")))
    sheet = pad.scorer.reading.sheet
    assert [row.hand.steps["tricks"]["tricks-1"] for row in sheet.rows] == [row.hand.cards for row in sheet.rows]


def test_a_digit_that_may_be_half_a_number_waits_for_the_other(desk: Page) -> None:
    pad = Pad(desk, 3, hands=11, plan={"peak": 12})
    is_dressed(desk)
    note = desk.locator(".typed-digits")
    order = pad.scorer.reading.sheet.open.hand.order
    names = pad.scorer.reading.names
    press(pad, 1)
    expect(note).to_have_text("1: press Enter, or one more digit")
    assert pad.due == names[order[0]]
    press(pad, "Escape")
    expect(note).to_be_empty()
    press(pad, 1, 2)
    expect(note).to_be_empty()
    assert pad.due == names[order[1]]
    # No bid begins with 15: the first is 1, and the next has 5.
    press(pad, 1, 5)
    expect(desk.locator(".took > li")).to_have_count(3)
    press(pad, 1, "Enter", "ArrowDown", "ArrowUp", "ArrowRight")
    expect(desk.locator(".took > li").nth(1)).to_contain_class("picked")
    pad.is_saved()
    bids = {seat: pad.scorer.reading.sheet.open.hand.steps[f"bid-{seat}"]["bid"] for seat in order}
    assert [bids[seat] for seat in order] == [12, 1, 5]
    seats = list(pad.scorer.reading.sheet.totals)
    counts = desk.locator(".step input")
    expect(counts.nth(0)).to_have_value("1")
    expect(counts.nth(1)).to_have_value(str(min(bids[seats[1]] + 1, 12)))


def test_keys_do_nothing_in_a_field_in_a_panel_or_with_another_key_held(desk: Page) -> None:
    pad = Pad(desk, 3, plan={"peak": 3})
    is_dressed(desk)
    before = pad.due
    press(pad, "Control+1", "Alt+1")
    desk.locator("#pad [data-open='more']").click()
    expect(desk.get_by_text("digits enter bids, tricks and points")).to_be_visible()
    press(pad, 1, "Enter")
    pad.load()
    assert pad.due == before
    assert not pad.scorer.reading.entries


@pytest.mark.journey
def test_a_whole_game_of_points_is_kept_with_the_keys(desk: Page) -> None:
    pad = Pad(desk, 3, game="points-sheet", plan={}, house_rules={"hands": 2})
    is_dressed(desk)
    for number, points in enumerate(((12, 5, 107), (1, 20, 3)), 1):
        for one in points:
            desk.keyboard.type(str(one))
            desk.keyboard.press("Enter")
        if number < 2:
            expect(desk.locator("#pad h1 .number")).to_have_text("2")
            pad.is_saved()
            pad.rest()
    desk.wait_for_url(lambda url: not url.endswith(pad.url("pad")))
    assert list(pad.scorer.reading.sheet.totals.values()) == [13, 25, 110]


@pytest.mark.usefixtures("marbles")
def test_digits_fill_in_the_counts_of_a_pad_of_prompts(desk: Page) -> None:
    pad = Pad(desk, 3, game="marbles", plan={})
    is_dressed(desk)
    desk.get_by_role("button", name="Nobody").press("Enter")
    pad.rest()
    desk.get_by_role("radio", name="Seven").check()
    press(pad, "Enter")
    counts = desk.locator("[data-counts] input:visible")
    expect(counts).to_have_count(3)
    press(pad, 2, 1)
    # The last is what is left of the seven.
    assert counts.evaluate_all("all => all.map(({ value }) => value)") == ["2", "1", "4"]
    press(pad, "Enter")
    pad.is_saved()
    assert list(pad.scorer.reading.sheet.totals.values()) == [2, 1, 4]


def test_digits_tap_the_numbers_of_a_pad_of_prompts(desk: Page) -> None:
    pad = Pad(desk, ("Ann", "Bo"), game="hotdog")
    is_dressed(desk)
    desk.get_by_role("button", name="The Works").first.click()
    pad.is_saved()
    press(pad, 7)
    expect(desk.locator(".back")).to_contain_text("7")
    pad.is_saved()
    assert any(entry == "relish" for _, entry in pad.scorer.reading.entries)
    press(pad, "Backspace")
    pad.is_saved()
    assert not any(entry == "relish" for _, entry in pad.scorer.reading.entries)


@pytest.mark.journey
def test_on_an_upright_tablet_the_sheet_stands_beside_the_pad(open_page) -> None:  # type: ignore[no-untyped-def]
    names = [f"{'A name of exactly forty characters in a'} {n}"[-40:] for n in range(10)]
    tablet = open_page({"viewport": {"width": 768, "height": 1024}, "has_touch": True})
    pad = Pad(tablet, names, hands=3, plan={"peak": 4})
    is_dressed(tablet)
    phone, beside = tablet.locator("#pad"), tablet.locator("#beside")
    expect(beside.locator("#hand-3")).to_be_visible()
    boxes = [part.bounding_box() for part in (phone, beside)]
    assert all(boxes)
    assert sum(box["width"] for box in boxes if box) == 768
    assert tablet.evaluate("document.documentElement.scrollWidth") == 768
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bids(likely_bids(order, 4), order)
    pad.count_out()
    # What is scored stands on it at once.
    expect(beside.locator("#hand-4 .mark").first).to_be_visible()
    settled(tablet)


def test_who_holds_up_the_table_has_a_fish_on_the_line_where_that_is_liked(phone: Page) -> None:
    phone.clock.install()
    pad = Pad(phone, 4, hands=1)
    fish = phone.locator(".ice")

    def time_passes(seconds: int) -> None:
        phone.clock.run_for(1000 * seconds)

    time_passes(2)
    expect(phone.locator("[data-mine]")).not_to_have_attribute("hidden", "")
    pad.tap(pad.key(0))
    time_passes(40)
    expect(fish).to_have_count(0)
    pad.open("more")
    pad.tap(phone.get_by_role("button", name="Ice Fishing"))
    expect(phone.get_by_role("button", name="No Ice Fishing")).to_be_visible()
    phone.get_by_role("link", name="Close").tap()
    time_passes(20)
    expect(fish).to_have_count(0)
    time_passes(25)
    expect(phone.locator(".seats > .now .ice")).to_contain_text(" s")
    seconds = int(fish.inner_text().removesuffix(" s"))
    assert 30 <= seconds <= 45
    time_passes(5)
    expect(fish).not_to_have_text(f"{seconds} s")
    pad.tap(pad.key(1))
    time_passes(2)
    expect(fish).to_have_count(0)
