"""Trusted proxies, which are believed about the client of a request and about TLS."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class TrustedProxies:
    """The proxies of `TRUSTED_PROXIES`: addresses, networks (`10.0.0.0/8`), or `*` for every peer."""

    def __init__(self, trusted: Iterable[str]) -> None:
        names = [name.strip() for name in trusted]
        self.everybody = "*" in names
        self.networks = [ipaddress.ip_network(name, strict=False) for name in names if name and name != "*"]

    def __contains__(self, address: str) -> bool:
        if self.everybody:
            return True
        with suppress(ValueError):
            parsed = ipaddress.ip_address(address)
            mapped = getattr(parsed, "ipv4_mapped", None) or parsed
            return any(mapped in network for network in self.networks)
        return False

    def client(self, peer: str, forwarded_for: str) -> str:
        """The address of the client: the last one that a trusted proxy wrote down and that is no such proxy itself.

        What stands before it was written by the client, so it counts for nothing.
        """
        client = peer
        for entry in reversed(forwarded_for.split(",") if forwarded_for else []):
            if client not in self or (address := bare_address(entry)) is None:
                break
            client = address
        return client

    def apply(self, environ: dict[str, Any]) -> None:
        """Put the client's address and scheme into a WSGI environment that came from a trusted proxy."""
        peer = environ.get("REMOTE_ADDR", "")
        if peer not in self:
            return
        environ["REMOTE_ADDR"] = self.client(peer, environ.get("HTTP_X_FORWARDED_FOR", ""))
        scheme = environ.get("HTTP_X_FORWARDED_PROTO", "").rpartition(",")[2].strip()
        if scheme in ("http", "https"):
            environ["wsgi.url_scheme"] = scheme


def bare_address(entry: str) -> str | None:
    """An entry of X-Forwarded-For without port and brackets; None where it is no address."""
    entry = entry.strip()
    if entry.startswith("["):
        entry = entry[1:].partition("]")[0]
    elif entry.count(":") == 1:
        entry = entry.partition(":")[0]
    with suppress(ValueError):
        return str(ipaddress.ip_address(entry))
    return None


def behind_proxies(application: Application, proxies: TrustedProxies) -> Application:
    """The application, told the client's address instead of the proxy's."""

    def forwarded(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        proxies.apply(environ)
        return application(environ, start_response)

    return forwarded
