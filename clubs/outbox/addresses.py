"""Where the site and its pages are, where no request says it: in what is sent, and in commands."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from pathlib import Path

from django.conf import settings

from clubs.access.club_key import handed_out
from clubs.models import Club
from clubs.outbox.own_network import sent_from

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared with, not bound to


def addresses_of_this_machine() -> list[str]:
    """The addresses by which other machines in the same network reach this one, the likeliest first."""
    used = sent_from(ipaddress.ip_address("192.0.2.1"))
    addresses = [str(used)] if used else []
    with suppress(OSError):  # a machine that does not know its own name
        addresses += socket.gethostbyname_ex(socket.gethostname())[2]
    return [address for address in dict.fromkeys(addresses) if not address.startswith(("127.", "0."))]


def address_in_network() -> str | None:
    """The likeliest of them; None where the site is served to this machine alone, or there is no network."""
    addresses = addresses_of_this_machine() if settings.HOST in EVERYWHERE else []
    return addresses[0] if addresses else None


def served_at(lan: str | None) -> str:
    """Where people find the site by its settings; `lan` is the address of this machine in its network, if any."""
    if settings.ADDRESS:
        return settings.ADDRESS
    host = settings.HOST
    if host in EVERYWHERE:
        host = lan or "localhost"
    host = f"[{host}]" if ":" in host else host
    scheme, usual = ("https", 443) if settings.TLS_CERTIFICATE else ("http", 80)
    return f"{scheme}://{host}" + ("" if settings.PORT == usual else f":{settings.PORT}")


def note_address(lan: str | None) -> None:
    """Let other processes know where the site is served: HOST and PORT may have been given to `make run` alone."""
    noted_address().write_text(f"{served_at(lan)}\n")


def noted_address() -> Path:
    """The file with the address at which the site was served last."""
    return settings.VAR / "address"


def site_address() -> str:
    """Where people find the site, without a slash at its end: as the owner says, else as it was served last."""
    noted = noted_address()
    if not settings.ADDRESS and noted.exists():
        return noted.read_text().strip()
    return served_at(address_in_network())


def shared_address(club: Club, path: str) -> str:
    """The whole address of a page of the club, with the key where everybody may see it only by that."""
    return handed_out(club, f"{site_address()}{path}")
