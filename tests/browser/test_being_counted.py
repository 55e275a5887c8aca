"""A page says that a result is being counted, and shows it by itself. What could not be counted is tried again."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import Club, Member, PendingUpdate, Table
from clubs.projections import worker
from scoresheets.models import Sheet
from tests import counted
from tests.browser.conftest import DESK
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, UserFactory, played
from tests.clubs.projections.test_worker import fails_at
from tests.counted import not_counted


@pytest.fixture
def club(transactional_db: None) -> Club:
    """Ann, Bo, Cy and Di have played once, and Ann has won."""
    club = ClubFactory(name="The Thursday Club", slug="thursday", visibility="public")
    people = [MemberFactory(club=club, name=name) for name in ("Ann", "Bo", "Cy", "Di")]
    played(NightFactory(club=club, on=datetime.date(2026, 3, 1)), people)
    return club


@pytest.fixture
def table(club: Club) -> Iterator[Table]:
    """They have played again, which is not counted as long as the test does not say so."""
    with not_counted():
        table = played(NightFactory(club=club, on=datetime.date(2026, 3, 8)), list(club.members.order_by("pk")))
        Sheet.objects.filter(pk=table.sheet_id).update(home=table.night.get_absolute_url())
        yield table


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.journey
@pytest.mark.usefixtures("table")
def test_standing_says_that_it_is_being_counted_and_then_has_the_result(
    club: Club, phone: Page, axe_day_and_night: Callable[[Page], None]
) -> None:
    phone.goto(reverse("standings", args=[club.slug]))
    notice, row = phone.locator("#being-counted"), phone.get_by_role("row").filter(has_text="Ann")
    expect(notice).to_contain_text("Being counted …")
    expect(row).to_contain_text("4 of 4")
    axe_day_and_night(phone)
    fits(phone)
    phone.evaluate("window.stays = true")
    worker.catch_up()
    expect(row).to_contain_text("8 of 8")
    expect(notice).to_have_count(0)
    assert phone.evaluate("window.stays"), "the page was not loaded again"


def test_result_has_what_the_club_calls_as_soon_as_it_is_counted(table: Table, phone: Page) -> None:
    assert table.sheet is not None
    phone.goto(reverse("result", args=[table.sheet.code]))
    called = phone.locator("#called")
    expect(called).to_contain_text("Being counted …")
    expect(called).not_to_contain_text("Back-to-Back")
    phone.evaluate("window.stays = true")
    worker.catch_up()
    expect(called).to_contain_text("Back-to-Back")
    expect(called).not_to_contain_text("Being counted")
    assert phone.evaluate("window.stays"), "the page was not loaded again"


def test_page_of_who_watches_has_it_too(table: Table, phone: Page) -> None:
    assert table.sheet is not None
    phone.goto(reverse("watch", args=[table.sheet.watch]))
    watched = phone.locator("#watched")
    expect(watched).to_contain_text("Being counted …")
    worker.catch_up()
    expect(watched).to_contain_text("Back-to-Back")
    expect(watched).not_to_contain_text("Being counted")


def test_organiser_has_a_result_counted_again_that_could_not_be(
    table: Table, open_page: Callable[..., Page], live_server: LiveServer, monkeypatch: pytest.MonkeyPatch,
    axe_day_and_night: Callable[[Page], None],
) -> None:  # fmt: skip
    club, user, client = table.night.club, UserFactory(), Client()
    monkeypatch.setattr(worker, "put_off", counted.put_off)
    with monkeypatch.context() as broken:
        fails_at(broken, table, ValueError())
        for _ in range(3):
            worker.catch_up()
            PendingUpdate.objects.update(not_before=None)
    PendingUpdate.objects.update(not_before=datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC))
    Member.objects.filter(club=club, name="Di").update(user=user, role="organiser")
    client.force_login(user)
    page = open_page(DESK)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
    page.goto(reverse("standings", args=[club.slug]))
    notice = page.locator("#being-counted")
    expect(notice).to_contain_text(f"Could not be counted: table {table.number} of 8 March 2026.")
    axe_day_and_night(page)
    fits(page)
    notice.get_by_role("button", name="Try again now").click()
    expect(notice).to_contain_text("Being counted …")
    worker.catch_up()
    expect(page.get_by_role("row").filter(has_text="Ann")).to_contain_text("8 of 8")
    expect(notice).to_have_count(0)
