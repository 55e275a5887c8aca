"""The table that `make trust` writes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from django.db import connection

from tests.trust import attempts, measure
from tests.trust.measure import BEGIN, END, row, rows_in, table, verdict
from tests.trust.promises import PROMISES

FIRST = PROMISES[0]
#: A program that ends with the number it is given, or by that signal.
EXIT = "import os, sys; n = int(sys.argv[1]); os._exit(n) if n >= 0 else os.kill(os.getpid(), -n)"
OF_THIS_RUN = "SQLite" if connection.vendor == "sqlite" else "PostgreSQL"
KEPT = {"number": 1, "database": "SQLite", "kept": True, "seen": ["50 kills", "ready in 1 s"], "counted": {}}
ON_BOTH = [KEPT, KEPT | {"database": "PostgreSQL"}]


def test_a_row_says_what_was_seen_on_each_database() -> None:
    told = row(FIRST, [KEPT, KEPT | {"database": "PostgreSQL", "kept": False, "seen": ["1 lost"]}])
    assert "| 50 kills; ready in 1 s | **not kept**: 1 lost |" in told


def test_a_row_is_not_kept_when_one_of_its_attempts_fails() -> None:
    told = row(FIRST, [KEPT, KEPT | {"kept": False, "seen": []}])
    assert "**not kept**: 50 kills; ready in 1 s" in told
    assert f"| {FIRST.elsewhere} |" in told


def test_what_is_counted_is_added_up_and_a_sentence_is_said_once() -> None:
    told = row(FIRST, [KEPT | {"counted": {"pages": 600}}, KEPT | {"counted": {"pages": 468}}])
    assert "| 1,068 pages; 50 kills; ready in 1 s |" in told


def test_rows_that_are_not_tried_again_stay_as_they_are() -> None:
    before = table({1: row(FIRST, [KEPT]), 2: "| 2 | as it was |"})
    after = table(rows_in(f"{BEGIN}\n{before}\n{END}") | {1: row(FIRST, [KEPT | {"seen": ["60 kills"]}])})
    assert "50 kills" in before
    assert "50 kills" not in after
    assert "60 kills" in after
    assert "| 2 | as it was |" in after


def test_a_promise_that_was_never_tried_is_in_the_table() -> None:
    numbers = list(rows_in(f"{BEGIN}\n{table({})}\n{END}"))
    assert numbers == [one.number for one in PROMISES] == list(range(1, 19))


def test_table_says_first_what_all_rows_come_to() -> None:
    kept = {one.number: row(one, [each | {"number": one.number} for each in ON_BOTH]) for one in PROMISES}
    assert verdict(kept) == "18 of 18 promises were kept when they were last tried."
    broken = row(FIRST, [KEPT | {"kept": False}])
    told = table({number: line for number, line in (kept | {1: broken}).items() if number not in {7, 9}})
    assert (
        "<summary>15 of 18 promises were kept when they were last tried; not kept: row 1; not tried: row 7, 9." in told
    )


def test_row_that_was_tried_on_one_database_is_not_kept() -> None:
    kept = {one.number: row(one, [each | {"number": one.number} for each in ON_BOTH]) for one in PROMISES}
    assert verdict(kept | {1: row(FIRST, [KEPT])}).endswith("; not tried: row 1.")


def test_there_is_a_round_for_whatever_may_run_beside_an_attempt() -> None:
    assert set(measure.ROUNDS) == set(get_args(attempts.Beside))


@pytest.mark.parametrize("ended", [2, 3, 4, -9])
def test_nothing_is_written_where_the_attempts_broke(ended: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "ROUNDS", {"nothing": [[[sys.executable, "-c", EXIT, str(ended)]]]})
    with pytest.raises(SystemExit, match="no row is written"):
        measure.attempts([FIRST])


@pytest.mark.parametrize("ended", [0, 1, 5])
def test_attempts_that_fail_or_are_not_there_are_for_the_table(ended: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "ROUNDS", {"nothing": [[[sys.executable, "-c", EXIT, str(ended)]]]})
    assert measure.attempts([FIRST]) == []


@pytest.mark.parametrize(("ended", "kept"), [("passed", [True]), ("failed", [False]), ("skipped", [])])
def test_attempt_says_how_it_ended_and_nothing_where_it_was_skipped(
    ended: str, kept: list[bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "report"
    report.touch()
    monkeypatch.setattr(attempts, "REPORT", str(report))
    attempts.tell(attempts.Attempt(5, "SQLite"), "a test", ended)
    assert [json.loads(line)["kept"] for line in report.read_text().splitlines()] == kept


@pytest.mark.parametrize(
    ("setup", "call", "teardown", "ended"),
    [
        ("passed", "passed", "passed", "passed"),
        ("passed", "passed", "failed", "failed"),
        ("passed", "failed", "passed", "failed"),
        ("passed", "skipped", "passed", "skipped"),
        ("skipped", None, "passed", "skipped"),
        ("failed", None, "passed", "failed"),
    ],
)
def test_attempt_is_not_kept_where_its_browser_complained_afterwards(
    setup: str, call: str | None, teardown: str, ended: str
) -> None:
    so_far = "failed"
    for when, outcome in (("setup", setup), ("call", call), ("teardown", teardown)):
        if outcome:
            so_far = attempts.ended_so_far(so_far, when, outcome)
    assert so_far == ended


SOME_TESTS = """
import pytest

@pytest.fixture
def complaint():
    yield
    raise OSError("it complained")

@pytest.mark.promise(3)
def test_breaks_in_its_setup(there_is_no_such_fixture): ...

@pytest.mark.promise(3)
@pytest.mark.parametrize("live_site", ["PostgreSQL"])
def test_breaks_on_a_database_of_its_own(live_site, there_is_no_such_fixture): ...

@pytest.mark.promise(4)
@pytest.mark.parametrize("sites", ["PostgreSQL"])
def test_breaks_afterwards(attempt, sites, complaint):
    attempt.saw("all")

@pytest.mark.promise(4, minutes=2)
def test_is_kept(attempt):
    attempt.count(2, "pages")

@pytest.mark.promise(4)
def test_has_nothing_to_try(attempt):
    pytest.skip()

@pytest.mark.promise(4, beside="nothing")
def test_beside_which_nothing_may_run(attempt): ...

@pytest.mark.promise(5)
def test_of_a_row_that_is_not_asked_for(attempt): ...

def test_that_is_no_attempt(): ...
"""


@pytest.mark.thorough
def test_every_attempt_is_told_by_its_database_also_where_it_broke_in_its_setup(tmp_path: Path) -> None:
    file, report = tmp_path / "test_some.py", tmp_path / "report"
    file.write_text(SOME_TESTS)
    words = [*measure.PYTEST[:4], "-p", "tests.trust.attempts", "-c", os.devnull, f"--rootdir={tmp_path}", str(file)]
    environment = os.environ | {
        "TRUST_REPORT": str(report), "TRUST_ROWS": "3 4", "TRUST_BESIDE": "anything",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }  # fmt: skip
    ended = subprocess.run(words, cwd=measure.PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED, ended.stdout
    told = [json.loads(line) for line in report.read_text().splitlines()]
    assert told[0]["test"] == "test_is_kept", "the longest comes first"
    names = ("test", "number", "database", "kept")
    assert {(*(one[name] for name in names), *one["seen"], *one["counted"]) for one in told} == {
        ("test_breaks_in_its_setup", 3, OF_THIS_RUN, False),
        ("test_breaks_on_a_database_of_its_own[PostgreSQL]", 3, "PostgreSQL", False),
        ("test_breaks_afterwards[PostgreSQL]", 4, "PostgreSQL", False, "all"),
        ("test_is_kept", 4, OF_THIS_RUN, True, "pages"),
    }
