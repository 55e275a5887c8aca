"""An owner of the site in a club to which they do not belong: the page and the activity log say so."""

from __future__ import annotations

import pytest
from django.test import Client

from clubs.models import Club, User
from tests.club_factories import ClubFactory, MemberFactory

pytestmark = pytest.mark.django_db
SAYS = "You are here as"
MADE = "The owner of the site made a change (add members)."


@pytest.fixture
def club() -> Club:
    return ClubFactory(slug="trumps", visibility="members")


def log_of(club: Club) -> list[str]:
    return list(club.audit_entries.values_list("says", flat=True))


def add(browser: Client, names: str) -> int:
    """What the page for new members answers."""
    return browser.post("/clubs/trumps/members/add/", {"names": names, "do": "add"}).status_code


def test_page_says_that_they_look_as_the_owner(ona: Client, club: Club) -> None:
    assert SAYS in ona.get("/clubs/trumps/").text


def test_owner_who_belongs_to_the_club_is_a_member_like_any_other(ona: Client, club: Club) -> None:
    MemberFactory(club=club, user=User.objects.get(is_superuser=True), role="organiser")
    assert SAYS not in ona.get("/clubs/trumps/").text
    add(ona, "Bo")
    assert MADE not in log_of(club)


def test_what_they_change_is_in_the_activity_log_once_an_hour(ona: Client, club: Club) -> None:
    assert add(ona, "Bo") < 400
    assert add(ona, "Cy") < 400
    assert log_of(club).count(MADE) == 1


def test_looking_and_what_was_refused_are_not(ona: Client, club: Club) -> None:
    ona.get("/clubs/trumps/members/add/")
    assert add(ona, "") >= 400
    assert MADE not in log_of(club)
