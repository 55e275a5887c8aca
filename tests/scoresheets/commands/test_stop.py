"""Stop here, and play on."""

import pytest

from scoresheets.commands import enter
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.log.answers import Answer, Refused
from tests.factories import Scorer, new_key, sure_of
from tests.scoresheets.conftest import HUGE, Counts, told
from tests.scoresheets.people import refused


def stop(table: Scorer, hand: object = None) -> Answer:
    hand = table.reading.next_hand if hand is None else hand
    return enter.stop(table.sheet, hand, key=new_key(), by=table.by)


def play_on(table: Scorer) -> Answer:
    return enter.play_on(table.sheet, key=new_key(), by=table.by)


def test_the_game_ends_early_and_is_settled_as_at_the_end(ann: Scorer) -> None:
    ann.clear_hand()
    done = sure_of(stop(ann))
    assert done.verb == "stop"
    reading = ann.reading
    assert reading.sheet.table.stopped
    assert (reading.sheet.winner, reading.sheet.loser) == (1, 2)
    assert reading.stopped is not None
    assert ann.sheet.finished_at is not None
    assert ann.sheet.final_placings.get(winner=True).player.name == "Ann"


def test_what_was_bid_for_the_next_hand_is_swept_away_and_comes_back(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(ann.enter(2, "trump", suit="H"))
    sure_of(ann.bid(3, 1))
    before = ann.reading.entries
    sure_of(stop(ann))
    assert (2, "bid-3") not in ann.reading.entries
    sure_of(play_on(ann))
    assert ann.reading.entries == before
    assert ann.reading.stopped is None
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is None
    assert not ann.sheet.hand_facts.exists()


def test_a_misdeal_since_is_swept_away_too_and_comes_back(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(enter.misdeal(ann.sheet, 2, 1, key=new_key(), by=ann.by))
    before = ann.reading.entries
    sure_of(stop(ann))
    assert (2, "misdeal-1") not in ann.reading.entries
    sure_of(play_on(ann))
    assert ann.reading.entries == before


def test_stopping_is_taken_back_like_any_write(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(ann.bid(3, 1))
    before = ann.reading.entries
    done = sure_of(stop(ann))
    assert ann.reading.take_back == done.version
    sure_of(ann.undo())
    assert ann.reading.entries == before


def test_playing_on_takes_the_blind_hand_away_with_the_end(ann: Scorer) -> None:
    ann.any_hand()
    sure_of(stop(ann))
    settlement = ann.reading.sheet.settlement
    assert settlement is not None
    assert settlement.hand is not None
    sure_of(ann.enter(0, f"tie-1-bid-{settlement.hand.order[0]}", bid=1))
    sure_of(play_on(ann))
    assert not any(hand == 0 for hand, _ in ann.reading.entries)
    assert ann.reading.next_hand == 2
    assert ann.reading.sheet.open is not None


def test_playing_on_takes_a_whole_settlement_away_and_gives_it_back(ann: Scorer) -> None:
    ann.any_hand()
    sure_of(stop(ann))
    ann.settle()
    assert ann.reading.finished
    settled = ann.reading.entries
    done = sure_of(play_on(ann))
    assert not any(hand == 0 for hand, _ in ann.reading.entries)
    sure_of(ann.undo(done.version))
    assert ann.reading.entries == settled
    assert ann.reading.finished
    assert ann.sheet.final_placings.count() == 4


def test_playing_on_is_not_taken_back_once_the_hand_was_dealt_again(ann: Scorer) -> None:
    """The stop would come back into the middle of a hand, where the rules do not read it."""
    ann.clear_hand()
    sure_of(stop(ann))
    done = sure_of(play_on(ann))
    sure_of(ann.bid(ann.reading.sheet.open.missing.seat, 0))
    sure_of(enter.misdeal(ann.sheet, 2, 1, key=new_key(), by=ann.by))
    before = ann.reading.entries
    assert refused(ann.undo(done.version)) == "something-later"
    assert ann.reading.entries == before
    assert ann.reading.sheet.unread == ()


def test_two_phones_that_stop_agree_and_that_play_on_agree(ann: Scorer, marge: Scorer) -> None:
    ann.clear_hand()
    sure_of(stop(ann, 2))
    assert sure_of(stop(marge, 2)).verb == "agree"
    sure_of(play_on(ann))
    assert sure_of(play_on(marge)).verb == "agree"
    assert ann.reading.next_hand == 2


def test_the_table_may_stop_again_after_it_played_on(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(stop(ann))
    sure_of(play_on(ann))
    ann.clear_hand()
    sure_of(stop(ann))
    assert [row.hand.number for row in ann.reading.sheet.rows] == [1, 2]
    assert ann.reading.finished


def test_a_resent_play_on_plays_on_once(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(stop(ann))
    key = new_key()
    first = sure_of(enter.play_on(ann.sheet, key=key, by=ann.by))
    sure_of(stop(ann))
    again = sure_of(enter.play_on(ann.sheet, key=key, by=ann.by))
    assert again.version == first.version
    assert ann.reading.stopped is not None


def test_a_game_that_came_to_its_end_is_not_played_on(ann: Scorer) -> None:
    ann.clear_game()
    answer = play_on(ann)
    assert isinstance(answer, Refused)
    assert answer.code == "not-asked"


def test_nothing_is_bid_after_the_table_stopped(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(stop(ann))
    answer = ann.enter(2, "bid-3", bid=0)
    assert isinstance(answer, Refused)


@pytest.mark.parametrize("hand", [1, 3, 0, "2", None, HUGE], ids=told)
def test_only_the_coming_hand_is_stopped_before(ann: Scorer, hand: object) -> None:
    ann.clear_hand()
    version = ann.reading.version
    answer = enter.stop(ann.sheet, hand, key=new_key(), by=ann.by)
    assert isinstance(answer, Refused)
    assert ann.reading.version == version


def test_both_ask_no_more_than_a_post_may(ann: Scorer, statements: Counts) -> None:
    ann.any_hand()
    sure_of(ann.bid(3, 1))
    with statements(most=9):
        enter.stop(ann.sheet, 2, key=new_key(), by=ann.by)
    with statements(most=9):
        enter.play_on(ann.sheet, key=new_key(), by=ann.by)


def test_stopping_is_taken_back_also_where_the_swept_bids_fit_no_more(ann: Scorer) -> None:
    ann.clear_hand()
    sure_of(ann.bid(3, 2))
    stopped = sure_of(stop(ann))
    mended = SetupCorrection({}, plan={"peak": 1})
    sure_of(correct_setup(ann.sheet, mended, saw={}, digest=None, key=new_key(), by=ann.by))
    sure_of(ann.undo(stopped.version))
    assert ann.reading.sheet.open.misfit == (2, "bid-3")
    assert ann.reading.sheet.unread == ((2, "bid-3"),)


@pytest.fixture
def stopped_anew(ann: Scorer) -> Scorer:
    """A stop before hand 3 that lost its place when hand 2 got fewer cards, and has it again since hand 2 is played."""
    ann.clear_hand()
    ann.clear_hand()
    sure_of(stop(ann))
    mended = SetupCorrection({}, plan={"peak": 1})
    sure_of(correct_setup(ann.sheet, mended, saw={}, digest=None, key=new_key(), by=ann.by))
    sure_of(enter.misdeal(ann.sheet, 2, 1, key=new_key(), by=ann.by))
    ann.bids({3: 0, 4: 0, 1: 1, 2: 1})
    assert ann.reading.sheet.unread == ((3, "stop-1"),)
    sure_of(ann.tricks({1: 0, 2: 0, 3: 0, 4: 1}))
    assert ann.reading.stopped is not None
    return ann


def test_hand_after_which_an_old_stop_counts_again_is_taken_back_as_it_is_named(stopped_anew: Scorer) -> None:
    back = what_is_taken_back(stopped_anew.reading)
    assert back is not None
    assert back.words == "the tricks of hand 2"
    sure_of(stopped_anew.undo(back.version))
    assert stopped_anew.reading.sheet.unread == ((3, "stop-1"),)
    assert stopped_anew.reading.sheet.open.missing.name == "tricks"


def test_hand_is_not_taken_back_from_under_a_stop_that_came_after_it(stopped_anew: Scorer) -> None:
    tricks = stopped_anew.reading.take_back
    sure_of(play_on(stopped_anew))
    sure_of(stop(stopped_anew))
    answer = stopped_anew.undo(tricks)
    assert isinstance(answer, Refused)
    assert answer.code == "something-later"
