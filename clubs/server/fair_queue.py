"""Fair queuing: whoever has taken least of the time lately comes first, however much another one wants."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from threading import Condition

Job = Callable[[], None]

journal = logging.getLogger("clubs.problems")

#: After so many seconds the time that was taken counts half, and a network that took less than so much is forgotten.
HALF_LIFE, LEAST = 10.0, 0.001


class FairQueue:
    """Jobs of networks, done one at a time. Those of a network come in their order.

    Of the networks that wait the one comes first whose jobs have taken least time of late.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.waiting: dict[str, deque[Job]] = {}
        self.taken: dict[str, float] = {}
        self.changed, self.clock = Condition(), clock
        self.halved = clock()

    def put(self, network: str, job: Job) -> None:
        with self.changed:
            self.waiting.setdefault(network, deque()).append(job)
            self.changed.notify()

    def work(self) -> None:
        """Do one job after the other, for as long as the process lives; what breaks is written to the journal."""
        while True:
            try:
                self.do_next()
            except Exception:
                journal.exception("A request broke the thread that answers.")

    def do_next(self) -> None:
        """Wait for a job, and do it."""
        network, job = self.take()
        begin = self.clock()
        try:
            job()
        finally:
            self.count(network, self.clock() - begin)

    def take(self) -> tuple[str, Job]:
        with self.changed:
            while not self.waiting:
                self.changed.wait()
            network = min(self.waiting, key=lambda each: self.taken.get(each, 0.0))
            jobs = self.waiting[network]
            job = jobs.popleft()
            if not jobs:
                del self.waiting[network]
            return network, job

    def count(self, network: str, seconds: float) -> None:
        """Note how long a network's job took."""
        self.taken[network] = self.taken.get(network, 0.0) + seconds
        if self.clock() - self.halved > HALF_LIFE:
            self.halved = self.clock()
            self.taken = {each: half for each, taken in self.taken.items() if (half := taken / 2) > LEAST}
