"""Which addresses are not of the public network, or lead back to this machine and what stands beside it."""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from clubs.outbox.channels import NotDelivered
from clubs.outbox.names import Resolver, in_ascii, resolver

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

#: IPv6 addresses that lead to an IPv4 address: the last 32 bits of it.
ENDS_IN_IPV4 = [ipaddress.ip_network(net) for net in ("::/96", "64:ff9b::/96")]
#: ... and those that lead nobody knows where.
TUNNELS = [ipaddress.ip_network(net) for net in ("64:ff9b:1::/48", "2001::/32", "5f00::/16")]
#: Where Linux lists the IPv6 addresses of all its interfaces.
LISTED = Path("/proc/net/if_inet6")
#: Seconds for which it is known where the site's own names lead; after which one without an answer is asked for again;
#: and that are waited for it at most.
KNOWN_FOR, AGAIN, PATIENCE = 600.0, 60.0, 2.0


def is_private(address: Address) -> bool:
    """Whether it is not, or not certainly, an address of the public network.

    >>> [is_private(ipaddress.ip_address(each)) for each in ("9.9.9.9", "::ffff:127.0.0.1", "fe80::1", "2620:fe::fe")]
    [False, True, True, False]
    """
    if isinstance(address, ipaddress.IPv6Address):
        if within := address.ipv4_mapped or address.sixtofour:
            return is_private(within)
        if any(address in net for net in ENDS_IN_IPV4):
            return is_private(last_32_bits(address))
        if address.is_site_local or any(address in net for net in TUNNELS):
            return True
    return not address.is_global or address.is_multicast or address.is_reserved or address.is_unspecified


def last_32_bits(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)


def is_own(address: Address) -> bool:
    """Whether it leads to this machine, also by a public address, or into the /64 of one of its interfaces.

    Behind a router, a proxy or in a container the public address is not on an interface: it is what the names of the
    site lead to. Where that is a provider that serves others at the same address, they count as own too.
    """
    own = addresses_beside(address) | site_names.addresses()
    if isinstance(address, ipaddress.IPv4Address):
        return address in own
    if network_of(address) in {network_of(near) for near in own if isinstance(near, ipaddress.IPv6Address)}:
        return True
    within = address.ipv4_mapped or address.sixtofour
    if within is None and any(address in net for net in ENDS_IN_IPV4):
        within = last_32_bits(address)
    return within is not None and is_own(within)


def network_of(address: ipaddress.IPv6Address) -> int:
    """The /64 it is in."""
    return int(address) >> 64


def addresses_beside(address: Address) -> set[Address]:
    """Addresses of this machine among which one is it, or is in its /64, if it has such a one."""
    listed: set[Address] = set(listed_addresses()) if address.version == 6 else set()
    used = sent_from(address)
    return listed | {used} if used else listed


def sent_from(address: Address) -> Address | None:
    """The address of this machine from which it would send there: to one of its own that one; None for none.

    Nothing is sent: the kernel is asked.
    """
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((str(address), 9))
        return ipaddress.ip_address(probe.getsockname()[0].split("%")[0])
    return None


def listed_addresses() -> list[ipaddress.IPv6Address]:
    """The IPv6 addresses of the interfaces, where the system lists them."""
    with suppress(OSError):
        return [ipaddress.IPv6Address(int(line.split()[0], 16)) for line in LISTED.read_text().splitlines()]
    return []


class SiteNames:
    """Where the names of the site lead (`ALLOWED_HOSTS`, with the one of `ADDRESS`), looked up now and then.

    As long as a name server does not answer, what it said last holds.
    """

    def __init__(self, by: Resolver = resolver) -> None:
        self.by, self.lock = by, threading.Lock()
        self.known: dict[str, frozenset[Address]] = {}
        #: The look-up of each that was begun last: whoever needs it waits for the same.
        self.asked: dict[str, Future[list[str]]] = {}
        #: When each is looked up next, by the clock that only goes forward.
        self.due: dict[str, float] = {}

    def addresses(self) -> frozenset[Address]:
        """With the addresses that the owner wrote themselves. Waits for names that were never found, 2 seconds."""
        names = list(names_of_the_site())
        for name in names:
            self.ask(name)
        wait([self.asked[name] for name in names if name in self.asked and name not in self.known], PATIENCE)
        for name in names:
            if name in self.asked and name not in self.known and self.asked[name].done():
                self.note(name, self.asked[name])
        written = (as_address(host) for host in settings.ALLOWED_HOSTS)
        return frozenset(address for address in written if address).union(*(self.known.get(name, ()) for name in names))

    def ask(self, name: str) -> None:
        """Look it up, if that is due."""
        with self.lock:
            now = time.monotonic()
            asked = self.by.ask(name) if now >= self.due.get(name, now) else None
            if asked is None:
                return
            self.asked[name], self.due[name] = asked, now + AGAIN
        asked.add_done_callback(lambda answer: self.note(name, answer))

    def note(self, name: str, answer: Future[list[str]]) -> None:
        """An answer came, perhaps after nobody waited for it any more."""
        if answer.exception() is None:
            self.known[name] = frozenset(address for host in answer.result() if (address := as_address(host)))
            self.due[name] = time.monotonic() + KNOWN_FOR


def names_of_the_site() -> Iterator[str]:
    """Its names that others may look up. Those of one word are of its own network, where addresses are private."""
    for host in settings.ALLOWED_HOSTS:
        name = host.lstrip(".").rstrip(".").lower()
        if "." in name and "*" not in name and not name.endswith((".local", ".localhost")) and not as_address(host):
            with suppress(UnicodeError, NotDelivered):
                yield in_ascii(name)


def as_address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]").split("%")[0])
    except ValueError:
        return None


site_names = SiteNames()
