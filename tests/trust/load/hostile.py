"""`python -m tests.trust.load.hostile PORT SECONDS WATCH SHEETS CROWD`: a guest who keeps a site from others.

From an address of their own: 200 connections, bodies and readers that are slow, the dearest pages again and again, so
many new sheets, and watchers that ask without a pause. At last so many connections at once that the site ends some. It
prints what came of it, in JSON by status.
"""

from __future__ import annotations

import json
import os
import resource
import secrets
import select
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from tests.bench.lines import CutOff, Line, get, post

GUEST = "127.9.9.9"
IDLE, SLOW_BODIES, SLOW_READERS, DEAR, OPENING, WATCHERS = 200, 40, 20, 4, 8, 20
#: So many sheets are tried one after the other, on one connection.
SHEETS_ON_A_LINE = 20
#: Seconds after the end until all must have happened.
LONGEST = 240.0
SLOW_BODY = (
    b"POST /open/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 100000\r\n\r\n"
)


class Guest:
    """Who does it. `heard` counts what each kind of request was answered."""

    def __init__(self, port: int, seconds: float, watch: str, sheets: int) -> None:
        self.port, self.watch, self.sheets = port, watch, sheets
        self.end = time.monotonic() + seconds
        self.latest = self.end + LONGEST
        self.heard: Counter[str] = Counter()

    @property
    def goes_on(self) -> bool:
        """Until the time is over and so many sheets were tried: on a busy machine later."""
        now = time.monotonic()
        return now < self.end or (now < self.latest and self.tried < self.sheets)

    @property
    def tried(self) -> int:
        """How many sheets it wanted to open."""
        return sum(times for what, times in dict(self.heard).items() if what.startswith("sheet "))

    def line(self) -> Line:
        return Line(self.port, source=GUEST)

    def again_and_again(self, act: Callable[[], None]) -> None:
        while self.goes_on:
            try:
                act()
            except (OSError, CutOff, ValueError):
                self.heard["cut off"] += 1
                time.sleep(0.05)

    def idle(self) -> None:
        """A connection that says nothing, held until the site ends it."""
        line = self.line()
        with suppress(TimeoutError):
            line.socket.settimeout(max(0.1, self.end - time.monotonic()))
            line.socket.recv(1)
        line.close()
        time.sleep(0.2)

    def slow_body(self) -> None:
        line = self.line()
        line.socket.sendall(SLOW_BODY)
        while self.goes_on:
            line.socket.sendall(b"a")
            time.sleep(0.4)
        line.close()

    def slow_reader(self) -> None:
        """Asks for a large page and takes a byte of it now and then."""
        line = self.line()
        line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        for _ in range(20):
            line.socket.sendall(get(f"/watch/{self.watch}/", Accept_Encoding="identity"))
        while self.goes_on:
            line.socket.recv(1)
            time.sleep(0.5)
        line.close()

    def ask(self, kind: str, *requests: bytes) -> None:
        line = self.line()
        try:
            for said in requests:
                self.heard[f"{kind} {line.ask(said).status}"] += 1
        finally:
            line.close()

    def dear(self) -> None:
        pages = ("", "preview.png", "picture.svg", "history/", "result/")
        self.ask("page", *(get(f"/watch/{self.watch}/{page}") for page in pages), get("/open/"))

    def open_sheets(self) -> None:
        names = ["Ann", "Bo", "Cy", "Di"]
        fields = {"game": "dirty-dog", "name": names, "pick": [""] * len(names), "dealer": 1}
        keys = (secrets.token_urlsafe(18) for _ in range(SHEETS_ON_A_LINE))
        self.ask("sheet", *(post("/open/", fields | {"key": key}) for key in keys))

    def watch_on(self) -> None:
        self.ask("poll", *[get(f"/watch/{self.watch}/rows/?v=0", HX_Request="true")] * 20)

    def come(self) -> None:
        acts = [
            *[self.idle] * IDLE, *[self.slow_body] * SLOW_BODIES, *[self.slow_reader] * SLOW_READERS,
            *[self.dear] * DEAR, *[self.open_sheets] * OPENING, *[self.watch_on] * WATCHERS,
        ]  # fmt: skip
        threads = [threading.Thread(target=self.again_and_again, args=[act], daemon=True) for act in acts]
        for thread in threads:
            thread.start()
        while self.goes_on:
            time.sleep(0.1)

    def crowd(self, connections: int) -> None:
        """So many connections at once that say nothing, held until the site has ended some."""
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        lines, ended = [], select.poll()
        for _ in range(connections):
            with suppress(OSError):
                lines.append(self.line())
                ended.register(lines[-1].socket, select.POLLIN)
        ended.poll(30_000)
        # Each process of the site looks every second.
        time.sleep(2)
        self.heard["ended of a crowd"] = len(ended.poll(0))


def main(port: str, seconds: str, watch: str, sheets: str, crowd: str) -> None:
    # The machine of a guest is another one: it takes no processor from the site.
    os.nice(19)
    guest = Guest(int(port), float(seconds), watch, int(sheets))
    guest.come()
    if int(crowd):
        guest.crowd(int(crowd))
    sys.stdout.write(json.dumps(guest.heard))


if __name__ == "__main__":
    main(*sys.argv[1:])
