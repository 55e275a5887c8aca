"""The history on a phone: revisions, restoring the sheet, and correcting the set-up."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from scoresheets.access.scorekeepers import hashed
from scoresheets.commands import enter
from tests.browser.pads import hold
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of

SECRET = "H" * 22
LONG = [
    "Maximiliana Konstantinopolitanska-Langes", "Bo", "محمد عبد الرحمن بن يوسف", "Di", "Ed", "Flo", "Gus",
    "Wolfeschlegelsteinhausenbergerdorff", "Ida", "Jo",
]  # fmt: skip

#: Everything that is too small for a finger, and whether the page goes sideways.
AMISS = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > page.clientWidth) found.push('the page goes sideways');
  const controls = 'button, .button, summary, .chip, input:not([type=hidden], [type=radio], [type=checkbox])';
  for (const part of document.querySelector('main').querySelectorAll(controls)) {
    const box = part.getBoundingClientRect();
    if (box.width && box.height < 47.5) found.push(`${part.textContent || part.name} is ${box.height} high`);
  }
  return found;
}"""


def evening(players: object = 4) -> Scorer:
    """Two hands, a number typed wrong, a hand gone back to, a misdeal, and a third hand begun by Marge."""
    p = scorer(players, browser=hashed(SECRET), plan={"peak": 3})
    p.clear_hand()
    sure_of(p.bid(p.reading.sheet.open.hand.order[0], 1))
    first = p.reading.sheet.open.hand.order[0]
    saw = p.saw((2, f"bid-{first}"))
    sure_of(enter.retype(p.sheet, (2, f"bid-{first}"), {"bid": 0}, saw=saw, key=new_key(), by=p.by))
    sure_of(enter.misdeal(p.sheet, 2, 1, key=new_key(), by=p.by))
    p.clear_hand()
    sure_of(enter.note(p.sheet, 2, tag="Dirt Bag", seat=2, text="Again!", key=new_key(), by=p.by))
    marge = Scorer(p.sheet, ScorekeeperFactory(sheet=p.sheet, name="Marge"))
    sure_of(marge.bid(marge.reading.sheet.open.hand.order[0], 2))
    return p


@pytest.mark.journey
@pytest.mark.parametrize("players", [4, LONG], ids=["four", "ten with long names"])
def test_history_is_read_and_opened_with_a_thumb(phone: Page, axe: Callable[[Page], None], players: object):
    p = evening(players)
    hold(phone, SECRET)
    phone.goto(f"/sheets/{p.sheet.code}/history/")
    hand = phone.locator(".stretch").nth(1)
    expect(hand.locator("summary")).to_contain_text("Hand 2")
    expect(hand.get_by_text("had typed it wrong")).to_be_visible()
    expect(hand.get_by_text("the tricks")).to_be_hidden()
    hand.locator("summary").tap()
    expect(hand.get_by_text("the tricks")).to_be_visible()
    assert phone.evaluate(AMISS) == []
    axe(phone)


def test_way_back_is_shown_before_it_is_taken_and_has_a_way_forward(phone: Page, axe: Callable[[Page], None]):
    p = evening()
    hold(phone, SECRET)
    phone.goto(f"/sheets/{p.sheet.code}/pad/")
    phone.get_by_role("link", name="More").tap()
    phone.get_by_role("link", name="The history").tap()
    phone.get_by_role("link", name="Back to just before hand 2").tap()
    expect(phone.locator("main")).to_contain_text("What this changes")
    expect(phone.locator("main")).to_contain_text("Hand 2 is open again.")
    assert phone.evaluate(AMISS) == []
    axe(phone)
    phone.get_by_role("button", name="Go back to just before this").tap()
    expect(phone).to_have_url(re.compile(rf"/sheets/{p.sheet.code}/$"))
    assert p.reading.next_hand == 2
    phone.goto(f"/sheets/{p.sheet.code}/history/")
    newest = phone.locator(".revisions li", has_text="went back to just before what was entered at")
    newest.get_by_role("link").tap()
    phone.get_by_role("button", name="Go back to just before this").tap()
    expect(phone).to_have_url(re.compile(rf"/sheets/{p.sheet.code}/$"))
    assert p.reading.next_hand == 3


@pytest.mark.allow_statuses(422)
def test_set_up_is_corrected(phone: Page, axe: Callable[[Page], None]):
    p = evening()
    hold(phone, SECRET)
    phone.goto(f"/sheets/{p.sheet.code}/")
    phone.get_by_role("link", name="Fix names, dealer or number of hands").tap()
    expect(phone.get_by_role("heading", name="Fix names, dealer or number of hands")).to_be_visible()
    assert phone.evaluate(AMISS) == []
    axe(phone)
    phone.get_by_label("Bo", exact=True).first.fill("Ann")
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.get_by_text("There is a second Ann here: add an initial.")).to_be_visible()
    axe(phone)
    phone.get_by_label("Bo", exact=True).first.fill("Bob")
    phone.locator(".chip", has_text="Bo").tap()
    phone.get_by_role("button", name="See what changes").tap()
    expect(phone.locator("main")).to_contain_text("Bo is called Bob.")
    expect(phone.locator("main")).to_contain_text("Dealing: Bob hand 1 instead of Ann")
    assert phone.evaluate(AMISS) == []
    axe(phone)
    phone.get_by_role("button", name="Confirm").tap()
    # A bid of the hand that is being bid came too early now, and is gone through.
    expect(phone.locator("main")).to_contain_text("bid 2 in hand 3")
    phone.goto(f"/sheets/{p.sheet.code}/")
    expect(phone.locator(".sheet thead")).to_contain_text("Bob")
    assert p.reading.sheet.rows[0].hand.dealer == 2


def test_everything_works_without_a_script(plain_phone: Page):
    p = evening()
    hold(plain_phone, SECRET)
    plain_phone.goto(f"/sheets/{p.sheet.code}/history/")
    plain_phone.get_by_role("link", name="Back to just before hand 2").tap()
    plain_phone.get_by_role("button", name="Go back to just before this").tap()
    expect(plain_phone).to_have_url(re.compile(rf"/sheets/{p.sheet.code}/$"))
    assert p.reading.next_hand == 2


def test_who_watches_reads_it_and_cannot_go_back(dark_desk: Page, axe: Callable[[Page], None]):
    p = evening()
    dark_desk.goto(f"/watch/{p.sheet.watch}/")
    dark_desk.get_by_role("link", name="The history").click()
    expect(dark_desk.get_by_text("had typed it wrong")).to_be_visible()
    expect(dark_desk.get_by_role("link", name="Back to just before hand 2")).to_have_count(0)
    axe(dark_desk)
