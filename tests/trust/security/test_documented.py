"""What SECURITY.md promises about signing in, sessions, rights and packages is what the site does."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import get_resolver, reverse

from tests.clubs.access.test_who_may import pages_of_others

pytestmark = [pytest.mark.promise(18), pytest.mark.sqlite]

PROJECT = Path(__file__).parents[3]
SECURITY = " ".join((PROJECT / "SECURITY.md").read_text().split())
A_DAY = 24 * 3600
#: Pages of django-allauth at the end of which somebody may be signed in, by the way in to which they belong.
WAYS = {
    "account_login": "a password",
    "account_request_login_code": "a code by email",
    "account_confirm_login_code": "a code by email",
    "mfa_login_webauthn": "a passkey",
    "mfa_authenticate": "a passkey",
}


def test_limits_of_signing_in_are_those_of_the_settings() -> None:
    limits = settings.ACCOUNT_RATE_LIMITS
    assert "5/5m/key" in limits["login_failed"]
    assert "five wrong passwords in five minutes" in SECURITY
    assert limits["mail_code"] == "3/m/key,15/h/key"
    assert "three codes a minute and 15 an hour" in SECURITY
    assert settings.ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS == 5
    assert "for five tries" in SECURITY
    assert "nobody can be locked out by somebody else" in SECURITY


def test_lives_of_sessions_and_codes_are_those_of_the_settings() -> None:
    assert f"signed in for {settings.SESSION_COOKIE_AGE // A_DAY} days after its last use" in SECURITY
    assert settings.SIGNED_IN_AT_MOST == 365 * A_DAY
    assert "and for a year at most" in SECURITY
    assert "Any number of browsers can be signed in" in SECURITY
    lives = (
        settings.ACCOUNT_LOGIN_BY_CODE_TIMEOUT, settings.ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT,
        settings.ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT,
    )  # fmt: skip
    assert set(lives) == {600}
    assert "works once, for 10 minutes" in SECURITY


def test_every_way_in_is_written_down() -> None:
    for way in {*WAYS.values(), "a link from `manage.py owner`"}:
        assert way in SECURITY
    pages = {name for _, name in pages_of_others(get_resolver()) if "login" in name or "authenticate" in name}
    assert pages - {"account_reauthenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"} <= WAYS.keys()
    assert not [app for app in settings.INSTALLED_APPS if "socialaccount" in app or "headless" in app]
    ours = [
        str(file.relative_to(PROJECT))
        for file in (PROJECT / "clubs").rglob("*.py")
        if ".login(" in (text := file.read_text())
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr == "login"
    ]
    assert sorted(ours) == ["clubs/accounts/adapter.py", "clubs/views/owner/sign_in.py"]


def test_rights_to_fields_are_written_down() -> None:
    for sentence in (
        "`tests/clubs/access/who_may.txt` lists every address",
        "Only the member sees their email address and choices",
        "A form changes only the fields it shows",
    ):
        assert sentence in SECURITY


def test_days_until_a_package_is_mended_are_written_down() -> None:
    for sentence in ("within 7 days after it is known, any other within 30", "All packages are updated"):
        assert sentence in SECURITY


def test_what_readme_says_to_do_is_on_the_pages() -> None:
    readme = (
        (PROJECT / "README.md")
        .read_text()
        .partition("What is not promised, and what to do then:")[2]
        .partition("\n\n|")[0]
    )
    links = (PROJECT / "templates/scoresheets/access/links.html").read_text()
    assert "“Revoke” under “Links”" in readme
    for part in ("<h1>Links</h1>", ">Revoke</button>", ">Make a new link to watch</button>"):
        assert part in links
    assert reverse("owner_sheets") in readme
