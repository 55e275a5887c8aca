"""One final of a play-off is stopped early on a page that was loaded before there was anything to ask (Rule 14)."""

from __future__ import annotations

import secrets
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from clubs.models import Stage
from scoresheets.access.scorekeepers import hashed
from tests.browser.pads import hold, is_dressed
from tests.clubs.play_offs.evening import PlayOffEvening, reading_of
from tests.clubs.play_offs.test_crowning import WINNERS, evening_at_the_finals

QUESTION = "The other final plays 4 hands. If this one plays fewer, the loser’s trophy waits"


@pytest.fixture
def finals(transactional_db: None) -> PlayOffEvening:
    """The winners' table has played two hands; the losers' table is not drawn yet."""
    evening = evening_at_the_finals()
    evening.play(evening.final(), WINNERS, hands=2)
    losers(evening, is_drawn=False)
    return evening


def losers(evening: PlayOffEvening, *, is_drawn: bool) -> None:
    there = Stage.objects.filter(play_off=evening.play_off, side=Stage.Side.LOSERS)
    there.update(abandoned_at=None if is_drawn else timezone.now())


def stopped_on(page: Page, evening: PlayOffEvening, name: str) -> None:
    """The page is loaded, the other final is drawn, and then somebody stops this one."""
    sheet, secret = evening.final().sheet, secrets.token_urlsafe(16)
    assert sheet
    sheet.scorekeepers.update(browser=hashed(secret))
    hold(page, secret)
    page.goto(f"/sheets/{sheet.code}/{name}")
    losers(evening, is_drawn=True)
    if name:
        is_dressed(page)
        page.locator("#pad [data-open='more']").click()
        page.get_by_role("button", name="Stop here: the game ends with the last scored hand").click()
    else:
        page.get_by_role("button", name="Stop here", exact=True).click()


@pytest.mark.journey
@pytest.mark.allow_statuses(422)
def test_pad_asks_and_stops_only_after_a_yes(
    finals: PlayOffEvening, phone: Page, axe_day_and_night: Callable[[Page], None]
) -> None:
    stopped_on(phone, finals, "pad/")
    bar = phone.get_by_role("button", name="Decide")
    expect(phone.get_by_text("Stop here? Read first what it means.")).to_be_visible()
    assert reading_of(finals.final()).stopped is None
    bar.click()
    dialog = phone.locator("#panel")
    expect(dialog).to_contain_text(QUESTION)
    axe_day_and_night(phone)
    dialog.get_by_role("button", name="Keep playing").click()
    expect(bar).to_be_hidden()
    expect(phone.locator("#pad h1")).to_contain_text("Hand 3 of 4")
    assert reading_of(finals.final()).stopped is None
    # The same once more, with a yes.
    phone.locator("#pad [data-open='more']").click()
    phone.get_by_role("button", name="Stop here: the game ends with the last scored hand").click()
    bar.click()
    dialog.get_by_role("button", name="Stop here all the same").click()
    phone.wait_for_url("**/result/")
    assert reading_of(finals.final()).stopped


@pytest.mark.allow_statuses(422)
def test_page_of_the_sheet_asks_too(
    finals: PlayOffEvening, plain_phone: Page, axe_day_and_night: Callable[[Page], None]
) -> None:
    stopped_on(plain_phone, finals, "")
    expect(plain_phone.get_by_role("heading", name="Stop here?")).to_be_visible()
    expect(plain_phone.get_by_text(QUESTION)).to_be_visible()
    assert reading_of(finals.final()).stopped is None
    plain_phone.get_by_role("button", name="Stop here all the same").click()
    plain_phone.wait_for_url("**/result/")
    assert reading_of(finals.final()).stopped
