"""Two seats found swapped hands ago: put right in one change that says what it moves."""

import pytest

from scoresheets.corrections.swap import NUMBERS, SEATS, Swap, correct_swap, swap_change
from scoresheets.log.answers import Answer
from scoresheets.results.impact import OutdatedPreview, moves, previewed
from tests.factories import Scorer, new_key, sure_of
from tests.scoresheets.conftest import HUGE, told
from tests.scoresheets.people import leave, refused, result_of, scored_from_its_file


def put(p: Scorer, what: str, one: object, other: object, since: object, until: object = 1) -> Answer:
    swap = Swap(what, one, other, since, until)
    change = swap_change(p.reading, swap) if swap.is_sound else None
    digest = moves(p.reading, previewed(p.reading, change)).digest if hasattr(change, "added") else ""
    return correct_swap(p.sheet, swap, digest=digest, key=new_key(), by=p.by)


@pytest.fixture
def played(ann: Scorer) -> Scorer:
    """Three hands of four; in each Ann bid and took everything, Bo bid one and was set."""
    for _ in range(3):
        ann.clear_hand()
    return ann


def test_numbers_of_two_columns_change_over_in_the_hands_that_are_named(played: Scorer) -> None:
    before = played.reading.sheet
    done = sure_of(put(played, NUMBERS, 1, 2, 2, 3))
    assert done.verb == "correct"
    after = played.reading.sheet
    assert after.rows[0].points == before.rows[0].points
    for row, old in zip(after.rows[1:], before.rows[1:], strict=True):
        assert row.points == {1: old.points[2], 2: old.points[1], 3: old.points[3], 4: old.points[4]}
        assert row.hand.steps["bid-1"] == old.hand.steps["bid-2"]
    assert after.unread == ()


def test_preview_names_everybody_touched(played: Scorer) -> None:
    reading = played.reading
    told_of = moves(reading, previewed(reading, swap_change(reading, Swap(NUMBERS, 1, 2, 1, 1))))
    assert "Hand 1: <bdi>Ann</bdi> +6 to −1, <bdi>Bo</bdi> −1 to +6." in told_of.points
    assert told_of.unread == ()


def test_one_tap_takes_it_back_also_later(played: Scorer) -> None:
    before = played.reading
    version = sure_of(put(played, NUMBERS, 1, 2, 1, 3)).version
    sure_of(played.bid(1, 0))
    sure_of(played.undo(version))
    assert played.reading.sheet.rows == before.sheet.rows


def test_other_places_change_who_dealt_and_no_number(played: Scorer) -> None:
    before = played.reading.sheet
    sure_of(put(played, SEATS, 2, 3, 2))
    after = played.reading.sheet
    assert [row.points for row in after.rows] == [row.points for row in before.rows]
    assert [row.hand.dealer for row in before.rows] == [1, 2, 3]
    assert [row.hand.dealer for row in after.rows] == [1, 3, 2]
    assert after.table.seats == (1, 3, 2, 4)
    sure_of(played.undo())
    assert played.reading.sheet.table.seats == (1, 2, 3, 4)


def test_bids_of_the_open_hand_wait_for_their_turn_and_none_is_lost(played: Scorer) -> None:
    for seat in (1, 2):
        sure_of(played.bid(seat, 0))
    reading = played.reading
    told_of = moves(reading, previewed(reading, swap_change(reading, Swap(SEATS, 2, 3, 2, 1))))
    assert any("<bdi>Bo</bdi>’s bid 0 in hand 4" in said for said in told_of.unread)
    sure_of(put(played, SEATS, 2, 3, 2))
    assert played.reading.sheet.open.missing.name == "bid-3"
    sure_of(played.bid(3, 0))
    assert list(played.reading.sheet.open.hand.steps) == ["bid-1", "bid-3", "bid-2"]


def test_finished_sheet_is_put_right_too(ann: Scorer) -> None:
    ann.clear_game()
    winner = ann.reading.sheet.winner
    sure_of(put(ann, NUMBERS, 1, 2, 1, 4))
    assert (winner, ann.reading.sheet.winner) == (1, 2)
    assert scored_from_its_file(ann.reading) == result_of(ann.reading)


def test_who_did_not_play_in_all_of_the_hands_cannot_be_meant(played: Scorer) -> None:
    sure_of(leave(played, 4))
    assert refused(put(played, NUMBERS, 1, 4, 2, 4)) == "not-asked"
    assert refused(put(played, NUMBERS, 1, 9, 1, 2)) == "not-asked"
    assert refused(put(played, SEATS, 1, 4, 4)) == "not-asked"
    assert refused(put(played, SEATS, 1, 2, 9)) == "not-asked"


def test_the_same_numbers_change_nothing(played: Scorer) -> None:
    assert refused(put(played, NUMBERS, 3, 4, 1, 1)) == "nothing-changes"
    assert refused(put(played, NUMBERS, 1, 1, 1, 1)) == "unknown-player"


def test_another_preview_than_was_shown_writes_nothing(played: Scorer) -> None:
    answer = correct_swap(played.sheet, Swap(NUMBERS, 1, 2, 1, 3), digest="old", key=new_key(), by=played.by)
    assert isinstance(answer, OutdatedPreview)
    assert played.reading.sheet.rows[0].points[1] == 6


@pytest.mark.parametrize("number", [None, True, 0, "1", HUGE], ids=told)
def test_numbers_that_are_none_are_refused(played: Scorer, number: object) -> None:
    for swap in ((number, 2, 1, 1), (1, number, 1, 1), (1, 2, number, 1), (1, 2, 1, number)):
        assert refused(put(played, NUMBERS, *swap)) in ("unknown-player", "not-asked")
    assert refused(put(played, "nothing", 1, 2, 1, 1)) == "unknown-player"
