"""What was measured beside the bars it must keep, on the terminal and in README.md."""

from __future__ import annotations

import os
import platform
import re
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN, END = "<!-- make bench writes from here -->", "<!-- to here -->"


@dataclass(frozen=True)
class Measured:
    """A figure and its bar: at most or at least that much. `told`: what it was made from."""

    name: str
    value: float
    at_most: float | None = None
    at_least: float | None = None
    unit: str = ""
    told: str = ""

    @property
    def is_kept(self) -> bool:
        if self.at_most is not None and self.value > self.at_most:
            return False
        return self.at_least is None or self.value >= self.at_least

    @property
    def figure(self) -> str:
        if self.unit:
            return f"{self.value:.{1 if self.unit == ' s' else 0}f}{self.unit}"
        return f"{self.value}" if isinstance(self.value, int) else f"{self.value:.2f}"

    @property
    def bar(self) -> str:
        if self.at_most is not None:
            return f"at most {self.at_most:g}{self.unit}"
        return f"at least {self.at_least:.2f}{self.unit}"


def percentile(seconds: list[float], share: float) -> float:
    return sorted(seconds)[min(len(seconds) - 1, int(len(seconds) * share))]


def show(one: Measured) -> None:
    """A line on the terminal."""
    missed = "" if one.is_kept else "  MISSED"
    sys.stdout.write(f"{one.figure:>8}  {one.bar:<16}{one.name}{f' ({one.told})' if one.told else ''}{missed}\n")
    sys.stdout.flush()


def save(measured: list[Measured]) -> None:
    """Put the table into README.md, with the machine and the day."""
    replace_part(BEGIN, END, f"{table(measured)}\n\n{machine()}")


def replace_part(begin: str, end: str, part: str) -> None:
    """Write a part of README.md anew: what stands between two comments."""
    text = README.read_text()
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    if not rest or not after:
        raise ValueError(f"README.md has no {begin} … {end}")
    README.write_text(f"{before}{begin}\n\n{part}\n\n{end}{after}")


def table(measured: list[Measured]) -> str:
    rows = [
        f"| {one.name} | {one.figure}{'' if one.is_kept else ' **missed**'} | {one.bar} | {one.told} |"
        for one in measured
    ]
    return "\n".join(["| | measured | bar | from |", "|---|---|---|---|", *rows])


def machine() -> str:
    """Cores, memory, processor, Python and the day; nothing that tells one machine from another of its kind."""
    cores = len(os.sched_getaffinity(0))
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    model = " ".join(found[1].split()) if found else platform.machine()
    return (
        f"{cores} cores ({model}), {memory:.0f} GB of memory, Python {platform.python_version()}, "
        f"{date.today():%Y-%m-%d}; the load comes from the same machine."
    )
