"""The guard of the browser tests must itself be able to see."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Guard
from tests.browser.waits import wait_for


def is_heard(page: Page, guard: Guard, said: str) -> None:
    """Wait until the page complains of that."""
    wait_for(page, lambda: any(said in complaint for complaint in guard.complaints))


def test_front_page_opens_without_a_complaint(phone: Page, guard: Guard) -> None:
    phone.goto("/")
    assert guard.complaints == []


def test_inline_style_is_a_complaint(phone: Page, guard: Guard) -> None:
    phone.goto("/")
    phone.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">x</p>')")
    is_heard(phone, guard, "Content Security Policy")
    guard.complaints.clear()


def test_missing_page_is_a_complaint(phone: Page, guard: Guard) -> None:
    phone.goto("/nothing-here/")
    is_heard(phone, guard, "404: GET")
    guard.complaints.clear()


@pytest.mark.allow_statuses(404)
def test_expected_status_is_no_complaint(phone: Page, guard: Guard) -> None:
    with phone.expect_console_message(lambda message: "404" in message.text):
        phone.goto("/nothing-here/")
    assert guard.complaints == []


def test_fault_in_a_script_is_a_complaint(phone: Page, guard: Guard) -> None:
    phone.goto("/")
    phone.evaluate("setTimeout(() => { throw new Error('a tap that went wrong') }, 0)")
    is_heard(phone, guard, "a tap that went wrong")
    guard.complaints.clear()


def test_dark_and_plain_pages_pass_the_accessibility_check(dark_desk: Page, plain_phone: Page, axe) -> None:
    dark_desk.goto("/")
    axe(dark_desk)
    plain_phone.goto("/")
    assert plain_phone.locator("h1").count() == 1


def test_what_cannot_be_read_in_the_dark_is_found_on_a_light_page(phone: Page, axe_day_and_night) -> None:
    phone.goto("/")
    axe_day_and_night(phone)
    phone.evaluate("""() => {
      const inTheDark = new CSSStyleSheet();
      inTheDark.replaceSync('@media (prefers-color-scheme: dark) { main { color: black } }');
      document.adoptedStyleSheets = [inTheDark];
    }""")
    with pytest.raises(AssertionError, match="in the dark"):
        axe_day_and_night(phone)
