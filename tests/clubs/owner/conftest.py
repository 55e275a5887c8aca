"""The owner of the site in their browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from tests.club_factories import UserFactory


@pytest.fixture
def var(settings: Settings, tmp_path: Path) -> Path:
    """Where this site keeps its backups."""
    settings.VAR = tmp_path
    return tmp_path


@pytest.fixture
def ona(var: Path) -> Client:
    """The browser of Ona, who owns the site."""
    client = Client()
    client.force_login(UserFactory(email="ona@example.org", is_superuser=True))
    return client
