"""What the tests of the outbox share."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from django.utils import timezone

from clubs.models import Club, Delivery, Event, Webhook
from clubs.outbox.deliver import READ_WITH, attempt, claim, expand_events
from clubs.outbox.events import announce


def webhook_of(club: Club, form: str = Webhook.Form.SIGNED, url: str = "https://cards.example.org/hook") -> Webhook:
    """One that was saved by an organiser."""
    return Webhook.objects.create(club=club, form=form, url=url, secret="s" * 43)


def happens(club: Club, key: str = "1", kind: Event.Kind = Event.Kind.DRAWN) -> Event:
    """Something has happened."""
    announce(club, kind, key)
    return Event.objects.get(key=f"{club.pk}-{kind}-{key}")


def deliver_due() -> int:
    """Try everything once that is due by now, as the worker tries it; how many attempts there were."""
    while expand_events():
        pass
    due = list(Delivery.objects.due(timezone.now()).select_related(*READ_WITH))
    for delivery in due:
        assert claim(delivery)
        attempt(delivery)
    return len(due)


def resolving(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Names lead to these addresses, each time to the next of them; the names that were asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def getaddrinfo(host: str, port: int, *more: Any, **named: Any) -> list[tuple[Any, ...]]:
        if host.replace(".", "").isdecimal():
            return list(real(host, port, *more, **named))
        here = answers[min(len(asked), len(answers) - 1)]
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in here]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked
