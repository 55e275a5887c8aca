"""A program of another site, on loopback: it answers posts as it is told, and remembers them."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Got:
    """A post that came."""

    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Receiver:
    """`answers` are the next statuses with headers; with none left it is `usual`. It hangs while `open` is not set."""

    usual: int = 204
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    got: list[Got] = field(default_factory=list)
    open: threading.Event = field(default_factory=threading.Event)
    port: int = 0
    is_tls: bool = False

    def url(self, path: str = "/hook") -> str:
        return f"{'https' if self.is_tls else 'http'}://127.0.0.1:{self.port}{path}"


def handler_of(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            receiver.got.append(Got(self.path, dict(self.headers.items()), body))
            receiver.open.wait(60)
            status, headers = receiver.answers.pop(0) if receiver.answers else (receiver.usual, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Nothing is written."""

    return Handler


@contextmanager
def receiving(port: int = 0, receiver: Receiver | None = None, tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """One that runs; over TLS with the certificate of `tls`."""
    receiver = receiver or Receiver()
    receiver.open.set()
    server = ThreadingHTTPServer(("127.0.0.1", port), handler_of(receiver))
    if tls is not None:
        # Who breaks off the handshake is an OSError to the server, which then takes the next.
        server.socket, receiver.is_tls = tls.wrap_socket(server.socket, server_side=True), True
    server.daemon_threads = True
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield receiver
    finally:
        receiver.open.set()
        server.shutdown()
        server.server_close()
        thread.join(10)
