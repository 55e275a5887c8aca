"""The server is started again whenever it ends by itself."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ports import free_port

PROJECT = Path(__file__).resolve().parents[3]

#: Writes its process number, listens, and waits for its end.
SERVER = """
import os, signal, socket, sys
with socket.create_server(("127.0.0.1", int(sys.argv[1]))), open(sys.argv[2], "a") as journal:
    print(os.getpid(), file=journal, flush=True)
    signal.pause()
"""


def supervise(*command: str, port: int) -> subprocess.Popen[bytes]:
    place = f"127.0.0.1:{port}"
    return subprocess.Popen([sys.executable, "-m", "clubs.server.supervisor", place, *command], cwd=PROJECT)


def started(journal: Path) -> list[int]:
    return [int(line) for line in journal.read_text().split()] if journal.exists() else []


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


def connects(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


@pytest.mark.thorough
def test_server_that_is_killed_again_and_again_is_started_again_and_ends_when_told(tmp_path: Path) -> None:
    port, journal = free_port(), tmp_path / "journal"
    supervisor = supervise(sys.executable, "-c", SERVER, str(port), str(journal), port=port)
    for time_around in (1, 2, 3):
        wait_until(lambda wanted=time_around: len(started(journal)) == wanted and connects(port))
        if time_around == 1:
            # Until the supervisor has seen it open.
            time.sleep(0.5)
        os.kill(started(journal)[-1], signal.SIGKILL)
    wait_until(lambda: len(started(journal)) == 4)
    supervisor.terminate()
    assert supervisor.wait(30) == 0
    assert not connects(port)


def test_server_that_never_opens_ends_it_with_its_status() -> None:
    supervisor = supervise(sys.executable, "-c", "raise SystemExit(7)", port=free_port())
    assert supervisor.wait(30) == 7
