"""What a finished sheet tells: places, facts and one signal."""

from collections.abc import Iterator

import pytest

from scoresheets.commands import enter
from scoresheets.log.publish import sheet_published
from scoresheets.log.state import SheetReading
from scoresheets.models import FinalPlacing, HandFact, HandMark
from tests.factories import Scorer, new_key, scorer, sure_of


@pytest.fixture
def heard() -> Iterator[list[SheetReading]]:
    """The readings that were published."""
    readings: list[SheetReading] = []

    def hear(reading: SheetReading, **_: object) -> None:
        readings.append(reading)

    sheet_published.connect(hear)
    yield readings
    sheet_published.disconnect(hear)


def test_a_running_sheet_tells_nothing(ann: Scorer, heard: list[SheetReading]) -> None:
    ann.clear_hand()
    assert not heard
    assert not FinalPlacing.objects.exists()
    assert not HandFact.objects.exists()


def test_a_finished_sheet_tells_where_everybody_ended(ann: Scorer, heard: list[SheetReading]) -> None:
    ann.clear_game()
    places = list(
        FinalPlacing.objects.order_by("place", "seat__number").values_list(
            "place", "player__name", "score", "winner", "loser"
        )
    )
    assert places == [
        (1, "Ann", 26, True, False),
        (2, "Cy", 20, False, False),
        (2, "Di", 20, False, False),
        (4, "Bo", -4, False, True),
    ]
    assert [reading.finished for reading in heard] == [True]
    assert heard[0].sheet.winner == 1


def test_a_fact_says_how_far_the_box_was_ahead(ann: Scorer) -> None:
    ann.clear_game()
    behind = HandFact.objects.filter(sheet=ann.sheet, hand=2).order_by("seat__number").values_list("total", "behind")
    assert list(behind) == [(13, 0), (-2, 15), (10, 3), (10, 3)]


def test_marks_are_what_the_game_tells_of_its_hands(ann: Scorer) -> None:
    ann.hand({2: 0, 3: 0, 4: 0, 1: 0}, {1: 0, 2: 1, 3: 0, 4: 0})
    ann.clear_game()
    marks = HandMark.objects.filter(sheet=ann.sheet, hand=1).values_list("player__name", "mark", "value")
    assert set(marks) == {("Bo", "dog-pile", 1), ("Ann", "ruled", 1)}
    ann.undo()
    assert not HandMark.objects.exists()


def test_one_fact_for_each_seat_and_hand(ann: Scorer) -> None:
    ann.clear_game()
    facts = HandFact.objects.filter(sheet=ann.sheet)
    assert facts.count() == 16
    told = facts.filter(hand=2).order_by("seat__number").values_list(
        "player__name", "cards", "bid", "tricks", "points", "total", "box", "circle"
    )  # fmt: skip
    assert list(told) == [
        ("Ann", 2, 2, 2, 7, 13, True, False),
        ("Bo", 2, 1, 0, -1, -2, False, True),
        ("Cy", 2, 0, 0, 5, 10, False, False),
        ("Di", 2, 0, 0, 5, 10, False, False),
    ]


def test_a_tied_sheet_tells_nothing_before_it_is_settled(ann: Scorer, heard: list[SheetReading]) -> None:
    while ann.reading.sheet.open:
        ann.any_hand()
    assert ann.reading.sheet.waiting
    assert not heard
    ann.settle()
    assert len(heard) == 1
    assert HandFact.objects.count() == 16


def test_opened_again_it_takes_back_what_it_told(ann: Scorer, heard: list[SheetReading]) -> None:
    ann.clear_game()
    sure_of(ann.undo())
    assert [reading.finished for reading in heard] == [True, False]
    assert not FinalPlacing.objects.exists()
    assert not HandFact.objects.exists()


def test_finished_otherwise_it_tells_otherwise(ann: Scorer, heard: list[SheetReading]) -> None:
    for _ in range(4):
        ann.clear_hand()
    sure_of(ann.undo())
    sure_of(ann.tricks({1: 0, 2: 0, 3: 1, 4: 0}))
    assert [reading.finished for reading in heard] == [True, False, True]
    told = FinalPlacing.objects.order_by("seat__number").values_list("score", flat=True)
    assert list(told) == [19, -4, 14, 20]


def test_a_note_on_a_finished_sheet_is_no_news(ann: Scorer, heard: list[SheetReading]) -> None:
    ann.clear_game()
    sure_of(enter.note(ann.sheet, 4, text="Well.", key=new_key(), by=ann.by))
    assert len(heard) == 1
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is not None


def test_the_time_it_finished_is_that_of_the_last_step(ann: Scorer) -> None:
    ann.clear_game()
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at == ann.reading.last_entries[0].at


def test_a_listener_that_fails_leaves_nothing_half_done(ann: Scorer) -> None:
    while ann.reading.next_hand < 4:
        ann.clear_hand()
    ann.bids({4: 0, 3: 0, 2: 1, 1: 1})
    version = ann.reading.version

    def fail(**_: object) -> None:
        raise RuntimeError("no standings today")

    sheet_published.connect(fail)
    try:
        with pytest.raises(RuntimeError):
            ann.tricks({1: 1, 2: 0, 3: 0, 4: 0})
    finally:
        sheet_published.disconnect(fail)
    assert ann.reading.version == version
    assert not HandFact.objects.exists()
    sure_of(ann.tricks({1: 1, 2: 0, 3: 0, 4: 0}))
    assert ann.reading.finished


@pytest.mark.thorough
def test_facts_of_a_big_table_are_all_told(db: None) -> None:
    table = scorer(10, plan={"peak": 5})
    table.clear_game()
    assert HandFact.objects.count() == 100
    assert FinalPlacing.objects.count() == 10
