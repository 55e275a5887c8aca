"""What attempts at a promise share: how much they try, the site they try it on, and where they say what they saw.

A plugin of all tests (`tests/conftest.py`): an attempt stands where its subject is tested.
"""

from __future__ import annotations

import fcntl
import io
import json
import multiprocessing
import os
import runpy
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from tests.bench.clusters import Cluster, temporary_cluster
from tests.bench.live_site import LiveSite

#: Where `make trust` reads what was seen: with it all is tried in full, without it a little.
REPORT = os.environ.get("TRUST_REPORT", "")
#: The only rows that are tried, by number; none: all.
ROWS = [int(row) for row in os.environ.get("TRUST_ROWS", "").split()]
#: What else may run while an attempt is tried, as its mark says: `promise(5, beside="nothing")`. What is judged by the
#: clock has the machine to itself.
Beside = Literal["anything", "the other database", "nothing"]
#: Only attempts with this `beside` are tried; "": all.
BESIDE = os.environ.get("TRUST_BESIDE", "")

#: Of an attempt that has little to do with the database: on PostgreSQL only `make trust` tries it.
POSTGRESQL_IN_FULL = pytest.mark.parametrize(
    "live_site", ["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.long)], indirect=True
)

#: The file of a site on SQLite.
DATABASE = "box-and-circle.sqlite3"

#: How an attempt has ended so far: "passed", "failed" or "skipped".
OUTCOME = pytest.StashKey[str]()


@dataclass
class Attempt:
    """One try at the promise of a number, on a database. `whole`: as `make trust` tries it, not as `make test`."""

    number: int
    database: str
    whole: bool = bool(REPORT)
    seen: list[str] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)

    def size(self, few: int, many: int) -> int:
        """How much is tried: few in the tests, many in `make trust`."""
        return many if self.whole else few

    def saw(self, sentence: str) -> None:
        """Say in few words, with figures, what was seen: it goes into the table."""
        self.seen.append(sentence)

    def count(self, number: int, what: str) -> None:
        """Say how many of something were tried: the table adds up those of all attempts of a row."""
        self.counted[what] = self.counted.get(what, 0) + number


#: What a test tries.
ATTEMPT = pytest.StashKey[Attempt]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    item.stash[OUTCOME] = ended_so_far(item.stash.get(OUTCOME, "failed"), report.when, report.outcome)
    if report.when == "teardown" and (number := number_of(item)):
        # What breaks before it says what it tries counts, too.
        tell(item.stash.get(ATTEMPT, None) or Attempt(number, database_of(item)), item.name, item.stash[OUTCOME])
    return report


def ended_so_far(before: str, when: str, outcome: str) -> str:
    """How an attempt has ended, `before` this part of its test. What fails afterwards counts: a browser's complaint."""
    return outcome if when == "call" or outcome != "passed" else before


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With rows only these; and with a report nothing that is no attempt, the longest first.

    A long one that begins last keeps one core busy and leaves the other idle.
    """
    if REPORT:
        items[:] = sorted((item for item in items if is_asked_for(item)), key=minutes_of, reverse=True)


def is_asked_for(item: pytest.Item) -> bool:
    number = number_of(item)
    return number > 0 and (not ROWS or number in ROWS) and (not BESIDE or beside_of(item) == BESIDE)


def number_of(item: pytest.Item) -> int:
    marker = item.get_closest_marker("promise")
    return marker.args[0] if marker else 0


def minutes_of(item: pytest.Item) -> float:
    """About how long it takes, as its mark says: `promise(16, minutes=15)`; 0 for the many that are short."""
    marker = item.get_closest_marker("promise")
    return marker.kwargs.get("minutes", 0) if marker else 0


def beside_of(item: pytest.Item) -> Beside:
    marker = item.get_closest_marker("promise")
    beside: Beside = marker.kwargs.get("beside", "anything") if marker else "anything"
    if beside not in get_args(Beside):
        raise pytest.UsageError(f"{item.nodeid}: nothing is tried beside {beside!r}")
    return beside


def database_of(item: pytest.Item) -> str:
    """The one that a test is on: its own, or that of this run of the tests."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return given.get("live_site") or given.get("sites") or ("SQLite" if connection.vendor == "sqlite" else "PostgreSQL")


@pytest.fixture
def attempt(request: pytest.FixtureRequest) -> Attempt:
    """What a test marked `promise(number)` tries, and says in the report."""
    tried = Attempt(number_of(request.node), database_of(request.node))
    request.node.stash[ATTEMPT] = tried
    return tried


def tell(tried: Attempt, test: str, ended: str) -> None:
    """Write into the report how an attempt ended; one that was skipped had nothing to try."""
    if not REPORT or ended == "skipped":
        return
    line = {
        "number": tried.number, "database": tried.database, "test": test, "kept": ended == "passed",
        "seen": tried.seen, "counted": tried.counted,
    }  # fmt: skip
    with Path(REPORT).open("a") as report:
        report.write(json.dumps(line) + "\n")


class ForkingSite(LiveSite):
    """A site on SQLite whose modules and scripts run in a fork of this process, where Django is loaded already.

    They have the settings of the tests, but for the database.
    """

    def __init__(self, var: Path, blocker: DjangoDbBlocker, **environment: str) -> None:
        super().__init__(var, **environment)
        self.blocker = blocker

    def run(self, *command: str, **more: Any) -> str:
        if command[0] not in ("-m", "-c"):
            return super().run(*command, **more)
        fork = multiprocessing.get_context("fork")
        here, there = fork.Pipe(duplex=False)
        process = fork.Process(target=self.tell, args=(command, there))
        process.start()
        there.close()
        try:
            output: str = here.recv()
        except EOFError:
            raise RuntimeError(f"{command} broke") from None
        finally:
            process.join()
        return output

    def tell(self, command: tuple[str, ...], there: Connection) -> None:
        """Run a module or a script on the database of the site, and send what it prints."""
        # That of the tests stays as it is: SQLite wants no process to touch what another has opened.
        self.left_alone, connection.connection = connection.connection, None
        connection.settings_dict["NAME"] = str(self.database)
        sys.argv = list(command[1:])
        # The module may have been imported here before.
        warnings.simplefilter("ignore", RuntimeWarning)
        with self.blocker.unblock(), redirect_stdout(io.StringIO()) as printed:
            if command[0] == "-c":
                exec(command[1], {"__name__": "__main__"})
            else:
                runpy.run_module(command[1], run_name="__main__")
            connection.close()
        there.send(printed.getvalue())
        there.close()
        os._exit(0)

    @property
    def database(self) -> Path:
        address = self.environment.get("DATABASE_URL", "")
        return Path(address.removeprefix("sqlite:///")) if address else self.var / DATABASE


@pytest.fixture(scope="session")
def ready_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that was opened once, made once for all processes of the tests: others begin with a copy."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "ready"
    with folder.with_name("ready.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            begun = folder.with_name("getting-ready")
            with LiveSite(begun) as site:
                site.close()
            begun.rename(folder)
    return folder


@dataclass
class Live:
    """A site in processes of its own, not open yet, and the cluster of its database, if that is PostgreSQL."""

    site: LiveSite
    cluster: Cluster | None = None


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.thorough)])
def live_site(
    request: pytest.FixtureRequest, tmp_path: Path, ready_folder: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[Live]:
    """A site on each database in turn; it is closed at the end."""
    shutil.copytree(ready_folder, tmp_path / "var")
    if request.param == "SQLite":
        var = tmp_path / "var"
        site = LiveSite(var) if REPORT else ForkingSite(var, django_db_blocker)
        try:
            yield Live(site)
        finally:
            site.close()
    else:
        with temporary_cluster() as cluster:
            other = LiveSite(tmp_path / "var", DATABASE_URL=cluster.address)
            try:
                yield Live(other, cluster)
            finally:
                other.close()
