"""What was acknowledged is kept, whenever the site is killed: nothing is missing, nothing is doubled."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.clusters import Cluster, temporary_cluster
from tests.bench.lines import Line
from tests.bench.live_site import LiveSite
from tests.bench.phones import PHONES, Evening, data
from tests.bench.tables import open_tables


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with temporary_cluster() as made:
        yield made


def evening(site: LiveSite, *, kills: int, posts: int, cluster: Cluster | None = None) -> Evening:
    """Post until all is acknowledged, and kill the house so many times meanwhile."""
    site.open()
    try:
        a_game = 24 * 11
        games = -(-posts // (PHONES * a_game))
        told = Evening(site, open_tables(site, PHONES * games, 10), posts)
        for turn in range(kills):
            told.begin()
            # Somewhere in this part of the posts, and at any moment of one.
            target = min(posts * turn + random.randrange(1, posts), posts * kills) / kills
            told.wait_for(target)
            time.sleep(random.random() * 0.02)
            site.kill()
            told.all_have_stopped()
            if cluster and turn % 2:
                cluster.kill()
                cluster.start()
            site.open()
        told.begin()
        told.all_have_stopped(3000)
        assert told.wrong == []
        assert told.waiting == 0
        same_again(site, told)
        return told
    finally:
        site.close()


def same_again(site: LiveSite, told: Evening) -> None:
    """A tap that is sent again gets the same answer as before."""
    line = Line(site.port)
    for posted, answer in random.sample(told.acknowledged, 60):
        again = data(line.ask(posted.said))
        assert {name: again[name] for name in ("wrote", "verb", "when")} == {
            name: answer[name] for name in ("wrote", "verb", "when")
        }
    line.close()


def all_is_kept(site: LiveSite, told: Evening) -> None:
    """Every acknowledged post stands once, in the version it was told, and nothing else does."""
    ledger = json.loads(site.run("-m", "tests.bench.ledger"))
    assert ledger["sound"] == "ok"
    kept = {(code, write[1]): write for code, sheet in ledger["sheets"].items() for write in sheet["writes"]}
    for posted, answer in told.acknowledged:
        version, _, verb, when, entries = kept.pop((posted.table.code, posted.key))
        assert (version, verb, when) == (answer["wrote"], "enter", answer["when"])
        assert entries == [[posted.fields["hand"], posted.fields["ask"], step_of(posted.fields)]]
    assert {write[2] for write in kept.values()} == {"open"}
    for sheet in ledger["sheets"].values():
        assert [write[0] for write in sheet["writes"]] == list(range(1, sheet["version"] + 1))


def step_of(fields: dict[str, object]) -> dict[str, object]:
    return {name.removeprefix("f-"): value for name, value in fields.items() if name.startswith("f-")}


@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(300)
def test_site_that_is_killed_three_times_has_kept_what_it_acknowledged(tmp_path: Path) -> None:
    site = LiveSite(tmp_path / "var")
    told = evening(site, kills=3, posts=300)
    assert len(told.acknowledged) >= 300
    all_is_kept(site, told)


@pytest.mark.sqlite
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_site_that_is_killed_fifty_times_has_kept_twenty_thousand_posts(tmp_path: Path) -> None:
    site = LiveSite(tmp_path / "var")
    told = evening(site, kills=50, posts=20_000)
    assert len(told.acknowledged) >= 20_000
    assert any(phone.sent_again for phone in told.phones)
    all_is_kept(site, told)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_site_on_postgresql_that_is_killed_fifty_times_with_its_database_has_kept_them_too(
    tmp_path: Path, cluster: Cluster
) -> None:
    site = LiveSite(tmp_path / "var", DATABASE_URL=cluster.address)
    told = evening(site, kills=50, posts=20_000, cluster=cluster)
    assert len(told.acknowledged) >= 20_000
    all_is_kept(site, told)
