"""The Share button of a page: the phone's own share sheet, else the clipboard, else the link to be copied by hand."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from clubs.models import Club
from tests.browser.waits import wait_until
from tests.clubs.night_played import Evening, an_evening
from tests.factories import scorer

SHARE_SHEET = """
() => {
  window.shared = [];
  const types = ({ files = [] }) => files.map((file) => file.type);
  navigator.share = async (what) => { window.shared.push({ ...what, files: types(what) }); };
  navigator.canShare = () => PICTURES;
}
"""


@pytest.fixture
def watched(live_server) -> str:
    p = scorer(4)
    p.any_hand()
    return f"{live_server.url}{reverse('watch', args=[p.sheet.watch])}"


def share_sheet(page: Page, *, pictures: bool) -> None:
    page.evaluate(SHARE_SHEET.replace("PICTURES", "true" if pictures else "false"))


def what_was_sent(page: Page) -> dict[str, Any]:
    wait_until(page, "window.shared.length === 1")
    (sent,) = page.evaluate("window.shared")
    return dict(sent)


@pytest.mark.journey
def test_page_is_shared_with_its_link_what_it_says_and_its_picture(phone: Page, watched: str) -> None:
    phone.goto(watched)
    share_sheet(phone, pictures=True)
    phone.get_by_role("button", name="Share").tap()
    sent = what_was_sent(phone)
    assert sent["title"].startswith("Hand 2 of ")
    assert sent["text"] == f"{sent['title']}\n{watched}"
    assert sent["files"] == ["image/png"]


def test_link_is_shared_where_no_picture_can_be(phone: Page, watched: str) -> None:
    phone.goto(watched)
    share_sheet(phone, pictures=False)
    phone.get_by_role("button", name="Share").tap()
    sent = what_was_sent(phone)
    assert (sent["url"], sent["files"]) == (watched, [])


def test_link_is_copied_where_there_is_no_share_sheet(desk: Page, watched: str) -> None:
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.goto(watched)
    desk.evaluate("delete Navigator.prototype.share")
    desk.get_by_role("button", name="Share").click()
    expect(desk.get_by_text("Link copied.")).to_be_visible()
    assert desk.evaluate("navigator.clipboard.readText()") == watched


def test_link_is_shown_where_nothing_can_be_copied(desk: Page, watched: str) -> None:
    desk.goto(watched)
    desk.evaluate("""() => {
      delete Navigator.prototype.share;
      delete Navigator.prototype.clipboard;
      document.execCommand = () => false;
    }""")
    desk.get_by_role("button", name="Share").click()
    expect(desk.get_by_text("Copy this link:")).to_be_visible()
    expect(desk.get_by_label("The link")).to_have_value(watched)


@pytest.mark.parametrize("name", ["club", "night", "standings", "members"])
def test_night_of_a_club_by_link_is_shared_with_what_opens_it(phone: Page, open_page, live_server, name: str) -> None:
    """Another phone, which was never here, opens what was shared."""
    evening: Evening = an_evening(visibility=Club.Visibility.LINK)
    evening.table(hands=1)
    path = {"night": evening.page, "members": evening.members[0].get_absolute_url()}.get(name) or evening.url(name)
    phone.goto(f"{live_server.url}{path}?key={evening.club.key}")
    share_sheet(phone, pictures=True)
    phone.get_by_role("button", name="Share").first.tap()
    sent = what_was_sent(phone)
    other = open_page()
    other.goto(sent["url"] if sent.get("url") else sent["text"].splitlines()[-1])
    expect(other.locator("body")).to_contain_text("The Trumps")
