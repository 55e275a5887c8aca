"""What somebody is told of an event: a title, a sentence and the page it leads to."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format

from clubs.evening.summary import evenings
from clubs.members.identity import members_of_players
from clubs.members.personal_links import token_of
from clubs.models import Chair, Delivery, Event, Night, PersonalLink, Table
from clubs.nights.replies import answers_of, is_open
from clubs.notices.announcing import awards_that_count
from clubs.notices.audience import AT_ONCE, NEWER, Audience, about_the_same, has_newer
from clubs.outbox.channels import NotDelivered
from clubs.stories.story import story_of
from rules.core.numbers import bare
from scoresheets.log.text import shortened
from scoresheets.models import FinalPlacing, Seat
from scoresheets.results.match import plural
from scoresheets.wording.markup import plain_list

Kind = Event.Kind

#: Letters of a sentence: with the names of a large table; of any language they fit into what a push service takes.
LONGEST = 300
HOUR, HOURS, DAY = (datetime.timedelta(hours=hours) for hours in (0.5, 2, 24))
TOO_LATE = "It came too late to be told."
NOT_TRUE = "It was not true any more."
NOT_YET = "The game is open again."
#: Seconds until the next look whether a game that is open again has ended: its last hand is written anew by then.
LOOK_AGAIN = 60
#: How long after it an event is still worth telling to a phone that was off.
LASTS = dict.fromkeys(Kind, DAY) | {Kind.CALLED: HOUR, Kind.DRAWN: HOURS, Kind.FINALS: HOURS}


@dataclass(frozen=True)
class Notice:
    """What one person is told. `path` is the page it leads to; a later one with the same `topic` replaces it.

    `own_path`: the same page by their own link, for mail, which needs no signing in; "": they have none.
    `is_early`: the game it is about is open again, so it waits until there is a result to tell. `letter`: what an email
    says instead of `body`; it is made when the mail is sent, and kept nowhere.
    """

    title: str
    body: str
    path: str
    topic: str
    own_path: str = ""
    is_early: bool = False
    letter: str = ""


def notices_of(event: Event, audience: Audience) -> dict[int, Notice]:
    """What is told to whom (ids of people who may want it). A fixed number of queries, however many they are."""
    write = WRITERS.get(Kind(event.kind))
    return write(event, audience) if write and audience.people else {}


def still_true(delivery: Delivery, audience: Audience) -> Notice:
    """What a delivery says as things stand now, which is not what it said when it was written: a draw is taken back, a
    result corrected again. Raises `NotDelivered` where it is over, or not true any more; where the game is open again
    it waits: the same result is not announced twice.
    """
    event = delivery.event
    if Kind(event.kind) in AT_ONCE and timezone.now() - event.at > LASTS[Kind(event.kind)]:
        raise NotDelivered(TOO_LATE, is_over=True)
    if has_newer(delivery):
        raise NotDelivered(NEWER, is_over=True)
    notice = notices_of(event, audience).get(delivery.member_id or 0)
    if notice is None:
        raise NotDelivered(NOT_TRUE, is_over=True)
    if notice.is_early:
        raise NotDelivered(NOT_YET, wait=LOOK_AGAIN)
    return notice


def called(event: Event, audience: Audience) -> dict[int, Notice]:
    """A table calls: all organisers, unless one is on the way already."""
    table = event.table
    if table is None or table.sheet is None or table.sheet.asks_since is None:
        return {}
    path = reverse("control", args=[audience.club.slug, table.night_id])
    day = date_format((event.night or table.night).on, "l j F")
    title, body = f"{audience.club}: {table} calls you", f"{day}: {table} calls an organiser."
    notice = Notice(title, body, path, f"called-{table.pk}")
    return dict.fromkeys(audience.people.keys() & audience.organisers, notice)


def drawn(event: Event, audience: Audience) -> dict[int, Notice]:
    """Tables are drawn: everybody at them, with their seat and who sits there too. One query."""
    notices = {}
    title = "Finals are drawn" if event.kind == Kind.FINALS else "Tables are drawn"
    for table, chairs in chairs_of(event).items():
        path = reverse("watch", args=[table.sheet.watch]) if table.sheet else night_path(audience, table.night_id)
        for chair in chairs:
            others = [other.member.main_record.shown for other in chairs if other.pk != chair.pk]
            company = f", with {plain_list(others)}" if others else ""
            body = shortened(f"{table}, seat {chair.place}{company}.", LONGEST)
            topic = f"drawn-{table.night_id}"
            if chair.member.identity in audience.people:
                notices[chair.member.identity] = Notice(f"{audience.club}: {title}", body, path, topic)
    return notices


def chairs_of(event: Event) -> dict[Table, list[Chair]]:
    """The tables of the event that stand, with their chairs."""
    chairs = Chair.objects.filter(
        table__in=event.details["tables"], table__night__club=event.club_id, table__withdrawn_at__isnull=True
    )
    of: dict[Table, list[Chair]] = defaultdict(list)
    for chair in chairs.order_by("table__number", "place").select_related("table__sheet", "member__same_as"):
        of[chair.table].append(chair)
    return of


def corrected(event: Event, audience: Audience) -> dict[int, Notice]:
    """A result is corrected: whoever has one at that table, with what it is now; as long as it is open again, whoever
    sits there. At most four queries.
    """
    table = event.table
    if table is None or table.sheet_id is None or table.withdrawn_at is not None:
        return {}
    rows: list[FinalPlacing] | list[Seat] = list(placings_of(table)) or list(seats_of(table))
    members = members_of_players(audience.club, [row.player_id for row in rows])
    day = date_format((event.night or table.night).on, "j F Y")
    notices = {}
    for row in rows:
        path = reverse("watch", args=[row.sheet.watch])
        member = members.get(row.player_id)
        if member and member.identity in audience.people:
            title = f"{audience.club}: your result was corrected"
            body, topic = f"{table} on {day}. {how_it_ended(row)}", f"corrected-{table.pk}"
            notices[member.identity] = Notice(title, body, path, topic, is_early=isinstance(row, Seat))
    return notices


def placings_of(table: Table) -> QuerySet[FinalPlacing]:
    return FinalPlacing.objects.filter(sheet=table.sheet_id).select_related("sheet")


def seats_of(table: Table) -> QuerySet[Seat]:
    return Seat.objects.filter(sheet=table.sheet_id).select_related("sheet")


def how_it_ended(row: FinalPlacing | Seat) -> str:
    """What somebody is told of their result."""
    if isinstance(row, Seat):
        return NOT_YET
    points = bare(row.score)
    now = f"place {row.place} with {points}" if row.place else f"{points} {plural('point', abs(row.score))}"
    return f"Now: {now}."


def planned(event: Event, audience: Audience) -> dict[int, Notice]:
    """A night is planned, or a series: every member but those who do not come."""
    more = len(event.details.get("nights", ())) - 1
    return of_night(event, audience, "A night is planned", f" And {more} more." if more > 0 else "")


def tomorrow(event: Event, audience: Audience) -> dict[int, Notice]:
    """The evening before: every member but those who do not come. It may be read later, so it names the day."""
    night = event.night
    if night is None or f"{night.on}" != event.details.get("on"):
        return {}
    return of_night(event, audience, "Are you coming?", "")


def of_night(event: Event, audience: Audience, title: str, more: str) -> dict[int, Notice]:
    """Of a night to come, as long as people can answer. Three queries."""
    night = event.night
    if night is None:
        return {}
    night.club = audience.club
    if not is_open(night):
        return {}
    absent = {member.pk for member in answers_of([night])[night.pk].absent}
    path = f"{night.get_absolute_url()}#coming"
    own = own_paths(audience, night)
    body = shortened(f"{when_and_where(night)}{more}", LONGEST)
    title = f"{audience.club}: {title}"
    return {
        pk: Notice(title, body, path, f"night-{night.pk}", own.get(pk, ""))
        for pk in audience.members if pk not in absent
    }  # fmt: skip


def own_paths(audience: Audience, night: Night) -> dict[int, str]:
    """Where each answers by their personal link, by their ids. One query."""
    links = PersonalLink.objects.filter(member__club=audience.club, revoked_at__isnull=True).select_related("member")
    tokens = {link.member.identity: token_of(link) for link in links.order_by("created", "pk")}
    return {pk: f"{reverse('my_nights', args=[token])}#night-{night.pk}" for pk, token in tokens.items() if token}


def trophies(event: Event, audience: Audience) -> dict[int, Notice]:
    """The trophies moved: every member. Who has them now is on the page, as long as it may be read there. Two queries.

    Not those who were told last when the same awards counted: what was given and taken back meanwhile is no news.
    """
    club, night, on = audience.club, event.night, event.details.get("on", "")
    counted, last = awards_that_count(club, night, on), last_told(event)
    day = f" of {date_format(night.on, 'j F Y')}" if night else ""
    path = reverse("trophies", args=[club.slug])
    topic = f"trophies-{night.pk if night else on}"
    notices = {}
    for pk in audience.members:
        body = f"Who won the trophies{day} has changed" if pk in last else f"The trophies{day} are decided"
        if last.get(pk, []) != counted:
            notices[pk] = Notice(f"{club}: the trophies moved", f"{body}: see who has them now.", path, topic)
    return notices


def last_told(event: Event) -> dict[int, list[int]]:
    """Which awards (ids) counted when people (ids) were told last of the same trophies. One query."""
    earlier = about_the_same(event).filter(event__lt=event.pk, delivered_at__isnull=False, member__isnull=False)
    rows = earlier.order_by("event").values_list(Coalesce("member__same_as", "member"), "event__details")
    return {person: details.get("awards", []) for person, details in rows}


def story(event: Event, audience: Audience) -> dict[int, Notice]:
    """The story of a night: every member. Only an email has its sentences, with names as shown when it is sent.

    As long as a table plays again it waits. A fixed number of queries, however many tables there are.
    """
    night = event.night
    if night is None or night.archived_at is not None:
        return {}
    night.club = audience.club
    there = story_of(evenings([night])[0])
    title, path = (
        f"{audience.club}: the story of the night",
        reverse("night_story", args=[audience.club.slug, night.pk]),
    )
    body = f"What happened on {date_format(night.on, 'l j F')}, in a few sentences."
    letter = "\n".join(there.plain) if there else ""
    notice = Notice(title, body, path, f"story-{night.pk}", is_early=there is None, letter=letter)
    return dict.fromkeys(audience.members, notice)


#: Who writes of which events.
WRITERS: dict[Event.Kind, Callable[[Event, Audience], dict[int, Notice]]] = {
    Kind.CALLED: called, Kind.DRAWN: drawn, Kind.FINALS: drawn, Kind.CORRECTED: corrected, Kind.PLANNED: planned,
    Kind.TOMORROW: tomorrow, Kind.TROPHIES: trophies, Kind.STORY: story,
}  # fmt: skip


# Words


def night_path(audience: Audience, night: int) -> str:
    return reverse("night", args=[audience.club.slug, night])


def when_and_where(night: Night) -> str:
    """ "Thursday 26 November, 19:30, the bakery: Spring, Dog." """
    hour = f", {night.begins:%H:%M}" if night.begins else ""
    place = night.place or night.club.place
    title = f": {night.title}" if night.title else ""
    return f"{date_format(night.on, 'l j F')}{hour}{f', {place}' if place else ''}{title}."
