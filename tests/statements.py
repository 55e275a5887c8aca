"""Which statements each test sends to the database, so that PostgreSQL is asked all of them by a part of the tests.

On SQLite all tests run, and `--statements=FOLDER` records there what each of them asks. On PostgreSQL the same option
runs only those tests that between them ask every statement, beside those in which databases differ. A test of
which nothing is recorded runs.
"""

from __future__ import annotations

import heapq
import json
import re
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.db.backends.utils import CursorWrapper

#: What belongs to a transaction or to SQLite alone.
NO_QUESTION = re.compile(r"(SAVEPOINT|RELEASE|ROLLBACK|BEGIN|COMMIT|PRAGMA)\b")
#: Numbers, and lists of values or of rows of values: a statement is the same however many there are.
NUMBER, VALUES, ROWS = re.compile(r"\b\d+\b"), re.compile(r"\((?:%s, )+%s\)"), re.compile(r"(\(%s\))(?:, \(%s\))+")


class Asked(NamedTuple):
    """How many seconds a test took, and the digests of the shapes of the statements that it sent."""

    seconds: float
    shapes: frozenset[str]


@cache
def shape(sql: str) -> str:
    """What a statement has in common with those that ask the same for other values."""
    return ROWS.sub(r"\1", VALUES.sub("(%s)", NUMBER.sub("0", sql)))


@cache
def digest(shape: str) -> str:
    """A short name for a shape: thousands of tests send the same thousands of statements."""
    return sha256(shape.encode()).hexdigest()[:12]


class Recorder:
    """A plugin of pytest that records what each test asks, in one file of the folder for each process."""

    def __init__(self, folder: Path, worker: str | None) -> None:
        self.file = folder / f"{worker or 'main'}.json"
        self.sent: set[str] = set()
        self.tests: dict[str, tuple[float, list[str]]] = {}
        if worker is None:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self) -> Iterator[None]:
        with self.listening():
            return (yield)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Hear every statement of every thread."""

        def heard(execute: Callable[..., Any]) -> Callable[..., Any]:
            def execute_and_note(cursor: CursorWrapper, sql: Any, *rest: Any) -> Any:
                self.sent.add(str(sql))
                return execute(cursor, sql, *rest)

            return execute_and_note

        with pytest.MonkeyPatch.context() as patch:
            for name in ("execute", "executemany"):
                patch.setattr(CursorWrapper, name, heard(getattr(CursorWrapper, name)))
            yield

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.sent.clear()
        begin = time.monotonic()
        result = yield
        shapes = {shape(sql) for sql in self.sent if not NO_QUESTION.match(sql)}
        self.tests[item.nodeid] = (time.monotonic() - begin, [digest(shape) for shape in sorted(shapes)])
        return result

    def pytest_sessionfinish(self) -> None:
        self.file.write_text(json.dumps(self.tests))


def recorded(folder: Path) -> dict[str, Asked]:
    """What all processes have recorded in the folder, by the name of the test; nothing where it is not there."""
    tests = [test for file in folder.glob("*.json") for test in json.loads(file.read_text()).items()]
    return {name: Asked(seconds, frozenset(shapes)) for name, (seconds, shapes) in tests}


def cover(tests: Mapping[str, Asked], already: Collection[str] = ()) -> set[str]:
    """Names of tests that between them ask every statement, beginning with those that run already.

    The next one is always the test that asks most of what is missing for its seconds.
    """
    chosen = set(already)
    missing = set().union(*(asked.shapes for asked in tests.values()))
    missing = missing.difference(*(tests[name].shapes for name in chosen & tests.keys()))

    def gain(name: str) -> float:
        return len(missing & tests[name].shapes) / max(tests[name].seconds, 0.01)

    # What a test gains becomes only less while others are taken, so the first that has kept its gain has the most.
    waiting = [(-gain(name), name) for name in tests]
    heapq.heapify(waiting)
    while missing:
        before, name = heapq.heappop(waiting)
        if (now := gain(name)) < -before:
            heapq.heappush(waiting, (-now, name))
        else:
            chosen.add(name)
            missing -= tests[name].shapes
    return chosen
