"""Sheets to write on, and a way to count what the database was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import ScorekeeperFactory, Scorer, scorer

#: Django writes them into its log, but nobody is asked anything by them.
BOOKKEEPING = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT", "ROLLBACK")

#: A number Python itself refuses to print.
HUGE = 10**5000

Counts = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def ann(db: None) -> Scorer:
    """The scorer at a table of four who play 1, 2, 2 and 1 cards. Seat 1, Ann, deals first: seat 2 speaks first."""
    return scorer(4)


@pytest.fixture
def marge(ann: Scorer) -> Scorer:
    """A second scorekeeper at the same table."""
    return Scorer(ann.sheet, ScorekeeperFactory(sheet=ann.sheet, name="Marge"))


@pytest.fixture
def statements() -> Counts:
    """`with statements(most=8):` or `with statements(exactly=8):` counts what is asked of the database."""

    @contextmanager
    def counted(*, most: int | None = None, exactly: int | None = None) -> Iterator[None]:
        with CaptureQueriesContext(connection) as captured:
            yield
        asked = [query["sql"] for query in captured if not query["sql"].startswith(BOOKKEEPING)]
        told = "\n".join(sql[:160] for sql in asked)
        if most is not None:
            assert len(asked) <= most, f"{len(asked)} statements, not {most}:\n{told}"
        if exactly is not None:
            assert len(asked) == exactly, f"{len(asked)} statements, not {exactly}:\n{told}"

    return counted


def told(value: object) -> str:
    """A short id for a test: Python does not print the hugest numbers."""
    try:
        return ascii(value)[:30]
    except ValueError:
        return "huge"
