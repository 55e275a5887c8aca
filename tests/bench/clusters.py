"""A PostgreSQL cluster of a test's own, which keeps what it acknowledges, and may be killed."""

from __future__ import annotations

import getpass
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.ports import free_port

#: Where files are made and removed in no time, and the room (bytes) that clusters need there.
MEMORY, ROOM = Path("/dev/shm"), 1 << 30


def binaries() -> Path | None:
    """Where PostgreSQL's own programs are on this machine, the newest of them."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    other = shutil.which("initdb")
    return found[-1].parent if found else Path(other).parent if other else None


class Cluster:
    """`start`, `kill` with SIGKILL, start again; `address` is its DATABASE_URL. Its `data` may be there already.

    `under` are the words of a command that starts it, `settings` what it is told beside its address: "fsync=off".
    """

    under: Sequence[str] = ()
    settings: Sequence[str] = ()

    def __init__(self, folder: Path) -> None:
        home = binaries()
        assert home is not None, "PostgreSQL is not on this machine: apt install postgresql"
        self.home, self.folder, self.port = home, folder, free_port()
        # As the site wants it, and as PostgreSQL's own programs do.
        self.address = f"postgres://box@127.0.0.1:{self.port}/postgres"
        self.uri = f"postgresql://box@127.0.0.1:{self.port}/postgres"
        # PostgreSQL refuses to run as root.
        self.owner = "postgres" if getpass.getuser() == "root" else ""
        self.data = folder / "data"
        if not self.data.exists():
            folder.mkdir(parents=True)
            self.give_to_owner(folder)
            self.run("initdb", "--pgdata", str(self.data), "--username", "box", "--auth", "trust", "--encoding", "UTF8")

    def give_to_owner(self, *paths: Path) -> None:
        for path in paths if self.owner else ():
            shutil.chown(path, self.owner, self.owner)

    def run(self, program: str, *arguments: str, under: Sequence[str] = ()) -> None:
        before = [*under, "runuser", "-u", self.owner, "--"] if self.owner else [*under]
        command = [*before, str(self.home / program), *arguments]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def start(self) -> None:
        told = ("listen_addresses=127.0.0.1", "unix_socket_directories=''", *self.settings)
        options = " ".join([f"-p {self.port}", *(f"-c {each}" for each in told)])
        log = str(self.folder / "log")
        arguments = ["--pgdata", str(self.data), "--wait", "--log", log, "start", "--options", options]
        self.run("pg_ctl", *arguments, under=self.under)

    @property
    def process(self) -> int:
        """The number of the postmaster."""
        return int((self.data / "postmaster.pid").read_text().splitlines()[0])

    def kill(self) -> None:
        """The postmaster and everything it has started, all at once."""
        processes = [self.process, *children(self.process)]
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        while any(Path(f"/proc/{process}").exists() and not is_dead(process) for process in processes):
            time.sleep(0.01)
        # Where nobody takes note of dead processes, as in a container, PostgreSQL would believe them alive.
        (self.data / "postmaster.pid").unlink()

    def stop(self, mode: str = "immediate") -> None:
        with suppress(subprocess.CalledProcessError):
            self.run("pg_ctl", "--pgdata", str(self.data), "--mode", mode, "stop")


@contextmanager
def temporary_folder(*, in_memory: bool = False) -> Iterator[Path]:
    """A folder for clusters, for one test, `in_memory` if there is room: on a disk a thousand files take a second.

    Where PostgreSQL is not installed the test is skipped.
    """
    if binaries() is None:
        assert os.environ.get("CI") != "true", "PostgreSQL belongs to these tests: apt install postgresql"
        pytest.skip("no PostgreSQL on this machine")
    # Not in pytest's own folder, into which PostgreSQL's user may not look.
    place = MEMORY if in_memory and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM else None
    with tempfile.TemporaryDirectory(prefix="box-and-circle-", dir=place, ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def temporary_cluster() -> Iterator[Cluster]:
    """A cluster that runs, for one test."""
    with temporary_folder() as folder:
        made = Cluster(folder / "cluster")
        made.start()
        try:
            yield made
        finally:
            made.stop()


def children(parent: int) -> list[int]:
    return [
        int(path.name)
        for path in Path("/proc").iterdir()
        if path.name.isdigit() and stat_of(path)[1:2] == [str(parent)]
    ]


def is_dead(process: int) -> bool:
    """Whether it has ended and only waits for somebody to notice."""
    return stat_of(Path(f"/proc/{process}"))[:1] in ([], ["Z"])


def stat_of(path: Path) -> list[str]:
    """State, parent and so on of a process."""
    try:
        return (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []
