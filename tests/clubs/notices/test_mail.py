"""Notices by email: what they say, to whom they go, and what happens when they cannot be sent."""

from __future__ import annotations

import datetime
import smtplib
from unittest.mock import Mock

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from pytest_django import Settings

from clubs.members.personal_links import make_link, token_of
from clubs.models import Club, Delivery, Member, Night, NoticeSettings, PushSubscription, User
from clubs.nights.nights import plan_nights
from clubs.notices.choices import NOT_WANTED
from clubs.notices.mail import NO_ADDRESS, PRINTED
from clubs.outbox.addresses import site_address
from clubs.outbox.deliver import attempt
from tests.club_factories import ClubFactory, MemberFactory
from tests.clubs.notices.hearing import ALL, has_mail, has_phone, told, wants
from tests.clubs.visitors import account

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", name="The Trumps", visibility="link", place="The bakery")


@pytest.fixture
def flo(club: Club, settings: Settings) -> Member:
    settings.ADDRESS = "https://cards.example"
    _, flo = account(club, name="Flo")
    has_mail(flo, "flo@mail.example")
    return flo


def planned(club: Club) -> Night:
    return plan_nights(Night(club=club, on=club.today() + datetime.timedelta(days=2), begins=datetime.time(19, 30)))[0]


def sent(club: Club) -> Delivery:
    planned(club)
    told()
    delivery = Delivery.objects.select_related("event").get(channel="mail")
    attempt(delivery)
    delivery.refresh_from_db()
    return delivery


def link_to_stop(letter: mail.EmailMessage) -> str:
    return str(letter.extra_headers["List-Unsubscribe"]).strip("<>").removeprefix("https://cards.example")


def test_mail_says_when_and_where_leads_to_the_night_and_can_be_stopped(club: Club, flo: Member) -> None:
    assert sent(club).delivered_at is not None
    (letter,) = mail.outbox
    night = club.nights.get()
    assert (letter.subject, letter.to) == ("The Trumps: A night is planned", ["flo@mail.example"])
    lines = letter.body.splitlines()
    assert lines[0] == f"{night.on:%A} {night.on.day} {night.on:%B}, 19:30, The bakery."
    assert lines[2] == f"https://cards.example{night.get_absolute_url()}?key={club.key}#coming"
    assert "https://cards.example/clubs/trumps/me/notices/" in letter.body
    assert f"https://cards.example{link_to_stop(letter)}" in letter.body
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_mail_program_that_stops_mail_in_one_tap_leaves_phones_as_they_are(club: Club, flo: Member) -> None:
    sent(club)
    phone = has_phone(flo)
    wants(flo, push=["drawn"], mail=ALL)
    planned(club)
    told()
    there = link_to_stop(mail.outbox[0])
    browser = Client(enforce_csrf_checks=True)
    assert "Stop email" in browser.get(there).content.decode()
    assert NoticeSettings.objects.get().mail
    for _ in range(2):
        answer = browser.post(there, {"List-Unsubscribe": "One-Click"})
        assert (answer.status_code, "sends you no more email" in answer.content.decode()) == (200, True)
    assert (NoticeSettings.objects.get().mail, NoticeSettings.objects.get().push) == ([], ["drawn"])
    assert PushSubscription.objects.get() == phone
    assert not Delivery.objects.filter(channel="mail").exists(), "nor what waits"


def test_link_of_a_mail_stops_everything_without_signing_in(club: Club, flo: Member) -> None:
    sent(club)
    has_phone(flo)
    wants(flo, push=ALL, mail=ALL)
    there = link_to_stop(mail.outbox[0])
    browser = Client(enforce_csrf_checks=True)
    assert "Stop all notices, on phones too" in browser.get(there).content.decode()
    answer = browser.post(there, {"do": "all"})
    assert (answer.status_code, "sends you no more notices, by phone or email" in answer.content.decode()) == (
        200,
        True,
    )
    assert (NoticeSettings.objects.get().mail, NoticeSettings.objects.get().push) == ([], [])
    assert not PushSubscription.objects.exists()
    assert browser.post(there).status_code == 200
    assert browser.get(there[:-2] + "x/").status_code == 404


def test_who_has_a_personal_link_answers_by_it_in_a_members_club_too(club: Club, flo: Member) -> None:
    Club.objects.update(visibility="members")
    link = make_link(flo, by=None)
    sent(club)
    night = club.nights.get()
    assert f"https://cards.example/coming/{token_of(link)}/#night-{night.pk}" in mail.outbox[0].body
    assert club.key not in mail.outbox[0].body


@pytest.mark.parametrize("change", [{"verified": False}, {"primary": False}])
def test_address_that_is_not_confirmed_gets_nothing(club: Club, flo: Member, change: dict[str, bool]) -> None:
    EmailAddress.objects.update(**change)
    planned(club)
    assert told("mail") == {}


def test_closed_account_gets_nothing_nor_does_who_has_none(club: Club, flo: Member) -> None:
    NoticeSettings.objects.create(member=MemberFactory(club=club, name="Ann"), mail=["planned"])
    User.objects.update(is_active=False)
    planned(club)
    assert told("mail") == {}


def test_where_mail_is_printed_none_is_written(club: Club, flo: Member, settings: Settings) -> None:
    settings.EMAIL_BACKEND = PRINTED
    planned(club)
    assert told("mail") == {}


def test_address_and_choice_are_those_of_the_moment_it_is_sent(club: Club, flo: Member) -> None:
    planned(club)
    told()
    delivery = Delivery.objects.select_related("event").get()
    still_waits = Delivery.objects.filter(pk=delivery.pk).update
    EmailAddress.objects.update(email="other@mail.example")
    attempt(delivery)
    assert mail.outbox[0].to == ["other@mail.example"]
    attempt(delivery)
    assert len(mail.outbox) == 1, "it was sent"
    EmailAddress.objects.all().delete()
    still_waits(delivered_at=None)
    attempt(delivery)
    delivery.refresh_from_db()
    assert delivery.problem == NO_ADDRESS
    NoticeSettings.objects.update(mail=["drawn"])
    still_waits(given_up_at=None)
    attempt(delivery)
    delivery.refresh_from_db()
    assert (delivery.problem, len(mail.outbox)) == (NOT_WANTED, 1)


@pytest.mark.parametrize(("problem", "given_up"), [
    (ConnectionRefusedError(), False),
    (smtplib.SMTPServerDisconnected(), False),
    (smtplib.SMTPRecipientsRefused({"flo@mail.example": (451, b"later")}), False),
    (smtplib.SMTPRecipientsRefused({"flo@mail.example": (550, b"nobody")}), True),
])  # fmt: skip
def test_mail_that_cannot_be_sent_is_tried_again_unless_there_is_nobody(
    club: Club, flo: Member, monkeypatch: pytest.MonkeyPatch, problem: Exception, given_up: bool
) -> None:
    monkeypatch.setattr(EmailBackend, "send_messages", Mock(side_effect=problem))
    delivery = sent(club)
    assert (delivery.delivered_at, delivery.given_up_at is not None) == (None, given_up)
    assert "flo@" not in delivery.problem


def test_site_without_an_address_of_its_own_says_where_it_was_served_last(settings: Settings, tmp_path: object) -> None:
    settings.ADDRESS, settings.VAR = "", tmp_path
    (settings.VAR / "address").write_text("http://192.0.2.7:8000\n")
    assert site_address() == "http://192.0.2.7:8000"
