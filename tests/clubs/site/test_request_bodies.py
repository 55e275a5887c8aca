"""Bodies are read whole before anybody waits for them, and those that stop are given up."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from clubs.site.request_bodies import BodyCutOffError, BodyStalledError, Limits, RequestBodies

HOUSE = "203.0.113.9"


async def chunks(*parts: bytes, pause: float = 0) -> AsyncIterator[bytes]:
    for part in parts:
        await asyncio.sleep(pause)
        yield part


async def silence(first: bytes = b"ab") -> AsyncIterator[bytes]:
    yield first
    await asyncio.Event().wait()


def test_body_is_read_whole_and_from_its_beginning() -> None:
    bodies = RequestBodies()
    body = asyncio.run(bodies.read(chunks(b"ab", b"cd", b"ef"), 6, HOUSE))
    assert body.read() == b"abcdef"
    assert bodies.reading == {}


def test_no_more_is_read_than_was_announced() -> None:
    assert asyncio.run(RequestBodies().read(chunks(b"abcd", b"ef"), 3, HOUSE)).read() == b"abc"


def test_body_that_stops_is_given_up() -> None:
    bodies = RequestBodies(Limits(silence=0.01))
    with pytest.raises(BodyStalledError):
        asyncio.run(bodies.read(silence(), 100, HOUSE))
    assert bodies.reading == {}


def test_slow_body_that_moves_is_taken() -> None:
    bodies = RequestBodies(Limits(silence=0.5))
    body = asyncio.run(bodies.read(chunks(*[b"a"] * 12, pause=0.06), 12, HOUSE))
    assert body.read() == b"a" * 12


def test_body_that_only_trickles_is_given_up_after_a_while() -> None:
    with pytest.raises(BodyStalledError):
        asyncio.run(RequestBodies(Limits(grace=0.02)).read(chunks(*[b"a"] * 99, pause=0.01), 99, HOUSE))


@pytest.mark.parametrize("parts", [(b"ab",), (b"ab", b"")])
def test_body_of_who_hangs_up_is_given_up(parts: tuple[bytes, ...]) -> None:
    with pytest.raises(BodyCutOffError):
        asyncio.run(RequestBodies().read(chunks(*parts), 100, HOUSE))


def test_who_takes_all_places_loses_the_body_that_waited_longest_and_others_lose_none() -> None:
    async def many() -> list[object]:
        bodies = RequestBodies(Limits(silence=60, places=2, patience=0))
        reading = []
        for network in ("198.51.100.1", HOUSE, HOUSE):
            reading.append(asyncio.create_task(bodies.read(silence(), 100, network)))
            await asyncio.sleep(0.01)
        quick = (await bodies.read(chunks(b"now"), 3, HOUSE)).read()
        done, waiting = await asyncio.wait(reading, timeout=0.1)
        for each in waiting:
            each.cancel()
        return [quick, [reading.index(each) for each in done], [type(each.exception()) for each in done]]

    assert asyncio.run(many()) == [b"now", [1], [BodyStalledError]]


def test_body_that_came_together_makes_nobody_leave() -> None:
    async def both() -> bytes:
        bodies = RequestBodies(Limits(places=1))
        slow = asyncio.create_task(bodies.read(chunks(b"a", b"b", pause=0.05), 2, HOUSE))
        await asyncio.sleep(0.01)
        await bodies.read(chunks(b"now"), 3, HOUSE)
        return (await slow).read()

    assert asyncio.run(both()) == b"ab"


def test_body_that_comes_while_the_one_that_waited_longest_is_being_given_up_is_read() -> None:
    async def both() -> bytes:
        bodies = RequestBodies(Limits(silence=0.05, places=1, patience=0))

        async def later() -> bytes:
            await asyncio.sleep(0.04)
            return (await bodies.read(chunks(b"now"), 3, HOUSE)).read()

        quick = asyncio.create_task(later())
        stalled = asyncio.create_task(bodies.read(silence(), 100, HOUSE))
        await asyncio.sleep(0.01)
        # The loop is busy until both are due: the time of the one is over, but it has not left yet.
        time.sleep(0.1)
        with pytest.raises(BodyStalledError):
            await stalled
        return await quick

    assert asyncio.run(both()) == b"now"
