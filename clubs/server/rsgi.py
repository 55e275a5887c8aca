"""The RSGI application (granian's own interface), which `make run` serves.

The event loop reads each body whole, under limits (`request_bodies.py`), and only then hands the request to a thread
that runs the WSGI application. One thread does what only reads and one what writes, so that reading goes on while
nobody can write; a post that is most likely refused counts as reading (`refusals.py`). More threads would only compete
for the interpreter. Of those who ask, the network comes first that has taken least of the time. One that reads much
while others write rests in between (`fair_queue.py`): both share the interpreter, and a page that takes long makes a
post take twice as long.
"""

from __future__ import annotations

import asyncio
import io
import logging
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection

from clubs.server.connections import (
    LONGEST_SILENCE,
    ConnectionGuard,
    call_every,
    connections_of_an_address,
    exit_with_parent,
)
from clubs.server.environ import environ_of
from clubs.server.fair_queue import FairQueue
from clubs.server.loaded import application as wsgi_application
from clubs.server.loaded import start_threads
from clubs.server.refusals import Refusals
from clubs.server.request_bodies import BodyCutOffError, BodyStalledError, RequestBodies
from clubs.site.body_room import NoRoomError
from clubs.site.middleware import NO_ROOM_FOR_BODY, WAITED_TOO_LONG, WHOLE, is_too_big
from clubs.site.proxies import TrustedProxies
from scoresheets.access.network import network_of
from scoresheets.access.throttle import CONNECTIONS, note_reached

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol as HTTPProtocol
    from granian.rsgi import Scope

journal = logging.getLogger("clubs.problems")

STALLED = "The rest of this request did not come. Nothing was saved: send it again."
TOO_MANY_WAIT = "Too much is asked from your network at once. Nothing was saved: send it again in a moment."
RETRY_AFTER = "5"
#: What only reads (RFC 9110).
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
#: Seconds after which a request that writes is no longer tried: the one before it has waited for a lock so long. With
#: its own wait for one, it is answered before the script on a phone gives up.
LONGEST_WAIT = 5.0
#: For so long a request that reads lets one that writes go first; not one that is at it for longer than a post takes,
#: because it waits for a lock or writes much.
WRITER_FIRST, A_POST = 0.05, 0.25
#: For how long a thread keeps the interpreter from another one, in seconds. Whoever answers gives it up with every
#: query and has to get it back: with Python's own 0.005 a post beside pages that take long waited for 0.3 seconds.
TURN = 0.0005
#: Of one network that reads much while others write: how long it rests after a page, times as long as that took.
REST = 3.0
PLAIN = [("content-type", "text/plain; charset=utf-8")]


class Application:
    """Answers requests of granian with the answers of a WSGI application."""

    def __init__(self, wsgi: Callable[..., Iterable[bytes]], proxies: TrustedProxies, bodies: RequestBodies) -> None:
        self.wsgi, self.proxies, self.bodies = wsgi, proxies, bodies
        self.writing = FairQueue()
        self.reading = FairQueue(rest=REST, beside=self.writing)
        self.refusals = Refusals()
        self.nobody_writes, self.write_begun = threading.Event(), 0.0
        self.nobody_writes.set()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads of this process: two answer, one looks after connections, the others are the site's."""
        sys.setswitchinterval(TURN)
        start_threads()
        for queue, name in ((self.reading, "reading"), (self.writing, "writing")):
            threading.Thread(target=queue.work, name=name, daemon=True).start()
        most = connections_of_an_address(settings.CONNECTIONS_PER_ADDRESS)
        # No request that is answered is silent for so long.
        silence = max(LONGEST_SILENCE, 2 * settings.LONGEST_REQUEST)
        guard = ConnectionGuard(settings.PORT, most, self.proxies, longest_silence=silence, note=note_connections)
        call_every(guard.look, exit_with_parent())

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        environ = environ_of(scope)
        client = self.proxies.client(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR", ""))
        network = network_of(client)
        try:
            environ["wsgi.input"] = await self.body_of(environ, protocol, network)
        except BodyStalledError:
            protocol.response_str(408, PLAIN, STALLED)
            return
        except NoRoomError:
            # A page says so: none of the body is read.
            environ["wsgi.input"] = io.BytesIO()
            environ[NO_ROOM_FOR_BODY] = True
        except BodyCutOffError:
            protocol.response_empty(400, [])
            return
        loop = asyncio.get_running_loop()
        answered, arrived, place = loop.create_future(), time.monotonic(), (network, scope.path)
        only_reads = scope.method in SAFE_METHODS or place in self.refusals

        def finish() -> None:
            # Whoever asked may be gone.
            if not answered.done():
                answered.set_result(None)

        def job() -> None:
            try:
                if only_reads:
                    if time.monotonic() - self.write_begun < A_POST:
                        self.nobody_writes.wait(WRITER_FIRST)
                    status = self.answer(environ, protocol)
                else:
                    status = self.write(environ, protocol, waited=time.monotonic() - arrived)
                if scope.method not in SAFE_METHODS:
                    self.refusals.note(place, status)
            finally:
                loop.call_soon_threadsafe(finish)

        if (self.reading if only_reads else self.writing).put(network, job):
            await answered
        else:
            environ["wsgi.input"].close()
            protocol.response_str(503, [*PLAIN, ("retry-after", RETRY_AFTER)], TOO_MANY_WAIT)

    async def body_of(self, environ: dict[str, Any], protocol: HTTPProtocol, network: str) -> Any:
        """The body, whole. One that the site refuses by its length is not read at all."""
        header = environ.get("CONTENT_LENGTH", "")
        length = int(header) if WHOLE.fullmatch(header) else 0
        if not length or is_too_big(environ["PATH_INFO"], length):
            return io.BytesIO()
        return await self.bodies.read(protocol, length, network)

    def write(self, environ: dict[str, Any], protocol: HTTPProtocol, *, waited: float) -> int:
        """Answer a request that writes, which has waited for so many seconds."""
        if waited > LONGEST_WAIT:
            environ[WAITED_TOO_LONG] = True
        self.write_begun = time.monotonic()
        self.nobody_writes.clear()
        try:
            return self.answer(environ, protocol)
        finally:
            self.nobody_writes.set()

    def answer(self, environ: dict[str, Any], protocol: HTTPProtocol) -> int:
        """Let the application answer, and send that: the status. What breaks is written to the journal."""
        try:
            return self.send(environ, protocol)
        except Exception:
            # Not the address of the page: that of a sheet is its key.
            journal.exception("A request broke outside of Django.")
            protocol.response_empty(500, [])
            return 500
        finally:
            environ["wsgi.input"].close()

    def send(self, environ: dict[str, Any], protocol: HTTPProtocol) -> int:
        status, headers = 200, list[tuple[str, str]]()

        def start_response(line: str, given: list[tuple[str, str]], *_: object) -> None:
            nonlocal status, headers
            status, headers = int(line[:3]), [(name.lower(), value) for name, value in given]

        parts = self.wsgi(environ, start_response)
        try:
            if any(name == "content-length" for name, _ in headers) or status in (204, 304):
                protocol.response_bytes(status, headers, b"".join(parts))
            else:
                stream = protocol.response_stream(status, headers)
                for part in parts:
                    # It is sent by the call; what is returned is for those who wait for it.
                    _ = stream.send_bytes(part)
        finally:
            if hasattr(parts, "close"):
                parts.close()
        return status


def note_connections() -> None:
    """Tell the owner that one network wanted too many connections."""
    try:
        note_reached(CONNECTIONS)
    finally:
        # This thread needs the database for nothing else.
        connection.close()


application = Application(wsgi_application, TrustedProxies(settings.TRUSTED_PROXIES), RequestBodies())
