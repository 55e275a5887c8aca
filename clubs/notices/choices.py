"""What a member wants to hear, by which way, and when not; and the browsers that show it."""

from __future__ import annotations

import base64
import binascii
import datetime
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.db.models import Q

from clubs.members.notice_kinds import NOTICE_KINDS
from clubs.members.people import locked, records_of
from clubs.models import Delivery, Event, Member, NoticeSettings, PushSubscription
from clubs.models.event import LONGEST_ADDRESS
from clubs.models.member import of_person
from clubs.notices.this_browser import digest_of

Kind = Event.Kind

#: What is chosen for whoever switches a way on.
FIRST = {
    "push": (Kind.CALLED, Kind.DRAWN, Kind.FINALS, Kind.CORRECTED, Kind.TOMORROW),
    "mail": (Kind.CORRECTED, Kind.PLANNED, Kind.TOMORROW),
}
#: Browsers of one member: the oldest goes when there are more.
MOST_BROWSERS = 12

NOT_WANTED = "Not wanted any more."
NO_ENDPOINT = "That is no address of a push service."
NO_KEYS = "Those are no keys of a browser."
BOTH_HOURS = "Quiet hours need both: from when, and until when. For example 22:00."


class NotTaken(Exception):
    """Why a choice or a browser is not taken, in a sentence."""


#: Whether a browser may name an address without TLS. Only tests do.
IS_HTTP_TAKEN = False


@dataclass(frozen=True)
class Browser:
    """A browser as it subscribes, checked: with its keys, and what a person calls it."""

    endpoint: str
    p256dh: str
    auth: str
    name: str = ""

    @property
    def digest(self) -> str:
        return digest_of(self.endpoint)


def read_browser(endpoint: str, p256dh: str, auth: str, name: str = "") -> Browser:
    """A browser by what it says. Raises `NotTaken`."""
    if not is_endpoint(endpoint):
        raise NotTaken(NO_ENDPOINT)
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64(p256dh, 65))
        from_base64(auth, 16)
    except ValueError as wrong:
        raise NotTaken(NO_KEYS) from wrong
    return Browser(endpoint, p256dh, auth, name)


def is_endpoint(address: str) -> bool:
    """Whether it may be a push service: of the internet, over TLS. What it resolves to is looked at when sending."""
    try:
        parts = urlsplit(address)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    schemes = ("https", "http") if IS_HTTP_TAKEN else ("https",)
    plain = address.isascii() and address.isprintable() and " " not in address
    return (
        plain and len(address) <= LONGEST_ADDRESS and parts.scheme in schemes and bool(host) and "@" not in parts.netloc
    )


def from_base64(text: str, length: int) -> bytes:
    """So many bytes, in base64url without padding. Raises ValueError."""
    if not text.isascii() or len(text) > 2 * length:
        raise ValueError("too long")
    try:
        content = base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)
    except binascii.Error as wrong:
        raise ValueError("no base64") from wrong
    if len(content) != length:
        raise ValueError("of another length")
    return content


# What somebody wants


def settings_of(person: Member) -> NoticeSettings | None:
    """What they chose; None: they were never asked. One query."""
    rows = NoticeSettings.objects.filter(of_person(person.identity))
    # Those of the record that counts, where records were merged.
    return min(rows, key=lambda row: (row.member_id != person.identity, row.pk), default=None)


def own_settings(person: Member) -> NoticeSettings:
    """The row of the record that counts, to be changed under the lock of the club; not saved where there is none."""
    row = settings_of(person) or NoticeSettings()
    row.member = person.main_record
    return row


def switch_on(person: Member, way: str) -> None:
    """Tell them that way ("push" or "mail") from now on: of the usual kinds, unless they have chosen."""
    with transaction.atomic():
        locked(person.club)
        row = own_settings(person)
        if not getattr(row, way):
            setattr(row, way, list(FIRST[way]))
            row.save()


def choose(person: Member, *, push: Iterable[str] | None, mail: Iterable[str] | None, quiet: tuple[str, str]) -> None:
    """What they want by each way (None: as it was), and from when until when they want to hear nothing ("": always).

    Raises `NotTaken`.
    """
    hours = read_quiet(*quiet)
    with transaction.atomic():
        locked(person.club)
        row = own_settings(person)
        row.push = row.push if push is None else known(push)
        row.mail = row.mail if mail is None else known(mail)
        row.quiet_from, row.quiet_until = hours
        row.save()


def known(kinds: Iterable[str]) -> list[str]:
    """Those of these words that are kinds, in their order, each once."""
    chosen = set(kinds)
    return [str(kind) for kind in NOTICE_KINDS if kind in chosen]


def read_quiet(start: str, end: str) -> tuple[datetime.time | None, datetime.time | None]:
    """Quiet hours as they were typed. Raises `NotTaken`."""
    if not start and not end:
        return None, None
    try:
        hours = (datetime.time.fromisoformat(hour[:8]).replace(tzinfo=None) for hour in (start, end))
        return next(hours), next(hours)
    except ValueError as wrong:
        raise NotTaken(BOTH_HOURS) from wrong


def stop(person: Member) -> None:
    """They are told nothing any more, by any way; what waits for them is not sent."""
    with transaction.atomic():
        locked(person.club)
        records = [record.pk for record in records_of(person)]
        NoticeSettings.objects.filter(member__in=records).update(push=[], mail=[])
        if not NoticeSettings.objects.filter(member__in=records).exists():
            NoticeSettings.objects.create(member=person.main_record)
        forget(records)


def stop_mail(person: Member) -> None:
    """They are told nothing by email any more; phones go on showing what they show."""
    with transaction.atomic():
        locked(person.club)
        records = [record.pk for record in records_of(person)]
        NoticeSettings.objects.filter(member__in=records).update(mail=[])
        Delivery.objects.filter(member__in=records, channel=Delivery.Channel.MAIL).delete()


def forget(records: Collection[int]) -> None:
    """No browser shows anything to these records (ids), and nothing waits for them."""
    PushSubscription.objects.filter(member__in=records).delete()
    Delivery.objects.filter(member__in=records).delete()


# Browsers


def browsers_of(person: Member) -> list[PushSubscription]:
    """Those that show them notices. One query."""
    rows = PushSubscription.objects.filter(of_person(person.identity))
    return list(rows.order_by("made_at", "pk"))


def subscribe(person: Member, browser: Browser, *, session: str = "", key: str = "") -> PushSubscription:
    """This browser shows them notices from now on, and to nobody else of the club.

    `session`: by whose key it is signed in; "": it is a phone that came by the `key` of the club.
    """
    with transaction.atomic():
        locked(person.club)
        others = PushSubscription.objects.filter(member__club=person.club_id, endpoint_hash=browser.digest)
        others.exclude(member=person.identity).delete()
        row, _ = PushSubscription.objects.update_or_create(
            member=person.main_record, endpoint_hash=browser.digest,
            defaults={
                "endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth, "browser": browser.name,
                "session_id": session or None, "key": "" if session else key,
            },
        )  # fmt: skip
        # A phone that only says who uses it pushes out its like alone, and changes nothing that somebody has chosen.
        own = [each for each in browsers_of(person) if session or each.session_id is None]
        for old in own[:-MOST_BROWSERS]:
            old.delete()
        if session or settings_of(person) is None:
            switch_on(person, "push")
    return row


def remove(person: Member, *, pk: int = 0, endpoint: str = "") -> None:
    """One of their browsers shows them nothing any more: by its id, or by its own address."""
    which = Q(pk=pk) | Q(endpoint_hash=digest_of(endpoint))
    PushSubscription.objects.filter(which, member__in=[record.pk for record in records_of(person)]).delete()


def renew(former: str, browser: Browser) -> int:
    """A browser has another address: who knows the former one is that browser. How many notes of it there were."""
    digest = digest_of(former)
    with transaction.atomic():
        rows = PushSubscription.objects.filter(endpoint_hash=digest)
        if browser.digest != digest:
            PushSubscription.objects.filter(
                endpoint_hash=browser.digest, member__in=rows.values("member")
            ).delete()  # fmt: skip
        return rows.update(
            endpoint=browser.endpoint, endpoint_hash=browser.digest, p256dh=browser.p256dh, auth=browser.auth
        )
