"""What was given up, for the owner of the site: how much by each channel, and why. No name or address is in it."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Iterator
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, OuterRef, Subquery
from django.utils import timezone

from clubs.models import Delivery

journal = logging.getLogger("clubs.problems")

Channel = Delivery.Channel
#: What one of a channel is called, and several.
CALLED = {
    Channel.WEBHOOK: ("message to a webhook", "messages to webhooks"),
    Channel.PUSH: ("notice on a phone", "notices on phones"),
    Channel.MAIL: ("email", "emails"),
}
A_DAY, A_WEEK = datetime.timedelta(days=1), datetime.timedelta(days=7)
#: In the cache: up to when the journal has said it.
SAID = "given-up-said"


@dataclass(frozen=True)
class GivenUp:
    """How many were given up by a channel, and the reason of the last, a sentence."""

    channel: Channel
    count: int
    reason: str

    def __str__(self) -> str:
        singular, plural = CALLED[self.channel]
        return f"{self.count} {singular if self.count == 1 else plural}"


def given_up_since(since: datetime.datetime) -> list[GivenUp]:
    """What was given up since then and missed by somebody, by channel. One query."""
    lost = Delivery.objects.lost(since)
    last = lost.filter(channel=OuterRef("channel")).order_by("-given_up_at", "-pk").values("problem")[:1]
    rows = lost.order_by("channel").values_list("channel").annotate(count=Count("pk"), reason=Subquery(last))
    return [GivenUp(Channel(channel), count, reason) for channel, count, reason in rows]


def note_given_up() -> None:
    """A line in the journal of what was given up since the last, if anything was: one of the daily jobs."""
    now = timezone.now()
    lines = list(in_words(given_up_since(cache.get(SAID, now - A_DAY))))
    cache.set(SAID, now, A_WEEK.total_seconds())
    if lines:
        journal.error("Given up since yesterday: %s.", "; ".join(lines))


def in_words(rows: list[GivenUp]) -> Iterator[str]:
    for row in rows:
        yield f"{row} (the last because: {row.reason.rstrip('.')})"
