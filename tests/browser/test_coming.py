"""Answering for a night on a phone, and the roll call that begins with the answers and hears who checks in."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from clubs.members.personal_links import make_link, token_of
from clubs.models import Attendance, Club, Member, Night, Reply
from clubs.nights.replies import check_in, reply
from tests.browser.conftest import in_sizes
from tests.browser.test_organisers_night import fits, sign_in
from tests.club_factories import ClubFactory, MemberFactory, NightFactory

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Wilhelmine-Charlotte von Sachsen-Meining")


@pytest.fixture
def club(transactional_db: None) -> Club:
    club = ClubFactory(slug="trumps", name="The Trumps", visibility="link", place="The bakery")
    for name in NAMES:
        MemberFactory(club=club, name=name)
    return club


@pytest.fixture
def people(club: Club) -> list[Member]:
    return list(club.members.order_by("pk"))


@pytest.fixture
def night(club: Club, people: list[Member]) -> Night:
    tonight = NightFactory(club=club, on=club.today(), begun_at=None)
    for member, says in zip(people[1:5], ("yes", "late", "no", "yes"), strict=True):
        reply(tonight, member, says, source="phone", comes=datetime.time(20, 30) if says == "late" else None)
    return tonight


def came_by_the_link(page: Page, club: Club) -> None:
    page.goto(f"/clubs/trumps/in/{club.key}/")


@pytest.mark.journey
def test_phone_says_who_it_is_and_answers(
    phone: Page, club: Club, night: Night, axe_day_and_night: Callable[[Page], None]
) -> None:
    came_by_the_link(phone, club)
    # It was scanned at the door: first whose phone it is.
    expect(phone.get_by_role("heading", name="Who are you?")).to_be_visible()
    phone.goto(night.get_absolute_url())
    phone.get_by_role("link", name="Say who you are, and answer").tap()
    phone.get_by_role("button", name="Ann", exact=True).tap()
    expect(phone.get_by_text("Are you coming, Ann?")).to_be_visible()
    yes, late = phone.get_by_role("button", name="Yes"), phone.get_by_role("button", name="Late")
    for button in (yes, late, phone.get_by_role("button", name="No", exact=True)):
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 64
    yes.tap()
    expect(phone.get_by_text("Ann, you said yes")).to_be_visible()
    expect(yes).to_have_attribute("aria-pressed", "true")
    phone.get_by_label("If late: at about").fill("21:00")
    late.tap()
    expect(phone.get_by_text("Ann, you said late, at about 21:00")).to_be_visible()
    expect(phone.get_by_text("Late (2): Cy (20:30), Ann (21:00)")).to_be_visible()
    for _ in in_sizes(phone):
        axe_day_and_night(phone)
        assert fits(phone)
    # Return beside the hour means the hour.
    phone.get_by_label("If late: at about").fill("21:30")
    phone.get_by_label("If late: at about").press("Enter")
    expect(phone.get_by_text("Ann, you said late, at about 21:30")).to_be_visible()
    phone.get_by_role("button", name="Undo").tap()
    expect(phone.get_by_text("Are you coming, Ann?")).to_be_visible()


def test_buttons_need_no_script(plain_phone: Page, club: Club, night: Night) -> None:
    came_by_the_link(plain_phone, club)
    plain_phone.get_by_role("button", name="Ann", exact=True).tap()
    plain_phone.get_by_role("button", name="I am here").tap()
    expect(plain_phone.get_by_role("heading", name="You are here, Ann")).to_be_visible()
    plain_phone.get_by_role("button", name="Undo").tap()
    expect(plain_phone.get_by_role("heading", name="Hello, Ann")).to_be_visible()
    plain_phone.goto(night.get_absolute_url())
    plain_phone.get_by_role("button", name="Yes").tap()
    expect(plain_phone.get_by_text("Ann, you said yes")).to_be_visible()
    assert [row.says for row in Reply.objects.filter(member__name="Ann").in_order()] == ["here", "none", "yes"]


@pytest.mark.journey
def test_roll_call_begins_with_the_answers_and_hears_who_checks_in(
    phone: Page, club: Club, night: Night, people: list[Member], axe_day_and_night: Callable[[Page], None]
) -> None:
    sign_in(phone, club)
    phone.goto(f"{night.get_absolute_url()}roll-call/")
    bo, cy, ed = (phone.get_by_role("group", name=name) for name in ("Bo", "Cy", "Ed said"))
    expect(bo.get_by_label("Here")).to_be_checked()
    expect(cy.get_by_label("Later")).to_be_checked()
    expect(cy).to_contain_text("late, 20:30")
    axe_day_and_night(phone)
    assert fits(phone)
    # A tap on what is chosen already confirms it.
    bo.get_by_label("Here").tap()
    expect(phone.get_by_role("button", name="Confirm 3 answers")).to_be_visible()
    expect(bo.locator(".unconfirmed")).to_have_count(0)
    assert dict(Attendance.objects.values_list("member__name", "says")) == {"Bo": "here"}
    # Somebody new at the door is there without a tap.
    check_in(night, people[0], source="phone")
    ann = phone.get_by_role("group", name="Ann")
    expect(ann).to_contain_text("checked in")
    expect(ann.get_by_label("Here")).to_be_checked()
    expect(phone.locator("#sum")).to_contain_text("3 here, 1 later")
    phone.get_by_role("button", name="Confirm 4 answers").tap()
    expect(phone.get_by_role("button", name="Confirm")).to_have_count(0)
    expect(ed.get_by_label("Here")).to_be_checked()
    assert dict(Attendance.objects.values_list("member__name", "says")) == {
        "Ann": "here", "Bo": "here", "Cy": "coming", "Di": "not", "Ed": "here",
    }  # fmt: skip


def test_organiser_copies_the_reminder(
    phone: Page, club: Club, night: Night, axe_day_and_night: Callable[[Page], None]
) -> None:
    sign_in(phone, club)
    phone.goto(night.get_absolute_url())
    phone.get_by_text("No answer yet: 4").tap()
    phone.get_by_role("button", name="Copy").tap()
    expect(phone.locator("#copied")).not_to_be_empty()
    axe_day_and_night(phone)
    assert fits(phone)


def test_personal_link_on_a_phone(
    phone: Page, club: Club, night: Night, people: list[Member], axe_day_and_night: Callable[[Page], None]
) -> None:
    there = f"/coming/{token_of(make_link(people[0], by=None))}/"
    phone.goto(there)
    phone.get_by_role("button", name="Yes").tap()
    expect(phone.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")
    axe_day_and_night(phone)
    assert fits(phone)
    phone.get_by_text("This link is yours alone").tap()
    phone.get_by_role("button", name="Revoke the link").tap()
    expect(phone.get_by_role("heading", name="The link is revoked")).to_be_visible()
