"""Invitations for many people at once: one link each, from a pasted list."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from clubs.joining.invitations import invite_people, token_of
from clubs.models import Club, Invitation, Member
from scoresheets.log.text import same_name
from tests.club_factories import ClubFactory, MemberFactory, UserFactory
from tests.clubs.visitors import account, get, post, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="nine-of-clubs", name="Nine of Clubs", visibility="link")


@pytest.fixture
def olga(club: Club) -> Client:
    return account(club, "organiser")[0]


def invite(client: Client, club: Club, *names: str) -> object:
    lines = {f"line-{number}": name for number, name in enumerate(names, 1)}
    return post(client, "invite_many", club, do="save", **lines)


def test_pasted_list_is_read_first_and_everybody_gets_a_link_of_their_own(club: Club, olga: Client) -> None:
    preview = text(post(olga, "invite_many", club, names="1. Ann\n2. Bo <bo@example.org>"))
    assert re.search(r"2</b>\s+people get\s+an invitation", preview)
    assert "bo@example.org" not in preview
    assert not Invitation.objects.exists()
    there = invite(olga, club, "Ann", "Bo")
    assert there.status_code == 303
    page = text(olga.get(there["Location"]))
    made = {each.member.name: each for each in Invitation.objects.select_related("member")}
    assert made.keys() == {"Ann", "Bo"}
    for name, invitation in made.items():
        address = reverse("accept_invitation", args=[token_of(invitation)])
        assert f"{name}, you are invited to Nine of Clubs. Open this link: http://testserver{address}" in page
        assert page.count(address) == 3, "by itself, in the mail, and with all"
        assert address in unquote(re.findall(r'href="(mailto:[^"]+)"', page)[list(made).index(name)])
        assert Client().get(address).status_code == 200


def test_who_was_a_member_is_not_added_again_and_who_has_an_account_is_not_invited(club: Club, olga: Client) -> None:
    cy = MemberFactory(club=club, name="Cy")
    MemberFactory(club=club, name="Di", user=UserFactory())
    joined = MemberFactory(club=club, name="Ed")
    MemberFactory(club=club, name="Eddie", user=UserFactory(), same_as=joined)
    preview = text(post(olga, "invite_many", club, names="Cy\nDi\nEd"))
    assert "Not invited: Di has an account already." in preview
    assert "Not invited: Ed has an account already." in preview
    invite(olga, club, "cy", "Di", "Ed")
    assert [each.member for each in Invitation.objects.all()] == [cy]
    assert club.members.filter(name__iexact="cy").count() == 1


def test_all_who_have_no_account_are_filled_in_at_a_tap(club: Club, olga: Client) -> None:
    for name in ("Flo", "Ann"):
        MemberFactory(club=club, name=name)
    MemberFactory(club=club, name="Di", user=UserFactory())
    MemberFactory(club=club, name="Gus", role="guest")
    field = re.search(
        r"<textarea.*?>(.*?)</textarea>", text(olga.get("/clubs/nine-of-clubs/invitations/many/?everybody=1")), re.S
    )
    assert field
    assert field[1].split() == ["Ann", "Flo"]


@pytest.mark.parametrize("names", ["", "\n ;", "\n".join(f"Name {number}" for number in range(101))])
def test_list_of_nobody_or_of_too_many_is_refused(club: Club, olga: Client, names: str) -> None:
    assert post(olga, "invite_many", club, names=names).status_code == 422
    assert not Invitation.objects.exists()


def test_invitation_that_was_used_or_withdrawn_is_no_link_to_send(club: Club, olga: Client) -> None:
    invite(olga, club, "Ann", "Bo")
    bo = Invitation.objects.get(member__name="Bo")
    post(olga, "invitation", club, bo.pk)
    page = text(get(olga, "invite_many", club))
    assert "Ann, you are invited" in page
    assert token_of(bo) not in page


def test_page_costs_the_same_however_many_links_there_are(
    club: Club, olga: Client, django_assert_max_num_queries: object
) -> None:
    invite(olga, club, *(f"Name {number}" for number in range(30)))
    with django_assert_max_num_queries(5):  # type: ignore[operator]
        get(olga, "invite_many", club)


def test_members_without_the_right_do_not_invite(club: Club) -> None:
    assert get(account(club)[0], "invite_many", club).status_code == 403


class Again(TestCase):
    @given(st.lists(st.lists(st.sampled_from(["Ann", "ann", "Bo", "Cy", "Di", "Ed"]), max_size=5), max_size=4))
    def test_lists_that_overlap_invite_each_person_once(self, lists: list[list[str]]) -> None:
        club = ClubFactory()
        for names in lists:
            invited = invite_people(club, list({same_name(name): name for name in names}.values()), by=None)
            assert {same_name(each.member.name) for each in invited if each.member} == {same_name(n) for n in names}
        everybody = {same_name(name) for names in lists for name in names}
        assert Invitation.objects.filter(club=club).count() == len(everybody)
        assert Member.objects.filter(club=club).count() == len(everybody)
