"""Joining a club, by an invitation or by a join request."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.access.visit import COOKIE
from clubs.joining.invitations import find_invitation, give_account, make_invitation, token_of
from clubs.joining.join_requests import WAITS
from clubs.members.roles import leave_club
from clubs.models import Club, Invitation, Member
from scoresheets.models.sheet import new_token
from tests.club_factories import ClubFactory, MemberFactory, UserFactory
from tests.clubs.visitors import account, get, phone, post, signed_in, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="nine-of-clubs", visibility="link")


def link(club: Club, **more: object) -> str:
    """The address of a new invitation."""
    chosen: dict[str, object] = {"role": "member", "member": None, "asks": True, "days": 7}
    made = make_invitation(club, uid=new_token(), by=None, **(chosen | more))
    return reverse("accept_invitation", args=[token_of(made)])


def come(client: Client, address: str, name: str = "Ann", **more: object) -> object:
    return client.post(address, {"name": name, "secret": new_token()} | more)


# Making one


def test_invitation_is_made_with_a_code_and_taken_away_again(club: Club, flo: Client) -> None:
    data = {"role": "member", "lives": "week", "uid": new_token()}
    page = flo.get(post(flo, "invite", club, **data)["Location"])
    made = Invitation.objects.get()
    address = reverse("accept_invitation", args=[token_of(made)])
    assert address in text(page)
    assert "<svg" in text(page)
    assert token_of(made) not in made.token_hash
    assert Client().get(address).status_code == 200
    assert post(flo, "invitation", club, made.pk).status_code == 303
    assert Client().get(address).status_code == 404


def test_same_tap_makes_one_invitation(club: Club, flo: Client) -> None:
    data = {"role": "member", "lives": "week", "uid": new_token()}
    assert post(flo, "invite", club, **data)["Location"] == post(flo, "invite", club, **data)["Location"]
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize(
    "data",
    [
        {"role": "guest"}, {"role": "king"}, {"lives": "for ever"}, {"uid": "short"},
        {"role": "organiser", "at_once": "1"},
    ],
    ids=["guest", "king", "lives", "uid", "organisers-at-once"],
)  # fmt: skip
def test_invitation_that_should_not_be_is_refused(club: Club, flo: Client, data: dict[str, str]) -> None:
    answer = post(flo, "invite", club, **({"role": "member", "lives": "week", "uid": new_token()} | data))
    assert answer.status_code == 422
    assert not Invitation.objects.exists()


def test_only_organisers_invite(club: Club) -> None:
    made = Invitation.objects.get(token_hash=find(club, link(club)).token_hash)
    ann, _ = account(club, "scorekeeper")
    assert get(ann, "invite", club).status_code == 403
    assert get(ann, "invitation", club, made.pk).status_code == 403
    other, _ = account(ClubFactory(slug="elsewhere", visibility="public"), "organiser")
    assert get(other, "invite", club).status_code == 403
    assert get(other, "invitation", Club.objects.get(slug="elsewhere"), made.pk).status_code == 404


def find(club: Club, address: str) -> Invitation:
    found = find_invitation(address.rstrip("/").rpartition("/")[2])
    assert found
    assert found.club == club
    return found


# Coming by one


def test_looking_at_an_invitation_uses_nothing_up(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    for address in (link(club), link(club, member=ann)):
        for _ in range(3):
            assert Client().get(address).status_code == 200
    assert club.members.count() == 1


def test_wrong_invitation_is_none(club: Club) -> None:
    assert Client().get(reverse("accept_invitation", args=["x" * 22])).status_code == 404
    assert Client().get(reverse("accept_invitation", args=["é"])).status_code == 404


@pytest.mark.parametrize(("role", "asked"), [("organiser", " as organiser, and"), ("member", ", and")])
def test_who_says_yes_reads_as_what_somebody_comes_in(club: Club, flo: Client, role: str, asked: str) -> None:
    come(signed_in(UserFactory()), link(club, role=role))
    assert f"asks to join{asked} has signed in." in text(get(flo, "members", club))


def test_who_comes_by_a_link_that_asks_waits_until_an_organiser_says_yes(club: Club, flo: Client) -> None:
    address, browser = link(club), Client()
    assert come(browser, address).status_code == 303
    assert "you have asked to join" in text(browser.get(address))
    assert list(club.members.current()) == [club.members.get(name="Flo")]
    assert get(browser, "members", club).status_code == 403
    page = text(get(flo, "members", club))
    assert "asks to join" in page
    ann = club.members.get(name="Ann")
    assert post(flo, "members", club, do="let-in", member=ann.pk).status_code == 303
    answer = browser.get(address)
    assert answer["Location"] == club.get_absolute_url()
    assert browser.cookies[COOKIE.format(club.pk)].value == f"{club.key}.{ann.pk}"
    assert 'class="mine"' in text(get(browser, "members", club))


@pytest.mark.parametrize("answer", ["let-in", "turn-away"])
def test_page_of_who_waits_hears_of_the_answer_and_loads_itself(club: Club, flo: Client, answer: str) -> None:
    address, browser = link(club), Client()
    come(browser, address)
    asks = {"HX-Request": "true"}
    assert browser.get(address, headers=asks).status_code == 204
    post(flo, "members", club, do=answer, member=club.members.get(name="Ann").pk)
    assert browser.get(address, headers=asks).headers["HX-Refresh"] == "true"
    # It is the page itself that lets in.
    assert COOKIE.format(club.pk) not in browser.cookies
    assert browser.get(address).status_code == (303 if answer == "let-in" else 200)


def test_waiting_phone_without_its_secret_is_let_in_nowhere(club: Club, flo: Client) -> None:
    address, browser = link(club), Client()
    come(browser, address)
    ann = club.members.get(name="Ann")
    post(flo, "members", club, do="let-in", member=ann.pk)
    forged = Client()
    forged.cookies[COOKIE.format(club.pk)] = f".{ann.pk}"
    forged.cookies[WAITS.format(club.pk)] = new_token()
    assert forged.get(address).status_code == 200
    assert get(forged, "members", club).status_code == 403


def test_same_tap_waits_once(club: Club) -> None:
    address, secret = link(club), new_token()
    first, second = Client(), Client()
    come(first, address, secret=secret)
    come(second, address, secret=secret)
    assert club.members.count() == 1


def test_who_is_turned_away_is_told_so_and_can_be_let_in_after_all(club: Club, flo: Client) -> None:
    address, browser = link(club), Client()
    come(browser, address)
    ann = club.members.get(name="Ann")
    post(flo, "members", club, do="turn-away", member=ann.pk)
    assert "has said no" in text(browser.get(address))
    assert come(browser, address, "Anna").status_code == 200
    assert club.members.count() == 2
    assert "Let in after all" in text(get(flo, "members", club))
    post(flo, "members", club, do="let-in", member=ann.pk)
    assert browser.get(address).status_code == 303


def test_who_comes_by_a_link_that_asks_nobody_is_in_at_once(club: Club) -> None:
    browser = Client()
    assert come(browser, link(club, asks=False))["Location"] == club.get_absolute_url()
    assert [member.name for member in club.members.current()] == ["Ann"]
    assert get(browser, "members", club).status_code == 200


def test_who_has_signed_in_belongs_to_the_club_by_their_account(club: Club) -> None:
    user = UserFactory()
    come(signed_in(user), link(club, asks=False))
    assert club.members.get(user=user).name == "Ann"
    assert get(signed_in(user), "my_page", club).status_code == 302


def test_nobody_becomes_more_than_a_member_without_an_account(club: Club) -> None:
    address = link(club, role="scorekeeper")
    assert "Sign in first" in text(Client().get(address))
    assert come(Client(), address).status_code == 422
    user = UserFactory()
    come(signed_in(user), address)
    assert club.members.get(user=user).approved_at is None


def test_club_of_members_takes_in_accounts_alone(club: Club) -> None:
    Club.objects.update(visibility="members")
    address = link(club, asks=False)
    assert come(Client(), address).status_code == 422
    user = UserFactory()
    assert come(signed_in(user), address).status_code == 303
    assert get(signed_in(user), "members", club).status_code == 200


@pytest.mark.parametrize("name", ["", " ", "x" * 41, "\u200b"])
def test_name_that_is_none_is_refused_beside_its_field(club: Club, name: str) -> None:
    answer = come(Client(), link(club), name)
    assert answer.status_code == 422
    assert 'class="problem"' in text(answer)
    assert not club.members.exists()


def test_invitation_that_has_run_out_lets_nobody_in_but_who_waited(club: Club, flo: Client) -> None:
    address, browser = link(club), Client()
    come(browser, address)
    Invitation.objects.update(expires=timezone.now() - datetime.timedelta(days=1))
    assert Client().get(address).status_code == 404
    assert come(Client(), address, "Bo").status_code == 404
    assert browser.get(address).status_code == 200


@pytest.mark.thorough
def test_not_more_wait_than_an_organiser_can_read(club: Club) -> None:
    address = link(club)
    for number in range(50):
        come(Client(), address, f"Ann {number}")
    answer = come(Client(), address, "Bo")
    assert answer.status_code == 409
    assert club.members.waiting().count() == 50


# Who is on the list already


def test_somebody_of_a_known_name_is_looked_at_and_made_one_with_them(club: Club, flo: Client) -> None:
    ann, user = MemberFactory(club=club, name="Ann"), UserFactory()
    browser = signed_in(user)
    come(browser, link(club, asks=False), "ann")
    record = club.members.get(user=user)
    assert "there already was a <bdi>Ann</bdi>" in text(get(flo, "members", club))
    Member.objects.filter(pk=record.pk).update(approved_at=None)
    assert "Yes, it is <bdi>Ann</bdi>" in text(get(flo, "members", club))
    assert post(flo, "members", club, do="is-same", member=record.pk).status_code == 303
    record.refresh_from_db()
    assert record.same_as == ann
    assert get(browser, "my_page", club)["Location"].endswith(f"/members/{ann.pk}/settings/")


def test_who_comes_again_after_leaving_is_brought_back(club: Club, flo: Client) -> None:
    browser, ann = account(club, name="Ann")
    leave_club(ann, "Zed", by=None)
    address = link(club)
    come(browser, address, "Ann")
    record = club.members.get(approved_at=None)
    assert record.says_is == ann
    assert "who left the club" in text(get(flo, "members", club))
    assert post(flo, "members", club, do="is-same", member=record.pk).status_code == 303
    ann.refresh_from_db()
    assert (ann.left_at, ann.shown) == (None, "Ann")
    assert get(browser, "my_page", club)["Location"].endswith(f"/members/{ann.pk}/settings/")


# For one person


def test_invitation_by_name_gives_an_account_to_what_was_played(club: Club) -> None:
    ann, user = MemberFactory(club=club, name="Ann"), UserFactory()
    address = link(club, member=ann, role="scorekeeper")
    assert signed_in(user).post(address).status_code == 303
    ann.refresh_from_db()
    assert (ann.user, ann.role) == (user, "scorekeeper")
    assert signed_in(user).post(address).status_code == 303
    assert Client().get(address).status_code == 404
    assert signed_in(UserFactory()).post(address).status_code == 404
    assert club.members.count() == 1


def test_invitation_by_name_lets_a_phone_know_them_without_an_account(club: Club) -> None:
    ann, browser = MemberFactory(club=club, name="Ann"), Client()
    address = link(club, member=ann)
    assert browser.post(address)["Location"] == club.get_absolute_url()
    assert 'class="mine"' in text(get(browser, "members", club))
    assert Client().get(address).status_code == 200


def test_who_belongs_to_the_club_already_gets_no_second_record(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    browser, _ = account(club, name="Bo")
    answer = browser.post(link(club, member=ann))
    assert answer.status_code == 409
    assert "You are in the club as Bo already" in text(answer)
    ann.refresh_from_db()
    assert ann.user is None
    assert browser.get(link(club))["Location"] == club.get_absolute_url()


def test_invitation_by_name_takes_no_right_away(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann", role="organiser")
    assert signed_in(UserFactory()).post(link(club, member=ann)).status_code == 303
    ann.refresh_from_db()
    assert ann.role == "organiser"


def test_invitation_by_name_gives_no_second_account(club: Club) -> None:
    ann, late = MemberFactory(club=club, name="Ann"), UserFactory()
    address = link(club, member=ann)
    Member.objects.filter(pk=ann.pk).update(user=UserFactory())
    answer = signed_in(late).post(address)
    assert answer.status_code == 409
    assert "Ann has an account here already." in text(answer)
    assert not club.members.filter(user=late).exists()


def test_invitation_that_was_taken_away_at_the_same_moment_gives_no_account(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    link(club, member=ann)
    made = Invitation.objects.get()
    Invitation.objects.update(revoked_at=timezone.now())
    assert "was used or withdrawn" in give_account(made, UserFactory())
    ann.refresh_from_db()
    assert ann.user is None


def test_invitation_of_who_left_opens_nothing(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    address, open_to_all = link(club, member=ann), link(club)
    assert leave_club(ann, "", by=None) == ""
    assert Client().get(address).status_code == 404
    assert Client().get(open_to_all).status_code == 200


def test_invitation_for_whoever_comes_gives_no_account_by_itself(club: Club) -> None:
    link(club)
    assert "for nobody in particular" in give_account(Invitation.objects.get(), UserFactory())


# Join requests


def test_who_belongs_to_the_club_by_another_record_is_not_let_in_twice(club: Club, flo: Client) -> None:
    ann, user = MemberFactory(club=club, name="Ann"), UserFactory()
    MemberFactory(club=club, name="Annie", user=user, same_as=ann, joined_to=ann)
    waits = MemberFactory(club=club, name="Anna", user=user, approved_at=None)
    answer = post(flo, "members", club, do="let-in", member=waits.pk)
    assert answer.status_code == 409
    assert "Anna belongs to the club already, as Ann." in text(answer)
    waits.refresh_from_db()
    assert waits.approved_at is None


def test_who_is_shown_the_club_may_ask_without_an_invitation(club: Club, flo: Client) -> None:
    browser = phone(club)
    assert post(browser, "join", club, name="Ann", secret=new_token()).status_code == 303
    assert "you have asked to join" in text(get(browser, "join", club))
    assert club.members.waiting().get().name == "Ann"
    assert get(Client(), "join", club).status_code == 403
    assert get(flo, "join", club).status_code == 303


@pytest.mark.parametrize("answer", ["let-in", "turn-away"])
def test_list_of_members_says_that_one_waits_only_as_long_as_one_does(club: Club, flo: Client, answer: str) -> None:
    browser = phone(club)
    assert "You have asked to join" not in text(get(browser, "members", club))
    post(browser, "join", club, name="Ann", secret=new_token())
    assert "You have asked to join" in text(get(browser, "members", club))
    post(flo, "members", club, do=answer, member=club.members.waiting().get().pk)
    assert "You have asked to join" not in text(get(browser, "members", club))


def test_club_that_was_put_away_takes_nobody_in(club: Club) -> None:
    address = link(club)
    Club.objects.update(archived_at=timezone.now())
    assert Client().get(address).status_code == 404
    assert come(Client(), address).status_code == 404


@pytest.mark.thorough
def test_crowd_that_comes_by_an_open_link_waits_for_an_organiser(club: Club) -> None:
    address = link(club, asks=False)
    for number in range(52):
        come(Client(), address, f"Ann {number}")
    assert club.members.current().count() == 50
    assert club.members.waiting().count() == 2
