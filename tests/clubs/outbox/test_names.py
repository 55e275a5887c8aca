"""Names are looked up with bounds: a name server that hangs holds up nobody but who wants its names."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from clubs.outbox import names
from clubs.outbox.channels import NotDelivered
from clubs.outbox.names import NOT_FOUND, NOT_IN_TIME, Resolver
from tests.waiting import until

LATER = 60.0


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of slow.example have no answer until the test is over; the names that were asked for."""
    asked: list[str] = []
    over = threading.Event()

    def getaddrinfo(host: str, port: object, **_: object) -> list[tuple[Any, ...]]:
        asked.append(host)
        if host.endswith("slow.example"):
            over.wait(60)
        if host.startswith("none."):
            raise socket.gaierror
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in ("9.9.9.9", "9.9.9.9")]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    yield asked
    over.set()


def refused(resolver: Resolver, host: str, patience: float = 0.1) -> str:
    """What is said of a name for which one waits so many seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "SECONDS", patience)
        with pytest.raises(NotDelivered) as raised:
            resolver.addresses(host, time.monotonic() + LATER)
    assert not raised.value.for_good
    return str(raised.value)


def test_name_leads_to_each_address_once(server: list[str]) -> None:
    assert Resolver().addresses("cards.example", time.monotonic() + LATER) == ["9.9.9.9"]


def test_name_that_is_none_is_asked_for_again(server: list[str]) -> None:
    resolver = Resolver()
    assert refused(resolver, "none.example", LATER) == NOT_FOUND
    assert refused(resolver, "none.example", LATER) == NOT_FOUND
    assert len(server) == 2


def test_many_who_want_one_name_ask_once(server: list[str]) -> None:
    resolver = Resolver()

    def asks(_: int) -> str:
        with pytest.raises(NotDelivered) as raised:
            resolver.addresses("slow.example", time.monotonic() + 0.1)
        return str(raised.value)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(asks, range(8)))
    assert answers == [NOT_IN_TIME] * 8
    assert server == ["slow.example"]


def test_name_that_was_not_found_in_time_is_left_alone_for_a_while(
    server: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resolver = Resolver()
    assert refused(resolver, "slow.example") == NOT_IN_TIME
    began = time.monotonic()
    assert refused(resolver, "slow.example", LATER) == NOT_IN_TIME
    assert time.monotonic() - began < LATER / 2
    assert server == ["slow.example"]
    monkeypatch.setattr(resolver, "resting", {})
    assert refused(resolver, "slow.example") == NOT_IN_TIME


def test_other_names_are_found_meanwhile_and_never_more_than_so_many_asked_for(
    server: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names, "MOST", 3)
    resolver = Resolver()
    assert [refused(resolver, f"{k}.slow.example") for k in range(2)] == [NOT_IN_TIME] * 2
    assert resolver.addresses("cards.example", time.monotonic() + LATER) == ["9.9.9.9"]
    until(lambda: len(resolver.under_way) == 2)
    assert [refused(resolver, f"{k}.slow.example") for k in range(2, 9)] == [NOT_IN_TIME] * 7
    assert len([host for host in server if host.endswith("slow.example")]) == 3


def test_who_has_no_time_left_does_not_wait(server: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "SECONDS", LATER)
    began = time.monotonic()
    with pytest.raises(NotDelivered):
        Resolver().addresses("slow.example", began + 0.1)
    assert time.monotonic() - began < LATER / 2
