"""The RSGI application (granian's own interface), which `make run` serves.

The event loop reads each body whole, under limits (`request_bodies.py`), and only then hands the request to a thread
that runs the WSGI application. One thread does what only reads and one what writes, so that reading goes on while
nobody can write; a post that is most likely refused counts as reading (`refusals.py`), and a page that would write
while the database is locked joins those who write. More threads would only compete for the interpreter.

Networks get equal shares of a thread, and so do clients of a network (`fair_queue.py`). Who reads much while others
write rests in between: both threads share the interpreter, and a page that takes long makes a post take twice as long.
"""

from __future__ import annotations

import asyncio
import io
import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.signals import request_finished
from django.db import connection

from clubs.server.connections import (
    LONGEST_SILENCE,
    ConnectionGuard,
    call_every,
    connections_of_an_address,
    exit_with_parent,
)
from clubs.server.environ import environ_of
from clubs.server.fair_queue import MUCH, FairQueue, Job, Source
from clubs.server.loaded import application as wsgi_application
from clubs.server.loaded import start_threads
from clubs.server.refusals import TOO_MANY, Refusals
from clubs.server.request_bodies import BodyCutOffError, BodyStalledError, RequestBodies
from clubs.site.body_room import NoRoomError
from clubs.site.databases import note_locks
from clubs.site.middleware import NO_ROOM_FOR_BODY, WAITED_TOO_LONG, WHOLE, is_too_big
from clubs.site.proxies import TrustedProxies
from clubs.sqlite.lock_wait import LONGEST_WAIT, DatabaseLocked, lock_wait
from scoresheets.access.network import network_of, prefix_of
from scoresheets.access.throttle import CONNECTIONS, note_reached

if TYPE_CHECKING:
    from granian._granian import RSGIHTTPProtocol as HTTPProtocol
    from granian.rsgi import Scope

journal = logging.getLogger("clubs.problems")

STALLED = "The rest of this request did not come. Nothing was saved: send it again."
TOO_MANY_WAIT = "Too much is asked from your network at once. Nothing was saved: send it again in a moment."
RETRY_AFTER = "5"
#: The least status of an answer that says: this was not done.
BAD_REQUEST = 400
#: What only reads (RFC 9110).
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
#: Seconds after which it is worth knowing whether a client is still there.
PATIENCE = 0.25
#: For so many seconds the thread that reads waits for a lock. Where it waited in vain, it does not wait at all for the
#: next second.
A_MOMENT, A_WHILE = 0.05, 1.0
#: So many clients that keep score are known; what they send goes below this path.
MOST_CLIENTS, SHEETS = 1000, "/sheets/"
#: For so long a request that reads lets one that writes go first; not one that is at it for longer than a post takes,
#: because it waits for a lock or writes much.
WRITER_FIRST, A_POST = 0.05, 0.25
#: For how long a thread keeps the interpreter from another one, in seconds. Whoever answers gives it up with every
#: query and has to get it back: with Python's own 0.005 a post beside pages that take long waited for 0.3 seconds.
TURN = 0.0005
#: Of one network that reads much while others write: how long it rests after a page, times as long as that took; no
#: longer than `fair_queue.BESIDE`.
REST = 6.0
PLAIN = [("content-type", "text/plain; charset=utf-8")]


class Request:
    """A request whose body is there: whose it is, what is done for it, and whether its client is still there."""

    #: What waits in a queue, or what a thread is doing; None once it is done.
    job: Job | None = None

    def __init__(self, environ: dict[str, Any], protocol: HTTPProtocol, source: Source, *, only_reads: bool) -> None:
        self.environ, self.protocol, self.source, self.only_reads = environ, protocol, source, only_reads
        self.place = source.network, environ["PATH_INFO"]
        self.arrived, self.has_hung_up = time.monotonic(), False
        self.loop = asyncio.get_running_loop()
        self.over = self.loop.create_future()

    @property
    def is_safe(self) -> bool:
        return self.environ["REQUEST_METHOD"] in SAFE_METHODS

    @property
    def has_waited_too_long(self) -> bool:
        """It is no longer tried then: the one before it has waited for a lock so long.

        With its own wait for one, it is answered before the script on a phone gives up.
        """
        return time.monotonic() - self.arrived > LONGEST_WAIT

    def refuse(self, sentence: str) -> None:
        """Answer that it was not done, and when to send it again."""
        self.protocol.response_str(503, [*PLAIN, ("retry-after", RETRY_AFTER)], sentence)

    def finish(self) -> None:
        """Nothing more is done for it. For any thread."""
        self.job = None
        try:
            self.environ["wsgi.input"].close()
        finally:
            self.loop.call_soon_threadsafe(self.say_over)

    def say_over(self) -> None:
        # Whoever asked may be gone.
        if not self.over.done():
            self.over.set_result(None)


class Application:
    """Answers requests of granian with the answers of a WSGI application."""

    def __init__(self, wsgi: Callable[..., Iterable[bytes]], proxies: TrustedProxies, bodies: RequestBodies) -> None:
        self.wsgi, self.proxies, self.bodies = wsgi, proxies, bodies
        self.writing = FairQueue()
        self.reading = FairQueue(rest=REST, beside=self.writing)
        self.refusals, self.clients = Refusals(), dict[int, None]()
        self.nobody_writes, self.write_begun, self.writer_took = threading.Event(), 0.0, 0.0
        self.nobody_writes.set()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads of this process: two answer, one looks after connections, the others are the site's."""
        sys.setswitchinterval(TURN)
        # Ctrl-C reaches every process of a terminal. The server ends its workers.
        loop.add_signal_handler(signal.SIGINT, lambda: None)
        start_threads()
        for work, name in ((self.read_forever, "reading"), (self.write_forever, "writing")):
            threading.Thread(target=work, name=name, daemon=True).start()
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
        source = Source(prefix_of(network), network, self.client_of(environ))
        only_reads = scope.method in SAFE_METHODS or (network, environ["PATH_INFO"]) in self.refusals
        request = Request(environ, protocol, source, only_reads=only_reads)
        if self.put(request):
            await self.until_over(request)
        else:
            request.refuse(TOO_MANY_WAIT)
            request.finish()

    async def body_of(self, environ: dict[str, Any], protocol: HTTPProtocol, network: str) -> Any:
        """The body, whole. One that the site refuses by its length is not read at all."""
        header = environ.get("CONTENT_LENGTH", "")
        length = int(header) if WHOLE.fullmatch(header) else 0
        if not length or is_too_big(environ["PATH_INFO"], length):
            return io.BytesIO()
        return await self.bodies.read(protocol, length, network)

    def client_of(self, environ: dict[str, Any]) -> str:
        """Whoever wrote on a sheet under these cookies, so that others of the network are not before them; else ""."""
        cookies = hash(environ.get("HTTP_COOKIE", ""))
        return str(cookies) if cookies in self.clients else ""

    async def until_over(self, request: Request) -> None:
        """Wait until the request is over. For a client that hangs up nothing is read any more.

        What it sent is still written: whoever hangs up, whether on purpose or out of reach, did not take it back. The
        server does not hear of a client that has sent more than its request before it hung up.
        """
        if (await asyncio.wait([request.over], timeout=PATIENCE))[0]:
            return
        hung_up = asyncio.ensure_future(request.protocol.client_disconnect())
        either = request.over, hung_up
        if not (await asyncio.wait(either, timeout=LONGEST_WAIT, return_when=asyncio.FIRST_COMPLETED))[0]:
            self.refuse_if_it_waits(request)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not request.over.done():
            request.has_hung_up = True
            if request.is_safe and request.job and self.reading.withdraw(request.source, request.job):
                request.finish()
        hung_up.cancel()
        await request.over

    def refuse_if_it_waits(self, request: Request) -> None:
        """Have the thread that reads refuse a request that has waited too long for those before it to write.

        Each of them may wait for a lock as long, and the queue counts only time of the processor.
        """
        if not request.only_reads and request.job and self.writing.withdraw(request.source, request.job):
            request.environ[WAITED_TOO_LONG] = True
            request.only_reads = True
            if not self.put(request):
                request.refuse(TOO_MANY_WAIT)
                request.finish()

    def put(self, request: Request) -> bool:
        """Whether the request waits now in the queue where it belongs."""
        request.job = self.job_of(request)
        return (self.reading if request.only_reads else self.writing).put(request.source, request.job)

    def job_of(self, request: Request) -> Job:
        """What a thread does for the request."""

        def job() -> None:
            is_over = True
            try:
                is_over = self.read(request) if request.only_reads else self.write(request)
            finally:
                if is_over:
                    request.finish()

        return job

    def read_forever(self) -> None:
        """What the thread does that reads. It waits for no lock of SQLite for long.

        PostgreSQL locks rows, of which a page that only reads needs none.
        """
        lock_wait.seconds = A_MOMENT
        connection.execute_wrappers.append(note_locks)
        self.reading.work()

    def write_forever(self) -> None:
        connection.execute_wrappers.append(note_locks)
        self.writing.work()

    def read(self, request: Request) -> bool:
        """Answer a request that most likely only reads: whether it is over.

        A page that finds the database locked is made again by the thread that writes. A post is not: some of it may be
        done already.
        """
        if self.lets_writer_go_first(request.source):
            self.nobody_writes.wait(WRITER_FIRST)
        lock_wait.pause = A_WHILE if request.is_safe else 0.0
        try:
            self.answer(request)
        except DatabaseLocked:
            # A page that breaks off has not told Django that it is over.
            request_finished.send(type(self))
            request.environ["wsgi.input"].seek(0)
            request.only_reads = False
            if self.put(request):
                return False
            request.refuse(TOO_MANY_WAIT)
        return True

    def lets_writer_go_first(self, source: Source) -> bool:
        """Whether a page lets whoever writes now go first: not if their network took much, and more than its own."""
        is_short = time.monotonic() - self.write_begun < A_POST
        return is_short and self.writer_took <= max(MUCH, self.reading.taken_by(source))

    def write(self, request: Request) -> bool:
        """Answer a request that writes, in its turn; it is over then."""
        if request.has_hung_up and (request.is_safe or request.has_waited_too_long):
            return True
        if request.has_waited_too_long:
            request.environ[WAITED_TOO_LONG] = True
        self.writer_took = self.writing.taken_by(request.source)
        self.write_begun = time.monotonic()
        self.nobody_writes.clear()
        try:
            if self.answer(request) < BAD_REQUEST and not request.is_safe:
                self.note_client(request.environ)
            return True
        finally:
            self.nobody_writes.set()

    def answer(self, request: Request) -> int:
        """Let the application answer, and send that: the status. What breaks is written to the journal.

        Raises DatabaseLocked in the thread that reads, before anything is sent.
        """
        begun = time.monotonic()
        try:
            status, headers, body = self.ask(request.environ)
            if status == TOO_MANY and lock_wait.found_at > begun:
                # What counts how often somebody tries was locked: nobody knows whether it was too often.
                request.environ["wsgi.input"].seek(0)
                status, headers, body = self.ask(request.environ | {WAITED_TOO_LONG: True})
            if not request.is_safe:
                self.refusals.note(request.place, status)
            request.protocol.response_bytes(status, headers, body)
            return status
        except DatabaseLocked:
            raise
        except BaseException:
            # Not the address of the page: that of a sheet is its key. SystemExit would end the thread.
            journal.exception("A request broke outside of Django.")
            request.protocol.response_empty(500, [])
            return 500

    def ask(self, environ: dict[str, Any]) -> tuple[int, list[tuple[str, str]], bytes]:
        """The status, headers and body with which the WSGI application answers.

        The body is whole: one that breaks halfway would look as if it was.
        """
        status, headers = 200, list[tuple[str, str]]()

        def start_response(line: str, given: list[tuple[str, str]], *_: object) -> None:
            nonlocal status, headers
            status, headers = int(line[:3]), [(name.lower(), value) for name, value in given]

        # Django writes into it, and a page may be asked for again.
        parts = self.wsgi(dict(environ), start_response)
        try:
            body = b"".join(parts)
            return status, headers, body
        finally:
            if hasattr(parts, "close"):
                parts.close()

    def note_client(self, environ: dict[str, Any]) -> None:
        """Know whoever wrote on a sheet by their cookies. The one that came first is forgotten first."""
        if environ["PATH_INFO"].startswith(SHEETS) and (cookies := environ.get("HTTP_COOKIE", "")):
            self.clients[hash(cookies)] = None
            if len(self.clients) > MOST_CLIENTS:
                del self.clients[next(iter(self.clients))]


def note_connections() -> None:
    """Tell the owner that one network wanted too many connections."""
    try:
        note_reached(CONNECTIONS)
    finally:
        # This thread needs the database for nothing else.
        connection.close()


application = Application(wsgi_application, TrustedProxies(settings.TRUSTED_PROXIES), RequestBodies())
