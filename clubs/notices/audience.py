"""Who of a club may be told something: its people, with what they want and the accounts by which they belong to it."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from django.utils import timezone

from clubs.models import Club, Delivery, Event, Member, NoticeSettings, PushSubscription
from clubs.models.event import DeliveryQuerySet

Role = Member.Role


@dataclass(frozen=True)
class Audience:
    """The people of a club who have chosen what they want to hear, by the ids of the records that count."""

    club: Club
    people: dict[int, Member] = field(default_factory=dict)
    settings: dict[int, NoticeSettings] = field(default_factory=dict)
    #: The accounts (ids) by which each belongs to the club.
    accounts: dict[int, set[int]] = field(default_factory=dict)
    organisers: frozenset[int] = frozenset()

    @property
    def members(self) -> list[int]:
        """Those who are asked to come: a guest plays for a night."""
        return [pk for pk, person in self.people.items() if person.role != Role.GUEST or pk in self.organisers]

    def wants(self, person: int | None, kind: str, way: str) -> bool:
        """Whether that person (id) wants to hear of it that way ("push", "mail")."""
        return person in self.settings and kind in getattr(self.settings[person], way)

    def may_hear(self, browser: PushSubscription) -> bool:
        """Whether the club still shows itself to that browser, as the person it is noted for."""
        if browser.member.identity not in self.people:
            return False
        if browser.session is None:
            return self.club.visibility != Club.Visibility.MEMBERS and browser.key == self.club.key
        is_on = browser.session.expire_date > timezone.now()
        return is_on and browser.session.user_id in self.accounts[browser.member.identity]


def audience_of(club: Club) -> Audience:
    """Everybody of an open club who is told anything. Two queries."""
    people: dict[int, Member] = {}
    settings: dict[int, NoticeSettings] = {}
    rows = NoticeSettings.objects.filter(member__club=club).select_related("member__same_as")
    # Where two records were merged that both have some, those of the record that counts.
    for row in sorted(rows, key=lambda row: row.member.same_as_id is None):
        person = row.member.main_record
        if person.left_at is None and person.approved_at is not None and row.push + row.mail:
            people[person.pk], settings[person.pk] = person, row
        else:
            people.pop(person.pk, None)
            settings.pop(person.pk, None)
    if not people or club.archived_at is not None:
        return Audience(club)
    accounts: dict[int, set[int]] = defaultdict(set)
    organisers = set()
    records = Member.objects.filter(club=club, user__is_active=True, approved_at__isnull=False)
    for pk, same_as, user, *roles in records.values_list("pk", "same_as", "user", "role", "same_as__role"):
        accounts[same_as or pk].add(user)
        if Role.ORGANISER in roles:
            organisers.add(same_as or pk)
    return Audience(club, people, settings, accounts, frozenset(organisers))


# When somebody is told

#: What is told at once, in quiet hours too: it is about where they are sitting.
AT_ONCE = frozenset((Event.Kind.CALLED, Event.Kind.DRAWN, Event.Kind.FINALS))
#: What comes in several steps, one after the other: it is told once nothing new has come for so long.
SETTLES = dict.fromkeys((Event.Kind.CORRECTED, Event.Kind.TROPHIES, Event.Kind.STORY), datetime.timedelta(minutes=2))
NEWER = "A newer notice says it."


def quiet_until(settings: NoticeSettings, zone: datetime.tzinfo, at: datetime.datetime) -> datetime.datetime:
    """When quiet hours are over that it is in at that time; the time itself where it is in none."""
    start, end = settings.quiet_from, settings.quiet_until
    if start is None or end is None or start == end:
        return at
    there = at.astimezone(zone)
    is_quiet = start <= there.time() < end if start < end else not end <= there.time() < start
    if not is_quiet:
        return at
    day = there.date() + datetime.timedelta(days=int(there.time() >= end))
    return datetime.datetime.combine(day, end, zone)


def told_at(kind: str, settings: NoticeSettings, zone: datetime.tzinfo) -> datetime.datetime:
    """When an event of that kind is told to somebody, if it happens now."""
    at = timezone.now() + SETTLES.get(Event.Kind(kind), datetime.timedelta())
    return at if kind in AT_ONCE else quiet_until(settings, zone, at)


def about_the_same(event: Event) -> DeliveryQuerySet:
    """The deliveries of all events of its kind that are about the same night, table or day: the latest is what counts.

    Their topic says the same, but it is kept no longer than they wait.
    """
    rows = Delivery.objects.filter(
        event__club=event.club_id, event__kind=event.kind, event__night=event.night_id, event__table=event.table_id
    )
    return rows if event.night_id else rows.filter(event__details__on=event.details.get("on", ""))


def drop_older(event: Event, deliveries: Collection[Delivery]) -> None:
    """What still waits of events before it that were about the same is not sent to the same people any more: the newer
    one says what is true. One statement, where there are any.
    """
    if not deliveries:
        return
    older = about_the_same(event).waiting().filter(
        event__lt=event.pk, channel__in={delivery.channel for delivery in deliveries},
        member__in={delivery.member_id for delivery in deliveries},
    )  # fmt: skip
    now = timezone.now()
    older.update(given_up_at=now, seen_at=now, problem=NEWER, message={})


def has_newer(delivery: Delivery) -> bool:
    """Whether its receiver was told of a later event about the same, or will be. One query.

    Two processes may write the later one first, or both at once: `drop_older` does not find what comes after it.
    """
    newer = about_the_same(delivery.event).filter(event__gt=delivery.event_id, given_up_at__isnull=True)
    return newer.filter(
        channel=delivery.channel, member=delivery.member_id, subscription=delivery.subscription_id
    ).exists()  # fmt: skip
