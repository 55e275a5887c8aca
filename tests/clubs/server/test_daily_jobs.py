"""What the open site does once a day."""

from __future__ import annotations

import datetime
from pathlib import Path
from unittest.mock import Mock

import pytest
import time_machine
from django.core.cache import cache
from django.db import OperationalError, connection
from django.utils import timezone

from clubs.models import BrowserSession, CacheRow, FoundingCode, Upload
from clubs.models.session import SessionStore
from clubs.server import daily_jobs
from scoresheets.models import Sheet
from tests.bench.live_site import LiveSite
from tests.club_factories import ClubFactory, UserFactory
from tests.factories import opened, scorer
from tests.waiting import until

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


def test_blank_sheets_go_though_nobody_opens_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily_jobs, "A_FEW_SHEETS", 2)
    for _ in range(5):
        opened(4)
    written = scorer(4)
    written.any_hand()
    daily_jobs.tidy()
    assert Sheet.objects.count() == 6
    with time_machine.travel(timezone.now() + datetime.timedelta(days=2), tick=False):
        daily_jobs.tidy()
    assert [*Sheet.objects.all()] == [written.sheet]


def test_what_goes_wrong_ends_nothing(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as full:
        full.setattr(daily_jobs, "tidy", broken)
        assert daily_jobs.run_if_due() is True
    assert "The daily jobs broke: OSError." in caplog.text
    # ... and they are tried again at the next look, until they are done.
    assert [daily_jobs.run_if_due(), daily_jobs.run_if_due()] == [True, False]


def test_database_that_is_away_ends_nothing_either(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection, "cursor", Mock(side_effect=OperationalError("gone")))
    assert daily_jobs.run_if_due() is True
    assert "The daily jobs broke: OperationalError." in caplog.text


#: The settings of the site, and a look at its daily jobs every fifth of a second.
IMPATIENT = """
from clubs.settings import *

INSTALLED_APPS = [*INSTALLED_APPS, "impatient.Impatient"]
"""
IMPATIENT_APP = """
from django.apps import AppConfig


class Impatient(AppConfig):
    name = "impatient"

    def ready(self):
        from clubs.server import daily_jobs

        daily_jobs.BETWEEN_LOOKS = 0.2
"""
FILL = """
from datetime import timedelta
from django.utils import timezone
from clubs.models import BrowserSession, CacheRow
now = timezone.now()
BrowserSession.objects.create(session_key="old", session_data="x", expire_date=now - timedelta(days=1))
BrowserSession.objects.create(session_key="new", session_data="x", expire_date=now + timedelta(days=1))
CacheRow.objects.create(cache_key="tried", value="x", expires=now - timedelta(days=1))
CacheRow.objects.filter(cache_key__endswith=":daily-jobs").update(expires=now - timedelta(seconds=1))
"""
LEFT = """
from clubs.models import BrowserSession, CacheRow
print(*sorted(BrowserSession.objects.values_list("session_key", flat=True)))
print(CacheRow.objects.filter(cache_key="tried").count())
"""


@pytest.mark.thorough
@pytest.mark.sqlite
def test_processes_of_the_open_site_do_it_a_day_after_the_last_time(tmp_path: Path) -> None:
    """The real server. That a day has passed is written into the database, which has the time of the last."""
    (tmp_path / "impatient.py").write_text(IMPATIENT_APP)
    (tmp_path / "impatient_settings.py").write_text(IMPATIENT)
    with LiveSite(tmp_path / "var", settings="impatient_settings", PYTHONPATH=str(tmp_path)) as site:
        site.run("manage.py", "shell", "--no-imports", "-c", FILL)
        until(lambda: site.run("manage.py", "shell", "--no-imports", "-c", LEFT).split() == ["new", "0"])
        assert "daily jobs" not in site.journal.read_text()
