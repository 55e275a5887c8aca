"""Results are counted right after the change that asks for it, as the site does it a moment later in a thread.

The tests ask by the same function as the thread, after every commit: of the test's own outermost transaction, where
the test itself runs in one that is rolled back. Inside `not_counted()` nothing is counted, as between the change and
the thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Model
from django.db.models.signals import post_save
from django.db.transaction import Atomic

from clubs.projections import worker
from clubs.queue.changes import results_changed, wake, work_waits

is_on = True


def count(**signal: object) -> None:
    """In the place of `worker.wake`, as long as no test has a thread."""
    if is_on:
        worker.catch_up()


@contextmanager
def not_counted() -> Iterator[None]:
    """What changes here waits."""
    global is_on
    is_on = False
    try:
        yield
    finally:
        is_on = True


def change(club: int | None, *rows: Model, **more: Any) -> None:
    """Results have changed, and are counted."""
    results_changed(club, *rows, **more)
    worker.catch_up()


#: As the site has them.
put_off = worker.put_off


def fail(rows: object, error: Exception) -> None:
    """In the place of `worker.put_off`: no test passes whose results could not be counted."""
    raise error


def count_after_commits() -> None:
    """From now on, in all tests of this process."""
    work_waits.disconnect(dispatch_uid="clubs")
    work_waits.connect(count, dispatch_uid="tests")
    worker.put_off = fail
    leave = Atomic.__exit__

    def leave_and_count(block: Atomic, kind: type[BaseException] | None, error: Any, trace: Any) -> None:
        leave(block, kind, error, trace)
        connection = connections[block.using or "default"]
        # A block of a test case is never left with success, so that what waits for its commit is taken out here.
        if kind is None and all(outer._from_testcase for outer in connection.atomic_blocks):
            count_asked(connection)

    Atomic.__exit__ = leave_and_count  # type: ignore[method-assign]
    post_save.connect(count_saved, dispatch_uid="tests")


def count_asked(connection: BaseDatabaseWrapper) -> None:
    """Count what was to be counted after a commit that a test case never reaches."""
    asked = [entry for entry in connection.run_on_commit if entry[1] is wake]
    if asked:
        connection.run_on_commit = [entry for entry in connection.run_on_commit if entry not in asked]
        wake()


def count_saved(using: str, **signal: object) -> None:
    """A test saves a row by itself, in no transaction of its own: that is a commit too."""
    connection = connections[using]
    if connection.atomic_blocks and all(outer._from_testcase for outer in connection.atomic_blocks):
        count_asked(connection)
