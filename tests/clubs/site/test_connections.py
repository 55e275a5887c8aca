"""Of the connections of one address the idle ones beyond a limit are shut."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from clubs.site.connections import DESCRIPTORS, ConnectionGuard
from clubs.site.proxies import TrustedProxies

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells")

NOBODY = TrustedProxies([])


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def connections(stack: ExitStack, count: int) -> tuple[int, list[socket.socket], list[socket.socket]]:
    """A port, so many clients connected to it, and the server's ends of that."""
    listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    port = listener.getsockname()[1]
    clients, ours = [], []
    for _ in range(count):
        clients.append(stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5)))
        ours.append(stack.enter_context(listener.accept()[0]))
    return port, clients, ours


def is_open(client: socket.socket) -> bool:
    client.setblocking(False)
    try:
        return client.recv(1) != b""
    except BlockingIOError:
        return True


def test_who_asked_something_stays_and_who_never_did_goes(stack: ExitStack) -> None:
    port, clients, ours = connections(stack, 6)
    for number in (0, 3):
        clients[number].sendall(b"GET")
        assert ours[number].recv(3) == b"GET"
    assert ConnectionGuard(port, 2, NOBODY).look() == 4
    assert [is_open(client) for client in clients] == [True, False, False, True, False, False]


def test_nobody_is_shut_who_has_no_more_than_others_may(stack: ExitStack) -> None:
    port, clients, _ = connections(stack, 3)
    assert ConnectionGuard(port, 3, NOBODY).look() == 0
    assert ConnectionGuard(port + 1, 1, NOBODY).look() == 0
    assert all(is_open(client) for client in clients)


def test_connections_of_a_trusted_proxy_are_its_own_to_count(stack: ExitStack) -> None:
    port, clients, _ = connections(stack, 3)
    assert ConnectionGuard(port, 1, TrustedProxies(["127.0.0.1"])).look() == 0
    assert all(is_open(client) for client in clients)


def test_looking_leaves_nothing_open(stack: ExitStack) -> None:
    port, _, _ = connections(stack, 3)
    before = len(list(DESCRIPTORS.iterdir()))
    for _ in range(3):
        ConnectionGuard(port, 1, NOBODY).look()
    assert len(list(DESCRIPTORS.iterdir())) == before
