"""Of the connections of one address the idle ones beyond a limit are shut."""

from __future__ import annotations

import resource
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from clubs.server.connections import (
    DESCRIPTORS,
    LOOKS_BETWEEN,
    ConnectionGuard,
    call_every,
    connections_of_a_worker,
    connections_of_an_address,
)
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
        clients.append(stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=60)))
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


def test_who_has_too_many_is_noted_once_in_a_while(stack: ExitStack) -> None:
    noted: list[int] = []
    port, _, _ = connections(stack, 4)
    guard = ConnectionGuard(port, 2, NOBODY, note=lambda: noted.append(1))
    guard.look()
    guard.look()
    assert noted == [1]
    ConnectionGuard(port, 4, NOBODY, note=lambda: noted.append(2)).look()
    assert noted == [1]


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


def test_connection_without_a_byte_for_too_long_is_shut_and_one_that_moves_is_not(stack: ExitStack) -> None:
    port, clients, ours = connections(stack, 3)
    begin = time.monotonic()
    # Long enough for a busy machine to look while the one that moves has been silent for less than half of it.
    time.sleep(2)
    clients[1].sendall(b"GET")
    assert ours[1].recv(3) == b"GET"
    guard = ConnectionGuard(port, 1500, NOBODY, longest_silence=(time.monotonic() - begin) / 2)
    assert [guard.look() for _ in range(LOOKS_BETWEEN)] == [0] * (LOOKS_BETWEEN - 1) + [2]
    assert [is_open(client) for client in clients] == [False, True, False]


def test_one_address_never_has_all_connections_of_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 1024))
    assert connections_of_a_worker() == 768
    assert connections_of_an_address(1500) == 384
    assert connections_of_an_address(100) == 100


def test_who_looks_goes_on_looking_after_something_broke() -> None:
    """Also whoever comes after it: the last look ends the process where its server has ended."""
    looked, times = threading.Event(), []

    def broken() -> None:
        times.append(1)
        if len(times) == 1:
            raise OSError("no descriptor is left")

    def last() -> None:
        if len(times) > 1:
            looked.set()

    call_every(broken, last, every=0.01)
    assert looked.wait(60)


def test_looking_leaves_sqlite_the_locks_on_its_database(tmp_path: Path) -> None:
    """Without them another process that closes the database takes its newest pages away."""
    database = tmp_path / "database.sqlite3"
    with closing(sqlite3.connect(database, isolation_level=None)) as ours:
        ours.execute("PRAGMA journal_mode = WAL")
        ours.execute("CREATE TABLE written (number)")
        ConnectionGuard(1, 0, NOBODY).look()
        other = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM written').connection.close()"
        subprocess.run([sys.executable, "-c", other, str(database)], check=True)
        assert Path(f"{database}-wal").exists()
        ours.execute("INSERT INTO written VALUES (1)")
