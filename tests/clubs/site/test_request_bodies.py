"""Bodies are read whole before anybody waits for them, and those that stop are given up."""

from __future__ import annotations

import asyncio
import errno
import selectors
from collections.abc import AsyncIterator, Coroutine
from contextlib import closing
from typing import Any, TypeVar

import pytest

from clubs.server.request_bodies import Body, BodyCutOffError, BodyStalledError, Limits, RequestBodies
from clubs.site.body_room import BodyRoom, NoRoomError

HOUSE = "203.0.113.9"
Answer = TypeVar("Answer")


class Jumps(selectors.SelectSelector):
    """Where nothing is to be read before the next timer, its time has come."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout:
            self.now += timeout
        return ready


class OwnTime(asyncio.SelectorEventLoop):
    """A loop whose time passes only while all wait, and then at once: it is the same on a machine that is busy."""

    def __init__(self) -> None:
        self.clock = Jumps()
        super().__init__(self.clock)

    def time(self) -> float:
        return self.clock.now


def run(coroutine: Coroutine[Any, Any, Answer]) -> Answer:
    with asyncio.Runner(loop_factory=OwnTime) as runner:
        return runner.run(coroutine)


async def chunks(*parts: bytes, pause: float = 0) -> AsyncIterator[bytes]:
    for part in parts:
        await asyncio.sleep(pause)
        yield part


async def all_of(bodies: RequestBodies, sent: AsyncIterator[bytes], length: int) -> bytes:
    """What was read of a body, which is closed: it gives its room back."""
    with closing(await bodies.read(sent, length, HOUSE)) as body:
        return body.read()


async def silence(first: bytes = b"ab") -> AsyncIterator[bytes]:
    yield first
    await asyncio.Event().wait()


def test_body_is_read_whole_and_from_its_beginning() -> None:
    bodies = RequestBodies()
    assert run(all_of(bodies, chunks(b"ab", b"cd", b"ef"), 6)) == b"abcdef"
    assert bodies.reading == {}


def test_no_more_is_read_than_was_announced() -> None:
    assert run(all_of(RequestBodies(), chunks(b"abcd", b"ef"), 3)) == b"abc"


def test_body_that_stops_is_given_up() -> None:
    bodies = RequestBodies(Limits(silence=0.01))
    with pytest.raises(BodyStalledError):
        run(bodies.read(silence(), 100, HOUSE))
    assert bodies.reading == {}


@pytest.mark.thorough
def test_slow_body_that_moves_is_taken() -> None:
    bodies = RequestBodies(Limits(silence=0.5))
    assert run(all_of(bodies, chunks(*[b"a"] * 12, pause=0.06), 12)) == b"a" * 12


def test_body_that_only_trickles_is_given_up_after_a_while() -> None:
    with pytest.raises(BodyStalledError):
        run(RequestBodies(Limits(grace=0.02)).read(chunks(*[b"a"] * 99, pause=0.01), 99, HOUSE))


@pytest.mark.parametrize("parts", [(b"ab",), (b"ab", b"")])
def test_body_of_who_hangs_up_is_given_up(parts: tuple[bytes, ...]) -> None:
    with pytest.raises(BodyCutOffError):
        run(RequestBodies().read(chunks(*parts), 100, HOUSE))


def test_who_takes_all_places_loses_the_body_that_waited_longest_and_others_lose_none() -> None:
    async def many() -> list[object]:
        bodies = RequestBodies(Limits(silence=60, places=2, patience=0))
        reading = []
        for network in ("198.51.100.1", HOUSE, HOUSE):
            reading.append(asyncio.create_task(bodies.read(silence(), 100, network)))
            await asyncio.sleep(0.01)
        quick = await all_of(bodies, chunks(b"now"), 3)
        done, waiting = await asyncio.wait(reading, timeout=0.1)
        for each in waiting:
            each.cancel()
        return [quick, [reading.index(each) for each in done], [type(each.exception()) for each in done]]

    assert run(many()) == [b"now", [1], [BodyStalledError]]


def test_body_that_came_together_makes_nobody_leave() -> None:
    async def both() -> bytes:
        bodies = RequestBodies(Limits(places=1))
        slow = asyncio.create_task(all_of(bodies, chunks(b"a", b"b", pause=0.05), 2))
        await asyncio.sleep(0.01)
        assert await all_of(bodies, chunks(b"now"), 3) == b"now"
        return await slow

    assert run(both()) == b"ab"


def test_body_that_comes_while_the_one_that_waited_longest_is_being_given_up_is_read() -> None:
    async def both() -> bytes:
        bodies = RequestBodies(Limits(silence=0.05, places=1, patience=0))

        async def later() -> bytes:
            await asyncio.sleep(0.04)
            return await all_of(bodies, chunks(b"now"), 3)

        quick = asyncio.create_task(later())
        stalled = asyncio.create_task(bodies.read(silence(), 100, HOUSE))
        await asyncio.sleep(0.01)
        # The loop is busy until both are due: the time of the one is over, but it has not left yet.
        loop = asyncio.get_running_loop()
        assert isinstance(loop, OwnTime)
        loop.clock.now += 0.1
        with pytest.raises(BodyStalledError):
            await stalled
        return await quick

    assert run(both()) == b"now"


LARGE = 10_000
OTHER = "198.51.100.1"


def large() -> AsyncIterator[bytes]:
    return chunks(b"a" * LARGE)


def test_address_that_sends_too_many_bytes_is_refused_and_another_and_what_is_small_is_not() -> None:
    async def many() -> int:
        bodies = RequestBodies(room=BodyRoom(of_address=2 * LARGE))
        kept = [await bodies.read(large(), LARGE, HOUSE) for _ in range(2)]
        with pytest.raises(NoRoomError):
            await bodies.read(large(), LARGE, HOUSE)
        small = await bodies.read(chunks(b"now"), 3, HOUSE)
        other = await bodies.read(large(), LARGE, OTHER)
        for each in (*kept, small, other):
            each.close()
        assert bodies.room.held == {}
        # Once it was answered there is room again.
        return len(await all_of(bodies, large(), LARGE))

    assert run(many()) == LARGE


def test_who_holds_most_of_all_room_gives_up_the_oldest_to_whoever_holds_less() -> None:
    async def many() -> list[bool]:
        bodies = RequestBodies(Limits(silence=60), BodyRoom(in_all=3 * LARGE))
        reading = []
        for _ in range(3):
            reading.append(asyncio.create_task(bodies.read(silence(), LARGE, HOUSE)))
            await asyncio.sleep(0)
        # Who holds most gets no more by it.
        with pytest.raises(NoRoomError):
            await bodies.read(large(), LARGE, HOUSE)
        other = await bodies.read(large(), LARGE, OTHER)
        await asyncio.sleep(0.01)
        over = [each.done() for each in reading]
        with pytest.raises(BodyStalledError):
            await reading[0]
        for each in reading[1:]:
            each.cancel()
        await asyncio.wait(reading)
        assert list(bodies.room.held) == [OTHER]
        other.close()
        return over

    assert run(many()) == [True, False, False]


def test_body_that_was_read_and_waits_for_its_answer_gives_nothing_up() -> None:
    async def both() -> bytes:
        bodies = RequestBodies(room=BodyRoom(in_all=2 * LARGE))
        read = [await bodies.read(large(), LARGE, HOUSE) for _ in range(2)]
        with pytest.raises(NoRoomError):
            await bodies.read(large(), LARGE, OTHER)
        whole = b"".join(body.read() for body in read)
        for body in read:
            body.close()
        return whole

    assert run(both()) == b"a" * 2 * LARGE


def test_room_of_a_body_that_never_came_is_free_again() -> None:
    bodies = RequestBodies(Limits(silence=0.01))
    with pytest.raises(BodyStalledError):
        run(bodies.read(silence(), LARGE, HOUSE))
    assert bodies.room.held == {}


def test_full_disk_leaves_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Body, "write", full)
    bodies = RequestBodies()
    with pytest.raises(NoRoomError):
        run(bodies.read(large(), LARGE, HOUSE))
    assert bodies.room.held == {}


def test_forty_photos_of_one_club_and_its_taps_have_room() -> None:
    room = BodyRoom()
    # Two processes share them, and seldom in halves.
    for _ in range(24):
        room.take(HOUSE, 5 << 20, lambda: None)
    for _ in range(1000):
        room.take(HOUSE, 2000, lambda: None)
