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
#: Seconds that are much for a network to have taken lately, about a quarter of the time; and those of a short job. A
#: poll with news is short.
MUCH, SHORT = 3.0, 0.008
#: So many jobs of one network may wait: more than a crowd of watchers has phones. Who hangs up leaves theirs behind.
MOST_WAITING = 2000


class FairQueue:
    """Jobs of networks, done one at a time. Those of a network come in their order.

    Of the networks that wait the one comes first whose jobs have taken least time of late. One that has taken much
    rests after each job that is not short, `rest` times as long as that took, while other networks have jobs in the
    queue `beside` this one, which is worked on in the same process.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, spent: Callable[[], float] = time.thread_time, *,
        rest: float = 0.0, beside: FairQueue | None = None,
    ) -> None:  # fmt: skip
        self.waiting: dict[str, deque[Job]] = {}
        self.taken: dict[str, float] = {}
        #: Until when networks rest.
        self.rest, self.rests, self.beside = rest, dict[str, float](), beside
        #: What a job takes is time of the processor: who waits for somebody else takes none.
        self.changed, self.clock, self.spent = Condition(), clock, spent
        self.halved = clock()

    def put(self, network: str, job: Job) -> bool:
        """Whether the job waits now; not so where too many of its network do."""
        with self.changed:
            jobs = self.waiting.setdefault(network, deque())
            if len(jobs) >= MOST_WAITING:
                return False
            jobs.append(job)
            self.changed.notify()
            return True

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
        begin = self.spent()
        try:
            job()
        finally:
            self.count(network, self.spent() - begin)

    def take(self) -> tuple[str, Job]:
        with self.changed:
            while not (ready := self.ready()):
                self.changed.wait(self.shortest_rest())
            network = min(ready, key=lambda each: self.taken.get(each, 0.0))
            jobs = self.waiting[network]
            job = jobs.popleft()
            if not jobs:
                del self.waiting[network]
            return network, job

    def ready(self) -> list[str]:
        """The networks that wait and do not rest."""
        now = self.clock()
        return [each for each in self.waiting if self.rests.get(each, now) <= now]

    def shortest_rest(self) -> float | None:
        """In seconds, of those who wait; None: nobody does."""
        return max(0.0, min(self.rests[each] for each in self.waiting) - self.clock()) if self.waiting else None

    def is_another_beside(self, network: str) -> bool:
        """Whether somebody else had a job in the queue beside this one lately."""
        if self.beside is None:
            return False
        self.beside.forget()
        return any(each != network for each in list(self.beside.taken))

    def count(self, network: str, seconds: float) -> None:
        """Note how long a network's job took."""
        now = self.clock()
        self.taken[network] = self.taken.get(network, 0.0) + seconds
        if self.taken[network] > MUCH and seconds > SHORT and self.is_another_beside(network):
            self.rests[network] = now + self.rest * seconds
        self.forget()

    def forget(self) -> None:
        """Let the past count less: half as much for every half-life that has gone by."""
        now = self.clock()
        # More than sixty leave nothing.
        times = min(60, int((now - self.halved) / HALF_LIFE))
        if times:
            self.halved = now
            self.taken = {each: left for each, taken in self.taken.items() if (left := taken / 2**times) > LEAST}
            self.rests = {each: until for each, until in self.rests.items() if until > now}
