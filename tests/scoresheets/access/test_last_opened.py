"""The day on which a sheet without a club was opened last."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from unittest.mock import patch

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from scoresheets.models import Sheet
from tests.factories import Scorer
from tests.scoresheets.conftest import Counts

PAGES = ("sheets/{code}/", "sheets/{code}/history/", "sheets/{code}/blank/", "watch/{watch}/", "watch/{watch}/table/")
POLLS = ("watch/{watch}/rows/", "watch/{watch}/table/top/", "sheets/{code}/state/?v=1")


@pytest.fixture
def later(ann: Scorer) -> Iterator[datetime.date]:
    """Ten days after the sheet was begun."""
    with time_machine.travel(ann.sheet.opened_at + datetime.timedelta(days=10)):
        yield timezone.localdate()


def address(ann: Scorer, page: str) -> str:
    return "/" + page.format(code=ann.sheet.code, watch=ann.sheet.watch)


def day_of(ann: Scorer) -> datetime.date | None:
    ann.sheet.refresh_from_db()
    return ann.sheet.last_opened


@pytest.mark.parametrize("page", PAGES)
def test_page_of_the_sheet_is_an_opening(ann: Scorer, later: datetime.date, page: str) -> None:
    assert Client().get(address(ann, page)).status_code == 200
    assert day_of(ann) == later


@pytest.mark.parametrize("page", POLLS)
def test_page_that_asks_by_itself_opens_nothing(ann: Scorer, later: datetime.date, page: str) -> None:
    Client().get(address(ann, page))
    assert day_of(ann) is None


def test_sheet_that_was_begun_today_needs_no_other_day(ann: Scorer) -> None:
    Client().get(address(ann, PAGES[0]))
    assert day_of(ann) is None


@pytest.mark.usefixtures("later")
def test_second_opening_of_a_day_writes_nothing(ann: Scorer, statements: Counts) -> None:
    watch = address(ann, "watch/{watch}/")
    Client().get(watch)
    with statements(exactly=1):
        Client().get(watch)
    Sheet.objects.update(last_opened=None)
    with statements(exactly=2):
        Client().get(watch)


@pytest.mark.usefixtures("later")
def test_sheet_of_a_club_has_no_day(ann: Scorer) -> None:
    Sheet.objects.update(home="/clubs/trumps/nights/1/", club_name="The Trumps")
    Client().get(address(ann, PAGES[0]))
    assert day_of(ann) is None


@pytest.mark.usefixtures("later")
def test_sheet_of_an_evening_without_a_club_has_one(ann: Scorer) -> None:
    Sheet.objects.update(home="/clubs/evening-1/nights/1/")
    Client().get(address(ann, PAGES[0]))
    assert day_of(ann) == timezone.localdate()


@pytest.mark.usefixtures("later")
def test_owner_of_the_site_who_looks_at_a_sheet_does_not_open_it(ann: Scorer) -> None:
    client = Client()
    client.force_login(get_user_model().objects.create(username="ona", is_superuser=True))
    assert client.get(address(ann, PAGES[0])).status_code == 200
    assert day_of(ann) is None


@pytest.mark.usefixtures("later")
def test_page_is_shown_when_nothing_can_be_written(ann: Scorer) -> None:
    with patch.object(QuerySet, "update", side_effect=OperationalError("database is locked")):
        assert Client().get(address(ann, PAGES[0])).status_code == 200
    assert day_of(ann) is None
