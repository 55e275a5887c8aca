"""The memory for the variables of functions, in the threads that answer."""

from __future__ import annotations

import resource
import threading

from clubs.server.fair_queue import FairQueue, Source

CALLS, DEEP = 200, 400


def taken() -> int:
    """How many pages of memory this thread has got so far."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_minflt


def nothing() -> None:
    pass


def pages_taken(deep: int) -> list[int]:
    """Call a function again and again at every depth down to this one: how many pages of memory that took at each."""
    below = pages_taken(deep - 1) if deep else []
    before = taken()
    for _ in range(CALLS):
        nothing()
    return [*below, taken() - before]


def test_calls_take_no_memory_however_deep_they_are() -> None:
    queue, pages, done = FairQueue(), list[int](), threading.Event()

    def job() -> None:
        try:
            pages.extend(pages_taken(DEEP))
        finally:
            done.set()

    queue.put(Source("a network", "a network"), job)
    threading.Thread(target=queue.work, daemon=True).start()
    assert done.wait(60)
    assert len(pages) == DEEP + 1
    assert max(pages) < CALLS / 2
