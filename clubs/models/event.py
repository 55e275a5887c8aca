"""Events that a club tells people and programs of, their deliveries, and where those go."""

from __future__ import annotations

import datetime
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from clubs.models.club import Club
from clubs.models.member import Member
from clubs.models.night import Night, Table
from clubs.models.session import BrowserSession

#: Characters of an address to which something is sent.
LONGEST_ADDRESS = 2000


class Event(models.Model):
    """Something that happened in a club, written in the transaction in which it happened (`clubs.outbox`)."""

    class Kind(models.TextChoices):
        DRAWN = "drawn", "tables are drawn"
        FINALS = "finals", "the finals are drawn"
        CALLED = "called", "a table calls the organiser"
        LAST_HAND = "last-hand", "the last hand is announced"
        RESULT = "result", "a table has ended"
        CORRECTED = "corrected", "a result was corrected"
        DECIDED = "decided", "a play-off is decided"
        PLANNED = "planned", "a night is planned"
        TOMORROW = "tomorrow", "a night is tomorrow"
        TROPHIES = "trophies", "the trophies moved"
        STORY = "story", "the story of a night"
        TEST = "test", "a test"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="events")
    kind = models.CharField(max_length=10, choices=Kind)
    night = models.ForeignKey(Night, on_delete=models.CASCADE, null=True, related_name="events")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, null=True, related_name="events")
    #: What of it is not in the rows, and never a name: the ids of the tables that were drawn, of the nights that were
    #: planned, of the play-off or of the webhook; the last hand; the day of a night that is tomorrow; the places and
    #: points with which a table ended.
    details = models.JSONField(default=dict)
    #: The same key is announced once.
    key = models.CharField(max_length=120, unique=True)
    at = models.DateTimeField(default=timezone.now)
    #: When its deliveries were written.
    expanded_at = models.DateTimeField(null=True, db_index=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.get_kind_display()


class Webhook(models.Model):
    """An address of a program that hears of the club's events: one of each form a club (`clubs.webhooks`).

    What waits is sent to the address it has by then, signed with the secret it has by then: whoever mends an address
    loses nothing. Only with the webhook is removed what still waits for it.
    """

    class Form(models.TextChoices):
        DISCORD = "discord", "Discord"
        SIGNED = "signed", "another program"

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    form = models.CharField(max_length=8, choices=Form)
    url = models.CharField(max_length=LONGEST_ADDRESS)
    #: Signs what is sent in the signed form.
    secret = models.CharField(max_length=64)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "form"], name="one_webhook_a_form")]

    def __str__(self) -> str:
        return self.get_form_display()


class NoticeSettings(models.Model):
    """Of what a member wants to hear, by which way, and when not (`clubs.notices`). No row: they were never asked."""

    member = models.OneToOneField(Member, on_delete=models.CASCADE, related_name="notice_settings")
    #: Kinds of events (`Event.Kind`).
    push = models.JSONField(default=list)
    mail = models.JSONField(default=list)
    #: Quiet hours, where the club is; both or neither. They may pass midnight.
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"notices of {self.member_id}"


class PushSubscription(models.Model):
    """A browser that shows notices to a member by Web Push, as long as it is signed in, or may answer for them.

    One browser has one endpoint for the whole site, so in each club it stands once.
    """

    member = models.ForeignKey(Member, on_delete=models.CASCADE, related_name="push_subscriptions")
    #: Where it is signed in: signed out there, it is told nothing any more. Null: a phone that says who uses it.
    session = models.ForeignKey(
        BrowserSession, on_delete=models.CASCADE, null=True, blank=True, related_name="push_subscriptions"
    )
    #: The key of the club by which such a phone came; "" where somebody is signed in.
    key = models.CharField(max_length=22, blank=True)
    #: What a person calls the browser: "Chrome on Android".
    browser = models.CharField(max_length=60, blank=True)
    endpoint = models.CharField(max_length=LONGEST_ADDRESS)
    #: The SHA-256 of the endpoint: addresses are too long for an index.
    endpoint_hash = models.CharField(max_length=64, db_index=True)
    #: Its public key and its secret, as the browser gave them.
    p256dh = models.CharField(max_length=200)
    auth = models.CharField(max_length=100)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["member", "endpoint_hash"], name="one_browser_a_member")]

    def __str__(self) -> str:
        return f"a browser of {self.member_id}"


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def waiting(self) -> DeliveryQuerySet:
        """Those that are still to be made."""
        return self.filter(delivered_at__isnull=True, given_up_at__isnull=True)

    def due(self, now: datetime.datetime) -> DeliveryQuerySet:
        """Those that are to be tried at that time: to a webhook only the first of all that wait, as things happened."""
        earlier = Q(turn__lt=OuterRef("turn")) | Q(turn=OuterRef("turn"), event__lt=OuterRef("event"))
        before = Delivery.objects.waiting().filter(earlier, webhook=OuterRef("webhook"))
        return self.waiting().filter(~Exists(before), not_before__lte=now)

    def lost(self, since: datetime.datetime) -> DeliveryQuerySet:
        """Those that were given up since then although somebody would still have wanted to hear of it."""
        return self.filter(given_up_at__gte=since).exclude(seen_at=models.F("given_up_at"))


class Delivery(models.Model):
    """One message about an event to one receiver: tried until it is delivered or given up."""

    class Channel(models.TextChoices):
        WEBHOOK = "webhook", "webhook"
        PUSH = "push", "notice on a phone"
        MAIL = "mail", "mail"

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=7, choices=Channel)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, null=True, related_name="deliveries")
    subscription = models.ForeignKey(PushSubscription, on_delete=models.CASCADE, null=True, related_name="deliveries")
    #: Who is told, by push or mail.
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, related_name="+")
    #: What was to be said when the event was expanded; what is sent is made anew. Empty where nothing waits any more.
    message: Any = models.JSONField(default=dict)
    attempts = models.PositiveSmallIntegerField(default=0)
    #: How often it has made room for others to the same webhook, having failed some times in a row.
    turn = models.PositiveSmallIntegerField(default=0)
    #: When it is tried next. Whoever tries it moves this on before, so that no other does.
    not_before = models.DateTimeField(default=timezone.now)
    delivered_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    #: Why the last attempt failed, in words for an organiser.
    problem = models.CharField(max_length=200, blank=True)
    #: Since when an organiser knows that it was given up: from that moment on where nobody need know.
    seen_at = models.DateTimeField(null=True, blank=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "webhook"], condition=Q(webhook__isnull=False), name="one_delivery_a_webhook"
            ),
        ]
        indexes = [
            models.Index(
                fields=["not_before"], name="deliveries_that_wait",
                condition=Q(delivered_at__isnull=True, given_up_at__isnull=True),
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.channel} {self.event_id}"
