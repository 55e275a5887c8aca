"""Members answer for a night before it begins, and change it, as long as the roll call is not taken."""

from __future__ import annotations

import datetime
import json
import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.visit import COOKIE
from clubs.members.data_export import held_about
from clubs.members.merge import merge, unmerge
from clubs.members.privacy import hide_name
from clubs.models import Attendance, AuditEntry, Club, Member, Night, Reply
from clubs.nights import replies
from clubs.nights.replies import NotAnswered, answers_of
from clubs.trophies.register import absent_from
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory
from tests.clubs.night_played import page
from tests.clubs.visitors import account, get, phone, post, text

pytestmark = pytest.mark.django_db
ACCOUNT, PHONE, LINK = Reply.Source.ACCOUNT, Reply.Source.PHONE, Reply.Source.LINK
NINE = datetime.time(21)


@pytest.fixture
def club() -> Club:
    return ClubFactory(name="The Trumps", visibility="link", place="The bakery")


@pytest.fixture
def ann(club: Club) -> Member:
    return MemberFactory(club=club, name="Ann")


@pytest.fixture
def night(club: Club) -> Night:
    on = club.today() + datetime.timedelta(days=2)
    return NightFactory(club=club, on=on, begins=datetime.time(19, 30), begun_at=None)


def said(night: Night) -> list[tuple[str, str]]:
    return [(row.says, row.source) for row in Reply.objects.filter(night=night).in_order()]


def shown(client: Client, night: Night) -> str:
    return str(page(client.get(night.get_absolute_url())).text)


# Rows


def test_every_change_is_another_row_and_the_last_one_counts(night: Night, ann: Member) -> None:
    replies.reply(night, ann, "yes", source=PHONE)
    replies.reply(night, ann, "late", source=PHONE, comes=NINE)
    replies.reply(night, ann, "no", source=LINK)
    assert said(night) == [("yes", "phone"), ("late", "phone"), ("no", "link")]
    answers = answers_of([night])[night.pk]
    assert answers.counts == (0, 0, 1)
    assert [(heading, [m.name for m, _ in people]) for heading, people in answers.groups] == [("No", ["Ann"])]
    assert absent_from(night) == {ann}


def test_same_answer_again_adds_nothing_and_another_hour_is_another_answer(night: Night, ann: Member) -> None:
    for _ in range(2):
        replies.reply(night, ann, "late", source=PHONE, comes=NINE)
    replies.reply(night, ann, "late", source=PHONE, comes=datetime.time(20))
    assert len(said(night)) == 2


def test_undone_answer_is_none(night: Night, ann: Member) -> None:
    replies.reply(night, ann, "yes", source=PHONE)
    for _ in range(2):
        replies.take_back(night, ann, source=PHONE)
    assert said(night) == [("yes", "phone"), ("none", "phone")]
    assert answers_of([night])[night.pk].groups == []


@pytest.mark.parametrize(("says", "comes", "why"), [
    ("late", None, replies.NO_HOUR), ("", None, replies.NO_CHOICE), ("here", None, replies.NO_CHOICE),
    ("none", None, replies.NO_CHOICE),
])  # fmt: skip
def test_nothing_else_is_an_answer(night: Night, ann: Member, says: str, comes: Any, why: str) -> None:
    with pytest.raises(NotAnswered, match=re.escape(why)):
        replies.reply(night, ann, says, source=PHONE, comes=comes)
    assert said(night) == []


@pytest.mark.parametrize("change", [
    {"begun_at": timezone.now()}, {"closed_at": timezone.now()}, {"archived_at": timezone.now()},
    {"on": datetime.date(2020, 1, 1)},
])  # fmt: skip
def test_once_the_roll_call_is_taken_nothing_changes(night: Night, ann: Member, change: dict[str, Any]) -> None:
    replies.reply(night, ann, "yes", source=PHONE)
    Night.objects.filter(pk=night.pk).update(**change)
    with pytest.raises(NotAnswered):
        replies.reply(night, ann, "no", source=PHONE)
    with pytest.raises(NotAnswered):
        replies.take_back(night, ann, source=PHONE)
    assert said(night) == [("yes", "phone")]


def test_nobody_fills_the_database(night: Night, ann: Member) -> None:
    for k in range(replies.MOST_REPLIES):
        replies.reply(night, ann, ("yes", "no")[k % 2], source=PHONE)
    with pytest.raises(NotAnswered, match="too often"):
        replies.reply(night, ann, "yes", source=PHONE)


def test_merged_records_have_one_answer_and_two_again_when_it_is_undone(night: Night, ann: Member) -> None:
    other = MemberFactory(club=night.club, name="Annie")
    replies.reply(night, other, "no", source=PHONE)
    replies.reply(night, ann, "yes", source=PHONE)
    assert merge(other, ann, by=None) == []
    answers = answers_of([night])[night.pk]
    assert [(heading, [m.name for m, _ in people]) for heading, people in answers.groups] == [("Yes", ["Ann"])]
    # What the other record said comes before: the same again is no new row.
    other.refresh_from_db()
    replies.reply(night, other, "yes", source=PHONE)
    assert len(said(night)) == 2
    unmerge(other, by=None)
    assert answers_of([night])[night.pk].counts == (1, 0, 1)


def test_what_an_organiser_wrote_counts_more(night: Night, ann: Member) -> None:
    replies.reply(night, ann, "yes", source=PHONE)
    Attendance.objects.create(night=night, member=ann, says="not")
    answers = answers_of([night])[night.pk]
    assert answers.counts == (0, 0, 1)
    assert [heading for heading, _ in answers.groups] == ["Absent"]
    assert absent_from(night) == {ann}


def test_own_file_has_every_answer(night: Night, ann: Member) -> None:
    replies.reply(night, ann, "yes", source=PHONE)
    replies.reply(night, ann, "late", source=LINK, comes=NINE)
    told = json.loads(held_about(ann, str))["answers of your own"]
    assert [(row["you said"], row["coming at"], row["from"]) for row in told] == [
        ("yes", None, "a phone that says who uses it"), ("late", "21:00:00", "a personal link"),
    ]  # fmt: skip


# The page of the night


def test_phone_that_knows_who_it_is_answers_without_an_account(night: Night, ann: Member) -> None:
    browser = phone(night.club, ann)
    before = shown(browser, night)
    assert "Are you coming, Ann?" in before
    answer = post(browser, "answer_night", night.club, night.pk, do="yes", comes="20:00")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{night.get_absolute_url()}#coming")
    assert said(night) == [("yes", "phone")]
    after = shown(browser, night)
    assert "Ann, you said yes" in after
    offer = "Get a notice before each night"
    assert (offer in before, offer in after) == (False, True), "who has answered wants to know of the next one"
    assert "Yes (1): Ann" in shown(phone(night.club), night)
    post(browser, "answer_night", night.club, night.pk, do="undo")
    assert "Nobody has answered yet." in shown(browser, night)


def test_who_comes_late_says_when_and_stands_in_that_order(night: Night, ann: Member) -> None:
    for name, hour in (("Zed", "20:00"), ("Bo", "21:15")):
        browser = phone(night.club, MemberFactory(club=night.club, name=name))
        assert post(browser, "answer_night", night.club, night.pk, do="late", comes=hour).status_code == 303
    post(phone(night.club, ann), "answer_night", night.club, night.pk, do="late", comes="20:30")
    assert "Late (3): Zed (20:00), Ann (20:30), Bo (21:15)" in shown(phone(night.club), night)


def test_answer_that_is_none_says_why(night: Night, ann: Member) -> None:
    answer = post(phone(night.club, ann), "answer_night", night.club, night.pk, do="late", comes="soon")
    assert answer.status_code == 422
    assert replies.NO_HOUR in text(answer)
    assert said(night) == []


def test_phone_that_does_not_know_who_it_is_is_asked(night: Night) -> None:
    browser = phone(night.club)
    assert "Say who you are, and answer" in shown(browser, night)
    answer = post(browser, "answer_night", night.club, night.pk, do="yes")
    assert (answer.status_code, said(night)) == (303, [])
    assert answer.headers["Location"].startswith(f"/clubs/{night.club.slug}/me/?next=")


def test_nobody_answers_as_somebody_of_another_club_or_who_left(night: Night, ann: Member) -> None:
    stranger = MemberFactory(name="Stan")
    for somebody in (stranger, MemberFactory(club=night.club, name="Lea", left_at=timezone.now())):
        post(phone(night.club, somebody), "answer_night", night.club, night.pk, do="yes")
    assert said(night) == []


def test_who_is_signed_in_answers_for_themselves_whatever_the_phone_says(night: Night, ann: Member) -> None:
    browser, bo = account(night.club, name="Bo")
    browser.cookies[COOKIE.format(night.club.pk)] = f"{night.club.key}.{ann.pk}"
    post(browser, "answer_night", night.club, night.pk, do="yes")
    assert [(row.member, row.source) for row in Reply.objects.all()] == [(bo, "account")]
    assert not AuditEntry.objects.exists()


def test_activity_log_says_when_a_phone_answers_for_somebody(night: Night, ann: Member) -> None:
    post(phone(night.club, ann), "answer_night", night.club, night.pk, do="yes")
    bo = MemberFactory(club=night.club, name="Bo", user=UserFactory())
    post(phone(night.club, bo), "answer_night", night.club, night.pk, do="no")
    for (says, by), told in zip(
        AuditEntry.objects.order_by("pk").values_list("says", "by"), ("Ann: yes", "Bo: no"), strict=True
    ):
        assert says.startswith(f"On a phone that is not signed in, somebody answered for {told}, night of ")
        assert by is None
    replies.reply(night, ann, "no", source=LINK)
    assert AuditEntry.objects.count() == 2, "only whoever has the link answers by it"


def test_in_a_members_club_a_phone_answers_for_nobody(night: Night, ann: Member) -> None:
    Club.objects.update(visibility="members")
    browser = phone(night.club, ann)
    assert post(browser, "answer_night", night.club, night.pk, do="yes").status_code == 403
    # Neither does somebody of the site who is shown the club.
    owner = Client()
    owner.force_login(UserFactory(is_superuser=True))
    owner.cookies[COOKIE.format(night.club.pk)] = f"{night.club.key}.{ann.pk}"
    post(owner, "answer_night", night.club, night.pk, do="yes")
    assert said(night) == []
    member, _ = account(night.club, name="Bo")
    post(member, "answer_night", night.club, night.pk, do="yes")
    assert said(night) == [("yes", "account")]


def test_hidden_name_stays_hidden(night: Night, ann: Member) -> None:
    replies.reply(night, ann, "yes", source=PHONE)
    hide_name(ann, by=None)
    told = shown(phone(night.club), night)
    assert "Ann" not in told
    assert "Yes (1): Somebody" in told


def test_organisers_word_is_told_to_whom_it_is_about(night: Night, ann: Member) -> None:
    replies.reply(night, ann, "yes", source=PHONE)
    Attendance.objects.create(night=night, member=ann, says="not")
    told = shown(phone(night.club, ann), night)
    assert "An organiser wrote “Absent” for you at the roll call. That counts." in told
    assert "Absent (1): Ann" in told
    assert "Yes (1)" not in told
    assert "An organiser wrote" not in shown(phone(night.club), night)


def test_reminder_has_the_key_of_a_public_club_and_what_strangers_read_has_not(night: Night, ann: Member) -> None:
    Club.objects.update(visibility="public")
    organiser, _ = account(night.club, "organiser", name="Flo")
    there = f"{night.get_absolute_url()}?key={night.club.key}"
    assert f"Answer here: http://testserver{there}" in shown(organiser, night)
    shared = text(organiser.get(night.get_absolute_url()))
    assert f'data-share-page="http://testserver{night.get_absolute_url()}"' in shared
    assert night.club.key not in text(Client().get(night.get_absolute_url()))
    assert night.club.key not in text(Client().get(reverse("calendar", args=[night.club.calendar_key])))


def test_organiser_sees_who_has_not_answered_and_copies_a_reminder(night: Night, ann: Member) -> None:
    club = night.club
    browser, _ = account(club, "organiser", name="Flo")
    for name, more in (("Bo", {}), ("Cy", {}), ("Gus", {"role": "guest"}), ("Lea", {"left_at": timezone.now()})):
        MemberFactory(club=club, name=name, **more)
    hide_name(MemberFactory(club=club, name="Zed"), by=None)
    replies.reply(night, ann, "yes", source=PHONE)
    told = shown(browser, night)
    assert "No answer yet: 4 Bo, Cy, Flo, Zed" in told
    assert f"Answer here: http://testserver{night.get_absolute_url()}" in told
    assert "No answer yet: Bo, Cy, Flo." in told, "whose name is hidden is named in no text that is sent round"
    assert "The Trumps" in told
    assert "No answer yet" not in shown(phone(club, ann), night)


def test_button_on_the_clubs_page_leads_back_to_it(night: Night, ann: Member) -> None:
    club = night.club
    browser = phone(club, ann)
    assert "Are you coming, Ann?" in page(get(browser, "club", club)).text
    there = club.get_absolute_url()
    assert post(browser, "answer_night", club, night.pk, do="yes", next=there).headers["Location"] == f"{there}#coming"
    for foreign in ("//evil.example", "https://evil.example/", "javascript:alert(1)"):
        to = post(browser, "answer_night", club, night.pk, do="no", next=foreign).headers["Location"]
        assert to == f"{night.get_absolute_url()}#coming"
    assert "No (1): Ann" in page(get(browser, "club", club)).text


def test_clubs_page_asks_for_one_night_the_next_that_has_not_begun(night: Night, ann: Member) -> None:
    club = night.club
    NightFactory(club=club, on=club.today() + datetime.timedelta(days=9), begun_at=None)
    tonight = NightFactory(club=club, on=club.today(), begun_at=None)
    assert text(get(phone(club, ann), "club", club)).count(f"/nights/{tonight.pk}/coming/") == 1
    assert "/coming/" in text(get(phone(club, ann), "club", club))
    Night.objects.filter(pk=tonight.pk).update(begun_at=timezone.now())
    assert f"/nights/{night.pk}/coming/" in text(get(phone(club, ann), "club", club))


def test_reading_sets_no_cookie_for_who_cannot_answer(night: Night) -> None:
    Club.objects.update(visibility="public")
    answer = Client().get(night.get_absolute_url())
    assert answer.status_code == 200
    assert not answer.cookies


def test_page_of_a_night_ahead_takes_as_many_queries_for_thirty_as_for_one(
    night: Night, ann: Member, django_assert_max_num_queries: Any
) -> None:
    for _ in range(30):
        replies.reply(night, MemberFactory(club=night.club), "yes", source=PHONE)
    browser = phone(night.club, ann)
    with django_assert_max_num_queries(7):
        assert browser.get(night.get_absolute_url()).status_code == 200
    with django_assert_max_num_queries(10):
        assert get(browser, "club", night.club).status_code == 200


# Whom a phone is believed


@pytest.mark.parametrize("key", ["", "an-old-key"])
def test_in_a_public_club_only_a_phone_that_came_by_its_link_answers(night: Night, ann: Member, key: str) -> None:
    Club.objects.update(visibility="public")
    stranger = Client()
    stranger.cookies[COOKIE.format(night.club.pk)] = f"{key}.{ann.pk}"
    told = shown(stranger, night)
    assert "Are you coming" not in told
    assert "Open the club’s own link or scan its QR code, and you can answer here." in told
    answer = post(stranger, "answer_night", night.club, night.pk, do="no")
    assert answer.status_code == 403
    assert replies.NO_KEY in text(answer)
    assert said(night) == []
    # By the link it is.
    stranger.get(f"{night.get_absolute_url()}?key={night.club.key}")
    assert "Are you coming, Ann?" in shown(stranger, night)
    assert post(stranger, "answer_night", night.club, night.pk, do="no").status_code == 303
    assert said(night) == [("no", "phone")]


@pytest.mark.parametrize("source", [ACCOUNT, LINK])
def test_phone_replaces_nothing_that_was_answered_otherwise(night: Night, ann: Member, source: Any) -> None:
    replies.reply(night, ann, "yes", source=source)
    browser = phone(night.club, ann)
    for do in ("no", "undo"):
        answer = post(browser, "answer_night", night.club, night.pk, do=do)
        assert (answer.status_code, replies.NOT_BY_PHONE in text(answer)) == (422, True)
    assert said(night) == [("yes", source)]
    # Once that is undone, a phone may answer again.
    replies.take_back(night, ann, source=source)
    post(browser, "answer_night", night.club, night.pk, do="no")
    assert said(night)[-1] == ("no", "phone")


def test_nobody_locks_a_member_out_from_a_phone(night: Night, ann: Member) -> None:
    for k in range(replies.MOST_REPLIES):
        replies.reply(night, ann, ("yes", "no")[k % 2], source=PHONE)
    with pytest.raises(NotAnswered, match="too often"):
        replies.reply(night, ann, "yes", source=PHONE)
    replies.reply(night, ann, "late", source=LINK, comes=NINE)
    Night.objects.filter(pk=night.pk).update(on=night.club.today(), begins=None)
    replies.check_in(Night.objects.get(pk=night.pk), ann, source=PHONE)
    assert said(night)[-2:] == [("late", "link"), ("here", "phone")]


def test_answer_that_comes_too_late_is_told_so(night: Night, ann: Member) -> None:
    browser = phone(night.club, ann)
    for change in ({"begun_at": timezone.now()}, {"begun_at": None, "on": night.club.today() - datetime.timedelta(2)}):
        Night.objects.filter(pk=night.pk).update(**change)
        answer = post(browser, "answer_night", night.club, night.pk, do="yes")
        assert (answer.status_code, text(answer).count(replies.TOO_LATE)) == (422, 1)


def test_who_left_no_longer_counts_and_does_not_come(night: Night, ann: Member) -> None:
    bo = MemberFactory(club=night.club, name="Bo")
    replies.reply(night, ann, "yes", source=PHONE)
    replies.reply(night, bo, "yes", source=PHONE)
    Attendance.objects.create(night=night, member=ann, says="here")
    Member.objects.filter(pk=ann.pk).update(left_at=timezone.now())
    answers = answers_of([night])[night.pk]
    assert answers.counts == (1, 0, 0)
    assert [[m.name for m, _ in people] for _, people in answers.groups] == [["Bo"]]
    assert absent_from(night) == {ann}


def test_archived_club_takes_no_answers(night: Night) -> None:
    browser, bo = account(night.club, name="Bo")
    Club.objects.update(archived_at=timezone.now())
    assert "Are you coming" not in shown(browser, night)
    assert post(browser, "answer_night", night.club, night.pk, do="yes").status_code == 403
    with pytest.raises(NotAnswered):
        replies.reply(Night.objects.get(pk=night.pk), bo, "yes", source=ACCOUNT)
    assert said(night) == []


def test_page_to_come_back_to_has_one_place(night: Night, ann: Member) -> None:
    there = night.club.get_absolute_url()
    answer = post(phone(night.club, ann), "answer_night", night.club, night.pk, do="yes", next=f"{there}#tonight")
    assert answer.headers["Location"] == f"{there}#coming"


def test_night_after_midnight_can_be_answered_until_it_should_have_begun_long_ago(club: Club, ann: Member) -> None:
    night = NightFactory(club=club, on=datetime.date(2026, 11, 25), begins=datetime.time(23, 30), begun_at=None)
    for hour, is_open in ((0, True), (3, True), (4, False)):
        at = datetime.datetime(2026, 11, 26, hour, 5, tzinfo=club.zone)
        with time_machine.travel(at, tick=False):
            assert replies.is_open(night) == is_open
