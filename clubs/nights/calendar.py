"""The calendar of a club's nights, to which phones subscribe."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import TYPE_CHECKING

from clubs.models import Club, Night

if TYPE_CHECKING:
    from icalendar import Event

#: Nights of the last months stay in it, so that nothing vanishes from a calendar overnight.
SINCE = datetime.timedelta(days=120)
#: What an evening is taken to last, where nobody says when it ends.
AN_EVENING = datetime.timedelta(hours=4)
#: How often a calendar should look again.
EVERY = datetime.timedelta(hours=6)


def calendar_of(club: Club, address: Callable[[Night], str]) -> bytes:
    """The calendar (RFC 5545) with the nights of the last months and all to come; `address` is that of a night's page.

    A night that was put away is told as cancelled, so that it goes away where it was shown. One query.
    """
    from icalendar import Calendar, vDuration  # when it is needed: the site starts sooner without it

    calendar = Calendar()
    calendar.add("prodid", "-//Box and Circle//Nights of a card club//EN")
    calendar.add("version", "2.0")
    calendar.add("name", club.name)
    calendar.add("x-wr-calname", club.name)
    calendar.add("x-wr-timezone", club.time_zone)
    calendar.add("refresh-interval", EVERY, parameters={"VALUE": "DURATION"})
    # The older word for the same. icalendar does not know that it is no text.
    calendar.add("x-published-ttl", vDuration(EVERY))
    for night in club.nights.filter(on__gte=club.today() - SINCE).order_by("on", "begins", "pk"):
        calendar.add_component(event_of(night, club, address(night)))
    # A calendar that does not know the clock by its name alone finds its summer time here.
    calendar.add_missing_timezones()
    return calendar.to_ical()


def event_of(night: Night, club: Club, address: str) -> Event:
    """One night: at its hour where the club is, or the whole day where no hour is fixed."""
    from icalendar import Event

    event = Event()
    event.add("uid", f"{night.uid}@box-and-circle")
    event.add("dtstamp", max(night.created, night.archived_at or night.created))
    event.add("summary", f"{club.name}: {night}")
    if night.begins:
        begins = datetime.datetime.combine(night.on, night.begins, club.zone)
        event.add("dtstart", begins)
        event.add("dtend", begins + AN_EVENING)
    else:
        event.add("dtstart", night.on)
        event.add("dtend", night.on + datetime.timedelta(days=1))
        event.add("transp", "TRANSPARENT")
    if place := night.place or club.place:
        event.add("location", place)
    event.add("url", address)
    event.add("status", "CANCELLED" if night.archived_at else "CONFIRMED")
    if night.for_fun:
        event.add("description", "Just for fun: it counts for nothing.")
    elif night.trophies == Night.Follows.PLAY_OFF:
        event.add("description", "A play-off decides who takes the trophies.")
    return event
