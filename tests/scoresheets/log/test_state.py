"""From rows to what the rules make of them, and the promises of the rows themselves."""

from itertools import pairwise

import pytest
from django.db import IntegrityError, transaction

from scoresheets.commands import enter
from scoresheets.log.state import read_sheet
from scoresheets.models import Entry, Revision
from scoresheets.models.log import LogError
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import Counts


def test_a_reading_tells_who_sits_where_and_what_stands(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    sure_of(marge.bid(3, 0))
    reading = read_sheet(ann.sheet)
    assert reading.names == {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}
    assert reading.entries == {(1, "bid-2"): {"bid": 1}, (1, "bid-3"): {"bid": 0}}
    assert {entry.by for address, entry in reading.standing.items() if address[0]} == {"", "Marge"}
    assert set(reading.entry_ids) == {(0, "table"), (1, "bid-2"), (1, "bid-3")}
    assert reading.sheet.open is not None
    assert reading.sheet.open.missing is not None
    assert reading.sheet.open.missing.name == "bid-4"
    assert (reading.next_hand, reading.next_event, reading.last_write) == (1, 1, 3)


def test_a_reading_stays_what_it_was(ann: Scorer) -> None:
    before = ann.reading
    sure_of(ann.bid(2, 1))
    assert (before.version, before.entries) == (1, {})


@pytest.mark.parametrize("hands", [0, 3, 9])
def test_it_asks_two_questions_whatever_stands_there(db: None, statements: Counts, hands: int) -> None:
    table = scorer(6, plan={"peak": 8})
    for _ in range(hands):
        table.any_hand()
    sheet = table.sheet
    with statements(exactly=2):
        reading = read_sheet(sheet)
        assert len(reading.sheet.rows) == hands
        assert reading.names
        assert reading.last_write or not hands
        assert not reading.notes
        assert reading.setup.seats


def test_an_ask_is_found_at_its_address(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    reading = ann.reading
    standing, due = reading.ask_at((1, "bid-2")), reading.ask_at((1, "bid-3"))
    assert standing is not None
    assert due is not None
    assert (standing.seat, due.seat) == (2, 3)
    assert reading.ask_at((1, "bid-4")) is None
    assert reading.ask_at((7, "bid-2")) is None


def test_what_is_open_and_what_is_scored(ann: Scorer) -> None:
    ann.any_hand()
    reading = ann.reading
    assert reading.is_scored((1, "bid-2"))
    assert not reading.is_open((1, "bid-2"))
    assert reading.is_open((2, "bid-3"))
    assert not reading.is_scored((2, "bid-3"))
    assert not reading.is_open((0, "tie-1-bid-2"))
    assert not reading.is_scored((0, "tie-1-bid-2"))
    while ann.reading.sheet.open:
        ann.any_hand()
    reading = ann.reading
    assert reading.is_open((0, "tie-1-bid-1"))
    assert not reading.is_open((5, "bid-1"))
    ann.settle()
    assert ann.reading.is_scored((0, "tie-1-tricks"))


def test_what_recorded_data_cannot_be_read_is_unread_and_never_lost(ann: Scorer) -> None:
    write = Revision.objects.get(sheet=ann.sheet)
    Entry.objects.create(sheet=ann.sheet, hand=3, ask="bid-2", data={"bid": 99}, added_by=write, first_by=write)
    assert ann.reading.sheet.unread == ((3, "bid-2"),)
    sure_of(ann.bid(2, 1))
    assert ann.reading.sheet.unread == ((3, "bid-2"),)


def test_a_step_that_does_not_fit_is_replaced_by_who_saw_it(ann: Scorer) -> None:
    write = Revision.objects.get(sheet=ann.sheet)
    Entry.objects.create(sheet=ann.sheet, hand=1, ask="bid-2", data={"bid": 99}, added_by=write, first_by=write)
    opened = ann.reading.sheet.open
    assert opened is not None
    assert opened.misfit == (1, "bid-2")
    seen = ann.saw((1, "bid-2"))
    sure_of(enter.enter(ann.sheet, (1, "bid-2"), {"bid": 1}, saw=seen, key=new_key(), by=ann.by))
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}


# What the database itself holds


def test_one_standing_entry_an_address_is_the_databases_own_rule(ann: Scorer) -> None:
    write = Revision.objects.get(sheet=ann.sheet)
    Entry.objects.create(sheet=ann.sheet, hand=1, ask="bid-2", data={"bid": 1}, added_by=write, first_by=write)
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(sheet=ann.sheet, hand=1, ask="bid-2", data={"bid": 0}, added_by=write, first_by=write)


@pytest.mark.parametrize("same", ["key", "version"])
def test_one_write_a_key_and_a_version_is_the_databases_own_rule(ann: Scorer, same: str) -> None:
    fields = {"key": "another", "version": 2, same: getattr(Revision.objects.get(sheet=ann.sheet), same)}
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(
            sheet=ann.sheet, verb="enter", digest="x", keeper=ann.by, at=ann.sheet.opened_at, **fields
        )


def test_what_is_written_is_neither_changed_nor_deleted(ann: Scorer) -> None:
    entry, write = Entry.objects.get(sheet=ann.sheet), Revision.objects.get(sheet=ann.sheet)
    for row in (entry, write):
        with pytest.raises(LogError):
            row.save()
    for row in (entry, write):
        with pytest.raises(LogError):
            row.delete()


def test_every_version_has_its_write_and_every_write_its_keeper(ann: Scorer, marge: Scorer) -> None:
    ann.any_hand()
    sure_of(marge.undo())
    sure_of(marge.tricks({1: 1, 2: 0, 3: 0, 4: 0}))
    writes = Revision.objects.filter(sheet=ann.sheet).order_by("version")
    assert [write.version for write in writes] == list(range(1, 9))
    assert [write.keeper.name for write in writes][-2:] == ["Marge", "Marge"]
    assert all(earlier.at <= later.at for earlier, later in pairwise(writes))


def test_what_is_unread_in_a_scored_hand_stays_unread_while_the_game_goes_on(ann: Scorer) -> None:
    write = Revision.objects.get(sheet=ann.sheet)
    Entry.objects.create(sheet=ann.sheet, hand=1, ask="bid-9", data={"bid": 1}, added_by=write, first_by=write)
    ann.any_hand()
    done = sure_of(ann.bid(3, 0, hand=2))
    assert done.reading.sheet.unread == ann.reading.sheet.unread == ((1, "bid-9"),)
