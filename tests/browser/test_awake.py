"""The screen stays lit where people look at it for a whole evening."""

import pytest
from playwright.sync_api import Page

from scoresheets.access.scorekeepers import make_link
from tests.browser.waits import wait_until
from tests.factories import Scorer, scorer

ASKED = """
window.asked = [];
navigator.wakeLock.request = async (kind) => { window.asked.push(kind); };
"""
REFUSED = "navigator.wakeLock.request = () => Promise.reject(new DOMException('low battery', 'NotAllowedError'));"
PLAIN_HTTP = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"


@pytest.fixture
def ann(transactional_db: None) -> Scorer:
    return scorer(4)


def asked(page: Page, times: int) -> None:
    """Wait until the page has asked for light so often."""
    wait_until(page, "times => window.asked.length >= times", times)
    assert page.evaluate("window.asked") == ["screen"] * times


def open_pad(page: Page, ann: Scorer) -> None:
    page.goto(f"/keep/{make_link(ann.sheet, by=None)}/")
    page.wait_for_url("**/pad/")


@pytest.mark.journey
def test_pad_asks_for_light_and_asks_again_when_it_comes_back_into_sight(phone: Page, ann: Scorer) -> None:
    phone.add_init_script(ASKED)
    open_pad(phone, ann)
    asked(phone, 1)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    asked(phone, 2)


def test_table_that_is_shown_asks_for_light(desk: Page, ann: Scorer) -> None:
    desk.add_init_script(ASKED)
    desk.goto(f"/watch/{ann.sheet.watch}/table/")
    asked(desk, 1)


@pytest.mark.parametrize("script", [REFUSED, PLAIN_HTTP], ids=["low battery", "plain http"])
def test_phone_that_cannot_be_kept_lit_keeps_score_all_the_same(phone: Page, ann: Scorer, script: str) -> None:
    phone.add_init_script(script)
    open_pad(phone, ann)
    phone.locator(".keys button").first.tap()
    wait_until(phone, "document.querySelectorAll('.seats .bid:not(.none)').length === 1")
