"""Guessing addresses: wrong ones are counted and refused, right ones open all the same."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.db import DatabaseError
from django.test import Client

from scoresheets.access import throttle
from scoresheets.access.network import network_of
from scoresheets.access.scorekeepers import make_link
from scoresheets.access.throttle import A_STRETCH, MOST_KNOCKS, knocked
from scoresheets.models import Knock
from tests.factories import Pencil
from tests.scoresheets.conftest import Counts
from tests.scoresheets.test_open import text

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 11, 21, 12, tzinfo=datetime.UTC)
WRONG = "A" * 22


@pytest.fixture(autouse=True)
def noon():
    """Ten minutes begin at noon."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def knock(times: int = MOST_KNOCKS, address: str = "127.0.0.1") -> None:
    for _ in range(times):
        assert knocked(address) == 0


@pytest.mark.parametrize(
    "address",
    [
        f"/keep/{WRONG}/", f"/watch/{WRONG}/", f"/watch/{WRONG}/rows/", f"/watch/{WRONG}/table/top/",
        f"/sheets/{WRONG}/", f"/sheets/{WRONG}/pad/", f"/sheets/{WRONG}/state/", f"/sheets/{WRONG}/export.json",
        "/watch/x/", "/sheets/%00/", "/watch/%00/", "/keep/x/",
    ],
)  # fmt: skip
def test_wrong_address_is_counted_wherever_it_leads(client, address):
    assert client.get(address).status_code == 404
    assert Knock.objects.get().times == 1
    knock(MOST_KNOCKS - 1)
    refused = client.get(address)
    assert refused.status_code == 429
    assert refused["Retry-After"] == str(A_STRETCH)
    assert "Many wrong addresses were tried from here just now." in text(refused)


def test_posts_to_wrong_addresses_are_counted_too(client):
    assert client.post(f"/sheets/{WRONG}/enter/", {"key": "k" * 22}).status_code == 404
    assert client.post(f"/keep/{WRONG}/").status_code == 404
    assert Knock.objects.get().times == 2


def test_script_is_told_to_wait_in_data(client):
    knock()
    refused = client.get(f"/sheets/{WRONG}/state/", headers={"Accept": "application/json"})
    assert refused.status_code == 429
    assert refused.json()["problem"].startswith("Many wrong addresses")


def test_right_addresses_open_however_many_wrong_ones_came_from_the_same_house(client, ann: Pencil):
    link = make_link(ann.sheet, by=ann.by)
    knock()
    assert client.get(f"/watch/{WRONG}/").status_code == 429
    assert client.get(f"/watch/{ann.sheet.watch}/").status_code == 200
    assert client.get(f"/sheets/{ann.sheet.code}/").status_code == 200
    assert client.get(f"/keep/{link}/").status_code == 200
    assert client.post(f"/keep/{link}/").status_code == 303


def test_a_wrong_number_on_a_right_sheet_is_no_guess(client, ann: Pencil):
    assert client.get(f"/sheets/{ann.sheet.code}/why/hand-99/1/").status_code == 404
    assert client.get("/nothing/here/").status_code == 404
    assert not Knock.objects.exists()


def test_another_house_is_not_made_to_wait():
    knock()
    assert knocked("127.0.0.1") == A_STRETCH
    assert knocked("192.0.2.7") == 0


def test_after_a_while_the_count_begins_anew_and_old_ones_are_gone(noon):
    knock()
    noon.shift(250)
    assert knocked("127.0.0.1") == A_STRETCH - 250
    noon.shift(A_STRETCH - 250)
    assert knocked("127.0.0.1") == 0
    assert Knock.objects.get().times == 1


def test_where_it_came_from_is_kept_as_a_keyed_hash_only():
    knock(1, "203.0.113.9")
    assert "203.0.113.9" not in str(Knock.objects.values().get())
    assert len(Knock.objects.get().origin) == 64


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("203.0.113.9", "203.0.113.10", False),
        ("2001:db8::1", "2001:db8::dead:beef:0:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:203.0.113.9", "::ffff:203.0.113.10", False),
        ("::ffff:203.0.113.9", "203.0.113.9", True),
        ("", "unix:", False),
    ],
)
def test_a_house_has_one_address_or_half_of_a_long_one(one, other, alike):
    assert (network_of(one) == network_of(other)) is alike


def test_over_the_limit_nothing_is_written_and_one_thing_asked(statements: Counts):
    knock()
    with statements(exactly=1):
        assert knocked("127.0.0.1")


def test_a_count_that_cannot_be_written_keeps_nobody_from_his_answer(client, monkeypatch):
    def locked(*args, **kwargs):
        raise DatabaseError("database is locked")

    monkeypatch.setattr(throttle.Knock.objects, "bulk_create", locked)
    assert client.get(f"/watch/{WRONG}/").status_code == 404


def test_what_is_not_there_has_its_old_sentence():
    assert "a sheet is found only by its whole address" in text(Client().get(f"/sheets/{WRONG}/"))


def test_who_changes_the_address_within_the_own_network_is_counted_all_the_same() -> None:
    for number in range(MOST_KNOCKS):
        assert knocked(f"2001:db8::{number:x}") == 0
    assert knocked("2001:db8::ffff") == A_STRETCH
    assert knocked("2001:db8:0:1::1") == 0
