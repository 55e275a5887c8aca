"""What search engines may list: pages of public clubs, and nothing else."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from tests.club_factories import ClubFactory, TrophyFactory
from tests.clubs.night_played import Evening, an_evening

pytestmark = pytest.mark.django_db

NOINDEX = '<meta name="robots" content="noindex, nofollow">'
LOCATION = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def closed_evening(visibility: str = "public") -> Evening:
    evening = an_evening(visibility=visibility)
    evening.table(hands=None)
    evening.night.closed_at = timezone.now()
    evening.night.save()
    TrophyFactory(club=evening.club)
    return evening


def listed() -> list[str]:
    answer = Client().get("/sitemap.xml")
    assert answer.status_code == 200
    return [found.text or "" for found in ElementTree.fromstring(answer.content).iter(LOCATION)]


def canonical(page: str) -> list[str]:
    return re.findall(r'<link rel="canonical" href="([^"]+)">', page)


def test_every_listed_address_is_a_page_that_says_the_same_of_itself() -> None:
    evening = closed_evening()
    addresses = listed()
    assert f"http://testserver{evening.page}" in addresses
    assert len(addresses) == 7
    for address in addresses:
        page = Client().get(address.removeprefix("http://testserver"))
        assert page.status_code == 200
        assert canonical(page.text) == [address]
        assert NOINDEX not in page.text


def test_canonical_address_has_no_query() -> None:
    evening = closed_evening()
    page = Client().get(evening.url("standings"), {"columns": "all", "key": "x"})
    assert canonical(page.text) == [f"http://testserver{evening.url('standings')}"]


@pytest.mark.parametrize("visibility", ["link", "members"])
def test_no_other_club_is_listed(visibility: str) -> None:
    evening = closed_evening(visibility)
    assert listed() == []
    for name in ("club", "standings", "trophies"):
        page = evening.organiser().get(evening.url(name)).text
        assert NOINDEX in page
        assert canonical(page) == []


@pytest.mark.parametrize("change", [{"archived_at": timezone.now()}, {"is_demo": True}, {"is_evening": True}])
def test_neither_is_one_that_is_no_club_of_today(change: dict[str, object]) -> None:
    closed_evening()
    Club.objects.update(**change)
    assert listed() == []


def test_people_and_sheets_are_not_listed() -> None:
    evening = closed_evening()
    table = evening.night.tables.get()
    member = evening.members[0].get_absolute_url()
    for address in (evening.url("members"), member, reverse("watch", args=[table.sheet.watch])):
        page = Client().get(address)
        assert page.status_code == 200
        assert NOINDEX in page.text
    assert not any(member in address or "/watch/" in address for address in listed())


def test_robots_are_told_where_the_list_is() -> None:
    text = Client().get("/robots.txt").text
    assert "Sitemap: http://testserver/sitemap.xml" in text
    assert "Disallow:\n" in text


def test_list_costs_two_questions_a_club(django_assert_num_queries) -> None:
    ClubFactory.create_batch(3, visibility="public")
    with django_assert_num_queries(7):
        listed()
