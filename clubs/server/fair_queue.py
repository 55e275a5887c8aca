"""Hierarchical fair queuing: whoever has taken least of the time lately comes first, however much another one wants.

A flow is what one source asks. Flows of clients lie in the flow of their network, and those of networks in the flow of
their prefix, which one provider gives to one customer: who has many networks has no more than one turn for that.
"""

from __future__ import annotations

import itertools
import logging
import time
from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition
from typing import NamedTuple

Job = Callable[[], None]

journal = logging.getLogger("clubs.problems")

#: After so many seconds the time that was taken counts half, and a flow that took less than so much is forgotten.
HALF_LIFE, LEAST = 10.0, 0.001
#: Seconds that are much for a network to have taken lately, about a quarter of the time; and those of a short job. A
#: poll with news is short.
MUCH, SHORT = 3.0, 0.008
#: So many jobs of one network may wait: more than a crowd of watchers has phones.
MOST_WAITING = 2000


class Source(NamedTuple):
    """Where a job comes from: `client` tells apart who asks from one network, a whole club for example."""

    prefix: str
    network: str
    client: str = ""


class Flow:
    """What one source asks: the jobs that wait, in their order, or the flows of which it consists.

    `taken`: seconds lately. `start`: with how many it began, as if it had taken them. `turn`: the number of its last
    turn, or of its first job if it waited for nothing before.
    """

    def __init__(self, start: float = 0.0) -> None:
        self.start, self.taken, self.turn, self.rests_until = start, 0.0, 0, 0.0
        self.jobs, self.waiting = deque[Job](), 0
        self.flows = dict[str, Flow]()
        #: Those of the flows in which a job waits.
        self.busy = dict[str, Flow]()

    def flow(self, name: str) -> Flow:
        """The flow of that name in this one. A new one starts where the one is that took least.

        With nothing, whoever comes from ever new networks would always be first.
        """
        if name not in self.flows:
            self.flows[name] = Flow(min((each.place for each in self.flows.values()), default=0.0))
        return self.flows[name]

    @property
    def place(self) -> float:
        """By which flows are ordered, the least first."""
        return self.start + self.taken

    def is_ready(self, now: float) -> bool:
        """Whether a job waits in it that need not rest."""
        if not self.waiting or self.rests_until > now:
            return False
        return not self.flows or any(each.is_ready(now) for each in self.busy.values())

    def forget(self, share: float, now: float) -> None:
        """Leave only so much of the time that was taken."""
        self.start, self.taken = share * self.start, share * self.taken
        for name, each in list(self.flows.items()):
            each.forget(share, now)
            if each.taken < LEAST and not each.waiting and each.rests_until <= now:
                del self.flows[name]


class FairQueue:
    """Jobs of sources, done one at a time. Those of a client come in their order.

    Of those that wait the prefix comes first whose jobs have taken least time of late, in it the network, and there the
    client; of equal ones the one whose last turn is longest ago. A network that has taken much rests after each job
    that is not short, `rest` times as long as that took, while other networks have jobs in the queue `beside` this one,
    which is worked on in the same process.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, spent: Callable[[], float] = time.thread_time, *,
        rest: float = 0.0, beside: FairQueue | None = None,
    ) -> None:  # fmt: skip
        self.all, self.turns = Flow(), itertools.count(1)
        self.rest, self.beside = rest, beside
        #: What a job takes is time of the processor: who waits for somebody else takes none.
        self.changed, self.clock, self.spent = Condition(), clock, spent
        self.halved = clock()

    def put(self, source: Source, job: Job) -> bool:
        """Whether the job waits now; not so where too many of its network do."""
        with self.changed:
            way = self.way(source)
            if way[-2].waiting >= MOST_WAITING:
                return False
            way[-1].jobs.append(job)
            turn = next(self.turns)
            for parent, name, flow in zip(way, source, way[1:], strict=False):
                parent.busy[name] = flow
                flow.turn = flow.turn if flow.waiting else turn
            for flow in way:
                flow.waiting += 1
            self.changed.notify()
            return True

    def withdraw(self, source: Source, job: Job) -> bool:
        """Whether the job still waited; it does no longer."""
        with self.changed:
            jobs = self.way(source)[-1].jobs
            if job not in jobs:
                return False
            jobs.remove(job)
            self.leave(source)
            return True

    def work(self) -> None:
        """Do one job after the other, for as long as the process lives; what breaks is written to the journal."""
        while True:
            try:
                self.do_next()
            except BaseException:
                # SystemExit too, which would end the thread without a word.
                journal.exception("A request broke the thread that answers.")

    def do_next(self) -> None:
        """Wait for a job, and do it."""
        source, job = self.take()
        begin = self.spent()
        try:
            job()
        finally:
            self.count(source, self.spent() - begin)

    def take(self) -> tuple[Source, Job]:
        """The job that comes first, which waits no longer."""
        with self.changed:
            while not self.all.is_ready(self.clock()):
                self.changed.wait(self.shortest_rest())
            source = Source(*self.first())
            job = self.way(source)[-1].jobs.popleft()
            self.leave(source)
            return source, job

    def first(self) -> Iterator[str]:
        """The names of the flows that come first: of prefix, network and client."""
        flow, now = self.all, self.clock()
        while flow.flows:
            ready = (pair for pair in flow.busy.items() if pair[1].is_ready(now))
            name, flow = min(ready, key=lambda pair: (pair[1].place, pair[1].turn))
            yield name

    def leave(self, source: Source) -> None:
        """A job of that source waits no longer."""
        way, turn = self.way(source), next(self.turns)
        for flow in way:
            flow.waiting -= 1
        for parent, name, flow in zip(way, source, way[1:], strict=False):
            flow.turn = turn
            if not flow.waiting:
                del parent.busy[name]

    def way(self, source: Source) -> list[Flow]:
        """The flows in which a job of that source lies, from that of all to that of the client."""
        way = [self.all]
        for name in source:
            way.append(way[-1].flow(name))
        return way

    def shortest_rest(self) -> float | None:
        """In seconds, of those who wait; None: nobody does."""
        networks = (network for prefix in self.all.busy.values() for network in prefix.busy.values())
        return max(0.0, min(each.rests_until for each in networks) - self.clock()) if self.all.waiting else None

    def count(self, source: Source, seconds: float) -> None:
        """Note how long a job of that source took."""
        # Outside of the lock: the other queue has its own.
        rests = seconds > SHORT and self.rest > 0 and self.is_another_beside(source.network)
        with self.changed:
            self.forget()
            way = self.way(source)
            for flow in way:
                flow.taken += seconds
            if rests and way[-2].taken > MUCH:
                way[-2].rests_until = self.clock() + self.rest * seconds

    def is_another_beside(self, network: str) -> bool:
        """Whether somebody else had a job in the queue beside this one lately."""
        return self.beside is not None and any(name != network for name in self.beside.networks())

    def networks(self) -> dict[str, float]:
        """The networks that had a job here lately, and the seconds that those took."""
        with self.changed:
            self.forget()
            prefixes = self.all.flows.values()
            return {name: network.taken for prefix in prefixes for name, network in prefix.flows.items()}

    def has_taken_much(self, source: Source) -> bool:
        """Whether the network of that source has taken much of the time lately."""
        with self.changed:
            return self.way(source)[-2].taken > MUCH

    def forget(self) -> None:
        """Let the past count less: half as much for every half-life that has gone by."""
        now = self.clock()
        # More than sixty leave nothing.
        times = min(60, int((now - self.halved) / HALF_LIFE))
        if times:
            self.halved = now
            self.all.forget(0.5**times, now)
