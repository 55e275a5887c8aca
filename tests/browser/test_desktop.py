"""What has much to show uses the width of a desktop: one width for all pages, in columns whose lines can be read."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from clubs.models import Night, Trophy
from tests.browser.conftest import DESK
from tests.clubs.full_club import FullClub

#: What a page has to show is so wide at most, in pixels.
WIDTH = 1120
#: Letters on a line of text.
LONGEST = 70

#: Where what is shown begins and ends: of the header, of the page and of the footer.
EDGES = """() => ['.site > div', 'main', '.foot > div'].map((part) => document.querySelector(part)).filter(Boolean)
  .map((part) => [part.getBoundingClientRect(), getComputedStyle(part)])
  .map(([box, style]) => [box.left + parseFloat(style.paddingLeft), box.right - parseFloat(style.paddingRight)])"""
#: The lines of the paragraphs that are longer than so many letters.
LONG_LINES = """(most) => [...document.querySelectorAll('main p, main dd')].flatMap((part) => {
  const lines = new Map();
  const walk = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    for (const { index, 0: word } of walk.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, index);
      range.setEnd(walk.currentNode, index + word.length);
      const { bottom, width } = range.getBoundingClientRect();
      if (width > 1) lines.set(Math.round(bottom / 12), `${lines.get(Math.round(bottom / 12)) ?? ''} ${word}`.trim());
    }
  }
  const isText = !getComputedStyle(part).display.includes('flex');
  return isText ? [...lines.values()].filter((line) => line.length > most) : [];
})"""


def test_wide_pages_have_one_width_and_lines_that_can_be_read(
    live_server: LiveServer, open_page: Callable[..., Page]
) -> None:
    full_club = FullClub()
    slug, night = full_club.club.slug, Night.objects.earliest("pk").pk
    addresses = [
        reverse("front"),
        *(reverse(name, args=[slug]) for name in ("club", "members", "records", "games", "trophies", "organise")),
        reverse("member", args=[slug, full_club.members[0].pk]),
        reverse("trophy", args=[slug, Trophy.objects.earliest("pk").pk]),
        reverse("control", args=[slug, night]),
        reverse("night", args=[slug, night]),
    ]
    page = open_page(DESK)
    full_club.browser("organiser")
    session = full_club.cookies["organiser"][settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    for address in addresses:
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(address)
        assert page.evaluate(EDGES)
        for left, right in page.evaluate(EDGES):
            assert (left, right) == (160, 160 + WIDTH), address
        assert page.evaluate(LONG_LINES, LONGEST) == [], address
        for width in (1440, 1100, 960, 768, 390):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
