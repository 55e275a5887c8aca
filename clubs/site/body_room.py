"""Memory limits for request bodies: the most bytes in a process, in total and for one address.

A body counts with the length it announces, from before its first byte until its request is answered. A small one, as
every tap is, needs no room. If the total is reached, the address that holds most gives some of it up, so that nobody
can keep the others out.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

#: Bytes of a body that always has room. Connections are counted, and so many times this is little.
SMALL = 4096
#: Forty photos of a club behind one router, in two processes, and twice as much for everybody together.
OF_ADDRESS, IN_ALL = 128 << 20, 256 << 20


class NoRoomError(Exception):
    """Too many bytes are under way from this address, or from all together."""


class BodyRoom:
    """The room of one process."""

    def __init__(self, of_address: int = OF_ADDRESS, in_all: int = IN_ALL) -> None:
        self.of_address, self.in_all = of_address, in_all
        #: Bodies come in the event loop and leave in the threads that answer.
        self.lock = RLock()
        #: By network what holds room there, the oldest first.
        self.held: dict[str, dict[RoomOfBody, int]] = {}

    def take(self, network: str, length: int, give_up: Callable[[], None]) -> RoomOfBody:
        """Room for a body; `give_up` is called where it has to leave before it is whole. Raises NoRoomError."""
        holding = RoomOfBody(self, network, give_up)
        if length > SMALL:
            with self.lock:
                self.make_room(network, length)
                self.held.setdefault(network, {})[holding] = length
        return holding

    def make_room(self, network: str, length: int) -> None:
        wanted = self.bytes_of(network) + length
        if wanted > self.of_address:
            raise NoRoomError
        while sum(map(self.bytes_of, self.held)) + length > self.in_all:
            most = max(self.held, key=self.bytes_of, default=network)
            oldest = next((each for each in self.held.get(most, {}) if not each.is_whole), None)
            if oldest is None or self.bytes_of(most) <= wanted:
                raise NoRoomError
            oldest.leave()
            oldest.give_up()

    def bytes_of(self, network: str) -> int:
        return sum(self.held.get(network, {}).values())


class RoomOfBody:
    """What one body holds of it."""

    def __init__(self, room: BodyRoom, network: str, give_up: Callable[[], None]) -> None:
        self.room, self.network, self.give_up = room, network, give_up
        #: It has been read, and waits for its answer.
        self.is_whole = False

    def leave(self) -> None:
        """Give it back; a second time changes nothing."""
        with self.room.lock:
            theirs = self.room.held.get(self.network, {})
            theirs.pop(self, None)
            if not theirs:
                self.room.held.pop(self.network, None)
