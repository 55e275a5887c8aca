"""Whoever has taken least of the time comes first."""

from __future__ import annotations

import threading

import pytest

from clubs.server.fair_queue import HALF_LIFE, MOST_WAITING, MUCH, SHORT, FairQueue


class Clock:
    """Time that jobs take."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def done(queue: FairQueue, jobs: int) -> None:
    for _ in range(jobs):
        queue.do_next()


def test_jobs_of_a_network_come_in_their_order() -> None:
    queue, order = FairQueue(), list[int]()
    for number in range(5):
        queue.put("192.0.2.1", lambda number=number: order.append(number))
    done(queue, 5)
    assert order == [0, 1, 2, 3, 4]
    assert queue.waiting == {}


def test_network_that_took_least_comes_first_and_the_past_is_forgotten() -> None:
    clock, order = Clock(), list[str]()
    queue = FairQueue(clock, clock)

    def job(network: str, seconds: float) -> None:
        def run() -> None:
            order.append(network)
            clock.now += seconds

        queue.put(network, run)

    for _ in range(3):
        job("guest", 0.5)
    done(queue, 1)
    for _ in range(4):
        job("club", 0.1)
    done(queue, 6)
    assert order == ["guest", "club", "club", "club", "club", "guest", "guest"]
    for _ in range(20):
        clock.now += HALF_LIFE + 1
        job("club", 0)
        done(queue, 1)
    assert queue.taken == {}


def test_job_that_breaks_is_counted_and_the_next_one_is_done() -> None:
    clock, order = Clock(), list[str]()
    queue = FairQueue(clock, clock)

    def breaks() -> None:
        clock.now += 0.5
        raise ZeroDivisionError

    queue.put("192.0.2.1", breaks)
    queue.put("192.0.2.1", lambda: order.append("next"))
    with pytest.raises(ZeroDivisionError):
        queue.do_next()
    assert queue.taken == {"192.0.2.1": 0.5}
    done(queue, 1)
    assert order == ["next"]


def test_thread_that_works_goes_on_after_a_job_that_breaks(caplog: pytest.LogCaptureFixture) -> None:
    """Else nobody would be answered any more, and the process would look well."""
    queue, came = FairQueue(), threading.Event()
    queue.put("192.0.2.1", lambda: 1 // 0)  # type: ignore[arg-type, return-value]
    queue.put("192.0.2.1", came.set)
    threading.Thread(target=queue.work, daemon=True).start()
    assert came.wait(60)
    assert "ZeroDivisionError" in caplog.text


def test_who_waits_is_woken_by_the_next_job() -> None:
    queue, came = FairQueue(), threading.Event()
    thread = threading.Thread(target=queue.do_next, daemon=True)
    thread.start()
    queue.put("192.0.2.1", came.set)
    assert came.wait(60)
    thread.join(60)


def test_network_that_took_much_rests_after_long_jobs_and_the_others_go_on() -> None:
    clock, order = Clock(), list[str]()
    writing = FairQueue(clock, clock)
    queue = FairQueue(clock, clock, rest=3.0, beside=writing)

    def job(network: str, seconds: float) -> None:
        def run() -> None:
            order.append(network)
            clock.now += seconds

        queue.put(network, run)

    queue.taken["guest"] = MUCH
    for seconds in (0.1, 0.1, SHORT / 2, 0.1):
        job("guest", seconds)
    writing.count("guest", 0.1)
    done(queue, 1)
    assert queue.ready() == ["guest"], "nobody else writes"
    writing.count("club", 0.1)
    done(queue, 1)
    assert queue.ready() == []
    assert queue.shortest_rest() == pytest.approx(0.3)
    job("club", 0.1)
    job("club", 0.1)
    done(queue, 1)
    assert queue.ready() == ["club"], "who took little does not rest"
    done(queue, 1)
    clock.now += 0.11
    done(queue, 1)
    assert queue.ready() == ["guest"], "after a short job nobody rests"
    done(queue, 1)
    assert order == ["guest", "guest", "club", "club", "guest", "guest"]
    assert queue.shortest_rest() is None


def test_who_rests_is_woken_when_the_rest_is_over() -> None:
    writing, came = FairQueue(), threading.Event()
    writing.count("club", 0.1)
    queue = FairQueue(rest=0.5, beside=writing)
    queue.taken["guest"] = MUCH
    queue.count("guest", 0.2)
    queue.put("guest", came.set)
    assert queue.ready() == []
    threading.Thread(target=queue.do_next, daemon=True).start()
    assert came.wait(60)


def test_who_waits_for_somebody_else_takes_no_time_and_old_writes_make_nobody_rest() -> None:
    clock = Clock()
    writing = FairQueue(clock, clock)
    queue = FairQueue(clock, rest=3.0, beside=writing)

    def waits() -> None:
        clock.now += 0.05

    queue.put("club", waits)
    done(queue, 1)
    assert queue.taken["club"] < 0.05
    writing.count("another", 0.1)
    queue.taken["club"] = MUCH
    assert queue.is_another_beside("club")
    clock.now += 9000 * HALF_LIFE
    assert not queue.is_another_beside("club"), "it is long ago"


def test_no_more_jobs_of_a_network_wait_than_so_many_and_others_still_may() -> None:
    queue, order = FairQueue(), list[str]()
    assert all(queue.put("guest", lambda: order.append("guest")) for _ in range(MOST_WAITING))
    assert not queue.put("guest", lambda: order.append("too many"))
    assert queue.put("club", lambda: order.append("club"))
    done(queue, 1)
    assert queue.put("guest", lambda: order.append("guest"))
    done(queue, MOST_WAITING + 1)
    assert (order.count("guest"), order.count("club"), len(order)) == (MOST_WAITING + 1, 1, MOST_WAITING + 2)
