"""PostgreSQL takes no text with a NUL in it, and no database a number beyond 64 bits, not even to look for it: no
address breaks a page by one.
"""

from __future__ import annotations

import re

import pytest

from tests.clubs.access.test_who_may import ROUTES
from tests.clubs.full_club import FullClub
from tests.fuzz.tables import address_of, routes

NUMBER = re.compile(r"<int:\w+>")


@pytest.mark.databases_differ
@pytest.mark.django_db
def test_nul_in_an_address_breaks_no_page() -> None:
    house = FullClub()
    browsers = [house.browser("organiser"), house.browser("superuser")]

    def fill(name: str, kind: str) -> str:
        if kind == "slug":
            return house.club.slug if name == "slug" else "a"
        return "%00" if kind == "str" else "1"

    addresses = [address_of(route, fill) for route in routes() if "<str:" in route]
    assert len(addresses) > 40
    broken = set[str]()
    for browser in browsers:
        browser.raise_request_exception = False
        for address in addresses:
            broken |= {address for answer in (browser.get(address), browser.post(address)) if answer.status_code >= 500}
    assert broken == set()


@pytest.mark.thorough(but=1)
@pytest.mark.databases_differ
@pytest.mark.django_db
@pytest.mark.parametrize("number", [2**63, 10**30])
def test_number_beyond_64_bits_in_an_address_breaks_no_page(number: int) -> None:
    """At each place in turn, the others as they should be."""
    house = FullClub()
    browser = house.browser("superuser")
    browser.raise_request_exception = False
    numbered = [
        route[: at.start()] + str(number) + route[at.end() :] for route, _ in ROUTES for at in NUMBER.finditer(route)
    ]
    addresses = [house.address(route) for route in numbered]
    assert len(addresses) > 60
    answers = {address: (browser.get(address), browser.post(address)) for address in addresses}
    assert [at for at, both in answers.items() if any(answer.status_code >= 500 for answer in both)] == []
