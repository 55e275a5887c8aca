"""Correcting a hand on a phone: from the number over its reason to the change, the question, the preview and back."""

import secrets

import pytest
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import hashed
from tests.browser.pads import Pad, hold
from tests.factories import Scorer, opened


def scored(page: Page, players: int = 4, hands: int = 2, **more: object) -> Scorer:
    """A sheet on the page's phone with some hands; in hand 1 the second has the one trick."""
    secret = secrets.token_urlsafe(16)
    made = opened(players, browser=hashed(secret), **more)
    scorer = Scorer(made.sheet, made.keeper)
    for _ in range(hands):
        scorer.any_hand()
    hold(page, secret)
    page.goto(f"/sheets/{made.sheet.code}/")
    return scorer


def step(page: Page, name: str, says: str, way: str) -> None:
    # The keys count once the page's scripts have run.
    page.wait_for_load_state()
    page.get_by_role("button", name=f"{name} {says}: one {way}", exact=True).tap()


def fits(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.journey
def test_who_took_it_is_asked_and_the_preview_is_confirmed(phone, axe):
    scorer = scored(phone)
    phone.locator("#hand-1 .mark a").nth(1).tap()
    expect(phone.get_by_role("dialog")).to_contain_text("Bo, Hand 1")
    phone.get_by_role("link", name="Change", exact=True).tap()
    phone.wait_for_url("**/correct/1/?seat=2&from=sheet")
    expect(phone.locator("main")).to_contain_text("You are correcting hand 1 while hand 3 is open")
    look = phone.get_by_role("button", name="See what changes")
    step(phone, "Bo", "took", "fewer")
    expect(phone.locator("#question")).to_have_text("One missing: who took it?")
    expect(look).to_have_attribute("aria-disabled", "true")
    assert phone.locator(".corrected > .could bdi").all_inner_texts() == ["Ann", "Cy", "Di"]
    expect(phone.locator(".corrected > .new")).to_contain_text("was: took 1")
    # A tap all the same leads nowhere: the question stays.
    look.dispatch_event("click")
    expect(look).to_be_visible()
    axe(phone)
    step(phone, "Cy", "took", "more")
    expect(phone.locator("#question")).to_be_empty()
    look.tap()
    expect(phone.locator(".preview")).to_contain_text("Hand 1: Bo −1 to +5, Cy +5 to −1.")
    expect(phone.get_by_label("Reason (optional)")).to_have_value("typed wrong")
    assert fits(phone)
    axe(phone)
    phone.get_by_role("button", name="Back").tap()
    expect(phone.get_by_label("Cy took", exact=True)).to_have_value("1")
    phone.get_by_role("button", name="See what changes").tap()
    phone.get_by_role("button", name="Confirm").tap()
    phone.wait_for_url("**/?open=1&changed=*#hand-1")
    assert scorer.reading.entries[1, "tricks"]["tricks-3"] == 1
    expect(phone.get_by_role("button", name="Take back the change of hand 1")).to_be_visible()


def test_correction_form_of_ten_players_fits_every_phone_and_can_be_hit(phone, axe):
    scorer = scored(phone, 10, 3, plan={"hands": 10})
    for width in (390, 320):
        phone.set_viewport_size({"width": width, "height": 664})
        phone.goto(f"/sheets/{scorer.sheet.code}/correct/3/")
        assert fits(phone)
        sizes = phone.locator(".stepper button").evaluate_all(
            "all => all.map(b => b.getBoundingClientRect()).map(r => [r.width, r.height])"
        )
        assert len(sizes) == 40
        assert min(min(size) for size in sizes) >= 48
        expect(phone.get_by_role("button", name="See what changes")).to_be_in_viewport()
    axe(phone)


@pytest.mark.allow_statuses(422)
def test_the_rule_is_no_dead_end(phone, axe):
    scorer = scored(phone)
    phone.goto(f"/sheets/{scorer.sheet.code}/correct/2/")
    for _ in range(2):
        step(phone, "Cy", "bid", "more")
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.locator(".ways")).to_be_visible()
    axe(phone)
    phone.get_by_role("button", name="Leave it as it was played").tap()
    expect(phone.locator(".preview")).to_contain_text("The Rule was missed")
    phone.get_by_role("button", name="Confirm").tap()
    expect(phone.locator("#hand-2 .remark")).to_have_text("Hand 2: The bids came to the cards; played as it was.")


@pytest.mark.journey
def test_finished_sheet_is_corrected_and_the_preview_says_who_wins(phone):
    scorer = scored(phone, hands=0)
    scorer.clear_game()
    phone.goto(f"/sheets/{scorer.sheet.code}/")
    phone.locator("#hand-2 .mark a").first.tap()
    phone.get_by_role("link", name="Change", exact=True).tap()
    expect(phone.locator("main")).to_contain_text("You are correcting hand 2 of a game that is finished.")
    step(phone, "Di", "bid", "more")
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.locator(".preview")).to_contain_text("The winner stays Ann.")
    phone.get_by_role("button", name="Confirm").tap()
    phone.wait_for_url("**/?open=2&changed=*#hand-2")
    assert scorer.reading.finished


@pytest.mark.allow_statuses(422)
def test_bid_of_the_open_hand_leads_from_the_pad_to_the_whole_hand(phone):
    pad = Pad(phone, 4, hands=1)
    order = pad.scorer.reading.sheet.open.hand.order
    pad.bids(dict.fromkeys(order, 0) | {order[-1]: 1}, order)
    pad.is_saved()
    pad.tap(phone.locator(f".took [data-open='retype-{order[0]}']"))
    phone.get_by_role("link", name="More of this hand was wrong").tap()
    phone.wait_for_url(f"**/correct/open/?from=pad&seat={order[0]}")
    step(phone, pad.scorer.reading.names[order[0]], "bid", "more")
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.get_by_role("button", name="Deal hand 2 again")).to_be_visible()
    phone.get_by_role("button", name="Leave it as it was played").tap()
    phone.get_by_role("button", name="Confirm").tap()
    phone.wait_for_url("**/pad/")
    assert len(pad.scorer.reading.sheet.open.hand.steps) == 5


def test_correction_works_without_a_script(plain_phone):
    scorer = scored(plain_phone)
    plain_phone.goto(f"/sheets/{scorer.sheet.code}/correct/1/")
    step(plain_phone, "Bo", "took", "fewer")
    expect(plain_phone.locator("#question")).to_have_text("One missing: who took it?")
    step(plain_phone, "Di", "took", "more")
    plain_phone.get_by_role("button", name="See what changes").tap()
    plain_phone.get_by_role("button", name="Confirm").tap()
    plain_phone.wait_for_url("**/?open=1&changed=*#hand-1")
    assert scorer.reading.entries[1, "tricks"]["tricks-4"] == 1
