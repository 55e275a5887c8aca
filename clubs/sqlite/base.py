"""The database backend for SQLite: writers queue on a file beside the database.

SQLite lets a second writer sleep and look again, a little longer each time, so that the last one may wait longest. A
lock on a file wakes the next writer the moment the first is done; the kernel releases it when a process dies. No writer
waits longer than `timeout`, as for SQLite itself, or than its thread wants to (`lock_wait.py`).
"""

import fcntl
import os
import time
from contextlib import suppress
from threading import Event, Thread
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base, features

from clubs.sqlite.lock_wait import lock_wait

#: Who waits for less looks again and again, every so many seconds, instead of letting a thread wait.
WORTH_A_THREAD, LOOK_AGAIN = 0.1, 0.005


class DatabaseFeatures(features.DatabaseFeatures):
    #: SQLite's own limit since 3.32. Django stays at the 999 of long ago, and splits into many
    #: statements what a finished sheet tells in one.
    max_query_params = 32_766


class DatabaseWrapper(base.DatabaseWrapper):
    """Takes a place in the queue with BEGIN and gives it up with COMMIT, ROLLBACK or the connection."""

    features_class = DatabaseFeatures

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.place: int | None = None

    def get_connection_params(self) -> dict[str, Any]:
        params = super().get_connection_params()
        return params | {"timeout": min(params.get("timeout", lock_wait.seconds), lock_wait.seconds)}

    def queue_up(self) -> None:
        """Wait for one's turn. Raises OperationalError or DatabaseLocked when it does not come or there is no place."""
        if self.place is not None or self.is_in_memory_db():
            return
        lock_wait.before_write()
        try:
            place = os.open(f"{self.settings_dict['NAME']}-queue", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as problem:
            raise OperationalError(f"the queue file cannot be opened ({problem.strerror})") from problem
        if not has_turn(place, self.get_connection_params()["timeout"]):
            os.close(place)
            lock_wait.in_vain()
            raise OperationalError("database is locked: the queue of its writers does not move")
        self.place = place

    def step_aside(self) -> None:
        if self.place is not None:
            os.close(self.place)
            self.place = None

    def _start_transaction_under_autocommit(self) -> None:
        self.queue_up()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # django-stubs leaves it out
        except BaseException:
            self.step_aside()
            raise

    def commit(self) -> None:
        super().commit()
        # After a failed COMMIT the transaction still stands; the ROLLBACK that follows steps aside.
        self.step_aside()

    def rollback(self) -> None:
        try:
            super().rollback()
        finally:
            self.step_aside()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self.step_aside()


def has_turn(place: int, timeout: float) -> bool:
    """Whether the lock on the file `place` was had within so many seconds."""
    if had_at_once(place):
        return True
    if timeout < WORTH_A_THREAD:
        return had_soon(place, timeout)
    came, mine = Event(), os.dup(place)

    def wait() -> None:
        with suppress(OSError):
            fcntl.flock(mine, fcntl.LOCK_EX)
        came.set()
        # Whoever has given up has closed the other one, and the lock is gone with this one.
        os.close(mine)

    # The kernel wakes whoever waits for a lock, but no sooner gives up than it is had: a thread waits in our place.
    Thread(target=wait, name="a place in the queue", daemon=True).start()
    return came.wait(timeout)


def had_at_once(place: int) -> bool:
    """Whether the lock was free, and is ours now."""
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def had_soon(place: int, timeout: float) -> bool:
    """The same within so many seconds, looking again and again."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        time.sleep(LOOK_AGAIN)
        if had_at_once(place):
            return True
    return False
