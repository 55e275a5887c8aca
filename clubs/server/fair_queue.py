"""Start-time fair queuing in three levels: those who wait get equal shares of the time, however much one of them wants.

A flow is what one source asks. Flows of clients lie in the flow of their network, and those of networks in the flow of
their prefix, which one provider gives to one customer: who has many networks has no larger share for that. Who comes
anew, or comes back, starts where the others are: nobody saves up time, and ever new networks are of no use.
"""

from __future__ import annotations

import itertools
import logging
import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from threading import Condition
from typing import NamedTuple

from clubs.server.data_stack import reserve_data_stack

Job = Callable[[], None]

journal = logging.getLogger("clubs.problems")

#: After so many seconds the time that was taken counts half, and a flow that took less than so much is forgotten.
HALF_LIFE, LEAST = 10.0, 0.001
#: Seconds that are much for a network to have taken lately, about a quarter of the time; and those of a short job. A
#: poll with news is short.
MUCH, SHORT = 3.0, 0.008
#: For so many seconds after a job of a network in the queue beside somebody rests for it; and nobody rests for longer.
BESIDE = 2.0
#: So many jobs of one client may wait: more than a crowd of watchers has phones. And so many of one prefix, twice as
#: many for clients that are known.
MOST_WAITING, MOST_OF_PREFIX = 2000, 4000


class Source(NamedTuple):
    """Where a job comes from. `client` is somebody whom the server knows, or "" for all others of the network."""

    prefix: str
    network: str
    client: str = ""


class Flow:
    """What one source asks: the jobs that wait, in their order, or the flows of which it consists.

    `taken`: seconds lately. `virtual_time`: by which flows are ordered, the least first; and `reached` is that of the
    flow in this one that was served last. `turn`: the number of its last turn, or of its first job if it waited for
    nothing before. `latest`: when it was last served.
    """

    def __init__(self) -> None:
        self.taken, self.virtual_time, self.reached = 0.0, 0.0, 0.0
        self.turn, self.latest, self.rests_until = 0, -math.inf, -math.inf
        self.jobs, self.waiting = deque[Job](), 0
        self.flows = dict[str, Flow]()
        #: Those of the flows in which a job waits.
        self.busy = dict[str, Flow]()

    def is_ready(self, now: float) -> bool:
        """Whether a job waits in it that need not rest."""
        if not self.waiting or self.rests_until > now:
            return False
        return not self.flows or any(each.is_ready(now) for each in self.busy.values())

    def forget(self, share: float, now: float) -> None:
        """Leave only so much of the time that was taken."""
        self.taken, self.virtual_time, self.reached = (
            share * each for each in (self.taken, self.virtual_time, self.reached)
        )
        for name, each in list(self.flows.items()):
            each.forget(share, now)
            if each.taken < LEAST and not each.waiting and each.rests_until <= now:
                del self.flows[name]


class FairQueue:
    """Jobs of sources, done one at a time. Those of a client come in their order.

    A client whose network has taken much rests after each job that is not short, `rest` times as long as that took,
    while other networks have jobs in the queue `beside` this one, which is worked on in the same process.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, spent: Callable[[], float] = time.thread_time, *,
        rest: float = 0.0, beside: FairQueue | None = None,
    ) -> None:  # fmt: skip
        self.all, self.turns = Flow(), itertools.count(1)
        self.rest, self.beside = rest, beside
        #: What a job takes is time of the processor: one that waits or sleeps takes none.
        self.changed, self.clock, self.spent = Condition(), clock, spent
        self.halved = clock()

    def put(self, source: Source, job: Job) -> bool:
        """Whether the job waits now; not so where too many of its client or of its prefix do."""
        with self.changed:
            flows = self.flows_of(source)
            most_of_prefix = 2 * MOST_OF_PREFIX if source.client else MOST_OF_PREFIX
            if flows[-1].waiting >= MOST_WAITING or flows[1].waiting >= most_of_prefix:
                return False
            turn = next(self.turns)
            for parent, name, flow in zip(flows, source, flows[1:], strict=False):
                if not flow.waiting:
                    parent.busy[name] = flow
                    flow.turn, flow.virtual_time = turn, max(flow.virtual_time, parent.reached)
            for flow in flows:
                flow.waiting += 1
            flows[-1].jobs.append(job)
            self.changed.notify()
            return True

    def withdraw(self, source: Source, job: Job) -> bool:
        """Whether the job still waited; it does no longer."""
        with self.changed:
            flows = self.flows_of(source)
            if job not in flows[-1].jobs:
                return False
            flows[-1].jobs.remove(job)
            self.wait_no_longer(flows, source)
            return True

    @reserve_data_stack
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
            flows, turn, now = self.flows_of(source), next(self.turns), self.clock()
            for parent, flow in itertools.pairwise(flows):
                # Who has rested has not saved up time either.
                flow.virtual_time = parent.reached = max(parent.reached, flow.virtual_time)
                flow.turn, flow.latest = turn, now
            job = flows[-1].jobs.popleft()
            self.wait_no_longer(flows, source)
            return source, job

    def first(self) -> Iterator[str]:
        """The names of the flows that come first: of prefix, network and client."""
        flow, now = self.all, self.clock()
        while flow.flows:
            ready = (pair for pair in flow.busy.items() if pair[1].is_ready(now))
            name, flow = min(ready, key=lambda pair: (pair[1].virtual_time, pair[1].turn))
            yield name

    def wait_no_longer(self, flows: list[Flow], source: Source) -> None:
        """A job of that source has left these flows."""
        for flow in flows:
            flow.waiting -= 1
        for parent, name, flow in zip(flows, source, flows[1:], strict=False):
            if not flow.waiting:
                del parent.busy[name]

    def flows_of(self, source: Source) -> list[Flow]:
        """The flows in which a job of that source lies, from that of all to that of the client."""
        flows = [self.all]
        for name in source:
            within = flows[-1].flows
            if name not in within:
                within[name] = Flow()
            flows.append(within[name])
        return flows

    def shortest_rest(self) -> float | None:
        """In seconds, of those who wait; None: nobody does."""
        clients = [
            client for prefix in self.all.busy.values() for network in prefix.busy.values()
            for client in network.busy.values()
        ]  # fmt: skip
        return max(0.0, min(each.rests_until for each in clients) - self.clock()) if clients else None

    def count(self, source: Source, seconds: float) -> None:
        """Note how long a job of that source took."""
        # Outside of the lock: the other queue has its own.
        rests = seconds > SHORT and self.beside is not None and self.beside.has_served_another(source.network)
        with self.changed:
            self.forget()
            flows = self.flows_of(source)
            for flow in flows:
                flow.taken += seconds
                flow.virtual_time += seconds
            if rests and flows[-2].taken > MUCH:
                flows[-1].rests_until = self.clock() + min(BESIDE, self.rest * seconds)

    def has_served_another(self, network: str) -> bool:
        """Whether a job of another network was done here lately."""
        with self.changed:
            since = self.clock() - BESIDE
            prefixes = self.all.flows.values()
            return any(
                name != network and its.latest > since for prefix in prefixes for name, its in prefix.flows.items()
            )

    def taken_by(self, source: Source) -> float:
        """How many seconds the network of that source has taken lately."""
        with self.changed:
            self.forget()
            return self.flows_of(source)[-2].taken

    def forget(self) -> None:
        """Let the past count less: half as much for every half-life that has gone by."""
        now = self.clock()
        times = int((now - self.halved) / HALF_LIFE)
        if times:
            self.halved += times * HALF_LIFE
            # More than sixty leave nothing.
            self.all.forget(0.5 ** min(60, times), now)
