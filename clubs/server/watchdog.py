"""The watchdog: it ends a worker that is stuck, so that a new one is started.

A phone that goes out of reach in the middle of a post leaves a worker waiting for the rest, and the server has no time
limit for that: two such phones would close the site for the evening. Nothing that was answered is lost with a worker,
and the phone sends the rest again.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]

journal = logging.getLogger("clubs.problems")


class Watchdog:
    """A WSGI wrapper that knows the running request of each thread; `end` is called when one takes too long."""

    def __init__(self, application: Application, longest: float, end: Callable[[], None]) -> None:
        self.application, self.longest, self.end = application, longest, end
        self.begun: dict[int, float] = {}

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        thread = threading.get_ident()
        self.begun[thread] = time.monotonic()
        try:
            return self.application(environ, start_response)
        finally:
            del self.begun[thread]

    def check(self) -> None:
        """End the process if a request is stuck."""
        if any(time.monotonic() - begin > self.longest for begin in list(self.begun.values())):
            journal.error("A request took longer than %.0f seconds: this worker is restarted.", self.longest)
            self.end()

    def check_forever(self) -> None:
        while True:
            time.sleep(self.longest / 6)
            self.check()

    def start(self) -> None:
        """Look after the requests of this process in a thread of it, for as long as it lives."""
        threading.Thread(target=self.check_forever, name="watchdog", daemon=True).start()
