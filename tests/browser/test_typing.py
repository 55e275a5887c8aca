"""Typing in from paper with nothing but a keyboard, and going on in the middle of a game."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import hashed
from tests.browser.conftest import PHONE, in_sizes
from tests.browser.games import Script, any_game
from tests.factories import Scorer, scorer
from tests.scoresheets.laid import SECRET

COOKIE = {"name": "pencil", "value": SECRET, "domain": "localhost", "path": "/"}
#: What stands in the cells of a row, box and circle with it: `5`, `[5]`, `(5)`.
TOTALS = """row => [...row.querySelectorAll('td.total')].map((cell) => {
  const mark = cell.querySelector('.mark');
  if (!mark) return '';
  const number = mark.textContent.replace(/[^0-9−]/g, '');
  const ring = mark.querySelector('.ring') ? `(${number})` : number;
  return mark.querySelector('.box') ? `[${ring}]` : ring;
})"""


def paper(players: int, hands: int, seed: int = 3) -> tuple[Script, Scorer]:
    """A game that was kept on paper, and the sheet it is typed into."""
    return any_game(players, seed, {"hands": hands}), scorer(players, plan={"hands": hands}, browser=hashed(SECRET))


def at_the_grid(page: Page, p: Scorer) -> Page:
    page.context.add_cookies([COOKIE])
    page.goto(f"/sheets/{p.sheet.code}/type/")
    return page


def told(p: Scorer) -> list[tuple[dict[str, int], dict[str, int]]]:
    """Bids and tricks by name of every hand on the sheet."""
    reading = p.reading
    return [
        (
            {reading.names[seat]: row.hand.steps[f"bid-{seat}"]["bid"] for seat in row.hand.order},
            {reading.names[seat]: row.hand.steps["tricks"][f"tricks-{seat}"] for seat in row.hand.order},
        )
        for row in reading.sheet.rows
    ]


@pytest.mark.journey
@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(("players", "hands"), [(6, 18), (4, 24)], ids=["digits of one", "numbers of two digits"])
def test_whole_game_is_typed_with_digits_and_one_key_a_hand(desk: Page, players: int, hands: int):
    script, p = paper(players, hands)
    page = at_the_grid(desk, p)
    most = [hand.cards for hand in p.reading.sheet.coming()]
    for deal, cards in zip(script.hands, most, strict=True):
        for name in script.players:
            for number in (deal.bids[name], deal.tricks[name]):
                page.keyboard.type(str(number))
                if number and number * 10 <= cards:
                    page.keyboard.press("Enter")
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Save")).to_be_focused()
    totals = page.locator(f"#row-{hands}").evaluate(TOTALS)
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("/type/"))
    assert told(p) == [(dict(deal.bids), dict(deal.tricks)) for deal in script.hands]
    reading = p.reading
    last = reading.sheet.rows[-1]
    wanted = []
    for seat in reading.sheet.table.seats:
        number = str(last.totals[seat]).replace("-", "−")
        number = f"({number})" if seat in last.circled else number
        wanted.append(f"[{number}]" if seat in last.boxed else number)
    assert totals == wanted


def test_totals_sums_and_the_rule_are_shown_while_it_is_typed(desk: Page, axe: Callable[[Page], None]):
    page = at_the_grid(desk, paper(4, 16)[1])
    page.keyboard.type("00010000")
    row = page.locator("#row-1")
    assert row.evaluate(TOTALS) == ["[5]", "(−1)", "[5]", "[5]"]
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("1")
    expect(row.locator("[data-says]")).to_have_text("The tricks add up to 2, not 1.")
    assert row.evaluate(TOTALS) == [""] * 4
    axe(page)


def test_the_rule_that_was_missed_is_let_stand_with_one_tick(desk: Page):
    _, p = paper(4, 16)
    page = at_the_grid(desk, p)
    page.keyboard.type("01010000")
    row = page.locator("#row-1")
    tick = row.get_by_label("It was played like that")
    expect(tick).to_be_hidden()
    page.get_by_label("Bo bid, hand 1", exact=True).fill("1")
    expect(row.locator("[data-says]")).to_contain_text("The bids add up to 1, which is not allowed.")
    page.get_by_label("Ann tricks, hand 1", exact=True).fill("0")
    tick.check()
    expect(row.locator("[data-says]")).to_be_hidden()
    page.get_by_role("button", name="Save").click()
    expect(page).not_to_have_url(re.compile("/type/"))
    assert p.reading.sheet.rows[0].hand.steps["rule-missed"] == {"missed": True}


def test_arrows_go_up_down_and_sideways(desk: Page):
    page = at_the_grid(desk, paper(4, 16)[1])
    focused = "document.activeElement.getAttribute('aria-label')"
    for key, label in (
        ("ArrowDown", "Ann bid, hand 2"), ("ArrowRight", "Ann tricks, hand 2"), ("Enter", "Bo bid, hand 2"),
        ("ArrowUp", "Bo bid, hand 1"), ("ArrowLeft", "Ann tricks, hand 1"), ("Tab", "Bo bid, hand 1"),
        ("Shift+Enter", "Ann tricks, hand 1"),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert page.evaluate(focused) == label, key


@pytest.mark.journey
def test_what_was_typed_is_there_again_after_the_tab_was_lost(open_page: Callable[..., Page]):
    _, p = paper(4, 16)
    page = at_the_grid(open_page(PHONE), p)
    page.keyboard.type("1010")
    page.get_by_label("trump, hand 1", exact=True).select_option("H")
    page.reload()
    expect(page.get_by_label("Ann bid, hand 1", exact=True)).to_have_value("1")
    expect(page.get_by_label("trump, hand 1", exact=True)).to_have_value("H")
    p.any_hand()
    page.reload()
    expect(page.locator("#row-1")).to_have_count(0)
    expect(page.get_by_label("Ann bid, hand 2", exact=True)).to_have_value("")


@pytest.mark.allow_statuses(422)
def test_refused_hands_come_back_with_everything_and_can_be_mended(desk: Page):
    _, p = paper(4, 16)
    page = at_the_grid(desk, p)
    page.keyboard.type("00010000")
    page.get_by_label("Ann bid, hand 2", exact=True).fill("1")
    page.get_by_label("Cy tricks, hand 2", exact=True).fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert").first).to_contain_text("Nothing is saved yet")
    expect(page.locator("#row-2 [data-says]")).to_contain_text("still missing")
    expect(page.get_by_label("Cy tricks, hand 2", exact=True)).to_have_value("2")
    assert p.reading.version == 1
    for label in ("Ann bid", "Cy tricks"):
        page.get_by_label(f"{label}, hand 2", exact=True).fill("")
    page.get_by_role("button", name="Save").click()
    expect(page).not_to_have_url(re.compile("/type/"))
    assert len(p.reading.sheet.rows) == 1


def test_without_a_script_the_same_form_is_sent(plain_phone: Page):
    script, p = paper(4, 4)
    page = at_the_grid(plain_phone, p)
    for number, deal in enumerate(script.hands, 1):
        for name in script.players:
            page.get_by_label(f"{name} bid, hand {number}", exact=True).fill(str(deal.bids[name]))
            page.get_by_label(f"{name} tricks, hand {number}", exact=True).fill(str(deal.tricks[name]))
    page.get_by_role("button", name="Check", exact=True).tap()
    assert "" not in page.locator("#row-4").evaluate(TOTALS)
    page.get_by_role("button", name="Save").tap()
    expect(page).not_to_have_url(re.compile("/type/"))
    assert told(p) == [(dict(deal.bids), dict(deal.tricks)) for deal in script.hands]


def test_totals_are_brought_along_and_the_game_goes_on(phone: Page, axe_day_and_night: Callable[[Page], None]):
    _, p = paper(4, 16)
    page = phone
    page.context.add_cookies([COOKIE])
    page.goto(f"/sheets/{p.sheet.code}/")
    page.get_by_role("link", name="Continue from a paper sheet").click()
    page.get_by_label("Which hand is next?").fill("9")
    for name, total in (("Ann", "31"), ("Bo", "4"), ("Cy", "0"), ("Di", "12")):
        page.get_by_role("textbox", name=name, exact=True).fill(total)
    page.get_by_role("checkbox", name="below zero: Bo").check()
    page.get_by_role("button", name="What comes next?").click()
    expect(page.get_by_role("status")).to_have_text("Hand 9 of 16: 8 cards, Ann deals, Bo bids first.")
    for _ in in_sizes(page):
        axe_day_and_night(page)
    page.get_by_role("button", name="Yes, continue").click()
    page.wait_for_url("**/pad/")
    expect(page.locator("#pad h1")).to_have_text("Hand 9 of 16")
    assert dict(p.reading.sheet.totals) == {1: 31, 2: -4, 3: 0, 4: 12}
