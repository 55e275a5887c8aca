"""Taking back: any number of steps, once each, and never what something else stands on."""

import pytest

from rules.core.fields import Address
from scoresheets.commands import enter
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.log.answers import Conflict, Refused
from scoresheets.models import Entry, Revision
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.conftest import HUGE, Counts, told


def refused(answer: object) -> str:
    assert isinstance(answer, Refused), answer
    return answer.code


def test_the_latest_bid_is_taken_back(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    bid = sure_of(ann.bid(3, 0))
    done = sure_of(ann.undo())
    assert (done.version, done.verb) == (4, "undo")
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}
    assert done.reading.standing == ann.reading.standing
    assert Revision.objects.get(sheet=ann.sheet, version=4).undoes == Revision.objects.get(version=bid.version)


def test_nothing_is_deleted_or_changed_by_taking_back(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    before = Entry.objects.get(sheet=ann.sheet, ask="bid-2")
    sure_of(ann.undo())
    after = Entry.objects.get(pk=before.pk)
    assert (after.data, after.added_by) == (before.data, before.added_by)
    assert after.withdrawn_by is not None
    assert after.withdrawn_by.version == 3


def test_a_whole_game_is_taken_back_step_by_step_and_survives_each_reading(ann: Scorer) -> None:
    ann.any_hand()
    sure_of(ann.enter(2, "trump", suit="H"))
    ann.any_hand()
    ann.clear_hand()
    ann.clear_hand()
    was: list[dict[Address, object]] = []
    while ann.reading.last_write is not None:
        was.append(dict(ann.reading.entries))
        sure_of(ann.undo())
    assert ann.reading.entries == {}
    assert [len(entries) for entries in was] == list(range(len(was), 0, -1))


def test_the_dealers_bid_is_taken_back_until_tricks_are_entered(ann: Scorer) -> None:
    ann.bids({2: 0, 3: 0, 4: 0, 1: 0})
    dealers = ann.reading.last_write
    sure_of(ann.undo(dealers))
    sure_of(ann.bid(1, 0))
    dealers = ann.reading.last_write
    sure_of(ann.tricks({1: 0, 2: 1, 3: 0, 4: 0}))
    assert refused(ann.undo(dealers)) == "something-later"


def test_the_dealers_bid_is_final_where_the_house_says_so(db: None) -> None:
    table = scorer(4, house_rules={"dealer_bid_final": True})
    for seat in (2, 3, 4):
        sure_of(table.bid(seat, 0))
    assert what_is_taken_back(table.reading) is not None
    sure_of(table.bid(1, 0))
    assert what_is_taken_back(table.reading) is None
    assert refused(table.undo()) == "bid-locked"
    sure_of(table.tricks({1: 0, 2: 1, 3: 0, 4: 0}))
    sure_of(table.undo())
    assert refused(table.undo()) == "bid-locked"


def test_an_earlier_bid_is_not_taken_back_once_the_next_has_bid(ann: Scorer) -> None:
    first = sure_of(ann.bid(2, 1))
    sure_of(ann.bid(3, 0))
    before = ann.reading.entries
    assert refused(ann.undo(first.version)) in ("bid-locked", "something-later")
    assert ann.reading.entries == before


def test_the_latest_bid_is_taken_back_although_trump_was_noted_since(ann: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    trump = sure_of(ann.enter(1, "trump", suit="H"))
    assert ann.reading.take_back == bid.version
    assert ann.reading.last_write == trump.version
    sure_of(ann.undo(ann.reading.take_back))
    assert ann.reading.entries == {(1, "trump"): {"suit": "H"}}


def test_trump_is_taken_back_although_somebody_has_bid_since(ann: Scorer) -> None:
    trump = sure_of(ann.enter(1, "trump", suit="H"))
    sure_of(ann.bid(2, 1))
    sure_of(ann.undo(trump.version))
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}


def test_back_to_the_hand_before(ann: Scorer) -> None:
    ann.any_hand()
    assert ann.reading.next_hand == 2
    assert [entry.address for entry in ann.reading.last_entries] == [(1, "tricks")]
    sure_of(ann.undo(ann.reading.take_back))
    assert ann.reading.next_hand == 1
    assert ann.reading.sheet.open is not None
    assert ann.reading.sheet.open.missing is not None
    assert ann.reading.sheet.open.missing.name == "tricks"


def test_a_scored_hand_is_not_opened_again_under_the_bids_of_the_next(ann: Scorer) -> None:
    ann.any_hand()
    tricks = ann.reading.last_write
    sure_of(ann.bid(3, 0, hand=2))
    assert refused(ann.undo(tricks)) == "something-later"
    assert ann.reading.next_hand == 2


def test_trump_of_a_scored_hand_stays(ann: Scorer) -> None:
    trump = sure_of(ann.enter(1, "trump", suit="H"))
    ann.any_hand()
    sure_of(ann.bid(3, 0, hand=2))
    assert refused(ann.undo(trump.version)) == "something-later"


# Once


def test_a_resent_undo_undoes_once(ann: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    bid = sure_of(ann.bid(3, 0))
    key = new_key()
    first = sure_of(enter.undo(ann.sheet, bid.version, key=key, by=ann.by))
    again = sure_of(enter.undo(ann.sheet, bid.version, key=key, by=ann.by))
    assert (again.version, again.again) == (first.version, True)
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}


def test_two_phones_that_take_back_the_same_agree(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    bid = sure_of(ann.bid(3, 0))
    sure_of(ann.undo(bid.version))
    assert sure_of(marge.undo(bid.version)).verb == "agree"
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}


def test_what_was_bid_anew_is_not_taken_back_by_a_late_undo_of_the_old(ann: Scorer, marge: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    sure_of(ann.undo(bid.version))
    sure_of(ann.bid(2, 0))
    assert sure_of(marge.undo(bid.version)).verb == "agree"
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 0}}


# There and back


def test_an_undo_can_be_undone(ann: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    undone = sure_of(ann.undo(bid.version))
    redone = sure_of(ann.undo(undone.version))
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}
    assert ann.reading.last_write == bid.version
    assert redone.reading.standing == ann.reading.standing


def test_what_was_put_back_is_still_its_writers(ann: Scorer, marge: Scorer) -> None:
    bid = sure_of(marge.bid(2, 1))
    undone = sure_of(ann.undo(bid.version))
    sure_of(ann.undo(undone.version))
    entry = ann.reading.standing[1, "bid-2"]
    assert (entry.by, entry.at, entry.first) == ("Marge", bid.at, bid.version)


def test_undo_and_redo_go_on_as_long_as_somebody_likes(ann: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    for _ in range(3):
        undone = sure_of(ann.undo(bid.version))
        assert undone.verb == "undo"
        assert ann.reading.entries == {}
        redone = sure_of(ann.undo(undone.version))
        assert redone.verb == "undo"
        assert ann.reading.entries == {(1, "bid-2"): {"bid": 1}}
    undone = sure_of(ann.undo(redone.version))
    assert undone.verb == "undo"
    assert ann.reading.entries == {}
    assert sure_of(ann.undo(bid.version)).verb == "agree"


def test_several_steps_back_and_forth_again(ann: Scorer) -> None:
    ann.bids({2: 0, 3: 0, 4: 1, 1: 1})
    full = ann.reading.entries
    undone = [sure_of(ann.undo()).version for _ in range(3)]
    assert set(ann.reading.entries) == {(1, "bid-2")}
    for version in reversed(undone):
        sure_of(ann.undo(version))
    assert ann.reading.entries == full


def test_a_redo_is_refused_where_something_else_stands_by_now(ann: Scorer) -> None:
    bid = sure_of(ann.bid(2, 1))
    undone = sure_of(ann.undo(bid.version))
    sure_of(ann.bid(2, 0))
    assert refused(ann.undo(undone.version)) == "something-later"
    assert ann.reading.entries == {(1, "bid-2"): {"bid": 0}}


def test_a_redo_is_refused_where_it_would_not_fit_any_more(ann: Scorer) -> None:
    for seat in (2, 3, 4):
        sure_of(ann.bid(seat, 0))
    undone = [sure_of(ann.undo()).version for _ in range(2)]
    assert refused(ann.undo(undone[0])) == "something-later"


def test_the_tricks_of_a_hand_are_put_back(ann: Scorer) -> None:
    ann.any_hand()
    totals = ann.reading.sheet.totals
    undone = sure_of(ann.undo())
    sure_of(ann.undo(undone.version))
    assert ann.reading.next_hand == 2
    assert ann.reading.sheet.totals == totals


def test_the_tricks_are_not_put_back_over_other_bids(ann: Scorer) -> None:
    ann.any_hand()
    undone = sure_of(ann.undo())
    sure_of(ann.undo())
    sure_of(ann.bid(1, 0))
    sure_of(ann.tricks({1: 1, 2: 0, 3: 0, 4: 0}))
    assert refused(ann.undo(undone.version)) == "something-later"


# What replaced something brings it back


def test_undoing_a_change_of_trump_brings_the_first_back(ann: Scorer) -> None:
    sure_of(ann.enter(1, "trump", suit="H"))
    changed = sure_of(
        enter.enter(ann.sheet, (1, "trump"), {"suit": "S"}, saw=ann.saw((1, "trump")), key=new_key(), by=ann.by)
    )
    undone = sure_of(ann.undo(changed.version))
    assert ann.reading.entries[1, "trump"] == {"suit": "H"}
    sure_of(ann.undo(undone.version))
    assert ann.reading.entries[1, "trump"] == {"suit": "S"}


def test_what_was_replaced_since_is_not_taken_back(ann: Scorer) -> None:
    first = sure_of(ann.enter(1, "trump", suit="H"))
    seen = ann.saw((1, "trump"))
    sure_of(enter.enter(ann.sheet, (1, "trump"), {"suit": "S"}, saw=seen, key=new_key(), by=ann.by))
    assert refused(ann.undo(first.version)) == "something-later"


# What cannot be taken back


def test_the_opening_is_not_taken_back(ann: Scorer) -> None:
    assert refused(ann.undo(1)) == "nothing-to-undo"
    assert (0, "table") in ann.reading.standing


def test_agreement_has_nothing_to_take_back(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    agreed = sure_of(marge.bid(2, 1, hand=1))
    assert refused(ann.undo(agreed.version)) == "nothing-to-undo"


@pytest.mark.parametrize("version", [0, -1, 99, HUGE, "2", True, None, 2.0, [2], "\x00"], ids=told)
def test_what_was_never_written_is_not_taken_back(ann: Scorer, version: object) -> None:
    sure_of(ann.bid(2, 1))
    answer = enter.undo(ann.sheet, version, key=new_key(), by=ann.by)
    assert refused(answer) == "nothing-to-undo"
    assert ann.reading.version == 2


def test_another_sheets_write_is_not_taken_back(ann: Scorer) -> None:
    other = scorer(4)
    for seat in (2, 3):
        sure_of(other.bid(seat, 0))
    sure_of(ann.bid(2, 1))
    assert refused(ann.undo(3)) == "nothing-to-undo"
    assert set(other.reading.entries) == {(1, "bid-2"), (1, "bid-3")}


def test_after_a_conflict_the_standing_bid_can_be_taken_back_by_the_other_phone(ann: Scorer, marge: Scorer) -> None:
    sure_of(ann.bid(2, 1))
    answer = marge.bid(2, 0, hand=1)
    assert isinstance(answer, Conflict)
    sure_of(marge.undo(answer.standing.first))
    sure_of(marge.bid(2, 0))
    assert marge.reading.entries == {(1, "bid-2"): {"bid": 0}}


# The end


def test_undoing_the_last_tricks_opens_a_finished_sheet_again(ann: Scorer) -> None:
    ann.clear_game()
    assert ann.reading.finished
    assert ann.sheet.finished_at is not None
    undone = sure_of(ann.undo())
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is None
    assert not undone.reading.finished
    assert not ann.sheet.final_placings.exists()
    sure_of(ann.undo(undone.version))
    ann.sheet.refresh_from_db()
    assert ann.sheet.finished_at is not None
    assert ann.sheet.final_placings.count() == 4


def test_blind_hands_and_draws_are_taken_back_step_by_step(ann: Scorer) -> None:
    while ann.reading.sheet.open:
        ann.any_hand()
    played = ann.reading.entries
    ann.settle()
    assert ann.reading.finished
    assert len(ann.reading.entries) > len(played)
    while ann.reading.entries != played:
        assert any(entry.address[0] == 0 for entry in ann.reading.last_entries)
        sure_of(ann.undo())


# What it costs


def test_taking_back_asks_no_more_than_a_post_may(ann: Scorer, statements: Counts) -> None:
    sure_of(ann.enter(1, "trump", suit="H"))
    ann.any_hand()
    ann.bids({3: 0, 4: 0, 1: 0, 2: 0})
    bid = ann.reading.last_write
    assert bid is not None
    with statements(exactly=8):
        undone = sure_of(enter.undo(ann.sheet, bid, key=new_key(), by=ann.by))
    with statements(exactly=9):
        enter.undo(ann.sheet, undone.version, key=new_key(), by=ann.by)


def test_undoing_a_replacement_asks_no_more_than_a_post_may(ann: Scorer, statements: Counts) -> None:
    sure_of(ann.enter(1, "trump", suit="H"))
    seen = ann.saw((1, "trump"))
    changed = sure_of(enter.enter(ann.sheet, (1, "trump"), {"suit": "S"}, saw=seen, key=new_key(), by=ann.by))
    with statements(exactly=9):
        enter.undo(ann.sheet, changed.version, key=new_key(), by=ann.by)
