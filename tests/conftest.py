"""What all tests share."""

import gc
import os
import shutil
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from hypothesis import HealthCheck, settings

settings.register_profile("short", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))

# Twelve thousand collected tests are no rubbish, and to look through them again and again takes a tenth of the time.
gc.disable()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.enable()


PROJECT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def project() -> Path:
    """The folder of the repository."""
    return PROJECT


#: The browser without windows is the same browser, and needs half the time of a whole one.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def chromium() -> str | None:
    """Where the browser is: `CHROMIUM` from the environment, else the first of this machine's, else None."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is said about SQLite is not asked of PostgreSQL."""
    if django_settings.DATABASES["default"]["ENGINE"] == "clubs.sqlite":
        return
    about_sqlite = [item for item in items if item.get_closest_marker("sqlite")]
    config.hook.pytest_deselected(items=about_sqlite)
    items[:] = [item for item in items if item not in about_sqlite]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if chromium() is None:
        terminalreporter.write_line(
            "!!! NO BROWSER: the browser tests did NOT run. Install one: apt install chromium", red=True, bold=True
        )
