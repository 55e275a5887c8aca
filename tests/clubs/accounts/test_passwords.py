"""Passwords: which are taken, how they are compared, and how another takes the place of one."""

from __future__ import annotations

import datetime
import gzip
import re
from pathlib import Path

import pytest
import time_machine
from django.contrib.auth.password_validation import CommonPasswordValidator, validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.passwords import OUR_WORDS
from clubs.models import User
from tests.club_factories import UserFactory
from tests.clubs.visitors import came_in_now, signed_in

pytestmark = pytest.mark.django_db
OLD, NEW = "three of a kind", "four of another"


@pytest.fixture
def ann() -> User:
    """Somebody who has a password."""
    user = UserFactory(email="ann@example.org")
    user.set_password(OLD)
    user.save()
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


def comes_in(password: str) -> bool:
    there = {"login": "ann@example.org", "password": password}
    return Client().post(reverse("account_login"), there).status_code == 302


def change(client: Client, old: str, new: str) -> int:
    typed = {"oldpassword": old, "password1": new, "password2": new}
    return client.post(reverse("account_change_password"), typed).status_code


def is_taken(password: str) -> bool:
    try:
        validate_password(password, User(email="florence@example.org"))
    except ValidationError:
        return False
    return True


def test_password_is_changed_by_who_knows_the_one_before(ann: User) -> None:
    client = signed_in(ann)
    assert change(client, "x", NEW) == 200
    assert change(client, "", NEW) == 200
    assert comes_in(OLD)
    assert change(client, OLD, NEW) == 302
    assert comes_in(NEW)
    assert not comes_in(OLD)


def test_another_password_signs_out_every_other_browser(ann: User) -> None:
    client, other = signed_in(ann), signed_in(ann)
    change(client, OLD, NEW)
    told = [one.get(reverse("account")).status_code for one in (client, other)]
    assert told == [200, 302]


@pytest.mark.parametrize(
    "password",
    [
        "onlyletters", "ONLYSHOUTING", "8203571946", "!§$%&/()=?", "ein Pfännchen", "ここに座ってください",
        " spaces around ", "x" * 3 + "y" * 5 + "z" * 4, "one sentence that is long. " * 5, "Ω" * 5 + "д" * 5,
    ],
)  # fmt: skip
def test_password_of_any_signs_and_of_great_length_is_taken_as_it_is_typed(ann: User, password: str) -> None:
    assert change(signed_in(ann), OLD, password) == 302
    assert comes_in(password)
    for almost in (password.strip(), password.swapcase(), password[:-1]):
        assert almost == password or not comes_in(almost)


def test_password_stays_good_however_old_it_is(ann: User) -> None:
    with time_machine.travel(timezone.now() + datetime.timedelta(days=3 * 365), tick=False):
        assert comes_in(OLD)


@pytest.mark.parametrize(
    "password", ["password123", "Qwertyuiop", "sunshine2026!", "dragondragon", "1111111111", "florence@example"]
)
def test_password_that_is_tried_first_is_refused(password: str) -> None:
    assert not is_taken(password)


def test_thousands_of_passwords_that_were_stolen_elsewhere_are_refused() -> None:
    """Django's list comes from such collections; our rule knows each with digits behind it."""
    packed = Path(CommonPasswordValidator().DEFAULT_PASSWORD_LIST_PATH)
    known = gzip.decompress(packed.read_bytes()).decode().split()
    long_ones = [password for password in known if len(password) >= 10]
    others = [f"{password}2026" for password in known if re.search(r"[a-z]", password)][:4000]
    assert len(long_ones) + len(others) > 5000
    assert not [password for password in [*long_ones, *others] if len(password) >= 10 and is_taken(password)]


@pytest.mark.parametrize(
    "password", ["boxandcircle", "Box & Circle 2026", "dirty-dog-club", "cardscards!!", "my hotdogs"]
)
def test_password_of_our_words_is_refused(password: str) -> None:
    assert not is_taken(password)


def test_words_that_are_refused_are_documented(project: Path) -> None:
    told = (project / "SECURITY.md").read_text()
    assert [word for word in OUR_WORDS if not re.search(rf"\b{word}\b", told)] == []


def test_field_of_a_password_hides_it_and_helps_who_keeps_it_elsewhere(ann: User) -> None:
    client = signed_in(ann)
    pages = [Client().get(reverse("account_login")).text, client.get(reverse("account_change_password")).text]
    fields = re.findall(r"<input[^>]*assword[^>]*>", "".join(pages))
    assert len(fields) == 4
    for field in fields:
        assert 'type="password"' in field
        assert re.search(r'autocomplete="(current|new)-password"', field)
        assert not re.search(r"maxlength|onpaste|readonly", field)


def test_code_for_a_password_is_good_once_and_not_elsewhere(ann: User) -> None:
    client = Client()
    client.post(reverse("account_reset_password"), {"email": ann.email})
    code = re.search(r"\b[B-Z]{4}-[B-Z]{4}\b", mail.outbox[-1].body)
    assert code
    confirm, complete = reverse("account_confirm_password_reset_code"), reverse("account_complete_password_reset")
    for browser, word in ((Client(), NEW), (client, NEW), (client, "a third of those")):
        browser.post(confirm, {"code": code[0]})
        browser.post(complete, {"password1": word, "password2": word})
    assert comes_in(NEW)


def test_who_proves_it_with_a_password_has_another_session_key(ann: User) -> None:
    client = signed_in(ann)
    before = client.session.session_key
    asked = client.get(reverse("account_email"))
    assert asked.headers["Location"].startswith(reverse("account_reauthenticate"))
    client.post(asked.headers["Location"], {"password": OLD})
    assert client.session.session_key != before
    assert not client.session.exists(before)
    assert "The new address" in client.get(reverse("account_email")).text


@pytest.mark.parametrize("page", ["account_email", "account_set_password"])
def test_how_one_signs_in_is_changed_by_who_came_in_lately_alone(page: str) -> None:
    client = signed_in(UserFactory(email="bo@example.org", password="!"))
    typed = {"email": "thief@example.org", "action_add": "", "password1": NEW, "password2": NEW}
    assert "Sign in once more" in client.get(reverse(page)).text
    assert "Sign in once more" in client.post(reverse(page), typed).text
    user = User.objects.get()
    assert not user.has_usable_password()
    assert not mail.outbox
    came_in_now(client)
    assert client.post(reverse(page), typed).status_code == 302
