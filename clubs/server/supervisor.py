"""The supervisor: it starts the server, and starts it again if it ends by itself.

granian replaces a worker that ends, but ends itself if the same one ends twice within seconds. This process is its
parent and knows nothing of the site: `manage.py` runs it for `serve`. It ends on a signal, or with a server that never
opened because its settings are wrong. The first server writes a line HOST:PORT and the welcome text into a pipe. The
text is printed as soon as somebody listens there: links that are printed open at once.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from types import FrameType

#: Seconds between the end of a server and the next: more after each that lived no longer than `SHORT`.
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 10.0
SHORT = 60.0
#: Seconds a server has to end when it is told to.
GRACE = 8.0
#: In the environment of the first server the number of the pipe; in that of a later one the empty text.
WELCOME = "BOX_AND_CIRCLE_WELCOME"
#: Bytes that a pipe holds.
MOST_WELCOME = 65536
#: Linux: send this process a signal when its parent ends.
PR_SET_PDEATHSIG = 1


class Supervisor:
    """Keeps one server running until a signal says otherwise."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.server: subprocess.Popen[bytes] | None = None
        self.told_to_end = False
        self.has_opened = False

    def run(self) -> int:
        """The exit status once it is over."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.end)
        signal.signal(signal.SIGHUP, self.reload)
        pause = FIRST_PAUSE
        while True:
            begun = time.monotonic()
            status = self.serve_once()
            if self.told_to_end:
                return 0
            if not self.has_opened:
                return status or 1
            pause = FIRST_PAUSE if time.monotonic() - begun > SHORT else min(pause * 2, LONGEST_PAUSE)
            print_line(f"The server has ended (status {status}): it is started again.")
            self.wait(pause)

    def serve_once(self) -> int:
        """Start the server and wait for its end."""
        welcome, pipe = os.pipe()
        number, passed = ("", []) if self.has_opened else (str(pipe), [pipe])
        self.server = subprocess.Popen(  # noqa: S603 - it is ours
            self.command, preexec_fn=end_with_parent, env=os.environ | {WELCOME: number}, pass_fds=passed
        )
        os.close(pipe)
        try:
            return self.follow(self.server, welcome)
        finally:
            os.close(welcome)

    def follow(self, server: subprocess.Popen[bytes], welcome: int) -> int:
        """Print the text in the pipe `welcome` when the server has opened; the status of the server, at its end."""
        handed_over = ""
        while server.poll() is None:
            if self.has_opened:
                # The system wakes it up: to wait with a limit is to look twenty times a second.
                server.wait()
                continue
            handed_over += what_is_in(welcome)
            place, _, text = handed_over.partition("\n")
            if text and answers(address_of(place)):
                self.has_opened = True
                sys.stdout.write(text + what_is_in(welcome))
                sys.stdout.flush()
            else:
                self.wait(0.2)
        return server.returncode

    def wait(self, seconds: float) -> None:
        """Wait for the end of the server, for so long; between two servers, just wait."""
        if self.server and self.server.returncode is None:
            with suppress(subprocess.TimeoutExpired):
                self.server.wait(seconds)
        elif not self.told_to_end:
            time.sleep(seconds)

    def end(self, number: int, frame: FrameType | None) -> None:
        """End the server, and with it this process."""
        self.told_to_end = True
        if self.server is None or self.server.returncode is not None:
            sys.exit(0)
        self.server.terminate()
        # Whoever does not end in time is ended.
        signal.signal(signal.SIGALRM, self.kill)
        signal.setitimer(signal.ITIMER_REAL, GRACE)

    def kill(self, number: int, frame: FrameType | None) -> None:
        if self.server:
            self.server.kill()

    def reload(self, number: int, frame: FrameType | None) -> None:
        if self.server:
            self.server.send_signal(number)


def is_restart() -> bool:
    """Whether this process is a server that was started because another had ended."""
    return os.environ.get(WELCOME) == ""


def answers(address: tuple[str, int]) -> bool:
    """Whether somebody listens there."""
    with suppress(OSError), socket.create_connection(address, timeout=1):
        return True
    return False


def address_of(place: str) -> tuple[str, int]:
    """What HOST:PORT stands for."""
    host, _, port = place.rpartition(":")
    return host, int(port)


def what_is_in(pipe: int) -> str:
    """The text that was written into it since the last time, without waiting for more."""
    os.set_blocking(pipe, False)
    try:
        return os.read(pipe, MOST_WELCOME).decode()
    except BlockingIOError:
        return ""


def end_with_parent() -> None:
    """Called in the server's process before it begins: it ends with its supervisor, even where that is killed."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def print_line(sentence: str) -> None:
    sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {sentence}\n")
    sys.stderr.flush()


def main(*command: str) -> int:
    return Supervisor(command).run()
