"""The power fails under PostgreSQL: as it starts again it repairs what is left, and nothing acknowledged is lost."""

from __future__ import annotations

import random
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from pytest_django import DjangoDbBlocker

from clubs.site.database_move import database_at
from tests.bench.clusters import Cluster, temporary_folder
from tests.bench.live_site import LiveSite
from tests.trust.attempts import Attempt, Live
from tests.trust.durability.disk import Disk, cuts, recorded
from tests.trust.durability.test_killed_migration import OldDatabase, upgrade
from tests.trust.durability.test_power_cut import KEYS, posted_to, told
from tests.trust.durability.tracer import recording
from tests.trust.durability.versions import Look, NoStep, look, step_of

pytestmark = [pytest.mark.promise(2, minutes=6), pytest.mark.thorough, pytest.mark.sqlite, pytest.mark.timeout(7200)]

EVERY_INDEX = """
SELECT bt_index_check(index.oid::regclass, true) FROM pg_class AS index JOIN pg_am ON pg_am.oid = index.relam
WHERE pg_am.amname = 'btree' AND index.relkind = 'i' AND index.relpersistence = 'p'
"""

#: What is wrong with a cluster that has repaired itself, besides what it finds itself.
Inspect = Callable[[Cluster], list[str]]


def test_power_cut_under_postgresql_loses_nothing_that_was_acknowledged(tmp_path: Path, attempt: Attempt) -> None:
    """The whole folder of its data is replayed, and PostgreSQL repairs it as it starts."""
    attempt.database = "PostgreSQL"
    posts, number = attempt.size(80, 1_600), attempt.size(3, 750)
    with temporary_folder() as folder, temporary_folder(in_memory=True) as memory:
        cluster = Cluster(folder / "cluster")
        disk = Disk(cluster.data)
        cluster.under = recording(tmp_path / "calls", "-D")
        cluster.start()
        site = LiveSite(tmp_path / "var", DATABASE_URL=cluster.address)
        try:
            site.open()
            with checkpoints_of(cluster) as made:
                acknowledged = posted_to(site, posts)
        finally:
            site.kill()
            cluster.kill()
        calls = recorded(tmp_path / "calls", cluster.data)
        wrong = []
        for moment, left in cuts(disk, calls, number, memory / "cuts", random.Random(2)):
            before = {key for at, key in acknowledged if at <= moment}
            lost = wrong_with(left, memory / "again", lambda cluster, before=before: lost_in(cluster, before))
            wrong += [f"{moment}: {lost[:3]}"] if lost else []
    assert wrong == []
    attempt.saw(f"{told(number, calls)}, {posts:,} posts, {len(made)} checkpoints: nothing lost")


@contextmanager
def checkpoints_of(cluster: Cluster) -> Iterator[list[float]]:
    """Every second PostgreSQL writes all that is only in its log and its memory into its tables."""
    end, made = threading.Event(), list[float]()

    def go_on() -> None:
        with psycopg.connect(cluster.address, autocommit=True) as connection:
            while not end.wait(1):
                connection.execute("CHECKPOINT")
                made.append(time.time())

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        end.set()
        thread.join(60)


def lost_in(cluster: Cluster, acknowledged: set[str]) -> list[str]:
    """What is missing or doubled."""
    with psycopg.connect(cluster.address) as connection:
        is_there = connection.execute("SELECT to_regclass('scoresheets_revision')").fetchone()
        kept = [key for (key,) in connection.execute(KEYS)] if is_there and is_there[0] else []
    return [*sorted(acknowledged - set(kept)), *(["doubled"] if len(set(kept)) < len(kept) else [])]


def wrong_with(left: Path, home: Path, inspect: Inspect) -> list[str]:
    """What is wrong after a power cut: what PostgreSQL finds in its indexes, and what else is looked for."""
    home.mkdir()
    left.rename(home / "data")
    (home / "data" / "postmaster.pid").unlink(missing_ok=True)
    cluster = Cluster(home)
    # The power is not cut once more.
    cluster.settings = ("fsync=off", "autovacuum=off", "shared_buffers=16MB")
    cluster.give_to_owner(home, *home.rglob("*"))
    (home / "data").chmod(0o700)
    try:
        cluster.start()
        with psycopg.connect(cluster.address) as connection:
            connection.execute("CREATE EXTENSION amcheck")
            connection.execute(EVERY_INDEX)
            connection.rollback()
        return inspect(cluster)
    except (subprocess.CalledProcessError, psycopg.Error, NoStep) as error:
        return [f"{error} {(home / 'log').read_text()[-2000:]}"]
    finally:
        cluster.stop()
        shutil.rmtree(home)


def test_power_cut_in_an_upgrade_on_postgresql_leaves_old_or_new(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, attempt: Attempt
) -> None:
    """The upgrade of a club with some games can be cut anywhere, and the next run of it finishes."""
    attempt.database = "PostgreSQL"
    number, again = attempt.size(2, 250), attempt.size(1, 25)
    with temporary_folder() as folder, temporary_folder(in_memory=True) as memory, django_db_blocker.unblock():
        cluster = Cluster(folder / "cluster")
        site = LiveSite(tmp_path / "var", DATABASE_URL=cluster.address)
        steps = old_database(cluster, site)
        disk = Disk(cluster.data)
        cluster.under = recording(tmp_path / "calls", "-D")
        cluster.start()
        upgrade(site)
        cluster.kill()
        calls = recorded(tmp_path / "calls", cluster.data)
        wrong, between = [], set[int]()
        for count, (moment, left) in enumerate(cuts(disk, calls, number, memory / "cuts", random.Random(2))):
            finishes = count % (number // again) == 0

            def inspect(cluster: Cluster, finishes: bool = finishes) -> list[str]:
                return wrong_in_upgrade(cluster, tmp_path / "var", steps, between, finishes=finishes)

            found = wrong_with(left, memory / "again", inspect)
            wrong += [f"{moment}: {found[:3]}"] if found else []
    assert wrong == []
    attempt.saw(
        f"{told(number, calls)} of an upgrade of {len(steps) - 2} steps, found after {len(between)} of them: always one"
        f" of these, and {again} runs after a cut finished it"
    )


def old_database(cluster: Cluster, site: LiveSite) -> list[Look]:
    """Make a cluster with the tables of an earlier version, and stop it: what it has before and after each step."""
    cluster.start()
    site.var.mkdir()
    old = OldDatabase(Live(site, cluster), 10)
    old.copied()
    old.forget()
    cluster.stop("fast")
    return old.steps


def wrong_in_upgrade(cluster: Cluster, var: Path, steps: list[Look], between: set[int], *, finishes: bool) -> list[str]:
    """What is neither as before nor as after any of the steps; `between` gets the number of the step."""
    between.add(step_found(cluster, steps))
    if finishes:
        upgrade(LiveSite(var, DATABASE_URL=cluster.address))
        return [] if step_found(cluster, steps) == len(steps) - 1 else ["not finished"]
    return []


def step_found(cluster: Cluster, steps: list[Look]) -> int:
    with database_at(cluster.address, alias="cut") as connection:
        return step_of(steps, look(connection))
