"""Who was cut off, who belongs to another club, and programs with a key: what each may do at every address.

The eight others are in `tests/clubs/access/test_who_may.py`.
"""

from __future__ import annotations

import pytest
from django.http import HttpResponse
from django.test import Client

from clubs.api.keys import make_key
from clubs.models import ReadKey
from scoresheets.access.scorekeepers import BROWSER_COOKIE
from scoresheets.models.sheet import new_token
from tests.club_factories import MemberFactory, UserFactory
from tests.clubs.access.test_who_may import AS_IN_THE_TABLE, ROLES, VISITORS, Asked, read
from tests.clubs.full_club import SECRET, FullClub
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.promise(9), pytest.mark.django_db, pytest.mark.thorough, pytest.mark.timeout(7200)]

OF_PROGRAMS = "/api/"
#: Visitors that are told what others are; a key opens what is for programs besides.
LIKE_OTHERS = {
    "cut off": "anonymous", "member elsewhere": "stranger", "key": "anonymous", "revoked key": "anonymous",
}  # fmt: skip


class MoreVisitors(FullClub):
    """The same club, for a visitor that the table leaves out because they are like others."""

    def __init__(self, visitor: str) -> None:
        super().__init__()
        self.visitor = visitor
        if visitor == "cut off":
            self.sheet.scorekeepers.update(revoked_at=self.club.created)
        elif visitor == "member elsewhere":
            self.users[visitor] = MemberFactory(user=UserFactory(), role="member").user
        elif visitor in ("key", "revoked key"):
            self.key = make_key(self.club, "A program", uid=new_token(), by=None)
            if visitor == "revoked key":
                ReadKey.objects.update(revoked_at=self.club.created)

    def browser(self, visitor: str) -> Client:
        if visitor == "cut off":
            client = Client()
            client.cookies[BROWSER_COOKIE] = SECRET
            return client
        if visitor in ("key", "revoked key"):
            return Client(headers={"authorization": f"Bearer {self.key}"})
        return super().browser(visitor)


def like(visitor: str) -> dict[tuple[str, str], str]:
    """The column of the table."""
    return {row: told[VISITORS.index(visitor)] for row, told in read().items()}


@pytest.mark.parametrize(("visitor", "as_the_table_says_of"), LIKE_OTHERS.items())
def test_who_is_like_others_is_told_what_they_are(visitor: str, as_the_table_says_of: str, attempt: Attempt) -> None:
    told, usual = Asked(MoreVisitors(visitor)).everywhere(visitor), like(as_the_table_says_of)
    ours = {row: word for row, word in told.items() if row[1] != "any"}
    differing = {row: word for row, word in ours.items() if word != usual.get(row, "405")}
    of_programs = {row: word for row, word in differing.items() if row[0].startswith(OF_PROGRAMS)}
    assert differing == of_programs
    if visitor == "key":
        assert set(of_programs.values()) <= {"yes"}
    elif visitor == "revoked key":
        assert set(of_programs.values()) <= {"no"}
        assert of_programs
    else:
        assert of_programs == {}
    attempt.count(1, ROLES)
    attempt.count(len(ours), AS_IN_THE_TABLE)


@pytest.mark.parametrize("visitor", [*VISITORS, *LIKE_OTHERS])
def test_no_other_method_does_anything(visitor: str, attempt: Attempt) -> None:
    """What is neither GET, HEAD, OPTIONS nor POST is refused everywhere, whoever asks."""
    asked = Asked(MoreVisitors(visitor))
    browser, refused = asked.house.browser(visitor), 0
    for route in {route for route, _ in read() if not route.startswith("/account/")}:
        for method in ("PUT", "PATCH", "DELETE", "TRACE"):
            answer: HttpResponse = browser.generic(method, asked.house.address(route))
            assert 400 <= answer.status_code < 500, (method, route, answer.status_code)
            refused += 1
    attempt.count(refused, "other methods refused")
