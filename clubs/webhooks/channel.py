"""The channel that sends events to the webhooks of a club."""

from __future__ import annotations

import datetime
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterator

from django.utils import timezone

from clubs.models import Delivery, Event, Webhook
from clubs.outbox.channels import NotDelivered
from clubs.outbox.http_post import post
from clubs.webhooks.messages import KINDS, discord_form, message_of, signed_form

#: What is of no use later, and for how long it is of some.
AT_ONCE = (Event.Kind.CALLED, Event.Kind.LAST_HAND)
LASTS_AT_ONCE = datetime.timedelta(minutes=30)
#: Statuses after which a message is not sent again. Any program may answer 404 or 500 for minutes while it is being
#: deployed, and refuse today what its next version takes: of the others only 410 says that it is gone. Discord has told
#: what it means: 400 is a message that it will never take, 401 a wrong token, 404 a webhook that was deleted; and
#: who goes on asking with such an address is shut out for a while.
FINAL = {Webhook.Form.SIGNED: (410,), Webhook.Form.DISCORD: (400, 401, 404, 410)}


class WebhookChannel:
    """Sends to programs. Whoever is away for a day misses nothing."""

    lasts = datetime.timedelta(days=3)

    def deliveries_of(self, event: Event) -> Iterator[Delivery]:
        """One for each webhook of the club that was there before; a test is for one. One query."""
        if event.kind not in KINDS or event.club.archived_at:
            return
        webhooks = Webhook.objects.filter(club=event.club_id, made_at__lte=event.at)
        if event.kind == Event.Kind.TEST:
            webhooks = webhooks.filter(pk=event.details["webhook"])
        for webhook in webhooks:
            yield Delivery(event=event, channel=Delivery.Channel.WEBHOOK, webhook=webhook, message={})

    def prepare(self, delivery: Delivery) -> Callable[[], None]:
        webhook = delivery.webhook
        if webhook is None:
            raise NotDelivered("The webhook was removed.", for_good=True)
        if delivery.event.kind in AT_ONCE and timezone.now() - delivery.event.at > LASTS_AT_ONCE:
            raise NotDelivered("It came too late to be told.", is_over=True)
        body, headers = request_of(webhook, delivery)

        def send() -> None:
            post(webhook.url, body, headers, final=FINAL[Webhook.Form(webhook.form)])

        return send


def request_of(webhook: Webhook, delivery: Delivery) -> tuple[bytes, dict[str, str]]:
    """Body and headers of one delivery."""
    event, message = delivery.event, message_of(delivery.event)
    make = discord_form if webhook.form == Webhook.Form.DISCORD else signed_form
    body = json.dumps(make(event, message), ensure_ascii=False).encode()
    headers = {"Content-Type": "application/json"}
    if webhook.form == Webhook.Form.SIGNED:
        sent_at = str(int(time.time()))
        headers |= {
            "X-Event": event.kind, "X-Delivery": str(delivery.pk), "X-Timestamp": sent_at,
            "X-Signature": f"sha256={signature(webhook.secret, sent_at, body)}",
        }  # fmt: skip
    return body, headers


def signature(secret: str, sent_at: str, body: bytes) -> str:
    """The HMAC (SHA-256, hex) over the time, a dot and the body: whoever knows the secret can tell who sent it."""
    return hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256).hexdigest()
