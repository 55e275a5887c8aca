"""The network of a request, by which every limit by address counts."""

from __future__ import annotations

import ipaddress

from django.http import HttpRequest
from django.utils.crypto import salted_hmac

#: Of IPv6 a household, or one server of an attacker, has at least so many bits for itself.
SHARED_BITS = 64
#: ... and a customer of a provider is usually given a prefix of so many.
PREFIX_BITS = 48


def client_hash(request: HttpRequest) -> str:
    """The hash of the network that a request came from. `clubs.site.proxies` has found the client before Django."""
    return network_hash(request.META.get("REMOTE_ADDR", ""))


def network_of(address: str) -> str:
    """The address itself for IPv4, also where it is written as IPv6; for IPv6 its /64. What is no address stays."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.IPv6Network((parsed, SHARED_BITS), strict=False))


def prefix_of(network: str) -> str:
    """What the customer has whose network (`network_of`) that is: for IPv6 the /48, else the network itself.

    >>> prefix_of("2001:db8:1:2::/64"), prefix_of("192.0.2.1")
    ('2001:db8:1::/48', '192.0.2.1')
    """
    try:
        return str(ipaddress.IPv6Network(network).supernet(new_prefix=PREFIX_BITS))
    except ValueError:
        return network


def network_hash(address: str) -> str:
    """SHA-256 of the network of an address, with the key of the site: what limits store in its place."""
    return salted_hmac("network", network_of(address), algorithm="sha256").hexdigest()
