"""Notices on phones, by Web Push: encrypted for one browser (RFC 8291), signed with the key of the site (RFC 8292)."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from django.templatetags.static import static
from django.urls import reverse

from clubs.models import Delivery, Event, PushSubscription
from clubs.notices.audience import AT_ONCE, audience_of, drop_older, told_at
from clubs.notices.choices import NOT_WANTED, from_base64
from clubs.notices.links import stop_path
from clubs.notices.texts import LASTS, WRITERS, Notice, notices_of, still_true
from clubs.notices.vapid import authorization
from clubs.outbox.channels import NotDelivered
from clubs.outbox.http_post import post

#: Whether a browser may name an address in a private network. Only tests do.
OWN_NETWORK = False
GONE = "The browser does not take notices any more."
#: What a push service answers for an address that is dead, and where it does not take the signature of the site.
DEAD, REFUSED = (404, 410), (401, 403)


class PushChannel:
    """Tells browsers."""

    #: With the hours that it waits for quiet hours to end.
    lasts = datetime.timedelta(days=2)

    def deliveries_of(self, event: Event) -> Iterable[Delivery]:
        """One for each browser of whoever wants to hear of it. Nothing but one query where no browser is noted."""
        if event.kind not in WRITERS:
            return []
        rows = PushSubscription.objects.filter(member__club=event.club_id)
        browsers = list(rows.select_related("member", "session"))
        if not browsers:
            return []
        audience = audience_of(event.club)
        notices = notices_of(event, audience)
        deliveries = []
        for browser in browsers:
            pk = browser.member.identity
            if pk not in notices or not audience.wants(pk, event.kind, "push") or not audience.may_hear(browser):
                continue
            # Of a phone nobody knows who holds it: it runs no night.
            if event.kind == Event.Kind.CALLED and browser.session is None:
                continue
            notice, at = notices[pk], told_at(event.kind, audience.settings[pk], event.club.zone)
            message = {"title": notice.title, "body": notice.body, "path": notice.path, "topic": notice.topic}
            deliveries.append(Delivery(
                event=event, channel=Delivery.Channel.PUSH, subscription=browser, member_id=pk, message=message,
                not_before=at,
            ))  # fmt: skip
        drop_older(event, deliveries)
        return deliveries

    def prepare(self, delivery: Delivery) -> Callable[[], None]:
        """What sends one, as things stand now."""
        browser, event = delivery.subscription, delivery.event
        kind, audience = Event.Kind(event.kind), audience_of(event.club)
        if browser is None or not audience.wants(delivery.member_id, kind, "push") or not audience.may_hear(browser):
            raise NotDelivered(NOT_WANTED, for_good=True)
        notice = still_true(delivery, audience)
        headers = {
            "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream",
            "TTL": f"{LASTS[kind] // datetime.timedelta(seconds=1)}",
            "Urgency": "high" if kind in AT_ONCE else "normal", "Topic": notice.topic,
            "Authorization": authorization(browser.endpoint),
        }  # fmt: skip
        body = encrypted(payload_of(notice, browser), browser)

        def send() -> None:
            try:
                post(browser.endpoint, body, headers, is_own_network_allowed=OWN_NETWORK)
            except NotDelivered as problem:
                if problem.status in DEAD:
                    # In whatever club: it is one address.
                    PushSubscription.objects.filter(endpoint_hash=browser.endpoint_hash).delete()
                    raise NotDelivered(GONE, for_good=True, status=problem.status) from problem
                if problem.status in REFUSED:
                    raise NotDelivered(str(problem), for_good=True, status=problem.status) from problem
                raise

        return send


def payload_of(notice: Notice, browser: PushSubscription) -> bytes:
    """What the service worker shows (`static/js/sw.js`): less than 3000 bytes, as titles and sentences are short."""
    content = {
        "title": notice.title, "body": notice.body, "path": notice.path, "tag": notice.topic,
        "stop": stop_path(browser), "choices": reverse("my_notices", args=[browser.member.club.slug]),
        "icon": static("icons/icon-192.png"),
    }  # fmt: skip
    return json.dumps(content, ensure_ascii=False).encode()


def encrypted(content: bytes, browser: PushSubscription) -> bytes:
    """The content for that browser alone. Its keys were checked when it subscribed."""
    body: bytes = http_ece.encrypt(
        content, private_key=ec.generate_private_key(ec.SECP256R1()), dh=from_base64(browser.p256dh, 65),
        auth_secret=from_base64(browser.auth, 16), version="aes128gcm",
    )  # fmt: skip
    return body
