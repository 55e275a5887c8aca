"""A request on its way to a thread and back: who hangs up, who finds the database locked, who breaks."""

from __future__ import annotations

import asyncio
import gc
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast
from unittest.mock import patch

import pytest

from clubs.server.fair_queue import MUCH, FairQueue, Source
from clubs.server.request_bodies import RequestBodies
from clubs.server.rsgi import A_WHILE, MOST_CLIENTS, TOO_MANY_WAIT, Application, Request
from clubs.site.middleware import WAITED_TOO_LONG
from clubs.site.proxies import TrustedProxies
from clubs.sqlite.lock_wait import DatabaseLocked, lock_wait


class Phone:
    """What granian hands over of a connection (RSGI), with what a phone does and was answered."""

    def __init__(self, body: bytes = b"") -> None:
        self.body = body
        self.answers = list[tuple[int, bytes]]()
        self.hung_up, self.was_asked = asyncio.get_running_loop().create_future(), False

    async def __aiter__(self) -> Any:
        yield self.body

    async def client_disconnect(self) -> None:
        self.was_asked = True
        await asyncio.shield(self.hung_up)

    def hang_up(self) -> None:
        self.hung_up.set_result(None)

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.answers.append((status, body))

    def response_str(self, status: int, headers: list[tuple[str, str]], body: str) -> None:
        self.answers.append((status, body.encode()))

    def response_empty(self, status: int, headers: list[tuple[str, str]]) -> None:
        self.answers.append((status, b""))


class Scope:
    """What granian says of a request."""

    proto, http_version, scheme, query_string, authority = "http", "1.1", "http", "", None
    server, client = "127.0.0.1:8000", "192.0.2.1:40000"

    def __init__(self, method: str = "GET", path: str = "/", **headers: str) -> None:
        self.method, self.path, self.headers = method, path, headers


class Site:
    """The application over a WSGI site that does as it is told, and whose jobs are done when the test says so."""

    def __init__(self, *answers: Callable[[dict[str, Any]], bytes] | bytes) -> None:
        self.bodies, self.asked = list(answers), list[dict[str, Any]]()
        self.application = Application(self.answer, TrustedProxies([]), RequestBodies())

    def answer(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        self.asked.append(dict(environ, sent=environ["wsgi.input"].read()))
        answer = self.bodies.pop(0)
        body = answer(environ) if callable(answer) else answer
        start_response(environ.get("status", "200 OK"), [("Content-Length", str(len(body)))])
        return [body]

    def ask(self, phone: Phone, scope: Scope) -> asyncio.Task[None]:
        return asyncio.ensure_future(self.application.__rsgi__(cast("Any", scope), cast("Any", phone)))

    async def do_next(self, queue: FairQueue) -> None:
        assert queue.all.waiting, "nothing could be done"
        await asyncio.to_thread(queue.do_next)

    async def waits_in(self, queue: FairQueue, jobs: int = 1) -> None:
        while queue.all.waiting != jobs:
            await asyncio.sleep(0.001)

    async def answers(self, queue: FairQueue, phone: Phone, scope: Scope) -> None:
        """The request waits in that queue, is done, and over."""
        asked = self.ask(phone, scope)
        await self.waits_in(queue)
        await self.do_next(queue)
        await asked

    async def hears_of(self, phone: Phone) -> None:
        """The phone hangs up, and the site knows of it."""
        while not phone.was_asked:
            await asyncio.sleep(0.001)
        phone.hang_up()
        # It takes some rounds of the event loop, and nothing else.
        for _ in range(50):
            await asyncio.sleep(0)


@pytest.fixture(autouse=True)
def asks_at_once() -> Iterator[None]:
    """Whether a client is still there."""
    with patch("clubs.server.rsgi.PATIENCE", 0.001):
        yield


def found_locked(environ: dict[str, Any]) -> bytes:
    raise DatabaseLocked


def test_page_is_read_by_one_thread_and_a_post_written_by_the_other() -> None:
    async def both() -> None:
        site, reader, writer = Site(b"a page", b"written"), Phone(), Phone(b"bid=1")
        asked = site.ask(reader, Scope()), site.ask(writer, Scope("POST", **{"content-length": "5"}))
        await site.waits_in(site.application.reading)
        await site.waits_in(site.application.writing)
        await site.do_next(site.application.reading)
        await site.do_next(site.application.writing)
        await asyncio.gather(*asked)
        assert (reader.answers, writer.answers) == ([(200, b"a page")], [(200, b"written")])
        assert [environ["sent"] for environ in site.asked] == [b"", b"bid=1"]

    asyncio.run(both())


def test_nothing_is_read_for_who_has_hung_up() -> None:
    async def hang_up() -> None:
        site, phone = Site(), Phone()
        asked = site.ask(phone, Scope())
        await site.waits_in(site.application.reading)
        phone.hang_up()
        await asked
        assert site.application.reading.all.waiting == 0
        assert site.asked == phone.answers == []

    asyncio.run(hang_up())


def test_what_was_sent_by_who_has_hung_up_is_written() -> None:
    async def hang_up() -> None:
        site, phone = Site(b"written"), Phone(b"bid=1")
        asked = site.ask(phone, Scope("POST", **{"content-length": "5"}))
        await site.waits_in(site.application.writing)
        await site.hears_of(phone)
        await site.do_next(site.application.writing)
        await asked
        assert [environ["sent"] for environ in site.asked] == [b"bid=1"]

    asyncio.run(hang_up())


def test_post_that_waited_too_long_is_refused_and_no_longer_looked_at_where_nobody_waits() -> None:
    async def wait() -> None:
        site, patient, gone = Site(b"refused"), Phone(), Phone()
        first, second = site.ask(patient, Scope("POST")), site.ask(gone, Scope("POST"))
        await site.waits_in(site.application.writing, 2)
        await site.hears_of(gone)
        with patch("clubs.server.rsgi.LONGEST_WAIT", -1):
            await site.do_next(site.application.writing)
            await site.do_next(site.application.writing)
        await asyncio.gather(first, second)
        assert [environ.get(WAITED_TOO_LONG) for environ in site.asked] == [True]
        assert (patient.answers, gone.answers) == ([(200, b"refused")], [])

    asyncio.run(wait())


def test_post_is_refused_while_those_before_it_still_wait() -> None:
    async def wait() -> None:
        site, phone, gone = Site(b"refused", b"refused"), Phone(b"bid=1"), Phone(b"bid=1")
        with patch("clubs.server.rsgi.LONGEST_WAIT", 0.01):
            asked = [site.ask(one, Scope("POST", **{"content-length": "5"})) for one in (phone, gone)]
            await site.waits_in(site.application.reading, 2)
        assert site.application.writing.all.waiting == 0
        await site.hears_of(gone)
        for _ in asked:
            await site.do_next(site.application.reading)
        await asyncio.gather(*asked)
        assert phone.answers == [(200, b"refused")]
        assert [environ.get(WAITED_TOO_LONG) for environ in site.asked] == [True, True]

    asyncio.run(wait())


def test_page_that_waits_long_is_not_looked_for_among_those_who_write() -> None:
    async def wait() -> None:
        site, phone = Site(b"a page"), Phone()
        application = site.application
        refuse = patch.object(application, "refuse_if_it_waits", wraps=application.refuse_if_it_waits)
        with patch("clubs.server.rsgi.LONGEST_WAIT", 0.01), refuse as looked:
            asked = site.ask(phone, Scope())
            await site.waits_in(application.reading)
            while not looked.called:
                await asyncio.sleep(0.001)
        # A flow would be kept for every source that asks.
        assert not application.writing.all.flows
        await site.do_next(application.reading)
        await asked
        assert phone.answers == [(200, b"a page")]

    asyncio.run(wait())


def test_post_that_waited_too_long_is_refused_where_too_many_read() -> None:
    async def wait() -> None:
        site, phone = Site(), Phone(b"bid=1")
        with patch("clubs.server.rsgi.LONGEST_WAIT", 0.01):
            asked = site.ask(phone, Scope("POST", **{"content-length": "5"}))
            await site.waits_in(site.application.writing)
            with patch("clubs.server.fair_queue.MOST_WAITING", 0):
                await asked
        assert (site.asked, phone.answers) == ([], [(503, TOO_MANY_WAIT.encode())])

    asyncio.run(wait())


def test_page_that_finds_the_database_locked_waits_with_those_who_write() -> None:
    async def find() -> None:
        site, phone = Site(found_locked, b"a page"), Phone()
        asked = site.ask(phone, Scope())
        await site.waits_in(site.application.reading)
        await site.do_next(site.application.reading)
        assert phone.answers == []
        await site.waits_in(site.application.writing)
        await site.do_next(site.application.writing)
        await asked
        assert phone.answers == [(200, b"a page")]

    asyncio.run(find())


def test_page_that_finds_it_locked_is_refused_where_too_many_wait_to_write() -> None:
    async def find() -> None:
        site, phone = Site(found_locked), Phone()
        asked = site.ask(phone, Scope())
        await site.waits_in(site.application.reading)
        with patch("clubs.server.fair_queue.MOST_WAITING", 0):
            await site.do_next(site.application.reading)
        await asked
        assert phone.answers == [(503, TOO_MANY_WAIT.encode())]

    asyncio.run(find())


def test_page_breaks_off_at_a_lock_and_a_post_does_not() -> None:
    """Some of the post may be done already. It is refused, and can be sent again."""
    pauses = list[float]()

    def looks(environ: dict[str, Any]) -> bytes:
        pauses.append(lock_wait.pause)
        return b""

    async def ask() -> None:
        site, phone = Site(looks, looks, looks), Phone()
        site.application.refusals.note(("192.0.2.1", "/"), 429)
        for method in ("GET", "POST", "HEAD"):
            await site.answers(site.application.reading, phone, Scope(method))

    asyncio.run(ask())
    assert pauses == [A_WHILE, 0, A_WHILE]


def test_post_that_waits_where_one_reads_is_done_for_who_has_hung_up() -> None:
    async def hang_up() -> None:
        site, phone = Site(b"written"), Phone(b"bid=1")
        site.application.refusals.note(("192.0.2.1", "/"), 429)
        asked = site.ask(phone, Scope("POST", **{"content-length": "5"}))
        await site.waits_in(site.application.reading)
        await site.hears_of(phone)
        await site.do_next(site.application.reading)
        await asked
        assert [environ["sent"] for environ in site.asked] == [b"bid=1"]

    asyncio.run(hang_up())


def test_page_that_is_made_again_is_the_same_page() -> None:
    """Django writes into the environment that it is given."""

    def changes(environ: dict[str, Any]) -> bytes:
        environ["PATH_INFO"] = "/another/"
        raise DatabaseLocked

    async def ask() -> None:
        site, phone = Site(changes, b"a page"), Phone()
        asked = site.ask(phone, Scope(path="/ü/"))
        await site.waits_in(site.application.reading)
        await site.do_next(site.application.reading)
        await site.do_next(site.application.writing)
        await asked
        assert [environ["PATH_INFO"] for environ in site.asked] == ["/ü/".encode().decode("latin-1")] * 2

    asyncio.run(ask())


def test_what_counts_as_too_often_while_the_count_was_locked_is_refused_for_the_lock() -> None:
    def too_often(environ: dict[str, Any]) -> bytes:
        lock_wait.in_vain()
        environ["status"] = "429 Too Many Requests"
        return b"too often"

    def try_again(environ: dict[str, Any]) -> bytes:
        environ["status"] = "503 Service Unavailable"
        return b"try again"

    async def ask() -> None:
        site, phone = Site(too_often, try_again), Phone()
        await site.answers(site.application.writing, phone, Scope("POST", "/login/"))
        assert phone.answers == [(503, b"try again")]
        assert site.asked[1][WAITED_TOO_LONG]
        assert ("192.0.2.1", "/login/") not in site.application.refusals

    asyncio.run(ask())


def test_page_that_waits_with_those_who_write_is_not_read_for_who_hangs_up_there() -> None:
    async def find() -> None:
        site, phone = Site(found_locked), Phone()
        asked = site.ask(phone, Scope())
        await site.waits_in(site.application.reading)
        await site.do_next(site.application.reading)
        await site.hears_of(phone)
        await site.do_next(site.application.writing)
        await asked
        assert (len(site.asked), phone.answers) == (1, [])

    asyncio.run(find())


@pytest.mark.parametrize("problem", [ZeroDivisionError, SystemExit])
def test_request_that_breaks_is_answered(problem: type[BaseException], caplog: pytest.LogCaptureFixture) -> None:
    def breaks(environ: dict[str, Any]) -> bytes:
        raise problem

    async def ask() -> None:
        site, phone = Site(breaks), Phone()
        await site.answers(site.application.reading, phone, Scope())
        assert phone.answers == [(500, b"")]

    asyncio.run(ask())
    assert problem.__name__ in caplog.text


def test_answer_that_breaks_halfway_is_none() -> None:
    def halfway(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        start_response("200 OK", [])
        yield b"the first half"
        raise ZeroDivisionError

    async def ask() -> None:
        site, phone = Site(), Phone()
        site.application.wsgi = halfway
        await site.answers(site.application.reading, phone, Scope())
        assert phone.answers == [(500, b"")]

    asyncio.run(ask())


@pytest.mark.parametrize(
    ("wrote", "read", "waits"), [(0.0, 0.0, True), (MUCH + 1, 0.0, False), (MUCH + 1, MUCH + 2, True)]
)
def test_who_reads_lets_a_post_go_first_but_none_of_a_network_that_takes_much_and_more(
    wrote: float, read: float, waits: bool
) -> None:
    async def both() -> None:
        site, reader, writer = Site(b"written", b"a page"), Phone(), Phone()
        application, source = site.application, Source("192.0.2.1", "192.0.2.1")
        asked = [site.ask(writer, Scope("POST"))]
        await site.waits_in(application.writing)
        turn = application.nobody_writes
        with patch.object(turn, "set"), patch.object(turn, "wait") as wait:
            application.writing.flows_of(source)[-2].taken = wrote
            application.reading.flows_of(source)[-2].taken = read
            await site.do_next(application.writing)
            asked.append(site.ask(reader, Scope()))
            await site.waits_in(application.reading)
            await site.do_next(application.reading)
            await asyncio.gather(*asked)
            assert wait.called == waits

    asyncio.run(both())


def test_who_wrote_on_a_sheet_is_known_by_their_cookies() -> None:
    def refuses(environ: dict[str, Any]) -> bytes:
        environ["status"] = "403 Forbidden"
        return b"refused"

    async def write() -> None:
        site, known = Site(refuses, b"signed in", b"written"), list[bool]()
        application = site.application
        for path in ("/sheets/a/enter/", "/account/login/", "/sheets/a/enter/"):
            await site.answers(application.writing, Phone(), Scope("POST", path, cookie="pencil=a"))
            known.append(bool(application.client_of({"HTTP_COOKIE": "pencil=a"})))
        assert known == [False, False, True]
        assert application.client_of({"HTTP_COOKIE": "pencil=b"}) == application.client_of({}) == ""
        for number in range(MOST_CLIENTS):
            application.note_client({"PATH_INFO": "/sheets/a/enter/", "HTTP_COOKIE": f"pencil={number}"})
        assert not application.client_of({"HTTP_COOKIE": "pencil=a"}), "it came first"
        assert application.client_of({"HTTP_COOKIE": "pencil=0"})

    asyncio.run(write())


def test_request_that_is_over_is_not_kept() -> None:
    """Nor does it wait for the garbage collector."""

    async def ask() -> None:
        site, phone = Site(b"a page"), Phone()
        await site.answers(site.application.reading, phone, Scope())

    gc.collect()
    gc.disable()
    try:
        asyncio.run(ask())
        assert [each for each in gc.get_objects() if type(each) is Request] == []
    finally:
        gc.enable()


def test_request_whose_body_cannot_be_closed_is_over() -> None:
    class Stuck(io.BytesIO):
        def close(self) -> None:
            raise OSError("The disk is gone.")

    async def finish() -> None:
        environ = {"PATH_INFO": "/", "wsgi.input": Stuck()}
        request = Request(environ, cast("Any", None), Source("192.0.2.1", "192.0.2.1"), only_reads=True)
        with pytest.raises(OSError, match="disk"):
            request.finish()
        await request.over

    asyncio.run(finish())
