"""Who belongs to a club, and who only plays with it for a night."""

import pytest

from clubs.members.people import claim_code, new_guest, new_member, read_code
from clubs.models import Member
from scoresheets.access.scorekeepers import hashed
from tests.club_factories import ClubFactory, NightFactory

pytestmark = pytest.mark.django_db


def test_new_member_belongs_to_the_club_with_a_player_of_their_own() -> None:
    club = ClubFactory()
    one, other = new_member(club, "Ann"), new_member(club, "Ann")
    assert one.player != other.player
    assert list(club.members.current()) == [one, other]
    assert (one.role, one.player.name, one.user) == ("member", "Ann", None)


def test_guest_is_here_for_the_night_and_has_a_code() -> None:
    night = NightFactory()
    guest = new_guest(night.club, "Gus", night)
    assert guest.role == Member.Role.GUEST
    assert [(call.member, call.says) for call in night.attendances.all()] == [(guest, "here")]
    code = claim_code(guest)
    assert len(code) == 9
    assert guest.claim_hash == hashed(read_code(code.lower()))
    assert claim_code(new_guest(night.club, "Gus")) != code


def test_code_made_on_another_site_is_not_told_wrongly() -> None:
    guest = new_guest(ClubFactory(), "Gus")
    guest.claim_hash = hashed("ELSEWHER")
    assert claim_code(guest) == ""
