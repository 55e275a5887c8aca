"""The page of a play-off in a real browser: it follows the tables, fits, prints on one sheet, and is accessible."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.browser.conftest import DESK, PHONE
from tests.clubs.play_offs import evening as evenings
from tests.clubs.play_offs.evening import PlayOffEvening, play_off

SMALLEST = {"viewport": {"width": 360, "height": 640}}
LONG = ("Bartholomew-Featherstonehaughs-theYounge", "W" * 40, "Maximiliana von und zu Hohenstein-Waldec")


def width(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


def in_finals() -> PlayOffEvening:
    """Both finals are under way, and the loser's trophy would cross over."""
    evening = play_off([7, 6], places=3)
    evening.finish(evening.groups[0], range(7))
    evening.finish(evening.groups[1], range(6))
    evening.open_next()
    for side, totals in (("winners", (21, 4, 3, 2, 1, -7)), ("losers", (11, 8, 3, 1, 0, -2, -5))):
        table = evening.final(side)
        evening.play(table, dict(zip(evening.names_at(table), totals, strict=True)), hands=2)
    return evening


def test_what_happens_at_a_table_comes_to_the_page_by_itself(
    live_server: LiveServer, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None]
) -> None:
    evening = play_off([7, 6], places=3)
    page = open_page(PHONE)
    page.goto(evening.url("play_off"))
    expect(page.get_by_text("2 groups, not begun", exact=False)).to_be_visible()
    evening.finish(evening.groups[1], [5, 3, 3, 2, -4, 7])
    expect(page.locator(".tie")).to_contain_text("and one of them goes through")
    axe_day_and_night(page)
    assert width(page) <= PHONE["viewport"]["width"]


def test_names_of_forty_letters_fit_a_small_phone(
    live_server: LiveServer, open_page: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evenings, "PEOPLE", (*LONG, *evenings.PEOPLE[3:]))
    evening = in_finals()
    page = open_page(PHONE | SMALLEST, javascript=False)
    for name in ("play_off", "night"):
        page.goto(evening.url(name))
        assert width(page) <= SMALLEST["viewport"]["width"], name


def test_both_races_are_accessible_and_the_evening_prints_on_one_page(
    live_server: LiveServer, open_page: Callable[..., Page], axe_day_and_night: Callable[[Page], None], tmp_path: Path
) -> None:
    evening = in_finals()
    page = open_page(DESK)
    page.goto(evening.url("play_off"))
    expect(page.locator(".crossing")).to_contain_text("would cross over")
    # Groups and finals stand side by side.
    tops = page.locator(".finals > section").evaluate_all("them => them.map(one => one.getBoundingClientRect().top)")
    assert len(set(tops)) == 1
    axe_day_and_night(page)
    printed = tmp_path / "play-off.pdf"
    page.pdf(path=str(printed), prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes())) == 1
