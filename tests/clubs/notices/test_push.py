"""What is sent to a browser: encrypted for it alone, signed by the site; and what comes of each answer."""

from __future__ import annotations

import base64
import datetime
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from py_vapid import Vapid02
from pytest_django import Settings

from clubs.models import Chair, Club, Delivery, Event, Member, Night, PushSubscription, Table
from clubs.notices import push, vapid
from clubs.notices.choices import NOT_WANTED, stop, subscribe
from clubs.notices.push import payload_of
from clubs.notices.texts import NOT_TRUE, TOO_LATE, Notice
from clubs.notices.vapid import public_key
from clubs.outbox.deliver import attempt, expand_events
from clubs.outbox.events import announce
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TableFactory, played
from tests.clubs.notices.hearing import ALL, Phone, PushService, has_phone, trophy_given, trophy_of, wants

pytestmark = pytest.mark.django_db
Kind = Event.Kind


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", name="The Trumps", visibility="link")


@pytest.fixture
def night(club: Club) -> Night:
    return NightFactory(club=club, on=club.today())


@pytest.fixture
def phone(service: PushService) -> Phone:
    return service.phone()


@pytest.fixture
def table(night: Night, four: list[Member], phone: Phone) -> Table:
    """Ann has a seat at it, and a phone."""
    table = TableFactory(night=night, number=2)
    for place, member in enumerate(four, 1):
        Chair.objects.create(table=table, place=place, member=member)
    has_phone(four[0], phone)
    return table


def drawn(table: Table) -> Delivery:
    announce(table.night.club, Kind.DRAWN, "1", night=table.night, tables=[table.pk])
    expand_events()
    return Delivery.objects.select_related("event", "subscription").get()


def tried(delivery: Delivery) -> Delivery:
    attempt(delivery)
    return Delivery.objects.get(pk=delivery.pk)


def claims_of(token: str) -> dict[str, Any]:
    part = token.split(".")[1]
    claims: dict[str, Any] = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    return claims


def test_browser_alone_reads_what_it_is_sent_and_knows_who_sent_it(
    table: Table, phone: Phone, service: PushService
) -> None:
    delivery = tried(drawn(table))
    assert delivery.delivered_at is not None
    ((path, headers, body),) = service.requests
    assert path == "/for/a-phone"
    assert b"Bo" not in body
    shown = phone.read(body)
    assert (shown["title"], shown["body"]) == (
        "The Trumps: Tables are drawn",
        "Table 2, seat 1, with Bo, Cy and Di.",
    )
    assert shown["path"] == table.night.get_absolute_url()
    assert shown["choices"] == "/clubs/trumps/me/notices/"
    assert (headers["TTL"], headers["Urgency"], headers["Topic"]) == ("7200", "high", f"drawn-{table.night_id}")
    assert headers["Content-Encoding"] == "aes128gcm"
    # What every push service does: the signature is good, and by the key with which the browser subscribed.
    assert Vapid02.verify(headers["Authorization"])
    token, key = (part.partition("=")[2] for part in headers["Authorization"].removeprefix("vapid ").split(","))
    assert key == public_key()
    claims = claims_of(token)
    assert claims["aud"] == service.address
    assert claims["sub"] == "mailto:cards@localhost"
    assert timezone.now().timestamp() < claims["exp"] < timezone.now().timestamp() + 24 * 3600


def test_other_browser_cannot_read_it(table: Table, service: PushService) -> None:
    tried(drawn(table))
    other = Phone()
    with pytest.raises(Exception, match="Decryption error"):
        other.read(service.requests[0][2])


def test_signature_of_another_site_is_none_of_ours(table: Table, service: PushService) -> None:
    tried(drawn(table))
    token = service.requests[0][1]["Authorization"].split("t=")[1].split(",")[0]
    stranger = Vapid02()
    stranger.generate_keys()
    signed, signature = token.rsplit(".", 1)
    assert not stranger.verify_token(signed.encode(), signature)


@pytest.mark.parametrize("status", [404, 410])
def test_dead_address_is_forgotten_in_every_club_and_not_tried_again(
    table: Table, phone: Phone, service: PushService, status: int
) -> None:
    elsewhere = MemberFactory(club=ClubFactory())
    has_phone(elsewhere, phone)
    has_phone(Member.objects.get(name="Bo"), service.phone("another"))
    announce(table.night.club, Kind.DRAWN, "1", night=table.night, tables=[table.pk])
    expand_events()
    service.statuses = [status]
    attempt(Delivery.objects.select_related("event", "subscription").get(member__name="Ann"))
    assert [row.member.name for row in PushSubscription.objects.all()] == ["Bo"]
    assert not Delivery.objects.filter(member__name="Ann").exists()
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_service_in_trouble_is_tried_again_until_it_takes_it(
    table: Table, service: PushService, phone: Phone, status: int
) -> None:
    service.statuses = [status, 201]
    delivery = tried(drawn(table))
    assert (delivery.delivered_at, delivery.given_up_at) == (None, None)
    assert delivery.not_before > timezone.now()
    assert delivery.problem == f"It answered with status {status}."
    assert tried(delivery).delivered_at is not None
    assert [phone.read(body)["title"] for _, _, body in service.requests] == ["The Trumps: Tables are drawn"] * 2


@pytest.mark.parametrize("status", [400, 401, 403, 413])
def test_what_a_service_refuses_is_given_up_and_the_browser_stays(
    table: Table, service: PushService, status: int
) -> None:
    service.statuses = [status]
    delivery = tried(drawn(table))
    assert delivery.given_up_at is not None
    assert PushSubscription.objects.count() == 1


def test_service_that_is_away_is_tried_again(table: Table, four: list[Member]) -> None:
    PushSubscription.objects.update(endpoint="http://127.0.0.1:9/")
    delivery = tried(drawn(table))
    assert (delivery.delivered_at, delivery.given_up_at) == (None, None)


def test_draw_that_was_taken_back_meanwhile_is_told_to_nobody(table: Table, service: PushService) -> None:
    delivery = drawn(table)
    table.withdrawn_at = timezone.now()
    table.save()
    delivery = tried(delivery)
    assert (delivery.problem, service.requests) == (NOT_TRUE, [])
    assert delivery.seen_at is not None, "nobody need know"


def test_private_network_is_never_reached_also_where_organisers_may_send_there(
    table: Table, service: PushService, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PRIVATE_WEBHOOKS = True
    monkeypatch.setattr(push, "OWN_NETWORK", False)
    delivery = tried(drawn(table))
    assert delivery.delivered_at is None
    assert service.requests == []


def test_draw_of_hours_ago_is_told_to_nobody(table: Table, service: PushService) -> None:
    delivery = drawn(table)
    with time_machine.travel(timezone.now() + datetime.timedelta(hours=2, minutes=1)):
        delivery = tried(delivery)
    assert (delivery.given_up_at is None, delivery.problem, service.requests) == (False, TOO_LATE, [])


def test_what_waits_is_not_sent_to_who_does_not_want_it_any_more(
    table: Table, four: list[Member], service: PushService
) -> None:
    delivery = drawn(table)
    wants(four[0], push=["called"])
    assert tried(delivery).problem == NOT_WANTED
    stop(four[0])
    assert not Delivery.objects.exists()
    assert service.requests == []


def test_who_left_meanwhile_is_told_nothing(table: Table, four: list[Member], service: PushService) -> None:
    delivery = drawn(table)
    Member.objects.filter(pk=four[0].pk).update(left_at=timezone.now())
    assert tried(delivery).problem == NOT_WANTED
    assert service.requests == []


def test_longest_notice_fits_into_what_push_services_take(club: Club, night: Night) -> None:
    Club.objects.update(name="ß" * 60)
    people = [MemberFactory(club=club, name="𝔸" * 40) for _ in range(12)]
    table = TableFactory(night=night)
    for place, member in enumerate(people, 1):
        Chair.objects.create(table=table, place=place, member=member)
    browser = has_phone(people[0])
    delivery = drawn(table)
    content = payload_of(Notice(**delivery.message), browser)
    assert json.loads(content)["body"].endswith("…")
    assert len(content) < 3000


def test_topics_are_such_as_push_services_take(club: Club, night: Night, four: list[Member]) -> None:
    has_phone(four[0])
    future = NightFactory(club=club, on=club.today() + datetime.timedelta(days=3), begun_at=None)
    announce(club, Kind.PLANNED, "1", night=future)
    trophy_given(club)
    trophy_of(played(night, four), four[0])
    expand_events()
    topics = {row.message["topic"] for row in Delivery.objects.all()}
    assert len(topics) == 3
    assert all(len(topic) <= 32 and topic.replace("-", "").isalnum() for topic in topics)


# The keys of the site


def test_keys_are_made_once_and_only_the_owner_reads_them(tmp_path: Path, settings: Settings) -> None:
    settings.VAR = tmp_path
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: vapid.make_keys(), range(8)))
    file = tmp_path / vapid.FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [found.name for found in tmp_path.iterdir()] == [vapid.FILE]
    before = file.read_text()
    vapid.make_keys()
    assert file.read_text() == before
    assert len(base64.urlsafe_b64decode(before + "=")) == 32


@pytest.mark.parametrize(("sender", "address", "expected"), [
    ("The Trumps <cards@trumps.example>", "https://trumps.example", "mailto:cards@trumps.example"),
    ("Box & Circle <cards@localhost>", "https://trumps.example", "https://trumps.example"),
    ("Box & Circle <cards@localhost>", "", "mailto:cards@localhost"),
])  # fmt: skip
def test_push_services_know_whom_to_write_to(settings: Settings, sender: str, address: str, expected: str) -> None:
    settings.DEFAULT_FROM_EMAIL, settings.ADDRESS = sender, address
    assert vapid.contact() == expected


def test_browser_that_changes_hands_shows_nothing_to_the_former(club: Club, four: list[Member]) -> None:
    phone = Phone()
    has_phone(four[0], phone)
    subscribe(four[1], phone.browser, key=club.key)
    assert [row.member.name for row in PushSubscription.objects.all()] == ["Bo"]
    wants(four[1], push=ALL)
    trophy_given(club)
    expand_events()
    assert [row.member.name for row in Delivery.objects.all() if row.member] == ["Bo"]
