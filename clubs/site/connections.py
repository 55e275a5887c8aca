"""Connections of one address: the idle ones beyond a limit are closed, so that nobody takes up all of them.

The server accepts connections by itself and knows no limit by address. A thread of each worker looks every second:
where one address has too many, those that have been silent longest are shut. Linux tells how long that is; elsewhere
nothing is shut.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
import time
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from scoresheets.access.network import network_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from clubs.site.proxies import TrustedProxies

DESCRIPTORS = Path("/proc/self/fd")
#: `struct tcp_info` of Linux: where it has the milliseconds since data was last sent, and last received, and how many
#: bytes were received in all; and its length up to there.
LAST_SENT, LAST_RECEIVED, BYTES_RECEIVED = 44, 52, 128
LENGTH = 136


class Connection(NamedTuple):
    """A connection by its descriptor, whose it is, whether it asked anything, and its milliseconds of silence."""

    descriptor: int
    network: str
    peer: tuple[str, int]
    has_asked: bool
    silent: int


class ConnectionGuard:
    """Shuts connections to `port` of whoever has more than `most`; those of trusted proxies are theirs to count."""

    def __init__(self, port: int, most: int, proxies: TrustedProxies) -> None:
        self.port, self.most, self.proxies = port, most, proxies

    def look(self) -> int:
        """Shut what is too much; how many that were. While few connections are open, it costs next to nothing."""
        if not sys.platform.startswith("linux"):
            return 0
        descriptors = [int(file.name) for file in DESCRIPTORS.iterdir()]
        if len(descriptors) <= self.most:
            return 0
        by_network: defaultdict[str, list[Connection]] = defaultdict(list)
        for descriptor in descriptors:
            connection = self.connection_at(descriptor)
            if connection and connection.peer[0] not in self.proxies:
                by_network[connection.network].append(connection)
        too_many = [
            connection
            for connections in by_network.values()
            for connection in sorted(connections, key=usefulness)[: max(0, len(connections) - self.most)]
        ]
        for connection in too_many:
            shut(connection)
        return len(too_many)

    def connection_at(self, descriptor: int) -> Connection | None:
        """The connection of a client at that descriptor, if it is one."""
        with suppress(OSError, ValueError), duplicate(descriptor) as twin:
            if twin.family in (socket.AF_INET, socket.AF_INET6) and twin.getsockname()[1] == self.port:
                peer = twin.getpeername()[:2]
                state = twin.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LENGTH)
                silent = min(struct.unpack_from("I", state, at)[0] for at in (LAST_SENT, LAST_RECEIVED))
                (received,) = struct.unpack_from("Q", state, BYTES_RECEIVED)
                return Connection(descriptor, network_of(peer[0]), peer, received > 0, silent)
        return None


def usefulness(connection: Connection) -> tuple[bool, int]:
    """Those to shut come first: who never asked anything, then who has been silent longest."""
    return connection.has_asked, -connection.silent


def shut(connection: Connection) -> None:
    """End a connection; whoever holds it reads the end of it. Another one may have its descriptor by now."""
    with suppress(OSError), duplicate(connection.descriptor) as twin:
        if twin.getpeername()[:2] == connection.peer:
            twin.shutdown(socket.SHUT_RDWR)


def duplicate(descriptor: int) -> socket.socket:
    """A socket of our own for that descriptor, so that closing it closes nothing."""
    twin = os.dup(descriptor)
    try:
        return socket.socket(fileno=twin)
    except OSError:
        # It is a file.
        os.close(twin)
        raise


def exit_with_parent() -> Callable[[], None]:
    """What to call every now and then to end this process when the one that started it has ended."""
    parent = os.getppid()

    def look() -> None:
        if os.getppid() != parent:
            os._exit(1)

    return look


def keep_looking(*looks: Callable[[], object], every: float = 1.0) -> None:
    """A thread that calls each of them every second."""

    def forever() -> None:
        while True:
            time.sleep(every)
            for look in looks:
                look()

    threading.Thread(target=forever, name="connections", daemon=True).start()
