"""The network a request comes from: what every limit by address counts."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress

from django.conf import settings
from django.http import HttpRequest

#: Of IPv6 a household, or one server of an attacker, has at least so many bits for itself.
SHARED_BITS = 64


def client_network(request: HttpRequest) -> str:
    """The network of whoever sent the request. Which proxies are believed is settled before Django."""
    return network_of(request.META.get("REMOTE_ADDR", ""))


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


def origin(address: str, what: str = "opened") -> str:
    """The network a request came from, told apart but not told: a hash with the site's own key, for what is counted."""
    place = f"{what} from {network_of(address)}"
    return hmac.new(settings.SECRET_KEY.encode(), place.encode(), hashlib.sha256).hexdigest()
