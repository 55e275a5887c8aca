"""What attempts at a promise share: how much they try, the site they try it on, and where they say what they saw.

A plugin of all tests (`tests/conftest.py`): an attempt stands where its subject is tested.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from django.db import connection

from tests.bench.clusters import Cluster, temporary_cluster
from tests.bench.live_site import LiveSite

#: Where `make trust` reads what was seen: with it all is tried in full, without it a little.
REPORT = os.environ.get("TRUST_REPORT", "")
#: The only rows that are tried, by number; none: all.
ROWS = [int(row) for row in os.environ.get("TRUST_ROWS", "").split()]

#: The databases of a site of its own; `make trust` tries both at once where that is allowed (`--dist loadgroup`).
SQLITE, POSTGRESQL = (pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ("SQLite", "PostgreSQL"))
#: Of an attempt that has little to do with the database: on PostgreSQL only `make trust` tries it.
POSTGRESQL_IN_FULL = pytest.mark.parametrize(
    "live_site", [SQLITE, pytest.param(*POSTGRESQL.values, marks=[*POSTGRESQL.marks, pytest.mark.long])], indirect=True
)

#: How an attempt ended: "passed", "failed" or "skipped".
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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report = yield
    if report.when == "call":
        item.stash[OUTCOME] = report.outcome
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With rows only these; and with a report nothing that is no attempt."""
    if REPORT:
        items[:] = [item for item in items if (found := number_of(item)) and (not ROWS or found in ROWS)]


def number_of(item: pytest.Item) -> int:
    marker = item.get_closest_marker("promise")
    return marker.args[0] if marker else 0


def database() -> str:
    """The one that this run of the tests is on."""
    return "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"


@pytest.fixture
def attempt(request: pytest.FixtureRequest) -> Iterator[Attempt]:
    """What a test marked `promise(number)` tries, and says in the report."""
    live = getattr(request.node, "callspec", None) and request.node.callspec.params.get("live_site")
    tried = Attempt(number_of(request.node), live or database())
    yield tried
    tell(tried, request.node.name, request.node.stash.get(OUTCOME, "failed"))


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


@dataclass
class Live:
    """A site in processes of its own, not open yet, and the cluster of its database, if that is PostgreSQL."""

    site: LiveSite
    cluster: Cluster | None = None


@pytest.fixture(params=[SQLITE, pytest.param(*POSTGRESQL.values, marks=[*POSTGRESQL.marks, pytest.mark.thorough])])
def live_site(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Live]:
    """A site on each database in turn; it is closed at the end."""
    if request.param == "SQLite":
        site = LiveSite(tmp_path / "var")
        try:
            yield Live(site)
        finally:
            site.close()
    else:
        with temporary_cluster() as cluster:
            site = LiveSite(tmp_path / "var", DATABASE_URL=cluster.address)
            try:
                yield Live(site, cluster)
            finally:
                site.close()
