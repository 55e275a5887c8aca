"""The pages on which a game ends follow the sheet as the pad does, and the early end is taken back as on a pad."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.commands import enter
from tests.browser.pads import Pad, is_dressed
from tests.factories import new_key, sure_of

CARDS = {"rank-3": "Q", "rank-4": "7"}


def at_the_draw(page: Page, **plan: int) -> Pad:
    """Five players whose only hand left Cy and Di at the bottom, one of whom draws the lower card."""
    pad = Pad(page, 5, plan=plan or {"hands": 1})
    pad.scorer.hand({2: 1, 3: 1, 4: 1, 5: 0, 1: 0}, {2: 1, 3: 0, 4: 0, 5: 0, 1: 0})
    return pad


def draws(pad: Pad) -> None:
    marge = pad.marge
    sure_of(enter.enter(marge.sheet, (0, "draw-1"), CARDS, saw=None, key=new_key(), by=marge.by))


def stopped(pad: Pad) -> Pad:
    sure_of(enter.stop(pad.scorer.sheet, 2, key=new_key(), by=pad.scorer.by))
    pad.load()
    return pad


def choose(page: Page, name: str, card: str) -> None:
    group = page.get_by_role("group", name=f"{name} draws")
    group.get_by_role("radio", name=card, exact=True).check(force=True)


@pytest.mark.journey
def test_second_phone_goes_on_from_the_draw_and_from_the_result(phone: Page, open_page: Callable[..., Page]) -> None:
    pad = at_the_draw(phone)
    other = open_page()
    pad.second_phone(other)
    other.wait_for_url("**/draw/")
    phone.goto(pad.url("draw"))
    choose(phone, "Cy", "queen")
    choose(phone, "Di", "seven")
    phone.get_by_role("button", name="Save the cards").tap()
    phone.wait_for_url("**/result/")
    other.wait_for_url("**/result/")
    expect(other.locator("h1")).to_have_text("The result")
    # It is corrected on one phone, and the other one shows it.
    expect(other.locator("main")).to_contain_text("Di")


def test_what_was_chosen_at_the_draw_is_not_thrown_away(phone: Page) -> None:
    pad = at_the_draw(phone)
    phone.goto(pad.url("draw"))
    choose(phone, "Cy", "ace")
    draws(pad)
    line = phone.get_by_role("alert")
    expect(line).to_contain_text("Marge entered the cards that were drawn.")
    expect(line).to_contain_text("What you chose here was not sent.")
    expect(phone.get_by_role("group", name="Cy draws").get_by_role("radio", name="ace", exact=True)).to_be_checked()
    line.get_by_role("link", name="Go on").tap()
    phone.wait_for_url("**/result/")


def test_chosen_cards_stay_where_the_sheet_moved_and_the_draw_is_still_due(phone: Page) -> None:
    pad = at_the_draw(phone)
    phone.goto(pad.url("draw"))
    choose(phone, "Cy", "ace")
    marge = pad.marge
    with phone.expect_response(lambda answer: "/state/" in answer.url and answer.status == 200):
        sure_of(enter.note(marge.sheet, 1, text="a long hand", key=new_key(), by=marge.by))
    with phone.expect_response(lambda answer: "/state/" in answer.url and answer.status == 204):
        pass
    expect(phone.get_by_role("alert")).to_have_count(0)
    expect(phone.get_by_role("group", name="Cy draws").get_by_role("radio", name="ace", exact=True)).to_be_checked()


def test_result_goes_back_to_the_pad_where_another_phone_plays_on(phone: Page) -> None:
    pad = Pad(phone, 4, hands=1, plan={"hands": 4})
    pad.scorer.hand({3: 1, 4: 0, 1: 0, 2: 0}, {3: 2, 4: 0, 1: 0, 2: 0})
    sure_of(enter.stop(pad.scorer.sheet, 3, key=new_key(), by=pad.scorer.by))
    phone.goto(pad.url("result"))
    marge = pad.marge
    sure_of(enter.play_on(marge.sheet, key=new_key(), by=marge.by))
    # A game that is over is asked after seldom.
    phone.wait_for_url("**/pad/")
    expect(phone.locator("h1")).to_contain_text("Hand 3")


def test_early_end_is_taken_back_where_the_pad_has_it_on_the_blind_hand(phone: Page) -> None:
    pad = Pad(phone, 3, plan={"hands": 2})
    pad.scorer.hand({2: 0, 3: 0, 1: 0}, {2: 1, 3: 0, 1: 0})
    place = pad.back.bounding_box()
    stopped(pad)
    expect(phone.locator("h1")).to_contain_text("Blind hand")
    expect(pad.back).to_have_text("Take back the early end")
    assert place
    assert pad.back.bounding_box()["x"] == place["x"]
    # A bid of the blind hand is taken back first.
    pad.bid(1)
    expect(pad.back).to_contain_text("’s 1")
    pad.tap(pad.back)
    expect(pad.back).to_have_text("Take back the early end")
    pad.is_saved()
    pad.rest()  # the same key so soon again would be a finger that trembles
    pad.tap(pad.back)
    expect(phone.locator("h1")).to_contain_text("Hand 2")
    assert pad.scorer.reading.stopped is None


def test_sheet_beside_the_pad_follows_an_early_end_and_its_taking_back(desk: Page) -> None:
    pad = Pad(desk, 3, plan={"hands": 2})
    pad.scorer.hand({2: 0, 3: 0, 1: 0}, {2: 1, 3: 0, 1: 0})
    pad.load()
    is_dressed(desk)
    beside = desk.locator("#beside")
    expect(beside).to_contain_text("next: hand 2 of 2")
    desk.locator("#pad [data-open=more]").click()
    desk.locator("dialog[open]").get_by_role("button", name="Stop here").click()
    expect(desk.locator("h1")).to_contain_text("Blind hand")
    expect(beside).to_contain_text("next: a blind hand for Ann and Cy")
    expect(beside.locator("#hand-2")).to_have_count(0)
    expect(beside.locator("#tie-1")).to_have_count(1)
    pad.rest()
    pad.back.click()
    expect(desk.locator("h1")).to_contain_text("Hand 2")
    expect(beside).to_contain_text("next: hand 2 of 2")
    expect(beside.locator("#tie-1")).to_have_count(0)


def test_sheet_beside_the_pad_has_no_blind_hand_once_the_last_hand_is_open_again(desk: Page) -> None:
    pad = Pad(desk, 3, plan={"hands": 1})
    pad.scorer.hand({2: 0, 3: 0, 1: 0}, {2: 1, 3: 0, 1: 0})
    pad.load()
    is_dressed(desk)
    blind = desk.locator("#beside #tie-1")
    expect(blind).to_have_count(1)
    pad.back.click()
    expect(desk.locator("h1")).to_contain_text("Hand 1")
    expect(blind).to_have_count(0)
    pad.rest()
    desk.locator(".go").click()
    expect(desk.locator("h1")).to_contain_text("Blind hand")
    expect(blind).to_have_count(1)


def test_early_end_is_taken_back_on_the_page_of_the_draw(phone: Page, axe: Callable[[Page], None]) -> None:
    stopped(at_the_draw(phone, hands=2))
    phone.wait_for_url("**/draw/")
    axe(phone)
    phone.get_by_role("button", name="Take back the early end").tap()
    phone.wait_for_url("**/pad/")
    expect(phone.locator("h1")).to_contain_text("Hand 2")
