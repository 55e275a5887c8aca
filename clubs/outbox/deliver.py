"""Expanding events into deliveries, and trying these."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Callable, Collection, Mapping

from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, transaction
from django.utils import timezone

from clubs.models import Delivery, Event
from clubs.outbox import http_post
from clubs.outbox.channels import Channel, NotDelivered, channels
from clubs.site.database_errors import trace, trouble_of

journal = logging.getLogger("clubs.problems")

#: What the database may take before an attempt and after it.
SPARE = datetime.timedelta(minutes=1)
#: So often an attempt by email may wait for the mail server, each time for `EMAIL_TIMEOUT`: four addresses to connect
#: to; greeting, EHLO, STARTTLS, handshake, EHLO again; three ways to log in, of three lines each; MAIL, RCPT, DATA, the
#: text, its answer, QUIT. And three times as long for its name.
MAIL_WAITS = 4 + 5 + 3 * 3 + 6 + 3
#: The pauses after the first attempts; later ones wait as long as the last.
PAUSES = tuple(datetime.timedelta(seconds=pause) for pause in (5, 30, 120, 600, 1800, 3600, 3 * 3600))
#: After so many attempts in a row the next message to the same webhook has its turn: this one alone may be at fault.
IN_A_ROW = 6
#: What is longer ago is forgotten.
KEPT = datetime.timedelta(days=30)
#: Characters of a reason.
LONGEST_PROBLEM = 200
#: So often an event is expanded again because a receiver was removed meanwhile.
TRIES = 5
FAULT = "The site could not make this message. Its owner finds the reason in the journal."
BROKEN = "An event (%s) could not be sent by %s: %s."
GONE = "What it was about was deleted."
#: What a channel asks for.
READ_WITH = (
    "event__club", "event__night", "event__table__sheet", "webhook", "subscription__member", "subscription__session",
)  # fmt: skip


def expand_events() -> int:
    """Write the deliveries of the events that wait, each in a transaction of its own; how many events there were.

    One that the database does not take now keeps no other waiting: it stays for the next look.
    """
    waiting = Event.objects.filter(expanded_at__isnull=True).values_list("pk", flat=True)
    return sum(is_expanded(event) for event in waiting)


def is_expanded(event_id: int) -> bool:
    """Expand it; whether that was done here, and not by another process."""
    for left in reversed(range(TRIES)):
        event = Event.objects.select_related("club", "night", "table").filter(pk=event_id).first()
        if event is None:
            return False
        try:
            # Read before the transaction: on SQLite nobody else could write as long as that takes.
            by_channel = {name: deliveries_by(channel, event, is_last=not left) for name, channel in channels.items()}
            return write(event, by_channel)
        except (IntegrityError, ObjectDoesNotExist):
            # Somebody was removed since they were read, or the night: the next reading does not find them.
            continue
        except Exception as error:
            journal.error("An event (%s) could not be expanded: %s.", event.kind, trouble_of(error) or trace(error))
            return False
    journal.error("An event (%s) could not be expanded: its receivers change all the time.", event_id)
    return False


def deliveries_by(channel: Channel, event: Event, *, is_last: bool) -> list[Delivery]:
    """A channel that breaks takes nothing from the others, and its event does not come back.

    One that misses a row is asked once more, except where it `is_last`.
    """
    try:
        return list(channel.deliveries_of(event))
    except Exception as error:
        if trouble_of(error) or (isinstance(error, ObjectDoesNotExist) and not is_last):
            raise
        journal.error(BROKEN, event.kind, type(channel).__name__, trace(error))
        return []


@transaction.atomic
def write(event: Event, by_channel: Mapping[Delivery.Channel, Collection[Delivery]]) -> bool:
    """Write the deliveries, unless another process does. Raises IntegrityError where a receiver is gone: on leaving,
    because the database looks for rows that are pointed to at the end.
    """
    waits = Event.objects.filter(pk=event.pk, expanded_at__isnull=True)
    if not waits.select_for_update(skip_locked=True):
        return False
    for name, deliveries in by_channel.items():
        try:
            with transaction.atomic():
                Delivery.objects.bulk_create(deliveries, batch_size=500)
        except Exception as error:
            if trouble_of(error):
                raise
            journal.error(BROKEN, event.kind, name, trace(error))
    return bool(waits.update(expanded_at=timezone.now()))


def claim(delivery: Delivery) -> bool:
    """Take the delivery for one attempt; whether nobody else has."""
    claimed = timezone.now() + longest_attempt(Delivery.Channel(delivery.channel)) + SPARE
    untouched = Delivery.objects.waiting().filter(pk=delivery.pk, not_before=delivery.not_before)
    return bool(untouched.update(not_before=claimed, attempts=delivery.attempts + 1))


def longest_attempt(channel: Delivery.Channel) -> datetime.timedelta:
    """How long an attempt may take. If its process is gone, another tries it again after that."""
    if channel == Delivery.Channel.MAIL:
        return datetime.timedelta(seconds=MAIL_WAITS * settings.EMAIL_TIMEOUT)
    return datetime.timedelta(seconds=http_post.SECONDS)


def attempt(delivery: Delivery, *, before_sending: Callable[[], None] = lambda: None) -> None:
    """Try a delivery that was claimed, and write down how it went. `delivery.attempts`: how many failed before.

    It is read again: since it was looked for, the address may have been mended, the club closed to others, the receiver
    removed. `before_sending`: what is given back before a receiver is waited for.
    """
    channel = channels[Delivery.Channel(delivery.channel)]
    read = Delivery.objects.waiting().select_related(*READ_WITH).filter(pk=delivery.pk).first()
    if read is None:
        return
    tries = delivery.attempts
    try:
        send = prepared(channel, read)
        before_sending()
        send()
    except ObjectDoesNotExist:
        # A night or a table was deleted since, and this with it: there is nothing to say any more.
        failed(read, tries, NotDelivered(GONE, is_over=True), channel.lasts)
    except NotDelivered as problem:
        failed(read, tries, problem, channel.lasts)
    except Exception as error:  # a fault of the site, mended by its next version perhaps
        if trouble_of(error):
            raise
        journal.error("A message (%s) could not be sent: %s.", read.event.kind, trace(error))
        failed(read, tries, NotDelivered(FAULT), channel.lasts)
    else:
        Delivery.objects.filter(pk=read.pk).update(delivered_at=timezone.now(), problem="", message={})


def prepared(channel: Channel, delivery: Delivery) -> Callable[[], None]:
    """What sends it. Where that is refused for good before anybody was asked, there is nobody to tell: it is over."""
    try:
        return channel.prepare(delivery)
    except NotDelivered as problem:
        if problem.for_good:
            raise NotDelivered(str(problem), is_over=True) from problem
        raise


def failed(delivery: Delivery, tries: int, problem: NotDelivered, lasts: datetime.timedelta) -> None:
    """Put it off, or give it up. What it says is kept no longer than it is needed: it may have names in it.

    `tries`: how many failed before. Where its address was mended meanwhile, it has begun anew, and this says nothing.
    """
    rows = Delivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
    now, why = timezone.now(), str(problem)[:LONGEST_PROBLEM]
    if problem.for_good or now - delivery.event.at > lasts:
        rows.update(given_up_at=now, seen_at=now if problem.is_over else None, problem=why, message={})
        return
    pause = max(pause_after(tries), datetime.timedelta(seconds=problem.wait or 0))
    rows.update(not_before=now + pause, turn=max((tries + 1) // IN_A_ROW, problem.makes_room), problem=why)


def forget_old(now: datetime.datetime) -> None:
    """Delete the events of long ago with their deliveries: one of the daily jobs."""
    Event.objects.filter(at__lt=now - KEPT).delete()


def pause_after(attempts: int) -> datetime.timedelta:
    """How long after so many attempts that failed, with the last among them, it is tried again.

    >>> pause_after(0), pause_after(99)
    (datetime.timedelta(seconds=5), datetime.timedelta(seconds=10800))
    """
    return PAUSES[min(attempts, len(PAUSES) - 1)]
