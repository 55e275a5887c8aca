"""The list of a club's people, and what is settled about one of them."""

import pytest
from django.test import Client

from clubs.doors import COOKIE
from clubs.models import Club, Member
from clubs.people import new_guest, new_member
from scoresheets.models import Player
from tests.club_factories import ClubFactory, MemberFactory, UserFactory
from tests.clubs.visitors import account, get, phone, post, signed_in, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="nine-of-clubs", visibility="link")


def names(club: Club) -> list[str]:
    return [member.name for member in club.members.current().order_by("pk")]


def test_list_has_everybody_with_nicknames_and_hides_who_wants_it(club: Club) -> None:
    MemberFactory(club=club, name="Ann", nickname="Ace")
    MemberFactory(club=club, name="Zebediah", hidden=True, shown_as="Somebody")
    new_guest(club, "Gus")
    page = text(get(phone(club), "members", club))
    assert "Ace" in page
    assert "Somebody" in page
    assert "Gus" in page
    assert "Zebediah" not in page
    assert "More people" not in page


def test_organiser_reads_hidden_names(club: Club, flo: Client) -> None:
    MemberFactory(club=club, name="Zebediah", hidden=True, shown_as="Somebody")
    assert "Zebediah" in text(get(flo, "members", club))


def test_my_row_is_lit(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    assert 'class="mine"' in text(get(phone(club, ann), "members", club))
    assert 'class="mine"' not in text(get(phone(club), "members", club))


def test_list_costs_the_same_for_twenty_as_for_two(club: Club, flo: Client, django_assert_max_num_queries) -> None:
    for _ in range(20):
        new_guest(club, "Gus")
        new_member(club, "Ann")
    browser = phone(club, club.members.last())
    with django_assert_max_num_queries(4):
        assert get(browser, "members", club).status_code == 200
    with django_assert_max_num_queries(8):
        assert get(flo, "members", club).status_code == 200


def test_many_are_added_by_typing(club: Club, flo: Client) -> None:
    answer = post(flo, "members", club, do="add", names="Ann\n  Bo  , Cy;\n\nAnn\n")
    assert answer.status_code == 303
    assert names(club) == ["Flo", "Ann", "Bo", "Cy"]
    assert club.diary.filter(says="Added Bo.").exists()


def test_same_tap_again_adds_nobody_and_says_so(club: Club, flo: Client) -> None:
    post(flo, "members", club, do="add", names="Ann\nBo")
    answer = post(flo, "members", club, do="add", names="ann\nBo\nCy")
    assert names(club) == ["Flo", "Ann", "Bo", "Cy"]
    assert "On the list already: <bdi>Ann</bdi>, <bdi>Bo</bdi>" in text(flo.get(answer["Location"]))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Type at least one name."),
        ("Ann\n" + "x" * 41, "At most 40 characters fit here."),
        ("Ann\n\u200b", "A name is missing here."),
        ("\n".join(f"Ann {n}" for n in range(101)), "At most 100 people at once."),
    ],
    ids=["nothing", "too-long", "no-name", "too-many"],
)
def test_names_that_are_none_are_refused_with_all_that_was_typed(
    club: Club, flo: Client, typed: str, said: str
) -> None:
    answer = post(flo, "members", club, do="add", names=typed)
    assert answer.status_code == 422
    assert said in text(answer)
    assert typed[:40] in text(answer)
    assert names(club) == ["Flo"]


def test_only_organisers_add_people(club: Club) -> None:
    ann, _ = account(club, "scorekeeper", name="Ann")
    assert post(ann, "members", club, do="add", names="Bo").status_code == 403
    assert post(phone(club), "members", club, do="add", names="Bo").status_code == 403
    assert post(Client(), "members", club, do="add", names="Bo").status_code == 404
    assert names(club) == ["Ann"]


# This is me


def test_phone_remembers_who_uses_it(club: Club) -> None:
    ann, browser = MemberFactory(club=club, name="Ann"), phone(club)
    answer = post(browser, "this_is_me", club, member=ann.pk, next="/clubs/nine-of-clubs/members/")
    assert (answer.status_code, answer["Location"]) == (303, "/clubs/nine-of-clubs/members/")
    assert browser.cookies[COOKIE.format(club.pk)].value == f"{club.key}.{ann.pk}"
    assert 'class="mine"' in text(get(browser, "members", club))
    post(browser, "this_is_me", club, member=0)
    assert browser.cookies[COOKIE.format(club.pk)].value == f"{club.key}.0"


def test_phone_of_a_member_does_not_ask_to_come_in_once_more(club: Club) -> None:
    ann, gus = MemberFactory(club=club, name="Ann"), new_guest(club, "Gus")
    asks = "Ask to come in"
    assert asks in text(get(phone(club), "members", club))
    assert asks in text(get(phone(club, gus), "members", club))
    assert asks not in text(get(phone(club, ann), "members", club))


def test_phone_is_led_to_no_other_site(club: Club) -> None:
    ann = MemberFactory(club=club)
    for then in ("https://example.org/", "//example.org/", "/\\example.org", "javascript:x"):
        answer = post(phone(club), "this_is_me", club, member=ann.pk, next=then)
        assert answer["Location"] == "/clubs/nine-of-clubs/me/"


def test_phone_calls_nobody_of_another_club_me(club: Club) -> None:
    stranger = MemberFactory(name="Zoe")
    assert post(phone(club), "this_is_me", club, member=stranger.pk).status_code == 404
    forged = phone(club, stranger)
    assert "Who are you?" in text(get(forged, "my_page", club))


def test_mark_of_a_phone_gives_no_right(club: Club) -> None:
    organiser = MemberFactory(club=club, role="organiser", user=UserFactory())
    browser = phone(club, organiser)
    assert get(browser, "organise", club).status_code == 302
    assert post(browser, "members", club, do="add", names="Bo").status_code == 403


def test_page_of_mine_asks_who_i_am_and_then_knows(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    assert "Who are you?" in text(get(phone(club), "my_page", club))
    assert "You are <bdi>Ann</bdi>" in text(get(phone(club, ann), "my_page", club))
    browser, bo = account(club, name="Bo")
    assert get(browser, "my_page", club)["Location"].endswith(f"/members/{bo.pk}/settings/")


# What is settled about one


def test_nickname_is_his_own_to_choose_and_his_name_the_organisers(club: Club, flo: Client) -> None:
    browser, ann = account(club, name="Ann")
    post(browser, "member_settings", club, ann.pk, do="call", nickname=" Ace ", name="Queen")
    ann.refresh_from_db()
    assert (ann.name, ann.nickname, ann.shown) == ("Ann", "Ace", "Ace")
    post(flo, "member_settings", club, ann.pk, do="call", nickname="", name="Anne")
    ann.refresh_from_db()
    assert (ann.name, ann.nickname, ann.player.name) == ("Anne", "", "Anne")


def test_wrong_nickname_is_refused_beside_its_field(club: Club, flo: Client) -> None:
    ann = MemberFactory(club=club, name="Ann")
    answer = post(flo, "member_settings", club, ann.pk, do="call", nickname="y" * 41, name="")
    assert answer.status_code == 422
    assert "At most 40 characters fit here." in text(answer)
    assert "A name is missing here." in text(answer)
    assert "y" * 41 in text(answer)
    ann.refresh_from_db()
    assert (ann.name, ann.nickname) == ("Ann", "")


def test_only_himself_and_organisers_settle_anything(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    bo, _ = account(club, "scorekeeper", name="Bo")
    other, _ = account(ClubFactory(), "organiser")
    for do in ("call", "hide", "leave", "role", "back", "apart"):
        assert post(bo, "member_settings", club, ann.pk, do=do, role="organiser").status_code == 403
        assert post(phone(club, ann), "member_settings", club, ann.pk, do=do).status_code == 403
        assert post(other, "member_settings", club, ann.pk, do=do).status_code == 404
    assert get(bo, "member_settings", club, ann.pk).status_code == 403
    assert get(bo, "held_about_member", club, ann.pk).status_code == 403
    ann.refresh_from_db()
    assert (ann.role, ann.left_at, ann.hidden) == ("member", None, False)


def test_nobody_gives_himself_a_role(club: Club) -> None:
    browser, ann = account(club, name="Ann")
    assert post(browser, "member_settings", club, ann.pk, do="role", role="organiser").status_code == 403
    ann.refresh_from_db()
    assert ann.role == "member"


def test_organiser_gives_roles(club: Club, flo: Client) -> None:
    browser, ann = account(club, name="Ann")
    assert post(flo, "member_settings", club, ann.pk, do="role", role="organiser").status_code == 303
    assert get(browser, "organise", club).status_code == 200
    assert post(flo, "member_settings", club, ann.pk, do="role", role="king").status_code == 422
    assert club.diary.filter(says="Made Ann organiser of the club.").count() == 1


def test_somebody_has_to_run_the_club(club: Club, flo: Client) -> None:
    me = club.members.get(name="Flo")
    MemberFactory(club=club, name="Cy", role="organiser")
    for data in ({"do": "role", "role": "member"}, {"do": "leave", "under": ""}):
        answer = post(flo, "member_settings", club, me.pk, **data)
        assert answer.status_code in (409, 422)
        assert "Somebody has to run the club" in text(answer)
    account(club, "organiser", name="Di")
    assert post(flo, "member_settings", club, me.pk, do="role", role="member").status_code == 303


def test_who_is_made_a_guest_has_a_code_to_come_back_by(club: Club, flo: Client) -> None:
    ann = MemberFactory(club=club, name="Ann")
    post(flo, "member_settings", club, ann.pk, do="role", role="guest")
    assert Member.objects.get(pk=ann.pk).claim_hash != ""
    assert "The code of a guest" in text(get(flo, "member_settings", club, ann.pk))


def test_new_member_never_takes_the_player_of_another(club: Club, flo: Client) -> None:
    player = Player.objects.create(name="Ann")
    post(flo, "members", club, do="add", names="Ann")
    assert club.members.get(name="Ann").player != player


def test_owner_of_the_site_may_do_what_an_organiser_may(club: Club) -> None:
    browser = signed_in(UserFactory(is_superuser=True))
    assert post(browser, "members", club, do="add", names="Ann").status_code == 303
    assert names(club) == ["Ann"]
