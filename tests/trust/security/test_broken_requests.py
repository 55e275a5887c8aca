"""Broken requests, thrown by dice: none breaks the site, and each refusal leaves the database as it was."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from tests.clubs.houseful import Houseful
from tests.factories import new_key, pencil
from tests.fuzz.tables import everything
from tests.fuzz.test_club_forms import Vandal
from tests.fuzz.test_fuzz import evening_of, throw_things
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.promise(6), pytest.mark.django_db, pytest.mark.timeout(7200)]

#: So many requests are thrown at one evening, or at one club. Both databases together get a hundred thousand.
AT_ONE = 2_000
TEN_MEGABYTES = 10 * 1024 * 1024
#: Numbers of evenings that no other test throws at.
FIRST = 10_000


@pytest.mark.databases_differ
@pytest.mark.thorough
def test_broken_requests_to_a_sheet_change_nothing(attempt: Attempt) -> None:
    wanted, sent = attempt.size(60, 40_000), 0
    while sent < wanted:
        here = transaction.savepoint()
        evening = evening_of(FIRST + sent)
        evening.look_round()
        throws = min(AT_ONE, wanted - sent)
        throw_things(evening, FIRST + sent, throws)
        sent += throws
        transaction.savepoint_rollback(here)
    attempt.saw(f"{sent:,} requests to sheets")


@pytest.mark.databases_differ
@pytest.mark.thorough
def test_broken_forms_of_a_club_change_nothing(attempt: Attempt) -> None:
    wanted, sent = attempt.size(60, 10_000), 0
    while sent < wanted:
        here = transaction.savepoint()
        vandal = Vandal(FIRST + sent)
        vandal.look_round()
        throws = min(AT_ONE, wanted - sent)
        for _ in range(throws):
            vandal.throw()
        sent += throws
        transaction.savepoint_rollback(here)
    attempt.saw(f"{sent:,} forms of clubs: none broke the site, and no refusal changed anything")


def test_name_of_ten_megabytes_is_refused_and_changes_nothing(attempt: Attempt) -> None:
    secret = "s" * 22
    ann, house = pencil(4, browser=hashed(secret)), Houseful()
    phone, organiser = Client(), house.browser("organiser")
    phone.cookies[BROWSER_COOKIE] = secret
    before, huge = everything(), "x" * TEN_MEGABYTES
    told = [
        phone.post(reverse("enter", args=[ann.sheet.code]), {"key": new_key(), "hand": 1, "ask": huge}),
        Client().post(reverse("open_sheet"), {"name": [huge, "Bo"], "key": new_key()}),
        organiser.post(reverse("add_members", args=[house.club.slug]), {"names": huge}),
        organiser.post(reverse("plan_night", args=[house.club.slug]), {"title": huge}),
    ]
    assert {answer.status_code for answer in told} <= {400, 413, 422}
    assert everything() == before
    attempt.saw("a name of 10 MB is refused")
