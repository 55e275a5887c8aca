"""The thread that delivers: in every process of the site, in none that does not serve it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections

from clubs.models import Club, Delivery, Event, Webhook
from clubs.outbox import worker as outbox_worker
from clubs.outbox.deliver import expand_events
from clubs.outbox.events import announce
from clubs.outbox.worker import AGAIN_AT_ONCE, AT_ONCE, Worker
from tests.club_factories import ClubFactory
from tests.clubs.outbox.conftest import Told
from tests.clubs.outbox.sending import happens, webhook_of
from tests.conftest import ON_SQLITE
from tests.waiting import until


def test_process_that_does_not_serve_the_site_has_no_thread() -> None:
    outbox_worker.wake()
    assert not outbox_worker.is_site
    assert outbox_worker.worker is None
    assert "outbox" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.django_db(transaction=True)
def test_process_that_was_forked_starts_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbox_worker, "is_site", False)
    monkeypatch.setattr(outbox_worker, "worker", None)
    outbox_worker.start()
    parents = outbox_worker.worker
    assert parents is not None
    try:
        outbox_worker.wake()
        assert outbox_worker.worker is parents
        monkeypatch.setattr(parents, "pid", parents.pid + 1)
        outbox_worker.wake()
        own = outbox_worker.worker
        assert own is not None
        assert own is not parents
        own.stop()
    finally:
        parents.stop()


@pytest.mark.django_db(transaction=True)
def test_event_is_delivered_after_its_commit(
    club: Club, webhook: Webhook, told: Told, workers: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    workers.append(Worker())
    monkeypatch.setattr(outbox_worker, "is_site", True)
    monkeypatch.setattr(outbox_worker, "worker", workers[0])
    announce(club, Event.Kind.DRAWN, "1")
    until(lambda: told.sent)
    until(lambda: not Delivery.objects.waiting().exists())


@pytest.mark.django_db(transaction=True)
def test_what_waits_at_the_start_is_delivered(club: Club, webhook: Webhook, told: Told, workers: list[Worker]) -> None:
    events = [happens(club, str(k)).pk for k in range(5)]
    workers.append(Worker())
    until(lambda: len(told.sent) == 5)
    assert told.sent == events


@pytest.mark.django_db(transaction=True)
def test_two_processes_never_try_the_same_delivery_nor_one_webhook_at_once(
    club: Club, told: Told, workers: list[Worker]
) -> None:
    webhooks = [webhook_of(club), *(webhook_of(ClubFactory()) for _ in range(3))]
    for each in webhooks:
        for k in range(5):
            happens(each.club, str(k))
    under_way: list[Any] = []
    twice: list[Any] = []

    def watch(delivery: Delivery) -> None:
        if delivery.webhook_id in under_way:
            twice.append(delivery.webhook_id)
        under_way.append(delivery.webhook_id)
        threading.Event().wait(0.01)
        under_way.remove(delivery.webhook_id)

    told.when_sent = watch
    workers += [Worker(), Worker()]
    until(lambda: len(told.sent) >= 20)
    until(lambda: not Delivery.objects.waiting().exists())
    assert sorted(told.sent) == sorted(Event.objects.values_list("pk", flat=True))
    assert twice == []


@pytest.mark.django_db(transaction=True)
def test_attempt_that_hangs_keeps_no_other_webhook_waiting(club: Club, told: Told, workers: list[Worker]) -> None:
    slow, quick = webhook_of(club), webhook_of(ClubFactory())
    let_go = threading.Event()
    told.when_sent = lambda delivery: let_go.wait(60) and None if delivery.webhook_id == slow.pk else None
    hanging, others = happens(slow.club), [happens(quick.club, str(k)).pk for k in range(3)]
    workers.append(Worker())
    try:
        until(lambda: len(told.sent) == 3)
        assert told.sent == others
    finally:
        let_go.set()
    until(lambda: hanging.pk in told.sent)


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_kept_while_a_receiver_is_waited_for(
    club: Club, webhook: Webhook, told: Told, workers: list[Worker]
) -> None:
    kept: list[bool] = []
    told.when_sent = lambda _: kept.append(connection.connection is not None)
    happens(club)
    workers.append(Worker())
    until(lambda: told.sent)
    assert kept == [False]


@pytest.mark.skipif(ON_SQLITE, reason="SQLite has no pool")
@pytest.mark.django_db(transaction=True)
def test_receivers_that_hang_leave_the_few_connections_to_the_site(
    told: Told, workers: list[Worker], small_pool: int
) -> None:
    """As many hang as there are places, which is more than there are connections."""
    assert small_pool < AT_ONCE
    let_go = threading.Event()
    hanging: list[int] = []

    def hang(delivery: Delivery) -> None:
        hanging.append(delivery.pk)
        let_go.wait(60)

    told.when_sent = hang
    for _ in range(AT_ONCE):
        happens(webhook_of(ClubFactory()).club)
    workers.append(Worker())
    try:
        until(lambda: len(hanging) == AT_ONCE)
        # What a page does: it would wait for a connection for five seconds, and then break.
        with ThreadPoolExecutor(small_pool) as pages:
            assert set(pages.map(count_clubs, range(20))) == {AT_ONCE}
    finally:
        let_go.set()
    until(lambda: not Delivery.objects.waiting().exists())


@pytest.fixture
def small_pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The site has three connections."""
    size = 3
    connections.close_all()
    connection.close_pool()
    options = connection.settings_dict["OPTIONS"]
    monkeypatch.setitem(options, "pool", {"min_size": 1, "max_size": size, "timeout": 1})
    yield size
    connections.close_all()
    connection.close_pool()


def count_clubs(_: int) -> int:
    try:
        return Club.objects.count()
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
def test_those_that_failed_never_take_all_places(club: Club, told: Told, workers: list[Worker]) -> None:
    """Receivers or name servers that hang: what is new to another webhook is sent at once."""
    bad = [webhook_of(ClubFactory()).pk for _ in range(2 * AT_ONCE)]
    for each in Webhook.objects.filter(pk__in=bad):
        happens(each.club)
    expand_events()
    Delivery.objects.update(attempts=1, problem="It did not answer.")
    let_go = threading.Event()
    hanging: list[int] = []

    def hang(delivery: Delivery) -> None:
        if delivery.webhook_id in bad:
            hanging.append(delivery.pk)
            let_go.wait(60)

    told.when_sent = hang
    workers.append(Worker())
    try:
        until(lambda: len(hanging) == AGAIN_AT_ONCE)
        quick = webhook_of(club)
        events = [happens(quick.club, str(k)).pk for k in range(3)]
        until(lambda: len(told.sent) == 3, meanwhile=workers[0].changed.set)
        assert told.sent == events
        assert len(hanging) == AGAIN_AT_ONCE
    finally:
        let_go.set()
    until(lambda: not Delivery.objects.waiting().exists())
