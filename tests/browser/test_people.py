"""People come and go: counted in taps, on a phone, and every one of them can be taken back."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from rules.core.files.sheet_file import score_document
from tests.browser.conftest import DESK, PHONE
from tests.browser.pads import Pad, is_dressed, unplug
from tests.browser.test_pad_page import same
from tests.factories import sure_of
from tests.scoresheets.people import arrive, leave, result_of, substitute


class Table(Pad):
    """A pad from which one goes to the pages of who comes and who goes."""

    def who_comes_who_goes(self, kind: str = "") -> None:
        self.open("more")
        self.tap(self.page.get_by_role("link", name="Players in and out"))
        self.page.wait_for_url("**/arrive/")
        if kind:
            self.tap(self.page.locator(".kinds a", has_text=kind))

    def choose(self, name: str) -> None:
        self.taps += 1
        self.page.get_by_label(name, exact=True).check()

    @property
    def means(self) -> str:
        self.page.locator(".means").wait_for()
        return " ".join(self.page.locator(".means").inner_text().split())

    def confirm(self, words: str) -> None:
        button = self.page.locator("#forecast .go")
        expect(button).to_have_text(words)
        self.tap(button)
        self.page.wait_for_url("**/pad/")

    def take_back(self, words: str) -> None:
        expect(self.back).to_have_text(words)
        self.rest()
        self.tap(self.back)
        expect(self.back).not_to_have_text(words)
        self.is_saved()


@pytest.fixture
def six(phone: Page) -> Table:
    """Six at the table with two hands behind them: Bo is lowest with −2."""
    table = Table(phone, 6, plan={})
    for _ in range(2):
        table.scorer.clear_hand()
    table.load()
    return table


@pytest.mark.journey
def test_latecomer_takes_three_taps_and_a_name(six: Table, axe: Callable[[Page], None]) -> None:
    six.who_comes_who_goes()
    six.page.locator("#name").fill("Joe")
    assert six.means == (
        "Joe starts with −2, the lowest now (Bo). Joe is dealt in at hand 3."
        " Hands 8 to 11 have 7 cards instead of 8. Still 18 hands."
    )
    axe(six.page)
    six.confirm("Joe joins")
    assert six.taps <= 3
    assert six.totals()["Joe"] == -2
    six.take_back("Take back: Joe joins")
    assert "Joe" not in six.totals()


def test_who_is_waited_for_alone_needs_no_name(phone: Page) -> None:
    table = Table(phone, 4, plan={}, coming=["Joe"])
    table.who_comes_who_goes()
    assert table.means.startswith("Joe starts with 0, like everybody.")
    table.confirm("Joe joins")
    assert table.taps == 3


def test_after_this_hand_is_noted_beside_the_bids_and_comes_about(six: Table) -> None:
    six.bid(0)
    six.is_saved()
    six.who_comes_who_goes("Leaving")
    six.choose("Ann")
    assert six.means.startswith("Ann goes home after hand 3, with their total at that point (now 13).")
    six.confirm("Ann goes home")
    expect(six.page.locator(".remark.noted")).to_have_text("Ann goes home after this hand.")
    six.bid(0, 0, 0, 0)
    six.bid(1)
    six.rest()
    six.count_out()
    expect(six.page.locator("#pad h1")).to_have_text("Hand 4 of 18")
    six.is_saved()
    assert "Ann" not in six.totals()


def test_now_has_the_hand_dealt_again_and_is_taken_back_with_its_bids(six: Table) -> None:
    six.bid(0, 1)
    six.is_saved()
    dealer = six.page.locator(".facts bdi").inner_text()
    six.who_comes_who_goes("Leaving")
    six.choose("Ann")
    expect(six.page.locator(".moments")).to_contain_text(f"Now, then {dealer} deals 3 again")
    six.page.get_by_label(f"Now, then {dealer} deals 3 again").check()
    six.page.locator(".means", has_text="dealt again").wait_for()
    six.confirm("Ann goes home")
    assert "Ann" not in six.totals()
    expect(six.page.locator("a.bid")).to_have_count(0)
    six.take_back("Take back: Ann goes home")
    expect(six.page.locator("a.bid")).to_have_count(2)


def test_as_long_as_nobody_is_lower_every_page_says_so(six: Table, axe: Callable[[Page], None]) -> None:
    six.who_comes_who_goes("Leaving")
    six.choose("Bo")
    six.confirm("Bo goes home")
    said = "Bo went home after hand 2 with −2 and takes the loser’s trophy unless somebody ends lower."
    watch = f"/watch/{six.scorer.sheet.watch}/"
    for address in (six.url("pad"), six.url("sheet"), watch, f"{watch}table/"):
        six.page.goto(address)
        expect(six.page.locator(".remark")).to_have_text(said)
        expect(six.page.locator(".mark.circled").first).not_to_contain_text("−2")
        axe(six.page)
    six.load()
    six.bid(3, 3, 3, 3)
    six.bid(3)
    six.rest()
    six.count_out()
    six.is_saved()
    order = six.scorer.reading.sheet.table.totals
    if min(order.values()) < -2:
        expect(six.page.locator(".remark")).to_have_count(0)


@pytest.mark.journey
def test_who_went_home_comes_back_with_the_lowest_total(six: Table) -> None:
    sure_of(leave(six.scorer, 1))
    six.load()
    six.who_comes_who_goes()
    six.page.get_by_label("Ann back again").check()
    assert six.means.startswith("Ann is back and starts with −2, the lowest now (Bo). The 13 from before no longer")
    six.confirm("Ann joins")
    assert six.totals()["Ann"] == -2
    six.take_back("Take back: Ann joins")
    assert "Ann" not in six.totals()


def test_substitute_takes_over_the_total_and_each_hand_knows_who_played_it(six: Table) -> None:
    six.who_comes_who_goes("Substitute")
    six.choose("Bo")
    six.page.locator("#name").fill("Gil")
    assert six.means == "Gil takes over from Bo at hand 3. The total stays: −2. Nothing else changes."
    six.confirm("Gil takes over")
    assert six.totals()["Gil"] == -2
    six.page.goto(six.url("sheet"))
    expect(six.page.locator(".sheet thead th").nth(2)).to_have_text("Gilfor Bo from hand 3")
    six.page.goto(f"{six.url('sheet')}why/2/2/")
    expect(six.page.locator("h1")).to_have_text("Bo, Hand 2")
    six.load()
    six.take_back("Take back: Gil takes over from Bo")
    assert "Gil" not in six.totals()


def test_two_change_places_with_two_taps(six: Table) -> None:
    six.who_comes_who_goes("Seats")
    six.choose("Cy")
    six.choose("Di")
    assert six.means.startswith("Seats from hand 3 on, clockwise: Ann, Bo, Di, Cy, Ed and Flo.")
    six.confirm("Change the seats")
    assert list(six.totals()) == ["Ann", "Bo", "Di", "Cy", "Ed", "Flo"]
    six.take_back("Take back: the seats change")
    assert list(six.totals()) == ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


def test_everything_works_without_a_script(plain_phone: Page) -> None:
    table = Table(plain_phone, 5, plan={})
    table.scorer.clear_hand()
    plain_phone.goto(table.url("arrive"))
    plain_phone.locator("#name").fill("Joe")
    plain_phone.get_by_role("button", name="Next: see what changes").tap()
    assert table.means.startswith("Joe starts with −1, the lowest now (Bo).")
    plain_phone.get_by_role("button", name="Joe joins").tap()
    plain_phone.wait_for_url("**/pad/")
    assert 6 in table.scorer.reading.sheet.table.seats
    plain_phone.locator(".back").tap()
    expect(plain_phone.locator(".seats")).not_to_contain_text("Joe")
    assert 6 not in table.scorer.reading.sheet.table.seats


def test_two_phones_are_told_of_each_other(six: Table, open_page: Callable[..., Page], guard) -> None:
    guard.allowed.add(409)
    marge = open_page(PHONE)
    six.second_phone(marge)
    marge.goto(six.url("arrive"))
    marge.locator("#name").fill("Flo the second")
    marge.locator(".means").wait_for()
    six.who_comes_who_goes()
    six.page.locator("#name").fill("Joe")
    assert six.means
    six.confirm("Joe joins")
    marge.locator("#forecast .go").tap()
    expect(marge.locator("[role=alert]")).to_have_text(
        "Another phone entered this meanwhile: Joe joins. Is this still right?"
    )
    marge.get_by_role("button", name="Flo the second joins").tap()
    marge.wait_for_url("**/pad/")
    assert len(six.scorer.reading.sheet.table.seats) == 8


def test_file_of_such_an_evening_scores_the_same(six: Table) -> None:
    for kind, name, tapped in (("", "Joe", ""), ("Leaving", "", "Ann"), ("Substitute", "Gil", "Bo")):
        six.load()
        six.who_comes_who_goes(kind)
        if tapped:
            six.choose(tapped)
        if name:
            six.page.locator("#name").fill(name)
        assert six.means
        six.page.locator("#forecast .go").tap()
        six.page.wait_for_url("**/pad/")
        six.scorer.clear_hand()
    with six.page.expect_download() as file:
        six.page.goto(six.url("sheet"))
        six.page.get_by_role("link", name="Download this sheet").tap()
    text = file.value.path().read_text()
    reading = six.scorer.reading
    assert score_document(text) == result_of(reading)
    assert [item for item in json.loads(text)["hands"] if "bids" not in item] == [
        {"arrives": "Joe"}, {"leaves": "Ann"}, {"substitute": "Gil", "for": "Bo"},
    ]  # fmt: skip


def test_two_columns_that_were_swapped_are_put_right_with_a_preview(six: Table, axe: Callable[[Page], None]) -> None:
    six.who_comes_who_goes("Seats")
    six.page.get_by_role("link", name="They were swapped some hands ago").tap()
    six.choose("Ann")
    six.choose("Bo")
    expect(six.page.locator(".does")).to_contain_text("Hand 1: Ann +6 to −1, Bo −1 to +6.")
    axe(six.page)
    six.page.get_by_role("button", name="Confirm").tap()
    # The page from which one came says what was changed.
    expect(six.page.get_by_text("Swapped: the numbers of Ann and Bo")).to_be_visible()
    assert "/pad/" in six.page.url
    assert six.scorer.reading.sheet.totals[2] == 13
    six.page.goto(six.url("sheet"))
    six.page.get_by_role("button", name="Take back the change").tap()
    expect(six.page.locator("#hand-2 .mark.boxed")).to_contain_text("13")
    assert six.scorer.reading.sheet.totals[1] == 13


def test_script_and_site_draw_the_same_of_who_comes_and_who_goes(six: Table) -> None:
    sure_of(leave(six.scorer, 2))
    six.load()
    same(six)
    order = six.scorer.reading.sheet.open.hand.order
    sure_of(six.scorer.bid(order[0], 0))
    sure_of(substitute(six.scorer, 1, "Gil & Co", after=True))
    six.load()
    same(six)
    for seat in order[1:]:
        sure_of(six.scorer.bid(seat, 1))
    six.load()
    same(six)


@pytest.mark.journey
@pytest.mark.usefixtures("off_the_net")
def test_without_network_what_was_noted_comes_about_and_goes_back(six: Table) -> None:
    """Ann goes and Joe comes after hand 3, which is scored without network."""
    order = six.scorer.reading.sheet.open.hand.order
    for seat in order[:-1]:
        sure_of(six.scorer.bid(seat, 0))
    sure_of(leave(six.scorer, 1, after=True))
    sure_of(arrive(six.scorer, "Joe", after=True))
    sure_of(six.scorer.bid(order[-1], 0))
    six.load()
    six.is_saved()
    unplug(six.page)
    six.count_out()
    expect(six.page.locator("#pad h1")).to_have_text("Hand 4 of 18")
    scored = six.totals()
    assert list(scored) == ["Bo", "Cy", "Di", "Ed", "Flo", "Joe"]
    assert scored["Joe"] == min(scored[name] for name in ("Bo", "Cy", "Di", "Ed", "Flo"))
    six.rest()
    six.tap(six.back)
    expect(six.page.locator("#pad h1")).to_have_text("Hand 3 of 18")
    expect(six.page.locator(".remark.noted")).to_have_count(2)
    six.rest()
    six.tap(six.score)
    expect(six.page.locator("#pad h1")).to_have_text("Hand 4 of 18")
    six.rest()
    six.bid(0, 1)
    six.page.context.set_offline(False)
    six.is_saved()
    assert six.totals() == scored
    expect(six.page.get_by_text("no connection")).to_have_count(0)
    same(six)
    sheet = six.scorer.reading.sheet
    assert {six.scorer.reading.names[seat]: total for seat, total in sheet.totals.items()} == scored
    assert len(sheet.open.hand.steps) == 2


@pytest.mark.usefixtures("off_the_net")
def test_without_network_nobody_goes_back_over_who_came_before_what_was_noted(six: Table) -> None:
    sure_of(arrive(six.scorer, "Joe"))
    sure_of(leave(six.scorer, 1, after=True))
    six.load()
    six.is_saved()
    is_dressed(six.page)
    unplug(six.page)
    expect(six.back).to_contain_text("Ann goes home")
    six.tap(six.back)
    expect(six.page.locator(".remark.noted")).to_have_count(0)
    # That Joe came in is what goes next, and this phone was not told how to take it back.
    expect(six.page.get_by_text("Back to hand")).to_have_count(0)
    six.page.context.set_offline(False)
    six.is_saved()
    expect(six.back).to_contain_text("Joe joins")


@pytest.mark.usefixtures("off_the_net")
def test_without_network_an_arrival_cannot_be_taken_back(six: Table) -> None:
    sure_of(arrive(six.scorer, "Joe"))
    six.load()
    is_dressed(six.page)
    unplug(six.page)
    expect(six.page.get_by_text("no connection")).to_be_visible()
    six.tap(six.back)
    expect(six.page.locator("#panel")).to_contain_text("needs a connection")
    assert "Joe" in six.totals()
    six.page.context.set_offline(False)


def test_table_beside_the_pad_has_a_column_for_everybody_who_sits_there(open_page: Callable[..., Page]) -> None:
    desk = open_page(DESK)
    table = Table(desk, 4, hands=1)
    sure_of(arrive(table.scorer, "Joe"))
    table.load()
    heads = desk.locator("#beside thead th")
    expect(heads).to_have_count(6)
    desk.locator(".back").click()
    expect(heads).to_have_count(5)
