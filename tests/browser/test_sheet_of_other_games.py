"""Sheets of games without bids in a browser: they fit, rows open, legs are ruled off, all of it prints on one page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rules import find_game
from scoresheets.models import Sheet
from tests.browser.conftest import DESK, PHONE, in_sizes
from tests.browser.test_paper import A4, pages_of, printed
from tests.browser.test_sheet import AMISS
from tests.factories import scorer, sure_of
from tests.rules.examples import accepted_documents
from tests.scoresheets.laid import SECRET, laid_down
from tests.scoresheets.other_games import bird, claim, deals, pairs
from tests.scoresheets.results.test_of_other_games import FINISHED
from tests.scoresheets.sheet.test_of_other_games import GAMES, RUNNING

#: Forty letters, few of them narrow; and one that is read from the right.
LONG = [
    "Anna Wolfeschlegelsteinhausenbergerdorff", "محمد عبد الرحمن بن يوسف بن عبد الله",
    "Maximiliana Konstantinopolitanska-Lange", "👩‍👩‍👧‍👦 The whole family of the house",
]  # fmt: skip


def longest(game: str) -> dict[str, object]:
    """The longest sheet of the game that stands among the examples, with names as long as they come."""
    found = max(accepted_documents(find_game(game)), key=lambda sheet: len(sheet["hands"]))
    said = json.dumps(found)
    for name, other in zip(found["players"], LONG, strict=False):
        said = said.replace(f'"{name}"', json.dumps(other))
    return json.loads(said)


def keep(page: Page) -> None:
    page.context.add_cookies([{"name": "pencil", "value": SECRET, "domain": "localhost", "path": "/"}])


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.django_db(transaction=True)
@GAMES
def test_longest_sheet_is_printed_on_one_page_and_fits_with_the_longest_names_and_every_row_open(
    said: dict, desk: Page, tmp_path: Path
):
    sheet: Sheet = laid_down(longest(str(said["game"])))
    own, watched = f"/sheets/{sheet.code}/", f"/watch/{sheet.watch}/"
    desk.goto(own)
    assert pages_of(printed(desk, tmp_path / "sheet.pdf")) == [A4], tmp_path
    for row in desk.locator("[data-opens]").all():
        row.click()
    for size in in_sizes(desk):
        assert desk.evaluate(AMISS) == [], size
    for path in (watched, f"{watched}table/", f"{own}result/"):
        desk.goto(path)
        for size in in_sizes(desk):
            wide = desk.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
            assert not wide, (path, size)
        if path == watched:
            assert pages_of(printed(desk, tmp_path / "sheet.pdf")) == [A4], tmp_path


def test_leg_is_ruled_off_a_number_says_why_and_points_are_opened_by_a_tap_or_stand_on_a_wide_page(
    transactional_db: None, phone: Page
):
    phone.goto(f"/sheets/{laid_down(RUNNING['dirty-deals']).code}/")
    expect(phone.locator("#hand-1 tr.leg")).to_have_text(re.compile(r"^\s*Ann wins rubber 1, 9 : 0 : 0 : 3\s*$"))
    cell = phone.locator("#hand-2 td").nth(1)
    expect(cell.locator(".bt")).to_be_hidden()
    phone.set_viewport_size(DESK["viewport"])
    expect(phone.locator("#hand-2 .gained").nth(1)).to_be_visible()
    phone.set_viewport_size(PHONE["viewport"])
    expect(cell.locator(".bt")).to_be_hidden()
    phone.locator("[data-opens=hand-2]").tap()
    expect(cell.locator(".gained")).to_have_text("+7")
    expect(cell.locator(".gained")).to_be_visible()
    phone.locator("#hand-1 .mark a").first.tap()
    expect(phone.locator("dialog.panel")).to_contain_text("That wins rubber 1")


def test_watcher_sees_what_is_written_and_what_is_asked_next(transactional_db: None, phone: Page):
    table = scorer(game="bird-dog")
    phone.goto(f"/watch/{table.sheet.watch}/")
    expect(phone.locator("#hand-1 .asked")).to_contain_text("next: the turned cards")
    sure_of(table.enter(1, "turned", card_1="9H", caller=1))
    expect(phone.locator("#hand-1 .so-far")).to_contain_text("nine of hearts")
    expect(phone.locator("#hand-1 .asked")).not_to_contain_text("the turned cards")


def test_watcher_sees_a_leg_end_and_the_next_begin(transactional_db: None, phone: Page):
    table = scorer(game="dirty-deals")
    phone.goto(f"/watch/{table.sheet.watch}/table/")
    sure_of(table.enter(1, "claim", claimer=1, suit="H", surplus=0, bower=4))
    expect(phone.locator(".match")).to_contain_text("Rubber 2 to 9: Ann 1, first to two")
    expect(phone.locator(".table-top .mark.boxed")).to_have_count(0)


@pytest.mark.django_db(transaction=True)
@GAMES
def test_pages_can_be_used_by_everybody(
    said: dict, axe_day_and_night: Callable[[Page], None], open_page: Callable[..., Page]
):
    running, finished = laid_down(said), laid_down(FINISHED[str(said["game"])])
    page = open_page(PHONE)
    keep(page)
    for path in (
        f"/sheets/{running.code}/?open=1", f"/sheets/{running.code}/why/1/1/", f"/watch/{running.watch}/",
        f"/watch/{running.watch}/table/", f"/sheets/{finished.code}/result/", f"/sheets/{running.code}/read-back/",
    ):  # fmt: skip
        page.goto(path)
        axe_day_and_night(page)


def test_house_rules_and_what_a_game_adds_are_printed_and_what_is_only_for_the_screen_is_not(
    transactional_db: None, desk: Page
):
    sheet = laid_down(bird(pairs(4, 1, 0), house_rules={"target": 7}))
    desk.goto(f"/sheets/{sheet.code}/")
    desk.emulate_media(media="print")
    expect(desk.locator(".paper-foot")).to_contain_text("House rules:")
    expect(desk.locator(".groups")).to_be_hidden()
    expect(desk.locator("#sheet")).to_be_visible()
    desk.goto(f"/sheets/{laid_down(deals(claim('Ann'))).code}/")
    expect(desk.locator(".printed").first).to_contain_text("held the bower of somebody else")
    expect(desk.get_by_text("held the bower of somebody else")).to_be_visible()
