"""Guessing addresses: wrong ones are counted and refused, right ones open all the same."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from allauth.core.internal import ratelimit
from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError
from django.test import Client

from clubs.models import CacheRow
from clubs.sqlite.lock_wait import DatabaseLocked
from scoresheets.access.network import network_hash, network_of
from scoresheets.access.scorekeepers import make_link
from scoresheets.access.throttle import KEPT, WRONG_ADDRESS, count_action, limits_reached
from tests.factories import Scorer
from tests.scoresheets.conftest import Counts
from tests.scoresheets.opening.test_open import text

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 11, 21, 12, tzinfo=datetime.UTC)
WRONG = "A" * 22
MOST, TEN_MINUTES = 30, 600


@pytest.fixture(autouse=True)
def noon():
    """The clock stands still."""
    with time_machine.travel(NOON, tick=False) as clock:
        yield clock


def wait_at(address: str = "127.0.0.1") -> int:
    return count_action(WRONG_ADDRESS, network_hash(address))


def try_wrong_addresses(times: int = MOST) -> None:
    assert [wait_at() for _ in range(times)] == [0] * times


def test_so_many_wrong_addresses_are_possible_in_ten_minutes() -> None:
    try_wrong_addresses(MOST)
    assert wait_at() == TEN_MINUTES


def test_limit_that_is_reached_is_noted_once_however_much_is_refused_then(noon) -> None:
    assert limits_reached() == []
    try_wrong_addresses(MOST)
    for _ in range(3):
        assert wait_at()
    [reached] = limits_reached()
    assert (reached.action, reached.times) == (WRONG_ADDRESS, 1)
    noon.shift(TEN_MINUTES + 1)
    try_wrong_addresses(MOST)
    assert [reached.times for reached in limits_reached()] == [2]
    noon.shift(KEPT + 1)
    assert limits_reached() == []


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
    try_wrong_addresses(MOST - 1)
    refused = client.get(address)
    assert refused.status_code == 429
    assert refused["Retry-After"] == str(TEN_MINUTES)
    assert "Too many wrong addresses were tried from here just now." in text(refused)


def test_posts_to_wrong_addresses_are_counted_too(client):
    assert client.post(f"/sheets/{WRONG}/enter/", {"key": "k" * 22}).status_code == 404
    assert client.post(f"/keep/{WRONG}/").status_code == 404
    try_wrong_addresses(MOST - 2)
    assert wait_at()


def test_script_is_told_to_wait_in_data(client):
    try_wrong_addresses()
    refused = client.get(f"/sheets/{WRONG}/state/", headers={"Accept": "application/json"})
    assert refused.status_code == 429
    assert refused.json()["problem"].startswith("Too many wrong addresses")


def test_right_addresses_open_however_many_wrong_ones_came_from_the_same_house(client, ann: Scorer):
    link = make_link(ann.sheet, by=ann.by)
    try_wrong_addresses()
    assert client.get(f"/watch/{WRONG}/").status_code == 429
    assert client.get(f"/watch/{ann.sheet.watch}/").status_code == 200
    assert client.get(f"/sheets/{ann.sheet.code}/").status_code == 200
    assert client.get(f"/keep/{link}/").status_code == 200
    assert client.post(f"/keep/{link}/").status_code == 303


def test_a_wrong_number_on_a_right_sheet_is_no_guess(client, ann: Scorer):
    assert client.get(f"/sheets/{ann.sheet.code}/why/hand-99/1/").status_code == 404
    assert client.get("/nothing/here/").status_code == 404
    assert not CacheRow.objects.filter(cache_key__contains=WRONG_ADDRESS).exists()


def test_another_house_is_not_made_to_wait():
    try_wrong_addresses()
    assert wait_at() == TEN_MINUTES
    assert wait_at("192.0.2.7") == 0


def test_a_wrong_address_counts_for_ten_minutes(noon):
    try_wrong_addresses(1)
    noon.shift(250)
    try_wrong_addresses(MOST - 1)
    assert wait_at() == TEN_MINUTES - 250
    noon.shift(TEN_MINUTES - 250)
    assert wait_at() == 0
    assert wait_at() == 250


def test_clock_that_is_set_back_keeps_nobody_out(noon):
    try_wrong_addresses()
    noon.shift(-3600)
    try_wrong_addresses()
    assert wait_at() == TEN_MINUTES


def test_only_a_keyed_hash_of_the_network_is_stored(settings):
    wait_at("203.0.113.9")
    [row] = CacheRow.objects.values()
    assert "203.0.113" not in str(row)
    settings.SECRET_KEY = "another"
    wait_at("203.0.113.9")
    assert CacheRow.objects.count() == 2


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
    try_wrong_addresses()
    with statements(exactly=1):
        assert wait_at()


@pytest.mark.parametrize("method", ["get", "add", "set", "delete"])
def test_a_count_that_cannot_be_read_or_written_refuses_nobody(client, monkeypatch, method):
    def locked(*args, **kwargs):
        raise DatabaseError("database is locked")

    monkeypatch.setattr(DatabaseCache, method, locked)
    assert client.get(f"/watch/{WRONG}/").status_code == 404


def test_count_that_breaks_off_at_a_lock_leaves_nothing_behind(monkeypatch):
    """Where allauth's own lock stayed, everybody of the network would wait a second for it, for ten seconds."""

    def locked(*args, **kwargs):
        raise DatabaseLocked

    monkeypatch.setattr(DatabaseCache, "set", locked)
    monkeypatch.setattr(DatabaseCache, "delete", locked)
    with pytest.raises(DatabaseLocked):
        wait_at()
    assert not CacheRow.objects.exists()


def test_another_worker_that_is_counting_refuses_nobody(client, monkeypatch):
    monkeypatch.setattr(ratelimit, "CACHE_LOCK_WAIT_TIMEOUT", 0)
    monkeypatch.setattr(DatabaseCache, "add", lambda *args, **kwargs: False)
    assert client.get(f"/watch/{WRONG}/").status_code == 404


def test_what_is_not_there_has_its_old_sentence():
    assert "a sheet only opens with its full address" in text(Client().get(f"/sheets/{WRONG}/"))


def test_who_changes_the_address_within_the_own_network_is_counted_all_the_same() -> None:
    for number in range(MOST):
        assert wait_at(f"2001:db8::{number:x}") == 0
    assert wait_at("2001:db8::ffff") == TEN_MINUTES
    assert wait_at("2001:db8:0:1::1") == 0
