"""Where an account is signed in: the list, signing out, and how long it lasts."""

from __future__ import annotations

import datetime
import re

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
from tests.clubs.visitors import came_in_now

pytestmark = pytest.mark.django_db
PAGE = "/account/browsers/"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Safari/604.1"


@pytest.fixture
def ann() -> User:
    return UserFactory(email="ann@example.org", password="!")


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
    came_in_now(here)
    for client in (phone, other):
        here.post(PAGE, {"do": sessions.session_name(client.session.session_key)})
    assert [is_in(client) for client in (here, phone, other)] == [True, False, True]
    gone = here.post(PAGE, {"do": sessions.session_name(here.session.session_key)})
    assert gone.url == reverse("clubs")
    assert not is_in(here)


@pytest.mark.parametrize(("do", "stays"), [("others", [True, False]), ("all", [False, False]), ("", [True, True])])
def test_account_is_signed_out_everywhere(ann: User, do: str, stays: list[bool]) -> None:
    here, phone, other = browser(ann), browser(ann, PHONE), browser(UserFactory())
    came_in_now(here)
    here.post(PAGE, {"do": do})
    assert [is_in(client) for client in (here, phone)] == stays
    assert is_in(other)


@pytest.mark.parametrize("do", ["others", "all", "phone"])
def test_thief_signs_nobody_out_without_a_proof(ann: User, do: str) -> None:
    here, phone = browser(ann), browser(ann, PHONE)
    name = sessions.session_name(phone.session.session_key)
    assert "Sign in once more" in here.post(PAGE, {"do": name if do == "phone" else do}).text
    assert [is_in(client) for client in (here, phone)] == [True, True]


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


def test_browser_that_is_used_every_day_signs_in_anew_after_a_year(ann: User) -> None:
    client, begin = browser(ann), timezone.now()
    for days in [*range(0, 360, 40), 363]:
        with time_machine.travel(begin + datetime.timedelta(days=days), tick=False):
            assert is_in(client), days
    with time_machine.travel(begin + datetime.timedelta(days=367), tick=False):
        assert not is_in(client)


def test_key_of_a_session_is_drawn_and_counts_only_where_the_site_knows_it(ann: User) -> None:
    client, other = browser(ann), browser(ann)
    keys = {client.session.session_key, other.session.session_key}
    assert len(keys) == 2
    # 32 signs, each one of 36: more than 128 bits.
    assert all(re.fullmatch(r"[a-z0-9]{32}", key) for key in keys)
    for invented in ("0" * 32, "admin", min(keys)[:-1], min(keys).upper()):
        client.cookies["sessionid"] = invented
        assert not is_in(client)


def test_session_opens_nothing_after_its_browser_signed_out(ann: User) -> None:
    client, copied = browser(ann), Client()
    copied.cookies["sessionid"] = client.cookies["sessionid"].value
    assert is_in(copied)
    gone = client.post(reverse("account_logout"))
    assert not is_in(copied)
    assert gone["Clear-Site-Data"] == '"cache"'
    assert not BrowserSession.objects.exists()


def test_page_that_needs_an_account_leads_to_signing_out(ann: User) -> None:
    client = browser(ann)
    for name in ("account", "account_logout", "clubs"):
        assert re.search(r"<button[^>]*>Sign out</button>", client.get(reverse(name)).text)
    came_in_now(client)
    for name in ("account_email", "account_set_password", "delete_account", "browsers"):
        assert f'href="{reverse("account")}"' in client.get(reverse(name)).text


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
