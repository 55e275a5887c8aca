"""The page of the owner: who sees it, and what it says about the site."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import Error
from django.test import Client
from pytest_django import Settings

from clubs import __version__
from clubs.models import PendingUpdate
from clubs.notices.mail import PRINTED
from clubs.owner import health
from scoresheets.access.throttle import CONNECTIONS, OPEN_SHEET, note_reached
from tests.club_factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db


def test_nobody_else_is_told_that_the_page_is_there() -> None:
    client = Client()
    assert client.get("/owner/").headers["Location"] == "/account/login/code/?next=%2Fowner%2F"
    client.force_login(UserFactory())
    assert client.get("/owner/").status_code == 404


def test_who_signs_in_comes_back_to_the_page_alone_where_its_address_is_too_long() -> None:
    long = f"/owner/accounts/?q={'ﷺ' * 2_000}"
    assert Client().get(long).headers["Location"] == "/account/login/code/?next=%2Fowner%2Faccounts%2F"


def test_owner_finds_the_page_from_their_account_and_nobody_else_does(ona: Client) -> None:
    assert 'href="/owner/"' in ona.get("/account/").text
    other = Client()
    other.force_login(UserFactory())
    assert 'href="/owner/"' not in other.get("/account/").text


def test_page_says_that_all_is_well(ona: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    page = ona.get("/owner/").text
    assert __version__ in page
    assert "is saved" in page
    assert "is sent" in page
    assert "problem" not in page


def test_page_says_what_is_wrong(ona: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise Error

    settings.EMAIL_BACKEND = PRINTED
    monkeypatch.setattr(health.probe, "write", refuse)
    monkeypatch.setattr(health, "LITTLE_SPACE", 10**18)
    PendingUpdate.objects.create(club=ClubFactory(), kind="club", subject=1, failures=3)
    page = ona.get("/owner/").text
    for sentence in ("Nothing can be saved", "This site sends no email", "nearly full", "could not be counted"):
        assert sentence in page


def test_page_says_where_the_last_backup_is(ona: Client, capsys: pytest.CaptureFixture[str]) -> None:
    assert "No backup was made yet." in ona.get("/owner/").text
    call_command("backup")
    where = capsys.readouterr().out.removeprefix("Backed up to ").strip()
    assert where in ona.get("/owner/").text


def test_page_says_what_somebody_did_too_often(ona: Client) -> None:
    note_reached(OPEN_SHEET)
    note_reached(OPEN_SHEET)
    note_reached(CONNECTIONS)
    page = ona.get("/owner/").text
    assert "Somebody sent too many requests in the last 7 days and was blocked for a while" in page
    assert "<b>new sheets</b>: 2 times, last" in page
    assert "<b>open connections</b>: 1 time, last" in page
