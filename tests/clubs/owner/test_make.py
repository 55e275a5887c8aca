"""`manage.py owner`: who owns the site, and the link that signs them in."""

from __future__ import annotations

import datetime
import re

import pytest
import time_machine
from django.core import signing
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from clubs.accounts.adapter import account_at
from clubs.models import User
from clubs.owner.sign_in import SALT, last_sign_in
from tests.club_factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db
LINK = re.compile(r"/owner/sign-in/\S+/")


def link_of(capsys: pytest.CaptureFixture[str], mail: str = "ann@example.org") -> str:
    """The path of the link that the command prints."""
    call_command("owner", mail)
    found = LINK.search(capsys.readouterr().out)
    assert found
    return found[0]


def is_owner(client: Client) -> bool:
    return client.get("/owner/").status_code == 200


def test_owner_without_an_account_gets_one_and_signs_in_without_a_mail(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    link = link_of(capsys, "Ann@Example.org")
    assert "ann@example.org" in client.get(link).text
    assert not is_owner(client)
    assert client.post(link).headers["Location"] == "/owner/"
    assert is_owner(client)


def test_account_that_is_there_is_the_owner_and_there_is_no_second_one(capsys: pytest.CaptureFixture[str]) -> None:
    user = UserFactory(email="Ann@example.org")
    link_of(capsys)
    user.refresh_from_db()
    assert user.is_superuser
    assert User.objects.count() == 1


def test_owner_whose_account_was_closed_comes_in_again(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    UserFactory(email="ann@example.org", is_active=False)
    client.post(link_of(capsys))
    assert is_owner(client)


def test_owner_may_do_everything_in_a_club_to_which_they_do_not_belong(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    club = ClubFactory(visibility="members")
    client.post(link_of(capsys))
    assert client.get(f"/clubs/{club.slug}/organise/").status_code == 200


def test_link_works_once(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = link_of(capsys), link_of(capsys)
    assert client.post(first).status_code == 303
    for link in (first, second):
        assert Client().get(link).status_code == 404
        assert Client().post(link).status_code == 404


def test_link_works_for_an_hour(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    link = link_of(capsys)
    with time_machine.travel(timezone.now() + datetime.timedelta(minutes=61)):
        assert client.post(link).status_code == 404
    assert ".venv/bin/python manage.py owner" in Client().get(f"{link[:-2]}x/").text


def test_link_that_was_changed_or_signed_elsewhere_signs_nobody_in(capsys: pytest.CaptureFixture[str]) -> None:
    link = link_of(capsys)
    before, token = link.rstrip("/").rsplit("/", 1)
    user = User.objects.get(is_superuser=True)
    said = [user.pk, last_sign_in(user)]
    content, moment, mac = token.split(":")
    other_moment = signing.dumps(0, salt=SALT).split(":")[1]
    forged = [
        signing.dumps(said, salt=SALT, key="a key of somebody else"), signing.dumps(said, salt="another salt"),
        f"{content}:{moment}:", f"{content}:{other_moment}x:{mac}", f"{content}:{moment}", f"x{content}:{moment}:{mac}",
        f"{content}:{moment}:{mac[:-1]}", "eyJhbGciOiJub25lIn0.eyJzdWIiOjF9.",
    ]  # fmt: skip
    for one in forged:
        browser = Client()
        assert browser.post(f"{before}/{one}/").status_code == 404, one
        assert "_auth_user_id" not in browser.session
    assert Client().post(link).status_code == 303


def test_looking_at_a_link_uses_nothing_up(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    link = link_of(capsys)
    assert client.get(link).headers["Referrer-Policy"] == "strict-origin"
    assert client.get(link).status_code == 200
    assert client.post(link).status_code == 303


def test_link_of_who_does_not_own_the_site_any_more_signs_nobody_in(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    link = link_of(capsys)
    call_command("owner", "ann@example.org", "--revoke")
    assert client.post(link).status_code == 404


def test_revoked_owner_keeps_the_account_and_sees_no_page_of_the_owner(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    client.post(link_of(capsys))
    call_command("owner", "ann@example.org", "--revoke")
    assert client.get("/owner/").status_code == 404
    assert client.get("/account/").status_code == 200


def test_owners_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("owner")
    assert "Nobody owns this site yet" in capsys.readouterr().out
    UserFactory(email="ann@example.org", is_superuser=True)
    UserFactory(email="bo@example.org", is_superuser=True, last_login=timezone.now())
    UserFactory(email="cy@example.org")
    call_command("owner")
    first, second = capsys.readouterr().out.splitlines()
    assert first == "ann@example.org has never signed in"
    assert second.startswith("bo@example.org signed in last on ")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody"], "nobody is not an email address."),
        (["ann@example.org", "--revoke"], "ann@example.org does not own this site."),
        (["--revoke"], "Say who"),
    ],
)
def test_wrong_arguments_get_a_sentence(arguments: list[str], sentence: str) -> None:
    UserFactory(email="ann@example.org")
    with pytest.raises(CommandError, match=sentence):
        call_command("owner", *arguments)


def test_account_of_an_owner_is_not_forgotten(capsys: pytest.CaptureFixture[str]) -> None:
    link_of(capsys)
    with time_machine.travel(timezone.now() + datetime.timedelta(days=30)):
        account_at("bo@example.org")
    assert User.objects.filter(email="ann@example.org").exists()
