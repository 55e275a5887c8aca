"""A sheet for any other game on a phone: everybody’s points on one screen, below 0 too."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.pads import Pad


def test_points_of_all_are_typed_on_one_screen_with_a_sign_that_the_number_keys_lack(phone: Page, axe) -> None:  # type: ignore[no-untyped-def]
    names = ["Ann", "Bo", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ida", "A name that has exactly forty characters"]
    pad = Pad(phone, names, game="points-sheet", plan={}, house_rules={"wins": "lowest"})
    boxes = phone.locator(".line-of input")
    expect(boxes.first).to_have_attribute("inputmode", "numeric")
    go = phone.get_by_role("button", name="Score the hand")
    expect(go).to_have_attribute("aria-disabled", "true")
    # Enter goes on to the next that is missing, and ± counts before the digits and after them.
    boxes.nth(0).focus()
    phone.keyboard.type("12")
    phone.keyboard.press("Enter")
    expect(boxes.nth(1)).to_be_focused()
    phone.keyboard.type("5")
    pad.tap(phone.get_by_role("button", name="Bo: plus or minus"))
    expect(boxes.nth(1)).to_have_value("−5")
    pad.tap(phone.get_by_role("button", name="Cy: plus or minus"))
    phone.keyboard.type("7")
    expect(boxes.nth(2)).to_have_value("−7")
    for at in range(3, 10):
        boxes.nth(at).fill("-999" if at == 9 else f"{at}")
    expect(boxes.nth(9)).to_have_value("−999")
    axe(phone)
    in_sight = "all => all.every(one => one.getBoundingClientRect().bottom <= innerHeight && one.clientHeight >= 44)"
    assert phone.locator(".line-of input, .line-of button, .go").evaluate_all(in_sight), "one screen has it all"
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    pad.rest()
    pad.tap(go)
    pad.is_saved()
    assert list(pad.scorer.reading.sheet.totals.values()) == [12, -5, -7, 3, 4, 5, 6, 7, 8, -999]
    # The phone knows which total is the best, and a hand that is taken back shows what stood there.
    expect(phone.locator(".line-of").last.locator(".mark.boxed")).to_contain_text("−999")
    expect(phone.locator(".line-of").first.locator(".mark.circled")).to_contain_text("12")
    pad.tap(pad.back)
    expect(boxes.nth(1)).to_have_value("")
    expect(phone.locator(".mark.boxed")).to_have_count(0)
