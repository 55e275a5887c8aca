"""Request bodies, read whole before a worker thread is taken.

A body may be slow but has to move: a phone that goes out of reach in the middle of a post costs a little memory and
nothing else. An address has so many places for bodies that are not there at once; where it needs more, the one that has
waited longest for its next byte makes room. A post whose bytes come together, as nearly all do, never makes room.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import OrderedDict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterator


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
IN_MEMORY = 1 << 20


class BodyStalledError(Exception):
    """The body stopped, or came so slowly that it would never end."""


class BodyCutOffError(Exception):
    """The connection ended before the body did."""


class RequestBodies:
    """The bodies that are being read, by the network they come from."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        #: ... and when each was last given a byte, the longest ago first.
        self.reading: dict[str, OrderedDict[asyncio.Timeout, float]] = {}

    async def read(self, chunks: AsyncIterable[bytes], length: int, network: str) -> BinaryIO:
        """The body of `length` bytes, at its beginning. Raises BodyStalledError or BodyCutOffError."""
        # The type checker's picture of it lacks the methods that the standard promises.
        body = cast("BinaryIO", tempfile.SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115 - the request closes it
        try:
            async with asyncio.timeout(self.limits.silence) as clock:
                with self.place(network, clock) as moved:
                    await self.receive(chunks, length, body, moved)
        except BaseException as problem:
            body.close()
            if isinstance(problem, TimeoutError):
                raise BodyStalledError from problem
            raise
        body.seek(0)
        return body

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

    @contextmanager
    def place(self, network: str, clock: asyncio.Timeout) -> Iterator[Any]:
        """One of the places of a network, for as long as the body takes; yields what to call whenever bytes came."""
        loop = asyncio.get_running_loop()
        places = self.reading.setdefault(network, OrderedDict())
        if len(places) >= self.limits.places:
            longest, since = next(iter(places.items()))
            if loop.time() - since > self.limits.patience:
                del places[longest]
                # One whose time is over is on its way out.
                if not longest.expired():
                    longest.reschedule(loop.time())
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
