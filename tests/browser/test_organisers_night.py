"""An organiser's night on one phone: from the roll call over drawn tables, codes and signs to the awards."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from clubs.models import Attendance, Award, Club, KeptApart, Member, Night, Table
from tests.browser.conftest import in_sizes
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TrophyFactory, UserFactory, played
from tests.clubs.evenings import A_WEEK
from tests.factories import ScorekeeperFactory, Scorer

LONG = "Maximiliane-Theodora von und zu Wolfenbu"


@pytest.fixture
def club(transactional_db: None) -> Club:
    """A club of fourteen, of whom twelve were there last time, and two who are kept apart."""
    club = ClubFactory(slug="trumps", name="The Trumps")
    TrophyFactory(club=club, name="The Cup")
    TrophyFactory(club=club, name="The Old Dog", goes="loser")
    people = [MemberFactory(club=club, name=f"Player {letter}") for letter in "ABCDEFGHIJKLM"]
    people.append(MemberFactory(club=club, name=LONG))
    last = NightFactory(club=club, on=club.today() - A_WEEK)
    played(last, people[:6], hands=1)
    played(last, [*people[6:11], people[13]], hands=1)
    KeptApart.objects.create(club=club, one=people[0], other=people[1])
    return club


def sign_in(page: Page, club: Club) -> Member:
    """The page is an organiser's from now on."""
    user, client = UserFactory(), Client()
    member = MemberFactory(club=club, user=user, role="organiser", name="Olga")
    client.force_login(user)
    key = client.cookies["sessionid"].value
    page.goto("/healthz")
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": page.url}])
    return member


def fits(page: Page) -> bool:
    """Whether nothing hangs out at the side."""
    assert page.viewport_size
    # A phone makes its window wider for what hangs out: it is not compared with that.
    return bool(page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"])


def hand_at(table: Table) -> None:
    """A neighbour at the table writes a whole hand."""
    assert table.sheet
    Scorer(table.sheet, ScorekeeperFactory(sheet=table.sheet)).clear_hand()


def test_night_goes_from_roll_call_to_awards_on_one_phone(phone: Page, club: Club, axe: Callable[[Page], None]) -> None:
    sign_in(phone, club)
    phone.goto("/clubs/trumps/nights/")
    axe(phone)
    with phone.expect_navigation():
        phone.get_by_role("link", name="Plan a night").click()
    axe(phone)
    phone.get_by_label("On which day?").fill(f"{club.today():%Y-%m-%d}")
    phone.get_by_role("button", name="Plan night").click()
    night = Night.objects.get(on=club.today())
    phone.goto(f"/clubs/trumps/nights/{night.pk}/bring/")
    axe(phone)
    phone.get_by_role("button", name="4 pencils").click()
    expect(phone.get_by_role("button", name="4 pencils")).to_have_attribute("aria-pressed", "true")
    phone.goto("/clubs/trumps/nights/")
    phone.get_by_role("link", name="Roll call").click()
    expect(phone.get_by_text("12 here: 2 tables of 6")).to_be_visible()
    axe(phone)
    assert fits(phone)
    # A tap is kept at once, and the page hears what it comes to.
    phone.get_by_role("group", name="Player A").get_by_label("Later").tap()
    expect(phone.locator("#sum")).to_contain_text("11 here, 1 later")
    phone.get_by_role("group", name="Player M").get_by_label("Here").tap()
    expect(phone.locator("#sum")).to_have_text(" 12 here, 1 later: 2 tables, 7 + 6 ", use_inner_text=False)
    assert {call.member.name: call.says for call in Attendance.objects.filter(night=night)} == {
        "Player A": "coming", "Player M": "here",
    }  # fmt: skip
    with phone.expect_navigation():
        phone.get_by_role("button", name="Draw the tables").click()
    axe(phone)
    assert fits(phone)
    # Two change tables by hand.
    first, second = (phone.locator(".drawn-table").nth(at).locator("label").first for at in (0, 1))
    one, other = (seat.locator("bdi").inner_text() for seat in (first, second))
    first.tap()
    second.tap()
    axe(phone)
    phone.get_by_role("button", name="Swap two").click()
    expect(phone.locator(".drawn-table").nth(0).locator("label").first).to_contain_text(other)
    expect(phone.locator(".drawn-table").nth(1).locator("label").first).to_contain_text(one)
    # The trophies are asked for once.
    phone.get_by_label("Table 2", exact=True).first.tap()
    phone.get_by_role("button", name="Open 2 tables").click()
    expect(phone.get_by_role("heading", name="Codes of the tables")).to_be_visible()
    axe(phone)
    assert fits(phone)
    assert Table.objects.filter(night=night, chairs__isnull=False).distinct().count() == 2
    phone.get_by_role("link", name="Table 2", exact=True).first.click()
    expect(phone.get_by_text("The scorekeeper scans this.")).to_be_visible()
    phone.get_by_role("link", name="Watch link").click()
    expect(phone.get_by_text("Scan this to watch.")).to_be_visible()
    with phone.expect_navigation():
        phone.get_by_role("link", name="Table signs").click()
    axe(phone)
    assert fits(phone)
    # The table that is played for the trophies is kept on the same phone; somebody else has written the first hand.
    tables = list(Table.objects.filter(night=night).order_by("number"))
    for table in tables:
        hand_at(table)
    phone.goto(f"/clubs/trumps/nights/{night.pk}/codes/?table=2")
    phone.get_by_role("link", name="Keep score on this phone").tap()
    expect(phone.locator("#pad")).to_contain_text("Hand 2")
    axe(phone)
    phone.goto("/clubs/trumps/")
    axe(phone)
    assert fits(phone)
    phone.get_by_role("link", name="Control page").tap()
    phone.get_by_role("button", name="All tables stop after this hand").tap()
    expect(phone.get_by_text("stops after hand 2")).to_have_count(2)
    for table in tables:
        hand_at(table)
    expect(phone.locator(".control")).to_contain_text("Hand 3")
    phone.locator(f"#pad-{tables[1].pk}").tap()
    phone.get_by_role("button", name="Stop here").tap()
    phone.wait_for_url("**/result/")
    axe(phone)
    # Whoever the sheet names gets the trophy as soon as an organiser says yes, and has it when it is handed over.
    phone.get_by_role("link", name="The night", exact=True).tap()
    phone.get_by_role("link", name="Control page").tap()
    winner, loser = Award.objects.order_by("-trophy__goes").values_list("member__name", flat=True)
    for name in (winner, loser):
        phone.get_by_role("button", name=f"Yes, it goes to {name}").tap()
        expect(phone).to_have_url(re.compile("#awards$"))
        phone.get_by_role("button", name=f"{name} has it now").tap()
    expect(phone.get_by_role("heading", name="Trophies")).to_have_count(0)
    axe(phone)
    assert fits(phone)
    phone.get_by_role("button", name="Close the night").tap()
    expect(phone.get_by_role("button", name="Open the night again")).to_be_visible()
    phone.goto("/clubs/trumps/")
    held = phone.locator(".held")
    expect(held).to_contain_text(re.compile(rf"The Cup\s+{winner}\s+since"))
    expect(held).to_contain_text(re.compile(rf"The Old Dog\s+{loser}\s+since"))
    expect(phone.locator(".tonight")).to_contain_text("It is over.")
    axe(phone)


#: How wide a field is, and how wide its content wants it.
WIDTHS = """field => {
  const width = field.offsetWidth;
  field.style.width = "max-content";
  const wanted = field.offsetWidth;
  field.style.width = "";
  return [width, wanted];
}"""


@pytest.mark.journey
def test_hour_at_which_somebody_leaves_is_not_cut_off(phone: Page, club: Club) -> None:
    sign_in(phone, club)
    night: Any = NightFactory(club=club, on=club.today(), begun_at=None)
    phone.goto(f"/clubs/trumps/nights/{night.pk}/roll-call/")
    for _ in in_sizes(phone):
        width, wanted = phone.locator("#until").evaluate(WIDTHS)
        assert wanted <= width


def test_who_is_chosen_to_leave_early_stays_chosen_while_others_come_and_go(phone: Page, club: Club) -> None:
    sign_in(phone, club)
    night: Any = NightFactory(club=club, on=club.today(), begun_at=None)
    phone.goto(f"/clubs/trumps/nights/{night.pk}/roll-call/")
    leaver = phone.get_by_label("Who leaves early")
    chosen, names = leaver.locator("option:checked"), leaver.locator("option")
    before = names.all_inner_texts()
    assert "Player M" not in before
    leaver.select_option(label="Player B")
    phone.get_by_role("group", name="Player M").get_by_label("Here").tap()
    expect(names.filter(has_text="Player M")).to_have_count(1)
    expect(chosen).to_have_text("Player B")
    phone.get_by_role("group", name="Player M").get_by_label("Later").tap()
    phone.get_by_role("group", name="Player C").get_by_label("Absent").tap()
    expect(names.filter(has_text="Player C")).to_have_count(0)
    expect(names.filter(has_text="Player M")).to_have_count(1)
    expect(chosen).to_have_text("Player B")
    phone.get_by_role("button", name="Draw the tables").tap()
    phone.wait_for_url("**/draw/")
    assert [call.member.name for call in Attendance.objects.filter(leaves__isnull=False)] == ["Player B"]


@pytest.mark.allow_statuses(422)
def test_roll_and_tables_work_without_a_script_in_the_dark_on_a_narrow_phone(
    open_page: Callable[..., Page], club: Club, axe: Callable[[Page], None]
) -> None:
    page = open_page({"viewport": {"width": 360, "height": 640}}, dark=True, javascript=False)
    sign_in(page, club)
    night: Any = NightFactory(club=club, on=club.today(), begun_at=None)
    page.goto(f"/clubs/trumps/nights/{night.pk}/roll-call/")
    group = page.get_by_role("group", name="Player A")
    group.get_by_label("Absent").check(force=True)
    page.get_by_placeholder("Name of a guest").fill("Gus")
    page.get_by_role("button", name="Add guest").click()
    expect(page.get_by_role("group", name="Gus").get_by_label("Here")).to_be_checked()
    expect(page.get_by_role("group", name="Player A").get_by_label("Absent")).to_be_checked()
    page.get_by_role("button", name="Draw the tables").click()
    page.locator(".drawn-table").nth(0).locator("input[name=who]").first.check(force=True)
    name = page.locator(".drawn-table").nth(0).locator("label bdi").first.inner_text()
    page.get_by_role("button", name="To table 2").click()
    expect(page.locator(".drawn-table").nth(1)).to_contain_text(name)
    page.get_by_role("button", name="Open 2 tables").click()
    expect(page.get_by_role("alert")).to_have_text("Choose one of these first.")
    page.get_by_label("No trophies tonight").check(force=True)
    page.get_by_role("button", name="Open 2 tables").click()
    expect(page.get_by_role("heading", name="Codes of the tables")).to_be_visible()
    assert set(Table.objects.filter(night=night).values_list("sheet__stakes", flat=True)) == {"No trophies tonight."}
