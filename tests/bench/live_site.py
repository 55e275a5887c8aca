"""The site as it really runs: `manage.py serve` with all its processes, on a folder of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.ports import free_port

PROJECT = Path(__file__).resolve().parents[2]


class LiveSite:
    """A site on loopback whose database, secret and journal lie in `var`.

    `open` returns when it answers, `close` asks it to end, `kill` ends all its processes with SIGKILL. `under` are the
    words of a command that runs it, and what is `run` for it.
    """

    under: Sequence[str] = ()

    def __init__(self, var: Path, *, settings: str = "clubs.settings", **environment: str) -> None:
        self.var, self.port = var, free_port()
        self.journal = var / "journal"
        given = {"VAR": str(var), "PORT": str(self.port), "HOST": "127.0.0.1", "DEMO": "0", "SETTINGS_FILE": os.devnull}
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        self.environment = kept | given | {"DJANGO_SETTINGS_MODULE": settings} | environment
        self.process: subprocess.Popen[bytes] | None = None

    def open(self, *, until: str = "") -> None:
        """Return when it answers, or when its journal says `until`."""
        self.var.mkdir(parents=True, exist_ok=True)
        with self.journal.open("ab") as journal:
            # A session of its own, so that all processes of the server can be reached, and no other.
            self.process = subprocess.Popen(
                [*self.under, sys.executable, "manage.py", "serve"], cwd=PROJECT, env=self.environment,
                stdin=subprocess.DEVNULL, stdout=journal, stderr=journal, start_new_session=True,
            )  # fmt: skip
        if until:
            self.wait_for_line(until)
        else:
            self.wait_for_answer()

    def wait_for_line(self, text: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process and self.process.poll() is None:
            if text in self.journal.read_text():
                return
            time.sleep(0.02)
        raise RuntimeError(f"The site did not say {text!r}:\n{self.journal.read_text()[-3000:]}")

    def wait_for_answer(self, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process is None or self.process.poll() is not None:
                break
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=5) as probe:
                probe.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                if probe.recv(64).startswith(b"HTTP/1.1 200"):
                    return
            time.sleep(0.02)
        raise RuntimeError(f"The site did not open:\n{self.journal.read_text()[-3000:]}")

    def kill(self) -> None:
        """No process of it has a chance to say goodbye."""
        if self.process:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(30)
            self.process = None

    def close(self) -> None:
        if self.process:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(10)
            with suppress(ProcessLookupError):
                self.kill()
            self.process = None

    def run(self, *command: str, **more: Any) -> str:
        """The output of a Python command with the same settings and database: `run("manage.py", "backup")`."""
        answer = subprocess.run(
            [*self.under, sys.executable, *command], cwd=PROJECT, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, **more,
        )  # fmt: skip
        if answer.returncode:
            raise RuntimeError(f"{command}:\n{answer.stdout}{answer.stderr}")
        return answer.stdout

    def __enter__(self) -> LiveSite:
        self.open()
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
