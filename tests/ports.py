"""A port for a server of a test."""

import secrets
import socket
from contextlib import suppress

#: Below those that the system gives away by itself: another test's connection could have it before the server does.
PORTS = range(10_000, 32_000)


def free_port() -> int:
    """A port of loopback nobody uses at this moment; another one for every process that asks, whatever its dice are."""
    while True:
        port = secrets.choice(PORTS)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


def is_open(port: int) -> bool:
    """Whether somebody listens there."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=60):
        return True
    return False
