"""`make trust`: try all that is promised, on both databases, and write into README.md what was seen.

ROWS="3 6" tries only these rows; the others stay in the table as they are, each with its day.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.bench.report import README, machine, replace_part
from tests.trust.attempts import Beside
from tests.trust.promises import PROMISES, Promise

PROJECT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- make trust writes from here -->", "<!-- to here, by make trust -->"
PYTEST = [
    sys.executable, "-m", "pytest", "-q", "-m", "promise", "--timeout", "7200", "-p", "no:cacheprovider",
    "--durations", "20", "tests",
]  # fmt: skip


def spread(processes: int) -> list[str]:
    """What spreads a command over so many processes, each of which gets the next attempt, in their order."""
    return ["-n", str(processes), "--dist", "load", "--maxschedchunk", "1"]


ON_POSTGRES = ".ci/on-postgres"
#: The commands of attempts, by what may run beside them; those of one round run at once. What needs no database, or
#: makes its own, is tried by the first. Where anything may, many wait for disks, processes and browsers.
ROUNDS: dict[Beside, list[list[list[str]]]] = {
    "the other database": [[[*PYTEST, "-k", "not PostgreSQL"], [*PYTEST, "-k", "PostgreSQL"]]],
    "nothing": [[PYTEST], [[ON_POSTGRES, *PYTEST]]],
    "anything": [[[*PYTEST, *spread(3)], [ON_POSTGRES, *PYTEST, *spread(2)]]],
}
DATABASES = ("SQLite", "PostgreSQL")
#: How pytest ends where it tried what there was: all was kept, something was not, there was nothing.
ENDED = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}
HEAD = ("| | tried | promised | seen on SQLite | seen on PostgreSQL | day |", "|---|---|---|---|---|---|")
#: What is in the row of a promise that was not tried on a database.
UNTRIED = "| not tried |"
NUMBER = re.compile(r"\| (\d+) \|")

Seen = dict[str, Any]


def attempts(promises: Sequence[Promise]) -> list[Seen]:
    """What was seen by every attempt."""
    with tempfile.TemporaryDirectory(prefix="box-and-circle-trust-") as folder:
        report = Path(folder, "report")
        report.touch()
        rows = " ".join(str(one.number) for one in promises)
        for beside, rounds in ROUNDS.items():
            # Where a program is missing, nothing is skipped (CI).
            environment = os.environ | {
                "TRUST_REPORT": str(report), "TRUST_ROWS": rows, "TRUST_BESIDE": beside, "HYPOTHESIS_PROFILE": "long",
                "CI": "true",
            }  # fmt: skip
            for commands in rounds:
                running = [subprocess.Popen(command, cwd=PROJECT, env=environment) for command in commands]
                ended = [process.wait() for process in running]
                if not ENDED.issuperset(ended):
                    sys.exit(f"pytest broke ({', '.join(map(str, ended))}): no row is written.")
        return [json.loads(line) for line in report.read_text().splitlines()]


def cell(promise: Promise, database: str, seen: Sequence[Seen]) -> str:
    """What was seen of a promise on a database, in a cell of the table."""
    of = [one for one in seen if (one["number"], one["database"]) == (promise.number, database)]
    counted = Counter[str]()
    for one in of:
        counted.update(one["counted"])
    sums = [f"{number:,} {what}" for what, number in counted.items()]
    said = "; ".join([*sums, *dict.fromkeys(sentence for one in of for sentence in one["seen"])]) or "kept"
    if not of:
        return promise.elsewhere
    return said if all(one["kept"] for one in of) else f"**not kept**: {said}"


def row(promise: Promise, seen: Sequence[Seen]) -> str:
    """A row of the table in Markdown, with today as its day."""
    cells = (cell(promise, name, seen) for name in DATABASES)
    return (
        f"| {promise.number} | {promise.tried} | {promise.promised} | {' | '.join(cells)} | {date.today():%Y-%m-%d} |"
    )


def rows_in(text: str) -> dict[int, str]:
    """The rows that a text has between the two comments, by number."""
    part = text.partition(BEGIN)[2].partition(END)[0]
    return {int(found[1]): line for line in part.splitlines() if (found := NUMBER.match(line))}


def table(rows: dict[int, str]) -> str:
    """The table of these rows, folded up under what it comes to; it says so of a promise that was never tried whole."""
    never = {
        one.number: f"| {one.number} | {one.tried} | {one.promised} | not tried | not tried | |" for one in PROMISES
    }
    lines = never | rows
    return "\n".join(
        ["<details>", f"<summary>{verdict(lines)}</summary>", "", *HEAD, *lines.values(), "", "</details>"]
    )


def verdict(lines: dict[int, str]) -> str:
    """What all rows come to, in one sentence."""
    broken = [str(number) for number, line in lines.items() if "**not kept**" in line]
    untried = [str(number) for number, line in lines.items() if UNTRIED in line and str(number) not in broken]
    kept = len(lines) - len(broken) - len(untried)
    more = [f"{what}: row {', '.join(rows)}" for what, rows in (("not kept", broken), ("not tried", untried)) if rows]
    return "; ".join([f"{kept} of {len(lines)} promises were kept when they were last tried", *more]) + "."


def main() -> int:
    asked = [int(number) for number in os.environ.get("ROWS", "").split()]
    tried = [one for one in PROMISES if not asked or one.number in asked]
    seen = attempts(tried)
    new = {one.number: row(one, seen) for one in tried}
    sys.stdout.write("\n".join([*HEAD, *new.values(), ""]))
    replace_part(BEGIN, END, f"{table(rows_in(README.read_text()) | new)}\n\n{machine()}")
    is_tried = not any(UNTRIED in line for line in new.values())
    return 0 if is_tried and all(one["kept"] for one in seen) else 1


if __name__ == "__main__":
    sys.exit(main())
