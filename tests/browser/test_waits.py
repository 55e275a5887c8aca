"""What the tests in a browser wait for, where that is more than what they expect."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.factories import scorer


def test_page_is_not_measured_before_its_styles_are_there(phone: Page) -> None:
    held: list[Route] = []

    def let_them_come(route: Route) -> None:
        route.continue_()
        for style in held:
            style.continue_()

    phone.route("**/*.css*", lambda route: held.append(route))
    phone.route("**/healthz", let_them_come)
    phone.goto(f"/watch/{scorer().sheet.watch}/", wait_until="commit")
    heading = phone.get_by_role("heading", level=1)
    expect(heading).to_be_visible()
    bare = phone.main_frame.evaluate("getComputedStyle(document.body).fontFamily")
    phone.main_frame.evaluate("void fetch('/healthz')")
    assert phone.evaluate("getComputedStyle(document.body).fontFamily") != bare
    assert held
