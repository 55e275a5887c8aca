"""Games without bids on paper and in correction forms: printed, corrected and typed in with a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, in_sizes
from tests.browser.test_paper import A4, pages_of, printed
from tests.scoresheets.laid import SECRET, laid_down
from tests.scoresheets.other_games import bird, claim, deals, dingo, hotdog, hunted, pairs, picked

COOKIE = {"name": "pencil", "value": SECRET, "domain": "localhost", "path": "/"}
#: Forty letters.
LONG = "Anna Wolfeschlegelsteinhausenbergerdorff"
SHEETS = {
    "dingo": dingo(hunted(four="Ann Bo", six="Cy Di Ann")),
    "dirty-deals": deals(claim("Ann", surplus=3), claim("Bo", "S", 2, "Bo")),
    "bird-dog": bird(pairs(4, 0, 0), pairs(3, 0, 0, nil="Cy")),
    "hotdog": hotdog(picked("Ann", 10), picked("Bo", 12)),
}
#: What is smaller than a thumb.
SMALL = """() => [...document.querySelectorAll('main button, main .chip, main summary, main select')]
    .filter((one) => one.offsetParent && !one.matches('.visually-hidden') && one.getBoundingClientRect().height < 47.5)
    .map((one) => one.outerHTML.slice(0, 120))"""
#: Words over the columns of a blank sheet that are broken, or cut.
BROKEN = """() => [...document.querySelectorAll('.blank thead .of-one')].filter((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return words.getClientRects().length > 1 || words.getBoundingClientRect().width > one.clientWidth + 0.5;
}).map((one) => one.textContent.trim())"""
WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def at(open_page: Callable[..., Page]) -> Callable[..., Page]:
    """`at("dingo", "correct/1", PHONE)`: a page of a sheet of the game, for its scorekeeper."""

    def opened(
        game: str, page: str, device: dict[str, object], *, dark: bool = False, said: dict[str, object] | None = None
    ) -> Page:
        found = open_page(device, dark=dark)
        found.context.add_cookies([COOKIE])
        found.goto(f"/sheets/{laid_down(said or SHEETS[game]).code}/{page}/")
        return found

    return opened


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("game", list(SHEETS))
def test_running_and_blank_sheets_are_one_page_and_no_word_over_a_column_is_broken(
    at: Callable[..., Page], axe: Callable[[Page], None], game: str
):
    page = at(game, ".", DESK)
    own = page.url
    assert pages_of(printed(page)) == [A4], "the running sheet"
    page.goto(f"/blank/?game={game}")
    assert pages_of(printed(page)) == [A4], "a blank sheet of nobody"
    page.goto(f"{own}blank/")
    assert pages_of(printed(page)) == [A4], "a blank sheet with names"
    axe(page)
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 less its margins, at 96 dots an inch
    page.emulate_media(media="print")
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("game", list(SHEETS))
def test_correction_form_fits_a_phone_with_everything_open(
    at: Callable[..., Page], axe_day_and_night: Callable[[Page], None], game: str
):
    page = at(game, "correct/1", PHONE)
    for group in page.locator("details.group").all():
        group.locator("summary").tap()
        expect(group).to_have_attribute("open", "")
    assert page.evaluate(WIDE) <= 0
    assert page.evaluate(SMALL) == []
    axe_day_and_night(page)


def test_hunt_is_corrected_with_three_taps_and_the_preview_says_what_it_moves(at: Callable[..., Page]):
    page = at("dingo", "correct/1", PHONE)
    group = page.locator("details.group", has=page.get_by_text("The hunt for the 4", exact=True))
    group.locator("summary").tap()
    group.get_by_role("radio", name="Cy").first.check()
    expect(group).to_have_class("group new")
    page.get_by_role("button", name="See what changes").tap()
    expect(page.locator(".preview")).to_contain_text("Cy instead of Ann")
    page.get_by_role("button", name="Confirm").tap()
    expect(page).to_have_url(re.compile(r"\?open=1"))


def test_tricks_that_nobody_took_are_asked_for_until_they_come_out(at: Callable[..., Page]):
    page = at("hotdog", "correct/1", PHONE)
    page.locator("details.group", has=page.get_by_text("The tricks", exact=True)).locator("summary").tap()
    page.get_by_role("button", name="Ann took: one fewer").tap()
    expect(page.locator("#question")).to_have_text("One missing: who took it?")
    page.get_by_role("button", name="Bo took: one more").tap()
    expect(page.locator("#question")).to_be_empty()


def test_number_that_may_be_left_out_is_emptied_below_its_lowest(at: Callable[..., Page]):
    page = at("bird-dog", "correct/1", PHONE)
    page.locator("details.group", has=page.get_by_text("The pairs", exact=True)).locator("summary").tap()
    page.get_by_role("button", name="Bo pairs: one fewer").tap()
    expect(page.get_by_label("Bo pairs", exact=True)).to_have_value("")
    page.get_by_role("button", name="Bo pairs: one more").tap()
    expect(page.get_by_label("Bo pairs", exact=True)).to_have_value("0")


@pytest.mark.parametrize("game", list(SHEETS))
def test_page_for_typing_in_is_within_reach(at: Callable[..., Page], axe: Callable[[Page], None], game: str):
    page = at(game, "type", PHONE)
    for by_hand in (False, True):
        if by_hand:
            page.goto(f"{page.url}?by=hand")
        for size in in_sizes(page):
            assert page.evaluate(WIDE) <= 0, size
            axe(page)


def test_claims_are_typed_row_by_row_with_the_keyboard(at: Callable[..., Page]):
    page = at("dirty-deals", "type", DESK)
    expect(page.get_by_label("Who claims, hand 3", exact=False)).to_be_focused()
    page.get_by_label("who claims, hand 3").select_option(label="Cy")
    page.get_by_label("suit, hand 3").select_option(value="C")
    page.get_by_label("who holds the bower, hand 3").select_option(label="Di")
    page.get_by_label("cards besides the six, hand 3").fill("2")
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator("#row-3 td.total[data-seat='3']")).to_contain_text("7")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(lambda url: "/type/" not in url)


def test_match_of_five_rubbers_and_thirty_deals_is_one_page(at: Callable[..., Page]):
    slow = [claim(who, surplus=6, bower=who) for who in ("Ann", "Bo", "Cy", "Di") for _ in range(3)]
    won = [claim(who, bower="Ann" if who == "Di" else "Di") for who in ("Ann", "Bo", "Cy", "Di", "Ann")]
    hands = [hand for at, last in enumerate(won) for hand in (*slow[at : at + 5], last)]
    page = at("dirty-deals", ".", DESK, said=deals(*hands, house_rules={"target": 9}))
    assert page.locator("#sheet tbody").count() >= 10
    assert pages_of(printed(page)) == [A4]
