"""Addresses that are refused: of private networks, of this machine, and of what stands beside it."""

from __future__ import annotations

import ipaddress
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from clubs.outbox import own_network
from clubs.outbox.own_network import is_own, is_private, listed_addresses, sent_from, site_names
from tests.clubs.outbox.sending import resolving
from tests.waiting import until

PRIVATE = [
    "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "240.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "::", "::1", "fe80::1", "fc00::1", "fd12:3456::1",
    "ff02::1", "fec0::1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "2002:7f00:1::", "2002:a00:1::1",
    "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::7f00:1", "2001:0:5ef5:79fd::1", "2001:db8::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_address_of_a_private_network_is_one(address: str) -> None:
    assert is_private(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "::ffff:9.9.9.9", "2002:909:909::1", "64:ff9b::909:909"])
def test_address_of_the_public_network_is_none(address: str) -> None:
    assert not is_private(ipaddress.ip_address(address))


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The machine has no address, and the site no name."""
    monkeypatch.setattr(own_network, "sent_from", lambda _: None)
    monkeypatch.setattr(own_network, "LISTED", tmp_path / "none")


def own(address: str) -> bool:
    return is_own(ipaddress.ip_address(address))


def test_every_address_of_this_machine_is_its_own() -> None:
    """As the system tells it: nothing is patched."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        assert own(probe.getsockname()[0])
    assert all(is_own(address) for address in listed_addresses())
    assert sent_from(ipaddress.ip_address("127.0.0.1")) == ipaddress.ip_address("127.0.0.1")


def test_address_from_which_the_machine_sends_is_its_own(alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_network, "sent_from", lambda _: ipaddress.ip_address("1.2.3.4"))
    assert own("1.2.3.4")
    assert own("::ffff:1.2.3.4")
    assert own("64:ff9b::102:304")
    assert not own("1.2.3.5")


def test_whole_network_of_an_interface_is_its_own_with_ipv6(
    alone: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(own_network, "LISTED", tmp_path / "if_inet6")
    (tmp_path / "if_inet6").write_text("26200000000000aa0000000000000001 02 40 00 80     eth0\n")
    assert own("2620:0:0:aa:ffff::9")
    assert not own("2620:0:0:ab::1")
    monkeypatch.setattr(own_network, "sent_from", lambda _: ipaddress.ip_address("2620:0:0:cc::5"))
    assert own("2620:0:0:cc::1")


def test_address_that_the_name_of_the_site_leads_to_is_its_own(
    alone: None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Behind a router or in a container no interface has it."""
    settings.ALLOWED_HOSTS = [".trumps.example", "*", "cards", "cards.local", "9.9.9.8", "[2620:fe::8]"]
    asked = resolving(monkeypatch, ["9.9.9.9", "2620:0:0:aa::1"])
    assert own("9.9.9.9")
    assert own("2620:0:0:aa::7")
    assert own("9.9.9.8")
    assert own("2620:fe::8")
    assert not own("9.9.9.7")
    assert asked == ["trumps.example"], "asked for once"


def test_name_of_the_site_that_has_no_answer_now_leads_where_it_led_before(
    alone: None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["trumps.example"]
    resolving(monkeypatch, ["9.9.9.9"])
    assert own("9.9.9.9")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    monkeypatch.setattr(site_names, "due", {})
    assert own("9.9.9.9")
    until(lambda: not site_names.by.under_way)
    assert own("9.9.9.9")


def test_name_of_the_site_that_is_looked_up_is_waited_for_by_all_who_ask(
    alone: None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["trumps.example"]
    monkeypatch.setattr(own_network, "PATIENCE", 0.05)
    comes, asked = threading.Event(), []

    def late(*_: object, **__: object) -> list[tuple[Any, ...]]:
        asked.append(1)
        comes.wait(60)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("9.9.9.9", 0))]

    monkeypatch.setattr(socket, "getaddrinfo", late)
    assert not own("9.9.9.9"), "not for ever"
    monkeypatch.setattr(own_network, "PATIENCE", 60)
    with ThreadPoolExecutor(4) as pool:
        answers = [pool.submit(own, "9.9.9.9") for _ in range(4)]
        comes.set()
        assert [answer.result() for answer in answers] == [True] * 4
    assert len(asked) == 1


def test_name_of_the_site_that_cannot_be_read_hinders_nothing(
    alone: None, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["straße.example", "trumps.example"]
    resolving(monkeypatch, ["9.9.9.9"])
    assert own("9.9.9.9")
    assert not own("9.9.9.7")


def unknown(*_: object, **__: object) -> None:
    raise socket.gaierror
