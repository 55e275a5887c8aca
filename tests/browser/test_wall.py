"""The wall of a night on a big screen: nothing is cut off, it turns and follows by itself, and says when it is old."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from scoresheets.models import Sheet
from tests.browser.conftest import DESK, ONLY_TARGETS, PHONE, Guard, see_with_axe
from tests.browser.pads import unplug
from tests.browser.waits import wait_until
from tests.club_factories import MemberFactory, TrophyFactory
from tests.clubs.night_played import Evening, an_evening, scorer_of
from tests.clubs.play_offs.evening import FIRST, SECOND, play_off
from tests.factories import sure_of

WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
SMALL_WALL: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}
LARGE_WALL: dict[str, Any] = {"viewport": {"width": 3840, "height": 2160}}
LONG = [f"{letter}artholomew of Hohenzollern-Sigmaringen-"[:39] + letter for letter in "BCDFGHKLMN"]
#: What cannot be read as a whole: an item that is too small for its content, or lies outside of the window.
CUT_OFF = """() => [...document.querySelectorAll('.is-shown .wall-items *')]
  .filter((part) => !part.closest('.visually-hidden, svg') && part.getClientRects().length)
  .filter((part) => {
    const box = part.getBoundingClientRect();
    const isOutside = box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
    const isBlock = part.clientWidth > 0 && !part.matches('.mark');
    // Letters may be a little taller than their line.
    const tall = parseFloat(getComputedStyle(part).fontSize) / 5 + 1;
    const hidden = part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + tall;
    return isOutside || (isBlock && hidden);
  })
  .map((part) => `${part.className || part.tagName}: ${part.textContent.trim().slice(0, 60)} `
    + [part.scrollWidth, part.clientWidth, part.scrollHeight, part.clientHeight])"""
#: The smallest letters that can be seen, as if the window were 1080 pixels high.
SMALLEST = """() => Math.min(...[...document.querySelectorAll('.wall *, #old')]
  .filter((part) => part.getClientRects().length && !part.closest('.visually-hidden'))
  .filter((part) => [...part.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .map((part) => parseFloat(getComputedStyle(part).fontSize) * 1080 / innerHeight))"""
NAME = "() => parseFloat(getComputedStyle(document.querySelector('.is-shown .name')).fontSize)"
TOTAL = "() => parseFloat(getComputedStyle(document.querySelector('.is-shown .mark')).fontSize)"
TITLE = ".wall-title"
#: Longer than any view is shown.
A_TURN = 21_000


def at_the_wall(page: Page, evening: Evening) -> None:
    page.goto(f"{evening.page}wall/")
    expect(page.locator(".wall-view.is-shown")).to_be_visible()


def is_readable(page: Page, what: object = "") -> None:
    assert page.evaluate(CUT_OFF) == [], what
    assert page.evaluate(SMALLEST) >= 28, what


@pytest.fixture
def evening(transactional_db: None) -> Evening:
    """Three tables, at one of which nobody has bid yet; a trophy hangs beside them."""
    evening = an_evening(people=10)
    evening.table(hands=1)
    evening.table(hands=2, seats=slice(4, 8))
    evening.table(hands=0, seats=slice(8, 10), game="hotdog")
    TrophyFactory(club=evening.club)
    return evening


@pytest.fixture
def screen(open_page: Callable[..., Page]) -> Page:
    return open_page(WALL, dark=True)


@pytest.mark.parametrize("tables", [1, 9])
def test_ten_names_of_forty_letters_are_never_cut_off(
    transactional_db: None, open_page: Callable[..., Page], tables: int
) -> None:
    evening = an_evening(people=0)
    evening.members += [MemberFactory(club=evening.club, name=name) for name in LONG]
    for hands in range(tables):
        evening.table(hands=hands % 3, seats=slice(10))
    for size in (WALL, SMALL_WALL, LARGE_WALL):
        page = open_page(size)
        page.clock.install()
        at_the_wall(page, evening)
        shown: list[str] = []
        while not shown or page.locator(TITLE).inner_text() != shown[0]:
            shown.append(page.locator(TITLE).inner_text())
            is_readable(page, (size, shown[-1]))
            visible = page.locator(".board:visible")
            assert visible.locator(".name").count() == 10 * visible.count()
            expect(visible.first).to_contain_text("bids next")
            if tables == 1:
                break
            page.clock.run_for(A_TURN)
        assert len(shown) > 1 or tables == 1
        page.close()


def test_as_many_tables_as_can_be_read_stand_there_at_once(
    transactional_db: None, open_page: Callable[..., Page]
) -> None:
    page = open_page(WALL)
    evening = an_evening(people=0)
    evening.members += [MemberFactory(club=evening.club) for _ in range(54)]
    for count in range(1, 10):
        evening.table(hands=count % 3, seats=slice(6 * count - 6, 6 * count))
        at_the_wall(page, evening)
        expect(page.locator(".board:visible")).to_have_count(count)
        is_readable(page, count)
        assert page.evaluate(TOTAL) > page.evaluate(NAME) > 30


def test_letters_are_larger_where_there_is_room(evening: Evening, screen: Page) -> None:
    at_the_wall(screen, evening)
    assert screen.evaluate(NAME) > 45


@pytest.mark.journey
def test_it_turns_by_itself_and_stays_where_it_is_while_it_follows(evening: Evening, screen: Page) -> None:
    screen.clock.install()
    at_the_wall(screen, evening)
    title = screen.locator(TITLE)
    expect(title).to_have_text("The tables")
    screen.clock.run_for(12_000)
    expect(title).to_have_text("The tables")
    screen.clock.run_for(9_000)
    expect(title).to_have_text("Trophies")
    is_readable(screen)
    table = evening.night.tables.first()
    assert table
    sure_of(scorer_of(table).bid(3, 1))
    with screen.expect_response(lambda answer: "/wall/now/" in answer.url and answer.status == 200):
        screen.clock.run_for(6_000)
    expect(title).to_have_text("Trophies")
    expect(screen.locator(".board", has_text="Di bids next")).to_have_count(1)
    screen.clock.run_for(8_000)
    expect(title).to_have_text("The tables")
    expect(screen.locator(".board:visible", has_text="Di bids next")).to_be_visible()


def test_it_waits_while_it_is_held(evening: Evening, screen: Page) -> None:
    screen.clock.install()
    at_the_wall(screen, evening)
    hold = screen.get_by_role("button", name="Pause")
    hold.click()
    screen.clock.run_for(3 * A_TURN)
    expect(screen.locator(TITLE)).to_have_text("The tables")
    hold.click()
    screen.clock.run_for(A_TURN)
    expect(screen.locator(TITLE)).to_have_text("Trophies")


@pytest.mark.journey
def test_call_stands_over_every_view_until_it_is_answered(evening: Evening, screen: Page) -> None:
    screen.clock.install()
    at_the_wall(screen, evening)
    table = evening.night.tables.first()
    assert table
    Sheet.objects.filter(pk=table.sheet_id).update(asks_since=timezone.now())
    call = screen.get_by_role("alert")
    screen.clock.run_for(6_000)
    expect(call).to_contain_text("Table 1 has been calling the organiser")
    is_readable(screen)
    screen.clock.run_for(A_TURN)
    expect(screen.locator(TITLE)).to_have_text("Trophies")
    expect(call).to_be_visible()
    is_readable(screen)
    evening.organiser().post(evening.url("answer_table", evening.night.pk, table.pk))
    screen.clock.run_for(6_000)
    expect(call).to_be_hidden()


@pytest.mark.journey
def test_it_says_since_when_it_is_old_and_goes_on_by_itself(evening: Evening, screen: Page, guard: Guard) -> None:
    screen.clock.install()
    at_the_wall(screen, evening)
    now = screen.locator("#now").inner_text()
    old = screen.locator("#old")
    unplug(screen)
    screen.clock.run_for(6_000)
    expect(old).to_be_hidden()
    screen.clock.run_for(30_000)
    expect(old).to_have_text(f"No connection since {now}. These figures are from then.")
    is_readable(screen)
    screen.context.set_offline(False)
    table = evening.night.tables.first()
    assert table
    sure_of(scorer_of(table).bid(3, 1))
    screen.clock.run_for(6_000)
    expect(old).to_be_hidden()
    expect(screen.locator(".board", has_text="Di bids next")).to_have_count(1)
    guard.complaints[:] = [said for said in guard.complaints if "ERR_" not in said and "htmx:sendError" not in said]


def test_nothing_is_asked_while_nobody_sees_it(evening: Evening, screen: Page) -> None:
    screen.clock.install()
    at_the_wall(screen, evening)
    asked: list[str] = []
    screen.on("request", lambda request: asked.append(request.url) if "/wall/now/" in request.url else None)
    screen.evaluate("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    screen.clock.run_for(60_000)
    assert asked == []
    screen.evaluate("delete document.hidden")
    with screen.expect_request(re.compile("/wall/now/")):
        screen.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_every_view_can_be_read_by_day_and_by_night(
    transactional_db: None, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    evening = play_off()
    evening.play(evening.groups[0], FIRST, hands=3)
    evening.play(evening.groups[1], SECOND, hands=3)
    page = open_page(WALL)
    page.clock.install()
    page.goto(evening.url("wall"))
    expect(page.locator(TITLE)).to_have_text("The tables")
    is_readable(page)
    axe_day_and_night(page)
    page.clock.run_for(A_TURN)
    expect(page.locator(TITLE)).to_have_text("Play-off · 2 groups, hand 4 of 4")
    wait_until(page, "() => document.getAnimations().length === 0")
    is_readable(page)
    axe_day_and_night(page)


def test_who_wants_no_motion_sees_none(evening: Evening, open_page: Callable[..., Page]) -> None:
    page = open_page(WALL, reduced_motion="reduce")
    page.clock.install()
    at_the_wall(page, evening)
    page.clock.run_for(A_TURN)
    expect(page.locator(TITLE)).to_have_text("Trophies")
    assert page.evaluate("getComputedStyle(document.querySelector('.is-shown')).animationName") == "none"


def test_on_a_phone_and_without_a_script_it_is_one_long_page(
    evening: Evening, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    for device, javascript in ((PHONE, True), (PHONE, False), (DESK, False)):
        page = open_page(device, javascript=javascript)
        page.goto(f"{evening.page}wall/")
        for heading in ("The tables", "Table 3 Hotdog", "Trophies"):
            expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="To the night")).to_be_visible()
        if javascript:
            assert page.evaluate("document.documentElement.scrollWidth") <= device["viewport"]["width"]
            axe_day_and_night(page)
            see_with_axe(page, ONLY_TARGETS)
