"""One hostile guest: the others keep score as if they were not there, and the owner is told."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress

import pytest

from tests.bench.lines import Line
from tests.bench.live_site import PROJECT, LiveSite
from tests.bench.phones import PHONES, Posted
from tests.bench.report import percentile
from tests.bench.starts import memory_of_site
from tests.bench.tables import Table, open_tables
from tests.trust.attempts import POSTGRESQL_IN_FULL, Attempt, Live
from tests.trust.load.hostile import LONGEST

#: Seconds between two posts of a table.
PACE = 0.25
PLAYERS = 10
#: Sheets that a network may open (`OPEN_SHEETS_PER_HOUR`).
SHEETS_AN_HOUR = 60
#: How much slower posts of others may be, and how much more memory and disk (MiB) the site may take. Of the disk most
#: is the log of the database, which is used again.
MOST_SLOWER, MOST_MEMORY, MOST_DISK = 3.0, 60.0, 64.0
#: So many connections that either worker has more than an address may have, by default.
CROWD = 3_400
MIB = 1024 * 1024
REACHED = """
import django
django.setup()
from django.contrib.auth import get_user_model
from django.test import Client
from scoresheets.models import Sheet
owner = Client()
owner.force_login(get_user_model().objects.create_superuser("owner", "owner@club.example"))
page = owner.get("/owner/", headers={"host": "127.0.0.1"})
said = page.content.decode()
print(Sheet.objects.count(), page.status_code, "new sheets" in said, "open connections" in said)
"""


class Post:
    """The phone of a table, which posts at its pace. `seconds` of each answer."""

    def __init__(self, table: Table) -> None:
        self.posts = (Posted(table, step) for step in table.game())
        self.seconds: list[float] = []
        self.wrong: list[str] = []

    def send_until(self, site: LiveSite, end: float) -> None:
        with closing(Line(site.port)) as line:
            while time.monotonic() < end and (posted := next(self.posts, None)):
                answer = line.ask(posted.said)
                self.seconds.append(answer.seconds)
                if answer.status != 200:
                    self.wrong.append(f"{answer.status}: {answer.body[:200]!r}")
                time.sleep(PACE)


def posts_of_others(site: LiveSite, phones: list[Post], seconds: float) -> float:
    """Milliseconds of the 95th percentile of all posts within so many seconds."""
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=phone.send_until, args=[site, end], daemon=True) for phone in phones]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(seconds + 60)
        assert not thread.is_alive()
    assert [wrong for phone in phones for wrong in phone.wrong] == []
    return percentile([one for phone in phones for one in phone.seconds], 0.95) * 1000


def disk_of(live: Live) -> float:
    """How much (MiB) the files of the site and of its database take, with their logs."""
    folders = [live.site.var, *([live.cluster.folder] if live.cluster else [])]
    sizes = []
    for file in (file for folder in folders for file in folder.rglob("*")):
        # A file of the database may be gone by now.
        with suppress(FileNotFoundError):
            sizes.append(file.stat().st_blocks * 512)
    return sum(sizes) / MIB


def long_sheet(site: LiveSite, table: Table) -> None:
    """Write so much on it that its page is dear."""
    with closing(Line(site.port)) as line:
        for _, step in zip(range(100), table.game(), strict=False):
            assert line.ask(table.enter(step)).status == 200


@pytest.mark.thorough
@POSTGRESQL_IN_FULL
@pytest.mark.promise(11, beside="nothing")
@pytest.mark.sqlite
@pytest.mark.timeout(1200)
def test_hostile_guest_keeps_nobody_from_their_table(live_site: Live, attempt: Attempt) -> None:
    """All limits are those of a new site; in short fewer sheets may be opened."""
    seconds, tables_of_others, site = attempt.size(1, 60), attempt.size(2, PHONES), live_site.site
    wanted, crowd, an_hour = attempt.size(20, 10_000), attempt.size(0, CROWD), attempt.size(5, SHEETS_AN_HOUR)
    if not attempt.whole:
        site.environment["OPEN_SHEETS_PER_HOUR"] = str(an_hour)
    site.open()
    *tables, large = open_tables(site, 2 * tables_of_others + 1, PLAYERS)
    if attempt.whole:
        long_sheet(site, large)
    # The same posts of a game with the guest and without, since some cost more than others.
    phones = [Post(table) for table in tables[:tables_of_others]]
    others = [Post(table) for table in tables[tables_of_others:]]
    alone, memory, disk = posts_of_others(site, phones, seconds), memory_of_site(site), disk_of(live_site)
    command = [sys.executable, "-m", "tests.trust.load.hostile", str(site.port), str(seconds), large.watch]
    guest = subprocess.Popen([*command, str(wanted), str(crowd)], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    with_guest = posts_of_others(site, others, seconds)
    heard = json.loads(guest.communicate(timeout=LONGEST + 120)[0])
    more_memory, more_disk = memory_of_site(site) - memory, disk_of(live_site) - disk
    sheets, *page = site.run("-c", REACHED).split()
    opened, tried = int(sheets) - len(tables) - 1, sum(heard[told] for told in heard if told.startswith("sheet "))
    ended = heard.pop("ended of a crowd", 0)
    attempt.saw(
        f"{sum(heard.values()):,} requests of a guest with 200 connections, {tried:,} sheets tried and {opened} opened:"
        f" p95 of others' posts {alone:.0f} to {with_guest:.0f} ms, memory {more_memory:+.0f} MiB, disk"
        f" {more_disk:+.0f} MiB; of {crowd:,} connections at once {ended:,} were ended"
    )
    assert page == ["200", "True", str(attempt.whole)], heard
    assert opened == an_hour
    assert tried >= wanted
    if attempt.whole:
        assert with_guest <= MOST_SLOWER * alone
        assert more_memory < MOST_MEMORY
        assert more_disk < MOST_DISK
