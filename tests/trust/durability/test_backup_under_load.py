"""A backup that is made while everybody posts is the state of its moment, here and on an empty machine."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.bench.clusters import temporary_cluster
from tests.bench.ledger import Ledger
from tests.bench.lines import Line, get
from tests.bench.live_site import LiveSite
from tests.bench.night import Night, count_of, open_night
from tests.bench.phones import PHONES, Evening, Phone, Posted, data, text
from tests.bench.tables import Table, open_tables
from tests.trust.attempts import Attempt, Live
from tests.trust.durability.every_table import Rows
from tests.trust.durability.test_kill import counted, ledger_of

EVERY_TABLE = ("-m", "tests.trust.durability.every_table")


def backup_of(live: Live) -> tuple[str, Rows]:
    """The file of a backup, made as README says while the site is open, and the rows of that moment."""
    if live.cluster:
        file = str(live.cluster.folder / "cards.dump")
        with psycopg.connect(live.cluster.address) as moment:
            moment.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            (snapshot,) = moment.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
            options = ("--snapshot", snapshot, "--format=custom", "--file", file, "--dbname", live.cluster.uri)
            live.cluster.run("pg_dump", *options)
            return file, rows_of(live.site, snapshot)
    found = re.search(r"\S+\.sqlite3", live.site.run("manage.py", "backup"))
    assert found
    # To look at it changes the file.
    copy = shutil.copy(found[0], live.site.var / "looked-at.sqlite3")
    return found[0], rows_of(LiveSite(live.site.var, DATABASE_URL=f"sqlite:///{copy}"))


def rows_of(site: LiveSite, snapshot: str = "") -> Rows:
    """A hash of each row of every table, as they are now or at the moment of a snapshot."""
    told: Rows = json.loads(site.run(*EVERY_TABLE, *([snapshot] if snapshot else [])))
    assert len(told) > 50
    return told


@contextmanager
def empty_machine(live: Live, file: str, folder: Path) -> Iterator[LiveSite]:
    """A site on a machine that had nothing, on which the backup was restored as README says."""
    if live.cluster is None:
        site = LiveSite(folder / "empty")
        site.run("manage.py", "restore", file)
        yield site
        return
    with temporary_cluster() as cluster:
        options = ("--clean", "--if-exists", "--single-transaction", "--dbname", cluster.uri)
        cluster.run("pg_restore", *options, file)
        yield LiveSite(folder / "empty", DATABASE_URL=cluster.address)


def phones_of(night: Night) -> list[Phone]:
    """Those of the tables of a club, which play their last hand; every other waits with the end of it."""
    phones = []
    for number, table in enumerate(night.tables):
        phone = Phone([], 0, last=3 if number % 2 else 0)
        known = Table(table.code, table.watch, table.cookie, [], 0, [])
        phone.waiting.extend(Posted(known, step) for step in table.steps)
        phones.append(phone)
    return phones


def cut_to(whole: Ledger, versions: dict[str, int]) -> dict[str, list[object]]:
    """What was written on each sheet up to a version."""
    return {code: whole["sheets"][code]["writes"][:version] for code, version in versions.items()}


@pytest.mark.promise(12)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(600)
def test_backup_under_load_is_the_state_of_its_moment_on_an_empty_machine(
    live_site: Live, attempt: Attempt, tmp_path: Path
) -> None:
    """Phones then send there what the backup lacks, and all of it again: the sheets are as they were."""
    posts, site = PHONES * attempt.size(30, 250), live_site.site
    site.open()
    night = open_night(site, "thursday", games=attempt.size(8, 400), tables=attempt.size(2, 8))
    told = Evening(site, open_tables(site, PHONES, 10), posts, last=10)
    told.phones += phones_of(night)
    told.begin()
    told.wait_for(posts / 3)
    before = {posted.key for posted, _ in told.acknowledged}
    file, moment = backup_of(live_site)
    after = {posted.key for phone in told.phones for posted in list(phone.waiting)[1:]}
    told.go_on()
    told.all_have_stopped()
    assert told.wrong == []
    assert after
    counted(site, night)
    whole = ledger_of(site)
    with empty_machine(live_site, file, tmp_path) as other:
        assert differing(rows_of(other), moment) == {}
        restored = ledger_of(other)
        assert restored["sound"] == "ok"
        versions = {code: sheet["version"] for code, sheet in restored["sheets"].items()}
        written = {code: sheet["writes"] for code, sheet in restored["sheets"].items()}
        assert written == cut_to(whole, versions)
        keys = {write[1] for writes in written.values() for write in writes}
        assert before <= keys
        assert not after & keys
        with other:
            line = Line(other.port)
            again = [line.ask(posted.said).status for posted, _ in told.acknowledged]
            line.close()
            counted(other, night)
            now, results = ledger_of(other), count_of(other, night.slug)
    assert set(again) == {200}
    assert steps_of(now) == steps_of(whole)
    assert (results["differs"], results["placings"]) == (0, night.placings)
    lacking = sum(posted.key not in keys for posted, _ in told.acknowledged)
    attempt.saw(
        f"a backup of {sum(map(len, moment.values())):,} rows in {len(moment)} tables, with a club and {len(keys):,}"
        f" writes, made under {posts:,} posts: on an empty machine each row is as it was then; the {lacking:,} other"
        " writes were sent again, and the results equal a recomputation"
    )


def differing(found: Rows, wanted: Rows) -> dict[str, tuple[int, int]]:
    """The tables whose rows differ: how many rows each has, and should have."""
    return {
        table: (len(found.get(table, {})), len(wanted.get(table, {})))
        for table in found.keys() | wanted.keys() if found.get(table) != wanted.get(table)
    }  # fmt: skip


def steps_of(ledger: Ledger) -> dict[str, list[object]]:
    """What was written on each sheet, in order."""
    return {code: [write[4] for write in sheet["writes"]] for code, sheet in ledger["sheets"].items()}


@pytest.mark.promise(12)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(300)
def test_open_site_goes_on_from_a_backup_that_is_restored(tmp_path: Path, attempt: Attempt) -> None:
    with LiveSite(tmp_path / "var") as site:
        told = Evening(site, open_tables(site, PHONES, 6), posts=100 * PHONES, last=10)
        told.begin()
        told.wait_for(PHONES * 10)
        before = {posted.key for posted, _ in told.acknowledged}
        backup = re.search(r"\S+\.sqlite3", site.run("manage.py", "backup"))
        assert backup
        # The first that waits may be on its way.
        after = {posted.key for phone in told.phones for posted in list(phone.waiting)[1:]}
        told.go_on()
        told.all_have_stopped()
        assert told.wrong == []
        assert before
        assert after

        site.run("manage.py", "restore", backup[0])
        restored = ledger_of(site)
        assert restored["sound"] == "ok"
        keys = {write[1] for sheet in restored["sheets"].values() for write in sheet["writes"]}
        assert before <= keys
        assert not after & keys
        for sheet in restored["sheets"].values():
            assert [write[0] for write in sheet["writes"]] == list(range(1, sheet["version"] + 1))
            assert all(len(write[4]) == 1 for write in sheet["writes"])

        # The open site has noticed, and what the backup does not know is written when it is sent again.
        line = Line(site.port)
        for phone in told.phones[:2]:
            table = phone.acknowledged[0][0].table
            sheet = restored["sheets"][table.code]
            rows = f"/watch/{table.watch}/rows/?v="
            # Who watched the same version before the restore is told what stands now; who has that is told nothing.
            told_anew = line.ask(get(f"{rows}{sheet['version']}"))
            assert told_anew.status == 200
            assert f'{rows}{sheet["edition"]}"' in text(told_anew)
            assert line.ask(get(f"{rows}{sheet['edition']}")).status == 204
            for posted, answer in phone.acknowledged:
                assert data(line.ask(posted.said))["wrote"] == answer["wrote"]
        line.close()
        now = ledger_of(site)["sheets"]
        assert [now[phone.acknowledged[0][0].table.code]["version"] for phone in told.phones[:2]] == [101, 101]
    attempt.saw("an old backup restored under the open site: phones sent the rest again")
