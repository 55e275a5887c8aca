"""Notices by email: plain text, to the address with which somebody signs in."""

from __future__ import annotations

import datetime
import smtplib
from collections.abc import Callable, Collection, Iterable

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.urls import reverse

from clubs.access.club_key import with_key
from clubs.models import Delivery, Event, Member
from clubs.notices.audience import audience_of, drop_older, told_at
from clubs.notices.choices import NOT_WANTED
from clubs.notices.links import stop_path
from clubs.notices.texts import WRITERS, Notice, notices_of, still_true
from clubs.outbox.addresses import site_address
from clubs.outbox.channels import NotDelivered

#: Where mail goes as long as no address of a mail server is set.
PRINTED = "django.core.mail.backends.console.EmailBackend"
NO_ADDRESS = "There is no address to send it to."


def mail_is_printed() -> bool:
    """Whether mail goes nowhere but to the terminal of the site."""
    return settings.EMAIL_BACKEND == PRINTED


class MailChannel:
    """Tells people by email."""

    lasts = datetime.timedelta(days=2)

    def deliveries_of(self, event: Event) -> Iterable[Delivery]:
        """One for each person who wants to hear of it and has an address."""
        if mail_is_printed() or event.kind not in WRITERS:
            return []
        audience = audience_of(event.club)
        wants = {pk for pk, chosen in audience.settings.items() if event.kind in chosen.mail}
        addresses = addresses_of({user for pk in wants for user in audience.accounts.get(pk, ())}) if wants else {}
        wants = {pk for pk in wants if not audience.accounts.get(pk, set()).isdisjoint(addresses)}
        notices = notices_of(event, audience) if wants else {}
        deliveries = [
            Delivery(
                event=event, channel=Delivery.Channel.MAIL, member_id=pk,
                message={
                    "title": notice.title, "body": notice.body, "path": notice.own_path or notice.path,
                    "topic": notice.topic,
                },
                not_before=told_at(event.kind, audience.settings[pk], event.club.zone),
            )
            for pk, notice in notices.items() if pk in wants
        ]  # fmt: skip
        drop_older(event, deliveries)
        return deliveries

    def prepare(self, delivery: Delivery) -> Callable[[], None]:
        """What sends one, as things stand now."""
        person = Member.objects.select_related("club").filter(pk=delivery.member_id or 0).first()
        audience = audience_of(delivery.event.club)
        if person is None or not audience.wants(person.pk, delivery.event.kind, "mail"):
            raise NotDelivered(NOT_WANTED, for_good=True)
        address = address_of_person(person)
        if not address:
            raise NotDelivered(NO_ADDRESS, for_good=True)
        mail = mail_to(person, address, still_true(delivery, audience))

        def send() -> None:
            try:
                mail.send()
            except smtplib.SMTPRecipientsRefused as refused:
                for_good = all(code >= 500 for code, _ in refused.recipients.values())
                raise NotDelivered("The mail server refused the address.", for_good=for_good) from refused
            except (OSError, smtplib.SMTPException) as problem:
                raise NotDelivered(f"The email could not be sent: {type(problem).__qualname__}.") from problem

        return send


def mail_to(person: Member, address: str, notice: Notice) -> EmailMessage:
    """The mail: what happened, where to read on, and how it stops."""
    site, path = site_address(), notice.own_path or notice.path
    stop = f"{site}{stop_path(person)}"
    choices = f"{site}{reverse('my_notices', args=[person.club.slug])}"
    lines = [
        notice.letter or notice.body, "", with_key(person.club, f"{site}{path}"), "", "-- ",
        f"Your notices from {person.club}: {choices}", f"Stop these emails, or all notices: {stop}", "",
    ]  # fmt: skip
    return EmailMessage(
        notice.title, "\n".join(lines), to=[address],
        headers={"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )  # fmt: skip


def addresses_of(users: Collection[int]) -> dict[int, str]:
    """The addresses of these accounts (ids) that are confirmed. One query."""
    rows = EmailAddress.objects.filter(user__in=users, verified=True, primary=True)
    return dict(rows.values_list("user", "email"))


def address_of_person(person: Member) -> str:
    """The confirmed address of somebody who belongs to the club; "" for none. Two queries."""
    records = Member.objects.filter(Q(pk=person.pk) | Q(same_as=person.pk), user__is_active=True)
    users = list(records.order_by("same_as", "pk").values_list("user", flat=True))
    addresses = addresses_of([user for user in users if user])
    return next((addresses[user] for user in users if user in addresses), "")
