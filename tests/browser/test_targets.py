"""What a finger aims at lies nowhere half under the bar at the foot of a page (WCAG 2.5.8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import ONLY_TARGETS, PHONE, see_with_axe
from tests.browser.pads import Pad
from tests.clubs.full_club import FullClub

#: Scrolls what scrolls, the page or the part of it above the bar, and says whether there is more to come.
SCROLL = """(to) => {
  const part = document.querySelector('.page');
  const scrolls = getComputedStyle(part).display === 'contents' ? document.documentElement : part;
  scrolls.scrollTo(0, to);
  return scrolls.scrollTop + scrolls.clientHeight < scrolls.scrollHeight - 1;
}"""
#: Not a divisor of anything that is laid out.
STEP = 17


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("name", ["club", "play_off"])
def test_nothing_lies_half_under_the_bar_however_far_the_page_is_scrolled(
    open_page: Callable[..., Page], live_server: LiveServer, name: str
) -> None:
    full_club = FullClub()
    full_club.browser("organiser")
    page = open_page(PHONE)
    session = full_club.cookies["organiser"][settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page.goto(reverse(name, args=[full_club.club.slug, *([full_club.night.pk] if name == "play_off" else [])]))
    assert page.locator(".tabs").bounding_box()["y"] + 50 < 664, "the bar is in sight"
    for step in range(60):
        more = page.evaluate(SCROLL, step * STEP)
        see_with_axe(page, ONLY_TARGETS, when=f"scrolled by {step * STEP}")
        if not more:
            break
    assert step, "the page is longer than the window"


def test_every_page_of_a_sheet_has_targets_that_can_be_hit(open_page: Callable[..., Page]) -> None:
    page = open_page(PHONE)
    pad = Pad(page, 6, hands=5, plan={"peak": 8})
    watch = f"/watch/{pad.scorer.sheet.watch}/"
    names = ("pad", "sheet", "history", "links", "rules_page", "words")
    pages = ["/", "/open/", watch, f"{watch}table/", reverse("correct", args=[pad.code, "3"]), *map(pad.url, names)]
    for address in pages:
        page.goto(address)
        for down in (0, 150, 400):
            page.evaluate(SCROLL, down)
            see_with_axe(page, ONLY_TARGETS, when=f"scrolled by {down}")
