"""Typing in from paper with nothing but a keyboard, and going on in the middle of a game."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from scoresheets.sharing import hashed
from tests.browser.games import any_game
from tests.factories import pencil
from tests.scoresheets.laid import PENCIL

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.games import Script

COOKIE = {"name": "pencil", "value": PENCIL, "domain": "localhost", "path": "/"}


def paper(players: int, hands: int, seed: int = 3):
    """A game that was kept on paper, and the sheet it is typed into."""
    script = any_game(players, seed, {"hands": hands})
    return script, pencil(players, plan={"hands": hands}, browser=hashed(PENCIL))


def with_pencil(page: Page) -> Page:
    page.context.add_cookies([COOKIE])
    return page


def type_hands(page: Page, script: Script) -> None:
    """Digit after digit, as they stand on the paper; the script moves on by itself. Trump is left out."""
    for deal in script.hands:
        for name in script.players:
            page.keyboard.type(f"{deal.bids[name]}{deal.tricks[name]}")
        page.keyboard.press("Enter")


def test_whole_game_is_typed_with_digits_and_one_key_a_hand(desk: Page, axe):
    script, p = paper(6, 18)
    page = with_pencil(desk)
    page.goto(f"/sheets/{p.sheet.code}/type/")
    axe(page)
    type_hands(page, script)
    page.screenshot(path="/tmp/pp/typed.png")
    expect(page.get_by_role("button", name="Put them on the sheet")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/(result|sheets/[^/]+)/$"))
    reading = p.reading
    assert len(reading.sheet.rows) == 18
    assert [dict(deal.bids) for deal in script.hands[:1]][0] == {
        reading.names[s]: reading.sheet.rows[0].hand.steps[f"bid-{s}"]["bid"] for s in reading.table.seats
    } | {}
