"""A guest of one night claims what they played."""

import pytest
from django.test import Client
from django.utils import timezone

from clubs.access.visit import COOKIE
from clubs.members.people import claim_code, new_guest, read_code
from clubs.models import Club, Member
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.visitors import account, get, phone, post, signed_in, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def gus(club: Club) -> Member:
    """A guest who has played a night."""
    night = NightFactory(club=club, on="2026-03-05")
    guest = new_guest(club, "Gus", night)
    played(night, [guest, *(MemberFactory(club=club, name=name) for name in ("Bo", "Cy", "Di"))])
    return guest


def test_code_shows_what_was_played_and_takes_nothing(club: Club, gus: Member) -> None:
    typed = claim_code(gus).lower().replace("-", " ")
    page = text(post(phone(club), "claim", club, code=typed))
    assert "Gus" in page
    assert "5 March 2026" in page
    gus.refresh_from_db()
    assert (gus.same_as, gus.user, gus.says_is) == (None, None, None)


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("code", ["", "AAAA-AAAA", "x" * 500, "é", "\x00"])
def test_wrong_code_is_refused_beside_its_field(club: Club, gus: Member, code: str) -> None:
    answer = post(phone(club), "claim", club, code=code, do="mine")
    assert answer.status_code == 422
    assert "No guest of this club has that code" in text(answer)


def test_code_of_another_club_opens_nothing(gus: Member) -> None:
    other = ClubFactory()
    assert post(phone(other), "claim", other, code=claim_code(gus)).status_code == 422


def test_member_who_has_signed_in_has_the_results_at_once(club: Club, gus: Member) -> None:
    browser, ann = account(club, name="Ann")
    answer = post(browser, "claim", club, code=claim_code(gus), do="mine")
    assert answer.status_code == 303
    gus.refresh_from_db()
    assert gus.same_as == ann
    assert post(browser, "claim", club, code=claim_code(gus), do="mine").status_code == 303


def test_nobody_claims_who_sat_at_their_own_table(club: Club, gus: Member) -> None:
    bo, user = club.members.get(name="Bo"), UserFactory()
    Member.objects.filter(pk=bo.pk).update(user=user)
    answer = post(signed_in(user), "claim", club, code=claim_code(gus), do="mine")
    assert answer.status_code == 409
    assert "sat at one table" in text(answer)


def test_account_without_a_record_has_the_guests(club: Club, gus: Member) -> None:
    user = UserFactory()
    assert post(signed_in(user), "claim", club, code=claim_code(gus), do="mine").status_code == 303
    gus.refresh_from_db()
    assert (gus.user, gus.role) == (user, "guest")
    second = post(signed_in(UserFactory()), "claim", club, code=claim_code(gus), do="mine")
    assert second.status_code == 409
    assert "claimed these results already" in text(second)


def test_person_who_asks_to_join_claims_later(club: Club, gus: Member) -> None:
    user = UserFactory()
    MemberFactory(club=club, name="Ann", user=user, approved_at=None)
    answer = post(signed_in(user), "claim", club, code=claim_code(gus), do="mine")
    assert answer.status_code == 409
    assert "asked to join" in text(answer)


def test_phone_without_an_account_is_the_guests_from_then_on(club: Club, gus: Member) -> None:
    browser = phone(club)
    post(browser, "claim", club, code=claim_code(gus), do="mine")
    assert browser.cookies[COOKIE.format(club.pk)].value == f"{club.key}.{gus.pk}"
    assert "You are <bdi>Gus</bdi>" in text(get(browser, "my_page", club))


def test_phone_of_a_member_asks_an_organiser_who_sees_both_side_by_side(club: Club, gus: Member) -> None:
    ann = MemberFactory(club=club, name="Ann")
    browser, (flo, _) = phone(club, ann), account(club, "organiser", name="Flo")
    assert "An organiser now checks" in text(post(browser, "claim", club, code=claim_code(gus), do="mine"))
    gus.refresh_from_db()
    assert (gus.says_is, gus.same_as) == (ann, None)
    post(browser, "claim", club, code=claim_code(gus), do="mine")
    assert club.audit_entries.filter(says="The guest Gus says that this is Ann.").count() == 1
    page = text(get(flo, "members", club))
    assert "Somebody with the code of the guest" in page
    assert f"one={ann.pk}&amp;other={gus.pk}" in page
    post(flo, "merge_members", club, one=ann.pk, other=gus.pk, counts=ann.pk)
    gus.refresh_from_db()
    assert (gus.says_is, gus.same_as) == (None, ann)
    assert "Somebody with the code" not in text(get(flo, "members", club))


def test_organiser_may_say_that_they_are_two(club: Club, gus: Member) -> None:
    ann, (flo, _) = MemberFactory(club=club, name="Ann"), account(club, "organiser", name="Flo")
    post(phone(club, ann), "claim", club, code=claim_code(gus), do="mine")
    assert post(flo, "members", club, do="is-not", member=gus.pk).status_code == 303
    gus.refresh_from_db()
    assert (gus.says_is, gus.same_as) == (None, None)


@pytest.mark.thorough
def test_guesses_come_to_an_end(club: Club, gus: Member) -> None:
    browser = phone(club)
    answers = [post(browser, "claim", club, code="AAAA-AAAA").status_code for _ in range(62)]
    assert answers[0] == 422
    assert answers[-1] == 429


def test_claim_page_is_shown_to_whom_the_club_is(club: Club) -> None:
    Club.objects.update(visibility="link")
    assert get(Client(), "claim", club).status_code == 403
    assert get(phone(club), "claim", club).status_code == 200


def test_code_alone_leads_a_guest_to_what_they_played_and_into_a_club_by_link(club: Club, gus: Member) -> None:
    Club.objects.update(visibility="link")
    browser, code = Client(), claim_code(gus)
    assert read_code(code) in text(get(browser, "claim", club, code=code))
    assert get(browser, "members", club).status_code == 403
    assert post(browser, "claim", club, code=code, do="mine").status_code == 303
    assert get(browser, "members", club).status_code == 200
    assert get(Client(), "claim", club, code="AAAA-AAAA").status_code == 404
    assert post(Client(), "claim", club, code="AAAA-AAAA").status_code == 404
    Club.objects.update(archived_at=timezone.now())
    assert get(Client(), "claim", club, code=code).status_code == 404
    assert post(Client(), "claim", club, code=code, do="mine").status_code == 404


def test_guest_of_a_club_of_members_signs_in_to_claim(club: Club, gus: Member) -> None:
    Club.objects.update(visibility="members")
    browser, code = Client(), claim_code(gus)
    assert "Sign in with your address" in text(post(browser, "claim", club, code=code))
    assert post(browser, "claim", club, code=code, do="mine").status_code == 403
    assert not browser.cookies
    user = UserFactory()
    assert post(signed_in(user), "claim", club, code=code, do="mine").status_code == 303
    gus.refresh_from_db()
    assert gus.user == user


def test_organiser_shows_the_code_to_scan(club: Club, gus: Member) -> None:
    flo, _ = account(club, "organiser", name="Flo")
    page = text(get(flo, "member_settings", club, gus.pk))
    assert claim_code(gus) in page
    assert 'class="qr"' in page
    assert claim_code(gus) not in text(get(phone(club), "members", club))


def test_nobody_claims_what_another_account_has_claimed(club: Club, gus: Member) -> None:
    code = claim_code(gus)
    assert post(signed_in(UserFactory()), "claim", club, code=code, do="mine").status_code == 303
    browser, _ = account(club, name="Ann")
    answer = post(browser, "claim", club, code=code, do="mine")
    assert answer.status_code == 409
    assert "claimed these results already" in text(answer)
    gus.refresh_from_db()
    assert gus.same_as is None


def test_code_of_who_runs_the_club_by_now_gives_no_account(club: Club, gus: Member) -> None:
    Member.objects.filter(pk=gus.pk).update(role="scorekeeper")
    answer = post(signed_in(UserFactory()), "claim", club, code=claim_code(gus), do="mine")
    assert answer.status_code == 409
    assert "is no longer a guest" in text(answer)
    gus.refresh_from_db()
    assert gus.user is None
