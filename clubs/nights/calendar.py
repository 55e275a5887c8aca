"""The calendar of a club's nights, to which phones subscribe: one for everybody, and one for each member.

An event keeps its UID. Its SEQUENCE rises when an organiser changes the night (`clubs.models.Night.sequence`), and
LAST-MODIFIED with every answer, too. A night that was put away is told as cancelled.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clubs.models import Attendance, Club, Member, Night
from clubs.nights.replies import Answers, Says, answers_of, hour_text, is_open

if TYPE_CHECKING:
    from icalendar import Event

#: Nights of the last months stay in it, so that nothing vanishes from a calendar overnight.
SINCE = datetime.timedelta(days=120)
#: What an evening is taken to last, where nobody says when it ends.
AN_EVENING = datetime.timedelta(hours=4)
#: How often a calendar should look again.
EVERY = datetime.timedelta(hours=6)
FOR_FUN = "Just for fun: it counts for nothing."
PLAY_OFF = "A play-off decides who takes the trophies."


@dataclass(frozen=True)
class Addresses:
    """Whole addresses of the pages a calendar leads to, by night: `page`, and where one says whether one comes."""

    page: Callable[[Night], str]
    answer: Callable[[Night], str]


def calendar_of(club: Club, addresses: Addresses, me: Member | None = None) -> bytes:
    """The calendar (RFC 5545) with the nights of the last months and all to come; with what `me` has answered.

    The same rows give the same bytes. Three queries.
    """
    from icalendar import Calendar, vDuration, vText  # when it is needed: the site starts sooner without it

    calendar = Calendar()
    calendar.add("prodid", "-//Box and Circle//Nights of a card club//EN")
    calendar.add("version", "2.0")
    # icalendar does not know that these two are texts, which are escaped.
    calendar.add("name", vText(club.name))
    calendar.add("x-wr-calname", vText(club.name))
    calendar.add("x-wr-timezone", club.time_zone)
    calendar.add("refresh-interval", EVERY, parameters={"VALUE": "DURATION"})
    # The older word for the same. icalendar does not know that it is no text.
    calendar.add("x-published-ttl", vDuration(EVERY))
    nights = list(club.nights.filter(on__gte=club.today() - SINCE).with_latest().order_by("on", "begins", "pk"))
    for night in nights:
        night.club = club
    answers = answers_of(night for night in nights if is_open(night))
    for night in nights:
        calendar.add_component(event_of(night, addresses, answers.get(night.pk), me))
    # A calendar that does not know the clock by its name alone finds its summer time here.
    calendar.add_missing_timezones()
    return calendar.to_ical()


def event_of(night: Night, addresses: Addresses, answers: Answers | None, me: Member | None) -> Event:
    """One night: at its hour where the club is, or the whole day where no hour is fixed.

    `answers` are there as long as it can be answered.
    """
    from icalendar import Event

    event, club = Event(), night.club
    event.add("uid", f"{night.uid}@box-and-circle")
    last = last_change(night)
    event.add("dtstamp", last)
    event.add("created", night.created)
    event.add("last-modified", last)
    event.add("sequence", night.sequence)
    event.add("summary", f"{club.name}: {night}")
    if night.begins:
        begins = datetime.datetime.combine(night.on, night.begins, club.zone)
        event.add("dtstart", begins)
        event.add("dtend", begins + AN_EVENING)
    else:
        event.add("dtstart", night.on)
        event.add("dtend", night.on + datetime.timedelta(days=1))
    if night.begins is None or (answers and me and says_no(answers, me)):
        # It keeps nobody from other things that day.
        event.add("transp", "TRANSPARENT")
    if place := night.place or club.place:
        event.add("location", place)
    event.add("url", addresses.page(night))
    event.add("status", "CANCELLED" if night.archived_at else "CONFIRMED")
    if lines := description_of(night, addresses, answers, me):
        event.add("description", "\n".join(lines))
    return event


def last_change(night: Night) -> datetime.datetime:
    """When anything was said last of what stands in its event, or stood there: a calendar never hears an older time.

    For nights of `with_latest`.
    """
    times = (
        night.created, night.archived_at, night.changed_at, night.begun_at, night.closed_at,
        vars(night)["latest_reply"], vars(night)["latest_call"],
    )  # fmt: skip
    return max(time for time in times if time)


def description_of(night: Night, addresses: Addresses, answers: Answers | None, me: Member | None) -> list[str]:
    """What kind of night it is, how many come, what `me` has answered, and where one answers."""
    lines = [FOR_FUN] if night.for_fun else [PLAY_OFF] if night.trophies == Night.Follows.PLAY_OFF else []
    if answers:
        lines += [f"You: {own_answer(answers, me)}."] if me else []
        lines += [f"{answers.in_short}.", f"Are you coming? {addresses.answer(night)}"]
    return lines


def own_answer(answers: Answers, me: Member) -> str:
    """What somebody has answered, or what an organiser wrote of them: "late, at about 20:30"."""
    call, reply = answers.calls.get(me.identity), answers.replies.get(me.identity)
    if call:
        return f"{call.get_says_display()}, an organiser wrote"
    if reply is None:
        return "no answer yet"
    return f"{reply.get_says_display()}{f', at about {hour_text(reply.comes)}' if reply.comes else ''}"


def says_no(answers: Answers, me: Member) -> bool:
    """Whether they do not come."""
    call, reply = answers.calls.get(me.identity), answers.replies.get(me.identity)
    return call.says == Attendance.Says.NOT if call else reply is not None and reply.says == Says.NO
