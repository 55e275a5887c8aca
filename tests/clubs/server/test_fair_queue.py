"""Whoever has taken least of the time comes first."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from clubs.server.fair_queue import HALF_LIFE, MOST_WAITING, MUCH, SHORT, FairQueue, Flow, Source

CLUB, GUEST = Source("192.0.2.1", "192.0.2.1"), Source("198.51.100.9", "198.51.100.9")


class Clock:
    """Time that jobs take."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def of_prefix(prefix: str, network: int) -> Source:
    """A network of IPv6."""
    return Source(f"2001:db8:{prefix}::/48", f"2001:db8:{prefix}:{network:x}::/64")


def network(queue: FairQueue, source: Source) -> Flow:
    return queue.way(source)[2]


def done(queue: FairQueue, jobs: int) -> None:
    for _ in range(jobs):
        queue.do_next()


class Room:
    """A queue whose jobs take time of a clock, and in which order they were done, by a word for each."""

    def __init__(self, **more: Any) -> None:
        self.clock, self.order = Clock(), list[str]()
        self.queue = FairQueue(self.clock, self.clock, **more)

    def job(self, source: Source, seconds: float, word: str = "") -> None:
        def run() -> None:
            self.order.append(word or source.network)
            self.clock.now += seconds

        assert self.queue.put(source, run)


def test_jobs_of_a_client_come_in_their_order() -> None:
    room = Room()
    for number in range(5):
        room.job(CLUB, 0.1, str(number))
    done(room.queue, 5)
    assert room.order == ["0", "1", "2", "3", "4"]
    assert room.queue.all.waiting == 0
    assert room.queue.all.busy == {}


def test_network_that_took_least_comes_first_and_the_past_is_forgotten() -> None:
    room = Room()
    room.job(CLUB, 0, "club")
    for _ in range(3):
        room.job(GUEST, 0.5, "guest")
    done(room.queue, 2)
    for _ in range(4):
        room.job(CLUB, 0.1, "club")
    done(room.queue, 6)
    assert room.order == ["club", "guest", "club", "club", "club", "club", "guest", "guest"]
    assert set(room.queue.networks()) == {CLUB.network, GUEST.network}
    room.clock.now += 20 * HALF_LIFE
    assert room.queue.networks() == {}


def test_who_comes_from_ever_new_networks_is_not_always_first() -> None:
    room = Room()
    for _ in range(2):
        room.job(CLUB, 0.01, "club")
    done(room.queue, 1)
    for number in range(50):
        room.job(Source(f"198.51.100.{number}", f"198.51.100.{number}"), 0.02, "guest")
    done(room.queue, 51)
    assert room.order[1] == "club", "it has waited longest of those who took as much"
    room.order.clear()
    room.job(CLUB, 0.01, "club")
    for number in range(50):
        room.job(Source(f"198.51.100.{number}", f"198.51.100.{number}"), 0.02, "guest")
    done(room.queue, 51)
    assert room.order[0] == "club"
    assert network(room.queue, CLUB).taken == pytest.approx(0.03)


def test_networks_of_one_customer_have_one_turn_together() -> None:
    room = Room()
    for number in range(20):
        room.job(of_prefix("bad", number), 0.125, "guest")
    for _ in range(5):
        room.job(CLUB, 0.125, "club")
    done(room.queue, 10)
    assert room.order == ["guest", "club"] * 5


def test_clients_of_one_network_have_turns_of_their_own() -> None:
    room = Room()
    for _ in range(20):
        room.job(CLUB._replace(client="guest"), 0.125, "guest")
    for _ in range(4):
        room.job(CLUB._replace(client="scorekeeper"), 0.125, "scorekeeper")
    done(room.queue, 8)
    assert room.order == ["guest", "scorekeeper"] * 4


def test_who_is_new_does_not_pay_for_others() -> None:
    """It starts where the one is that took least, and has taken nothing itself."""
    room = Room(rest=3.0, beside=FairQueue())
    room.job(GUEST, MUCH + 1)
    done(room.queue, 1)
    room.job(CLUB, 0.1)
    assert room.queue.way(CLUB)[1].place > MUCH
    assert not room.queue.has_taken_much(CLUB)
    assert room.queue.has_taken_much(GUEST)


def test_job_that_breaks_is_counted_and_the_next_one_is_done() -> None:
    room = Room()

    def breaks() -> None:
        room.clock.now += 0.5
        raise ZeroDivisionError

    room.queue.put(CLUB, breaks)
    room.job(CLUB, 0, "next")
    with pytest.raises(ZeroDivisionError):
        room.queue.do_next()
    assert room.queue.networks() == {CLUB.network: 0.5}
    done(room.queue, 1)
    assert room.order == ["next"]


@pytest.mark.parametrize("problem", [ZeroDivisionError, SystemExit])
def test_thread_that_works_goes_on_after_a_job_that_breaks(
    problem: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    """Else nobody would be answered any more, and the process would look well."""
    queue, came = FairQueue(), threading.Event()

    def breaks() -> None:
        raise problem

    queue.put(CLUB, breaks)
    queue.put(CLUB, came.set)
    threading.Thread(target=queue.work, daemon=True).start()
    assert came.wait(60)
    assert problem.__name__ in caplog.text


def test_who_waits_is_woken_by_the_next_job() -> None:
    queue, came = FairQueue(), threading.Event()
    thread = threading.Thread(target=queue.do_next, daemon=True)
    thread.start()
    queue.put(CLUB, came.set)
    assert came.wait(60)
    thread.join(60)


def test_job_that_is_withdrawn_is_not_done() -> None:
    queue, order = FairQueue(), list[str]()

    def unwanted() -> None:
        order.append("unwanted")

    assert queue.put(CLUB, unwanted)
    assert queue.put(CLUB, lambda: order.append("wanted"))
    assert queue.withdraw(CLUB, unwanted)
    assert not queue.withdraw(CLUB, unwanted)
    done(queue, 1)
    assert order == ["wanted"]
    assert queue.all.busy == {}


def test_network_that_took_much_rests_after_long_jobs_and_the_others_go_on() -> None:
    writing = FairQueue(Clock(), Clock())
    room = Room(rest=3.0, beside=writing)
    queue = room.queue
    room.job(CLUB, 0, "club")
    done(queue, 1)
    network(queue, GUEST).taken = MUCH
    for seconds in (0.1, 0.1, SHORT / 2, 0.1):
        room.job(GUEST, seconds, "guest")
    writing.count(GUEST, 0.1)
    done(queue, 1)
    assert queue.all.is_ready(room.clock()), "nobody else writes"
    writing.count(CLUB, 0.1)
    done(queue, 1)
    assert not queue.all.is_ready(room.clock())
    assert queue.shortest_rest() == pytest.approx(0.3)
    room.job(CLUB, 0.1, "club")
    room.job(CLUB, 0.1, "club")
    done(queue, 2)
    assert not queue.all.is_ready(room.clock()), "who took little does not rest"
    room.clock.now += 0.11
    done(queue, 1)
    assert queue.all.is_ready(room.clock()), "after a short job nobody rests"
    done(queue, 1)
    assert room.order == ["club", "guest", "guest", "club", "club", "guest", "guest"]
    assert queue.shortest_rest() is None


def test_who_rests_is_woken_when_the_rest_is_over() -> None:
    writing, came = FairQueue(), threading.Event()
    writing.count(CLUB, 0.1)
    queue = FairQueue(rest=0.5, beside=writing)
    network(queue, GUEST).taken = MUCH
    queue.count(GUEST, 0.2)
    queue.put(GUEST, came.set)
    assert not queue.all.is_ready(queue.clock())
    threading.Thread(target=queue.do_next, daemon=True).start()
    assert came.wait(60)


def test_who_waits_for_somebody_else_takes_no_time_and_old_writes_make_nobody_rest() -> None:
    clock = Clock()
    writing = FairQueue(clock, clock)
    queue = FairQueue(clock, rest=3.0, beside=writing)

    def waits() -> None:
        clock.now += 0.05

    queue.put(CLUB, waits)
    done(queue, 1)
    assert network(queue, CLUB).taken < 0.05
    writing.count(GUEST, 0.1)
    assert queue.is_another_beside(CLUB.network)
    clock.now += 9000 * HALF_LIFE
    assert not queue.is_another_beside(CLUB.network), "it is long ago"


def test_no_more_jobs_of_a_network_wait_than_so_many_and_others_still_may() -> None:
    queue, order = FairQueue(), list[str]()
    for number in range(MOST_WAITING):
        assert queue.put(GUEST._replace(client=str(number % 7)), lambda: order.append("guest"))
    assert not queue.put(GUEST, lambda: order.append("too many"))
    assert queue.put(CLUB, lambda: order.append("club"))
    done(queue, 2)
    assert queue.put(GUEST, lambda: order.append("guest"))
    done(queue, MOST_WAITING)
    assert (order.count("guest"), order.count("club"), len(order)) == (MOST_WAITING + 1, 1, MOST_WAITING + 2)
