"""Nothing moves under a finger while a page loads, however late its scripts and its pictures come."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from PIL import Image
from playwright.sync_api import Page, Request, Route
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import PHONE
from tests.browser.test_every_page import PARTS, pages
from tests.browser.waits import wait_until
from tests.clubs.full_club import FullClub

#: A phone on which the whole of most pages is seen at once: what is out of sight does not count as moved.
LONG = PHONE | {"viewport": {"width": 390, "height": 3000}}
#: Pages of a sheet, as its scorekeeper opens them.
OF_SHEETS = ("/sheets/", "/watch/", "/open/", "/blank/", "/rules/", "/words/")
#: What moved up or down, and by how many pixels. A time may be longer as the phone shows it: text alone does not count.
MOVED = """() => new Promise((done) => {
  const found = [];
  const moves = new PerformanceObserver((list) => found.push(...list.getEntries().flatMap(({ sources }) => sources
    .map(({ node, previousRect, currentRect }) => ({ node, by: Math.round(currentRect.y - previousRect.y) }))
    .filter(({ node, by }) => node instanceof Element && by)
    .map(({ node, by }) => `${node.localName} by ${by}: ${node.textContent.trim().slice(0, 40)}`))));
  moves.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0, found)));
})"""


@pytest.mark.parametrize("part", range(PARTS))
def test_nothing_moves_on_a_page_of_a_club(part: int, live_server: LiveServer, open_page: Callable[..., Page]) -> None:
    full_club = with_a_photo()
    assert moves(full_club, "organiser", pages(full_club)[part::PARTS], open_page(LONG), live_server.url) == {}


@pytest.mark.journey(seconds=15)
def test_nothing_moves_on_a_page_of_a_sheet(live_server: LiveServer, open_page: Callable[..., Page]) -> None:
    full_club = with_a_photo()
    addresses = ["/", *pages(full_club, "phone", OF_SHEETS)]
    assert len(addresses) > 15
    assert moves(full_club, "phone", addresses, open_page(LONG), live_server.url) == {}


def with_a_photo() -> FullClub:
    full_club, file = FullClub(), io.BytesIO()
    Image.new("RGB", (1200, 1600), "teal").save(file, "WEBP")
    photo = full_club.photo
    photo.large, photo.large_width, photo.large_height = file.getvalue(), 1200, 1600
    photo.save()
    return full_club


def moves(full_club: FullClub, visitor: str, addresses: list[str], page: Page, origin: str) -> dict[str, list[str]]:
    """What moves on which page when everything that may come late comes after the page was seen."""
    full_club.browser(visitor)
    page.context.add_cookies(
        [{"name": name, "value": cookie.value, "url": origin} for name, cookie in full_club.cookies[visitor].items()]
    )
    # The control page says more then.
    page.add_init_script("localStorage.setItem('call-sound', 'on')")
    styles, late = HeldBack(page, is_style), HeldBack(page, comes_late)
    return {address: moved for address in addresses if (moved := moved_at(address, page, styles, late))}


def moved_at(address: str, page: Page, styles: HeldBack, late: HeldBack) -> list[str]:
    with late:
        # A busy browser may paint a page it has only half read. The foot of a short page moves when the rest comes.
        with styles:
            page.goto(address, wait_until="commit")
            wait_until(page, "document.readyState !== 'loading'")
        wait_until(page, "performance.getEntriesByName('first-contentful-paint').length > 0")
    wait_until(page, "document.readyState === 'complete'")
    return list(page.evaluate(MOVED))


class HeldBack:
    """What a page asks for, as long as it is held back."""

    def __init__(self, page: Page, is_meant: Callable[[Request], bool]) -> None:
        self.is_meant = is_meant
        self.held: list[Route] | None = None
        page.route("**/*", lambda route: self.hold(route))

    def hold(self, route: Route) -> None:
        if self.held is not None and self.is_meant(route.request):
            self.held.append(route)
        else:
            route.fallback()

    def __enter__(self) -> None:
        self.held = []

    def __exit__(self, *problem: object) -> None:
        held, self.held = self.held, None
        for route in held or ():
            route.continue_()


def is_style(request: Request) -> bool:
    """Whether a page waits for it with its first paint."""
    return request.resource_type == "stylesheet"


def comes_late(request: Request) -> bool:
    """Whether a page is painted before it comes: all but itself, its styles, and the script that knows how it should
    look."""
    return request.resource_type == "image" or (request.resource_type == "script" and "prefs" not in request.url)
