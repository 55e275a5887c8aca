"""Kept-alive connections to the site, one or many, held by a single thread that costs little.

What goes over a line is a *talk*: a generator that yields the bytes of a request and is sent the `Answer`, or yields a
number of seconds to wait. `converse` holds many talks at once, each on a line of its own.
"""

from __future__ import annotations

import heapq
import re
import selectors
import socket
import time
from collections.abc import Generator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

#: Any secret of this form is a token; a post must only bring the same twice.
TOKEN = "o" * 32
LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.I)


class Answer(NamedTuple):
    """What the site said: status, the raw head, the body as it came, and the seconds until it was there whole."""

    status: int
    head: bytes
    body: bytes
    seconds: float


Talk = Generator[bytes | float, Answer | None, None]


class CutOff(Exception):
    """The site closed the line, or said something that is no answer."""


def get(path: str, **headers: str) -> bytes:
    """The bytes of a request for a page."""
    return request("GET", path, {"Accept": "text/html", **headers})


def post(path: str, fields: Mapping[str, object], *, cookie: str = "", accept: str = "application/json") -> bytes:
    """The bytes of a post as the pad's script sends it, with the token of the site and the cookie of a phone."""
    said = {name: value if isinstance(value, list) else str(value) for name, value in fields.items()}
    body = urlencode(said, doseq=True).encode()
    headers = {
        "Accept": accept,
        "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
        "Content-Length": str(len(body)),
        "Cookie": f"csrftoken={TOKEN}" + (f"; pencil={cookie}" if cookie else ""),
        "X-CSRFToken": TOKEN,
    }
    return request("POST", path, headers) + body


def request(method: str, path: str, headers: Mapping[str, str]) -> bytes:
    usual = {"Host": "127.0.0.1", "User-Agent": "Mozilla/5.0 (a phone)", "Accept-Encoding": "gzip, deflate"}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in (usual | dict(headers)).items()]
    return "\r\n".join([f"{method} {path} HTTP/1.1", *lines, "", ""]).encode()


class Line:
    """One connection, from another address of this machine if `source` says so."""

    def __init__(self, port: int, *, source: str = "") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30, source_address=(source, 0))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.came = b""
        self.begun = 0.0

    def send(self, said: bytes) -> None:
        self.came, self.begun = b"", time.perf_counter()
        self.socket.sendall(said)

    def receive(self) -> Answer | None:
        """What has come by now; the answer once it is whole."""
        came = self.socket.recv(1 << 18)
        if not came:
            raise CutOff(f"closed after {self.came[:200]!r}")
        self.came += came
        head, end, body = self.came.partition(b"\r\n\r\n")
        if not end:
            return None
        status = int(head[9:12])
        length = LENGTH.search(head)
        if length is None and status not in (204, 304):
            raise CutOff(f"an answer that does not say how long it is: {head!r}")
        if length and len(body) < int(length[1]) and status != 304:
            return None
        return Answer(status, head, body, time.perf_counter() - self.begun)

    def ask(self, said: bytes) -> Answer:
        """Send a request and wait for the answer."""
        self.send(said)
        while True:
            if answer := self.receive():
                return answer

    def close(self) -> None:
        self.socket.close()


def converse(lines: Sequence[Line], talks: Sequence[Talk], *, within: float) -> None:
    """Hold the talks at once, each on the line of its number, until all have ended.

    Raises `TimeoutError` when they have not after `within` seconds, `CutOff` when the site hangs up.
    """
    end = time.perf_counter() + within
    waiting: list[tuple[float, int]] = []
    open_talks = len(talks)

    def go_on(number: int, answer: Answer | None) -> None:
        nonlocal open_talks
        try:
            what = talks[number].send(answer)
        except StopIteration:
            open_talks -= 1
            return
        if isinstance(what, bytes):
            lines[number].send(what)
        else:
            heapq.heappush(waiting, (time.perf_counter() + what, number))

    with selectors.DefaultSelector() as selector:
        for number, line in enumerate(lines[: len(talks)]):
            selector.register(line.socket, selectors.EVENT_READ, number)
        for number in range(len(talks)):
            go_on(number, None)
        while open_talks:
            now = time.perf_counter()
            if now > end:
                raise TimeoutError(f"{open_talks} talks had not ended after {within:.0f} seconds")
            while waiting and waiting[0][0] <= now:
                go_on(heapq.heappop(waiting)[1], None)
            pause = max(0.0, min(end, waiting[0][0]) - time.perf_counter()) if waiting else 1.0
            for key, _ in selector.select(pause if open_talks else 0):
                if answer := lines[key.data].receive():
                    go_on(key.data, answer)
