"""Announcing events, in the transaction in which they happen."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.dispatch import Signal

from clubs.models import Club, Event, Night, Table

#: Sent when an event was committed.
event_waits = Signal()


def announce(
    club: Club | int, kind: Event.Kind, key: str, *, night: Night | None = None, table: Table | None = None,
    **details: Any,
) -> None:  # fmt: skip
    """Write the event; one with the same `key` in the club is written once. One statement.

    To be called in the transaction in which it happens. `details` are values for JSON. An evening without a club tells
    nobody.
    """
    if isinstance(club, Club) and club.is_evening:
        return
    club_id = club if isinstance(club, int) else club.pk
    event = Event(
        club_id=club_id, kind=kind, night=night, table=table, details=details, key=f"{club_id}-{kind}-{key}"
    )  # fmt: skip
    Event.objects.bulk_create([event], ignore_conflicts=True)
    transaction.on_commit(wake)


def wake() -> None:
    """Let the worker of this process look at once."""
    event_waits.send(None)
