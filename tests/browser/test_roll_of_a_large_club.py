"""The roll call of two hundred: a name is found while it is typed, and a tap sends one answer."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, expect

from clubs.models import Attendance, Club, Member, Night
from tests.browser.conftest import in_sizes
from tests.browser.test_organisers_night import fits, sign_in
from tests.club_factories import ClubFactory, NightFactory, scored
from tests.clubs.evenings import A_WEEK
from tests.factories import PlayerFactory

MEMBERS = 200


@pytest.fixture
def club(transactional_db: None) -> Club:
    """Its first twelve were there last time; two are named with accents and hyphens."""
    club = ClubFactory(slug="trumps", name="The Trumps")
    names = ["Zoë Hart-Émond", "Ann Hartley", *(f"Bo Underwood {number:03}" for number in range(MEMBERS - 2))]
    people = Member.objects.bulk_create(Member(club=club, name=name, player=PlayerFactory(name=name)) for name in names)
    scored(NightFactory(club=club, on=club.today() - A_WEEK), [(member, 1) for member in people[2:14]])
    return club


@pytest.fixture
def night(club: Club) -> Night:
    return NightFactory(club=club, on=club.today(), begun_at=None)


@pytest.mark.journey
def test_name_is_found_while_it_is_typed(phone: Page, club: Club, night: Night, axe: Callable[[Page], None]) -> None:
    sign_in(phone, club)
    phone.goto(f"/clubs/trumps/nights/{night.pk}/roll-call/")
    people = phone.locator(".roll-lines > li:visible")
    expect(people).to_have_count(12)
    field = phone.get_by_label("Find a name")
    field.press_sequentially("emo")
    expect(people).to_have_count(1)
    expect(phone.get_by_role("group", name="Zoë Hart-Émond")).to_be_visible()
    expect(phone.get_by_role("status").filter(has_text="1 person")).to_be_visible()
    for _ in in_sizes(phone):
        axe(phone)
        assert fits(phone)
    # Return belongs to no button.
    field.press("Enter")
    phone.get_by_role("group", name="Zoë Hart-Émond").get_by_label("Here").tap()
    expect(phone.locator("#sum")).to_contain_text("13 here")
    # The next name takes the place of this one.
    field.tap()
    field.press_sequentially("HART")
    expect(people).to_have_count(2)
    field.press_sequentially("x")
    expect(phone.get_by_text("Nobody on the roll has that name.")).to_be_visible()
    expect(people).to_have_count(0)
    field.fill("")
    expect(people).to_have_count(12)
    assert [call.member.name for call in Attendance.objects.filter(night=night)] == ["Zoë Hart-Émond"]


def test_tap_sends_one_answer_and_not_the_whole_form(phone: Page, club: Club, night: Night) -> None:
    sign_in(phone, club)
    phone.goto(f"/clubs/trumps/nights/{night.pk}/roll-call/")
    someone = club.members.get(name="Bo Underwood 003")
    with phone.expect_response("**/roll-call/*/") as answered:
        phone.get_by_role("group", name="Bo Underwood 003").get_by_label("Absent").tap()
    request = answered.value.request
    assert request.url.endswith(f"/roll-call/{someone.pk}/")
    assert set(parse_qs(request.post_data or "")) == {"csrfmiddlewaretoken", f"call-{someone.pk}"}
    expect(phone.locator("#sum")).to_contain_text("11 here")
    expect(phone.locator(f"#was-{someone.pk}")).to_have_value("not")


def test_short_roll_needs_no_field(phone: Page, night: Night, club: Club) -> None:
    Member.objects.filter(club=club, name__contains="Underwood 0").exclude(name__endswith="01").update(
        left_at=club.created
    )
    Member.objects.filter(club=club, name__contains="Underwood 1").update(left_at=club.created)
    sign_in(phone, club)
    phone.goto(f"/clubs/trumps/nights/{night.pk}/roll-call/")
    expect(phone.get_by_role("button", name="Draw the tables")).to_be_visible()
    expect(phone.get_by_label("Find a name")).to_be_hidden()
