"""Readers find their own row highlighted, and who hides their name is on no page that shows tables."""

import datetime

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.members.merge import merge
from clubs.members.privacy import hide_name
from clubs.models import Club, Member, Night, PlayerAlias
from clubs.standings.store import keep_standings
from tests.club_factories import (
    ClubFactory,
    MemberFactory,
    NightFactory,
    SeasonFactory,
    TrophyFactory,
    UserFactory,
    played,
)
from tests.clubs.trophy_night import given
from tests.clubs.visitors import account, get, phone, text
from tests.factories import PlayerFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(club: Club) -> list[Member]:
    return [MemberFactory(club=club, name=name) for name in ("Zebediah", "Bo", "Cy", "Di")]


def tonight(club: Club) -> Night:
    return NightFactory(club=club, on=timezone.localdate(), begun_at=timezone.now())


def pages(club: Club, night: Night, me: Member | None = None) -> list[str]:
    browser = phone(club, me)
    return [text(get(browser, "club", club)), text(get(browser, "night", club, night.pk))]


def test_my_name_is_lit_at_the_table_i_sit_at(club: Club, people: list[Member]) -> None:
    night = tonight(club)
    played(night, people, hands=1)
    for page in pages(club, night, people[1]):
        assert '<span class="mine"><bdi>Bo</bdi>' in page
        assert page.count('class="mine"') == 1
    for page in pages(club, night):
        assert 'class="mine"' not in page


def test_every_record_of_mine_and_every_name_i_sat_down_by_is_lit(club: Club, people: list[Member]) -> None:
    me, typed = MemberFactory(club=club, name="Ann"), PlayerFactory(name="Annie")
    night = tonight(club)
    table = played(night, people, hands=1)
    assert table.sheet
    table.sheet.seats.filter(number=3).update(player=typed)
    PlayerAlias.objects.create(club=club, player=typed, member=people[1])
    assert merge(people[1], me, by=None) == []
    for page in pages(club, night, me):
        assert '<span class="mine"><bdi>Bo</bdi>' in page
        assert '<span class="mine"><bdi>Cy</bdi>' in page


def test_hidden_name_is_at_no_table_of_the_night(club: Club, people: list[Member]) -> None:
    night = tonight(club)
    played(night, people, hands=1)
    assert all("Zebediah" in page for page in pages(club, night))
    hide_name(people[0], by=None)
    for page in pages(club, night):
        assert "Zebediah" not in page
        assert "Somebody" in page


def test_answer_of_mine_is_lit_before_the_night(club: Club, people: list[Member]) -> None:
    night = NightFactory(club=club, on=timezone.localdate() + datetime.timedelta(days=3), begun_at=None)
    for member in people:
        night.attendances.create(member=member, says="here")
    page = text(get(phone(club, people[2]), "night", club, night.pk))
    assert '<bdi class="mine">Cy</bdi>' in page
    assert page.count('class="mine"') == 1


def test_watch_page_of_a_club_knows_which_seat_is_mine_and_touches_no_session(
    club: Club, people: list[Member], django_assert_num_queries
) -> None:
    table = played(tonight(club), people, hands=1)
    assert table.sheet
    watch = reverse("watch", args=[table.sheet.watch])
    assert "data-me" not in text(phone(club, people[1]).get(watch))
    table.sheet.home = club.get_absolute_url()
    table.sheet.save()
    assert 'data-me="2"' in text(phone(club, people[1]).get(watch))
    browser, stranger = phone(club), phone(club, MemberFactory(club=club))
    # The sheet, of which the rest is rendered already; and whom the phone names.
    with django_assert_num_queries(1):
        assert "data-me" not in text(browser.get(watch))
    with django_assert_num_queries(4):
        assert "data-me" not in text(stranger.get(watch))


def test_who_signed_in_is_lit_on_a_watch_page_without_saying_who_they_are(club: Club, people: list[Member]) -> None:
    table = played(tonight(club), people, hands=1)
    assert table.sheet
    table.sheet.home = club.get_absolute_url()
    table.sheet.save()
    people[2].user = UserFactory()
    people[2].save()
    browser = phone(club, people[1])
    browser.force_login(people[2].user)
    watch = reverse("watch", args=[table.sheet.watch])
    assert 'data-me="3"' in text(browser.get(watch))
    table.night.club = ClubFactory()
    table.night.save()
    assert 'data-me="2"' in text(browser.get(watch)), "the account belongs to no club of this sheet"


def test_who_brings_a_trophy_is_lit_before_the_night(club: Club, people: list[Member]) -> None:
    night = NightFactory(club=club, begun_at=None)
    given(TrophyFactory(club=club), people[0])
    for page in ("night", "bringing"):
        address = reverse(page, args=[club.slug, night.pk])
        assert f'<bdi class="mine">{people[0].shown}</bdi>' in text(phone(club, people[0]).get(address)), page
        assert 'class="mine"' not in text(phone(club, people[1]).get(address)), page


def test_my_name_is_lit_among_champions_and_losers_in_the_list_of_games_and_in_a_what_if(
    club: Club, people: list[Member]
) -> None:
    played(NightFactory(club=club, on=datetime.date(2026, 3, 5)), people)
    SeasonFactory(club=club, begins=datetime.date(2026, 3, 1), ends=datetime.date(2026, 3, 31), name="Spring")
    keep_standings(club)
    for me, other in ((people[0], people[1]), (people[1], people[0])):
        page = text(get(phone(club, me), "seasons", club))
        assert f'<b class="mine"><bdi>{me.name}</bdi></b>' in page
        assert f"<b><bdi>{other.name}</bdi></b>" in page
        page = text(get(phone(club, me), "games", club))
        assert f'<span class="mine"><bdi>{me.name}</bdi></span>' in page
        assert page.count('class="mine"') == 1
    browser, organiser = account(club, "organiser", name="Ann")
    assert merge(people[2], organiser, by=None) == []
    page = text(get(browser, "what_if", club, scheme="won", drops="0", least_nights="0"))
    assert page.count('<tr class="mine">') == 1
