"""What a pad weighs as it is sent in production, and that it goes on without network and through an upgrade."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings

from clubs.site.bundles import shorter_style
from tests.browser.conftest import HASHED, PHONE
from tests.browser.pads import Pad, is_dressed, is_kept, unplug
from tests.browser.waits import wait_until

#: Requests, and bytes on the wire with their headers: before a pad can be used, and with what comes a second later.
MOST_REQUESTS, MOST_BYTES, MOST_IN_ALL = 12, 45_000, 60_000


@dataclass
class Wire:
    """What the network brought to a page: the bytes of each request, by its path."""

    bytes: dict[str, int] = field(default_factory=dict)
    paths: dict[str, str] = field(default_factory=dict)

    def watch(self, page: Page) -> None:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self.ask)
        session.on("Network.loadingFinished", self.come)

    def ask(self, event: dict[str, Any]) -> None:
        self.paths[event["requestId"]] = urlsplit(event["request"]["url"]).path

    def come(self, event: dict[str, Any]) -> None:
        path = self.paths[event["requestId"]]
        # What a poll has to tell is the sheet's news, and no part of the page.
        if not path.endswith("/state/"):
            self.bytes[path] = int(event["encodedDataLength"])


@pytest.mark.journey
# Also beside faults, where other pages are loaded file by file.
@pytest.mark.usefixtures("bundled")
@pytest.mark.parametrize("game", ["dirty-dog", pytest.param("dingo", marks=pytest.mark.thorough)])
def test_a_pad_is_light(phone: Page, game: str) -> None:
    wire = Wire()
    # A second after the page the rest comes: the test says when that is.
    phone.clock.install()
    wire.watch(phone)
    shape: dict[str, Any] = (
        {"hands": 19, "plan": {"peak": 5, "extra_rounds": 1}} if game == "dirty-dog" else {"hands": 2}
    )
    Pad(phone, 10 if game == "dirty-dog" else 4, game=game, **shape)
    phone.wait_for_load_state("networkidle")
    first = dict(wire.bytes)
    phone.clock.run_for(1500)
    # Under that clock a page does not know what it has loaded: what it does with it must be seen.
    expect(phone.locator("[data-mine]")).not_to_have_attribute("hidden", "")
    expect(phone.locator("body")).to_contain_class("dressed")
    phone.wait_for_load_state("networkidle")
    assert any("/bundles/pad-" in path for path in first), first
    assert not any("/later/" in path for path in first), first
    assert any("/bundles/later/pad-" in path for path in wire.bytes)
    assert not any("large_text" in path for path in wire.bytes), "only who has large text needs it"
    assert len(first) <= MOST_REQUESTS
    assert sum(first.values()) <= MOST_BYTES, first
    assert sum(wire.bytes.values()) <= MOST_IN_ALL, wire.bytes


#: Which pads lie in the browser: by the names of their caches, without the site.
CACHES = "caches.keys().then((names) => names.filter((name) => name.startsWith('pads ')))"


@pytest.mark.journey
@pytest.mark.file_by_file
# Collected before the first page: while files are collected, a page that is asked for finds none of them.
@pytest.mark.usefixtures("collected", "off_the_net")
def test_a_pad_goes_on_without_network_through_an_upgrade(
    open_page: Callable[..., Page], settings: Settings, request: pytest.FixtureRequest
) -> None:
    """A phone that kept the pad of an older release, file by file, keeps that of the new one in its place."""
    page = open_page(PHONE, service_workers="allow")
    pad = Pad(page, 4, hands=1, plan={"peak": 3, "extra_rounds": 1})
    is_kept(page)
    (old,) = page.evaluate(CACHES)
    assert old.endswith("/js/pad/bidding.js")
    # Pads of other games are kept with another script, and stay.
    other = old.replace("bidding", "prompts")
    page.evaluate("name => caches.open(name).then((kept) => kept.put('/other', new Response('')))", other)
    request.getfixturevalue("bundled")
    assert settings.STORAGES["staticfiles"] == HASHED["staticfiles"]
    page.reload()
    wait_until(page, f"{CACHES}.then((names) => !names.some((name) => name.endsWith('/js/pad/bidding.js')))")
    is_dressed(page)
    left = page.evaluate(CACHES)
    assert other in left
    (new,) = (name for name in left if name != other)
    assert "/bundles/pad-bidding." in new
    kept = page.evaluate(
        "name => caches.open(name).then((kept) => kept.keys()).then((all) => all.map(({ url }) => url))", new
    )
    paths = {urlsplit(url).path for url in kept}
    assert {path.rpartition("/")[0] for path in paths} >= {"/static/bundles", "/static/bundles/later"}
    assert any(path.startswith("/static/bundles/sheet.") for path in paths), "the style sheet of the sheet"
    assert pad.url("pad") in paths
    unplug(page)
    page.reload()
    expect(page.locator("h1")).to_have_text("Hand 2 of 12")
    pad.bid(0)
    # A panel of its own, which a script of the later bundle draws.
    pad.tap(page.locator("#pad [data-open^='retype-']").first)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Close").tap()
    pad.bid(1, 0, 0)
    pad.rest()
    expect(pad.sent).to_have_text("4 to send")


#: The rules of a style sheet as the browser has understood them.
RULES = """(text) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return [...sheet.cssRules].map((rule) => rule.cssText.replace(/\\s+/g, ' ').replaceAll(', ', ','));
}"""


def test_a_shorter_style_sheet_says_the_same_to_a_browser(browser: Browser, project: Path) -> None:
    page = browser.new_page()
    for file in sorted((project / "static" / "css").rglob("*.css")):
        rules = page.evaluate(RULES, file.read_text())
        assert rules
        assert page.evaluate(RULES, shorter_style(file.read_text())) == rules, file.name
    page.close()
