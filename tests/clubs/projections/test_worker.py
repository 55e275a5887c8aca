"""The thread that counts: one for all processes of the site, and what fails keeps nothing else waiting."""

from __future__ import annotations

import datetime
import threading
import time
from collections.abc import Iterator

import pytest
import time_machine
from django.db import OperationalError, connections
from django.utils import timezone

from clubs.models import Night, PendingUpdate, Placing, ProjectionLease, Table
from clubs.projections import lease, update, worker
from clubs.projections.worker import Worker, count_next
from clubs.records.table_copies import keep_copies
from scoresheets.log.state import SheetReading
from tests import counted
from tests.club_factories import ClubFactory, MemberFactory, NightFactory, played
from tests.counted import not_counted
from tests.waiting import until


@pytest.fixture
def put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails is put off, as on the site: in all other tests it fails the test."""
    monkeypatch.setattr(worker, "put_off", counted.put_off)


@pytest.fixture
def _waiting() -> Iterator[None]:
    with not_counted():
        yield


def table_of(night: Night) -> Table:
    """A table at which four have played to the end."""
    return played(night, MemberFactory.create_batch(4, club=night.club))


def fails_at(monkeypatch: pytest.MonkeyPatch, table: Table, error: Exception) -> None:
    """The placings of that table cannot be computed."""

    def keep(one: Table, reading: SheetReading | None) -> list[Placing]:
        if one == table:
            raise error
        return keep_copies(one, reading)

    monkeypatch.setattr(update, "keep_copies", keep)


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.usefixtures("put_off", "_waiting")
def test_result_that_cannot_be_counted_is_put_off_longer_and_longer_and_keeps_no_other_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    night = NightFactory(club=ClubFactory())
    bad, good = table_of(night), table_of(night)
    elsewhere = table_of(NightFactory(club=ClubFactory()))
    fails_at(monkeypatch, bad, ValueError("a secret of Ann's"))
    with time_machine.travel(datetime.datetime(2026, 3, 1, 20, tzinfo=datetime.UTC), tick=False) as clock:
        worker.catch_up()
        assert set(Placing.objects.values_list("table", flat=True)) == {good.pk, elsewhere.pk}
        (row,) = PendingUpdate.objects.all()
        assert (row.subject, row.failures, row.error) == (bad.sheet_id, 1, "ValueError")
        assert row.not_before == timezone.now() + datetime.timedelta(seconds=2)
        for seconds in (4, 8, 16):
            clock.shift(datetime.timedelta(seconds=seconds))
            worker.catch_up()
            row.refresh_from_db()
            assert row.not_before == timezone.now() + datetime.timedelta(seconds=seconds)
        monkeypatch.undo()
        clock.shift(60)
        worker.catch_up()
    assert Placing.objects.filter(table=bad).count() == 4
    assert not PendingUpdate.objects.exists()
    assert "ValueError" in caplog.text
    assert "Ann" not in caplog.text, "messages of errors quote rows"


@pytest.mark.django_db
@pytest.mark.usefixtures("put_off", "_waiting")
def test_correction_of_a_sheet_that_failed_is_tried_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(NightFactory(club=ClubFactory()))
    with monkeypatch.context() as broken:
        fails_at(broken, table, ValueError())
        worker.catch_up()
    worker.catch_up()
    assert not Placing.objects.exists(), "it waits for two seconds"
    counted.results_changed(table.night.club_id, table.sheet)
    worker.catch_up()
    assert Placing.objects.count() == 4
    assert not PendingUpdate.objects.exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("put_off", "_waiting")
def test_database_without_room_or_time_is_no_fault_of_a_result(monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(NightFactory(club=ClubFactory()))
    fails_at(monkeypatch, table, OperationalError("database is locked"))
    with pytest.raises(OperationalError):
        worker.catch_up()
    assert PendingUpdate.objects.get().failures == 0


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.usefixtures("_waiting")
def test_one_process_counts_until_it_has_been_silent_for_a_second() -> None:
    table_of(NightFactory(club=ClubFactory()))
    with time_machine.travel(datetime.datetime(2026, 3, 1, 20, tzinfo=datetime.UTC), tick=False) as clock:
        ProjectionLease.objects.create(pk=1, holder="another", until=timezone.now() + lease.LEASE)
        assert not count_next("this")
        assert not Placing.objects.exists()
        clock.shift(datetime.timedelta(seconds=1.1))
        assert count_next("this")
        assert Placing.objects.count() == 4
        assert not count_next("another") or not worker.has_ready()


@pytest.mark.databases_differ
@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_waiting")
def test_two_threads_count_every_table_once_and_all_of_it() -> None:
    night = NightFactory(club=ClubFactory())
    tables = [table_of(night) for _ in range(4)]
    both = [threading.Thread(target=in_a_thread, args=(str(k),)) for k in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join(60)
    assert not PendingUpdate.objects.exists()
    assert Placing.objects.count() == 4 * len(tables)


def in_a_thread(holder: str) -> None:
    try:
        while worker.has_ready():
            if not count_next(holder):
                time.sleep(0.05)
    finally:
        connections.close_all()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_waiting")
def test_thread_of_the_site_counts_what_was_left_and_what_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    night = NightFactory(club=ClubFactory())
    first = table_of(night)
    site = Worker()
    until(lambda: Placing.objects.filter(table=first).count() == 4)
    second = table_of(night)
    site.changed.set()
    until(lambda: Placing.objects.filter(table=second).count() == 4)
    site.stop()
    assert not site.thread.is_alive()


def test_tables_that_end_together_are_waited_for_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, sleeps = [100.0], list[float]()

    def sleep(seconds: float) -> None:
        sleeps.append(seconds)
        clock[0] += seconds

    def waits(*newest: int | None) -> int:
        """How often it looks again, where it finds these rows one after the other."""
        found = iter(newest)
        monkeypatch.setattr(worker, "newest_change", lambda: next(found))
        sleeps.clear()
        worker.wait_for_others()
        return len(sleeps)

    monkeypatch.setattr(worker.time, "sleep", sleep)
    monkeypatch.setattr(worker.time, "monotonic", lambda: clock[0])
    assert waits(None) == 0
    assert waits(7, 7) == 1
    assert waits(7, 8, 9, 9) == 3
    assert waits(7, None) == 1, "another process has counted it"
    assert waits(*range(1, 100)) * worker.QUIET == pytest.approx(worker.LONGEST_WAIT, abs=worker.QUIET)


@pytest.mark.django_db
def test_process_that_does_not_serve_the_site_leaves_it_to_one_that_does(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[object] = []
    monkeypatch.setattr(worker, "Worker", lambda: started.append(True))
    worker.wake()
    assert started == []
