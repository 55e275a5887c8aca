"""A post to an address of another site: over TLS, to the very address that was looked at, done within seconds."""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from string import punctuation
from urllib.parse import quote, urlsplit

from django.conf import settings

from clubs.models.event import LONGEST_ADDRESS
from clubs.outbox.channels import NotDelivered
from clubs.outbox.names import in_ascii, resolver
from clubs.outbox.own_network import is_own, is_private

#: Seconds that a post may take in all: name, connection, TLS, answer.
SECONDS = 10.0
#: Bytes of an answer that are read; what it says is not used.
MOST_READ = 4096
#: By these a push service says that another post of the same is of no use: the address or the message will not do.
FOR_GOOD = (400, 404, 405, 410, 413, 415, 422)
#: Nobody who is asked to wait waits longer than a day.
LONGEST_PAUSE = 24 * 3600

#: What a host name may be made of, and addresses in numbers.
HOST = re.compile(r"(?!.*\.\.)[0-9a-z._:%-]{1,253}")

NO_ADDRESS = "That is not a web address."
NO_TLS = "The address must begin with https://."
PASSWORD_IN_IT = "The address may not have a name or a password in it."  # noqa: S105 - a sentence
PRIVATE = "The address is in a private network. The owner of the site does not allow that."
OWN = "The address leads to the machine of this site, or beside it. The owner of the site does not allow that."
OTHER_NAME = "Its certificate is for another name."
TOO_SLOW = f"It did not answer within {SECONDS:.0f} seconds."
CUT_OFF = "It ended the connection without an answer."
#: OpenSSL's numbers of that: a name, or an address in numbers.
CODES_OF_OTHER_NAME = (62, 64)


@dataclass(frozen=True)
class Target:
    """An address of the web, taken apart."""

    host: str
    port: int
    path: str
    is_tls: bool


def post(
    url: str, body: bytes, headers: Mapping[str, str], *, final: Collection[int] = FOR_GOOD,
    is_own_network_allowed: bool | None = None,
) -> int:  # fmt: skip
    """Post it; the status of the answer, which is 2xx. Raises `NotDelivered`, with the status where there was one.

    `final` are statuses after which there is no use in another post. Whether the own network is allowed is for the
    owner to say (`PRIVATE_WEBHOOKS`), of what an organiser typed in.
    """
    end = time.monotonic() + SECONDS
    is_own_network_allowed = settings.PRIVATE_WEBHOOKS if is_own_network_allowed is None else is_own_network_allowed
    target = target_of(url, is_own_network_allowed=is_own_network_allowed)
    addresses = addresses_of(target, end, is_own_network_allowed=is_own_network_allowed)
    try:
        response = answer_of(target, addresses, body, headers, end)
    except NotDelivered:
        raise
    except TimeoutError as error:
        raise NotDelivered(TOO_SLOW) from error
    except ssl.SSLCertVerificationError as error:
        raise NotDelivered(certificate_trouble(error)) from error
    except (OSError, HTTPException) as error:
        raise NotDelivered(TOO_SLOW if time.monotonic() >= end else trouble_with(error)) from error
    return judged(response, final)


def look_up(url: str) -> None:
    """Look whether something may be sent there. Raises `NotDelivered` with the reason why not. At most 7 seconds."""
    is_allowed, end = settings.PRIVATE_WEBHOOKS, time.monotonic() + SECONDS / 2
    addresses_of(target_of(url, is_own_network_allowed=is_allowed), end, is_own_network_allowed=is_allowed)


def target_of(url: str, *, is_own_network_allowed: bool) -> Target:
    """The parts of the address. Raises `NotDelivered`."""
    is_one_word = url.isprintable() and " " not in url and len(url) <= LONGEST_ADDRESS
    try:
        parts = urlsplit(url if is_one_word else "")
        host, port = in_ascii(parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        host, port = "", None
    if not HOST.fullmatch(host) or port == 0:
        raise NotDelivered(NO_ADDRESS, for_good=True)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_own_network_allowed):
        raise NotDelivered(NO_TLS, for_good=True)
    if parts.username is not None or parts.password is not None:
        raise NotDelivered(PASSWORD_IN_IT, for_good=True)
    path = quote((parts.path or "/") + (f"?{parts.query}" if parts.query else ""), safe=punctuation)
    return Target(host, port or (443 if parts.scheme == "https" else 80), path, is_tls=parts.scheme == "https")


def addresses_of(target: Target, end: float, *, is_own_network_allowed: bool) -> list[str]:
    """The addresses of the host, each of which may be posted to. Raises `NotDelivered`."""
    addresses = resolver.addresses(target.host, end)
    plain = [ipaddress.ip_address(each.split("%")[0]) for each in addresses]
    if not is_own_network_allowed and any(is_private(each) for each in plain):
        raise NotDelivered(PRIVATE, for_good=True)
    if not is_own_network_allowed and any(is_own(each) for each in plain):
        raise NotDelivered(OWN, for_good=True)
    return addresses


def answer_of(
    target: Target, addresses: list[str], body: bytes, headers: Mapping[str, str], end: float
) -> HTTPResponse:
    """The answer to the post, by the first of these addresses that takes the connection."""
    kind = HTTPSConnection if target.is_tls else HTTPConnection
    connection = kind(target.host, target.port)
    plain = connected(addresses, target.port, end)
    connection.sock = with_tls(plain, target.host) if target.is_tls else plain
    # A socket's own limit is for each piece: a receiver that sends a byte now and then would never meet it.
    alarm = threading.Timer(max(end - time.monotonic(), 0), cut, [connection.sock])
    alarm.daemon = True
    alarm.start()
    try:
        if isinstance(connection.sock, ssl.SSLSocket):
            connection.sock.do_handshake()
        connection.request("POST", target.path, body, {**headers, "Connection": "close"})
        response = connection.getresponse()
        with suppress(OSError, HTTPException):  # its status is known
            response.read(MOST_READ)
        return response
    finally:
        alarm.cancel()
        connection.close()


def connected(addresses: list[str], port: int, end: float) -> socket.socket:
    """A connection to the first of them that answers, with an equal part of the time for each."""
    trouble: OSError = ConnectionError()
    for left, address in zip(range(len(addresses), 0, -1), addresses, strict=True):
        try:
            wait = max((end - time.monotonic()) / left, 0.01)
            taken = socket.create_connection((address, port), timeout=wait)
            taken.settimeout(max(end - time.monotonic(), 0.01))
        except OSError as error:
            trouble = error
        else:
            return taken
    raise trouble


def with_tls(plain: socket.socket, host: str) -> ssl.SSLSocket:
    """The connection that will be secure once it has shaken hands, which may take long."""
    return ssl.create_default_context().wrap_socket(plain, server_hostname=host, do_handshake_on_connect=False)


def cut(connected: socket.socket) -> None:
    """End whatever waits for it."""
    with suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def trouble_with(error: Exception) -> str:
    """What went wrong, in a sentence."""
    if isinstance(error, ConnectionRefusedError):
        return "It could not be reached: the connection was refused."
    if isinstance(error, ssl.SSLError):
        return "No secure connection could be made."
    if isinstance(error, (HTTPException, ConnectionError)):
        return CUT_OFF
    return "It could not be reached."


def certificate_trouble(error: ssl.SSLCertVerificationError) -> str:
    """What is wrong with the certificate, without the name: it is the organiser's."""
    if error.verify_code in CODES_OF_OTHER_NAME:
        return OTHER_NAME
    return f"Its certificate is not valid: {error.verify_message}."


def judged(response: HTTPResponse, final: Collection[int]) -> int:
    """The status, where it is 2xx. Raises `NotDelivered`."""
    status = response.status
    if 200 <= status < 300:
        return status
    says = f"It answered with status {status}."
    if 300 <= status < 400:
        says = f"It answered with status {status}, which leads elsewhere. Redirects are not followed."
    pause = response.headers.get("Retry-After", "")
    wait = min(float(pause), LONGEST_PAUSE) if is_number(pause) else None
    raise NotDelivered(says, for_good=status in final, status=status, wait=wait)


def is_number(text: str) -> bool:
    """Whether it is a count of seconds; Discord gives parts of one."""
    whole, _, part = text.partition(".")
    return text.isascii() and len(text) < 20 and whole.isdecimal() and (not part or part.isdecimal())
