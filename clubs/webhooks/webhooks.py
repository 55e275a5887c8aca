"""The webhooks of a club: naming an address, removing it, trying it, and what became of what was sent."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, QuerySet
from django.utils import timezone
from django.utils.dateformat import format as date_format

from clubs.access.audit_log import write_down
from clubs.members.people import locked
from clubs.models import Club, Delivery, Event, Member, Webhook
from clubs.outbox.events import announce, wake

Form = Webhook.Form
#: So many of the latest deliveries are shown.
MOST_SHOWN = 12


@dataclass(frozen=True)
class Sent:
    """A line of the list of deliveries: what, to which webhook, and how it went."""

    delivery: Delivery

    @property
    def state(self) -> str:
        """One of "delivered", "waiting", "given up"."""
        if self.delivery.delivered_at:
            return "delivered"
        return "given up" if self.delivery.given_up_at else "waiting"

    @property
    def happened(self) -> str:
        """When the event was, where the club is."""
        return date_format(self.delivery.event.at.astimezone(self.delivery.event.club.zone), "H:i, j F")

    def __str__(self) -> str:
        delivery, zone = self.delivery, self.delivery.event.club.zone
        if delivery.delivered_at:
            return f"Delivered at {date_format(delivery.delivered_at.astimezone(zone), 'H:i, j F')}."
        if delivery.given_up_at:
            return f"Given up. {delivery.problem}"
        if not delivery.problem:
            return "On its way."
        again = date_format(delivery.not_before.astimezone(zone), "H:i")
        times = "once" if delivery.attempts == 1 else f"{delivery.attempts} times"
        return f"{delivery.problem} Tried {times}, again at {again}."


def webhooks_of(club: Club) -> dict[str, Webhook]:
    """By their forms. One query."""
    return {webhook.form: webhook for webhook in club.webhooks.all()}


def latest_of(club: Club) -> list[Sent]:
    """The latest deliveries to webhooks, the newest first. One query."""
    rows = Delivery.objects.filter(webhook__club=club).select_related("event__club", "webhook").order_by("-pk")
    return [Sent(row) for row in rows[:MOST_SHOWN]]


def name_webhook(club: Club, form: str, url: str, *, by: Member | None) -> Webhook:
    """From now on the club's events are sent there, and at once what still waits. Its secret stays: a program may move.

    The same address again changes nothing.
    """
    with transaction.atomic():
        locked(club)
        webhook = club.webhooks.filter(form=form).first()
        if webhook is None:
            webhook = Webhook.objects.create(club=club, form=form, url=url, secret=new_secret())
            write_down(club, f"Named a webhook for {webhook}.", by=by)
        elif webhook.url != url:
            webhook.url = url
            webhook.save(update_fields=["url"])
            begin_anew(webhook)
            write_down(club, f"Changed the address of the webhook for {webhook}.", by=by)
    return webhook


def begin_anew(webhook: Webhook) -> None:
    """Let what waits be tried now and in order, as if it had never failed: the old address was at fault."""
    waiting = webhook.deliveries.waiting()
    waiting.update(not_before=timezone.now(), attempts=0, turn=0, problem="")
    transaction.on_commit(wake)


def count_waiting(club: Club) -> dict[str, int]:
    """How many messages wait, by the form of the webhook. One query."""
    waiting = Delivery.objects.waiting().filter(webhook__club=club).values_list("webhook__form")
    return dict(waiting.annotate(Count("pk")).order_by())


def remove_webhook(club: Club, form: str, *, by: Member | None) -> None:
    """Nothing is sent there any more, nor what still waits."""
    with transaction.atomic():
        for webhook in club.webhooks.filter(form=form):
            webhook.delete()
            write_down(club, f"Removed the webhook for {webhook}.", by=by)


def change_secret(club: Club, form: str, *, by: Member | None) -> None:
    """From now on what is sent is signed with another secret."""
    with transaction.atomic():
        for webhook in club.webhooks.select_for_update().filter(form=form):
            webhook.secret = new_secret()
            webhook.save(update_fields=["secret"])
            write_down(club, f"Made a new secret for the webhook for {webhook}.", by=by)


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def send_test(webhook: Webhook, key: str) -> None:
    """Send a test, as everything else is sent; the same tap again sends none."""
    with transaction.atomic():
        announce(webhook.club, Event.Kind.TEST, f"{webhook.pk}-{key}", webhook=webhook.pk)


def count_unread(club: Club) -> int:
    """How many deliveries were given up since an organiser has looked. One query."""
    return given_up(club).filter(seen_at__isnull=True).count()


def mark_read(club: Club) -> None:
    """An organiser has looked at what was given up."""
    given_up(club).filter(seen_at__isnull=True).update(seen_at=timezone.now())


def given_up(club: Club) -> QuerySet[Delivery]:
    return Delivery.objects.filter(webhook__club=club, given_up_at__isnull=False)
