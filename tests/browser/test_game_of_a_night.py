"""The game of a night is chosen where one looks, and the page stays where it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Attendance, Club, Night
from tests.browser.test_organisers_night import sign_in
from tests.club_factories import ClubFactory, MemberFactory, NightFactory


@pytest.fixture
def club(transactional_db: None) -> Club:
    return ClubFactory(slug="trumps", name="The Trumps", main_game="hotdog")


@pytest.fixture
def night(club: Club) -> Night:
    """Sixteen are here."""
    night: Any = NightFactory(club=club, on=club.today(), begun_at=None)
    for number in range(16):
        Attendance.objects.create(
            night=night, member=MemberFactory(club=club, name=f"Player {number + 1:02}"), says="here"
        )
    return night


def path(night: Night, page: str) -> str:
    return f"/clubs/trumps/nights/{night.pk}/{page}/"


def choose(page: Page, game: str) -> None:
    """Two taps."""
    page.get_by_text("Game tonight").tap()
    page.get_by_role("button", name=game, exact=True).tap()


def top(page: Page) -> float:
    return float(page.evaluate("window.scrollY"))


@pytest.mark.journey
def test_game_is_changed_with_two_taps_at_the_head_of_roll_call_and_tables(
    phone: Page, club: Club, night: Night, axe: Callable[[Page], None]
) -> None:
    sign_in(phone, club)
    phone.goto(path(night, "roll-call"))
    expect(phone.locator("#sum")).to_contain_text("16 here: 8 tables of 2")
    expect(phone.get_by_text("Game tonight: Hotdog")).to_be_in_viewport()
    choose(phone, "Dirty Dog")
    expect(phone.get_by_text("Game tonight: Dirty Dog")).to_be_in_viewport()
    expect(phone.locator("#sum")).to_contain_text("16 here: 2 tables of 8")
    expect(phone.locator("#instead")).to_contain_text("16 players")
    axe(phone)
    phone.get_by_role("button", name="Draw the tables").tap()
    phone.wait_for_url("**/draw/")
    expect(phone.locator(".drawn-table")).to_have_count(2)
    choose(phone, "Dingo")
    expect(phone.locator(".drawn-table")).to_have_count(4)
    expect(phone.get_by_role("button", name="Dingo", exact=True)).to_have_attribute("aria-pressed", "true")
    axe(phone)


def test_steppers_of_the_tables_stay_under_the_finger(phone: Page, club: Club, night: Night) -> None:
    sign_in(phone, club)
    phone.goto(path(night, "draw"))
    phone.get_by_text("Games and tables").tap()
    less = phone.get_by_role("button", name="One table of Hotdog less")
    less.scroll_into_view_if_needed()
    for tables in (7, 6, 5):
        less.evaluate("button => button.focus({ preventScroll: true })")
        place = less.bounding_box()
        phone.keyboard.press("Enter")
        expect(phone.locator(".drawn-table")).to_have_count(tables)
        expect(less).to_be_focused()
        expect(less).to_be_in_viewport()
        assert place
    assert top(phone) > 500


@pytest.mark.allow_statuses(409)
def test_tap_on_tables_that_have_changed_shows_why_it_was_not_taken(phone: Page, club: Club, night: Night) -> None:
    sign_in(phone, club)
    phone.goto(path(night, "draw"))
    phone.get_by_text("Games and tables").tap()
    less = phone.get_by_role("button", name="One table of Hotdog less")
    less.scroll_into_view_if_needed()
    type(night).objects.update(drawn={})
    night.attendances.first().delete()
    less.tap()
    expect(phone.get_by_role("alert")).to_be_in_viewport()


def test_numbers_of_a_play_off_are_changed_where_they_stand(phone: Page, club: Club, night: Night) -> None:
    type(club).objects.update(main_game="dirty-dog")
    sign_in(phone, club)
    phone.goto(path(night, "play-off/plan"))
    more = phone.get_by_role("button", name="Hands in the groups: more")
    more.scroll_into_view_if_needed()
    before = phone.locator("#hands b").inner_text()
    here = top(phone)
    more.tap()
    expect(phone.locator("#hands b")).not_to_have_text(before)
    assert top(phone) == here
    expect(more).to_be_in_viewport()


def test_game_is_chosen_without_a_script(plain_phone: Page, club: Club, night: Night) -> None:
    sign_in(plain_phone, club)
    plain_phone.goto(path(night, "roll-call"))
    plain_phone.get_by_text("Game tonight").tap()
    plain_phone.get_by_role("button", name="Dingo", exact=True).tap()
    expect(plain_phone.get_by_text("Game tonight: Dingo")).to_be_visible()
    plain_phone.goto(path(night, "draw"))
    expect(plain_phone.locator(".drawn-table")).to_have_count(4)
    plain_phone.get_by_text("Game tonight").tap()
    plain_phone.get_by_role("button", name="Bird Dog", exact=True).tap()
    expect(plain_phone.locator(".drawn-table")).to_have_count(5)
