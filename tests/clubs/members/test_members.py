"""The list of a club's people, and what is settled about one of them."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client

from clubs.access.visit import COOKIE
from clubs.members.pasted_names import read_list
from clubs.members.people import new_guest, new_member
from clubs.models import Club, Member
from rules.core.problems import Problem
from scoresheets.log.text import clean_name
from scoresheets.models import Player
from scoresheets.models.sheet import new_token
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
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


def add(browser: Client, club: Club, *names: str) -> HttpResponse:
    """Saves the list as its preview sends it."""
    lines = {f"line-{number}": name for number, name in enumerate(names, 1)}
    return post(browser, "add_members", club, do="save", list=new_token(), **lines)


def test_people_are_added_by_name(club: Club, flo: Client) -> None:
    assert add(flo, club, "Ann", "  Bo  ", "Cy", "", "Ann").status_code == 303
    assert names(club) == ["Flo", "Ann", "Bo", "Cy"]
    assert club.audit_entries.filter(says="Added Bo.").exists()


def test_same_tap_again_adds_nobody_and_says_so(club: Club, flo: Client) -> None:
    add(flo, club, "Ann", "Bo")
    answer = add(flo, club, "ann", "Bo", "Cy")
    assert names(club) == ["Flo", "Ann", "Bo", "Cy"]
    assert "On the list already: <bdi>Ann</bdi>, <bdi>Bo</bdi>" in text(flo.get(answer["Location"]))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Type at least one name."),
        ("ann@example.org", "Type at least one name."),
        ("\n".join(f"Ann {chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(101)), "At most 100 people at once."),
    ],
    ids=["nothing", "only-an-address", "too-many"],
)
def test_list_without_names_or_with_too_many_is_asked_for_again(club: Club, flo: Client, typed: str, said: str) -> None:
    answer = post(flo, "add_members", club, names=typed)
    assert answer.status_code == 422
    assert said in text(answer)
    assert names(club) == ["Flo"]


PASTED = (
    """1. Ann
2) Bo <bo@example.org>
- Cy
• Smith, Di
Flo
  ann
\t12\tEd Green\ted@example.org
Gus; Hal
Ida, Jo, Kim
gem@example.org
[x] Zoë
"""
    + "x" * 41
)


def test_pasted_list_is_shown_as_it_was_read(club: Club, flo: Client) -> None:
    page = post(flo, "add_members", club, names=PASTED)
    assert page.status_code == 200
    said = text(page)
    lines = {line.number: line for line in page.context["lines"]}
    read = [(line.names, bool(line.note), bool(line.problem)) for line in lines.values()]
    assert read == [
        ("Ann", False, False), ("Bo", False, False), ("Cy", False, False), ("Di Smith", False, False),
        ("Flo", True, False), ("ann", True, False), ("Ed Green", False, False), ("Gus", False, False),
        ("Hal", False, False), ("Ida", False, False), ("Jo", False, False), ("Kim", False, False), ("", True, False),
        ("Zoë", False, False), ("x" * 41, False, True),
    ]  # fmt: skip
    assert lines[4].choices == ["Di Smith", "Smith; Di"]
    assert lines[2].dropped == ["email address", "“2)”"]
    assert "example.org" not in said
    assert "Flo is a member already" in said
    assert "the same as line 1" in said
    assert "At most 40 characters fit here." in said
    assert names(club) == ["Flo"], "nobody was added yet"


@pytest.mark.parametrize("typed", ["Ann; Bo", "Ann, Bo", "Ann,, Bo", "Ann; ; Bo", "Ann\n\nBo", "1. Ann\r\n2. Bo"])
def test_every_name_of_a_list_is_a_line(typed: str) -> None:
    assert [line.names for line in read_list(typed)] == ["Ann", "Bo"]


@pytest.mark.parametrize("number", ["x", "", "-1", "²", "12345"])
def test_lines_without_a_number_are_not_read(club: Club, flo: Client, number: str) -> None:
    answer = post(flo, "add_members", club, do="save", list=new_token(), **{f"line-{number}": "Ann"})
    assert (answer.status_code, names(club)) == (422, ["Flo"])


def test_preview_is_saved_once_each_line_is_a_name(club: Club, flo: Client) -> None:
    wrong = add(flo, club, "Ann", "x" * 41)
    assert wrong.status_code == 422
    assert '1 line needs another name: <a href="#line-2">line 2</a>.' in " ".join(text(wrong).split())
    assert names(club) == ["Flo"]
    assert add(flo, club, "Ann", "Bo <bo@example.org>", "Smith; Di").status_code == 303
    assert names(club) == ["Flo", "Ann", "Bo", "Smith", "Di"]


def test_list_is_edited_again_without_addresses(club: Club, flo: Client) -> None:
    page = post(flo, "add_members", club, names="1. Ann\nBo <bo@example.org>")
    assert "1. Ann\nBo</textarea>" in text(page)
    again = text(post(flo, "add_members", club, do="edit", names="1. Ann\nBo"))
    assert "1. Ann\nBo</textarea>" in again


def test_list_is_undone_as_long_as_nobody_of_it_has_a_result(club: Club, flo: Client) -> None:
    add(flo, club, "Ann", "Bo")
    add(flo, club, "Cy", "Di", "Ed", "Gus")
    page = text(get(flo, "members", club))
    assert "Added last: <bdi>Cy</bdi>, <bdi>Di</bdi>, <bdi>Ed</bdi>, <bdi>Gus</bdi>" in page
    uid = club.members.get(name="Cy").added_with
    assert post(flo, "add_members", club, do="undo", list=uid).status_code == 303
    assert names(club) == ["Flo", "Ann", "Bo"]
    assert not club.audit_entries.filter(says__contains="Cy").exists()
    assert "Added last: <bdi>Ann</bdi>, <bdi>Bo</bdi>" in text(get(flo, "members", club))
    people = list(club.members.filter(name__in=("Ann", "Bo")))
    played(
        NightFactory(club=club),
        [*people, MemberFactory(club=club, name="Hal"), MemberFactory(club=club, name="Ida")],
        hands=1,
    )
    assert "Added last" not in text(get(flo, "members", club))
    late = post(flo, "add_members", club, do="undo", list=people[0].added_with)
    assert (late.status_code, club.members.filter(name="Bo").exists()) == (409, True)


def test_no_list_is_undone_where_none_is_named(club: Club, flo: Client) -> None:
    MemberFactory(club=club, name="Ann")
    club.members.filter(name="Flo").update(added_with=new_token())
    assert post(flo, "add_members", club, do="undo", list="").status_code == 409
    assert names(club) == ["Flo", "Ann"]


def test_only_organisers_add_people(club: Club) -> None:
    ann, _ = account(club, "scorekeeper", name="Ann")
    assert add(ann, club, "Bo").status_code == 403
    assert add(phone(club), club, "Bo").status_code == 403
    assert add(Client(), club, "Bo").status_code == 403
    assert names(club) == ["Ann"]


@pytest.mark.parametrize("typed", ["Ann <ann@example.org>", "Ann ann@example.org", "mailto:ann@example.org Ann"])
def test_mail_address_in_a_name_is_taken_off_wherever_it_is_typed(club: Club, flo: Client, typed: str) -> None:
    ann = MemberFactory(club=club, name="Bo")
    post(flo, "member_settings", club, ann.pk, do="call", name=typed, nickname=typed)
    ann.refresh_from_db()
    assert (ann.name, ann.nickname, ann.player.name) == ("Ann", "Ann", "Ann")
    assert clean_name(typed) == "Ann"
    assert isinstance(clean_name("ann@example.org"), Problem)
    assert clean_name("Ann @ home") == "Ann @ home"


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
    asks = "Ask to join"
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
    assert add(browser, club, "Bo").status_code == 403


def test_page_of_mine_asks_who_i_am_and_then_knows(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    assert "Who are you?" in text(get(phone(club), "my_page", club))
    assert re.search(r"You are <i class=.badge [^>]*></i><bdi>Ann</bdi>", text(get(phone(club, ann), "my_page", club)))
    browser, bo = account(club, name="Bo")
    assert get(browser, "my_page", club)["Location"].endswith(f"/members/{bo.pk}/settings/")


# What is settled about one


def test_nickname_is_their_own_to_choose_and_their_name_the_organisers(club: Club, flo: Client) -> None:
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


def test_only_the_member_and_organisers_change_anything(club: Club) -> None:
    ann = MemberFactory(club=club, name="Ann")
    bo, _ = account(club, "scorekeeper", name="Bo")
    other, _ = account(ClubFactory(), "organiser")
    for do in ("call", "hide", "leave", "role", "back", "apart"):
        assert post(bo, "member_settings", club, ann.pk, do=do, role="organiser").status_code == 403
        assert post(phone(club, ann), "member_settings", club, ann.pk, do=do).status_code == 403
        assert post(other, "member_settings", club, ann.pk, do=do).status_code == 403
    assert get(bo, "member_settings", club, ann.pk).status_code == 403
    assert get(bo, "held_about_member", club, ann.pk).status_code == 403
    ann.refresh_from_db()
    assert (ann.role, ann.left_at, ann.hidden) == ("member", None, False)


def test_nobody_gives_themselves_a_role(club: Club) -> None:
    browser, ann = account(club, name="Ann")
    assert post(browser, "member_settings", club, ann.pk, do="role", role="organiser").status_code == 403
    ann.refresh_from_db()
    assert ann.role == "member"


def test_organiser_gives_roles(club: Club, flo: Client) -> None:
    browser, ann = account(club, name="Ann")
    assert post(flo, "member_settings", club, ann.pk, do="role", role="organiser").status_code == 303
    assert get(browser, "organise", club).status_code == 200
    assert post(flo, "member_settings", club, ann.pk, do="role", role="king").status_code == 422
    assert club.audit_entries.filter(says="Made Ann organiser of the club.").count() == 1


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
    assert "Guest code" in text(get(flo, "member_settings", club, ann.pk))


def test_new_member_never_takes_the_player_of_another(club: Club, flo: Client) -> None:
    player = Player.objects.create(name="Ann")
    add(flo, club, "Ann")
    assert club.members.get(name="Ann").player != player


def test_owner_of_the_site_may_do_what_an_organiser_may(club: Club) -> None:
    browser = signed_in(UserFactory(is_superuser=True))
    assert add(browser, club, "Ann").status_code == 303
    assert names(club) == ["Ann"]
