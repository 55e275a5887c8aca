"""`make faults`: whether the tests find faults that are put into the code, and whether `make test` finds them too.

First the tests of `make test` are asked, then the others about the faults that are not found yet. Each time these tests
run once, and it is noted which of them reach which fault. Then one fault after the other is switched on, and the tests
that reach it run until one fails. What is done is kept in var/faults, so that it can be stopped and gone on with.

No fault is ever written into a file of the project (`python_faults`, `text_faults`). Processes that a test starts run
without faults. Some faults change nothing that anybody could notice, so nobody finds all of them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.chosen import PROJECT, Fault, chosen_faults

FOLDER = PROJECT / "var" / "faults"
#: So many faults are tried at once. Seconds for the tests of one fault: whoever goes round in circles is found out.
AT_ONCE = 3
LONGEST_TEST, LONGEST_RUN = 120, 2400
#: What pytest ends with when no test failed; when some did, or could not be loaded, or the run broke off.
PASSED, FAILED = 0, {1, 2, 3}


@dataclass(frozen=True)
class Verdict:
    """Which test found a fault, or ""; whether `make test` has those that were asked; how many of them reach it."""

    number: int
    found_by: str
    is_quick: bool
    reached_by: int

    def __str__(self) -> str:
        asked = "of make test" if self.is_quick else "of make test-all alone"
        return (
            f"{asked}: found by {self.found_by}" if self.found_by else f"{asked}: not found by {self.reached_by} tests"
        )


@dataclass(frozen=True)
class Reach:
    """Which tests reach what (a number, or the path of a template or script), their seconds, and which are quick."""

    tests: dict[str, set[int | str]]
    seconds: dict[str, float]
    quick: set[str]

    @classmethod
    def noted(cls) -> Reach:
        tests: dict[str, set[int | str]] = {}
        seconds: dict[str, float] = {}
        quick: set[str] = set()
        for is_quick in (True, False):
            for file in notes_of(is_quick=is_quick).glob("*.json"):
                for name, note in json.loads(file.read_text()).items():
                    tests[name], seconds[name] = set(note["reached"]), note["seconds"]
                    quick |= {name} if is_quick else set()
        return cls(tests, seconds, quick)

    def of(self, fault: Fault, *, is_quick: bool) -> list[str]:
        """The tests that reach a fault: those of its own package first, then the fastest."""
        key = fault.path if fault.is_text else fault.number
        package = "tests/" + re.sub(r"^(templates|static/js)/", "", fault.path).rpartition("/")[0]
        names = [name for name, keys in self.tests.items() if key in keys and (name in self.quick) == is_quick]
        return sorted(names, key=lambda name: (not name.startswith(package), self.seconds[name]))


def listed_tests(*options: str) -> list[str]:
    """The names of all tests; with `--quick` of those that `make test` runs."""
    listed = run_pytest("--collect-only", "-q", *options, "tests", capture_output=True, text=True, check=True)
    return [line for line in listed.stdout.splitlines() if "::" in line]


def run_pytest(*arguments: str, **more: Any) -> subprocess.CompletedProcess[Any]:
    command = [sys.executable, "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=PROJECT, stdin=subprocess.DEVNULL, **({"check": False} | more))


def keep(faults: list[Fault]) -> None:
    """Write down which faults are tried. What is known of other ones says nothing about these."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    file, text = FOLDER / "faults.json", json.dumps([fault.as_dict() for fault in faults])
    if file.exists() and file.read_text() != text:
        sys.exit("The code has changed: begin again, with `make faults AGAIN=1`.")
    file.write_text(text)


def environment(*, is_quick: bool, **more: str) -> dict[str, str]:
    """That of tests beside the faults; those of `make test` are asked with as few examples as there."""
    examples = {"HYPOTHESIS_PROFILE": "few"} if is_quick else {}
    return {**os.environ, "FAULTS": str(FOLDER / "faults.json"), **examples, **more}


def notes_of(*, is_quick: bool) -> Path:
    """Where it stands what the tests of `make test` reach, or the others."""
    return FOLDER / f"reached-by-{'quick' if is_quick else 'others'}"


def note_reach(*, is_quick: bool) -> None:
    """Run those of `make test`, or all others, once with all faults switched off, unless that is done."""
    noted, notes = notes_of(is_quick=is_quick), FOLDER / "notes"
    if noted.exists():
        return
    # Of a run that was stopped.
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir()
    quick, order = listed_tests("--quick"), FOLDER / "tests-to-note"
    left = set(listed_tests()).difference(quick)
    order.write_text("\n".join(quick if is_quick else sorted(left)))
    asked = environment(is_quick=is_quick, FAULTS_NOTES=str(notes), FAULTS_TESTS=str(order))
    for workers, where in (("2", ["--ignore", "tests/browser", "tests"]), ("4", ["tests/browser"])):
        plugin = ["-p", "tests.faults.plugin", "-p", "no:cacheprovider", "-q", "-n", workers, "--dist", "worksteal"]
        if run_pytest(*plugin, *where, env=asked).returncode:
            sys.exit("The tests must pass without a fault before they can say anything about one.")
    notes.rename(noted)


def run_with(fault: Fault, tests: list[str], *, is_quick: bool) -> str:
    """The test that fails when that fault is switched on, or ""."""
    if not tests:
        return ""
    order = FOLDER / f"tests-{fault.number}"
    order.write_text("\n".join(tests))
    asked = environment(is_quick=is_quick, FAULTS_ON=str(fault.number), FAULTS_TESTS=str(order))
    files = dict.fromkeys(name.partition("::")[0] for name in tests)
    plugins = ["-p", "tests.faults.plugin", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:xdist"]
    try:
        run = run_pytest(*plugins, "-x", "-q", "--timeout", str(LONGEST_TEST), *files, env=asked,
                         capture_output=True, text=True, timeout=LONGEST_RUN)  # fmt: skip
    except subprocess.TimeoutExpired:
        return "the clock"
    finally:
        order.unlink()
    if run.returncode == PASSED:
        return ""
    if run.returncode not in FAILED:
        raise RuntimeError(f"{fault}\n{run.stdout[-3000:]}{run.stderr[-3000:]}")
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", run.stdout, re.MULTILINE)
    return failed[1] if failed else run.stdout.strip().splitlines()[-1]


def verdict_on(fault: Fault, reach: Reach, *, is_quick: bool) -> Verdict:
    tests = reach.of(fault, is_quick=is_quick)
    return Verdict(fault.number, run_with(fault, tests, is_quick=is_quick), is_quick, len(tests))


def verdicts_so_far() -> dict[int, Verdict]:
    """The last verdict on each fault."""
    file = FOLDER / "verdicts.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    return {verdict.number: verdict for verdict in (Verdict(**json.loads(line)) for line in lines)}


def left_to(faults: Iterable[Fault], *, is_quick: bool) -> list[Fault]:
    """The faults about which the tests of `make test` were not asked yet; or the others, and those did not find it."""
    done = verdicts_so_far()
    if is_quick:
        return [fault for fault in faults if fault.number not in done]
    return [fault for fault in faults if done[fault.number].is_quick and not done[fault.number].found_by]


def try_each(faults: Iterable[Fault], reach: Reach, *, is_quick: bool) -> Iterator[tuple[Fault, Verdict]]:
    """Each fault that is left with its verdict, some at once; these are kept as they come."""
    left = left_to(faults, is_quick=is_quick)
    with ThreadPoolExecutor(AT_ONCE) as pool, (FOLDER / "verdicts.jsonl").open("a") as kept:
        trials = {pool.submit(verdict_on, fault, reach, is_quick=is_quick): fault for fault in left}
        for trial in as_completed(trials):
            kept.write(json.dumps(vars(trial.result())) + "\n")
            kept.flush()
            yield trials[trial], trial.result()


def figures(verdicts: Iterable[Verdict]) -> str:
    """How many were found, by `make test` and by all tests."""
    verdicts = list(verdicts)
    by_all = sum(bool(verdict.found_by) for verdict in verdicts)
    by_quick = sum(bool(verdict.found_by) and verdict.is_quick for verdict in verdicts)
    return f"Of {len(verdicts)} faults `make test` finds {by_quick}, all tests together find {by_all}."


def main() -> None:
    parser = argparse.ArgumentParser(description="Put faults into the code, and see which tests find them.")
    parser.add_argument("--again", action="store_true", help="begin anew, after a change of the code")
    arguments = parser.parse_args()
    if arguments.again:
        shutil.rmtree(FOLDER, ignore_errors=True)
    faults = chosen_faults()
    keep(faults)
    for is_quick in (True, False):
        note_reach(is_quick=is_quick)
        for fault, verdict in try_each(faults, Reach.noted(), is_quick=is_quick):
            print(f"{fault}\n    {verdict}", flush=True)  # noqa: T201
    print(figures(verdicts_so_far().values()))  # noqa: T201


if __name__ == "__main__":
    main()
