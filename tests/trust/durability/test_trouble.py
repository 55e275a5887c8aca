"""The disk is full or read-only, the database is locked or away: it is said, and all goes on when it is over."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager

import psycopg
import pytest

from clubs.site.error_views import BELIEVED
from clubs.sqlite.lock_wait import LONGEST_WAIT
from tests.bench.clusters import children
from tests.bench.lines import Answer, Line, get
from tests.bench.phones import PHONES, Posted, data, text
from tests.bench.starts import workers_of
from tests.bench.tables import Table, open_tables
from tests.trust.attempts import DATABASE, Attempt, Live
from tests.trust.durability.short_writes import disk_of, full_at_a_byte
from tests.trust.durability.test_kill import ledger_of
from tests.trust.durability.tracer import failing

pytestmark = [pytest.mark.promise(5), pytest.mark.sqlite, pytest.mark.timeout(7200)]

PLAYERS = 10
#: So often a post writes to a file of SQLite at most; PostgreSQL writes to its log once or twice.
MOST_WRITES, MOST_WRITES_OF_A_BACKEND = 30, 2
#: Whoever begins to wait for a lock just before they have waited too long is answered after twice that time.
MOST_SECONDS = 2 * LONGEST_WAIT + 1
FULL, READ_ONLY = "ENOSPC", "EROFS"
#: How often a page is asked for until it is read. PostgreSQL ends itself where it cannot write its log, and restarts:
#: who reads waits for that for five seconds, and is asked to come again then. With SQLite reading goes on at once.
MOST_TRIES = 12


class Phone:
    """Posts one after the other, each until it is written. `refused` are the answers that said: not now."""

    def __init__(self, live: Live, table: Table) -> None:
        self.live, self.table = live, table
        self.posts = (Posted(table, step) for step in table.game())
        self.written: list[str] = []
        self.refused: list[Answer] = []
        self.times: list[float] = []

    def post(self, posted: Posted) -> bool:
        """Send it once; whether it is written. A refusal says why, and when to come again."""
        answer = self.ask(posted.said)
        if answer.status == 503:
            assert b"retry-after: " in answer.head.lower()
            assert "What was entered before is kept." in data(answer)["problem"]
            self.refused.append(answer)
            return False
        if answer.status == 408:
            # On a busy machine a body may reach the site too late. It says so, and the pad's script sends it again.
            assert "Nothing was saved" in text(answer)
            return False
        assert answer.status == 200, answer
        self.written.append(posted.key)
        return True

    def ask(self, said: bytes) -> Answer:
        with closing(Line(self.live.site.port)) as line:
            answer = line.ask(said)
            self.times.append(answer.seconds)
            return answer

    def read(self) -> int:
        """The status of the page for who watches."""
        answer = self.ask(get(f"/watch/{self.table.watch}/"))
        assert answer.status == 200 or "What was entered before is kept." in text(answer)
        return answer.status

    def through(self, trouble: AbstractContextManager[object]) -> int:
        """A post in trouble, and the same again when it is over. At which try a page was read meanwhile."""
        posted, tries = next(self.posts), 1
        with trouble:
            written = self.post(posted)
            while self.read() != 200:
                tries += 1
                assert tries <= MOST_TRIES, "reading does not go on"
        while not written:
            written = self.post(posted)
        return tries


def a_phone(live: Live) -> Phone:
    live.site.open()
    (table,) = open_tables(live.site, 1, PLAYERS)
    return Phone(live, table)


def all_is_kept(phones: list[Phone]) -> None:
    """Every post that was written stands once."""
    ledger = ledger_of(phones[0].live.site)
    assert ledger["sound"] == "ok"
    keys = Counter(write[1] for sheet in ledger["sheets"].values() for write in sheet["writes"])
    written = [key for phone in phones for key in phone.written]
    assert {key: keys[key] for key in written} == dict.fromkeys(written, 1)


def no_writes(live: Live, error: str, *, first: bool) -> AbstractContextManager[None]:
    """From the `first` write of the next post on, or from any, the disk takes no more."""
    if live.cluster is None:
        after = 1 if first else random.randint(1, MOST_WRITES)
        files = [live.site.var / DATABASE, live.site.var / f"{DATABASE}-wal"]
        return failing([int(worker.name) for worker in workers_of(live.site)], error, after=after, files=files)
    after = 1 if first else random.randint(1, MOST_WRITES_OF_A_BACKEND)
    return failing(children(live.cluster.process), error, after=after)


@pytest.mark.thorough
@pytest.mark.parametrize("error", [FULL, READ_ONLY])
def test_disk_that_takes_no_more_is_said_and_all_goes_on_when_it_does(
    live_site: Live, error: str, attempt: Attempt
) -> None:
    rounds = attempt.size(3, 50)
    phone = a_phone(live_site)
    # A post has fewer writes than `no_writes` counts to at most: only the first of them is there in every post.
    tries = Counter(phone.through(no_writes(live_site, error, first=number == 0)) for number in range(rounds))
    all_is_kept([phone])
    assert phone.refused
    assert live_site.cluster or set(tries) == {1}
    later = f" ({rounds - tries[1]} not before PostgreSQL had restarted)" if live_site.cluster else ""
    attempt.saw(
        f"disk {'full' if error == FULL else 'read-only'} {rounds} times: {len(phone.refused)} posts got 503, all were"
        f" kept, {rounds} pages read meanwhile{later}"
    )


@pytest.mark.thorough
def test_disk_that_is_full_in_the_middle_of_a_write_loses_nothing(live_site: Live, attempt: Attempt) -> None:
    """Of the write that reaches its end the disk takes a part, up to any byte."""
    rounds = attempt.size(4, 200)
    phone, disk = a_phone(live_site), disk_of(live_site)
    # The first byte of the log is reached by every post, others not by all.
    tries = Counter(phone.through(full_at_a_byte(disk, first=number == 0)) for number in range(rounds))
    all_is_kept([phone])
    assert phone.refused
    assert disk.cut
    assert live_site.cluster or set(tries) == {1}
    attempt.saw(
        f"disk full at {rounds} random bytes of the log: {disk.cut} writes cut in two there, {len(phone.refused)} posts"
        f" got 503, all were kept, {rounds} pages read meanwhile"
    )


@contextmanager
def locked(live: Live) -> Iterator[None]:
    """Somebody else writes and does not come to an end."""
    if live.cluster:
        with psycopg.connect(live.cluster.address) as other:
            other.execute("SELECT * FROM scoresheets_sheet FOR UPDATE")
            yield
            other.rollback()
    else:
        with closing(sqlite3.connect(live.site.var / DATABASE, isolation_level=None, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield
            other.execute("ROLLBACK")


@pytest.mark.thorough
@pytest.mark.promise(5, beside="nothing")
def test_lock_that_is_held_is_said_after_five_seconds_and_all_is_written_afterwards(
    live_site: Live, attempt: Attempt
) -> None:
    """Eight phones post on and on while the lock is held for a tenth of a second to half a minute."""
    held = [0.1, 0.3, 1, 3, 4.5, 5.5, 10, 30] if attempt.whole else [5.5]
    live_site.site.open()
    phones = [Phone(live_site, table) for table in open_tables(live_site.site, attempt.size(2, PHONES), PLAYERS)]
    end = threading.Event()
    threads = [threading.Thread(target=post_until, args=[phone, end], daemon=True) for phone in phones]
    for thread in threads:
        thread.start()
    reads = []
    for seconds in held:
        with locked(live_site):
            until = time.monotonic() + seconds
            while time.monotonic() < until:
                reads.append(phones[0].read())
                time.sleep(0.05)
        time.sleep(0.5)
    end.set()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    all_is_kept(phones)
    refused, written = (sum(len(getattr(phone, name)) for phone in phones) for name in ("refused", "written"))
    assert set(reads) == {200}
    assert refused
    longest = max(max(phone.times) for phone in phones)
    attempt.saw(
        f"lock held {len(held)} times, up to {max(held):g} s: {refused} posts got 503, no answer took more than"
        f" {longest:.1f} s, {written} were kept, {len(reads):,} pages were read meanwhile"
    )
    if attempt.whole:
        assert longest < MOST_SECONDS


@pytest.mark.thorough
@pytest.mark.promise(5, beside="nothing")
def test_page_that_writes_keeps_nobody_from_reading_while_the_lock_is_held(live_site: Live) -> None:
    """Whether the site can write, asked again and again: each of them waits for the lock, and no reader for them."""
    if live_site.cluster:
        pytest.skip("PostgreSQL has a lock for each row, and nobody holds that of the probe")
    phone, answers = a_phone(live_site), list[int]()
    # The last write that succeeded is no longer believed.
    time.sleep(BELIEVED)
    with locked(live_site):
        probes = [threading.Thread(target=lambda: answers.append(phone.ask(get("/healthz")).status)) for _ in range(8)]
        for probe in probes:
            probe.start()
        time.sleep(0.5)
        reads = [phone.read() for _ in range(8)]
        assert (reads, answers) == ([200] * 8, [])
    for probe in probes:
        probe.join(60)
    assert len(answers) == 8


def post_until(phone: Phone, end: threading.Event) -> None:
    for posted in phone.posts:
        while not phone.post(posted):
            time.sleep(0.2)
        if end.wait(0.3):
            return


@pytest.mark.thorough
@pytest.mark.promise(5, beside="nothing")
def test_database_that_is_killed_and_restarted_is_found_again(live_site: Live, attempt: Attempt) -> None:
    """The site stays open. Its connections are stale, and it makes others by itself."""
    cluster = live_site.cluster
    if cluster is None:
        pytest.skip("SQLite has no server")
    kills = attempt.size(2, 20)
    phone, back = a_phone(live_site), []
    for _ in range(kills):
        posted = next(phone.posts)
        cluster.kill()
        assert not phone.post(posted)
        assert phone.read() in (200, 503)
        cluster.start()
        begin = time.monotonic()
        while not phone.post(posted):
            pass
        back.append(time.monotonic() - begin)
    all_is_kept([phone])
    attempt.saw(f"PostgreSQL killed {kills} times: 503 meanwhile, written again {max(back):.1f} s after it was back")
