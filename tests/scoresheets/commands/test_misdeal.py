"""A misdeal: the hand is dealt again by the same dealer, and what was written of it is withdrawn."""

import pytest

from scoresheets.commands import enter
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections import correct
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.log.answers import Answer, Refused
from scoresheets.pad.build import pad_of
from scoresheets.pad.undo_chain import hands_back
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import HUGE, Counts, told


def misdeal(table: Scorer, hand: object = None, event: object = None) -> Answer:
    reading = table.reading
    hand = reading.next_hand if hand is None else hand
    event = reading.next_event if event is None else event
    return enter.misdeal(table.sheet, hand, event, key=new_key(), by=table.by)


def test_the_hand_starts_again_with_the_same_dealer(ann: Scorer) -> None:
    ann.any_hand()
    sure_of(ann.enter(2, "trump", suit="H"))
    for seat in (3, 4):
        sure_of(ann.bid(seat, 0))
    done = sure_of(misdeal(ann))
    assert done.verb == "misdeal"
    opened = ann.reading.sheet.open
    assert opened is not None
    assert (opened.hand.number, opened.hand.dealer, opened.hand.steps) == (2, 2, {})
    assert [event.kind for event in opened.events] == ["misdeal"]
    assert done.reading.standing == ann.reading.standing


def test_notes_stay(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    sure_of(enter.note(ann.sheet, 1, text="The deck was short of a seven.", key=new_key(), by=ann.by))
    sure_of(misdeal(ann))
    assert [note.note for note in ann.reading.notes] == ["The deck was short of a seven."]


def test_one_tap_takes_it_back(ann: Scorer) -> None:
    sure_of(ann.enter(1, "trump", suit="H"))
    for seat in (2, 3):
        sure_of(ann.bid(seat, 0))
    before = ann.reading.entries
    done = sure_of(misdeal(ann))
    assert ann.reading.take_back == done.version
    undone = sure_of(ann.undo(done.version))
    assert ann.reading.entries == before
    assert ann.reading.take_back == 4
    sure_of(ann.undo(undone.version))
    assert set(ann.reading.entries) == {(1, "misdeal-1")}


def test_it_is_not_taken_back_over_the_bids_of_the_new_deal(ann: Scorer) -> None:
    sure_of(ann.bid(2, 0))
    done = sure_of(misdeal(ann))
    sure_of(ann.bid(2, 1))
    answer = ann.undo(done.version)
    assert isinstance(answer, Refused)
    assert answer.code == "something-later"


def test_a_misdeal_before_any_bid_is_not_forgotten_under_the_next_bid(ann: Scorer) -> None:
    sure_of(misdeal(ann))
    sure_of(ann.bid(2, 1))
    assert sure_of(ann.undo()).reading.entries == {(1, "misdeal-1"): {}}


def test_a_hand_can_be_misdealt_twice(ann: Scorer) -> None:
    sure_of(misdeal(ann))
    sure_of(ann.bid(2, 1))
    sure_of(misdeal(ann))
    assert set(ann.reading.entries) == {(1, "misdeal-1"), (1, "misdeal-2")}
    ann.any_hand()
    assert ann.reading.next_hand == 2


def test_two_phones_that_report_the_same_misdeal_agree(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    sure_of(misdeal(ann, 1, 1))
    sure_of(ann.bid(2, 0))
    assert sure_of(misdeal(marge, 1, 1)).verb == "agree"
    assert ann.reading.entries == {(1, "misdeal-1"): {}, (1, "bid-2"): {"bid": 0}}


def test_a_scored_hand_is_not_misdealt(ann: Scorer) -> None:
    ann.any_hand()
    answer = misdeal(ann, 1, 1)
    assert isinstance(answer, Refused)
    assert answer.code == "hand-scored"
    assert ann.reading.next_hand == 2


@pytest.mark.parametrize(
    ("hand", "event"),
    [
        (2, 1), (0, 1), (1, 2), (1, 0), (1, -1), (-1, 1), ("1", 1), (1, "1"), (True, 1), (1, True), (HUGE, 1),
        (1, HUGE),
        (1.0, 1),
    ],
    ids=told,
)  # fmt: skip
def test_what_is_no_hand_is_not_misdealt(ann: Scorer, hand: object, event: object) -> None:
    sure_of(ann.bid(2, 1))
    answer = misdeal(ann, hand, event)
    assert isinstance(answer, Refused)
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}
    assert ann.reading.version == 2


def test_nothing_is_misdealt_after_the_last_hand(ann: Scorer) -> None:
    while ann.reading.sheet.open:
        ann.any_hand()
    for hand in (0, 4, 5):
        assert isinstance(misdeal(ann, hand, 1), Refused)


def test_it_asks_no_more_than_a_post_may(ann: Scorer, statements: Counts) -> None:
    for seat in (2, 3, 4):
        sure_of(ann.bid(seat, 0))
    with statements(exactly=8):
        enter.misdeal(ann.sheet, 1, 1, key=new_key(), by=ann.by)


@pytest.mark.django_db
def test_what_was_taken_back_before_a_misdeal_comes_back_only_after_it_is_taken_back() -> None:
    table = scorer(4, game="dirty-deals")
    claim = {"claimer": 1, "suit": "S", "bower": 1, "surplus": 2}
    table.enter_step(1, "claim", claim)
    undone = sure_of(table.undo())
    table.enter_step(1, "claim", claim | {"surplus": 1})
    again = sure_of(correct.deal_again(table.sheet, 1, 1, key=new_key(), by=table.by))
    refused = table.undo(undone.version)
    assert isinstance(refused, Refused)
    assert refused.code == "something-later"
    told = what_is_taken_back(table.reading)
    assert told is not None
    assert told.version == again.version
    sure_of(table.undo(told.version))
    sure_of(table.undo())
    sure_of(table.undo(undone.version))
    assert table.reading.entries == {(1, "claim"): claim}


def test_misdeal_is_not_offered_for_taking_back_under_a_bid_that_lost_its_place(ann: Scorer) -> None:
    """Since another dealer was chosen seat 1 bids first. The bid of seat 2 stands, but has no place."""
    sure_of(ann.bid(2, 1))
    dealt = sure_of(misdeal(ann))
    assert pad_of(ann.reading).misdeal is not None
    sure_of(ann.bid(2, 0))
    sure_of(correct_setup(ann.sheet, SetupCorrection({}, 4), saw={}, digest=None, key=new_key(), by=ann.by))
    refused = ann.undo(dealt.version)
    assert isinstance(refused, Refused)
    assert refused.code == "something-later"
    reading = ann.reading
    state = pad_of(reading)
    assert (state.misdeal, state.back, hands_back(reading)) == (None, (), ())
    told = what_is_taken_back(reading)
    assert told is not None
    assert told.words == "<bdi>Bo</bdi>’s bid in hand 1"


def test_misdeal_without_bids_is_offered_for_taking_back_whoever_deals(ann: Scorer) -> None:
    dealt = sure_of(misdeal(ann))
    sure_of(correct_setup(ann.sheet, SetupCorrection({}, 3), saw={}, digest=None, key=new_key(), by=ann.by))
    told = what_is_taken_back(ann.reading)
    assert told is not None
    assert told.version == dealt.version
    sure_of(ann.undo(told.version))
