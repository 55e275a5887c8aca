"""A crowd that stays for long, and processes that are killed under those who post."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import pytest

from tests.bench.crowd import POLL, Heard, gather_for_long, version_in
from tests.bench.ledger import Ledger
from tests.bench.lines import Answer, CutOff, Line, get
from tests.bench.live_site import LiveSite
from tests.bench.phones import PHONES, Posted
from tests.bench.report import percentile
from tests.bench.starts import workers_of
from tests.bench.tables import HANDS, Table, open_tables
from tests.trust.attempts import POSTGRESQL_IN_FULL, Attempt, Live
from tests.trust.durability.test_kill import ledger_of
from tests.waiting import until

# The end is compared with the start, and the crowd of either database uses a third of the machine.
pytestmark = [
    pytest.mark.promise(15, beside="the other database"), pytest.mark.sqlite, pytest.mark.timeout(7200),
]  # fmt: skip

WATCHERS, TABLES = 500, 20
#: Seconds between two kills. The server ends as a whole when the same worker ends again within 5.5 seconds: then every
#: worker is broken, and the supervisor starts all anew after a pause.
A_KILL = 6.0
#: How much memory may grow after everything was used once, and p95 of the last part be to that of the first.
MOST_GROWTH, MOST_SLOWER = 1.05, 1.2


@POSTGRESQL_IN_FULL
@pytest.mark.thorough
def test_crowd_that_stays_takes_no_more_memory_and_waits_no_longer(live_site: Live, attempt: Attempt) -> None:
    seconds, site = attempt.size(12, 1_800), live_site.site
    watchers, tables = attempt.size(50, WATCHERS), attempt.size(4, TABLES)
    site.open()
    looks = gather_for_long(site, seconds, watchers=watchers, places=tables, every=seconds / 6, spread=True)
    assert [wrong for look in looks for wrong in look.heard.wrong] == []
    # The first look is at once, and in the first part each process makes what it keeps.
    first, last = looks[2], looks[-1]
    growth = last.site / first.site
    of_posts = [p95(look.heard.posts) for look in (first, last)]
    of_polls = [p95(look.heard.polls) for look in (first, last)]
    posts, polls = (sum(len(look.heard.posts) for look in looks), sum(len(look.heard.polls) for look in looks))
    attempt.saw(
        f"{watchers} watchers and {tables} tables for {seconds // 60} min, {posts:,} posts and {polls:,} polls without"
        f" an error: memory {first.site:.0f} to {last.site:.0f} MiB, p95 of posts {of_posts[0]:.0f} to"
        f" {of_posts[1]:.0f} ms, of polls {of_polls[0]:.1f} to {of_polls[1]:.1f} ms"
    )
    if attempt.whole:
        assert growth < MOST_GROWTH
        assert of_posts[1] <= MOST_SLOWER * of_posts[0]
        assert of_polls[1] <= MOST_SLOWER * of_polls[0]


def p95(seconds: list[float]) -> float:
    """In milliseconds."""
    return percentile(seconds, 0.95) * 1000


class Patient:
    """A phone that sends each post until it is answered, `pace` seconds after the one before. `tries` by its key."""

    def __init__(self, posts: Sequence[Posted], pace: float) -> None:
        self.posts, self.pace = posts, pace
        self.tries: Counter[str] = Counter()
        self.wrong: list[str] = []

    def send_all(self, site: LiveSite) -> None:
        line: Line | None = None
        for posted in self.posts:
            answer: Answer | None = None
            while answer is None:
                self.tries[posted.key] += 1
                try:
                    line = line or Line(site.port)
                    answer = line.ask(posted.said)
                except (OSError, CutOff):
                    line = None
                    # A phone waits for a moment before it sends something again.
                    time.sleep(0.5)
            if answer.status != 200:
                self.wrong.append(f"{answer.status}: {answer.body[:200]!r}")
            time.sleep(self.pace)


class Watcher:
    """A phone that watches a table, and comes back after its connection was cut. `shown`: the version that it has."""

    def __init__(self, table: Table) -> None:
        self.table, self.heard = table, Heard()
        self.shown, self.cut_off = "0", 0

    def watch(self, site: LiveSite, over: threading.Event) -> None:
        """Poll as the page does, and once all is `over` until there is nothing new."""
        line: Line | None = None
        over.wait(random.random() * POLL)
        while True:
            is_over = over.is_set()
            try:
                line = line or Line(site.port)
                answer = line.ask(get(f"/watch/{self.table.watch}/rows/?v={self.shown}", HX_Request="true"))
            except (OSError, CutOff):
                line, self.cut_off = None, self.cut_off + 1
                time.sleep(0.5)
                continue
            self.heard.poll(answer)
            if answer.status == 200:
                self.shown = version_in(answer)
            elif is_over:
                return
            over.wait(POLL)


@pytest.mark.thorough
@POSTGRESQL_IN_FULL
def test_workers_that_are_restarted_lose_no_post(live_site: Live, attempt: Attempt) -> None:
    """Every table is watched meanwhile, and who watches comes back and sees the newest version in the end."""
    kills, site = attempt.size(1, 50), live_site.site
    site.open()
    tables = open_tables(site, attempt.size(2, PHONES), 6)
    # Not the last post of a game: who has seen that end polls no more.
    posts = [[Posted(table, step) for step in table.game()][: attempt.size(28, HANDS * 7 - 1)] for table in tables]
    # They post as long as somebody kills.
    phones = [Patient(mine, kills * A_KILL / len(mine)) for mine in posts]
    threads = [threading.Thread(target=phone.send_all, args=[site], daemon=True) for phone in phones]
    watchers, over = [Watcher(table) for table in tables for _ in range(attempt.size(4, 12))], threading.Event()
    watching = [threading.Thread(target=watcher.watch, args=[site, over], daemon=True) for watcher in watchers]
    for thread in (*threads, *watching):
        thread.start()
    total = sum(len(mine) for mine in posts)
    for _ in range(kills):
        begin = time.monotonic()
        restart_a_worker(site)
        time.sleep(max(0.0, A_KILL * random.uniform(0.95, 1.05) - (time.monotonic() - begin)))
    all_end(threads)
    over.set()
    all_end(watching)
    assert [wrong for phone in phones for wrong in phone.wrong] == []
    tries = Counter(count for phone in phones for count in phone.tries.values())
    ledger = ledger_of(site)
    kept(ledger, phones)
    polls, cut_off = seen_by_all(watchers, ledger)
    attempt.saw(
        f"{kills} workers killed under {total:,} posts: {tries[2]} sent twice, none more often, all kept once;"
        f" {len(watchers)} who watched polled {polls:,} times, came back after {cut_off:,} cuts, and saw the newest"
    )
    assert max(tries) <= 2
    assert cut_off or not attempt.whole


def all_end(threads: Sequence[threading.Thread]) -> None:
    for thread in threads:
        thread.join(600)
        assert not thread.is_alive()


def seen_by_all(watchers: Sequence[Watcher], ledger: Ledger) -> tuple[int, int]:
    """Everybody has the newest version of their sheet. How often they polled, and were cut off."""
    assert [wrong for watcher in watchers for wrong in watcher.heard.wrong] == []
    newest = {code: sheet["edition"] for code, sheet in ledger["sheets"].items()}
    assert [watcher.shown for watcher in watchers] == [newest[watcher.table.code] for watcher in watchers]
    return sum(len(watcher.heard.polls) for watcher in watchers), sum(watcher.cut_off for watcher in watchers)


def restart_a_worker(site: LiveSite) -> None:
    """One process that answers is killed; the server starts another."""
    before = workers_of(site)
    with suppress(ProcessLookupError):
        os.kill(int(random.choice(before).name), signal.SIGKILL)
    until(lambda: len(workers_of(site)) >= len(before) and workers_of(site) != before)


def kept(ledger: Ledger, phones: Sequence[Patient]) -> None:
    """Every post stands once."""
    assert ledger["sound"] == "ok"
    written = Counter(write[1] for sheet in ledger["sheets"].values() for write in sheet["writes"])
    assert {key: written[key] for phone in phones for key in phone.tries} == {
        key: 1 for phone in phones for key in phone.tries
    }
