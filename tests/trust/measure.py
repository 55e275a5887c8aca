"""`make trust`: try all that is promised, on both databases, and write into README.md what was seen.

ROWS="3 6" tries only these rows and prints them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.bench.report import machine, replace_part
from tests.trust.promises import PROMISES, Promise

PROJECT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- make trust writes from here -->", "<!-- to here, by make trust -->"
PYTEST = [sys.executable, "-m", "pytest", "-q", "-m", "promise", "--timeout", "7200", "tests"]
DATABASES = ("SQLite", "PostgreSQL")

Seen = dict[str, Any]


def attempts(rows: str) -> list[Seen]:
    """What was seen by every attempt: first where a test needs no database or makes its own, then on PostgreSQL."""
    with tempfile.TemporaryDirectory(prefix="box-and-circle-trust-") as folder:
        report = Path(folder, "report")
        report.touch()
        environment = os.environ | {"TRUST_REPORT": str(report), "TRUST_ROWS": rows, "HYPOTHESIS_PROFILE": "long"}
        for before in ([], [".ci/on-postgres"]):
            subprocess.run([*before, *PYTEST], cwd=PROJECT, env=environment, check=False)
        return [json.loads(line) for line in report.read_text().splitlines()]


def cell(promise: Promise, database: str, seen: Sequence[Seen]) -> str:
    """What was seen of a promise on a database, in a cell of the table."""
    of = [one for one in seen if (one["number"], one["database"]) == (promise.number, database)]
    said = "; ".join(sentence for one in of for sentence in one["seen"])
    if not of:
        return "not tried"
    return f"{said}" if all(one["kept"] for one in of) else f"**not kept**: {said}"


def table(seen: Sequence[Seen], promises: Sequence[Promise] = PROMISES) -> str:
    """The rows of the promises in Markdown."""
    rows = [
        f"| {one.number} | {one.tried} | {one.promised} | {' | '.join(cell(one, name, seen) for name in DATABASES)} |"
        for one in promises
    ]
    return "\n".join(["| | tried | promised | seen on SQLite | seen on PostgreSQL |", "|---|---|---|---|---|", *rows])


def main() -> int:
    rows = os.environ.get("ROWS", "")
    tried = [one for one in PROMISES if not rows or one.number in map(int, rows.split())]
    seen = attempts(rows)
    told = table(seen, tried)
    sys.stdout.write(f"{told}\n")
    if not rows:
        replace_part(BEGIN, END, f"{told}\n\n{machine()}")
    return 0 if seen and all(one["kept"] for one in seen) else 1


if __name__ == "__main__":
    sys.exit(main())
