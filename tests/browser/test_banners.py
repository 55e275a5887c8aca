"""Every line that tells a scorekeeper something has a row of its own: it covers no key, and it can be read whole."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import become_active, cut_off
from scoresheets.commands.last_hand import announce
from scoresheets.models import Entry, Sheet
from tests.browser.conftest import PHONE
from tests.browser.pads import Pad, likely_bids, unplug
from tests.factories import ScorekeeperFactory, new_key, sure_of

pytestmark = [pytest.mark.usefixtures("off_the_net"), pytest.mark.allow_statuses(403, 409, 422, 429)]

#: What lies where no finger reaches it, beside the lines that are shown; [] is well.
AMISS = """() => {
  const found = [];
  const lines = [...document.querySelectorAll('#pad .bar, #pad .line')].filter((one) => one.checkVisibility());
  const box = (one) => one.getBoundingClientRect();
  const beside = (a, b) => a.right <= b.left + .5 || b.right <= a.left + .5;
  const apart = (a, b) => beside(a, b) || a.bottom <= b.top + .5 || b.bottom <= a.top + .5;
  if (!lines.length) found.push('nothing is said');
  for (const line of lines) {
    const at = box(line);
    if (at.left < 0 || at.right > innerWidth + .5 || at.top < 0) found.push(`${line.className} lies outside`);
    for (const part of [line, ...line.children]) {
      const isCut = part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1;
      if (isCut) found.push(`cut off: ${part.textContent}`);
    }
    for (const other of lines) if (other !== line && !apart(at, box(other))) found.push('two lines lie on each other');
    for (const part of document.querySelectorAll('#pad h1, #pad .sent')) {
      if (!apart(at, box(part))) found.push(`${line.className} lies on ${part.className || 'the heading'}`);
    }
  }
  const keys = [...document.querySelectorAll('#pad button, #pad a, #pad input:not([type=hidden])')];
  for (const key of keys.filter((one) => one.checkVisibility() && !one.closest('.visually-hidden'))) {
    const at = box(key);
    const name = key.getAttribute('aria-label') || key.textContent;
    for (const line of lines) if (!line.contains(key) && !apart(at, box(line))) found.push(`${name} lies under a line`);
    for (const [x, y] of [[.5, .5], [.15, .15], [.85, .15], [.15, .85], [.85, .85]]) {
      const there = document.elementFromPoint(at.x + x * at.width, at.y + y * at.height);
      const isThere = key.contains(there) || there?.closest('li, label')?.contains(key);
      if (!isThere) found.push(`${name} is covered at ${x}, ${y} by ${there?.className}`);
    }
  }
  for (const button of document.querySelectorAll('#pad .bar :is(button, .button)')) {
    const { width, height } = box(button);
    if (width < 48 || height < 48) found.push(`${button.textContent} is ${width} x ${height}`);
  }
  return found;
}"""
#: Where the keys at the bottom of the pad lie, which never move.
BOTTOM = """() => [...document.querySelectorAll('#pad .keys button, #pad .tools > *, #pad .go')]
  .map((key) => key.getBoundingClientRect()).map(({ x, y, width, height }) => [x, y, width, height])"""
LONGEST = "Maximiliana Konstantinopolitanska-Langen"


def refuse(pad: Pad, status: int, **answer: Any) -> None:
    """Whatever is posted is answered so; and the pad is not told of anything else."""
    body = json.dumps({"pad": None, **answer})
    pad.page.route("**/state/**", lambda route: route.fulfill(status=204))
    pad.page.route("**/enter/", lambda route: route.fulfill(status=status, content_type="application/json", body=body))


def tap(pad: Pad) -> None:
    """The next thing that is to be written on the pad."""
    if pad.page.locator(".keys").count():
        pad.bid(1)
    else:
        pad.count_out()


# What is said, and how it comes about


def no_network(pad: Pad) -> str:
    unplug(pad.page)
    pad.page.evaluate("dispatchEvent(new Event('offline'))")
    return "no connection: kept on this phone"


def trouble(pad: Pad) -> str:
    refuse(pad, 429, problem="Too many posts came from this place. Wait a minute.")
    tap(pad)
    return "Too many posts came from this place. Wait a minute. Kept on this phone."


def refused(pad: Pad) -> str:
    refuse(pad, 422, problem="The number here can be 0 to 2.")
    tap(pad)
    return "The number here can be 0 to 2."


def unwise(pad: Pad) -> str:
    refuse(pad, 422, problem="Nobody bids that many. Is it right?", unwise=True)
    tap(pad)
    return "Nobody bids that many. Is it right?"


def two_answers(pad: Pad) -> str:
    """Another phone has written something else, of everybody."""
    open_hand = pad.scorer.reading.sheet.open.hand
    if pad.page.locator(".keys").count():
        pad.page.route("**/enter/", lambda route: route.abort())
        seat = open_hand.order[0]
        pad.bid(1)
        sure_of(pad.marge.bid(seat, 0))
    else:
        pad.page.route("**/enter/", lambda route: route.abort())
        pad.count_out()
        sure_of(pad.marge.tricks({seat: open_hand.cards * (seat == open_hand.order[-1]) for seat in open_hand.order}))
    pad.page.unroute("**/enter/")
    pad.page.evaluate("dispatchEvent(new Event('online'))")
    return f"Hand {open_hand.number}:"


def moved_on(pad: Pad) -> str:
    """Somebody else writes while the pad is in the middle of something."""
    if pad.page.locator(".keys").count():
        pad.bid(0)
        pad.tap(pad.page.locator("a.bid").first)
    else:
        pad.more(pad.scorer.reading.names[pad.scorer.reading.sheet.open.hand.order[0]])
    sure_of(announce(pad.scorer.sheet, None, key=new_key(), by=pad.marge.by))
    expect(pad.page.locator(".bar")).to_have_count(1)
    if pad.page.locator("#panel[open]").count():
        pad.page.locator("#panel").get_by_role("button", name="Close").tap()
    return "announced that the table stops after hand"


def taken_over(pad: Pad) -> str:
    sure_of(become_active(ScorekeeperFactory(sheet=pad.scorer.sheet, name=LONGEST), key=new_key()))
    return LONGEST


def called(pad: Pad) -> str:
    Sheet.objects.filter(pk=pad.scorer.sheet.pk).update(asks_since=timezone.now())
    return "organiser called at"


def called_without_network(pad: Pad) -> str:
    """A line and a bar at once."""
    taken_over(pad)
    expect(pad.page.locator(".bar")).to_have_count(1)
    return called(pad)


def cut(pad: Pad) -> str:
    keeper = pad.scorer.by
    cut_off(keeper, by=pad.marge.by)
    return "This phone can no longer enter scores."


def stops(pad: Pad) -> str:
    sure_of(announce(pad.scorer.sheet, None, key=new_key(), by=pad.scorer.by))
    return f"The table stops after hand {pad.scorer.reading.next_hand}."


def loose(pad: Pad) -> str:
    """Something stands on the sheet that has no place there."""
    write = pad.scorer.sheet.revisions.order_by("-version").first()
    Entry.objects.create(sheet=pad.scorer.sheet, hand=2, ask="bid-77", data={"bid": 1}, added_by=write, first_by=write)
    pad.page.evaluate("localStorage.clear()")
    pad.load()
    return "no longer fits"


CAUSES = (no_network, trouble, refused, unwise, two_answers, moved_on, taken_over, called, called_without_network, cut,
          stops, loose)  # fmt: skip


@pytest.mark.parametrize("mode", ["bids", "tricks"])
@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.__name__)
def test_no_line_covers_a_key_and_each_can_be_read_whole(phone: Page, cause: Callable[[Pad], str], mode: str) -> None:
    pad = ten(phone, mode)
    before = phone.evaluate(BOTTOM)
    says = cause(pad)
    line = phone.locator("#pad .bar, #pad .line").filter(has_text=says)
    expect(line).to_be_visible()
    pad.rest()
    assert phone.evaluate(AMISS) == []
    if pad.page.locator(".keys").count() == (mode == "bids"):
        assert phone.evaluate(BOTTOM) == before


#: How far the first and the last line of what is said lie from the edges of their box.
AIR = """bar => {
  const range = document.createRange();
  range.selectNodeContents(bar.firstElementChild);
  const lines = [...range.getClientRects()].filter(({ width }) => width > 1);
  const box = bar.getBoundingClientRect();
  const [top, bottom] = [lines[0].top, lines.at(-1).bottom];
  return [top - box.top, box.bottom - bottom];
}"""


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("width", [360, 390])
def test_three_lines_do_not_touch_the_edges_of_their_box(open_page: Callable[..., Page], width: int) -> None:
    page = open_page(PHONE, viewport={"width": width, "height": 640})
    pad = ten(page, "bids", [f"{letter}{LONGEST}"[:40] for letter in "ABCDEFGHIJ"])
    page.goto(f"{pad.url('sheet')}correct/1/?from=pad")
    for name, way in (("B", "fewer"), ("C", "more")):
        page.get_by_role("button", name=re.compile(f"^{name}.* took: one {way}$")).tap()
    page.get_by_role("button", name="See what changes").tap()
    page.get_by_role("button", name="Confirm").tap()
    bar = page.locator("#pad .bar")
    expect(bar).to_contain_text("Hand 1 was changed")
    assert min(bar.evaluate(AIR)) >= 2
    assert page.evaluate(AMISS) == []


@pytest.mark.parametrize("mode", ["bids", "tricks"])
@pytest.mark.parametrize("players", [4, 7, 9])
def test_two_answers_cover_no_key_however_many_play(phone: Page, players: int, mode: str) -> None:
    pad = ten(phone, mode, players)
    expect(phone.locator("#pad .bar")).to_have_count(0)
    says = two_answers(pad)
    expect(phone.locator("#pad .bar")).to_contain_text(says)
    pad.rest()
    assert phone.evaluate(AMISS) == []


@pytest.mark.parametrize("players", [4, 10])
def test_panel_of_two_answers_holds_the_longest_names_and_shows_its_buttons(phone: Page, players: int) -> None:
    pad = ten(phone, "tricks", [letter * 40 for letter in "WMGOQUNDHB"[:players]])
    expect(phone.locator("#pad .bar")).to_have_count(0)
    expect(phone.locator("#pad .bar")).to_contain_text(two_answers(pad))
    pad.rest()
    phone.locator("#pad .bar").get_by_role("button", name="Look").tap()
    panel = phone.locator("#panel[open]")
    expect(panel.locator(".button", has_text="Use").first).to_be_in_viewport(ratio=1)
    assert panel.evaluate("panel => panel.scrollWidth <= panel.clientWidth")


def test_phone_that_keeps_nothing_says_so_beside_its_keys(phone: Page) -> None:
    phone.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
    pad = ten(phone, "bids")
    pad.bid(1)
    expect(phone.locator(".bar")).to_contain_text("save")
    assert phone.evaluate(AMISS) == []


def ten(phone: Page, mode: str, players: Sequence[str] | int = 10) -> Pad:
    """A table in the middle of its game: it bids, or all have bid."""
    pad = Pad(phone, players, hands=3, plan={"peak": 5})
    hand = pad.scorer.reading.sheet.open.hand
    if mode == "tricks":
        pad.bids(likely_bids(hand.order, hand.cards), hand.order)
        expect(pad.score).to_be_visible()
        pad.is_saved()
    return pad
