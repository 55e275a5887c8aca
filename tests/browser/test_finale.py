"""The end of a game whose result is held back: on the phone that keeps the sheet, and on one that watches."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from tests.browser.waits import wait_until
from tests.factories import scorer

SECRET = "F" * 22
#: Nothing on the page is still being drawn.
DRAWN = "() => document.getAnimations().every((one) => one.playState === 'finished')"
#: When the strokes round loser and winner begin, in this order, in seconds.
BEGINS = """() => ['is-loser', 'is-winner'].map((who) =>
  parseFloat(getComputedStyle(document.querySelector(`.${who} .pencil`)).animationDelay))"""


@pytest.mark.journey
def test_result_waits_for_a_tap_and_is_drawn_on_the_phone_of_who_watches(
    transactional_db: None, phone: Page, desk: Page, axe_day_and_night: Callable[[Page], None], live_server
):
    p = scorer(4, house_rules={"hold_result": True}, browser=hashed(SECRET))
    p.clear_game()
    desk.goto(f"/watch/{p.sheet.watch}/")
    expect(desk.locator(".withheld")).to_have_text("The last hand is played. The result comes in a moment.")
    expect(desk.locator(".trophies")).to_have_count(0)

    phone.context.add_cookies([{"name": BROWSER_COOKIE, "value": SECRET, "url": live_server.url}])
    phone.goto(f"/sheets/{p.sheet.code}/pad/")
    axe_day_and_night(phone)
    phone.get_by_role("button", name="Show the result").tap()
    expect(phone.locator(".trophies")).to_be_visible()
    wait_until(phone, "document.readyState === 'complete'")
    loser, winner = phone.evaluate(BEGINS)
    assert loser < winner
    buttons = phone.locator("main .buttons").first.locator("a, button")
    expect(buttons.first).to_have_text("Same players again")
    wait_until(phone, DRAWN)
    axe_day_and_night(phone)

    expect(desk.locator(".trophies .is-winner")).to_contain_text("Ann")
    expect(desk.locator(".aloud")).to_contain_text("Ann wins with")

    phone.emulate_media(reduced_motion="reduce")
    phone.reload()
    assert phone.evaluate("document.getAnimations().length") == 0
    expect(phone.locator(".aloud")).to_contain_text("Ann wins with")
