"""Text that is markup, a mark of Discord or a header elsewhere stays text in mails, on phones, and for programs."""

from __future__ import annotations

import datetime
import email
import email.policy
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import Settings

from clubs.models import Club, Event, Member, Night, PushSubscription, Stage
from clubs.nights.nights import plan_nights
from clubs.notices.audience import Audience, audience_of
from clubs.notices.mail import mail_to
from clubs.notices.push import payload_of
from clubs.notices.texts import WRITERS as NOTICES
from clubs.notices.texts import Notice, notices_of
from clubs.projections.worker import catch_up
from clubs.webhooks.messages import KINDS, Message, discord_form, message_of, signed_form
from scoresheets.models import Sheet
from tests.club_factories import UserFactory
from tests.clubs.notices.hearing import has_mail, has_phone, trophy_of
from tests.clubs.play_offs.evening import PlayOffEvening, play_off
from tests.trust.attempts import Attempt
from tests.trust.injections.texts import MARK, injections, write_everywhere

ADDRESS = "https://cards.example"
HEADERS = {
    "Content-Type", "MIME-Version", "Content-Transfer-Encoding", "Subject", "From", "To", "Date", "Message-ID",
    "List-Unsubscribe", "List-Unsubscribe-Post",
}  # fmt: skip
#: What a phone shows; all else on a notice is made by the site.
SHOWN = ("title", "body")
LARGEST_PUSH = 3000
#: What Discord takes for a mark, where no stroke is before it.
DISCORDS_MARKS = re.compile(r"[*_~`|>#\[\]()@:<-]")


def an_evening() -> PlayOffEvening:
    """A play-off that is decided, a night to come, and an event of every kind."""
    evening = play_off((4, 4), places=2)
    for table in evening.groups:
        evening.finish(table, [40, 30, 20, 10])
    evening.open_next()
    for side in (Stage.Side.WINNERS, Stage.Side.LOSERS):
        evening.finish(evening.final(side), [40, 30, 20, 10])
    catch_up()
    club, final = evening.club, evening.final()
    Sheet.objects.filter(pk=final.sheet_id).update(asks_since=timezone.now())
    trophy_of(final, evening.members["Ann"])
    soon = Night(
        club=club, on=club.today() + datetime.timedelta(days=1), begins=datetime.time(19, 30), place="The Bell"
    )
    soon.title = "Spring"
    (planned,) = plan_nights(soon)
    details = {
        Event.Kind.DRAWN: {"tables": [table.pk for table in evening.groups]},
        Event.Kind.FINALS: {"tables": [final.pk]},
        Event.Kind.DECIDED: {"play_off": evening.play_off.pk},
        Event.Kind.TOMORROW: {"on": f"{planned.on}"},
    }
    Event.objects.filter(club=club).delete()
    for kind in Event.Kind:
        night = planned if kind in (Event.Kind.PLANNED, Event.Kind.TOMORROW) else evening.night
        Event.objects.create(club=club, kind=kind, key=kind, night=night, table=final, details=details.get(kind, {}))
    return evening


def listening(somebody: Member) -> PushSubscription:
    """A phone of somebody who runs the club, has played in the final, and is told everything by email too."""
    somebody.user, somebody.role = UserFactory(), Member.Role.ORGANISER
    somebody.save()
    browser = has_phone(somebody)
    has_mail(somebody, "ann@mail.example")
    return browser


def wrong_in_mail(mail: EmailMessage) -> Iterator[str]:
    """An email has no header and no part that the site did not make, and says what it was told to."""
    parsed: Any = email.message_from_bytes(mail.message().as_bytes(), policy=email.policy.default)
    yield from (f"header {name}" for name in set(parsed.keys()) - HEADERS)
    yield from (f"{name}: {parsed[name]}" for name in HEADERS - {"Subject"} if MARK in f"{parsed[name]}")
    if parsed.get_content_type() != "text/plain" or parsed.is_multipart():
        yield parsed.get_content_type()
    # An email writes every space of a header as one.
    if parsed["Subject"].split() != mail.subject.split():
        yield f"{parsed['Subject']!r} instead of {mail.subject!r}"
    if parsed.get_content().strip() != mail.body.strip():
        yield f"{parsed.get_content()!r} instead of {mail.body!r}"


def wrong_in_push(payload: bytes, notice: Notice) -> Iterator[str]:
    """A phone is told the title and the sentence; where a tap leads is an address of the site."""
    content = json.loads(payload)
    if (content["title"], content["body"]) != (notice.title, notice.body) or len(payload) >= LARGEST_PUSH:
        yield f"{content}"
    for name in content.keys() - set(SHOWN):
        if MARK in content[name] or (name != "tag" and not content[name].startswith("/")):
            yield f"{name}: {content[name]}"


def wrong_for_programs(event: Event, message: Message) -> Iterator[str]:
    """A program gets what is said as it is; in Discord it marks nothing, calls nobody and leads nowhere else."""
    signed, discord = (json.loads(json.dumps(form(event, message))) for form in (signed_form, discord_form))
    if (signed["title"], signed["text"]) != (message.title, message.text):
        yield f"{signed}"
    (embed,) = discord.pop("embeds")
    if discord != {"allowed_mentions": {"parse": []}}:
        yield f"{discord}"
    for name in ("title", "description"):
        if DISCORDS_MARKS.search(re.sub(r"\\.", "", embed[name], flags=re.DOTALL)):
            yield f"{name}: {embed[name]}"
    for address in (signed["url"], embed["url"]):
        if MARK in address or not address.startswith(f"{ADDRESS}/"):
            yield address


def told_by(
    event: Event, audience: Audience, person: Member, browser: PushSubscription
) -> Iterator[tuple[str, list[str]]]:
    """By channel: what is wrong of what somebody and a program are told of the event."""
    if event.kind in NOTICES:
        notice = notices_of(event, audience)[person.pk]
        yield "mail", list(wrong_in_mail(mail_to(person, "ann@mail.example", notice)))
        yield "push", list(wrong_in_push(payload_of(notice, browser), notice))
    if event.kind in KINDS:
        yield "webhook", list(wrong_for_programs(event, message_of(event)))


@pytest.mark.promise(7)
@pytest.mark.django_db
@pytest.mark.timeout(3600)
def test_injections_are_text_in_every_message(attempt: Attempt, settings: Settings) -> None:
    settings.ADDRESS, settings.EMAIL_BACKEND = ADDRESS, "django.core.mail.backends.locmem.EmailBackend"
    evening = an_evening()
    browser = listening(evening.members["Ann"])
    wrong, channels, marked = [], Counter[str](), 0
    rounds = attempt.size(4, len(list(injections())))
    # Each round every text is the next injection.
    for begin in range(rounds):
        texts = len(write_everywhere(begin))
        person = Member.objects.select_related("club").get(pk=browser.member_id)
        browser.refresh_from_db()
        audience = audience_of(Club.objects.get(pk=person.club_id))
        for event in Event.objects.select_related("club", "night", "table__sheet", "table__night"):
            for channel, found in told_by(event, audience, person, browser):
                channels[channel] += 1
                wrong += [f"{event.kind} by {channel}: {line}" for line in found]
            marked += MARK in f"{notices_of(event, audience)}" if event.kind in NOTICES else True
    assert wrong == []
    assert channels.keys() == {"mail", "push", "webhook"}
    assert marked > channels.total() / 4
    attempt.saw(
        f"{rounds} injections in turn in {texts} texts: {channels['mail']:,} mails, {channels['push']:,} notices on"
        f" phones and {channels['webhook']:,} messages to programs, all as text"
    )
