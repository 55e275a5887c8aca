"""The personal link of a member: answering without an account, in a members' club too, and revoking it."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.erasure.member import erase_member
from clubs.members.merge import merge, unmerge
from clubs.members.personal_links import find_link, link_of, make_link, revoke_link, token_of
from clubs.members.roles import come_back, leave_club
from clubs.models import Attendance, AuditEntry, Club, Member, Night, PersonalLink, Reply
from clubs.nights.replies import TOO_LATE, reply
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.clubs.night_played import page
from tests.clubs.visitors import account, get, phone, post, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(name="The Trumps", visibility="members")


@pytest.fixture
def ann(club: Club) -> Member:
    return MemberFactory(club=club, name="Ann")


@pytest.fixture
def night(club: Club) -> Night:
    on = club.today() + datetime.timedelta(days=2)
    return NightFactory(club=club, on=on, begins=datetime.time(19, 30), begun_at=None, title="Spring, Dog")


def address(member: Member) -> str:
    link = link_of(member)
    assert link is not None
    return reverse("my_nights", args=[token_of(link)])


def test_by_a_link_one_answers_without_an_account_in_a_members_club(ann: Member, night: Night) -> None:
    make_link(ann, by=None)
    browser, there = Client(), address(ann)
    told = page(browser.get(there)).text
    assert "Are you coming, Ann?" in told
    assert "Spring, Dog" in told
    answer = browser.post(there, {"night": night.pk, "do": "late", "comes": "20:15"})
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{there}#night-{night.pk}")
    assert [(r.member, r.says, r.comes, r.source) for r in Reply.objects.all()] == [
        (ann, "late", datetime.time(20, 15), "link")
    ]
    assert "1 late" in page(browser.get(there)).text
    assert browser.post(there, {"night": night.pk, "do": "late", "comes": ""}).status_code == 422
    browser.post(there, {"night": night.pk, "do": "undo"})
    assert "Nobody has answered yet." in page(browser.get(there)).text


def test_link_opens_nothing_else_of_a_members_club_and_names_nobody(ann: Member, night: Night) -> None:
    make_link(ann, by=None)
    reply(night, MemberFactory(club=ann.club, name="Zaphira"), "yes", source="account")
    browser = Client()
    shown = browser.get(address(ann))
    assert "Zaphira" not in text(shown)
    assert shown.headers["Referrer-Policy"] == "strict-origin"
    assert "sessionid" not in browser.cookies
    for view in ("club", "members", "nights"):
        assert get(browser, view, ann.club).status_code == 403
    assert browser.get(night.get_absolute_url()).status_code == 403


def test_nobody_answers_for_a_night_of_another_club_or_one_that_is_over(ann: Member, night: Night) -> None:
    make_link(ann, by=None)
    other = NightFactory(on=ann.club.today(), begun_at=None)
    for pk in (other.pk, "", "x", 10**20):
        assert Client().post(address(ann), {"night": pk, "do": "yes"}).status_code == 404
    assert not Reply.objects.exists()


@pytest.mark.parametrize("change", [
    {"begun_at": timezone.now()}, {"archived_at": timezone.now()}, {"on": datetime.date(2020, 1, 1)},
])  # fmt: skip
def test_answer_by_a_link_that_comes_too_late_is_told_so(ann: Member, night: Night, change: dict[str, Any]) -> None:
    make_link(ann, by=None)
    Night.objects.filter(pk=night.pk).update(**change)
    answer = Client().post(address(ann), {"night": night.pk, "do": "yes"})
    assert (answer.status_code, text(answer).count(TOO_LATE)) == (409, 1)
    assert "The Trumps" in text(answer)
    assert not Reply.objects.exists()


def test_link_says_what_whoever_has_it_can_do(ann: Member) -> None:
    make_link(ann, by=None)
    assert "Whoever has it can answer for you, and revoke it." in page(Client().get(address(ann))).text


def test_what_an_organiser_wrote_is_told(ann: Member, night: Night) -> None:
    make_link(ann, by=None)
    Attendance.objects.create(night=night, member=ann, says="here")
    assert "An organiser wrote “Here” for you" in page(Client().get(address(ann))).text


def test_database_has_the_hash_alone(ann: Member) -> None:
    link = make_link(ann, by=None)
    token = token_of(link)
    assert token not in {str(value) for value in PersonalLink.objects.values_list()[0]}
    assert find_link(token) == link
    assert find_link("x" * 22) is None
    assert find_link("short") is None


def test_new_link_ends_the_old_one_and_revoking_ends_it(ann: Member) -> None:
    old = token_of(make_link(ann, by=None))
    new = token_of(make_link(ann, by=None))
    assert (find_link(old), Client().get(reverse("my_nights", args=[old])).status_code) == (None, 404)
    assert find_link(new) is not None
    revoke_link(ann, by=None)
    revoke_link(ann, by=None)
    assert find_link(new) is None
    assert [line.says for line in AuditEntry.objects.order_by("pk")] == [
        "Made a personal link for Ann.", "Made a personal link for Ann.", "Revoked the personal link of Ann.",
    ]  # fmt: skip


def test_whoever_has_the_link_revokes_it_there(ann: Member, night: Night) -> None:
    make_link(ann, by=None)
    there = address(ann)
    assert "The link is revoked" in text(Client().post(there, {"do": "revoke"}))
    assert Client().get(there).status_code == 404


def test_link_of_who_left_works_again_when_they_come_back(ann: Member) -> None:
    make_link(ann, by=None)
    there = address(ann)
    leave_club(ann, "", by=None)
    assert Client().get(there).status_code == 404
    come_back(ann, by=None)
    assert Client().get(there).status_code == 200
    Club.objects.update(archived_at=timezone.now())
    assert Client().get(there).status_code == 404


def test_link_of_a_merged_record_is_the_persons(ann: Member, night: Night) -> None:
    other = MemberFactory(club=ann.club, name="Annie")
    make_link(other, by=None)
    there = address(other)
    assert merge(other, ann, by=None) == []
    Client().post(there, {"night": night.pk, "do": "yes"})
    assert Reply.objects.get().member == ann
    assert address(ann) == there
    revoke_link(ann, by=None)
    assert Client().get(there).status_code == 404


def test_erased_member_has_no_link_and_no_answer(ann: Member, night: Night) -> None:
    played(NightFactory(club=ann.club), [ann, *MemberFactory.create_batch(3, club=ann.club)])
    make_link(ann, by=None)
    there = address(ann)
    reply(night, ann, "yes", source="account")
    assert erase_member(ann, by=None) == ""
    assert not PersonalLink.objects.exists()
    assert not Reply.objects.exists()
    assert Client().get(there).status_code == 404


# Who makes it


def test_member_makes_and_revokes_their_own_and_an_organiser_does_not_read_it(club: Club) -> None:
    browser, bo = account(club, name="Bo")
    organiser, _ = account(club, "organiser", name="Flo")
    assert post(browser, "member_settings", club, bo.pk, do="new-link").status_code == 303
    there = address(bo)
    assert there in text(get(browser, "member_settings", club, bo.pk))
    seen = text(get(organiser, "member_settings", club, bo.pk))
    assert there not in seen
    assert "which they made themselves" in seen
    post(browser, "member_settings", club, bo.pk, do="revoke-link")
    assert link_of(bo) is None


def test_organiser_makes_one_for_who_has_no_account_and_hands_it_over(club: Club, ann: Member) -> None:
    organiser, _ = account(club, "organiser", name="Flo")
    assert "Make a link" in text(get(organiser, "member_settings", club, ann.pk))
    post(organiser, "member_settings", club, ann.pk, do="new-link")
    seen = text(get(organiser, "member_settings", club, ann.pk))
    assert f"http://testserver{address(ann)}" in seen
    assert "<svg" in seen
    post(organiser, "member_settings", club, ann.pk, do="revoke-link")
    assert link_of(ann) is None


def test_nobody_else_makes_one(club: Club, ann: Member) -> None:
    Club.objects.update(visibility="link")
    bo, _ = account(club, name="Bo")
    assert post(bo, "member_settings", club, ann.pk, do="new-link").status_code == 403
    assert post(phone(club, ann), "member_settings", club, ann.pk, do="new-link").status_code == 403
    assert link_of(ann) is None
    organiser, _ = account(club, "organiser", name="Flo")
    gone = MemberFactory(club=club, name="Lea", left_at=timezone.now())
    post(organiser, "member_settings", club, gone.pk, do="new-link")
    assert link_of(gone) is None


def test_page_takes_as_many_queries_for_ten_nights_as_for_one(ann: Member, django_assert_num_queries: Any) -> None:
    make_link(ann, by=None)
    there = address(ann)
    for days in range(10):
        night = NightFactory(club=ann.club, on=ann.club.today() + datetime.timedelta(days=days), begun_at=None)
        reply(night, ann, "yes", source="link")
    with django_assert_num_queries(4):
        assert Client().get(there).status_code == 200


def test_link_of_a_person_is_revoked_when_their_records_are_taken_apart(ann: Member) -> None:
    other = MemberFactory(club=ann.club, name="Annie")
    assert merge(other, ann, by=None) == []
    other.refresh_from_db()
    made = token_of(make_link(other, by=None))
    assert find_link(made) is not None
    unmerge(other, by=None)
    assert find_link(made) is None
    assert "Revoked the personal link of Ann." in AuditEntry.objects.values_list("says", flat=True)


def test_own_link_of_a_record_stays_when_nobody_was_merged(ann: Member) -> None:
    made = token_of(make_link(ann, by=None))
    unmerge(ann, by=None)
    assert find_link(made) is not None
