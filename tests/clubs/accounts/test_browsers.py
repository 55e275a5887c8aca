"""Where an account is signed in: the list, signing out, and how long it lasts."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.conf import settings
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts import sessions
from clubs.models import BrowserSession, User
from clubs.models.session import SessionStore
from clubs.server.daily_jobs import tidy
from tests.club_factories import UserFactory

pytestmark = pytest.mark.django_db
PAGE = "/account/browsers/"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Safari/604.1"


@pytest.fixture
def ann() -> User:
    return UserFactory(email="ann@example.org")


def browser(user: User, agent: str = "") -> Client:
    client = Client(headers={"User-Agent": agent} if agent else {})
    client.force_login(user)
    session = client.session
    session[sessions.BROWSER] = sessions.browser_name(agent)
    session.save()
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_list_names_every_browser_and_no_key(ann: User) -> None:
    here, phone, other = browser(ann), browser(ann, PHONE), browser(UserFactory())
    page = here.get(PAGE).text
    assert "Safari on iPhone" in page
    assert page.count("Sign out:") == 2, "nobody else's"
    for client in (here, phone, other):
        assert client.session.session_key not in page


def test_one_browser_is_signed_out(ann: User) -> None:
    here, phone, other = browser(ann), browser(ann, PHONE), browser(UserFactory())
    for client in (phone, other):
        here.post(PAGE, {"do": sessions.session_name(client.session.session_key)})
    assert [is_in(client) for client in (here, phone, other)] == [True, False, True]
    gone = here.post(PAGE, {"do": sessions.session_name(here.session.session_key)})
    assert gone.url == reverse("clubs")
    assert not is_in(here)


@pytest.mark.parametrize(("do", "stays"), [("others", [True, False]), ("all", [False, False]), ("", [True, True])])
def test_account_is_signed_out_everywhere(ann: User, do: str, stays: list[bool]) -> None:
    here, phone, other = browser(ann), browser(ann, PHONE), browser(UserFactory())
    here.post(PAGE, {"do": do})
    assert [is_in(client) for client in (here, phone)] == stays
    assert is_in(other)


def test_browser_that_is_used_stays_signed_in_and_another_does_not(ann: User) -> None:
    used, unused = browser(ann), browser(ann)
    begin = timezone.now()
    age = datetime.timedelta(seconds=settings.SESSION_COOKIE_AGE)
    for part in (0.4, 0.8, 1.2):
        with time_machine.travel(begin + age * part, tick=False):
            assert is_in(used)
    with time_machine.travel(begin + age * 1.3, tick=False):
        assert is_in(used)
        assert not is_in(unused)
        tidy()
        assert BrowserSession.objects.count() == 1
    with time_machine.travel(begin + age * 2.5, tick=False):
        assert not is_in(used)


def test_use_is_written_down_once_a_day(ann: User, django_assert_num_queries: object) -> None:
    client = browser(ann)
    tomorrow = timezone.now() + datetime.timedelta(days=1)
    with time_machine.travel(tomorrow, tick=False):
        is_in(client)
        was = BrowserSession.objects.get().session_data
        is_in(client)
        assert BrowserSession.objects.get().session_data == was
        assert sessions.browsers_of(ann, None)[0].used == timezone.localdate()


def test_page_is_read_when_nothing_can_be_written(ann: User, monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser(ann)

    def full(*args: object, **more: object) -> None:
        raise DatabaseError("database or disk is full")

    with time_machine.travel(timezone.now() + datetime.timedelta(days=1), tick=False):
        monkeypatch.setattr(SessionStore, "save", full)
        assert is_in(client)


def test_account_that_goes_takes_its_sessions_along(ann: User) -> None:
    client = browser(ann)
    ann.delete()
    assert not BrowserSession.objects.exists()
    assert not is_in(client)
