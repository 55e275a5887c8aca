"""The server itself, and bytes that no browser sends: it answers or hangs up, and stays there for everybody else."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.waiting import until

#: Seconds a start or an answer may take on a slow machine.
PATIENCE = 60
FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(scope="module")
def port(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The site served as people serve it, in a folder of its own; its port."""
    number, var = free_port(), tmp_path_factory.mktemp("var")
    settings = {"VAR": str(var), "PORT": str(number), "DEMO": "0", "WORKERS": "1", "SETTINGS_FILE": os.devnull}
    with (var / "journal").open("wb") as journal:
        server = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            cwd=project,
            env={"PATH": os.environ["PATH"], **settings},
            stdout=journal,
            stderr=journal,
        )
    try:
        until_it_answers(number, server)
        yield number
        assert server.poll() is None, (var / "journal").read_text()
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(PATIENCE)
    told = (var / "journal").read_text()
    assert "Traceback" not in told, told
    assert "A page broke" not in told, told


def until_it_answers(port: int, server: subprocess.Popen[bytes]) -> None:
    def answers() -> bool:
        assert server.poll() is None, "the site did not start"
        with suppress(OSError):
            return health(port) == 200
        return False

    until(answers)


def health(port: int) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
        line.request("GET", "/healthz")
        return line.getresponse().status


@contextmanager
def line(port: int) -> Iterator[socket.socket]:
    with closing(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)) as opened:
        yield opened


def answer_to(port: int, sent: bytes, patience: float = 0.5) -> bytes:
    """The first line of what comes back; nothing where the server hung up, or waits for more for so many seconds."""
    with line(port) as opened:
        # It may have seen enough before it has everything, and hang up.
        with suppress(ConnectionError):
            opened.sendall(sent)
        opened.settimeout(patience)
        try:
            return opened.recv(65536).split(b"\r\n")[0]
        except (ConnectionError, TimeoutError):
            return b""


def post(body: bytes, *more: bytes, to: bytes = b"/open/", length: bytes | None = None) -> bytes:
    said = b"Content-Length: " + (str(len(body)).encode() if length is None else length) + b"\r\n"
    return b"POST " + to + b" HTTP/1.1\r\nHost: localhost\r\n" + b"".join(more) + said + b"\r\n" + body


def get(address: bytes, *headers: bytes, host: bytes = b"localhost", version: bytes = b"HTTP/1.1") -> bytes:
    return b"GET " + address + b" " + version + b"\r\nHost: " + host + b"\r\n" + b"".join(headers) + b"\r\n"


BROKEN = {
    "nothing": b"",
    "an empty line": b"\r\n\r\n",
    "noise": bytes(range(256)) * 8,
    "a hello of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100,
    "no version": b"GET /\r\n\r\n",
    "a version there is not": b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "HTTP/1.0": get(b"/", version=b"HTTP/1.0"),
    "another host": get(b"/", host=b"evil.example"),
    "a host that is none": get(b"/", host=b"[::"),
    "two hosts": get(b"/", b"Host: evil.example\r\n"),
    "a method of its own": b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "connect": b"CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "options of everything": b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a whole address": get(b"http://localhost/"),
    "a whole address of another site": get(b"http://evil.example/"),
    "a long address": get(b"/sheets/" + b"a" * 100_000 + b"/"),
    "bytes in the address": get(b"/sheets/\xff\xfe/"),
    "NUL in the address": get(b"/watch/%00/"),
    "NUL among the static files": get(b"/static/%00.css"),
    "a way out of the static files": get(b"/static/..%2f..%2f..%2fetc/passwd"),
    "half a percent": get(b"/sheets/%/%zz/?%"),
    "a long header": get(b"/", b"X-A: " + b"a" * 1_000_000 + b"\r\n"),
    "very many headers": get(b"/", b"X-A: b\r\n" * 5000),
    "a header with no end": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ",
    "a header without a name": get(b"/", b": b\r\n"),
    "NUL in a header": get(b"/", b"X-A: \x00\r\n"),
    "NUL in a cookie": get(b"/open/", b'Cookie: sessionid="' + rb"\000" * 9 + b'"\r\n'),
    "a header on two lines": get(b"/", b"X-A: b\r\n c\r\n"),
    "no length": b"POST /open/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a length that is no number": post(b"a=b", length=b"many"),
    "a length below nothing": post(b"a=b", length=b"-1"),
    "a length beyond numbers": post(b"a=b", length=b"9" * 30),
    "a length twice": post(b"a=b", b"Content-Length: 7\r\n"),
    "too short a length": post(b"name=Ann&pick=", FORM, length=b"3"),
    "too long a length": post(b"name=Ann", FORM, length=b"300"),
    "a megabyte": post(b"name=" + b"n" * 1_000_000, FORM),
    "two lengths at once": post(b"0\r\n\r\n", b"Transfer-Encoding: chunked\r\n"),
    "letters that are none": post(b"name=Ann", FORM.replace(b"\r\n", b"; charset=hex\r\n")),
    "too many fields in an address": post(
        b"name=Ann", FORM.replace(b"\r\n", b"; charset=utf-8\r\n"), to=b"/open/?" + b"a=1&" * 501
    ),
    "letters of another kind": post(b"name=Ann", FORM.replace(b"\r\n", b"; charset=utf-7\r\n")),
    "a body in pieces": get(b"/open/", FORM, b"Transfer-Encoding: chunked\r\n").replace(b"GET", b"POST")
    + b"4\r\nname\r\n4\r\n=Ann\r\n0\r\n\r\n",
    "a body in broken pieces": get(b"/open/", b"Transfer-Encoding: chunked\r\n").replace(b"GET", b"POST")
    + b"zz\r\n\r\n",
    "a body in a strange wrapping": post(b"a=b", b"Transfer-Encoding: brotli\r\n"),
    "a second request in the first": get(b"/healthz") + get(b"/healthz"),
    "an upgrade": get(b"/", b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n"),
    "patience asked for": post(b"a=b", b"Expect: 100-continue\r\n"),
}  # fmt: skip


#: What must be said to some of them.
SAID = {
    "HTTP/1.0": 200,
    "another host": 400,
    "NUL in the address": 404,
    "NUL in a cookie": 400,
    "bytes in the address": 400,
    "a length that is no number": 400,
    "a megabyte": 413,
    "letters that are none": 400,
    "too many fields in an address": 413,
    "letters of another kind": 400,
    "a second request in the first": 200,
}


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("what", BROKEN)
def test_broken_bytes_get_an_answer_below_500_or_none_and_the_site_stays(what: str, port: int) -> None:
    said = answer_to(port, BROKEN[what], PATIENCE if what in SAID else 0.5)
    if said or what in SAID:
        version, status = said.split(b" ")[:2]
        assert version in (b"HTTP/1.0", b"HTTP/1.1"), said
        assert int(status) == SAID.get(what, int(status)) < 500, said
    assert health(port) == 200


def test_half_a_request_in_another_version_of_http_is_no_harm(port: int) -> None:
    answer_to(port, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\xff" * 50)
    assert health(port) == 200


def test_body_that_comes_slowly_is_waited_for(port: int) -> None:
    # With a token, or it is refused before anybody reads it.
    sent = post(b"name=" + b"n" * 200, FORM, b"Cookie: csrftoken=" + b"a" * 32 + b"\r\n")
    with line(port) as slow:
        for piece in (sent[:100], sent[100:-150], sent[-150:-1], sent[-1:]):
            slow.sendall(piece)
            time.sleep(0.1)
        assert slow.recv(65536).startswith(b"HTTP/1.1 403 ")


def test_phone_that_leaves_in_the_middle_of_a_post_keeps_nobody_waiting(port: int) -> None:
    with line(port) as gone:
        gone.sendall(post(b"name=", FORM, b"Cookie: csrftoken=" + b"a" * 32 + b"\r\n", length=b"300"))
        time.sleep(0.2)
    assert health(port) == 200
