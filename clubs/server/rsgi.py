"""The RSGI application (granian's own interface), which `make run` serves.

The event loop reads each body whole, under limits (`request_bodies.py`), and only then hands the request to the one
thread that runs the WSGI application. A second thread would only compete for the interpreter.
"""

from __future__ import annotations

import asyncio
import io
import logging
import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from django.conf import settings

from clubs.server.connections import (
    LONGEST_SILENCE,
    ConnectionGuard,
    call_every,
    connections_of_an_address,
    exit_with_parent,
)
from clubs.server.environ import environ_of
from clubs.server.loaded import application as wsgi_application
from clubs.server.loaded import start_threads
from clubs.server.request_bodies import BodyCutOffError, BodyStalledError, RequestBodies
from clubs.site.body_room import NoRoomError
from clubs.site.middleware import NO_ROOM_FOR_BODY, WHOLE, is_too_big
from clubs.site.proxies import TrustedProxies
from scoresheets.access.network import network_of

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol as HTTPProtocol
    from granian.rsgi import Scope

journal = logging.getLogger("clubs.problems")

STALLED = "The rest of this request did not come. Nothing was saved: send it again."
PLAIN = [("content-type", "text/plain; charset=utf-8")]


class Application:
    """Answers requests of granian with the answers of a WSGI application."""

    def __init__(self, wsgi: Callable[..., Iterable[bytes]], proxies: TrustedProxies, bodies: RequestBodies) -> None:
        self.wsgi, self.proxies, self.bodies = wsgi, proxies, bodies
        self.jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads of this process: one answers, one looks after connections, the others are the site's."""
        start_threads()
        threading.Thread(target=self.work, name="requests", daemon=True).start()
        most = connections_of_an_address(settings.CONNECTIONS_PER_ADDRESS)
        # No request that is answered is silent for so long.
        silence = max(LONGEST_SILENCE, 2 * settings.LONGEST_REQUEST)
        guard = ConnectionGuard(settings.PORT, most, self.proxies, longest_silence=silence)
        call_every(guard.look, exit_with_parent())

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        environ = environ_of(scope)
        try:
            environ["wsgi.input"] = await self.body_of(environ, protocol)
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
        answered = loop.create_future()

        def job() -> None:
            try:
                self.answer(environ, protocol)
            finally:
                loop.call_soon_threadsafe(answered.set_result, None)

        self.jobs.put(job)
        await answered

    async def body_of(self, environ: dict[str, Any], protocol: HTTPProtocol) -> Any:
        """The body, whole. One that the site refuses by its length is not read at all."""
        header = environ.get("CONTENT_LENGTH", "")
        length = int(header) if WHOLE.fullmatch(header) else 0
        if not length or is_too_big(environ["PATH_INFO"], length):
            return io.BytesIO()
        client = self.proxies.client(environ["REMOTE_ADDR"], environ.get("HTTP_X_FORWARDED_FOR", ""))
        return await self.bodies.read(protocol, length, network_of(client))

    def work(self) -> None:
        """Do one request after the other, for as long as the process lives."""
        while True:
            self.jobs.get()()

    def answer(self, environ: dict[str, Any], protocol: HTTPProtocol) -> None:
        """Let the application answer, and send that; what breaks is written to the journal."""
        try:
            self.send(environ, protocol)
        except Exception:
            # Not the address of the page: that of a sheet is its key.
            journal.exception("A request broke outside of Django.")
            protocol.response_empty(500, [])
        finally:
            environ["wsgi.input"].close()

    def send(self, environ: dict[str, Any], protocol: HTTPProtocol) -> None:
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


application = Application(wsgi_application, TrustedProxies(settings.TRUSTED_PROXIES), RequestBodies())
