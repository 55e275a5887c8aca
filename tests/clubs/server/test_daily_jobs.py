"""What the open site does once a day."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.core.cache import cache
from django.utils import timezone

from clubs.models import BrowserSession, CacheRow, FoundingCode, Upload
from clubs.models.session import SessionStore
from clubs.server import daily_jobs
from tests.club_factories import ClubFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def not_done_yet() -> None:
    cache.delete(daily_jobs.DONE)


def test_jobs_are_done_once_a_day() -> None:
    now = timezone.now()
    hours = (0, 1, 22, 24, 25, 48)
    done = []
    for hour in hours:
        with time_machine.travel(now + datetime.timedelta(hours=hour), tick=False):
            done.append(daily_jobs.run_if_due())
    assert done == [True, False, False, True, False, True]


def test_what_has_run_out_goes_while_the_site_is_open() -> None:
    now, club, user = timezone.now(), ClubFactory(), UserFactory()
    session = SessionStore()
    session["said"] = "1"
    session.save()
    CacheRow.objects.create(cache_key="tried", value="x", expires=now)
    Upload.objects.create(kind="club", club=club, by=user, called="a file", content=b"x")
    FoundingCode.objects.create(code_hash="x", club=club)
    FoundingCode.objects.create(code_hash="founds a club")
    with time_machine.travel(now + datetime.timedelta(days=90), tick=False):
        looks = iter([False, True])
        daily_jobs.run_daily(lambda: next(looks), close=lambda: None)
        assert not BrowserSession.objects.exists()
        assert not Upload.objects.exists()
        assert not CacheRow.objects.filter(cache_key="tried").exists()
        assert [code.code_hash for code in FoundingCode.objects.all()] == ["founds a club"]


def test_what_goes_wrong_ends_nothing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(daily_jobs, "tidy", broken)
    assert daily_jobs.run_if_due() is True
    assert "The daily jobs broke: OSError." in caplog.text
