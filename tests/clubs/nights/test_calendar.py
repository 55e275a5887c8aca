"""The nights of a club in the calendar of a phone."""

import datetime
import zoneinfo

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from clubs.archive.export import packed
from clubs.archive.parse import unpacked
from clubs.archive_import.apply import take_in
from clubs.club import settings
from clubs.members.personal_links import make_link, token_of
from clubs.models import Attendance, Club, Member, Night
from clubs.nights.calendar import Addresses, calendar_of
from clubs.nights.nights import bring_back, put_away
from clubs.nights.replies import reply
from clubs.tables.open import follow
from tests.club_factories import ClubFactory, MemberFactory, NightFactory
from tests.clubs.night_played import an_evening
from tests.clubs.visitors import account, post

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
    assert event["url"] == f"http://testserver{night.get_absolute_url()}?key={club.key}"
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


def test_calendar_costs_four_queries(club, django_assert_num_queries):
    for _ in range(5):
        reply(NightFactory(club=club, on=club.today(), begun_at=None), MemberFactory(club=club), "yes", source="phone")
    with django_assert_num_queries(4):
        assert Client().get(address(club)).status_code == 200


@pytest.mark.parametrize(("zone", "standard"), [("Europe/Berlin", "+0100"), ("America/New_York", "-0500")])
def test_clock_of_the_club_is_told_with_its_summer_time(zone: str, standard: str) -> None:
    club = ClubFactory(time_zone=zone)
    NightFactory(club=club, on=club.today(), begins=datetime.time(19, 30))
    told = calendar_of(club, Addresses(str, str)).decode()
    clock = told.partition("BEGIN:VTIMEZONE")[2].partition("END:VTIMEZONE")[0]
    assert f"TZID:{zone}" in clock
    assert "BEGIN:DAYLIGHT" in clock
    assert f"TZOFFSETTO:{standard}" in clock


def test_how_often_to_look_again_is_said_as_a_duration(club):
    lines = Client().get(address(club)).content.split(b"\r\n")
    assert b"X-PUBLISHED-TTL:PT6H" in lines
    assert b"REFRESH-INTERVAL;VALUE=DURATION:PT6H" in lines


# What changes


@pytest.fixture
def night(club: Club) -> Night:
    day = club.today() + datetime.timedelta(days=3)
    created = timezone.now() - datetime.timedelta(days=1)
    return NightFactory(club=club, on=day, begins=datetime.time(19, 30), begun_at=None, created=created)


@pytest.fixture
def ann(club: Club) -> Member:
    return MemberFactory(club=club, name="Ann")


def mine(member: Member, **headers: str) -> object:
    token = token_of(make_link(member, by=None))
    answer = Client().get(f"/calendar/mine/{token}.ics", headers=headers)
    assert answer.status_code == 200
    (event,) = Calendar.from_ical(answer.content).walk("VEVENT")
    return event


def test_sequence_rises_with_every_change_that_an_organiser_makes(club, night):
    (before,) = events(club)
    assert before["sequence"] == 0
    organiser, _ = account(club, "organiser")
    changed = {"on": night.on.isoformat(), "begins": "20:00", "title": "", "place": "The mill"}
    assert post(organiser, "change_night", club, night.pk, **changed).status_code == 303
    (after,) = events(club)
    assert (after["uid"], after["sequence"], after["location"]) == (before["uid"], 1, "The mill")
    assert after.decoded("last-modified") > before.decoded("last-modified")
    # What was not changed is no change.
    assert post(organiser, "change_night", club, night.pk, **changed).status_code == 303
    assert events(club)[0]["sequence"] == 1


def test_night_that_is_called_off_and_on_again_is_told_so(club, night):
    told = []
    for change in (put_away, bring_back):
        change(night)
        (event,) = events(club)
        told.append((event["status"], event["sequence"]))
    assert told == [("CANCELLED", 1), ("CONFIRMED", 2)]
    night.refresh_from_db()
    assert night.sequence == 2


def test_another_place_of_the_club_changes_the_nights_to_come_alone(club, night):
    past = NightFactory(club=club, on=club.today() - datetime.timedelta(days=3))
    settings.settle(club, {"place": "The mill"}, by=None)
    settings.settle(club, {"about": "Cards"}, by=None)
    assert [row.sequence for row in Night.objects.order_by("pk")] == [1, 0]
    assert Night.objects.get(pk=past.pk).changed_at is None


def test_night_that_a_club_file_changes_is_told_as_changed(club, night):
    file = unpacked(packed(club))
    Night.objects.filter(pk=night.pk).update(place="The mill")
    take_in(file, club, file_speaks=True)
    night.refresh_from_db()
    assert (night.place, night.sequence) == ("", 1)


def test_answers_are_counted_in_it_and_the_way_to_answer_stands_there(club, night, ann):
    (before,) = events(club)
    assert "Nobody has answered yet." in before["description"]
    reply(night, ann, "yes", source="phone")
    reply(night, MemberFactory(club=club), "no", source="phone")
    (event,) = events(club)
    answer = f"http://testserver{night.get_absolute_url()}?key={club.key}#coming"
    assert f"1 yes, 1 no.\nAre you coming? {answer}" in event["description"]
    assert "Ann" not in event["description"]
    assert event["sequence"] == 0, "the night is the same"
    assert event.decoded("last-modified") > before.decoded("last-modified")
    # Once it has begun nobody is asked.
    Night.objects.update(begun_at=timezone.now())
    assert "description" not in events(club)[0]


def test_nothing_is_sent_while_nothing_changes(club, night, ann):
    first = Client().get(address(club))
    again = Client().get(address(club), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    reply(night, ann, "yes", source="phone")
    assert Client().get(address(club), headers={"If-None-Match": first["ETag"]}).status_code == 200


# A calendar of one's own


@pytest.mark.parametrize(
    ("says", "comes", "told"),
    [
        ("yes", None, "You: yes."),
        ("late", datetime.time(20, 30), "You: late, at about 20:30."),
        ("no", None, "You: no."),
    ],
)
def test_own_answer_stands_in_ones_own_calendar(club, night, ann, says, comes, told):
    assert "You: no answer yet." in mine(ann)["description"]
    reply(night, ann, says, source="link", comes=comes)
    event = mine(ann)
    assert told in event["description"]
    assert (event.get("transp") == "TRANSPARENT") == (says == "no")
    Attendance.objects.create(night=night, member=ann, says="here")
    assert "You: here, an organiser wrote." in mine(ann)["description"]


def test_own_calendar_of_a_members_club_needs_no_account_and_leads_to_the_link(night, ann):
    Club.objects.update(visibility="members")
    token = token_of(make_link(ann, by=None))
    (event,) = Calendar.from_ical(Client().get(f"/calendar/mine/{token}.ics").content).walk("VEVENT")
    there = f"http://testserver/coming/{token}/#night-{night.pk}"
    assert event["url"] == there
    assert f"Are you coming? {there}" in event["description"]


def test_own_calendar_ends_with_its_link(ann, night):
    old = token_of(make_link(ann, by=None))
    make_link(ann, by=None)
    assert Client().get(f"/calendar/mine/{old}.ics").status_code == 404
    assert Client().get(f"/calendar/mine/{'x' * 22}.ics").status_code == 404


def test_own_calendar_costs_four_queries(club, ann, django_assert_num_queries):
    token = token_of(make_link(ann, by=None))
    for _ in range(5):
        reply(NightFactory(club=club, on=club.today(), begun_at=None), ann, "yes", source="link")
    with django_assert_num_queries(4):
        assert Client().get(f"/calendar/mine/{token}.ics").status_code == 200


# It never says that it is older


def hours(number: int) -> datetime.timedelta:
    return datetime.timedelta(hours=number)


def told_at(club: Club) -> list[datetime.datetime]:
    (event,) = events(club)
    assert event.decoded("dtstamp") == event.decoded("last-modified")
    return [event.decoded("last-modified"), event["sequence"]]


@pytest.mark.parametrize("change", [
    lambda night, ann: reply(night, ann, "yes", source="phone"),
    lambda night, ann: Attendance.objects.create(night=night, member=ann, says="not"),
    lambda night, ann: Night.objects.update(begun_at=timezone.now()),
    lambda night, ann: Night.objects.update(closed_at=timezone.now()),
])  # fmt: skip
def test_whatever_changes_is_told_as_changed_and_stays_so(club, night, ann, change):
    first = told_at(club)
    with time_machine.travel(timezone.now() + hours(2), tick=False):
        change(night, ann)
        second = told_at(club)
    assert second[0] > first[0]
    # Once the tables are open the answers are gone from it: still it is no older.
    Night.objects.filter(begun_at=None).update(begun_at=timezone.now())
    assert told_at(club)[0] >= second[0]


def test_night_that_is_opened_again_is_told_as_changed(club, night):
    organiser, _ = account(club, "organiser")
    Night.objects.update(begun_at=timezone.now())
    for hour, do in ((1, "close"), (2, "open")):
        before = told_at(club)
        with time_machine.travel(timezone.now() + hours(hour), tick=False):
            answer = post(organiser, "close_night", club, night.pk, do=do)
            assert answer.status_code in (302, 303)
            assert told_at(club)[0] > before[0]


def test_what_the_trophies_follow_is_a_change_of_the_night(club, night):
    before = told_at(club)
    assert follow(night, "play-off")
    assert "A play-off decides" in events(club)[0]["description"]
    assert told_at(club)[1] == before[1] + 1
    assert told_at(club)[0] > before[0]


def test_name_of_the_club_is_escaped_where_it_names_the_calendar(club):
    Club.objects.update(name="Ann, Bo; and \\ Cy")
    lines = Client().get(address(club)).content.split(b"\r\n")
    assert rb"NAME:Ann\, Bo\; and \\ Cy" in lines
    assert rb"X-WR-CALNAME:Ann\, Bo\; and \\ Cy" in lines


@pytest.mark.parametrize("visibility", ["link", "members"])
def test_own_calendar_hands_the_key_of_the_club_to_nobody(club, night, ann, visibility):
    Club.objects.update(visibility=visibility)
    token = token_of(make_link(ann, by=None))
    told = Client().get(f"/calendar/mine/{token}.ics").content.replace(b"\r\n ", b"")
    assert f"URL:http://testserver/coming/{token}/#night-{night.pk}".encode() in told
    assert club.key.encode() not in told


def test_calendars_of_a_public_club_lead_to_its_page_and_have_no_key(club, night, ann):
    Club.objects.update(visibility="public")
    there = f"http://testserver{night.get_absolute_url()}"
    assert mine(ann)["url"] == events(club)[0]["url"] == there
