"""The power fails at any moment: what was acknowledged is on the disk, and the database is sound."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from clubs.site.database_move import database_at
from tests.bench.lines import Line
from tests.bench.live_site import LiveSite
from tests.bench.phones import PHONES, Posted
from tests.bench.tables import open_tables
from tests.clubs.site.test_upgrade import DUMP
from tests.trust.attempts import DATABASE, Attempt
from tests.trust.durability.disk import Call, Disk, cuts, recorded
from tests.trust.durability.test_killed_migration import looks
from tests.trust.durability.tracer import recording
from tests.trust.durability.versions import Look, look, step_of

KEYS = "SELECT key FROM scoresheets_revision WHERE verb = 'enter'"
#: Writes numbers and says of each that it is kept, without waiting for the disk as the site does.
CARELESS = """
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode=WAL")
database.execute("PRAGMA synchronous=" + sys.argv[2])
database.execute("CREATE TABLE kept (number)")
for number in range(60):
    database.execute("INSERT INTO kept VALUES (?)", [number])
    print(time.time(), number, flush=True)
"""

#: Opens a sheet and writes on it, as the site does, and says of each write when it was kept.
ONE_PHONE = """
import django, time
django.setup()
from scoresheets.models import Revision
from tests.factories import scorer, sure_of
phone = scorer(4)
order = phone.reading.sheet.open.hand.order
for write in (lambda: phone.bid(order[0], 0), phone.undo) * {rounds}:
    sure_of(write())
    print(time.time(), Revision.objects.latest("pk").key, flush=True)
"""
KEYS_OF_ALL = "SELECT key FROM scoresheets_revision"


class Witness:
    """A phone that notes when each of its posts was acknowledged."""

    def __init__(self, posts: list[Posted]) -> None:
        self.posts = posts
        self.acknowledged: list[tuple[float, str]] = []

    def send_all(self, site: LiveSite) -> None:
        with closing(Line(site.port)) as line:
            for posted in self.posts:
                answer = line.ask(posted.said)
                assert answer.status == 200, answer.body
                self.acknowledged.append((time.time(), posted.key))


def posted_to(site: LiveSite, posts: int) -> list[tuple[float, str]]:
    """Eight phones post so much in all: the moment and the key of each acknowledged post."""
    tables = open_tables(site, PHONES, 10)
    phones = [
        Witness([post for _, post in zip(range(posts // PHONES), all_posts, strict=False)])
        for all_posts in ((Posted(table, step) for step in table.game()) for table in tables)
    ]
    threads = [threading.Thread(target=phone.send_all, args=[site], daemon=True) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(1200)
    acknowledged = sorted(told for phone in phones for told in phone.acknowledged)
    assert len(acknowledged) == posts // PHONES * PHONES
    return acknowledged


def lost_in(database: Path, question: str, acknowledged: set[str]) -> list[str]:
    """What is wrong in a database after a power cut: that it is corrupt, and everything that is missing or doubled."""
    with closing(sqlite3.connect(database)) as opened:
        try:
            sound = opened.execute("PRAGMA integrity_check").fetchone()[0]
            kept = [str(key) for (key,) in opened.execute(question)] if acknowledged else []
        except sqlite3.DatabaseError as error:
            return [f"{error}"]
    missing = sorted(acknowledged - set(kept))
    return [*([] if sound == "ok" else [sound]), *missing, *(["doubled"] if len(set(kept)) < len(kept) else [])]


@pytest.mark.promise(2, minutes=6)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(7200)
def test_power_cut_loses_nothing_that_was_acknowledged(tmp_path: Path, attempt: Attempt) -> None:
    """From the first start in an empty folder on, with the checkpoints between the posts."""
    posts, number = attempt.size(160, 1_600), attempt.size(30, 1_000)
    site = LiveSite(tmp_path / "var")
    disk = Disk(site.var)
    site.under = recording(tmp_path / "calls")
    try:
        site.open()
        acknowledged = posted_to(site, posts)
    finally:
        site.kill()
    calls = calls_to(tmp_path / "calls", site.var)
    checkpoints = sum(call.kind == "sync" and call.path.endswith(DATABASE) for call in calls)
    for moment, folder in cuts(disk, calls, number, tmp_path / "cuts", random.Random(2)):
        assert lost_in(folder / DATABASE, KEYS, {key for at, key in acknowledged if at <= moment}) == [], moment
    assert checkpoints >= attempt.size(1, 5)
    attempt.saw(f"{told(number, calls)}, {posts:,} posts, {checkpoints} checkpoints: nothing lost")


@pytest.mark.thorough
@pytest.mark.promise(2, minutes=6)
@pytest.mark.sqlite
@pytest.mark.timeout(600)
def test_power_cut_loses_nothing_that_one_process_has_written(
    tmp_path: Path, ready_folder: Path, attempt: Attempt
) -> None:
    """The same without a server, in a folder that has its tables."""
    rounds, number = attempt.size(5, 100), attempt.size(10, 200)
    site = LiveSite(tmp_path / "var")
    site.var.mkdir()
    shutil.copy(ready_folder / DATABASE, site.var)
    disk = Disk(site.var)
    site.under = recording(tmp_path / "calls")
    lines = site.run("-c", ONE_PHONE.format(rounds=rounds)).splitlines()
    acknowledged = [(float(line.split()[0]), line.split()[1]) for line in lines]
    calls = calls_to(tmp_path / "calls", site.var)
    for moment, folder in cuts(disk, calls, number, tmp_path / "cuts", random.Random(2)):
        assert lost_in(folder / DATABASE, KEYS_OF_ALL, {key for at, key in acknowledged if at <= moment}) == [], moment
    assert len(acknowledged) == 2 * rounds
    attempt.saw(f"{told(number, calls)} of one process, {len(acknowledged):,} writes: nothing lost")


def calls_to(folder: Path, var: Path) -> list[Call]:
    """What was done to the database of a site. The index of its log is made anew after a power cut."""
    names = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-journal")
    return [call for call in recorded(folder, var) if Path(call.path).name in names]


def told(number: int, calls: Sequence[Call]) -> str:
    return f"{number:,} cuts in {len(calls):,} writes and syncs"


@pytest.mark.promise(2, minutes=6)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(7200)
def test_power_cut_in_an_upgrade_leaves_old_or_new(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker, attempt: Attempt
) -> None:
    """The upgrade of an old database can be cut anywhere: each row of each table is as after one of the steps.

    The next run finishes it.
    """
    number, again = attempt.size(8, 300), attempt.size(1, 60)
    steps = looks(old_site(tmp_path / "steps"), "forward")
    site = old_site(tmp_path / "var")
    disk = Disk(site.var)
    site.under = recording(tmp_path / "calls")
    site.run("manage.py", "migrate", "--verbosity", "0")
    calls, found = calls_to(tmp_path / "calls", site.var), set[int]()
    with django_db_blocker.unblock():
        for count, (moment, folder) in enumerate(cuts(disk, calls, number, tmp_path / "cuts", random.Random(2))):
            assert lost_in(folder / DATABASE, KEYS, set()) == [], moment
            found.add(step_found(folder / DATABASE, steps))
            if count % (number // again) == 0:
                LiveSite(folder).run("manage.py", "migrate", "--verbosity", "0")
                assert step_found(folder / DATABASE, steps) == len(steps) - 1, moment
    attempt.saw(
        f"{told(number, calls)} of an upgrade of {len(steps) - 2} steps, found after {len(found)} of them: always one"
        f" of these with each row, and {again} runs after a cut finished it"
    )


def old_site(var: Path) -> LiveSite:
    """One whose database is of the release of 2026-11-22."""
    var.mkdir()
    with closing(sqlite3.connect(var / DATABASE)) as database:
        database.executescript(DUMP.read_text(encoding="utf-8"))
    return LiveSite(var)


def step_found(database: Path, steps: list[Look]) -> int:
    """The number of the step of an upgrade after which a database is."""
    with database_at(f"sqlite:///{database}", alias="cut") as connection:
        return step_of(steps, look(connection))


@pytest.mark.parametrize("synchronous", ["FULL", "OFF"])
@pytest.mark.thorough
@pytest.mark.sqlite
def test_replay_loses_only_what_was_not_synced(tmp_path: Path, synchronous: str) -> None:
    """The replay would notice: a program that does not wait for the disk loses what it called kept."""
    (tmp_path / "var").mkdir()
    database, disk = tmp_path / "var" / "careless.sqlite3", Disk(tmp_path / "var")
    command = [*recording(tmp_path / "calls"), sys.executable, "-c", CARELESS, str(database), synchronous]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    acknowledged = [(float(line.split()[0]), line.split()[1]) for line in told]
    assert len(acknowledged) == 60
    calls = [call for call in recorded(tmp_path / "calls", tmp_path / "var") if "shm" not in call.path]
    lost = [
        lost_in(folder / database.name, "SELECT number FROM kept", {key for at, key in acknowledged if at <= moment})
        for moment, folder in cuts(disk, calls, 60, tmp_path / "cuts", random.Random(1))
    ]
    assert any(lost) == (synchronous == "OFF")
