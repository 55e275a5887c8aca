"""The worker: a thread of the site's own process that delivers what waits. Every process has one."""

from __future__ import annotations

import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connections
from django.utils import timezone

from clubs.models import Delivery
from clubs.outbox.deliver import attempt, claim, expand_events
from clubs.site.database_errors import trace, trouble_of

journal = logging.getLogger("clubs.problems")

#: Seconds: what other processes wrote and what is tried again is looked for this often.
LOOK = 5.0
#: So many of each channel are tried at once: receivers that hang keep others of the same channel waiting, no more.
AT_ONCE = 4
#: ... and so many of those that have failed before, so that receivers or name servers that hang never take all places.
AGAIN_AT_ONCE = 3


class Places:
    """The places of one channel, one for each attempt that is under way."""

    def __init__(self) -> None:
        self.all, self.again = threading.Semaphore(AT_ONCE), threading.Semaphore(AGAIN_AT_ONCE)

    def take(self, delivery: Delivery) -> bool:
        """Take one, if there is one for it."""
        if delivery.attempts and not self.again.acquire(blocking=False):
            return False
        if self.all.acquire(blocking=False):
            return True
        if delivery.attempts:
            self.again.release()
        return False

    def give_back(self, delivery: Delivery) -> None:
        self.all.release()
        if delivery.attempts:
            self.again.release()


class Worker:
    """The thread of one process, and those in which it tries."""

    def __init__(self) -> None:
        self.changed = threading.Event()
        # What a process that is gone has left is looked for at once.
        self.changed.set()
        self.stopped = False
        self.pool = ThreadPoolExecutor(AT_ONCE * len(Delivery.Channel), "deliveries")
        self.free = {channel: Places() for channel in Delivery.Channel}
        self.thread = threading.Thread(target=self.run, name="outbox", daemon=True)
        self.pid = os.getpid()
        self.thread.start()

    def run(self) -> None:
        while not self.stopped:
            self.changed.wait(LOOK)
            self.changed.clear()
            self.work()

    def stop(self) -> None:
        """Let it end, and wait until it has."""
        self.stopped = True
        self.changed.set()
        self.thread.join(10)
        self.pool.shutdown(cancel_futures=True)

    def work(self) -> None:
        """Expand what waits, and begin an attempt of everything that is due."""
        try:
            expand_events()
            for channel, free in self.free.items():
                self.begin_some(channel, free)
        except Exception as error:  # the thread goes on: the next look tries again
            journal.error("Notices could not be sent: %s.", trouble_of(error) or trace(error))
        finally:
            connections.close_all()

    def begin_some(self, channel: Delivery.Channel, free: Places) -> None:
        """Try as many of the channel as there are places free. Who has ended wakes the worker for the next.

        Those that failed least often come first: what is new waits for nobody who is away.
        """
        due = Delivery.objects.due(timezone.now()).filter(channel=channel).order_by("attempts", "pk")
        for delivery in due[:AT_ONCE]:
            if self.stopped or not free.take(delivery):
                return
            begun = False
            try:
                if claim(delivery):
                    self.pool.submit(self.try_one, delivery, free)
                    begun = True
            finally:
                if not begun:
                    free.give_back(delivery)

    def try_one(self, delivery: Delivery, free: Places) -> None:
        try:
            # No connection is kept while a receiver is waited for: on PostgreSQL there are few.
            attempt(delivery, before_sending=connections.close_all)
        except Exception as error:  # it is tried again when its claim has run out
            journal.error("A notice could not be sent: %s.", trouble_of(error) or trace(error))
        finally:
            free.give_back(delivery)
            # The next one to the same receiver may be due.
            self.changed.set()
            connections.close_all()


worker: Worker | None = None
is_site = False


def start() -> None:
    """This process serves the site, and delivers from now on."""
    global is_site
    is_site = True
    wake()


def wake(**signal: object) -> None:  # noqa: ARG001 - Django gives sender and signal
    """The receiver of `clubs.outbox.events.event_waits`.

    In a process that does not serve the site an event waits for one that does.
    """
    global worker
    if not is_site:
        return
    if worker is None or worker.pid != os.getpid() or not worker.thread.is_alive():
        worker = Worker()
    worker.changed.set()
