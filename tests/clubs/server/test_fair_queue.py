"""Those who wait get equal shares of the time."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

import pytest

from clubs.server.fair_queue import (
    BESIDE,
    HALF_LIFE,
    MOST_OF_PREFIX,
    MOST_WAITING,
    MUCH,
    SHORT,
    FairQueue,
    Flow,
    Source,
)

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
    return queue.flows_of(source)[2]


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


def test_networks_that_wait_have_equal_shares_of_the_time_and_the_past_is_forgotten() -> None:
    room = Room()
    for _ in range(3):
        room.job(GUEST, 0.5, "guest")
    for _ in range(6):
        room.job(CLUB, 0.125, "club")
    done(room.queue, 9)
    assert room.order == ["guest", "club", "club", "club", "club", "guest", "club", "club", "guest"]
    assert room.queue.flows_of(CLUB)[2].taken == 0.75
    room.clock.now += HALF_LIFE
    room.queue.forget()
    assert room.queue.flows_of(CLUB)[2].taken == 0.375
    room.clock.now += 20 * HALF_LIFE
    room.queue.forget()
    assert room.queue.all.flows == {}


def test_half_of_the_past_is_forgotten_in_ten_seconds_however_seldom_somebody_looks() -> None:
    room = Room()
    room.job(GUEST, 0, "guest")
    done(room.queue, 1)
    guest = room.queue.flows_of(GUEST)
    for flow in guest:
        flow.taken = 16.0
    for _ in range(4):
        room.clock.now += 2.5 * HALF_LIFE
        room.queue.forget()
    assert [flow.taken for flow in guest] == [16.0 / 2**10] * 4


def addresses(count: int) -> list[Source]:
    return [Source(f"198.51.100.{number}", f"198.51.100.{number}") for number in range(count)]


def test_who_comes_from_ever_new_networks_is_not_always_first() -> None:
    """Nor is who took little for a while: a club that reads much waits for one job of each at most."""
    room = Room()
    idle = Source("203.0.113.7", "203.0.113.7")
    room.job(idle, 0.001, "idle")
    for _ in range(90):
        room.job(CLUB, 0.0625, "club")
    done(room.queue, 91)
    room.order.clear()
    for guest in [*addresses(20), idle]:
        for _ in range(10):
            room.job(guest, 0.0625, "guest")
    for _ in range(10):
        room.job(CLUB, 0.0625, "club")
    done(room.queue, 220)
    turns = [number for number, word in enumerate(room.order) if word == "club"]
    assert turns == list(range(21, 220, 22))


def test_networks_of_one_customer_have_one_share_together() -> None:
    room = Room()
    for number in range(20):
        room.job(of_prefix("bad", number), 0.125, "guest")
    for _ in range(5):
        room.job(CLUB, 0.125, "club")
    done(room.queue, 10)
    assert room.order == ["guest", "club"] * 5


def test_client_that_is_known_has_a_share_of_its_own() -> None:
    room = Room()
    for _ in range(20):
        room.job(CLUB, 0.125, "guest")
    for _ in range(4):
        room.job(CLUB._replace(client="scorekeeper"), 0.125, "scorekeeper")
    done(room.queue, 8)
    assert room.order == ["guest", "scorekeeper"] * 4


def test_who_is_new_does_not_pay_for_others() -> None:
    """It starts where they are, and has taken nothing itself."""
    room = Room()
    room.job(GUEST, MUCH + 1)
    room.job(GUEST, 0.1)
    done(room.queue, 2)
    room.job(CLUB, 0.1)
    assert room.queue.flows_of(CLUB)[1].virtual_time > MUCH
    assert room.queue.taken_by(CLUB) == 0
    assert room.queue.taken_by(GUEST) > MUCH


def test_job_that_breaks_is_counted_and_the_next_one_is_done() -> None:
    room = Room()

    def breaks() -> None:
        room.clock.now += 0.5
        raise ZeroDivisionError

    room.queue.put(CLUB, breaks)
    room.job(CLUB, 0, "next")
    with pytest.raises(ZeroDivisionError):
        room.queue.do_next()
    assert network(room.queue, CLUB).taken == 0.5
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


def test_who_is_of_a_network_that_took_much_rests_after_long_jobs_and_the_others_go_on() -> None:
    writing = Room()
    room = Room(rest=3.0, beside=writing.queue)
    writing.queue.clock = room.clock
    queue = room.queue
    network(queue, GUEST).taken = MUCH
    for seconds in (0.125, 0.125, SHORT / 2, 0.125):
        room.job(GUEST, seconds, "guest")
    writing.job(GUEST, 0.1)
    done(writing.queue, 1)
    done(queue, 1)
    assert queue.all.is_ready(room.clock()), "nobody else writes"
    writing.job(CLUB, 0.1)
    done(writing.queue, 1)
    done(queue, 1)
    assert not queue.all.is_ready(room.clock())
    assert queue.shortest_rest() == pytest.approx(0.375)
    room.job(CLUB, 0.125, "club")
    room.job(GUEST._replace(client="somebody else"), 0.125, "somebody else")
    done(queue, 2)
    assert not queue.all.is_ready(room.clock()), "who took little does not rest, nor a known client for others"
    room.clock.now += 0.126
    done(queue, 1)
    assert queue.all.is_ready(room.clock()), "after a short job nobody rests"
    done(queue, 1)
    assert sorted(room.order[2:4]) == ["club", "somebody else"]
    assert room.order[:2] == room.order[4:] == ["guest", "guest"]
    assert queue.shortest_rest() is None


def test_who_has_rested_has_not_saved_up_time() -> None:
    room = Room()
    for _ in range(20):
        room.job(GUEST, 0.0625, "guest")
    room.queue.flows_of(GUEST)[-1].rests_until = 1.0
    for _ in range(30):
        room.job(CLUB, 0.0625, "club")
    done(room.queue, 16)
    assert room.order == ["club"] * 16
    done(room.queue, 10)
    assert room.order[16:] == ["guest", "club"] * 5


def test_nobody_rests_for_long() -> None:
    writing, room = FairQueue(), Room(rest=3.0)
    writing.put(CLUB, lambda: None)
    done(writing, 1)
    room.queue.beside = writing
    network(room.queue, GUEST).taken = MUCH
    room.queue.count(GUEST, 60.0)
    assert room.queue.flows_of(GUEST)[-1].rests_until == BESIDE


def test_who_rests_is_woken_when_the_rest_is_over() -> None:
    writing, came = FairQueue(), threading.Event()
    writing.put(CLUB, lambda: None)
    done(writing, 1)
    queue = FairQueue(rest=0.5, beside=writing)
    network(queue, GUEST).taken = MUCH
    queue.count(GUEST, 0.2)
    queue.put(GUEST, came.set)
    assert not queue.all.is_ready(queue.clock())
    threading.Thread(target=queue.do_next, daemon=True).start()
    assert came.wait(60)


def test_who_waits_for_somebody_else_takes_no_time_and_old_writes_make_nobody_rest() -> None:
    room, queue = Room(), FairQueue()
    queue.put(CLUB, lambda: bool(threading.Event().wait(0.05)))
    done(queue, 1)
    assert network(queue, CLUB).taken < 0.05
    room.job(GUEST, 0.1)
    done(room.queue, 1)
    assert room.queue.has_served_another(CLUB.network)
    assert not room.queue.has_served_another(GUEST.network)
    room.clock.now += BESIDE
    assert not room.queue.has_served_another(CLUB.network), "it was a while ago"


def test_no_more_jobs_of_a_client_wait_than_so_many_and_others_still_may() -> None:
    queue, order = FairQueue(), list[str]()
    scorekeeper = GUEST._replace(client="scorekeeper")
    for _ in range(MOST_WAITING):
        assert queue.put(GUEST, lambda: order.append("guest"))
    assert not queue.put(GUEST, lambda: order.append("too many"))
    assert queue.put(CLUB, lambda: order.append("club"))
    assert queue.put(scorekeeper, lambda: order.append("scorekeeper"))
    done(queue, 3)
    assert queue.put(GUEST, lambda: order.append("guest"))
    done(queue, MOST_WAITING)
    assert Counter(order) == {"guest": MOST_WAITING + 1, "club": 1, "scorekeeper": 1}


def test_networks_of_one_customer_have_a_limit_together() -> None:
    queue = FairQueue()
    for number in range(MOST_OF_PREFIX):
        assert queue.put(of_prefix("bad", number), lambda: None)
    assert not queue.put(of_prefix("bad", MOST_OF_PREFIX), lambda: None)
    scorekeepers = [of_prefix("bad", number)._replace(client="scorekeeper") for number in range(MOST_OF_PREFIX + 1)]
    assert [queue.put(each, lambda: None) for each in scorekeepers] == [True] * MOST_OF_PREFIX + [False]
    assert queue.put(CLUB, lambda: None)
