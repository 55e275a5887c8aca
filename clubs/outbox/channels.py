"""The channels by which events leave the site."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Protocol

from clubs.models import Delivery, Event


class NotDelivered(Exception):
    """An attempt failed; the message is a sentence for an organiser. `for_good`: there is no use in another.

    `is_over`: nor would anybody want to hear of it any more, so nobody is told that it was given up. `status` of the
    answer, where there was one. `wait`: seconds before which the receiver wants no other. `makes_room`: it is not the
    receiver that hinders it, so what comes after it goes first.
    """

    def __init__(
        self, problem: str, *, for_good: bool = False, is_over: bool = False, status: int | None = None,
        wait: float | None = None, makes_room: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(problem)
        self.for_good, self.is_over, self.status, self.wait = for_good or is_over, is_over, status, wait
        self.makes_room = makes_room


class Channel(Protocol):
    """One way of telling."""

    #: How long after the event it is still tried.
    lasts: datetime.timedelta

    def deliveries_of(self, event: Event) -> Iterable[Delivery]:
        """The deliveries of an event, not yet saved."""

    def prepare(self, delivery: Delivery) -> Callable[[], None]:
        """What sends it, within seconds, and asks the database for nothing meanwhile. Both raise `NotDelivered`."""


#: By the name of the channel; each registers itself when the site is loaded.
channels: dict[Delivery.Channel, Channel] = {}
