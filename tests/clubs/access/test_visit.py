"""Who may see a club."""

import pytest
from django.test import Client, RequestFactory

from clubs.access.permissions import KEEP, WATCH
from clubs.access.visit import COOKIE, enter
from clubs.evening.adopt import take_out
from clubs.joining.join_requests import let_in
from clubs.members.merge import merge
from clubs.members.roles import leave_club
from clubs.models import Club, Member
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.visitors import signed_in as signed_in_as

pytestmark = pytest.mark.django_db
Visibility = Club.Visibility


def signed_in(club: Club, role: str = "member") -> Client:
    """The browser of somebody of the club."""
    client, user = Client(), UserFactory()
    MemberFactory(club=club, user=user, role=role)
    client.force_login(user)
    return client


def test_public_club_is_shown_to_everybody() -> None:
    club = ClubFactory(visibility=Visibility.PUBLIC)
    assert Client().get(club.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("visibility", [Visibility.LINK, Visibility.MEMBERS])
def test_other_clubs_are_not_shown_to_a_stranger(visibility: str) -> None:
    club = ClubFactory(visibility=visibility)
    assert Client().get(club.get_absolute_url()).status_code == 403
    assert signed_in(ClubFactory(), "organiser").get(club.get_absolute_url()).status_code == 403
    assert signed_in(club).get(club.get_absolute_url()).status_code == 200


def test_key_opens_a_club_by_link_until_there_is_another() -> None:
    club = ClubFactory(visibility=Visibility.LINK)
    client = Client()
    client.cookies[COOKIE.format(club.pk)] = f"{club.key}.0"
    assert client.get(club.get_absolute_url()).status_code == 200
    Club.objects.filter(pk=club.pk).update(key="another")
    assert client.get(club.get_absolute_url()).status_code == 403


def test_no_key_opens_a_club_of_members() -> None:
    club = ClubFactory(visibility=Visibility.MEMBERS)
    client = Client()
    client.cookies[COOKIE.format(club.pk)] = f"{club.key}.0"
    assert client.get(club.get_absolute_url()).status_code == 403


@pytest.mark.parametrize(
    ("role", "keeps"), [("member", False), ("guest", False), ("scorekeeper", True), ("organiser", True)]
)
def test_scorekeepers_and_organisers_write_on_the_sheets_of_their_club(role: str, keeps: bool) -> None:
    club, user = ClubFactory(), UserFactory()
    members = MemberFactory.create_batch(4, club=club)
    table = played(NightFactory(club=club), members, hands=1)
    Member.objects.filter(pk=members[0].pk).update(user=user, role=role)
    assert user.has_perm(KEEP, table.sheet) is keeps
    assert user.has_perm(WATCH, table.sheet) is True
    stranger = UserFactory()
    MemberFactory(club=ClubFactory(), user=stranger, role="organiser")
    assert not stranger.has_perm(KEEP, table.sheet)
    assert not stranger.has_perm(WATCH, table.sheet)


def test_sheet_that_was_taken_out_of_the_night_is_the_clubs_no_more() -> None:
    club, user = ClubFactory(), UserFactory()
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    MemberFactory(club=club, user=user, role="organiser")
    assert user.has_perm(KEEP, table.sheet)
    assert take_out(table, by=None)
    assert not user.has_perm(KEEP, table.sheet)
    assert not user.has_perm(WATCH, table.sheet)


def test_person_who_asks_to_join_is_not_a_member_yet() -> None:
    club, user = ClubFactory(visibility=Visibility.MEMBERS), UserFactory()
    table = played(NightFactory(club=club), MemberFactory.create_batch(4, club=club), hands=1)
    waits = MemberFactory(club=club, user=user, role="scorekeeper", approved_at=None)
    client = signed_in_as(user)
    assert client.get(club.get_absolute_url()).status_code == 403
    assert not user.has_perm(WATCH, table.sheet)
    assert let_in(waits, by=None) == []
    assert client.get(club.get_absolute_url()).status_code == 200
    assert user.has_perm(KEEP, table.sheet)


def test_phone_of_a_person_who_asks_to_join_is_not_used() -> None:
    club = ClubFactory()
    waits, here = MemberFactory(club=club, approved_at=None), MemberFactory(club=club)
    for member, me in ((waits, 0), (here, here.pk)):
        request = RequestFactory().get("/")
        request.COOKIES[COOKIE.format(club.pk)] = f"{club.key}.{member.pk}"
        assert enter(request, club.slug).me == me


def test_account_of_a_merged_record_may_what_the_person_may_until_they_leave() -> None:
    club, user = ClubFactory(visibility=Visibility.MEMBERS), UserFactory()
    person, *others = MemberFactory.create_batch(4, club=club, role="scorekeeper")
    table = played(NightFactory(club=club), [person, *others], hands=1)
    assert merge(MemberFactory(club=club, user=user), person, by=None) == []
    client = signed_in_as(user)
    assert client.get(club.get_absolute_url()).status_code == 200
    assert user.has_perm(KEEP, table.sheet)
    assert leave_club(person, "", by=None) == ""
    assert client.get(club.get_absolute_url()).status_code == 403
    assert not user.has_perm(KEEP, table.sheet)
    assert not user.has_perm(WATCH, table.sheet)
