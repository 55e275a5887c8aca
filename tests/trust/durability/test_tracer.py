"""Writes of some processes fail, though others of those named have ended meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.trust.durability.tracer import failing

#: For each line that comes it writes to a file, and says what came of it.
WRITER = """
import os, sys
file = os.open(sys.argv[1], os.O_CREAT | os.O_WRONLY)
for line in sys.stdin:
    try:
        os.pwrite(file, b"x", 0)
    except OSError as error:
        print(os.strerror(error.errno), flush=True)
    else:
        print("written", flush=True)
"""


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-c", WRITER, str(tmp_path / "file")]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield process
        assert process.stdin
        process.stdin.close()


def says(writer: subprocess.Popen[str]) -> str:
    assert writer.stdin
    assert writer.stdout
    writer.stdin.write("write\n")
    writer.stdin.flush()
    return writer.stdout.readline().strip()


@pytest.mark.timeout(60)
def test_writes_fail_though_others_that_were_named_have_ended(writer: subprocess.Popen[str]) -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    # It has ended, and its parent has not asked how.
    unnoticed = subprocess.Popen(["true"])
    os.waitid(os.P_PID, unnoticed.pid, os.WEXITED | os.WNOWAIT)
    assert says(writer) == "written"
    try:
        with failing([gone.pid, unnoticed.pid, writer.pid], "ENOSPC"):
            assert says(writer) == "No space left on device"
        assert says(writer) == "written"
    finally:
        unnoticed.wait()
