"""Request bodies, read whole before a worker thread is taken.

A body may be slow but has to move: a phone that goes out of reach in the middle of a post costs a little memory and
nothing else. An address has so many places for bodies that are not there at once; where it needs more, the one that has
waited longest for its next byte makes room. A post whose bytes come together, as nearly all do, never makes room.
How many bytes they may have together is `body_room.py`'s.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import OrderedDict
from collections.abc import AsyncIterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple, cast

from clubs.site.body_room import BodyRoom, NoRoomError, RoomOfBody


class Limits(NamedTuple):
    """What a body may take."""

    #: Seconds without a byte.
    silence: float = 5.0
    #: After so many seconds it must have brought so many bytes a second.
    grace: float = 10.0
    rate: float = 1000.0
    #: Bodies of one address, and the seconds without a byte after which one may have to make room.
    places: int = 50
    patience: float = 0.5


#: Bytes of a body that are kept in memory; a larger one lies in a temporary file.
IN_MEMORY = 1 << 14


class BodyStalledError(Exception):
    """The body stopped, or came so slowly that it would never end."""


class BodyCutOffError(Exception):
    """The connection ended before the body did."""


class Body(tempfile.SpooledTemporaryFile[bytes]):
    """A body whose room is free again when it is closed."""

    def __init__(self, holding: RoomOfBody) -> None:
        super().__init__(IN_MEMORY)
        self.holding = holding

    def close(self) -> None:
        self.holding.leave()
        super().close()


class RequestBodies:
    """The bodies that are being read, by the network they come from."""

    def __init__(self, limits: Limits | None = None, room: BodyRoom | None = None) -> None:
        self.limits, self.room = limits or Limits(), room or BodyRoom()
        #: ... and when each was last given a byte, the longest ago first.
        self.reading: dict[str, OrderedDict[asyncio.Timeout, float]] = {}

    async def read(self, chunks: AsyncIterable[bytes], length: int, network: str) -> BinaryIO:
        """The body of `length` bytes, at its beginning: whoever closes it gives its room back.

        Raises NoRoomError, BodyStalledError or BodyCutOffError.
        """
        clock = asyncio.timeout(self.limits.silence)
        body = Body(self.room.take(network, length, lambda: self.give_up(clock)))
        # The type checker's picture of it lacks the methods that the standard promises.
        file = cast("BinaryIO", body)
        try:
            async with clock:
                with self.place(network, clock) as moved:
                    await self.receive(chunks, length, file, moved)
        except BaseException as problem:
            body.close()
            if isinstance(problem, TimeoutError):
                raise BodyStalledError from problem
            if isinstance(problem, OSError):
                # The disk is full.
                raise NoRoomError from problem
            raise
        body.holding.is_whole = True
        file.seek(0)
        return file

    async def receive(self, chunks: AsyncIterable[bytes], length: int, body: BinaryIO, moved: Any) -> None:
        loop = asyncio.get_running_loop()
        begun, received = loop.time(), 0
        async for chunk in chunks:
            if not chunk:
                break
            body.write(chunk[: length - received])
            received += len(chunk)
            if received >= length:
                return
            spent = loop.time() - begun
            if spent > self.limits.grace and received < spent * self.limits.rate:
                raise BodyStalledError
            moved()
        raise BodyCutOffError

    def give_up(self, clock: asyncio.Timeout) -> None:
        """Let it be over now. One whose time is over is on its way out."""
        if not clock.expired():
            clock.reschedule(asyncio.get_running_loop().time())

    @contextmanager
    def place(self, network: str, clock: asyncio.Timeout) -> Iterator[Any]:
        """One of the places of a network, for as long as the body takes; yields what to call whenever bytes came."""
        loop = asyncio.get_running_loop()
        places = self.reading.setdefault(network, OrderedDict())
        if len(places) >= self.limits.places:
            longest, since = next(iter(places.items()))
            if loop.time() - since > self.limits.patience:
                del places[longest]
                self.give_up(longest)
        places[clock] = loop.time()

        def moved() -> None:
            if clock in places:
                places[clock] = loop.time()
                places.move_to_end(clock)
                clock.reschedule(loop.time() + self.limits.silence)

        try:
            yield moved
        finally:
            places.pop(clock, None)
            if not places and self.reading.get(network) is places:
                del self.reading[network]
