"""The way from a sheet and from its watch page to the owner's page of it: for the owner, and for nobody else."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoresheets.access.scorekeepers import BROWSER_COOKIE, hashed
from scoresheets.models import Sheet
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.clubs.full_club import SECRET, FullClub
from tests.clubs.visitors import account
from tests.factories import scorer

pytestmark = pytest.mark.django_db


def of_a_club() -> Sheet:
    night = NightFactory(club=ClubFactory(slug="trumps"))
    sheet = played(night, MemberFactory.create_batch(4, club=night.club), hands=1).sheet
    Sheet.objects.filter(pk=sheet.pk).update(home=night.get_absolute_url())
    return sheet


def of_none() -> Sheet:
    return scorer().sheet


def pages_of(sheet: Sheet) -> list[str]:
    return [reverse("sheet", args=[sheet.code]), reverse("watch", args=[sheet.watch])]


def way_to(sheet: Sheet) -> str:
    return f'href="/owner/sheets/{sheet.code}/"'


def test_owner_is_led_to_their_page_of_it(ona: Client) -> None:
    sheet = of_a_club()
    for page in pages_of(sheet):
        assert way_to(sheet) in ona.get(page).text
    assert ona.get(f"/owner/sheets/{sheet.code}/").status_code == 200


def test_to_a_sheet_without_a_club_the_list_leads_and_its_watch_page_asks_nobody_who_they_are(ona: Client) -> None:
    sheet = of_none()
    page, watch = pages_of(sheet)
    assert way_to(sheet) in ona.get(page).text
    assert way_to(sheet) in ona.get("/owner/sheets/").text
    assert way_to(sheet) not in ona.get(watch).text


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize("visitor", ["anonymous", "watcher", "phone", "member", "scorekeeper", "organiser", "stranger"])
def test_nobody_else_is_and_what_the_owner_has_seen_is_kept_for_nobody(ona: Client, visitor: str) -> None:
    house = FullClub()
    Sheet.objects.filter(pk=house.sheet.pk).update(home=house.night.get_absolute_url())
    owner, pages = house.browser("superuser"), pages_of(house.sheet)
    assert all("/owner/" in owner.get(page).text for page in pages)
    fragment = reverse("watch_rows", args=[house.sheet.watch])
    assert "/owner/" not in owner.get(fragment).text
    for page in (*pages, fragment):
        answer = house.browser(visitor).get(page)
        assert answer.status_code == 200
        assert "/owner/" not in answer.text


def test_page_with_it_is_for_one_browser_alone(ona: Client) -> None:
    for page in pages_of(of_a_club()):
        headers = ona.get(page).headers
        assert "private" in headers["Cache-Control"]
        assert "no-cache" in headers["Cache-Control"]
        assert "Cookie" in headers["Vary"]


@pytest.mark.parametrize(("which", "queries"), [(0, 3), (1, 1)])
def test_who_has_no_account_is_asked_for_none(which: int, queries: int, django_assert_num_queries: Any) -> None:
    address, client = pages_of(of_none())[which], Client()
    client.get(address)
    with django_assert_num_queries(queries):
        assert "Set-Cookie" not in client.get(address).headers


def test_account_is_asked_for_once_on_a_watch_page(django_assert_num_queries: Any) -> None:
    sheet = of_a_club()
    browser, watch = account(ClubFactory())[0], pages_of(sheet)[1]
    browser.get(watch)
    # The sheet, session and account, and whether it is theirs, as before there was an owner.
    with django_assert_num_queries(4):
        browser.get(watch)


def test_scorekeeper_with_an_account_is_asked_who_they_are_on_the_sheet(django_assert_num_queries: Any) -> None:
    kept = scorer(browser=hashed(SECRET))
    browser, page = Client(), pages_of(kept.sheet)[0]
    browser.cookies[BROWSER_COOKIE] = SECRET
    with CaptureQueriesContext(connection) as without_account:
        browser.get(page)
    browser, _ = account(ClubFactory())
    browser.cookies[BROWSER_COOKIE] = SECRET
    with django_assert_num_queries(len(without_account) + 2):
        browser.get(page)
