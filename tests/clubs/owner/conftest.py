"""The owner of the site in their browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from clubs.owner import backup_first
from clubs.site.backups import BackupProblem
from tests.club_factories import UserFactory


@pytest.fixture
def var(settings: Settings, tmp_path: Path) -> Path:
    """Where this site keeps its backups."""
    settings.VAR = tmp_path
    return tmp_path


@pytest.fixture
def no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that cannot make a backup itself, as on PostgreSQL without `pg_dump`."""
    monkeypatch.setattr(backup_first, "makes_backups", lambda: False)


@pytest.fixture
def no_backup(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that should make a backup and fails."""

    def refuse(*, seconds: float) -> Path:
        raise BackupProblem("The disk is full.")

    monkeypatch.setattr(backup_first, "make_backup", refuse)


@pytest.fixture
def ona(var: Path) -> Client:
    """The browser of Ona, who owns the site."""
    client = Client()
    client.force_login(UserFactory(email="ona@example.org", is_superuser=True))
    return client
