"""One hostile guest: the others keep score as if they were not there, and the owner is told."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from contextlib import closing

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
#: How much slower posts of others may be, and how much more memory (MiB) the site may take.
MOST_SLOWER, MOST_MEMORY = 3.0, 60.0
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


@POSTGRESQL_IN_FULL
@pytest.mark.promise(11)
@pytest.mark.thorough
@pytest.mark.sqlite
@pytest.mark.timeout(600)
def test_hostile_guest_keeps_nobody_from_their_table(live_site: Live, attempt: Attempt) -> None:
    seconds, site = attempt.size(4, 45), live_site.site
    # Of each network so few that this guest has too many.
    site.environment["CONNECTIONS_PER_ADDRESS"] = "100"
    site.open()
    *tables, large = open_tables(site, 2 * PHONES + 1, PLAYERS)
    with closing(Line(site.port)) as line:
        for _, step in zip(range(100), large.game(), strict=False):
            assert line.ask(large.enter(step)).status == 200
    # The same posts of a game with the guest and without, since some cost more than others.
    phones, others = [Post(table) for table in tables[:PHONES]], [Post(table) for table in tables[PHONES:]]
    alone, memory = posts_of_others(site, phones, seconds), memory_of_site(site)
    command = [sys.executable, "-m", "tests.trust.load.hostile", str(site.port), str(seconds), large.watch]
    guest = subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    with_guest = posts_of_others(site, others, seconds)
    grown = memory_of_site(site) - memory
    heard = json.loads(guest.communicate(timeout=LONGEST + 60)[0])
    sheets, *page = site.run("-c", REACHED).split()
    opened = int(sheets) - len(tables) - 1
    attempt.saw(
        f"{sum(heard.values()):,} requests of a guest in {seconds} s, {opened} sheets opened: p95 of others' posts"
        f" {alone:.0f} to {with_guest:.0f} ms, memory {grown:+.0f} MiB"
    )
    assert page == ["200", "True", "True"], heard
    assert opened == SHEETS_AN_HOUR
    if attempt.whole:
        assert with_guest <= MOST_SLOWER * alone
        assert grown < MOST_MEMORY
