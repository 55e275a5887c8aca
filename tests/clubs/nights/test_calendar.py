"""The nights of a club in the calendar of a phone."""

import datetime
import zoneinfo

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from clubs.models import Club, Night
from clubs.nights.calendar import calendar_of
from tests.club_factories import ClubFactory, NightFactory
from tests.clubs.night_played import an_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(name="The Trumps", time_zone="Europe/Berlin", place="The bakery; first floor", visibility="link")


def address(club: Club) -> str:
    return f"/calendar/{club.calendar_key}.ics"


def events(club: Club) -> list:
    answer = Client().get(address(club))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert not answer.cookies
    return Calendar.from_ical(answer.content).walk("VEVENT")


def test_nights_stand_at_their_hour_where_the_club_is(club):
    day = club.today() + datetime.timedelta(days=3)
    night = NightFactory(club=club, on=day, begins=datetime.time(19, 30), begun_at=None, title="Spring, Dog")
    (event,) = events(club)
    begins = event.decoded("dtstart")
    assert begins == datetime.datetime(day.year, day.month, day.day, 19, 30, tzinfo=zoneinfo.ZoneInfo("Europe/Berlin"))
    assert event["summary"] == "The Trumps: Spring, Dog"
    assert event["location"] == "The bakery; first floor"
    assert event["url"] == f"http://testserver{night.get_absolute_url()}"
    assert event["status"] == "CONFIRMED"


def test_a_night_without_an_hour_takes_the_day(club):
    NightFactory(club=club, on=club.today(), begun_at=None)
    (event,) = events(club)
    assert event.decoded("dtstart") == club.today()
    # The day after is the first that it does not take.
    assert event.decoded("dtend") == club.today() + datetime.timedelta(days=1)


def test_a_night_keeps_its_name_in_the_calendar_and_one_put_away_is_cancelled(club):
    an_hour_ago = timezone.now() - datetime.timedelta(hours=1)
    night = NightFactory(club=club, on=club.today(), begun_at=None, created=an_hour_ago)
    (before,) = events(club)
    Night.objects.filter(pk=night.pk).update(archived_at=timezone.now(), on=club.today() + datetime.timedelta(days=1))
    (after,) = events(club)
    assert (after["uid"], after["status"]) == (before["uid"], "CANCELLED")
    # A calendar takes what was said later.
    assert after.decoded("dtstamp") > before.decoded("dtstamp")


def test_old_nights_leave_the_calendar(club):
    NightFactory(club=club, on=club.today() - datetime.timedelta(days=400))
    assert events(club) == []


def test_a_title_cannot_smuggle_anything_in(club):
    NightFactory(club=club, on=club.today(), title="x\r\nBEGIN:VALARM\r\nTRIGGER:-PT1M")
    (event,) = events(club)
    assert event.subcomponents == []


def test_an_address_that_was_changed_shows_nothing(club):
    old = address(club)
    Club.objects.update(calendar_key="k" * 22)
    assert Client().get(old).status_code == 404
    assert Client().get("/calendar/wrong.ics").status_code == 404


def test_the_key_of_the_club_is_not_that_of_the_calendar(club):
    assert Client().get(f"/calendar/{club.key}.ics").status_code == 404


def test_a_club_that_was_put_away_has_none(club):
    Club.objects.update(archived_at=timezone.now())
    assert Client().get(address(club)).status_code == 404


def test_a_members_club_tells_its_nights_to_members_who_are_signed_in_alone():
    evening = an_evening(visibility="members")
    assert Client().get(address(evening.club)).status_code == 404
    assert evening.organiser("member").get(address(evening.club)).status_code == 200


def test_calendar_costs_two_queries(club, django_assert_num_queries):
    for _ in range(5):
        NightFactory(club=club, on=club.today(), begun_at=None)
    with django_assert_num_queries(2):
        assert Client().get(address(club)).status_code == 200


@pytest.mark.parametrize(("zone", "standard"), [("Europe/Berlin", "+0100"), ("America/New_York", "-0500")])
def test_clock_of_the_club_is_told_with_its_summer_time(zone: str, standard: str) -> None:
    club = ClubFactory(time_zone=zone)
    NightFactory(club=club, on=club.today(), begins=datetime.time(19, 30))
    told = calendar_of(club, lambda night: "https://cards.example/").decode()
    clock = told.partition("BEGIN:VTIMEZONE")[2].partition("END:VTIMEZONE")[0]
    assert f"TZID:{zone}" in clock
    assert "BEGIN:DAYLIGHT" in clock
    assert f"TZOFFSETTO:{standard}" in clock


def test_how_often_to_look_again_is_said_as_a_duration(club):
    lines = Client().get(address(club)).content.split(b"\r\n")
    assert b"X-PUBLISHED-TTL:PT6H" in lines
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT6H" in lines
