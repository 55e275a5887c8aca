"""Scanning the club's QR code on the evening checks in."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.visit import COOKIE
from clubs.models import Attendance, Club, Member, Night, Reply
from clubs.nights.replies import DOOR_OPENS, NotAnswered, check_in, door_is_open, reply
from tests.club_factories import ClubFactory, MemberFactory, NightFactory
from tests.clubs.night_played import page
from tests.clubs.visitors import account, get, phone, post, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(name="The Trumps", visibility="link", time_zone="UTC", place="The bakery")


@pytest.fixture
def ann(club: Club) -> Member:
    return MemberFactory(club=club, name="Ann")


@pytest.fixture
def night(club: Club) -> Night:
    return NightFactory(club=club, on=club.today(), begun_at=None)


def scan(browser: Client, club: Club) -> str:
    """Where the code on the wall leads."""
    answer = browser.get(reverse("come_in", args=[club.slug, club.key]))
    assert answer.status_code == 302
    return str(answer.headers["Location"])


def said(night: Night) -> list[tuple[str, str]]:
    return [(row.says, row.source) for row in Reply.objects.filter(night=night).in_order()]


def test_phone_that_knows_who_it_is_checks_in_with_one_tap(club: Club, ann: Member, night: Night) -> None:
    browser = phone(club, ann)
    there = reverse("door", args=[club.slug])
    assert scan(browser, club) == there
    assert "Hello, Ann" in page(browser.get(there)).text
    assert said(night) == [], "looking at it is not being there"
    for _ in range(2):
        assert browser.post(there, {"do": "here"}).status_code == 303
    assert said(night) == [("here", "phone")]
    assert "You are here, Ann" in page(browser.get(there)).text
    # Once they are here the code leads to the tables again.
    assert scan(browser, club) == club.get_absolute_url()


def test_phone_that_does_not_know_asks_and_then_checks_in(club: Club, ann: Member, night: Night) -> None:
    browser = Client()
    there = scan(browser, club)
    asked = browser.get(there)
    assert (asked.status_code, asked.headers["Location"]) == (
        303,
        f"/clubs/{club.slug}/me/?next=%2Fclubs%2F{club.slug}%2Fdoor%2F",
    )
    who = page(browser.get(asked.headers["Location"]))
    assert "Who are you?" in who.text
    assert who.links["Just looking"] == club.get_absolute_url()
    answer = post(browser, "this_is_me", club, member=ann.pk, next=there)
    assert answer.headers["Location"] == there
    assert "Hello, Ann" in page(browser.get(there)).text
    assert browser.post(there, {"do": "here"}).status_code == 303
    assert said(night) == [("here", "phone")]


def test_undone_check_in_leaves_what_was_answered_before(club: Club, ann: Member, night: Night) -> None:
    reply(night, ann, "late", source="phone", comes=datetime.time(20, 30))
    browser = phone(club, ann)
    for do in ("here", "undo"):
        post(browser, "door", club, do=do)
    last = Reply.objects.in_order().last()
    assert (last.says, last.comes) == ("late", datetime.time(20, 30))


def test_who_comes_after_the_tables_have_opened_checks_in_as_well(club: Club, ann: Member, night: Night) -> None:
    Night.objects.update(begun_at=timezone.now())
    post(phone(club, ann), "door", club, do="here")
    assert said(night) == [("here", "phone")]


def test_whom_an_organiser_wrote_down_need_not_check_in(club: Club, ann: Member, night: Night) -> None:
    Attendance.objects.create(night=night, member=ann, says="here")
    assert scan(phone(club, ann), club) == club.get_absolute_url()


@pytest.mark.parametrize("change", [
    {"closed_at": timezone.now()}, {"archived_at": timezone.now()}, {"on": datetime.date(2020, 1, 1)},
])  # fmt: skip
def test_when_nothing_is_on_the_code_leads_to_the_club(
    club: Club, ann: Member, night: Night, change: dict[str, Any]
) -> None:
    Night.objects.update(**change)
    browser = phone(club, ann)
    assert scan(browser, club) == club.get_absolute_url()
    assert post(browser, "door", club, do="here").headers["Location"] == club.get_absolute_url()
    night.refresh_from_db()
    with pytest.raises(NotAnswered):
        check_in(night, ann, source="phone")
    assert said(night) == []


def test_door_opens_some_hours_before_the_night_begins(
    club: Club, night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.begins = datetime.time(19, 30)
    begins = datetime.datetime.combine(night.on, night.begins, club.zone)
    for at, is_open in ((begins - DOOR_OPENS, True), (begins - DOOR_OPENS - datetime.timedelta(minutes=1), False)):
        monkeypatch.setattr(timezone, "now", lambda at=at: at)
        assert door_is_open(night) == is_open


def test_code_of_a_members_club_leads_members_to_the_door(club: Club, ann: Member, night: Night) -> None:
    Club.objects.update(visibility="members")
    browser, bo = account(club, name="Bo")
    there = reverse("door", args=[club.slug])
    assert f"http://testserver{there}" in page(get(browser, "club_qr_code", club)).text
    browser.cookies[COOKIE.format(club.pk)] = f"{club.key}.{ann.pk}"
    browser.post(there, {"do": "here"})
    assert [(row.member, row.source) for row in Reply.objects.all()] == [(bo, "account")]
    assert phone(club, ann).get(there).status_code == 403


def test_clubs_page_leads_to_the_door(club: Club, ann: Member, night: Night) -> None:
    browser = phone(club, ann)
    assert page(get(browser, "club", club)).links["I am here"] == reverse("door", args=[club.slug])
    post(browser, "door", club, do="here")
    told = page(get(browser, "club", club))
    assert "I am here" not in told.links
    assert "Here (1): Ann" in told.text


def test_door_takes_few_queries(club: Club, ann: Member, night: Night, django_assert_num_queries: Any) -> None:
    browser = phone(club, ann)
    with django_assert_num_queries(5):
        assert get(browser, "door", club).status_code == 200


# Whose door it is


def test_in_a_public_club_nobody_checks_in_without_the_code_on_the_wall(club: Club, ann: Member, night: Night) -> None:
    Club.objects.update(visibility="public")
    stranger = Client()
    stranger.cookies[COOKIE.format(club.pk)] = f".{ann.pk}"
    assert post(stranger, "door", club, do="here").headers["Location"] == club.get_absolute_url()
    told = page(get(stranger, "club", club))
    assert "I am here" not in told.links
    assert club.key not in text(get(stranger, "club", club)) + text(get(stranger, "club_qr_code", club))
    assert said(night) == []
    # Who belongs to the club sees the code, and who scans it is asked at the door.
    member, _ = account(club, name="Bo")
    way_in = reverse("come_in", args=[club.slug, club.key])
    assert f"http://testserver{way_in}" in page(get(member, "club_qr_code", club)).text
    there = stranger.get(way_in).headers["Location"]
    assert there == reverse("door", args=[club.slug])
    stranger.post(there, {"do": "here"})
    assert said(night) == [("here", "phone")]


def test_second_tap_on_undo_leaves_the_answer_from_before(club: Club, ann: Member, night: Night) -> None:
    browser = phone(club, ann)
    post(browser, "answer_night", club, night.pk, do="yes")
    post(browser, "door", club, do="here")
    for _ in range(2):
        post(browser, "door", club, do="undo")
    assert [says for says, _ in said(night)] == ["yes", "here", "yes"]
    # Neither does Undo on the page of the night, made while they were here.
    post(browser, "door", club, do="here")
    for _ in range(2):
        post(browser, "answer_night", club, night.pk, do="not-here")
    assert [says for says, _ in said(night)] == ["yes", "here", "yes", "here", "yes"]


def test_phone_checks_in_whoever_answered_otherwise_and_takes_back_that_alone(
    club: Club, ann: Member, night: Night
) -> None:
    reply(night, ann, "yes", source="link")
    browser = phone(club, ann)
    for do in ("here", "undo", "here"):
        assert post(browser, "door", club, do=do).status_code == 303
    assert [says for says, _ in said(night)] == ["yes", "here", "yes", "here"]
    assert post(browser, "answer_night", club, night.pk, do="no").status_code == 422
    Reply.objects.filter(says="here").update(source="account")
    assert post(browser, "door", club, do="undo").status_code == 409
    assert [says for says, _ in said(night)] == ["yes", "here", "yes", "here"]


def at(hour: int, minute: int = 0, day: int = 25) -> Any:
    """A moment of November 2026, in the time of the club."""
    return time_machine.travel(datetime.datetime(2026, 11, day, hour, minute, tzinfo=datetime.UTC), tick=False)


def planned(club: Club, title: str, day: int, hour: datetime.time | None, *, has_begun: bool = False) -> Night:
    begun_at = datetime.datetime(2026, 11, day, 19, tzinfo=datetime.UTC) if has_begun else None
    return NightFactory(club=club, title=title, on=datetime.date(2026, 11, day), begins=hour, begun_at=begun_at)


def test_night_that_nobody_closed_does_not_keep_the_door_of_the_next_day(club: Club, ann: Member) -> None:
    with at(19):
        friday = planned(club, "Friday", 24, None, has_begun=True)
        saturday = planned(club, "Saturday", 25, None)
    for moment, night in ((at(1), friday), (at(6, 1), saturday), (at(19), saturday)):
        with moment:
            Reply.objects.all().delete()
            assert post(phone(club, ann), "door", club, do="here").status_code == 303
            assert Reply.objects.get().night == night


def test_of_two_nights_of_a_day_people_come_to_the_one_that_begins_next_to_now(club: Club, ann: Member) -> None:
    with at(14):
        afternoon = planned(club, "Afternoon", 25, datetime.time(14))
        evening = planned(club, "Evening", 25, datetime.time(19, 30))
    for moment, night in ((at(14, 30), afternoon), (at(18), evening)):
        with moment:
            Reply.objects.all().delete()
            post(phone(club, ann), "door", club, do="here")
            assert Reply.objects.get().night == night


def test_night_that_begins_at_midnight_has_its_door_open_before(club: Club, ann: Member) -> None:
    night = planned(club, "Owls", 26, datetime.time(0, 30))
    browser = phone(club, ann)
    with at(21, 20):
        assert scan(browser, club) == club.get_absolute_url()
    with at(23, 50):
        home = page(get(browser, "club", club))
        assert home.links["I am here"] == scan(browser, club) == reverse("door", args=[club.slug])
        assert home.text.count("Owls") == 1
        assert "since Thursday" not in home.text
        post(browser, "door", club, do="here")
    assert said(night) == [("here", "phone")]


def test_night_that_has_not_begun_by_midnight_keeps_its_door(club: Club, ann: Member) -> None:
    night = planned(club, "Owls", 25, datetime.time(22))
    browser = phone(club, ann)
    for moment, is_open in ((at(0, 5, 26), True), (at(2, 5, 26), False)):
        with moment:
            assert door_is_open(night) == is_open
            assert (scan(browser, club) == reverse("door", args=[club.slug])) == is_open


def test_clubs_page_leads_nobody_to_the_door_twice_once_the_tables_have_opened(
    club: Club, ann: Member, night: Night
) -> None:
    browser = phone(club, ann)
    Night.objects.update(begun_at=timezone.now())
    assert "I am here" in page(get(browser, "club", club)).links
    post(browser, "door", club, do="here")
    assert "I am here" not in page(get(browser, "club", club)).links


def test_archived_club_has_no_door(club: Club, night: Night) -> None:
    browser, bo = account(club, name="Bo")
    Club.objects.update(archived_at=timezone.now())
    assert post(browser, "door", club, do="here").status_code == 403
    with pytest.raises(NotAnswered):
        check_in(Night.objects.get(pk=night.pk), bo, source="account")
    assert said(night) == []
