"""Going home early: the total stays as it is, the others go on (Rule 10)."""

import pytest

from rules.core.fields import SHEET
from scoresheets.commands import enter
from scoresheets.models import FinalPlacing
from scoresheets.roster import change
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import HUGE, told
from tests.scoresheets.people import arrive, leave, place, refused, reseat, result_of, scored_from_its_file


@pytest.fixture
def five(db: None) -> Scorer:
    """Five who have played their first hand of ten; Ann has 6, Bo −1, the others 5. Bo deals next, Cy bids first."""
    p = scorer(5)
    p.clear_hand()
    return p


def test_their_total_is_frozen_and_the_others_go_on(five: Scorer) -> None:
    done = sure_of(leave(five, 2))
    assert done.verb == "leave"
    sheet = five.reading.sheet
    assert sheet.table.gone == {2: -1}
    assert sheet.table.gone_after == {2: 1}
    assert sheet.table.totals == {1: 6, 3: 5, 4: 5, 5: 5}


def test_next_dealer_who_goes_leaves_the_deal_to_their_left_neighbour(five: Scorer) -> None:
    sure_of(leave(five, 2))
    assert five.reading.sheet.open.hand.dealer == 3


def test_after_this_hand_is_noted_and_counts_once_the_hand_is_scored(five: Scorer) -> None:
    sure_of(five.bid(3, 0))
    sure_of(leave(five, 1, after=True))
    reading = five.reading
    assert (reading.sheet.unread, len(reading.sheet.noted)) == ((), 1)
    assert reading.sheet.open.hand.order == (3, 4, 5, 1, 2)
    assert reading.sheet.open.hand.steps == {"bid-3": {"bid": 0}}
    for seat, bid in ((4, 0), (5, 0), (1, 1), (2, 0)):
        sure_of(five.bid(seat, bid))
    sure_of(five.tricks({1: 2, 2: 0, 3: 0, 4: 0, 5: 0}))
    sheet = five.reading.sheet
    assert sheet.table.gone == {1: 4}
    assert sheet.open.hand.order == (4, 5, 2, 3)


def test_now_has_the_hand_dealt_again_to_the_others_by_the_same_dealer(five: Scorer) -> None:
    for seat in (3, 4, 5):
        sure_of(five.bid(seat, 0))
    sure_of(leave(five, 1))
    opened = five.reading.sheet.open
    assert opened.hand.steps == {}
    assert (opened.hand.number, opened.hand.dealer, opened.hand.order) == (2, 2, (3, 4, 5, 2))
    sure_of(five.undo())
    hand = five.reading.sheet.open.hand
    assert (hand.order, list(hand.steps)) == ((3, 4, 5, 1, 2), ["bid-3", "bid-4", "bid-5"])


def test_now_of_the_dealer_has_their_left_neighbour_deal(five: Scorer) -> None:
    sure_of(five.bid(3, 0))
    sure_of(leave(five, 2))
    assert five.reading.sheet.open.hand.dealer == 3


def test_who_was_to_go_after_the_hand_can_go_now(five: Scorer) -> None:
    sure_of(five.bid(3, 0))
    sure_of(leave(five, 1, after=True))
    sure_of(leave(five, 1))
    reading = five.reading
    assert (reading.sheet.noted, reading.sheet.unread) == ((), ())
    assert reading.sheet.table.gone == {1: 6}
    sure_of(five.undo())
    assert len(five.reading.sheet.noted) == 1


def test_now_is_refused_where_something_noted_would_no_longer_fit(five: Scorer) -> None:
    sure_of(five.bid(3, 0))
    sure_of(reseat(five, [1, 3, 2, 4, 5], after=True))
    assert refused(leave(five, 1)) == "something-later"
    assert five.reading.sheet.open.hand.steps == {"bid-3": {"bid": 0}}


def test_what_was_noted_is_taken_back_after_bids_were_written_on_top(five: Scorer) -> None:
    sure_of(five.bid(3, 0))
    noted = sure_of(leave(five, 1, after=True)).version
    sure_of(five.bid(4, 0))
    sure_of(five.undo(noted))
    reading = five.reading
    assert reading.sheet.noted == ()
    assert list(reading.sheet.open.hand.steps) == ["bid-3", "bid-4"]


def test_stop_here_forgets_who_was_to_go_and_playing_on_remembers(five: Scorer) -> None:
    sure_of(five.bid(3, 0))
    sure_of(leave(five, 1, after=True))
    sure_of(enter.stop(five.sheet, 2, key=new_key(), by=five.by))
    reading = five.reading
    assert (reading.sheet.table.gone, reading.sheet.unread) == ({}, ())
    sure_of(enter.play_on(five.sheet, key=new_key(), by=five.by))
    assert [event.kind for event in five.reading.sheet.noted] == ["leave"]
    assert list(five.reading.sheet.open.hand.steps) == ["bid-3"]


def test_before_the_first_hand_it_is_a_change_of_seats(ann: Scorer) -> None:
    assert refused(leave(ann, 1)) == "leave-before-start"
    sure_of(ann.bid(2, 0))
    assert refused(leave(ann, 1)) == "leave-before-start"
    sure_of(leave(ann, 1, after=True))


def test_below_four_is_asked_about_and_two_must_stay(ann: Scorer) -> None:
    ann.clear_hand()
    assert refused(leave(ann, 1, sure=False)) == "few-players"
    sure_of(leave(ann, 1))
    sure_of(leave(ann, 2))
    assert refused(leave(ann, 3)) == "bad-players"


@pytest.mark.parametrize("seat", [None, 9, 0, True, "1", HUGE], ids=told)
def test_nobody_leaves_who_is_not_there(five: Scorer, seat: object) -> None:
    assert refused(leave(five, seat)) in ("unknown-player", "said-otherwise")
    assert five.reading.sheet.table.gone == {}


def test_two_phones_with_the_same_news_agree_and_with_other_news_are_told(five: Scorer) -> None:
    at = place(five)
    sure_of(leave(five, 1, at=at))
    assert sure_of(leave(five, 1, at=at)).verb == "agree"
    answer = leave(five, 2, at=at)
    assert refused(answer) == "somebody-wrote"
    assert "<bdi>Ann</bdi> goes home" in answer.problems[0].message


def test_after_the_last_hand_nobody_can_go_early(ann: Scorer) -> None:
    for _ in range(3):
        ann.clear_hand()
    sure_of(ann.bid(1, 0))
    answer = change.leave(ann.sheet, 1, 5, 1, key=new_key(), by=ann.by)
    assert refused(answer) == "game-over"


def test_several_things_noted_come_about_in_their_order(five: Scorer) -> None:
    sure_of(five.bid(3, 0))
    sure_of(leave(five, 2, after=True))
    sure_of(arrive(five, "Joe", after=True))
    assert refused(leave(five, 2, after=True)) == "unknown-player"
    for seat, bid in ((4, 0), (5, 0), (1, 2), (2, 1)):
        sure_of(five.bid(seat, bid))
    sure_of(five.tricks({1: 2, 2: 0, 3: 0, 4: 0, 5: 0}))
    table = five.reading.sheet.table
    assert table.gone == {2: -2}
    assert table.totals[6] == 10, "the lowest of those who stayed"


def test_game_goes_on_to_its_end_and_the_file_scores_the_same(five: Scorer) -> None:
    sure_of(leave(five, 2))
    five.clear_game()
    reading = five.reading
    assert reading.finished
    assert reading.sheet.loser in (2, 3)
    assert FinalPlacing.objects.get(sheet=five.sheet, seat__number=2).place is None
    assert scored_from_its_file(reading) == result_of(reading)
    assert all(address[0] != SHEET or address[1] == "table" for address in reading.standing)
