"""A number that was typed wrong, on a phone: a tap on it, wherever it stands, and back with what was changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from rules import all_games
from rules.core.game import Game
from tests.browser.conftest import PHONE
from tests.browser.large_text import in_larger_text, unreadable
from tests.browser.pads import Pad, is_dressed

#: A phone whose window can be made smaller and larger again: no finger has spread it.
HAND = PHONE | {"is_mobile": False}
#: Whether an element lies whole in the window, and nothing lies over its middle.
IN_SIGHT = """(one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const whole = top >= 0 && left >= 0 && bottom <= innerHeight + 0.5 && right <= innerWidth + 0.5;
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return whole && (over === one || one.contains(over));
}"""


def opens_at(page: Page, part: object, label: str) -> None:
    """The form of the row opens with that number in focus, lit and in sight."""
    page.wait_for_url(f"**/correct/{part}/?*")
    field = page.get_by_label(label, exact=True)
    expect(field).to_be_focused()
    expect(page.locator(".lit")).to_have_count(1)
    expect(page.locator(".lit", has=field)).to_have_count(1)
    assert field.evaluate(IN_SIGHT)


def step(page: Page, name: str, says: str, way: str) -> None:
    page.get_by_role("button", name=f"{name} {says}: one {way}", exact=True).tap()


def confirm(page: Page) -> None:
    page.get_by_role("button", name="See what changes").tap()
    page.get_by_role("button", name="Confirm").tap()


def bo_to_cy(page: Page) -> None:
    """The one trick of hand 1 was not taken by Bo but by Cy."""
    step(page, "Bo", "took", "fewer")
    step(page, "Cy", "took", "more")
    confirm(page)


SENTENCE = "Hand 1 was changed: the tricks Bo 1 → 0, Cy 0 → 1."


@pytest.mark.journey
def test_from_the_sheet_and_back(phone: Page) -> None:
    pad = Pad(phone, 10, hands=3, plan={"hands": 10})
    phone.goto(pad.url("sheet"))
    phone.locator("#hand-3 .mark a").last.tap()
    phone.get_by_role("link", name="Change", exact=True).tap()
    opens_at(phone, 3, "Jo bid")
    phone.goto(pad.url("sheet"))
    phone.locator("#hand-1 .mark a").nth(1).tap()
    phone.get_by_role("link", name="Change", exact=True).tap()
    opens_at(phone, 1, "Bo bid")
    bo_to_cy(phone)
    phone.wait_for_url("**/?open=1&changed=*#hand-1")
    said = phone.get_by_role("status").filter(has_text=SENTENCE)
    expect(said).to_have_count(1)
    assert said.evaluate(IN_SIGHT)
    # In a long sheet too, where the row is far from the head of the page.
    phone.locator("#hand-3 .mark a").first.tap()
    phone.get_by_role("link", name="Change", exact=True).tap()
    step(phone, "Ann", "bid", "more")
    confirm(phone)
    phone.wait_for_url("**/?open=3&changed=*#hand-3")
    expect(phone.locator("#hand-3 [role=status]")).to_have_text("Hand 3 was changed: Ann’s bid 0 → 1.")
    assert phone.locator("#hand-3 [role=status]").evaluate(IN_SIGHT)


def test_from_the_sheet_beside_the_pad_and_back(desk: Page) -> None:
    Pad(desk, 4, hands=2)
    is_dressed(desk)
    desk.locator("#beside #hand-1 .mark a").nth(1).click()
    desk.get_by_role("link", name="Change", exact=True).click()
    opens_at(desk, 1, "Bo bid")
    for name, way in (("Bo", "fewer"), ("Cy", "more")):
        desk.get_by_role("button", name=f"{name} took: one {way}", exact=True).click()
    desk.get_by_role("button", name="See what changes").click()
    desk.get_by_role("button", name="Confirm").click()
    expect(desk.locator(".bar")).to_contain_text(SENTENCE)
    assert "/pad/" in desk.url
    assert "changed" not in desk.url, "loaded again, it is not said again"
    is_dressed(desk)
    expect(desk.locator(".bar")).to_contain_text(SENTENCE)
    desk.get_by_role("button", name="OK").click()
    expect(desk.locator(".bar")).to_have_count(0)


def test_sentence_on_the_pad_goes_with_the_next_tap_and_covers_no_key(phone: Page) -> None:
    pad = Pad(phone, 10, hands=4, plan={"peak": 5})
    places = [key.bounding_box() for key in phone.locator(".keys button").all()]
    phone.goto(f"{pad.url('sheet')}correct/1/?seat=2&from=pad")
    bo_to_cy(phone)
    phone.wait_for_url("**/pad/")
    bar = phone.locator(".bar")
    expect(bar).to_contain_text(SENTENCE)
    assert [key.bounding_box() for key in phone.locator(".keys button").all()] == places
    assert phone.locator(".keys button").first.evaluate(IN_SIGHT)
    pad.bid(0)
    expect(bar).to_have_count(0)


def test_from_the_history_and_back(phone: Page, axe: Callable) -> None:
    pad = Pad(phone, 4, hands=2)
    phone.goto(pad.url("history"))
    phone.locator("summary", has_text="Hand 1").tap()
    axe(phone)
    phone.locator("a[href*='/correct/1/'][href*='seat=2'][href*=tricks]").tap()
    opens_at(phone, 1, "Bo took")
    bo_to_cy(phone)
    phone.wait_for_url("**/history/?changed=*")
    expect(phone.locator(".notice")).to_have_text(SENTENCE)


def test_from_what_is_read_back_over_the_pad_and_back(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1)
    is_dressed(phone)
    pad.open("more")
    pad.tap(phone.get_by_role("link", name="Read it back"))
    phone.locator(".back-read li", has_text="Bo").tap()
    opens_at(phone, 1, "Bo bid")
    bo_to_cy(phone)
    phone.wait_for_url("**/pad/")
    expect(phone.locator(".bar")).to_contain_text(SENTENCE)


def test_what_was_not_sent_yet_is_no_link_where_it_is_read_back(off_the_net: None, phone: Page) -> None:
    pad = Pad(phone, 4, hands=2)
    is_dressed(phone)
    phone.context.set_offline(True)
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bids(dict.fromkeys(order, 0), order)
    pad.count_out()
    pad.open("more")
    pad.tap(phone.get_by_role("link", name="Read it back"))
    expect(phone.locator(".back-read li")).to_have_count(4)
    expect(phone.locator(".back-read a")).to_have_count(0)


def test_from_the_read_back_page_and_back(plain_phone: Page) -> None:
    pad = Pad(plain_phone, 4, hands=1)
    plain_phone.goto(pad.url("read_back"))
    plain_phone.locator(".back-read li", has_text="Bo").tap()
    opens_at(plain_phone, 1, "Bo bid")


def test_from_the_result_and_back(phone: Page, axe: Callable) -> None:
    pad = Pad(phone, 4, plan={"hands": 3})
    pad.scorer.clear_game()
    phone.goto(pad.url("result"))
    axe(phone)
    phone.locator(".places li", has_text="Di").locator(".mark a").tap()
    opens_at(phone, 3, "Di bid")
    step(phone, "Di", "bid", "more")
    confirm(phone)
    phone.wait_for_url("**/result/?changed=*")
    expect(phone.locator(".notice")).to_have_text("Hand 3 was changed: Di’s bid 0 → 1.")


@pytest.mark.parametrize("game", [game for game in all_games() if game.pad == "prompts"], ids=lambda game: game.slug)
def test_other_games_open_at_a_number_of_the_player_where_they_have_one(phone: Page, game: Game) -> None:
    pad = Pad(phone, game.made_for[0], game=game.slug, plan={}, hands=1)
    for seat in pad.scorer.reading.table.seats:
        phone.goto(f"{pad.url('sheet')}correct/1/?seat={seat}&from=sheet")
        field = phone.locator("[autofocus]")
        if field.count():
            expect(field).to_be_focused()
            assert phone.locator(".lit").evaluate(IN_SIGHT)


#: What cannot be brought into sight above the buttons: the first of the fields that is tried, or "".
COVERED = """(fields) => {
  const inSight = IN_SIGHT;
  return fields.filter((field) => {
    field.focus();
    return !inSight(field);
  }).map((field) => field.name);
}""".replace("IN_SIGHT", IN_SIGHT)


def is_in_sight_in_every_size(page: Page, name: str, what: str) -> list[str]:
    """Where a button is not in sight without scrolling, or takes half the window, or covers what is typed in."""
    button, found = page.get_by_role("button", name=name, exact=True), []
    foot = page.locator(".form-foot")
    for size in in_larger_text(page, HAND):
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        if not button.evaluate(IN_SIGHT):
            found.append(f"{what}, {size}: {name} is out of sight")
        if foot.evaluate("(foot) => foot.offsetHeight / innerHeight") > 0.5:
            found.append(f"{what}, {size}: the buttons take half the window")
        covered = page.locator("form:has(.form-foot) :is(input[type=text], input.num)").evaluate_all(COVERED)
        found += [f"{what}, {size}: {field} is covered" for field in covered]
    return found


@pytest.mark.parametrize("players", [4, 10])
def test_buttons_are_in_sight_without_scrolling_and_cover_nothing(open_page: Callable[..., Page], players: int) -> None:
    page = open_page(HAND)
    pad = Pad(page, players, hands=4, plan={"peak": 5})
    page.goto(f"{pad.url('sheet')}correct/1/")
    found = is_in_sight_in_every_size(page, "See what changes", "form")
    step(page, "Bo", "took", "fewer")
    found += is_in_sight_in_every_size(page, "See what changes", "question")
    step(page, "Cy", "took", "more")
    page.get_by_role("button", name="See what changes").tap()
    expect(page.locator(".does li")).not_to_have_count(0)
    found += is_in_sight_in_every_size(page, "Confirm", "preview")
    found += unreadable(page, HAND, "preview")
    assert found == []


def test_confirm_of_a_long_preview_is_in_sight(phone: Page) -> None:
    pad = Pad(phone, 10, hands=9, plan={"peak": 5})
    phone.goto(f"{pad.url('sheet')}correct/1/")
    step(phone, "Bo", "took", "fewer")
    step(phone, "Cy", "took", "more")
    phone.get_by_role("button", name="See what changes").tap()
    button = phone.get_by_role("button", name="Confirm")
    expect(button).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollHeight > innerHeight + 50")
    assert button.evaluate(IN_SIGHT)
