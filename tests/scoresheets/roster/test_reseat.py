"""The same players in another order round the table, from the next hand on."""

import pytest

from tests.factories import Scorer, sure_of
from tests.scoresheets.conftest import HUGE, told
from tests.scoresheets.people import place, refused, reseat, result_of, scored_from_its_file


def test_order_of_bidding_and_dealing_is_the_new_one_from_the_next_hand_on(ann: Scorer) -> None:
    ann.clear_hand()
    done = sure_of(reseat(ann, [1, 3, 2, 4]))
    assert done.verb == "reseat"
    hand = ann.reading.sheet.open.hand
    assert (hand.dealer, hand.order) == (3, (2, 4, 1, 3))
    assert ann.reading.names == {1: "Ann", 2: "Bo", 3: "Cy", 4: "Di"}


def test_during_a_hand_it_is_noted_for_the_next(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(ann.bid(3, 0))
    assert refused(reseat(ann, [1, 3, 2, 4])) == "said-otherwise"
    sure_of(reseat(ann, [1, 3, 2, 4], after=True))
    sheet = ann.reading.sheet
    assert sheet.open.hand.order == (3, 4, 1, 2)
    assert [hand.dealer for hand in sheet.coming()] == [2, 4, 1]


def test_one_tap_takes_it_back(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(reseat(ann, [1, 3, 2, 4]))
    sure_of(ann.undo())
    assert ann.reading.sheet.table.seats == (1, 2, 3, 4)


@pytest.mark.parametrize("order", [[1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 5], [], [1, 2, 3, 4, 4]], ids=told)
def test_everybody_needs_one_chair(ann: Scorer, order: list[int]) -> None:
    assert refused(reseat(ann, order)) == "wrong-players"


@pytest.mark.parametrize("order", [[None], [True], ["1"], [HUGE], [1] * 99], ids=told)
def test_numbers_that_are_none_are_refused(ann: Scorer, order: list[object]) -> None:
    assert refused(reseat(ann, order)) == "said-otherwise"


def test_order_as_it_is_changes_nothing(ann: Scorer) -> None:
    assert refused(reseat(ann, [1, 2, 3, 4])) == "nothing-changes"


def test_two_phones_with_the_same_news_agree_and_with_other_news_are_told(ann: Scorer, marge: Scorer) -> None:
    at = place(ann)
    sure_of(reseat(marge, [1, 3, 2, 4], at=at))
    assert sure_of(reseat(ann, [1, 3, 2, 4], at=at)).verb == "agree"
    assert refused(reseat(ann, [1, 4, 2, 3], at=at)) == "somebody-wrote"


def test_sheet_file_scores_the_same(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(reseat(ann, [1, 3, 2, 4]))
    ann.clear_game()
    assert scored_from_its_file(ann.reading) == result_of(ann.reading)
