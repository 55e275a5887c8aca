"""People who want to hear of a club, the browsers that show it to them, and a push service that receives it."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from allauth.account.models import EmailAddress
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.test import Client
from django.utils import timezone

from clubs.members.notice_kinds import NOTICE_KINDS
from clubs.models import (
    Award,
    BrowserSession,
    Club,
    Delivery,
    Event,
    Member,
    NoticeSettings,
    PushSubscription,
    Table,
    Trophy,
)
from clubs.notices.choices import Browser, subscribe
from clubs.outbox.deliver import expand_events
from clubs.trophies.awards import award
from tests.club_factories import MemberFactory, TrophyFactory
from tests.clubs.visitors import account

ALL = [str(kind) for kind in NOTICE_KINDS]


def base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


class Phone:
    """The keys of a browser, which alone can read what is sent to it."""

    def __init__(self, endpoint: str = "https://push.example/for/a-phone") -> None:
        self.endpoint = endpoint
        self.private = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen letters!"

    @property
    def p256dh(self) -> str:
        return base64url(self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def auth(self) -> str:
        return base64url(self.secret)

    @property
    def browser(self) -> Browser:
        return Browser(self.endpoint, self.p256dh, self.auth, "Chrome on Android")

    @property
    def fields(self) -> dict[str, str]:
        """As its page sends them."""
        return {"endpoint": self.endpoint, "p256dh": self.p256dh, "auth": self.auth}

    def read(self, body: bytes) -> dict[str, Any]:
        """What it shows of what its push service was sent."""
        content = http_ece.decrypt(body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        shown: dict[str, Any] = json.loads(content)
        return shown


def wants(member: Member, *, push: list[str] | None = None, mail: list[str] | None = None, **quiet: Any) -> None:
    """They have chosen."""
    NoticeSettings.objects.update_or_create(
        member=member, defaults={"push": push or [], "mail": mail or [], **quiet}
    )  # fmt: skip


def has_phone(member: Member, phone: Phone | None = None, **more: Any) -> PushSubscription:
    """A phone that came by the club's link shows them everything, or what `more` says."""
    phone = phone or Phone(f"https://push.example/for/{member.pk}")
    browser = subscribe(member, phone.browser, key=member.club.key, **more)
    wants(member, push=ALL)
    return browser


def signed_in_with_phone(club: Club, role: str = "member", **more: Any) -> tuple[Client, Member, PushSubscription]:
    """Somebody with an account, and the phone on which they are signed in."""
    client, member = account(club, role, **more)
    browser = has_phone(member, session=client.session.session_key)
    return client, member, browser


def has_mail(member: Member, address: str, kinds: list[str] | None = None) -> None:
    """Their account has a confirmed address, and they want mail."""
    EmailAddress.objects.create(user=member.user, email=address, primary=True, verified=True)
    wants(member, mail=ALL if kinds is None else kinds)


def members_with_phones(club: Club, count: int) -> list[Member]:
    members = [MemberFactory(club=club) for _ in range(count)]
    for member in members:
        has_phone(member)
    return members


def told(channel: str = "push") -> dict[str, str]:
    """What waits for whom, by their names, after all events were expanded."""
    while expand_events():
        pass
    rows = Delivery.objects.filter(channel=channel).select_related("member")
    return {row.member.name: row.message["body"] for row in rows if row.member}


def trophy_given(club: Club) -> Award:
    """An organiser gives somebody a trophy, today."""
    trophy = TrophyFactory(club=club, goes="other", name=f"Trophy {club.trophies.count() + 1}")
    return award(trophy, None, name="Somebody", on=club.today(), source="typed", confirmed=True)


def trophy_of(table: Table, member: Member, trophy: Trophy | None = None) -> Award:
    """They have won a trophy at that table, and that is confirmed."""
    trophy = trophy or TrophyFactory(club=table.night.club, goes="other")
    return award(trophy, member, on=table.night.on, source="sheet", table=table, confirmed=True)


def announced(kind: str) -> list[Event]:
    return list(Event.objects.filter(kind=kind))


def sign_out(browser: PushSubscription) -> None:
    BrowserSession.objects.filter(pk=browser.session_id).delete()


def run_out(browser: PushSubscription) -> None:
    BrowserSession.objects.filter(pk=browser.session_id).update(expire_date=timezone.now())


# The receiver


@dataclass
class PushService:
    """What it was sent: paths, headers and bodies; and the statuses it answers with, the last again and again."""

    address: str = ""
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    statuses: list[int] = field(default_factory=lambda: [201])

    def phone(self, name: str = "a-phone") -> Phone:
        return Phone(f"{self.address}/for/{name}")


@contextmanager
def push_service() -> Iterator[PushService]:
    """A push service on this machine."""
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.requests.append((self.path, dict(self.headers.items()), body))
            self.send_response(service.statuses.pop(0) if len(service.statuses) > 1 else service.statuses[0])
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    service.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
