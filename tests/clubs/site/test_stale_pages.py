"""A page that stood open while somebody else did something: what it sends then breaks nothing and takes nothing."""

import datetime

import pytest
from django.http import QueryDict
from django.urls import reverse

from clubs.access.outdated import NotNow
from clubs.joining.invitations import make_invitation, token_of
from clubs.members.people import claim_code, new_guest
from clubs.members.roles import set_role
from clubs.models import Club, Member
from clubs.standings.seasons import make_season
from clubs.views.nights.roll_call import take_guest
from scoresheets.models.sheet import new_token
from tests.club_factories import MemberFactory, NightFactory, UserFactory
from tests.clubs.visitors import account, get, post, signed_in

pytestmark = pytest.mark.django_db


def invited(club: Club, member: Member) -> str:
    made = make_invitation(club, uid=new_token(), by=None, role="member", member=member, asks=False, days=7)
    return reverse("accept_invitation", args=[token_of(made)])


def asks_in(club: Club, user: object, name: str = "Ann") -> Member:
    post(signed_in(user), "join", club, name=name, secret=new_token())
    return Member.objects.get(club=club, user=user)


def test_who_waits_and_comes_in_by_name_meanwhile_is_let_in_once(club: Club) -> None:
    flo, _ = account(club, "organiser", name="Flo")
    ann, user = MemberFactory(club=club, name="Ann"), UserFactory()
    waits = asks_in(club, user)
    signed_in(user).post(invited(club, ann))
    ann.refresh_from_db()
    assert ann.user == user
    assert post(flo, "members", club, do="let-in", member=waits.pk).status_code in (303, 409)
    assert list(Member.objects.of_account(user.pk).filter(club=club)) == [ann]


def test_who_was_turned_away_and_comes_in_by_name_is_let_in_once(club: Club) -> None:
    flo, _ = account(club, "organiser", name="Flo")
    ann, user = MemberFactory(club=club, name="Ann"), UserFactory()
    waits = asks_in(club, user)
    post(flo, "members", club, do="turn-away", member=waits.pk)
    signed_in(user).post(invited(club, ann))
    assert post(flo, "members", club, do="let-in", member=waits.pk).status_code in (303, 409)
    assert list(Member.objects.of_account(user.pk).filter(club=club)) == [ann]


def test_results_that_one_guest_has_claimed_are_not_claimed_by_another(club: Club) -> None:
    guest, user = new_guest(club, "Gus", NightFactory(club=club)), UserFactory()
    post(signed_in(user), "claim", club, code=claim_code(guest), do="mine")
    guest.refresh_from_db()
    assert guest.user == user
    bo, _ = account(club, name="Bo")
    answer = post(bo, "claim", club, code=claim_code(guest), do="mine")
    assert answer.status_code == 409
    guest.refresh_from_db()
    assert guest.same_as is None


def test_code_of_a_guest_makes_nobody_an_organiser(club: Club) -> None:
    guest = new_guest(club, "Gus", NightFactory(club=club))
    code = claim_code(guest)
    set_role(guest, "organiser", by=None)
    user = UserFactory()
    post(signed_in(user), "claim", club, code=code, do="mine")
    assert get(signed_in(user), "organise", club).status_code == 403


# The same tap twice, or two organisers at one moment


def test_guest_who_is_typed_twice_at_one_moment_is_one(club: Club) -> None:
    night = NightFactory(club=club)
    said = [take_guest(night, QueryDict("guest=Gus")) for _ in range(2)]
    assert said[0] == {}
    assert "on the roll already" in said[1]["guest"]
    assert club.members.filter(name="Gus").count() == 1


def test_season_that_is_made_twice_at_one_moment_is_one(club: Club) -> None:
    says = {"name": "Spring", "begins": datetime.date(2026, 1, 1), "ends": datetime.date(2026, 6, 30), "scheme": "won"}
    first = make_season(club, says, by=None)
    assert make_season(club, says, by=None) == first
    with pytest.raises(NotNow):
        make_season(club, says | {"ends": datetime.date(2026, 7, 31)}, by=None)
    assert club.seasons.count() == 1


def test_trophy_that_is_added_twice_is_one(club: Club) -> None:
    flo, _ = account(club, "organiser", name="Flo")
    cup = {"name": "The Cup", "goes": "winner", "drawing": "cup", "about": ""}
    there = {post(flo, "new_trophy", club, **cup)["Location"] for _ in range(2)}
    assert there == {club.trophies.get().get_absolute_url()}
    assert club.audit_entries.filter(says__startswith="Added").count() == 1
    post(flo, "new_trophy", club, **cup | {"goes": "loser"})
    assert club.trophies.count() == 2
