"""Broken requests, thrown by dice: none breaks the site, and each refusal leaves the database as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from tests.clubs.access.test_who_may import ROUTES
from tests.clubs.full_club import FullClub
from tests.factories import new_key, scorer
from tests.fuzz.programs import Program
from tests.fuzz.tables import Writes, everything, take_back
from tests.fuzz.test_club_forms import Fuzzer
from tests.fuzz.test_club_forms import everything as everything_of_clubs
from tests.fuzz.test_fuzz import evening_of, forget, throw_things
from tests.trust.attempts import Attempt

pytestmark = [pytest.mark.promise(6), pytest.mark.django_db, pytest.mark.timeout(7200)]

#: So many requests are thrown at one evening, or at one club. With those at addresses they are a hundred thousand.
AT_ONE = 1_000
#: `make trust` throws them in this many parts, which processes share. Other runs throw a few, those of the first part;
#: `make test-long` a few of each.
PARTS = 5
in_parts = pytest.mark.parametrize("part", [0, *(pytest.param(k, marks=pytest.mark.long) for k in range(1, PARTS))])
#: What no part of an address is, as it is sent.
BROKEN = (
    "%00", "a%00", "%ed%a0%80", "%ff%fe", "%c3%28", "%0d%0a", "%2e%2e", "%2f", "%F0%9F%83%8F", "%EF%BB%BF", "%u0041",
    "%", "%zz", "%20", "%5c", "-1", "1e9", "9" * 30, "9" * 5_000, "x" * 3_000,
)  # fmt: skip
TEN_MEGABYTES = 10 * 1024 * 1024
#: Numbers of evenings that no other test throws at.
FIRST = 10_000


def throws_of(part: int, wanted: int) -> Iterator[tuple[int, int]]:
    """The numbers of the evenings or clubs of a part, and how many requests are thrown at each. All is taken back."""
    for sent in range(0, wanted, AT_ONE):
        here = transaction.savepoint()
        yield FIRST + part * -(-wanted // AT_ONE) + sent // AT_ONE, min(AT_ONE, wanted - sent)
        take_back(here)
        forget()


@in_parts
@pytest.mark.promise(6, minutes=5)
@pytest.mark.databases_differ
@pytest.mark.thorough
def test_broken_requests_to_a_sheet_change_nothing(part: int, attempt: Attempt) -> None:
    for number, throws in throws_of(part, attempt.size(60, 40_000 // PARTS)):
        # One moment of a game after the other.
        evening = evening_of(number)
        evening.look_round()
        throw_things(evening, number, throws)
        attempt.count(throws, "requests to sheets")


@in_parts
@pytest.mark.promise(6, minutes=3)
@pytest.mark.databases_differ
@pytest.mark.thorough
def test_broken_forms_of_a_club_change_nothing(part: int, attempt: Attempt) -> None:
    for number, throws in throws_of(part, attempt.size(60, 10_000 // PARTS)):
        fuzzer = Fuzzer(number)
        fuzzer.look_round()
        for _ in range(throws):
            fuzzer.throw()
        fuzzer.look_at_the_end()
        attempt.count(throws, "forms of clubs: none broke the site, and no refusal changed anything")


@in_parts
@pytest.mark.promise(6, minutes=3)
@pytest.mark.databases_differ
@pytest.mark.thorough
def test_broken_requests_of_programs_change_nothing(part: int, attempt: Attempt) -> None:
    taken = 0
    for number, throws in throws_of(part, attempt.size(60, 20_000 // PARTS)):
        program = Program(number)
        for _ in range(throws):
            program.throw()
        program.look_at_the_end()
        taken += program.taken
        attempt.count(throws, "requests of programs to the API")
    assert taken or not attempt.whole
    attempt.count(taken, "of these right and taken")


@pytest.mark.promise(6, minutes=8)
@pytest.mark.databases_differ
@pytest.mark.thorough
def test_broken_characters_in_every_part_of_every_address_change_nothing(attempt: Attempt) -> None:
    house, tried = FullClub(), 0
    people = {who: house.browser(who) for who in ("organiser", "superuser")}
    rows = everything_of_clubs()
    addresses = list(dict.fromkeys(broken for route, _ in ROUTES for broken in spoiled(house.address(route))))
    for browser in people.values():
        browser.raise_request_exception = False
    broken: list[tuple[str, str]] = []
    for address in addresses[:: attempt.size(len(addresses) // 30, 1)]:
        browser = people["superuser" if address.startswith("/owner/") else "organiser"]
        for method, ask in (("GET", browser.get), ("POST", browser.post)):
            here, writes = transaction.savepoint(), Writes()
            with connection.execute_wrapper(writes):
                status = ask(address).status_code
            if writes.any and (status >= 400 or method == "GET"):
                assert everything_of_clubs() == rows, (method, address, status)
            broken += [(method, address)] * (status >= 500)
            take_back(here)
            tried += 1
        forget()
    assert broken == []
    assert everything_of_clubs() == rows
    attempt.saw(f"{tried:,} requests to addresses with broken characters in one of their parts")


def spoiled(address: str) -> Iterator[str]:
    """The address with something broken in the place of each of its parts in turn, also of a file's name."""
    for part in re.finditer(r"[^/.]+", address):
        yield from (address[: part.start()] + broken + address[part.end() :] for broken in BROKEN)


def test_name_of_ten_megabytes_is_refused_and_changes_nothing(attempt: Attempt) -> None:
    secret = "s" * 22
    ann, house = scorer(4, browser=hashed(secret)), FullClub()
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
