"""A late arrival: the lowest total, the next hand, a seat of their own (Rule 1)."""

import pytest

from scoresheets.commands import enter
from scoresheets.log.answers import Done
from scoresheets.log.cache import written_readings
from scoresheets.log.occupants import Chair
from scoresheets.models import Entry, Player, Seat
from scoresheets.opening.open_sheet import Somebody
from scoresheets.roster import change
from scoresheets.views.public.sheet import sheet_file_of
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import HUGE, told
from tests.scoresheets.people import arrive, leave, place, refused, result_of, scored_from_its_file, substitute


def test_newcomer_sits_down_with_the_lowest_total_and_is_dealt_in_at_the_next_hand(ann: Scorer) -> None:
    ann.clear_hand()
    done = sure_of(arrive(ann, "Joe"))
    assert done.verb == "arrive"
    sheet = ann.reading.sheet
    assert sheet.table.totals == {1: 6, 2: -1, 3: 5, 4: 5, 5: -1}
    assert sheet.open.hand.order == (3, 4, 5, 1, 2)
    assert ann.reading.names[5] == "Joe"


@pytest.mark.django_db(transaction=True)
def test_answer_knows_the_new_chair_and_so_does_what_is_kept_in_memory() -> None:
    ann = scorer(4)
    ann.clear_hand()
    done = sure_of(arrive(ann, "Joe"))
    assert done.reading.names == ann.reading.names
    assert done.reading.sheet == ann.reading.sheet
    assert sure_of(ann.bid(3, 0)).reading.names[5] == "Joe"
    *_, kept = written_readings.readings.values[ann.sheet.code]
    assert kept.names[5] == "Joe"
    assert isinstance(kept.chairs[5], Chair)


def test_arrival_during_a_hand_is_noted_for_the_next_one(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(ann.bid(3, 0))
    assert refused(arrive(ann, "Joe")) == "said-otherwise"
    sure_of(arrive(ann, "Joe", after=True))
    reading = ann.reading
    assert reading.sheet.unread == ()
    assert reading.sheet.open.hand.order == (3, 4, 1, 2)
    assert [event.name for event in reading.sheet.noted] == ["arrive-1"]
    for seat, bid in ((4, 0), (1, 2), (2, 1)):
        sure_of(ann.bid(seat, bid))
    sure_of(ann.tricks({1: 2, 2: 0, 3: 0, 4: 0}))
    sheet = ann.reading.sheet
    assert sheet.open.hand.order == (4, 5, 1, 2, 3)
    assert sheet.table.totals[5] == sheet.table.totals[2] == -2


def test_what_was_noted_outlives_a_misdeal_of_the_hand_and_not_an_early_end(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(ann.bid(3, 0))
    sure_of(arrive(ann, "Joe", after=True))
    sure_of(enter.misdeal(ann.sheet, 2, 1, key=new_key(), by=ann.by))
    assert len(ann.reading.sheet.noted) == 1
    sure_of(enter.stop(ann.sheet, 2, key=new_key(), by=ann.by))
    reading = ann.reading
    assert reading.sheet.unread == ()
    assert 5 not in reading.names
    sure_of(enter.play_on(ann.sheet, key=new_key(), by=ann.by))
    assert len(ann.reading.sheet.noted) == 1


def test_going_back_to_the_hand_in_which_it_was_noted_notes_it_again(ann: Scorer) -> None:
    sure_of(ann.bid(2, 0))
    sure_of(arrive(ann, "Joe", after=True))
    for seat, bid in ((3, 0), (4, 0), (1, 0)):
        sure_of(ann.bid(seat, bid))
    sure_of(ann.tricks({1: 1, 2: 0, 3: 0, 4: 0}))
    assert 5 in ann.reading.sheet.table.seats
    sure_of(ann.undo())
    reading = ann.reading
    assert reading.next_hand == 1
    assert [event.kind for event in reading.sheet.noted] == ["arrive"]


def test_one_tap_takes_it_back_and_nothing_of_them_shows_anywhere(ann: Scorer) -> None:
    ann.clear_hand()
    before = ann.reading
    done = sure_of(arrive(ann, "Joe"))
    back = sure_of(ann.undo())
    reading = ann.reading
    assert (reading.names, reading.sheet) == (before.names, before.sheet)
    assert back.reading.names == before.names
    assert sheet_file_of(reading) == sheet_file_of(before)
    sure_of(ann.undo(back.version))
    assert ann.reading.names[5] == "Joe"
    assert ann.reading.standing[2, "arrive-1"].first == done.version


def test_number_of_a_seat_is_never_given_twice(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(arrive(ann, "Joe"))
    sure_of(ann.undo())
    sure_of(arrive(ann, "Flo"))
    assert ann.reading.sheet.table.seats == (1, 2, 3, 4, 6)
    assert ann.reading.names[6] == "Flo"


def test_they_sit_where_they_say_and_directly_left_of_the_last_dealer_they_deal_next(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(arrive(ann, "Joe", left_of=1))
    sheet = ann.reading.sheet
    assert sheet.table.seats == (1, 5, 2, 3, 4)
    assert sheet.open.hand.dealer == 5


def test_before_the_first_hand_they_start_with_nothing_like_everybody(ann: Scorer) -> None:
    sure_of(arrive(ann, "Joe"))
    assert ann.reading.sheet.table.totals[5] == 0


def test_who_went_home_comes_back_on_their_own_seat_with_the_lowest_total(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(leave(ann, 1))
    sure_of(arrive(ann, "ann"))
    sheet = ann.reading.sheet
    assert sheet.table.totals == {2: -1, 3: 5, 4: 5, 1: -1}
    assert sheet.table.gone == {}
    assert Seat.objects.filter(sheet=ann.sheet).count() == 4


def test_somebody_this_browser_knows_is_the_player_they_are(ann: Scorer) -> None:
    earlier = scorer(["Joe", "Bo"], browser=ann.by.browser)
    joe = earlier.reading.chairs[1].player
    sure_of(arrive(ann, "Joe", player=joe))
    assert Seat.objects.get(sheet=ann.sheet, number=5).player_id == joe


def test_somebody_picked_whom_this_browser_does_not_know_is_somebody_new(ann: Scorer) -> None:
    stranger = Player.objects.create(name="Joe")
    sure_of(arrive(ann, "Joe", player=stranger.pk))
    assert Seat.objects.get(sheet=ann.sheet, number=5).player_id != stranger.pk


def test_second_of_a_name_is_refused_and_nobody_is_seated(ann: Scorer) -> None:
    assert refused(arrive(ann, "BO")) == "duplicate-player"
    assert refused(arrive(ann, "  ")) == "no-name"
    assert refused(arrive(ann, "x" * 41)) == "too-long"
    assert Seat.objects.filter(sheet=ann.sheet).count() == 4
    assert Player.objects.filter(name="BO").count() == 0


def test_two_phones_with_the_same_news_agree(ann: Scorer, marge: Scorer) -> None:
    at = place(ann)
    sure_of(arrive(ann, "Joe", at=at))
    assert sure_of(arrive(marge, "joe", at=at)).verb == "agree"
    assert Seat.objects.filter(sheet=ann.sheet).count() == 5


def test_two_phones_with_other_news_at_the_same_moment_are_told_of_each_other(ann: Scorer, marge: Scorer) -> None:
    at = place(ann)
    sure_of(arrive(marge, "Joe", at=at))
    answer = arrive(ann, "Flo", at=at)
    assert refused(answer) == "somebody-wrote"
    assert "Marge entered this meanwhile: <bdi>Joe</bdi> joins." in answer.problems[0].message
    sure_of(arrive(ann, "Flo"))
    assert ann.reading.sheet.table.seats == (1, 2, 3, 4, 5, 6)


def test_the_same_tap_again_seats_nobody_again(ann: Scorer) -> None:
    key, at = new_key(), place(ann)
    first = change.arrive(ann.sheet, Somebody("Joe"), *at, key=key, by=ann.by)
    again = change.arrive(ann.sheet, Somebody("Joe"), *at, key=key, by=ann.by)
    assert isinstance(first, Done)
    assert isinstance(again, Done)
    assert (again.again, again.version) == (True, first.version)
    assert Seat.objects.filter(sheet=ann.sheet).count() == 5
    assert refused(change.arrive(ann.sheet, Somebody("Flo"), *at, key=key, by=ann.by)) == "key-used"


def test_eleventh_player_is_asked_about_first(db: None) -> None:
    p = scorer(10)
    assert refused(arrive(p, "Joe", sure=False)) == "many-players"
    sure_of(arrive(p, "Joe"))


def test_after_the_last_hand_nobody_is_dealt_in(ann: Scorer) -> None:
    for _ in range(3):
        ann.clear_hand()
    sure_of(ann.bid(1, 0))
    answer = change.arrive(ann.sheet, Somebody("Joe"), 5, 1, key=new_key(), by=ann.by)
    assert refused(answer) == "game-over"


@pytest.mark.parametrize("number", [None, True, 0, -1, "2", HUGE, 10_001, 99], ids=told)
def test_numbers_that_are_none_are_refused(ann: Scorer, number: object) -> None:
    for at in ((number, 1), (1, number)):
        answer = change.arrive(ann.sheet, Somebody("Joe"), *at, key=new_key(), by=ann.by)
        assert refused(answer) in ("said-otherwise", "game-over")
    assert Entry.objects.filter(sheet=ann.sheet).count() == 1


@pytest.mark.parametrize("name", [None, 7, HUGE, "\ud800", "a\0b", "x" * 10**6, ["Joe"]], ids=told)
def test_name_that_is_none_is_refused(ann: Scorer, name: object) -> None:
    refused(change.arrive(ann.sheet, Somebody(name), 1, 1, key=new_key(), by=ann.by))
    assert Seat.objects.filter(sheet=ann.sheet).count() == 4


def test_sheet_file_scores_the_same(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(arrive(ann, "Joe", left_of=3))
    ann.clear_hand()
    sure_of(ann.bid(ann.reading.sheet.open.hand.order[0], 0))
    sure_of(arrive(ann, "Flo", after=True))
    assert scored_from_its_file(ann.reading) == result_of(ann.reading)


def test_who_is_noted_for_after_the_hand_does_not_come_a_second_time_before_it(ann: Scorer) -> None:
    sure_of(arrive(ann, "Joe", after=True))
    assert refused(arrive(ann, "joe")) == "duplicate-player"
    assert refused(substitute(ann, 2, "Joe")) == "duplicate-player"


def test_who_is_noted_to_take_over_does_not_come_before_that(ann: Scorer) -> None:
    sure_of(substitute(ann, 2, "Gil", after=True))
    assert refused(arrive(ann, "Gil")) == "duplicate-player"
    sure_of(arrive(ann, "Joe"))
