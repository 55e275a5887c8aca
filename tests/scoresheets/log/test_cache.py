"""Readings that are kept in memory: nobody can tell them from fresh ones, but by what they cost."""

from typing import Any

import pytest
from django.db import transaction

from rules.core.engine.replay import read
from scoresheets.access import scorekeepers
from scoresheets.commands import enter
from scoresheets.log import append
from scoresheets.log.answers import Conflict, Done
from scoresheets.log.cache import LEAST_ENTRIES, ReadingCache, WriteMark
from scoresheets.log.entries import MOST_TEXTS, one_text
from scoresheets.log.state import SheetReading
from scoresheets.models import Entry, Revision, Sheet
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import Counts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def readings(monkeypatch: pytest.MonkeyPatch) -> ReadingCache:
    """A cache of this test's own."""
    own = ReadingCache(most=3 * LEAST_ENTRIES)
    monkeypatch.setattr(append, "written_readings", own)
    return own


@pytest.fixture
def table() -> Scorer:
    return scorer(4, plan={"peak": 3})


def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on it is as if another process did the writing."""
    monkeypatch.setattr(append, "written_readings", ReadingCache())


def same_as_fresh(table: Scorer, reading: SheetReading) -> bool:
    fresh = table.reading
    full = read(fresh.game, fresh.table, fresh.entries)
    return (reading.standing, reading.chairs, reading.version, reading.sheet) == (
        fresh.standing, fresh.chairs, fresh.version, full,
    )  # fmt: skip


def test_a_post_after_another_need_not_read_the_sheet(table: Scorer, statements: Counts) -> None:
    sure_of(table.bid(2, 1))
    with statements(exactly=5):
        done = sure_of(enter.enter(table.sheet, (1, "bid-3"), {"bid": 0}, saw=None, key=new_key(), by=table.by))
    assert same_as_fresh(table, done.reading)


def test_a_post_after_another_knows_what_the_rules_read_already(table: Scorer, readings: ReadingCache) -> None:
    known = sure_of(table.bid(2, 1)).reading
    last = Revision.objects.get(sheet=table.sheet, version=known.version)
    record = Sheet.objects.get(pk=table.sheet.pk)
    again = readings.get(record, WriteMark(last.pk, last.version, last.at))
    assert again is not None
    assert again.record is record
    assert again.entries is known.entries
    assert again.entries == table.reading.entries


def test_a_whole_game_from_the_cache_is_the_game(table: Scorer) -> None:
    table.any_game()
    done = sure_of(table.undo())
    assert same_as_fresh(table, done.reading)
    done = sure_of(table.undo(done.version))
    assert same_as_fresh(table, done.reading)
    assert done.reading.finished


def test_a_sheet_that_has_ended_is_kept_no_more(table: Scorer, readings: ReadingCache) -> None:
    sure_of(table.bid(2, 1))
    assert len(readings.readings) == 1
    table.any_game()
    assert table.reading.finished
    assert len(readings.readings) == 0


def test_what_another_process_wrote_is_read(
    table: Scorer, monkeypatch: pytest.MonkeyPatch, readings: ReadingCache
) -> None:
    sure_of(table.bid(2, 1))
    another_process(monkeypatch)
    sure_of(table.bid(3, 0))
    monkeypatch.setattr(append, "written_readings", readings)
    answer = table.bid(3, 1)
    assert isinstance(answer, Conflict)
    assert same_as_fresh(table, answer.reading)


def test_what_was_rolled_back_is_not_in_the_cache(table: Scorer) -> None:
    sure_of(table.bid(2, 1))

    with transaction.atomic():
        sure_of(table.bid(3, 1))
        transaction.set_rollback(True)
    done = sure_of(table.bid(3, 0))
    assert done.version == 3
    assert same_as_fresh(table, done.reading)


def test_a_restored_backup_is_read(table: Scorer) -> None:
    sure_of(table.bid(2, 1))
    sure_of(table.bid(3, 1))
    Entry.objects.filter(sheet=table.sheet, ask="bid-3").delete()
    Revision.objects.filter(sheet=table.sheet, version=3).delete()
    Sheet.objects.filter(pk=table.sheet.pk).update(version=2)
    write = Revision.objects.get(sheet=table.sheet, version=2)
    again = Revision.objects.create(
        sheet=table.sheet, version=3, key="another key", verb="enter", digest="", keeper=table.by, at=write.at
    )
    Entry.objects.create(sheet=table.sheet, hand=1, ask="bid-3", data={"bid": 0}, added_by=again, first_by=again)
    Sheet.objects.filter(pk=table.sheet.pk).update(version=3)
    done = sure_of(table.bid(4, 0))
    assert done.reading.entries[1, "bid-3"] == {"bid": 0}
    assert same_as_fresh(table, done.reading)


def test_a_new_name_of_a_scorekeeper_is_read_by_everybody(table: Scorer) -> None:
    marge = Scorer(table.sheet, ScorekeeperFactory(sheet=table.sheet, name=""))
    sure_of(marge.bid(2, 1))
    assert scorekeepers.rename_scorekeeper(marge.by, "Marge") is None
    answer = table.bid(2, 0)
    assert isinstance(answer, Conflict)
    assert answer.standing.by == "Marge"
    assert table.reading.version == 3


def test_the_row_of_the_sheet_is_always_the_fresh_one(table: Scorer) -> None:
    sure_of(table.bid(2, 1))
    Sheet.objects.filter(pk=table.sheet.pk).update(quiet=True)
    done = sure_of(table.bid(3, 0))
    assert done.reading.record.quiet


def test_a_resent_post_is_answered_from_the_cache(table: Scorer, statements: Counts) -> None:
    key = new_key()
    sure_of(enter.enter(table.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=table.by))
    with statements(exactly=2):
        done = sure_of(enter.enter(table.sheet, (1, "bid-2"), {"bid": 1}, saw=None, key=key, by=table.by))
    assert done.again


def test_the_cache_keeps_the_latest_and_lets_the_others_go(readings: ReadingCache) -> None:
    tables = [scorer(4) for _ in range(5)]
    for table in tables:
        sure_of(table.bid(2, 0))
    assert set(readings.readings.values) == {table.sheet.code for table in tables[2:]}
    for table in tables:
        assert same_as_fresh(table, sure_of(table.bid(3, 0)).reading)


def test_a_mark_is_one_write_and_no_other(table: Scorer, readings: ReadingCache) -> None:
    done: Any = sure_of(table.bid(2, 0))
    assert isinstance(done, Done)
    write = Revision.objects.get(sheet=table.sheet, version=2)
    mark = WriteMark(write.pk, write.version, write.at)
    assert readings.get(table.sheet, mark) is not None
    assert readings.get(table.sheet, None) is None
    for other in (mark._replace(pk=mark.pk + 1), mark._replace(version=3), mark._replace(at=table.sheet.opened_at)):
        assert readings.get(table.sheet, other) is None


def test_equal_texts_of_readings_are_one_object(table: Scorer) -> None:
    """A process keeps many readings, and a fifth of what they take would be the same few words."""
    written, read_anew = sure_of(table.bid(2, 1)).reading, [table.reading, scorer(4, plan={"peak": 3}).reading]
    entries = [entry for reading in (written, *read_anew) for entry in reading.standing.values()]
    texts = [text for entry in entries for text in (entry.address[1], entry.by, entry.verb, entry.added_verb)]
    names = [name for reading in read_anew for entry in reading.standing.values() for name in entry.data]
    for same in (texts, names):
        assert len({id(text) for text in same}) == len(set(same))


def test_no_more_texts_are_known_than_there_is_room_for() -> None:
    for number in range(MOST_TEXTS + 10):
        one_text(f"text {number}")
    assert one_text.cache_info().currsize == MOST_TEXTS
