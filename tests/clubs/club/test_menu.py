"""The page of organisers: what waits on top, then what is done before, during and after a night."""

from __future__ import annotations

import datetime
import re

import pytest
from django.test import Client
from django.utils import timezone

from clubs.models import Attendance, Club, Member, Night, Reply
from clubs.views.club.menu import waiting_in
from scoresheets.models import Sheet
from tests.club_factories import MemberFactory, NightFactory
from tests.clubs.evenings import A_WEEK, THURSDAY, organiser_of
from tests.clubs.night_played import an_evening

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("at_seven")]


def sections(client: Client, club: Club) -> dict[str, list[str]]:
    page = client.get(f"/clubs/{club.slug}/organise/")
    return {heading: [way.does for way in ways] for heading, ways in page.context["sections"]}


def test_what_is_done_stands_by_when_it_is_done_and_leads_to_the_nights_in_sight(club: Club) -> None:
    olga = organiser_of(club)
    assert list(sections(olga, club)) == ["Before a night", "During a night", "After a night", "The club itself"]
    assert sections(olga, club)["During a night"] == ["The QR code of the club", "Bring a sheet in"]
    tonight = NightFactory(club=club, on=THURSDAY, begun_at=None, title="Spring Dog")
    ahead = NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None, title="Cup")
    by_heading = sections(olga, club)
    assert by_heading["Before a night"][:2] == ["Who is coming: Cup", "What to bring: Cup"]
    assert by_heading["During a night"][:3] == [
        "Roll call: Spring Dog", "Control page: Spring Dog", "Big screen: Spring Dog",
    ]  # fmt: skip
    page = olga.get(f"/clubs/{club.slug}/organise/")
    links = [way.to for _, ways in page.context["sections"] for way in ways]
    assert len(links) == len(set(links)), "one door for each thing"
    assert {tonight.pk, ahead.pk} == {int(pk) for link in links for pk in re.findall(r"/nights/(\d+)/", link)}
    for link in links:
        assert olga.get(link).status_code == 200, link


def test_table_that_calls_is_on_top_with_the_way_to_the_control_page() -> None:
    evening = an_evening()
    olga = evening.organiser()
    for _ in range(2):
        evening.table(hands=1)
    MemberFactory(club=evening.club, approved_at=None)
    assert "call" not in olga.get(evening.url("organise")).context["waiting"][0].does
    Sheet.objects.filter(pk=Sheet.objects.first().pk).update(asks_since=timezone.now())  # type: ignore[union-attr]
    first, *others = olga.get(evening.url("organise")).context["waiting"]
    assert (first.does, first.to, first.button) == ("1 table is calling you", evening.control, "Go there")
    assert ("1 person asks to join", "Answer") in [(way.does, way.button) for way in others]
    Sheet.objects.update(asks_since=timezone.now())
    assert olga.get(evening.url("organise")).context["waiting"][0].does == "2 tables are calling you"


def test_members_who_have_not_answered_are_counted_in_the_last_week_before_a_night(
    club: Club, four: list[Member]
) -> None:
    night = NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None, title="Cup")
    MemberFactory(club=club, role="guest")
    assert [way.does for way in waiting_in(club, (), night)] == ["4 members have not said whether they come to Cup"]
    Reply.objects.create(night=night, member=four[0], says="yes", source="phone")
    Reply.objects.create(night=night, member=four[1], says="no", source="phone")
    Attendance.objects.create(night=night, member=four[2], says="not")
    (way,) = waiting_in(club, (), night)
    assert (way.does, way.button) == ("1 member has not said whether they come to Cup", "Remind")
    assert way.to == f"{night.get_absolute_url()}#coming"
    Reply.objects.create(night=night, member=four[3], says="late", source="phone", comes=datetime.time(21))
    assert waiting_in(club, (), night) == []
    Reply.objects.all().delete()
    Night.objects.update(on=THURSDAY + 2 * A_WEEK)
    night.refresh_from_db()
    assert waiting_in(club, (), night) == []


def test_every_line_that_waits_has_its_button(club: Club, four: list[Member]) -> None:
    MemberFactory(club=club, approved_at=None)
    NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None)
    page = organiser_of(club).get(f"/clubs/{club.slug}/organise/")
    assert len(page.context["waiting"]) == 2
    assert all(way.button for way in page.context["waiting"])
    assert page.content.decode().count('class="helps"') == 2


def test_page_of_organisers_costs_the_same_however_much_waits(
    club: Club, four: list[Member], django_assert_max_num_queries: object
) -> None:
    olga = organiser_of(club)
    NightFactory(club=club, on=THURSDAY, begun_at=None)
    NightFactory(club=club, on=THURSDAY + A_WEEK, begun_at=None)
    MemberFactory.create_batch(20, club=club)
    with django_assert_max_num_queries(18):  # type: ignore[operator]
        olga.get(f"/clubs/{club.slug}/organise/")
