"""How the site starts: the first time in an empty folder, with the demo, and again; and what a process of it takes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from tests.bench.lines import Line, get
from tests.bench.live_site import LiveSite
from tests.bench.report import Measured

TICKS = os.sysconf("SC_CLK_TCK")
OPEN = "Box & Circle is open"


def processes(session: int) -> list[Path]:
    """The folders in /proc of the processes of a session."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                if int(fields_of(folder)[3]) == session:
                    found.append(folder)
    return found


def fields_of(folder: Path) -> list[str]:
    """What the system says of a process, from the third field on (proc(5))."""
    return (folder / "stat").read_text().rsplit(")", 1)[1].split()


def processor_seconds(site: LiveSite) -> float:
    """Processor time of all processes of the site, with those that have ended."""
    assert site.process
    return sum(sum(map(int, fields_of(folder)[11:15])) for folder in processes(site.process.pid)) / TICKS


def workers_of(site: LiveSite) -> list[Path]:
    """The folders in /proc of the processes that answer requests."""
    assert site.process
    parents: dict[Path, int] = {}
    for folder in processes(site.process.pid):
        with suppress(OSError):  # it has just ended
            parents[folder] = int(fields_of(folder)[1])
    # The supervisor starts the server, which starts them.
    servers = [int(folder.name) for folder, parent in parents.items() if parent == site.process.pid]
    return [folder for folder, parent in parents.items() if parent in servers]


def memory_of_workers(site: LiveSite) -> list[float]:
    """The PSS (MiB) of each process that answers requests: its own memory and its share of what several have."""
    return [kibibytes(folder / "smaps_rollup", "Pss") / 1024 for folder in workers_of(site)]


def memory_of_site(site: LiveSite) -> float:
    """All its processes together, in MiB: the memory they have written, and once the files that they have mapped.

    Not their PSS: that has a share of each file, which is smaller while another site, or a test, has it mapped too.
    """
    assert site.process
    all_of_it = processes(site.process.pid)
    written = sum(kibibytes(folder / "smaps_rollup", "Pss_Anon") for folder in all_of_it)
    return (written + max(kibibytes(folder / "status", "RssFile") for folder in all_of_it)) / 1024


def kibibytes(file: Path, name: str) -> int:
    """What a file in /proc says of a process under that name."""
    return int(file.read_text().split(f"\n{name}:", 1)[1].split()[0])


def measured(folder: Path) -> Iterator[Measured]:
    """The first start and the second."""
    site = LiveSite(folder / "started", DEMO="1")
    begin = time.perf_counter()
    try:
        site.open(until=OPEN)
        first = time.perf_counter() - begin
        yield Measured("First start, from the installed packages to the address", first, at_most=8, unit=" s",
                       told=f"{processor_seconds(site):.1f} s of processor time")  # fmt: skip
        site.wait_for_answer()
        site.close()
        begin = time.perf_counter()
        site.open()
        second, spent = time.perf_counter() - begin, processor_seconds(site)
        yield Measured("Second start, to the first answer: processor time", spent, at_most=2, unit=" s",
                       told=f"after {second:.1f} s")  # fmt: skip
        with closing(Line(site.port)) as line:
            page = line.ask(get("/"))
        assert page.status == 200
        yield Measured("First page after a start", page.seconds * 1000, at_most=1000, unit=" ms")
    finally:
        site.close()
