"""Who is told what: by kind, by choice, by what the club shows them, and when."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from clubs.erasure.account import delete_account_of
from clubs.erasure.club import delete_club
from clubs.erasure.member import erase_member
from clubs.members.merge import merge, unmerge
from clubs.members.privacy import hide_name
from clubs.members.roles import come_back, leave_club
from clubs.models import Chair, Club, Delivery, Event, Member, Night, NoticeSettings, PushSubscription, Table
from clubs.nights.nights import plan_nights
from clubs.nights.replies import reply
from clubs.notices.choices import stop
from clubs.notices.mail import MailChannel
from clubs.notices.push import PushChannel
from clubs.outbox.events import announce
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, TableFactory, played
from tests.clubs.notices.hearing import (
    ALL,
    has_mail,
    has_phone,
    members_with_phones,
    run_out,
    sign_out,
    signed_in_with_phone,
    told,
    trophy_given,
    trophy_of,
    wants,
)
from tests.clubs.trophy_night import third_wins
from tests.clubs.visitors import account

pytestmark = pytest.mark.django_db
Kind = Event.Kind


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", name="The Trumps", visibility="link", time_zone="Europe/Berlin")


@pytest.fixture
def tonight(club: Club) -> Night:
    return NightFactory(club=club, on=club.today())


def seated(night: Night, members: list[Member], number: int = 2) -> Table:
    table = TableFactory(night=night, number=number)
    for place, member in enumerate(members, 1):
        Chair.objects.create(table=table, place=place, member=member)
    return table


def planned(club: Club, days: int = 3, **more: object) -> Night:
    night = Night(club=club, on=club.today() + datetime.timedelta(days=days), **more)
    return plan_nights(night)[0]


# By kind


def test_everybody_at_drawn_tables_is_told_their_own_seat(club: Club, four: list[Member], tonight: Night) -> None:
    for member in four[:3]:
        has_phone(member)
    tables = [seated(tonight, four, 2), seated(tonight, [MemberFactory(club=club), MemberFactory(club=club)], 3)]
    announce(club, Kind.DRAWN, "1", night=tonight, tables=[table.pk for table in tables])
    assert told() == {
        "Ann": "Table 2, seat 1, with Bo, Cy and Di.",
        "Bo": "Table 2, seat 2, with Ann, Cy and Di.",
        "Cy": "Table 2, seat 3, with Ann, Bo and Di.",
    }


def test_notice_of_a_table_leads_to_its_page(club: Club, four: list[Member], tonight: Night) -> None:
    has_phone(four[0])
    table = played(tonight, four, hands=1)
    Chair.objects.create(table=table, place=1, member=four[0])
    announce(club, Kind.DRAWN, "1", night=tonight, tables=[table.pk])
    told()
    assert table.sheet is not None
    assert Delivery.objects.get().message["path"] == f"/watch/{table.sheet.watch}/"


def test_hidden_names_stay_hidden_at_a_table(club: Club, four: list[Member], tonight: Night) -> None:
    has_phone(four[0])
    hide_name(four[1], by=None)
    announce(club, Kind.DRAWN, "1", night=tonight, tables=[seated(tonight, four[:2]).pk])
    assert told() == {"Ann": "Table 2, seat 1, with Somebody."}


def test_call_is_told_to_organisers_who_are_signed_in_on_that_phone(
    club: Club, four: list[Member], tonight: Night
) -> None:
    signed_in_with_phone(club, "organiser", name="Flo")
    signed_in_with_phone(club, "scorekeeper", name="Gus")
    _, hal = account(club, "organiser", name="Hal")
    has_phone(hal)
    table = played(tonight, four, hands=1)
    announce(club, Kind.CALLED, "0", night=tonight, table=table)
    assert told() == {}
    Sheet.objects.filter(pk=table.sheet_id).update(asks_since=timezone.now())
    announce(club, Kind.CALLED, "1", night=tonight, table=table)
    assert told() == {"Flo": f"{tonight.on:%A} {tonight.on.day} {tonight.on:%B}: Table 1 calls an organiser."}
    assert Delivery.objects.get().message["path"] == f"/clubs/trumps/nights/{tonight.pk}/control/"


def test_correction_is_told_to_those_who_played_there_with_their_result(
    club: Club, four: list[Member], tonight: Night
) -> None:
    ann, *_, di = four
    for member in (ann, di, MemberFactory(club=club)):
        has_phone(member)
    third_wins(played(tonight, four))
    texts = told()
    assert set(texts) == {"Ann", "Di"}
    day = f"{tonight.on.day} {tonight.on:%B %Y}"
    assert texts["Ann"] == f"Table 1 on {day}. Now: place 3 with 19."


def test_planned_night_is_told_to_members_but_those_who_said_no(club: Club, four: list[Member]) -> None:
    for member in four:
        has_phone(member)
    Member.objects.filter(name="Di").update(role="guest")
    night = planned(club, begins=datetime.time(19, 30), title="Spring", place="The bakery")
    reply(night, four[1], "no", source="account")
    day = f"{night.on:%A} {night.on.day} {night.on:%B}"
    assert told() == dict.fromkeys(("Ann", "Cy"), f"{day}, 19:30, The bakery: Spring.")
    assert {row.message["path"] for row in Delivery.objects.all()} == {f"{night.get_absolute_url()}#coming"}


def test_series_says_how_many_more(club: Club, four: list[Member]) -> None:
    has_phone(four[0])
    days = [club.today() + datetime.timedelta(days=1 + 7 * week) for week in range(4)]
    plan_nights(Night(club=club, on=days[0]), days)
    assert told()["Ann"].endswith("And 3 more.")


def test_night_that_begun_or_was_moved_since_is_not_told(club: Club, four: list[Member]) -> None:
    has_phone(four[0])
    night = planned(club)
    announce(club, Kind.TOMORROW, "1", night=night, on="2026-01-01")
    Night.objects.update(begun_at=timezone.now())
    assert told() == {}


def test_trophies_are_told_without_a_name(club: Club, four: list[Member], tonight: Night) -> None:
    has_phone(four[0])
    trophy_of(played(tonight, four), four[1])
    day = f"{tonight.on.day} {tonight.on:%B %Y}"
    assert told() == {"Ann": f"The trophies of {day} are decided: see who has them now."}


# By choice


def test_nobody_is_told_anything_before_they_switched_it_on_or_what_they_left_out(
    club: Club, four: list[Member]
) -> None:
    MemberFactory(club=club)
    has_phone(four[0])
    has_phone(four[1])
    wants(four[1], push=["drawn"], mail=ALL)
    planned(club)
    assert set(told()) == {"Ann"}
    assert told("mail") == {}


def test_whoever_stopped_is_told_nothing_not_even_what_waits(club: Club, four: list[Member]) -> None:
    has_phone(four[0])
    planned(club)
    assert told()
    stop(four[0])
    assert told() == {}
    assert not PushSubscription.objects.exists()
    planned(club, 4)
    assert told() == {}


# By what the club shows them


def test_phone_without_an_account_is_told_as_long_as_its_key_opens_the_club(club: Club, four: list[Member]) -> None:
    has_phone(four[0])
    signed_in_with_phone(club, name="Flo")
    planned(club)
    assert set(told()) == {"Ann", "Flo"}
    for change in ({"visibility": "members"}, {"key": "another-key"}):
        Delivery.objects.all().delete()
        Club.objects.filter(pk=club.pk).update(**{"visibility": "link", **change})
        trophy_given(club)
        assert set(told()) == {"Flo"}, change


def test_browser_that_is_signed_out_or_whose_time_is_over_is_told_nothing(club: Club) -> None:
    browsers = [signed_in_with_phone(club, name=name)[2] for name in ("Flo", "Gus", "Hal")]
    sign_out(browsers[0])
    run_out(browsers[1])
    planned(club)
    assert set(told()) == {"Hal"}


def test_browser_stays_when_its_session_gets_another_key(club: Club) -> None:
    client, _, browser = signed_in_with_phone(club)
    session = client.session
    session.cycle_key()
    browser.refresh_from_db()
    assert browser.session_id == session.session_key


def test_account_that_no_longer_belongs_to_the_person_is_told_nothing(club: Club) -> None:
    _, flo, _ = signed_in_with_phone(club, name="Flo")
    Member.objects.filter(pk=flo.pk).update(user=None)
    planned(club)
    assert told() == {}


def test_who_left_is_told_nothing_until_they_come_back(club: Club, four: list[Member]) -> None:
    has_phone(four[0])
    leave_club(four[0], "", by=None)
    planned(club)
    assert told() == {}
    come_back(four[0], by=None)
    planned(club, 4)
    assert set(told()) == {"Ann"}


def test_archived_club_tells_nobody(club: Club, four: list[Member], tonight: Night) -> None:
    has_phone(four[0])
    Club.objects.update(archived_at=timezone.now())
    trophy_given(club)
    assert told() == {}


def test_merged_records_are_one_person(club: Club, four: list[Member], tonight: Night) -> None:
    ann, bo, *_ = four
    has_phone(bo)
    table = seated(tonight, [bo, four[2]])
    merge(bo, ann, by=None)
    announce(club, Kind.DRAWN, "1", night=tonight, tables=[table.pk])
    assert told() == {"Ann": "Table 2, seat 1, with Cy."}
    has_phone(ann)
    Delivery.objects.all().delete()
    planned(club)
    assert list(told()) == ["Ann"]
    assert Delivery.objects.count() == 2
    stop(ann)
    assert not PushSubscription.objects.exists()
    unmerge(bo, by=None)
    planned(club, 5)
    assert told() == {}


def test_erased_person_leaves_no_choice_no_browser_and_no_name(club: Club, four: list[Member], tonight: Night) -> None:
    for member in four[:2]:
        has_phone(member)
    played(tonight, four)
    announce(club, Kind.DRAWN, "1", night=tonight, tables=[seated(tonight, four[:2]).pk])
    assert "Ann" in told()["Bo"]
    erase_member(four[0], by=None)
    assert [row.member for row in NoticeSettings.objects.all()] == [four[1]]
    assert [row.member for row in PushSubscription.objects.all()] == [four[1]]
    assert told() == {"Bo": "Table 2, seat 2, with Somebody."}


def test_account_that_is_deleted_takes_choices_and_browsers_with_it(club: Club) -> None:
    _, flo, _ = signed_in_with_phone(club, name="Flo")
    assert flo.user is not None
    delete_account_of(flo.user, erase=False)
    assert Member.objects.filter(pk=flo.pk).exists()
    assert not NoticeSettings.objects.exists()
    assert not PushSubscription.objects.exists()


def test_club_that_is_deleted_takes_everything_with_it(club: Club, four: list[Member]) -> None:
    signed_in_with_phone(club)
    planned(club)
    assert told()
    delete_club(club)
    assert not any(model.objects.exists() for model in (Event, Delivery, NoticeSettings, PushSubscription))


# When


@pytest.mark.parametrize(("hours", "clock", "waits_until"), [
    (("22:00", "08:00"), "21:59", ""),
    (("22:00", "08:00"), "22:00", "2026-07-10 08:00"),
    (("22:00", "08:00"), "07:59", "2026-07-09 08:00"),
    (("22:00", "08:00"), "08:00", ""),
    (("12:00", "14:00"), "13:00", "2026-07-09 14:00"),
    (("12:00", "14:00"), "14:00", ""),
    (("12:00", "12:00"), "12:00", ""),
])  # fmt: skip
def test_notice_waits_until_quiet_hours_end(
    club: Club, four: list[Member], hours: tuple[str, str], clock: str, waits_until: str
) -> None:
    has_phone(four[0])
    start, end = map(datetime.time.fromisoformat, hours)
    wants(four[0], push=ALL, quiet_from=start, quiet_until=end)
    now = datetime.datetime.fromisoformat(f"2026-07-09 {clock}").replace(tzinfo=club.zone)
    with time_machine.travel(now, tick=False):
        planned(club)
        told()
        at = Delivery.objects.get().not_before
    expected = datetime.datetime.fromisoformat(waits_until).replace(tzinfo=club.zone) if waits_until else now
    assert at == expected


def test_table_and_final_wait_for_no_quiet_hours(club: Club, four: list[Member]) -> None:
    has_phone(four[0])
    wants(four[0], push=ALL, quiet_from=datetime.time(22), quiet_until=datetime.time(8))
    now = datetime.datetime(2026, 7, 9, 23, tzinfo=club.zone)
    with time_machine.travel(now, tick=False):
        night = NightFactory(club=club, on=club.today())
        table = seated(night, four[:2])
        announce(club, Kind.DRAWN, "1", night=night, tables=[table.pk])
        announce(club, Kind.FINALS, "1", night=night, tables=[table.pk])
        trophy_given(club)
        told()
    until = datetime.datetime(2026, 7, 10, 8, tzinfo=club.zone)
    times = list(Delivery.objects.order_by("pk").values_list("event__kind", "not_before"))
    assert times == [("drawn", now), ("finals", now), ("trophies", until)]


# How much is asked


@pytest.mark.parametrize(("kind", "by_push", "by_mail"), [
    ("drawn", 5, 5), ("corrected", 6, 5), ("planned", 7, 7), ("tomorrow", 7, 7), ("trophies", 6, 6),
])  # fmt: skip
def test_event_asks_the_same_however_many_are_told(
    club: Club, four: list[Member], tonight: Night, kind: str, by_push: int, by_mail: int,
    django_assert_num_queries: object,
) -> None:  # fmt: skip
    members_with_phones(club, 5)
    table = played(tonight, four)
    for place, member in enumerate(four, 1):
        has_phone(member)
        Chair.objects.create(table=table, place=place, member=member)
    for number in range(3):
        _, gus = account(club, name=f"Gus {number}")
        has_mail(gus, f"gus{number}@example.org")
        Chair.objects.create(table=table, place=5 + number, member=gus)
    night = NightFactory(club=club, on=club.today() + datetime.timedelta(days=1), begun_at=None)
    to_come = kind in ("planned", "tomorrow")
    if kind == "trophies":
        trophy_of(table, four[0])
    else:
        announce(
            club, Kind(kind), "1", night=night if to_come else tonight, table=None if to_come else table,
            on=f"{night.on}", tables=[table.pk],
        )  # fmt: skip
    # Whoever has mail did not play there.
    many = (4, 0) if kind == "corrected" else (4, 3)
    for channel, count, least in ((PushChannel(), by_push, many[0]), (MailChannel(), by_mail, many[1])):
        event = Event.objects.select_related("club", "night", "table").get(kind=kind)
        with django_assert_num_queries(count):  # type: ignore[operator]
            assert len(list(channel.deliveries_of(event))) >= least


def test_event_of_a_club_in_which_nobody_wants_anything_asks_twice(
    club: Club, four: list[Member], tonight: Night, django_assert_num_queries: object
) -> None:
    trophy_given(club)
    event = Event.objects.select_related("club", "night").get()
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert list(PushChannel().deliveries_of(event)) == []
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert list(MailChannel().deliveries_of(event)) == []
