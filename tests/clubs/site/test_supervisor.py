"""The server is started again whenever it ends by itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from clubs.server.supervisor import WELCOME
from tests.ports import free_port, is_open
from tests.waiting import until

PROJECT = Path(__file__).resolve().parents[3]

#: What the first server writes into its pipe; a later one has none.
HANDS_OVER = f"""
import os, pathlib, socket, sys, time
if pipe := os.environ[{WELCOME!r}]:
    os.write(int(pipe), f"127.0.0.1:{{sys.argv[1]}}\\nBox & Circle is open\\n".encode())
"""
#: Writes its process number, listens, and writes a line whenever somebody connects, until its end.
SERVER = f"""{HANDS_OVER}
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listens, open(sys.argv[2], "a") as journal:
    print(os.getpid(), file=journal, flush=True)
    while True:
        listens.accept()[0].close()
        print("somebody connects", file=journal, flush=True)
"""


def supervise(*command: str, **more: Any) -> subprocess.Popen[bytes]:
    run = "import sys; from clubs.server import supervisor; sys.exit(supervisor.main(*sys.argv[1:]))"
    return subprocess.Popen([sys.executable, "-c", run, *command], cwd=PROJECT, **more)


def started(journal: Path) -> list[int]:
    """The numbers of the processes that were started."""
    return [int(line) for line in journal.read_text().splitlines() if line.isdigit()] if journal.exists() else []


@pytest.mark.thorough
def test_server_that_is_killed_again_and_again_is_started_again_and_ends_when_told(tmp_path: Path) -> None:
    port, journal = free_port(), tmp_path / "journal"
    supervisor = supervise(sys.executable, "-c", SERVER, str(port), str(journal))
    # The supervisor has seen it open.
    until(lambda: started(journal) and "somebody connects" in journal.read_text())
    for time_around in (1, 2, 3):
        until(lambda wanted=time_around: len(started(journal)) == wanted)
        os.kill(started(journal)[-1], signal.SIGKILL)
    until(lambda: len(started(journal)) == 4 and is_open(port))
    supervisor.terminate()
    assert supervisor.wait(60) == 0
    assert not is_open(port)


def test_server_that_never_opens_ends_it_with_its_status() -> None:
    supervisor = supervise(sys.executable, "-c", "raise SystemExit(7)")
    assert supervisor.wait(60) == 7


#: Hands the welcome over, waits until it is let go on, and then listens until its end.
LATE_SERVER = f"""{HANDS_OVER}
print("the server waits", flush=True)
while not pathlib.Path(sys.argv[2]).exists():
    time.sleep(0.01)
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listens:
    while True:
        listens.accept()[0].close()
"""


def test_links_are_printed_when_they_open_and_not_before(tmp_path: Path) -> None:
    port, go_on, journal = free_port(), tmp_path / "go-on", tmp_path / "journal"
    with journal.open("w") as output:
        command = (sys.executable, "-c", LATE_SERVER, str(port), str(go_on))
        supervisor = supervise(*command, stdout=output)
    until(lambda: "the server waits" in journal.read_text())
    assert "is open" not in journal.read_text()
    go_on.touch()
    until(lambda: "is open" in journal.read_text())
    assert journal.read_text() == "the server waits\nBox & Circle is open\n"
    supervisor.terminate()
    assert supervisor.wait(60) == 0
