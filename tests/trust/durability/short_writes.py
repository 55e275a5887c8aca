"""A disk that is full at any byte: of the write that reaches it the bytes before that are written, and no others.

strace (`tracer.py`) keeps whole writes from happening. Here it is the system that cuts one in two: no file of a process
may grow beyond a limit (RLIMIT_FSIZE). That takes no right and no other file system.
"""

from __future__ import annotations

import random
import re
import resource
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import psycopg

from tests.bench.clusters import Cluster, children
from tests.bench.live_site import LiveSite
from tests.bench.starts import workers_of
from tests.trust.attempts import DATABASE, Live
from tests.waiting import until


class DiskOfSQLite:
    """What the log of SQLite lies on. `cut`: how often that ended at the very byte that was the last."""

    #: A post writes so many bytes into the log at most.
    most, owner = 60_000, ""

    def __init__(self, site: LiveSite) -> None:
        self.site, self.cut = site, 0
        self.database, self.log = site.var / DATABASE, site.var / f"{DATABASE}-wal"

    def processes(self) -> list[int]:
        return [int(worker.name) for worker in workers_of(self.site)]

    def end_of_log(self) -> int:
        """All of the log is in the database now, and it begins anew."""
        with closing(sqlite3.connect(self.database, isolation_level=None, timeout=30)) as other:
            until(lambda: other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
        return 0

    def look(self, last: int) -> None:
        self.cut += self.log.exists() and self.log.stat().st_size == last


class DiskOfPostgreSQL:
    """What the log of PostgreSQL lies on. `cut`: how often only a part of a page was written into it."""

    most, page = 16_384, 8192
    failed = re.compile(r"could not write to log file .* at offset (\d+), length")

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.owner, self.cut = cluster, cluster.owner, 0

    def processes(self) -> list[int]:
        """Not the first of all: those that it starts when it restarts write again."""
        return children(self.cluster.process)

    def end_of_log(self) -> int:
        """Where in its file the next byte goes: the file is there whole from the beginning."""
        with psycopg.connect(self.cluster.address) as other:
            found = other.execute("SELECT file_offset FROM pg_walfile_name_offset(pg_current_wal_insert_lsn())")
            return int(found.fetchall()[0][0])

    def look(self, last: int) -> None:
        told = self.failed.findall((self.cluster.folder / "log").read_text())
        self.cut = sum(int(offset) % self.page > 0 for offset in told)


Disk = DiskOfSQLite | DiskOfPostgreSQL


def disk_of(live: Live) -> Disk:
    return DiskOfPostgreSQL(live.cluster) if live.cluster else DiskOfSQLite(live.site)


@contextmanager
def full_at_a_byte(disk: Disk, *, first: bool) -> Iterator[None]:
    """The `first` byte that is written into the log from now on is the last, or another one."""
    last = disk.end_of_log() + (1 if first else random.randint(1, disk.most))
    processes, (before, _) = disk.processes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    limit(processes, last, disk.owner)
    try:
        yield
        disk.look(last)
    finally:
        limit(processes, before, disk.owner)


def limit(processes: Sequence[int], last: int, owner: str) -> None:
    """No file of these processes takes more bytes. They all ignore the signal that says so (SIGXFSZ).

    Their `owner` asks for it, since not every root may: "" is whoever runs the tests. Some may have ended by now.
    """
    soft = "unlimited" if last == resource.RLIM_INFINITY else str(last)
    for process in processes:
        command = ["prlimit", "--pid", str(process), f"--fsize={soft}:"]
        subprocess.run(command, user=owner or None, group=owner or None, stderr=subprocess.DEVNULL, check=False)
