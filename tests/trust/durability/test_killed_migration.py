"""An upgrade that is killed at any moment leaves the old or the new, and the next run finishes it."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests.bench.live_site import PROJECT, LiveSite
from tests.trust.attempts import DATABASE, POSTGRESQL_IN_FULL, Attempt, Live
from tests.trust.durability.versions import Look, differences, lost, step_of

pytestmark = [pytest.mark.promise(13), pytest.mark.sqlite]


def looks(site: LiveSite, what: str) -> list[Look]:
    """What is in the database: before and after it goes `back`, after each step `forward`, or as it is for a `look`."""
    told: list[Look] = json.loads(site.run("-m", "tests.trust.durability.versions", what))
    return told


def upgrade(site: LiveSite, *, kill_after: float | None = None) -> bool:
    """Run `manage.py migrate`, and kill it after so many seconds. Whether it was killed before its end."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    process = subprocess.Popen(command, cwd=PROJECT, env=site.environment, stdin=subprocess.DEVNULL)
    try:
        process.wait(kill_after)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait() == -signal.SIGKILL
    assert process.returncode == 0
    return False


class OldDatabase:
    """A database of an earlier version with so many games and all their rows, as often as it is wanted.

    `steps`: what it has before and after each step of the upgrade, and at its end. Each keeps all that it had before.
    """

    def __init__(self, live: Live, games: int) -> None:
        self.live, self.site = live, live.site
        if live.cluster:
            self.site.run("manage.py", "migrate", "--verbosity", "0")
        self.site.run("-m", "tests.bench.kept_games", str(games))
        _, old = looks(self.site, "back")
        self.copied(keep=True)
        self.steps = looks(self.site, "forward")
        assert differences(old, self.steps[0]) == []
        assert [lost(old, step) for step in self.steps] == [[] for _ in self.steps]

    def copied(self, *, keep: bool = False) -> None:
        """Let the database be as it was kept, or `keep` it."""
        if self.live.cluster:
            copy_database(self.live.cluster.uri, *(("postgres", "kept") if keep else ("kept", "postgres")))
            return
        now, kept = self.site.var / DATABASE, self.site.var / "kept"
        for left in ("-wal", "-shm"):
            Path(f"{now}{left}").unlink(missing_ok=True)
        shutil.copy(*((now, kept) if keep else (kept, now)))

    def step_found(self) -> int:
        """The number of the step after which the database is now: it has all its rows, and nothing of the next one."""
        return step_of(self.steps, *looks(self.site, "look"))

    def told(self) -> str:
        """What it has, in few words."""
        return f"{self.steps[0]['count']:,} rows in {len(self.steps[0]['columns'])} tables"

    def forget(self) -> None:
        """Let there be only one, on PostgreSQL."""
        assert self.live.cluster
        with psycopg.connect(self.live.cluster.uri, autocommit=True) as connection:
            connection.execute("DROP DATABASE kept")


def copy_database(address: str, name: str, to: str) -> None:
    """A copy of a database of a cluster, in the place of another."""
    with psycopg.connect(address.replace("/postgres", "/template1"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {to} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {to} TEMPLATE {name} STRATEGY file_copy")


@pytest.mark.long
@pytest.mark.promise(13, minutes=15)
@pytest.mark.timeout(7200)
def test_upgrade_that_is_killed_leaves_old_or_new_and_the_next_run_finishes(live_site: Live, attempt: Attempt) -> None:
    games, kills, site = attempt.size(100, 10_000), attempt.size(2, 15), live_site.site
    old, between, killed = OldDatabase(live_site, games), 0, 0
    old.copied()
    begin = time.monotonic()
    upgrade(site)
    longest, last = time.monotonic() - begin, len(old.steps) - 1
    while killed < kills:
        old.copied()
        killed += upgrade(site, kill_after=random.uniform(longest / 4, longest))
        between += 0 < old.step_found() < last - 1
        upgrade(site)
        assert old.step_found() == last
    attempt.saw(
        f"{games:,} games, {old.told()}, {kills} kills, {between} of them between two of {last - 1} steps: each row of"
        " old or new, and the next run finished"
    )


@pytest.mark.thorough
@POSTGRESQL_IN_FULL
def test_upgrade_that_is_killed_before_a_statement_leaves_old_or_new(live_site: Live, attempt: Attempt) -> None:
    games, kills, found = 3, attempt.size(1, 10), set[int]()
    old = OldDatabase(live_site, games)
    old.copied()
    statements = migrate(live_site.site)
    for _ in range(kills):
        old.copied()
        with pytest.raises(RuntimeError):
            migrate(live_site.site, killed_before=random.randint(1, statements))
        found.add(old.step_found())
        migrate(live_site.site)
        assert old.step_found() == len(old.steps) - 1
    attempt.saw(
        f"{kills} kills before one of {statements} statements that write, found after {len(found)} of the steps: each"
        " row of old or new"
    )


def migrate(site: LiveSite, *, killed_before: int = 0) -> int:
    """Run the command `migrate`, killed before the statement of that number that writes. How many there were."""
    return int(json.loads(site.run("-m", "tests.trust.durability.versions", "upgrade", str(killed_before))))
