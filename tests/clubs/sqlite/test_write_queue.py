"""Writers on SQLite stand in line."""

import fcntl
import math
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from unittest.mock import patch

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test.utils import CaptureQueriesContext

from clubs.models import User
from clubs.site.database_errors import LOCKED, trouble_of
from clubs.sqlite.lock_wait import DatabaseLocked, lock_wait
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sqlite]


def place_is_free() -> bool:
    queue = os.open(f"{connection.settings_dict['NAME']}-queue", os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(queue, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(queue)
    return True


def test_place_is_held_exactly_as_long_as_the_transaction() -> None:
    assert place_is_free()
    with transaction.atomic():
        assert not place_is_free()
        with transaction.atomic():
            assert not place_is_free()
        assert not place_is_free()
    assert place_is_free()


def test_place_is_given_up_when_the_transaction_fails() -> None:
    with suppress(ValueError), transaction.atomic():
        raise ValueError
    assert place_is_free()


def test_place_is_given_up_when_the_connection_is_lost() -> None:
    with suppress(DatabaseError), transaction.atomic():
        connection.close()
    assert place_is_free()


def test_place_is_given_up_when_the_transaction_cannot_begin() -> None:
    connection.ensure_connection()
    with patch.object(connection, "cursor", side_effect=OperationalError), pytest.raises(OperationalError):
        with transaction.atomic():
            pass
    assert place_is_free()


def test_who_has_given_up_waiting_stands_in_nobodys_way() -> None:
    first = os.open(f"{connection.settings_dict['NAME']}-queue", os.O_RDWR | os.O_CREAT)
    fcntl.flock(first, fcntl.LOCK_EX)
    connection.close()
    begin = time.monotonic()
    with patch.dict(connection.settings_dict["OPTIONS"], {"timeout": 0.1}):
        with pytest.raises(OperationalError, match="locked"), transaction.atomic():
            pass
        connection.close()
    assert 0.1 <= time.monotonic() - begin < 60
    os.close(first)
    with transaction.atomic():
        assert not place_is_free()
    until(place_is_free, "The place is still taken.")


def test_reading_takes_no_place_and_begins_no_transaction() -> None:
    with transaction.atomic(), ThreadPoolExecutor(1) as pool:

        def read() -> tuple[int, int]:
            try:
                with CaptureQueriesContext(connection) as asked:
                    count = User.objects.count()
                return count, len(asked)
            finally:
                connection.close()

        assert pool.submit(read).result(timeout=60) == (0, 1)


def test_none_of_twenty_writers_is_refused() -> None:
    def write(writer: int) -> None:
        try:
            for turn in range(10):
                with transaction.atomic():
                    before = User.objects.count()
                    User.objects.create(username=f"{writer}-{turn}")
                    assert User.objects.count() == before + 1
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        list(pool.map(write, range(20)))
    assert User.objects.count() == 200


def test_thread_waits_no_longer_than_it_wants_and_notes_that_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock_wait, "seconds", 0.01)
    monkeypatch.setattr(lock_wait, "found_at", -math.inf)
    connection.close()
    other = connection.copy()
    with closing(other), other_writes(other):
        assert connection.get_connection_params()["timeout"] == 0.01
        with pytest.raises(OperationalError, match="queue of its writers does not move") as problem:
            with transaction.atomic():
                pass
    assert trouble_of(problem.value) == LOCKED
    assert lock_wait.found_at > 0
    with transaction.atomic():
        pass


def test_thread_that_leaves_locks_to_others_breaks_off_and_tries_again_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lock_wait, "seconds", 0.01)
    monkeypatch.setattr(lock_wait, "pause", 3600.0)
    monkeypatch.setattr(lock_wait, "found_at", -math.inf)
    connection.close()
    other = connection.copy()
    with closing(other), other_writes(other):
        with pytest.raises(DatabaseLocked), transaction.atomic():
            pass
    with pytest.raises(DatabaseLocked), transaction.atomic():
        pass
    # Who reads needs no lock.
    assert User.objects.count() == 0
    lock_wait.found_at -= 3601
    with transaction.atomic():
        pass
    assert place_is_free()


@contextmanager
def other_writes(other: BaseDatabaseWrapper) -> Iterator[None]:
    """Another thread of the process is in a transaction."""
    other.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
    try:
        yield
    finally:
        other.rollback()
