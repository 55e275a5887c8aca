"""What the site sends with every public page over TLS, and what Django says of its settings."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.clubs.access.test_who_may import ROUTES, VISITORS, read
from tests.clubs.full_club import FullClub
from tests.trust.attempts import Attempt

pytestmark = pytest.mark.promise(18)

A_YEAR = 365 * 24 * 3600
#: The page that the web site of a club may show in a frame.
IN_A_FRAME = "frame"
TEXTS = re.compile(r"text/|application/(json|javascript|manifest|atom)|[^;]*\+(json|xml)")
#: Media types that say themselves which letters they are in.
LETTERS_ARE_KNOWN = re.compile(r"application/([\w.-]+\+)?json$|application/manifest\+json$")


@pytest.fixture
def over_tls(settings: Settings) -> None:
    """The settings of a site that has an https address."""
    settings.SECURE_HSTS_SECONDS = A_YEAR
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    settings.SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True


def public_pages() -> list[tuple[str, str]]:
    """Routes, with their names, that are answered to everybody."""
    anonymous = VISITORS.index("anonymous")
    open_to_all = {route for (route, method), said in read().items() if method == "GET" and said[anonymous] == "yes"}
    return [(route, name) for route, name in ROUTES if route in open_to_all and name]


def lacking(answer: HttpResponse, name: str) -> set[str]:
    """What is wrong with the headers of an answer, by their names."""
    sent = answer.headers
    kind = sent.get("Content-Type", "")
    is_text = TEXTS.match(kind) and not LETTERS_ARE_KNOWN.match(kind)
    policy = sent.get("Content-Security-Policy", "")
    in_frame = name.startswith(IN_A_FRAME)
    right = {
        "Content-Type": not answer.content or (bool(kind) and (not is_text or "charset=utf-8" in kind)),
        "X-Content-Type-Options": sent.get("X-Content-Type-Options") == "nosniff",
        "Strict-Transport-Security": f"max-age={A_YEAR}; includeSubDomains" in sent["Strict-Transport-Security"],
        "Referrer-Policy": sent.get("Referrer-Policy") in ("same-origin", "strict-origin", "no-referrer"),
        "Content-Security-Policy": "default-src 'none'" in policy and "unsafe" not in policy,
        "frame-ancestors": in_frame or "frame-ancestors 'none'" in policy,
        "X-Frame-Options": in_frame or sent.get("X-Frame-Options") == "DENY",
        "Cross-Origin-Opener-Policy": sent.get("Cross-Origin-Opener-Policy") == "same-origin",
        "Set-Cookie": all(key.startswith("__Host-") and one["secure"] for key, one in answer.cookies.items()),
    }
    return {header for header, is_right in right.items() if not is_right}


@pytest.mark.django_db
def test_every_public_page_has_its_headers(over_tls: None, attempt: Attempt) -> None:
    house, pages = FullClub(), public_pages()
    asked = pages[:: attempt.size(4, 1)]
    wrong = {}
    for route, name in asked:
        answer = Client().get(house.address(route), house.more(name, "GET"), secure=True)
        if not answer.streaming and (found := lacking(answer, name)):
            wrong[route] = found
    assert wrong == {}
    assert len(pages) > 40
    attempt.saw(f"{len(asked)} public pages with all their headers")


@pytest.mark.django_db
def test_files_beside_the_site_are_not_served() -> None:
    for path in ("/.git/config", "/static/.git/config", "/static/../.git/config", "/static/%2e%2e/.env", "/.env",
                 "/var/secret", "/static/../manage.py", "/static//etc/passwd", "/clubs/settings.py"):  # fmt: skip
        assert Client().get(path).status_code == 404, path


@pytest.mark.thorough
@pytest.mark.sqlite
def test_settings_of_a_site_with_tls_have_no_warning(project: Path, tmp_path: Path, attempt: Attempt) -> None:
    environment = {"PATH": os.environ["PATH"], "VAR": str(tmp_path), "SETTINGS_FILE": os.devnull}
    environment["ADDRESS"] = "https://cards.example.org"
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    attempt.saw("check --deploy without a warning")
