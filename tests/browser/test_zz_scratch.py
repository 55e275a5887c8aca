import pytest
from tests.browser.pads import Pad

NAMES = ("Ann", "Bo", "Cy", "Di")
OUT = "/tmp/deals_shots/"

def shoot(page, name):
    page.wait_for_timeout(250)
    page.screenshot(path=f"{OUT}{name}.png")

def test_look(phone):
    pad = Pad(phone, NAMES, game="dirty-deals")
    page = phone
    pad.pencil.enter_step(1, "claim", {"claimer": 1, "suit": "H", "surplus": 0, "bower": 2})
    pad.load()
    page.wait_for_timeout(700)
    shoot(page, "1-start")
    page.locator("label:has(.c1)").tap(); shoot(page, "2-who")
    page.locator("label:has(.sH)").tap(); shoot(page, "3-suit")
    page.locator("label:has(.b2)").tap(); shoot(page, "4-bower")
    page.locator("label:has(.b1)").tap(); shoot(page, "5-own")
    page.locator("label.how").tap(); shoot(page, "6-cards")
    page.locator("label:has([name='f-card-JD'])").tap()
    page.locator("label:has([name='f-card-9C'])").tap(); shoot(page, "7-ticked")
    page.get_by_role("button", name="Negotiate").tap(); shoot(page, "8-talk")
    page.wait_for_timeout(1500); shoot(page, "9-talk")
    page.get_by_role("button", name="Yes").tap(); shoot(page, "10-rings")
    print(page.content()[:0])
