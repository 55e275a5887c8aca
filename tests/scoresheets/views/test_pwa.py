"""The site on a phone: its icon, its service worker, and the page for when there is no network."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client


@pytest.fixture
def phone() -> Client:
    return Client()


def test_service_worker_lies_at_the_root_and_is_asked_for_anew(phone: Client) -> None:
    answer = phone.get("/sw.js")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert b'addEventListener("fetch"' in answer.content
    assert "script-src 'self'" in answer["Content-Security-Policy"]


def test_nothing_of_a_sheet_stands_in_the_service_worker(phone: Client) -> None:
    """It is the same for everybody, and asks the database nothing."""
    assert phone.get("/sw.js").cookies == {}


def test_phone_can_install_the_site(phone: Client) -> None:
    answer = phone.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    said = answer.json()
    assert (said["name"], said["start_url"], said["scope"], said["display"]) == ("Box & Circle", "/", "/", "standalone")
    assert {(icon["sizes"], icon["purpose"]) for icon in said["icons"]} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    }


def test_icons_are_as_large_as_they_say(phone: Client) -> None:
    for icon in phone.get("/manifest.webmanifest").json()["icons"]:
        file = finders.find(re.sub(r"^/static/", "", icon["src"]))
        assert isinstance(file, str)
        head = Path(file).read_bytes()[:24]
        assert head[1:4] == b"PNG"
        width, height = struct.unpack(">II", head[16:24])
        assert f"{width}x{height}" == icon["sizes"]


def test_every_page_leads_to_the_manifest(phone: Client) -> None:
    assert '<link rel="manifest" href="/manifest.webmanifest">' in phone.get("/no-connection/").content.decode()


def test_page_without_connection_knows_nobody(phone: Client) -> None:
    answer = phone.get("/no-connection/")
    assert answer.status_code == 200
    assert "No connection" in answer.content.decode()
    assert answer.cookies == {}


@pytest.mark.parametrize("address", ["/sw.js", "/manifest.webmanifest", "/no-connection/"])
def test_nothing_is_posted_there(phone: Client, address: str) -> None:
    assert phone.post(address).status_code == 405
