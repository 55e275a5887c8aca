"""strace: it records what programs do to their files, and lets the calls of a process fail as the system does."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.bench.clusters import is_dead

RECORDED = "openat,creat,pwrite64,pwritev,write,fsync,fdatasync,ftruncate,unlink,unlinkat,rename,renameat,renameat2"


@cache
def why_not() -> str:
    """Why nothing can be traced here, or ""."""
    if not shutil.which("strace"):
        assert os.environ.get("CI") != "true", "strace belongs to these tests: apt install strace"
        return "no strace on this machine"
    tried = subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"strace may not look at others here: {tried.stderr.strip()}"


def need_strace() -> None:
    """Skip the test where strace is not there, or may not trace."""
    if reason := why_not():
        pytest.skip(reason)


def recording(folder: Path, *more: str) -> list[str]:
    """The words before a command whose writes are recorded in files of a folder.

    With `-D` the command is not kept waiting by what it leaves behind.
    """
    need_strace()
    folder.mkdir(parents=True, exist_ok=True)
    # A file for each thread, so that no call is cut in two by another.
    return [
        "strace", "-ff", "--seccomp-bpf", "-ttt", "-T", "-y", "-xx", "-s", "1100000", "-o", str(folder / "calls"),
        "-e", f"trace={RECORDED}", *more,
    ]  # fmt: skip


@contextmanager
def failing(processes: Sequence[int], error: str, *, after: int = 1, files: Sequence[Path] = ()) -> Iterator[None]:
    """Let writes of these processes fail with an error ("ENOSPC"), each from its write of that number on.

    With `files` only writes to these.
    """
    need_strace()
    writes = "pwrite64,pwritev"
    words = ["strace", "-f", "-e", f"trace={writes}", "-e", f"inject={writes}:error={error}:when={after}+"]
    words += [word for file in files for word in ("-P", str(file))]
    words += [word for process in processes for word in ("-p", str(process))]
    tracer = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        _wait_for(tracer, processes)
        yield
    finally:
        tracer.send_signal(signal.SIGINT)
        tracer.communicate(timeout=30)


def _wait_for(tracer: subprocess.Popen[str], processes: Sequence[int]) -> None:
    """Return when strace traces all of these that have not ended. A backend of PostgreSQL may end at any moment."""
    waiting = {str(process) for process in processes}
    assert tracer.stderr
    while waiting:
        line = tracer.stderr.readline()
        assert line, f"strace has ended before it traced {waiting}"
        named = waiting.intersection(re.findall(r"(?:Process |PTRACE_\w+, )(\d+)", line))
        # One that has ended, and has not been noticed yet, may not be traced either.
        if "Operation not permitted" in line and not all(is_dead(int(process)) for process in named):
            pytest.skip("strace may only trace what it has started here")
        if " attached" in line or "attach: " in line:
            waiting -= named
