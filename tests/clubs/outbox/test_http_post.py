"""A post to another site: what is refused, what an answer means, and how long it may take."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from clubs.outbox import http_post
from clubs.outbox import own_network as own_addresses
from clubs.outbox.channels import NotDelivered
from clubs.outbox.http_post import look_up, post
from clubs.outbox.names import NOT_FOUND, WRITE_IN_ASCII
from tests.clubs.outbox.sending import resolving
from tests.receiver import Receiver, receiving


@pytest.fixture
def own_network(settings: Any) -> None:
    settings.PRIVATE_WEBHOOKS = True


@pytest.fixture
def receiver(own_network: None) -> Iterator[Receiver]:
    with receiving() as there:
        yield there


def refused(url: str) -> NotDelivered:
    with pytest.raises(NotDelivered) as raised:
        post(url, b"{}", {})
    return raised.value


def test_body_and_headers_arrive(receiver: Receiver) -> None:
    assert post(receiver.url("/a?b=1"), b'{"a": 1}', {"Content-Type": "application/json", "X-Event": "result"}) == 204
    (got,) = receiver.got
    assert (got.path, got.body) == ("/a?b=1", b'{"a": 1}')
    assert got.headers["Content-Type"] == "application/json"
    assert got.headers["X-Event"] == "result"
    assert got.headers["Host"] == f"127.0.0.1:{receiver.port}"


@pytest.mark.parametrize(
    "url",
    [
        "", "cards", "https://", "ftp://cards.example.org/", "https://cards.example.org:0/",
        "https://cards.example.org:a/", "https://cards.example.org/a b", "https://cards.example.org/\nHost: x",
        "https://[::1", "https://kär\u2003ten.example.org/", "https://..example.org/", "https://a\u2026b.example/",
        "https://cards.example.org/" + "a" * 2000,
    ],
)  # fmt: skip
def test_address_that_is_none_is_refused_for_good(url: str) -> None:
    assert refused(url).for_good


def test_address_without_tls_is_refused() -> None:
    assert str(refused("http://cards.example.org/")) == http_post.NO_TLS


@pytest.mark.parametrize("user", ["joe@", "joe:secret@", ":secret@", "@"])
def test_address_with_a_name_or_a_password_is_refused(user: str) -> None:
    assert str(refused(f"https://{user}cards.example.org/")) == http_post.PASSWORD_IN_IT


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "2130706433", "0x7f.1"])
def test_own_network_is_refused_by_default(host: str) -> None:
    problem = refused(f"https://{host}:1/")
    assert (str(problem), problem.for_good) == (http_post.PRIVATE, True)


def test_name_of_which_one_address_is_private_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["9.9.9.9", "10.0.0.1"])
    assert str(refused("https://cards.example.org/")) == http_post.PRIVATE


def test_look_up_refuses_what_a_post_would(monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["10.0.0.1"])
    with pytest.raises(NotDelivered, match="private network"):
        look_up("https://cards.example.org/")


@pytest.mark.parametrize("address", ["1.2.3.4", "2620:fe::77"])
def test_public_address_of_this_machine_is_refused_unless_the_owner_allows_it(
    monkeypatch: pytest.MonkeyPatch, settings: Any, address: str
) -> None:
    monkeypatch.setattr(own_addresses, "sent_from", lambda _: ipaddress.ip_address(address))
    resolving(monkeypatch, [address])
    problem = refused("https://cards.example.org/")
    assert (str(problem), problem.for_good) == (http_post.OWN, True)
    with pytest.raises(NotDelivered, match="machine of this site"):
        look_up("https://cards.example.org/")
    settings.PRIVATE_WEBHOOKS = True
    look_up("https://cards.example.org/")


def test_connection_goes_to_the_address_that_was_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere the second time it is asked for gains nothing."""
    asked = resolving(monkeypatch, ["9.9.9.9"], ["127.0.0.1"])
    tried: list[object] = []

    def refuse(address: object, **_: object) -> None:
        tried.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(http_post.socket, "create_connection", refuse)
    assert "refused" in str(refused("https://cards.example.org/"))
    assert asked == ["cards.example.org"]
    assert tried == [("9.9.9.9", 443)]


@pytest.mark.parametrize(("typed", "asked"), [
    ("https://bücher.example/", "xn--bcher-kva.example"), ("https://BÜCHER。example/", "xn--bcher-kva.example"),
    ("https://Cards.Example.org./", "cards.example.org"),
])  # fmt: skip
def test_name_in_any_letters_is_looked_up_as_it_is_registered(
    monkeypatch: pytest.MonkeyPatch, typed: str, asked: str
) -> None:
    names = resolving(monkeypatch, ["10.0.0.1"])
    assert str(refused(typed)) == http_post.PRIVATE
    assert names == [asked]


def test_address_in_other_letters_is_posted_to(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(monkeypatch, ["127.0.0.1"])
    assert post(f"http://bücher.example:{receiver.port}/größe?q=ä%20b&c", b"{}", {}) == 204
    (got,) = receiver.got
    assert got.path == "/gr%C3%B6%C3%9Fe?q=%C3%A4%20b&c"
    assert got.headers["Host"] == f"xn--bcher-kva.example:{receiver.port}"


def test_name_that_can_be_read_in_two_ways_is_not_guessed() -> None:
    assert str(refused("https://straße.example/")) == WRITE_IN_ASCII


def test_name_that_leads_nowhere_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(http_post.socket, "getaddrinfo", unknown)
    problem = refused("https://cards.example.org/")
    assert (str(problem), problem.for_good) == (NOT_FOUND, False)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_redirect_is_not_followed(receiver: Receiver, status: int) -> None:
    with receiving() as inside:
        receiver.answers.append((status, {"Location": inside.url()}))
        problem = refused(receiver.url())
        assert "not followed" in str(problem)
        assert problem.status == status
        assert inside.got == []


@pytest.mark.parametrize(
    ("status", "for_good"),
    [(400, True), (401, False), (403, False), (404, True), (410, True), (429, False), (500, False), (503, False)],
)
def test_status_says_whether_another_post_is_of_use(receiver: Receiver, status: int, for_good: bool) -> None:
    receiver.usual = status
    problem = refused(receiver.url())
    assert (problem.status, problem.for_good) == (status, for_good)


def test_caller_says_which_statuses_are_final(receiver: Receiver) -> None:
    receiver.usual = 404
    with pytest.raises(NotDelivered) as raised:
        post(receiver.url(), b"{}", {}, final=(410,))
    assert (raised.value.status, raised.value.for_good) == (404, False)


@pytest.mark.parametrize(
    ("says", "wait"), [("7", 7), ("0.25", 0.25), ("9999999", 86400), ("soon", None), ("-5", None), ("1e9", None)]
)
def test_receiver_says_how_long_to_wait(receiver: Receiver, says: str, wait: float | None) -> None:
    receiver.answers.append((429, {"Retry-After": says}))
    assert refused(receiver.url()).wait == wait


def test_receiver_that_hangs_takes_its_seconds_and_no_more(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_post, "SECONDS", 0.5)
    receiver.open.clear()
    began = time.monotonic()
    problem = refused(receiver.url())
    assert (str(problem), problem.for_good) == (http_post.TOO_SLOW, False)
    assert time.monotonic() - began < 8


def test_receiver_that_sends_a_byte_now_and_then_takes_no_longer(
    own_network: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_post, "SECONDS", 0.6)
    over = threading.Event()

    def drip(server: socket.socket) -> None:
        taken, _ = server.accept()
        with taken:
            while not over.wait(0.05):
                try:
                    taken.send(b"H")
                except OSError:
                    return

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=drip, args=(server,))
        thread.start()
        began = time.monotonic()
        try:
            assert str(refused(f"http://127.0.0.1:{server.getsockname()[1]}/")) == http_post.TOO_SLOW
            assert time.monotonic() - began < 8
        finally:
            over.set()
            thread.join(10)


def test_answer_without_end_is_not_read(own_network: None) -> None:
    sent = threading.Event()

    def flood(server: socket.socket) -> None:
        taken, _ = server.accept()
        with taken:
            taken.recv(65536)
            taken.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n")
            try:
                while True:
                    taken.sendall(b"x" * 65536)
            except OSError:
                sent.set()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=flood, args=(server,))
        thread.start()
        assert post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}) == 200
        thread.join(10)
    assert sent.is_set()


def test_receiver_that_does_not_speak_tls_is_not_posted_to(receiver: Receiver) -> None:
    assert str(refused(receiver.url().replace("http:", "https:"))) == "No secure connection could be made."
    assert receiver.got == []


def test_nobody_listens(own_network: None) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert "refused" in str(refused(f"http://127.0.0.1:{port}/"))
