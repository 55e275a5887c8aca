"""A channel of the tests, which remembers what was sent and fails as it is told."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import pytest

from clubs.models import Club, Delivery, Event, Webhook
from clubs.outbox import channels as all_channels
from clubs.outbox import names, own_network
from clubs.outbox.worker import Worker
from tests.clubs.outbox.sending import webhook_of

WEBHOOK = Delivery.Channel.WEBHOOK


@dataclass
class Told:
    """It tells every webhook of the club. `fails`: raised in turn; `when_sent` is called with each."""

    lasts: datetime.timedelta = datetime.timedelta(days=3)
    sent: list[int] = field(default_factory=list)
    fails: list[Exception] = field(default_factory=list)
    when_sent: Callable[[Delivery], None] = lambda _: None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def deliveries_of(self, event: Event) -> Iterable[Delivery]:
        return [
            Delivery(event=event, channel=WEBHOOK, webhook=webhook, message={"text": "Di wins."})
            for webhook in Webhook.objects.filter(club=event.club_id)
        ]

    def prepare(self, delivery: Delivery) -> Callable[[], None]:
        def send() -> None:
            self.when_sent(delivery)
            with self.lock:
                if self.fails:
                    raise self.fails.pop(0)
                self.sent.append(delivery.event_id)

        return send


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """The only channel there is."""
    channel = Told()
    monkeypatch.setattr(all_channels, "channels", {WEBHOOK: channel})
    monkeypatch.setattr("clubs.outbox.deliver.channels", {WEBHOOK: channel})
    return channel


@pytest.fixture(autouse=True)
def nothing_is_known_of_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """No name that an earlier test asked for is still looked up, or left alone for a while."""
    monkeypatch.setattr(names.resolver, "under_way", {})
    monkeypatch.setattr(names.resolver, "resting", {})
    monkeypatch.setattr(own_network.site_names, "known", {})
    monkeypatch.setattr(own_network.site_names, "due", {})
    monkeypatch.setattr(own_network.site_names, "asked", {})


@pytest.fixture
def webhook(club: Club) -> Webhook:
    return webhook_of(club)


@pytest.fixture
def workers() -> Iterator[list[Worker]]:
    """Those that a test starts; they have ended when it has."""
    running: list[Worker] = []
    yield running
    for one in running:
        one.stop()
