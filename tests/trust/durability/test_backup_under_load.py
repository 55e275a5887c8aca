"""A backup that is made while everybody posts is the state of its moment, here and on an empty machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bench.clusters import temporary_cluster
from tests.bench.ledger import Ledger
from tests.bench.lines import Line, get
from tests.bench.live_site import LiveSite
from tests.bench.phones import PHONES, Evening, data, text
from tests.bench.tables import open_tables
from tests.trust.attempts import Attempt, Live
from tests.trust.durability.test_kill import ledger_of


def backup_of(live: Live) -> str:
    """The file of a backup, made as README says while the site is open."""
    if live.cluster:
        file = str(live.cluster.folder / "cards.dump")
        live.cluster.run("pg_dump", "--format=custom", "--file", file, "--dbname", live.cluster.uri)
        return file
    found = re.search(r"\S+\.sqlite3", live.site.run("manage.py", "backup"))
    assert found
    return found[0]


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
    told = Evening(site, open_tables(site, PHONES, 10), posts, last=10)
    told.begin()
    told.wait_for(posts / 3)
    before = {posted.key for posted, _ in told.acknowledged}
    file = backup_of(live_site)
    after = {posted.key for phone in told.phones for posted in list(phone.waiting)[1:]}
    told.go_on()
    told.all_have_stopped()
    assert told.wrong == []
    assert after
    whole = ledger_of(site)
    with empty_machine(live_site, file, tmp_path) as other:
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
            now = ledger_of(other)
    assert set(again) == {200}
    assert {code: [write[4] for write in sheet["writes"]] for code, sheet in now["sheets"].items()} == {
        code: [write[4] for write in sheet["writes"]] for code, sheet in whole["sheets"].items()
    }
    lacking = sum(posted.key not in keys for posted, _ in told.acknowledged)
    attempt.saw(
        f"a backup of {len(keys):,} writes, made under {posts:,} posts, is the state of its moment on an empty machine;"
        f" the {lacking:,} others were sent again"
    )


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
