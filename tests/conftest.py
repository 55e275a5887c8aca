"""What all tests share."""

import gc
import os
import re
import secrets
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from pathlib import Path
from string import ascii_lowercase, digits

import pytest
from django.conf import settings as django_settings
from django.core.management.commands import flush
from django.db import connection
from django.middleware import csrf
from django.test import TransactionTestCase
from hypothesis import HealthCheck, settings
from pytest_django import DjangoDbBlocker

from tests.statements import Asked, Recorder, cover, recorded

pytest_plugins = ["tests.trust.attempts"]

settings.register_profile("short", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("few", settings.get_profile("short"), max_examples=10)

ON_SQLITE = django_settings.DATABASES["default"]["ENGINE"] == "clubs.sqlite"
# What any example says about the game it has said on SQLite: PostgreSQL is asked whether it can do the same at all.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short" if ON_SQLITE else "few"))

# Twelve thousand collected tests are no rubbish, and to look through them again and again takes a tenth of the time.
gc.disable()


@pytest.fixture(scope="session", autouse=True)
def results_are_counted_at_once() -> None:
    """What waits for the thread of the site is counted after every commit (`tests.counted`)."""
    from tests.counted import count_after_commits

    count_after_commits()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The databases of the tests. At the end nobody is connected any more, so that PostgreSQL drops them.

    A server's thread may have ended a moment ago, and a killed process may not be noticed yet.
    """
    yield
    if not ON_SQLITE:
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            others = "datname = current_database() AND pid <> pg_backend_pid()"
            cursor.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")


@pytest.fixture(scope="session", autouse=True)
def nothing_follows_from_emptying_all_tables() -> Iterator[None]:
    """Nobody asks for permissions and content types: they are not made again after each test that commits.

    That took thirteen times as long as to empty the tables. What else follows a migration (`clubs.apps`) needs clubs.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_: None)
        yield


#: Names that tests look for.
NAMES = re.compile("Ann|Bo|Cy|Di|Ed|Flo|Gus|Gil|Joe|Zed")


@pytest.fixture(scope="session", autouse=True)
def no_random_token_spells_a_name() -> Iterator[None]:
    """Who looks for Ann on a page finds her where she is named, and not among the letters of a key."""
    made = secrets.token_urlsafe

    def token_urlsafe(nbytes: int | None = None) -> str:
        token = made(nbytes)
        return token_urlsafe(nbytes) if NAMES.search(token) else token

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csrf, "CSRF_ALLOWED_CHARS", ascii_lowercase + digits)
        patch.setattr(secrets, "token_urlsafe", token_urlsafe)
        yield


@pytest.fixture(autouse=True)
def nights_begin_in_march() -> None:
    """The first night of every test is on the first of March, in the season of 2026, however many tests ran before."""
    from tests.club_factories import NightFactory

    NightFactory.reset_sequence(0)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.enable()
    # Pages and query sets leave few circles behind: to look for them every 700 objects takes 3 % of the time.
    gc.set_threshold(20_000, 20, 20)


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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help="what `make test` runs: no `thorough`, of the browser `journey`; on PostgreSQL also what differs there",
    )
    parser.addoption("--statements", metavar="FOLDER", help="a folder: see `tests/statements.py`")
    parser.addoption("--shard", default="1/1", help="a part of the tests: 2/16 is one in 16 from the second on")


def pytest_configure(config: pytest.Config) -> None:
    if ON_SQLITE and (folder := config.getoption("--statements")):
        config.pluginmanager.register(Recorder(Path(folder), os.environ.get("PYTEST_XDIST_WORKER")))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is said about SQLite, or without any database, is not asked of PostgreSQL; what is long, of every fourth.

    `make test` is --quick: it leaves out what only repeats itself with more cases.
    """
    asked = items
    if config.getoption("--quick"):
        left_out = thorough(asked)
        asked = [item for item in asked if item.nodeid not in left_out]
    if not ON_SQLITE:
        asked = [item for item in asked if asks_a_database(item) and not item.get_closest_marker("sqlite")]
        left_out = three_of_four(item.nodeid for item in asked if item.get_closest_marker("fourth"))
        asked = [item for item in asked if item.nodeid not in left_out]
        if folder := config.getoption("--statements"):
            chosen = asking_all(asked, recorded(Path(folder)))
            asked = [item for item in asked if item.nodeid in chosen]
    names = shard((item.nodeid for item in asked), config.getoption("--shard"))
    asked = [item for item in asked if item.nodeid in names]
    config.hook.pytest_deselected(items=list(set(items) - set(asked)))
    items[:] = asked


def thorough(items: Iterable[pytest.Item]) -> set[str]:
    """The names of the tests that `make test` leaves out; `thorough(but=3)` leaves the first three cases in.

    PostgreSQL is asked those all the same in which databases differ.
    """
    numbers = defaultdict[str, "count[int]"](count)
    names = set()
    for item in sorted(items, key=lambda item: item.nodeid):
        is_asked = not ON_SQLITE and item.get_closest_marker("databases_differ")
        marker = None if is_asked else item.get_closest_marker("thorough")
        stays = marker.kwargs.get("but", 0) if marker else 0
        is_left_out = marker and next(numbers[item.nodeid.partition("[")[0]]) >= stays
        if is_left_out or (item.get_closest_marker("browser") and not item.get_closest_marker("journey")):
            names.add(item.nodeid)
    return names


def three_of_four(names: Iterable[str]) -> set[str]:
    """Of the cases of each test all but every fourth, the same ones in whatever order they come."""
    numbers = defaultdict[str, "count[int]"](count)
    return {name for name in sorted(names) if next(numbers[name.partition("[")[0]]) % 4}


def asking_all(items: Iterable[pytest.Item], known: Mapping[str, Asked]) -> set[str]:
    """The names of the tests that PostgreSQL is asked so that every statement is tried there (`tests.statements`)."""
    items = list(items)
    sure = {item.nodeid for item in items if item.get_closest_marker("databases_differ") or item.nodeid not in known}
    return cover({item.nodeid: known[item.nodeid] for item in items if item.nodeid in known}, sure)


def shard(names: Iterable[str], which: str) -> set[str]:
    """One part of several of these tests, the same ones in whatever order they come: "2/8" is the second of eight."""
    part, parts = map(int, which.split("/"))
    return set(sorted(names)[part - 1 :: parts])


def asks_a_database(item: pytest.Item) -> bool:
    if issubclass(getattr(item, "cls", None) or object, TransactionTestCase):
        return True
    asking = {"db", "transactional_db", "live_server"}
    return bool(item.get_closest_marker("django_db") or asking & set(getattr(item, "fixturenames", ())))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if chromium() is None:
        terminalreporter.write_line(
            "!!! NO BROWSER: the browser tests did NOT run. Install one: apt install chromium", red=True, bold=True
        )
