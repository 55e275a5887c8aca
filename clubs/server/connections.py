"""Connections of one address: idle ones beyond a limit are closed, so that nobody takes up all of them.

The server accepts connections by itself and knows no limit by address. A thread of each worker looks every second: if
one address has too many, those that have been silent longest are shut. Every ten seconds it also shuts those that have
been silent for a minute: the server itself waits without end for a client that never sends a byte, and for HTTP/2. Only
Linux reports how long that is; elsewhere nothing is shut.
"""

from __future__ import annotations

import logging
import os
import resource
import socket
import struct
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from clubs.site.proxies import TrustedProxies
from scoresheets.access.network import network_of

DESCRIPTORS = Path("/proc/self/fd")
#: Seconds without a byte in either direction; no request takes so long. Looked for once in so many looks.
LONGEST_SILENCE, LOOKS_BETWEEN = 60.0, 10
#: Seconds for which nothing more is said of somebody who has too many.
NOTED_AGAIN = 600.0
#: Connections of a worker, at most; and the files it needs for itself.
MOST_CONNECTIONS = 16_384
OWN_FILES = 256
#: `struct tcp_info` of Linux: where it has the milliseconds since data was last sent, and last received, and how many
#: bytes were received in all; and its length up to there.
LAST_SENT, LAST_RECEIVED, BYTES_RECEIVED = 44, 52, 128
LENGTH = 136

journal = logging.getLogger("clubs.problems")


def connections_of_a_worker() -> int:
    """How many connections each worker takes: as many as it may have files open, less those it needs itself."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(256, min(MOST_CONNECTIONS, most - OWN_FILES))


def connections_of_an_address(wanted: int) -> int:
    """How many of them one address may have: as many as the settings say, and never more than half."""
    return min(wanted, connections_of_a_worker() // 2)


class Connection(NamedTuple):
    """A connection by its descriptor, whose it is, whether it asked anything, and its milliseconds of silence."""

    descriptor: int
    network: str
    peer: tuple[str, int]
    has_asked: bool
    silent: int


class ConnectionGuard:
    """Shuts connections to `port` that are silent for too long, and those of whoever has more than `most`.

    Connections of trusted proxies are theirs to count. `longest_silence` in seconds. `note` is called when somebody
    has too many, at most once in ten minutes.
    """

    def __init__(
        self, port: int, most: int, proxies: TrustedProxies, *, longest_silence: float = LONGEST_SILENCE,
        note: Callable[[], object] = lambda: None,
    ) -> None:  # fmt: skip
        self.port, self.most, self.proxies, self.longest_silence = port, most, proxies, longest_silence
        self.looks = 0
        self.note, self.noted = note, -NOTED_AGAIN

    def look(self) -> int:
        """Shut what is too much; how many that were. While few connections are open, it costs next to nothing."""
        if not sys.platform.startswith("linux"):
            return 0
        self.looks += 1
        descriptors = [int(file.name) for file in DESCRIPTORS.iterdir()]
        if len(descriptors) <= self.most and self.looks % LOOKS_BETWEEN:
            return 0
        by_network: defaultdict[str, list[Connection]] = defaultdict(list)
        for descriptor in descriptors:
            connection = self.connection_at(descriptor)
            if connection and connection.peer[0] not in self.proxies:
                by_network[connection.network].append(connection)
        too_many = [connection for connections in by_network.values() for connection in self.too_many(connections)]
        for connection in too_many:
            shut_down(connection)
        if any(len(connections) > self.most for connections in by_network.values()):
            self.note_once()
        return len(too_many)

    def note_once(self) -> None:
        now = time.monotonic()
        if now - self.noted > NOTED_AGAIN:
            self.noted = now
            self.note()

    def too_many(self, connections: list[Connection]) -> list[Connection]:
        """Those of one network that are to be shut."""
        by_use = sorted(connections, key=usefulness)
        surplus = max(0, len(by_use) - self.most)
        silent = [each for each in by_use[surplus:] if each.silent > self.longest_silence * 1000]
        return by_use[:surplus] + silent

    def connection_at(self, descriptor: int) -> Connection | None:
        """The connection of a client at that descriptor, if it is one."""
        with suppress(OSError, ValueError), borrowed(descriptor) as its:
            if its.family in (socket.AF_INET, socket.AF_INET6) and its.getsockname()[1] == self.port:
                peer = its.getpeername()[:2]
                state = its.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, LENGTH)
                silent = min(struct.unpack_from("I", state, at)[0] for at in (LAST_SENT, LAST_RECEIVED))
                (received,) = struct.unpack_from("Q", state, BYTES_RECEIVED)
                return Connection(descriptor, network_of(peer[0]), peer, received > 0, silent)
        return None


def usefulness(connection: Connection) -> tuple[bool, int]:
    """Those to shut come first: who never asked anything, then who has been silent longest."""
    return connection.has_asked, -connection.silent


def shut_down(connection: Connection) -> None:
    """End a connection; whoever holds it reads the end of it. Another one may have its descriptor by now."""
    with suppress(OSError), borrowed(connection.descriptor) as its:
        if its.getpeername()[:2] == connection.peer:
            its.shutdown(socket.SHUT_RDWR)


@contextmanager
def borrowed(descriptor: int) -> Iterator[socket.socket]:
    """The socket of that descriptor. Raises OSError where it has none.

    Nothing is duplicated: where a process closes any descriptor of a file, the system takes away all locks it holds on
    that file, and so SQLite would lose its database.
    """
    connection = socket.socket(fileno=descriptor)
    try:
        yield connection
    finally:
        connection.detach()


def exit_with_parent() -> Callable[[], None]:
    """What to call every now and then to end this process when the one that started it has ended."""
    parent = os.getppid()

    def look() -> None:
        if os.getppid() != parent:
            os._exit(1)

    return look


def call_every(*looks: Callable[[], object], every: float = 1.0) -> None:
    """A thread that calls each of them every second; where one breaks, it is called again a second later."""

    def forever() -> None:
        while True:
            time.sleep(every)
            for look in looks:
                try:
                    look()
                except Exception as problem:
                    journal.error("Looking after connections broke: %s.", type(problem).__qualname__)

    threading.Thread(target=forever, name="connections", daemon=True).start()
