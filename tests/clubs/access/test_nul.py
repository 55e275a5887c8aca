"""PostgreSQL takes no text with a NUL in it, not even to look for it: no address breaks a page by one."""

from __future__ import annotations

import pytest

from tests.clubs.houseful import Houseful
from tests.fuzz.tables import address_of, routes


@pytest.mark.databases_differ
@pytest.mark.django_db
def test_nul_in_an_address_breaks_no_page() -> None:
    house = Houseful()
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
