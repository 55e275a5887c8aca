"""Two sites before one database: what one has answered the other shows at once, and one may be killed."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path

import pytest
from pytest_django import DjangoDbBlocker

from tests.bench.clusters import temporary_cluster
from tests.bench.lines import CutOff, Line, get
from tests.bench.live_site import LiveSite
from tests.bench.phones import Posted, data, text
from tests.bench.tables import HANDS, Table, open_tables
from tests.trust.attempts import DATABASE, REPORT, Attempt, ForkingSite

PLAYERS = 6
SHOWN = re.compile(r"\?v=([\w.-]+)")


@pytest.fixture(params=["SQLite", pytest.param("PostgreSQL", marks=pytest.mark.thorough)])
def sites(
    request: pytest.FixtureRequest, tmp_path: Path, ready_folder: Path, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[LiveSite, LiveSite]]:
    """Two sites with one secret and one database, each in a folder of its own."""
    given = {"SECRET_KEY": "the same for both " * 4} | ({} if REPORT else {"WORKERS": "1"})
    for name in ("one", "other"):
        shutil.copytree(ready_folder, tmp_path / name)
    with ExitStack() as stack:
        if request.param == "SQLite":
            given["DATABASE_URL"] = f"sqlite:///{tmp_path / 'one' / DATABASE}"
            both = [ForkingSite(tmp_path / name, django_db_blocker, **given) for name in ("one", "other")]
        else:
            given["DATABASE_URL"] = stack.enter_context(temporary_cluster()).address
            both = [LiveSite(tmp_path / name, **given) for name in ("one", "other")]
        for site in both:
            stack.callback(site.close)
            site.open()
        yield both[0], both[1]


def is_shown_by(line: Line, table: Table, wrote: int) -> bool:
    """Whether who watches at this site the version before is shown what was written, and then nothing more."""
    rows = f"/watch/{table.watch}/rows/?v="
    answer = line.ask(get(f"{rows}{wrote - 1}"))
    if answer.status not in (200, 286):
        return False
    found = SHOWN.search(text(answer))
    # Who has seen the end polls no more.
    return answer.status == 286 or (found is not None and line.ask(get(f"{rows}{found[1]}")).status == 204)


@pytest.mark.promise(17)
@pytest.mark.sqlite
@pytest.mark.timeout(3600)
def test_what_one_site_has_answered_the_other_shows(sites: tuple[LiveSite, LiveSite], attempt: Attempt) -> None:
    times = attempt.size(14, 10_000)
    a_game = HANDS * (PLAYERS + 1)
    tables = open_tables(sites[0], -(-times // a_game), PLAYERS)
    posts = [Posted(table, step) for table in tables for step in table.game()][:times]
    lines = [Line(site.port) for site in sites]
    stale = []
    for posted in posts:
        here = random.randrange(2)
        answer = lines[here].ask(posted.said)
        assert answer.status == 200, answer.body
        if not is_shown_by(lines[1 - here], posted.table, data(answer)["wrote"]):
            stale.append(posted.key)
    for line in lines:
        line.close()
    assert stale == []
    attempt.saw(f"{times:,} times written through one and read through the other: never stale")


@pytest.mark.promise(17)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(3600)
def test_when_one_site_is_killed_the_other_goes_on_and_nothing_is_lost(
    sites: tuple[LiveSite, LiveSite], attempt: Attempt
) -> None:
    kills = attempt.size(2, 30)
    one, other = sites
    tables = open_tables(other, -(-kills // HANDS), PLAYERS)
    steps = islice(((table, number) for table in tables for number in range(1, HANDS + 1)), kills)
    told: dict[str, int] = {}
    for table, number in steps:
        hand = [Posted(table, step) for step in table.steps(number)]
        at = random.randrange(len(hand))
        for posted in hand[:at]:
            told[posted.key] = wrote(one, posted)
        lost_or_told(one, hand[at], told)
        for posted in hand[at:]:
            told[posted.key] = wrote(other, posted)
        one.open()
    ledger = json.loads(other.run("-m", "tests.bench.ledger"))
    kept = {write[1]: write[0] for sheet in ledger["sheets"].values() for write in sheet["writes"]}
    assert {key: kept.get(key) for key in told} == told
    attempt.saw(f"{kills} times one killed under a post: the other went on, {len(told)} posts kept once")


def wrote(site: LiveSite, posted: Posted) -> int:
    """The version in which it stands."""
    with closing(Line(site.port)) as line:
        answer = line.ask(posted.said)
    assert answer.status == 200, answer.body
    return int(data(answer)["wrote"])


def lost_or_told(site: LiveSite, posted: Posted, told: dict[str, int]) -> None:
    """A post under which the site is killed."""
    line = Line(site.port)
    line.send(posted.said)
    site.kill()
    try:
        while not (answer := line.receive()):
            pass
        told[posted.key] = int(data(answer)["wrote"])
    except (OSError, CutOff):
        pass
    line.close()
