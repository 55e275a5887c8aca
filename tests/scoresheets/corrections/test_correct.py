"""Correcting what was written of a hand: one write for all of it, checked as a whole, and never without its preview."""

import pytest

from rules.core.fields import SHEET
from scoresheets.commands import enter
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections import correct as correction
from scoresheets.corrections.correct import correct, deal_again
from scoresheets.log.answers import Answer, Conflict, Refused
from scoresheets.log.append import Change
from scoresheets.log.publish import is_published
from scoresheets.models import Entry, FinalPlacing, HandFact, Revision
from scoresheets.pad.bidding_pad import BiddingPad
from scoresheets.pad.build import pad_of, page_of
from scoresheets.results.impact import Impact, OutdatedPreview, moves, previewed
from tests.factories import ScorekeeperFactory, Scorer, new_key, scorer, sure_of
from tests.scoresheets.people import arrive, substitute


def took(*counts: int) -> dict[str, int]:
    return {f"tricks-{seat}": count for seat, count in enumerate(counts, 1)}


def seen_by(table: Scorer, changes: dict) -> dict:
    return {address: table.saw(address) for address in changes}


def looked(table: Scorer, changes: dict) -> Impact:
    """What the preview says."""
    reading = table.reading
    change = correction.correcting(reading, changes, seen_by(table, changes), sure=True)
    assert isinstance(change, Change), change
    return moves(reading, previewed(reading, change))


def corrected(table: Scorer, changes: dict, **more: object) -> Answer:
    """Look, and write what was seen."""
    said: dict = {"saw": seen_by(table, changes), "key": new_key(), "by": table.by, **more}
    if "digest" not in said:
        reading = table.reading
        change = correction.correcting(reading, changes, said["saw"], sure=True)
        said["digest"] = moves(reading, previewed(reading, change)).digest if isinstance(change, Change) else ""
    return correct(table.sheet, changes, **said)


@pytest.fixture
def two_hands(ann: Scorer) -> Scorer:
    """Hand 1: one card, all bid 0, seat 2 took it. Hand 2: two cards, all bid 0, seat 3 took both. Hand 3 is open."""
    ann.any_hand()
    ann.any_hand()
    return ann


def test_one_write_however_many_numbers_move(two_hands: Scorer) -> None:
    before = two_hands.reading
    done = sure_of(corrected(two_hands, {(2, "bid-3"): {"bid": 1}, (2, "tricks"): took(0, 0, 1, 1)}))
    assert (done.verb, done.version) == ("correct", before.version + 1)
    after = two_hands.reading
    assert after.sheet.row(2).points == {1: 5, 2: 5, 3: 6, 4: -1}
    assert after.sheet.totals[3] == before.sheet.totals[3] + 8
    assert done.reading.standing == after.standing


def test_reason_is_set_and_another_is_kept(two_hands: Scorer) -> None:
    sure_of(corrected(two_hands, {(1, "tricks"): took(1, 0, 0, 0)}, why="  "))
    sure_of(corrected(two_hands, {(1, "tricks"): took(0, 0, 0, 1)}, why="Di was counted for Ann"))
    said = Revision.objects.filter(sheet=two_hands.sheet, verb="correct").values_list("why", flat=True)
    assert list(said) == ["typed wrong", "Di was counted for Ann"]


def test_what_is_open_stays_as_it_is(two_hands: Scorer) -> None:
    due = two_hands.reading.sheet.open.missing
    sure_of(two_hands.bid(due.seat, 1))
    sure_of(corrected(two_hands, {(1, "tricks"): took(1, 0, 0, 0)}))
    assert two_hands.reading.sheet.open.hand.steps == {due.name: {"bid": 1}}


def test_tricks_that_do_not_come_out_are_refused(two_hands: Scorer) -> None:
    answer = corrected(two_hands, {(1, "tricks"): took(1, 1, 0, 0)})
    assert isinstance(answer, Refused)
    assert answer.code == "tricks-sum"
    assert Revision.objects.filter(verb="correct").count() == 0


def test_the_rule_is_held_with_all_new_bids_in_place(two_hands: Scorer) -> None:
    answer = corrected(two_hands, {(2, "bid-3"): {"bid": 2}})
    assert isinstance(answer, Refused)
    assert answer.code == "the-rule"
    sure_of(corrected(two_hands, {(2, "bid-3"): {"bid": 2}, (2, "bid-4"): {"bid": 1}}))


def test_bids_that_came_to_the_cards_are_left_as_they_were_played(two_hands: Scorer) -> None:
    sure_of(corrected(two_hands, {(2, "bid-3"): {"bid": 2}, (2, "rule-missed"): {"missed": True}}))
    row = two_hands.reading.sheet.row(2)
    assert row.points[3] == 7
    assert two_hands.reading.game.remark(row.hand) == "The bids came to the cards; played as it was."


def test_the_rule_cannot_be_called_kept_while_the_bids_come_to_the_cards(two_hands: Scorer) -> None:
    sure_of(corrected(two_hands, {(2, "bid-3"): {"bid": 2}, (2, "rule-missed"): {"missed": True}}))
    answer = corrected(two_hands, {(2, "rule-missed"): None})
    assert isinstance(answer, Refused)
    assert answer.code == "the-rule"


def test_trump_is_noted_changed_and_taken_off(two_hands: Scorer) -> None:
    sure_of(corrected(two_hands, {(1, "trump"): {"suit": "H"}}))
    sure_of(corrected(two_hands, {(1, "trump"): {"turned": "7D"}}))
    assert two_hands.reading.entries[1, "trump"] == {"turned": "7D"}
    sure_of(corrected(two_hands, {(1, "trump"): None}))
    assert (1, "trump") not in two_hands.reading.entries


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({(1, "bid-3"): {"bid": 9}}, "bid-out-of-range"),
        ({(1, "bid-3"): {"bid": "x"}}, "not-a-number"),
        ({(1, "bid-3"): None}, "missing-field"),
        ({(1, "bid-3"): {}}, "missing-field"),
        ({(1, "tricks"): {"tricks-1": 1}}, "missing-field"),
        ({(1, "bid-99"): {"bid": 1}}, "not-asked"),
        ({(1, "misdeal-1"): {}}, "not-asked"),
        ({(9, "bid-1"): {"bid": 1}}, "not-asked"),
        ({(4, "bid-1"): {"bid": 1}}, "not-asked"),
        ({(1, "bid-3"): {"bid": 1}, (2, "bid-3"): {"bid": 1}}, "not-asked"),
        ({(SHEET, "table"): {"seats": 1}}, "not-asked"),
        ({(SHEET, "carried"): {"hands": 1}}, "not-asked"),
        ({(-1, "bid-3"): {"bid": 1}}, "not-asked"),
        ({("1", "bid-3"): {"bid": 1}}, "not-asked"),
        ({(1, "bid-3"): {"bid": 10**30}}, "number-too-large"),
        ({(1, "bid-3"): [1]}, "not-asked"),
        ({}, "nothing-new"),
    ],
)
def test_what_does_not_belong_there_is_refused_and_nothing_is_written(two_hands: Scorer, changes, code) -> None:
    version = two_hands.reading.version
    answer = correct(two_hands.sheet, changes, saw={}, digest="", key=new_key(), by=two_hands.by)
    if isinstance(answer, Conflict):
        answer = correct(
            two_hands.sheet, changes, saw=seen_by(two_hands, changes), digest="", key=new_key(), by=two_hands.by
        )
    assert isinstance(answer, Refused)
    assert answer.code == code
    assert two_hands.reading.version == version


def test_same_tap_again_gets_the_same_answer_and_another_body_is_refused(two_hands: Scorer) -> None:
    changes, key = {(1, "tricks"): took(1, 0, 0, 0)}, new_key()
    saw, digest = seen_by(two_hands, changes), looked(two_hands, changes).digest
    first = sure_of(corrected(two_hands, changes, key=key, saw=saw, digest=digest))
    again = sure_of(corrected(two_hands, changes, key=key, saw=saw, digest=digest))
    assert again.again
    assert again.version == first.version
    other = corrected(two_hands, {(1, "tricks"): took(0, 0, 1, 0)}, key=key, saw=saw, digest=digest)
    assert isinstance(other, Refused)
    assert other.code == "key-used"


def test_what_stands_there_already_is_agreed_with(two_hands: Scorer) -> None:
    assert sure_of(corrected(two_hands, {(1, "tricks"): took(0, 1, 0, 0)})).verb == "agree"


def test_what_another_phone_has_changed_meanwhile_is_a_conflict_that_shows_both(two_hands: Scorer) -> None:
    changes = {(1, "tricks"): took(1, 0, 0, 0)}
    saw = seen_by(two_hands, changes)
    marge = Scorer(two_hands.sheet, ScorekeeperFactory(sheet=two_hands.sheet))
    sure_of(corrected(marge, {(1, "tricks"): took(0, 0, 1, 0)}))
    answer = corrected(two_hands, changes, saw=saw)
    assert isinstance(answer, Conflict)
    assert (answer.standing.by, answer.standing.data) == ("Marge", took(0, 0, 1, 0))
    assert answer.refused == changes[1, "tricks"]


def test_change_that_would_say_something_else_by_now_is_shown_again_and_not_written(two_hands: Scorer) -> None:
    changes = {(1, "tricks"): took(1, 0, 0, 0)}
    seen = looked(two_hands, changes).digest
    two_hands.any_hand()
    answer = corrected(two_hands, changes, digest=seen)
    assert isinstance(answer, OutdatedPreview)
    assert answer.code == "moved-on"
    assert answer.moves == looked(two_hands, changes)
    sure_of(corrected(two_hands, changes, digest=answer.moves.digest))


def test_bid_that_falls_meanwhile_stops_no_correction(two_hands: Scorer) -> None:
    changes = {(1, "tricks"): took(1, 0, 0, 0)}
    seen = looked(two_hands, changes).digest
    sure_of(two_hands.bid(two_hands.reading.sheet.open.missing.seat, 0))
    sure_of(corrected(two_hands, changes, digest=seen))


@pytest.mark.django_db
def test_finished_sheet_is_corrected_and_tells_anew() -> None:
    table = scorer(4)
    table.clear_game()
    assert table.reading.finished
    changes = {(2, "tricks"): took(0, 1, 1, 0)}
    assert looked(table, changes).ends
    sure_of(corrected(table, changes))
    reading = table.reading
    assert HandFact.objects.get(sheet=table.sheet, hand=2, seat__number=1).tricks == 0
    assert is_published(reading)


@pytest.mark.django_db
def test_correction_that_makes_a_tie_opens_the_game_and_taking_it_back_closes_it() -> None:
    table = scorer(4, plan={"hands": 1})
    table.clear_hand()
    assert table.reading.finished
    # Seats 1 and 2 bid one; where 3 took it, three have −1.
    done = sure_of(corrected(table, {(1, "tricks"): took(0, 0, 1, 0)}))
    assert not table.reading.finished
    assert FinalPlacing.objects.filter(sheet=table.sheet).count() == 0
    sure_of(table.undo(done.version))
    assert table.reading.finished
    assert is_published(table.reading)


@pytest.mark.django_db
def test_blind_hand_that_has_no_tie_any_more_stays_and_counts_again_when_the_tie_is_back() -> None:
    table = scorer(4, plan={"hands": 1})
    table.any_hand()
    table.settle()
    assert table.reading.finished
    settled = {a for a in table.reading.entries if a[0] == SHEET}
    changes = {(1, "bid-1"): {"bid": 1}, (1, "tricks"): took(1, 0, 0, 0), (1, "bid-2"): {"bid": 1}}
    said = looked(table, changes)
    assert said.unread
    done = sure_of(corrected(table, changes))
    assert set(table.reading.sheet.unread) <= settled
    assert settled <= set(table.reading.entries)
    sure_of(table.undo(done.version))
    assert table.reading.sheet.unread == ()


@pytest.mark.django_db
def test_blind_hand_and_draw_are_corrected_too() -> None:
    table = scorer(4, plan={"hands": 1})
    table.any_hand()
    table.settle()
    blind = {(SHEET, "tie-1-tricks"): took(0, 0, 0, 5)}
    sure_of(corrected(table, blind))
    assert table.reading.entries[SHEET, "tie-1-tricks"] == took(0, 0, 0, 5)


def test_correction_is_taken_back_while_nothing_stands_in_its_place(two_hands: Scorer) -> None:
    done = sure_of(corrected(two_hands, {(1, "tricks"): took(1, 0, 0, 0)}))
    two_hands.any_hand()
    sure_of(two_hands.undo(done.version))
    assert two_hands.reading.entries[1, "tricks"] == took(0, 1, 0, 0)
    later = sure_of(corrected(two_hands, {(1, "tricks"): took(0, 0, 0, 1)}))
    again = sure_of(corrected(two_hands, {(1, "tricks"): took(0, 0, 1, 0)}))
    assert isinstance(two_hands.undo(later.version), Refused)
    sure_of(two_hands.undo(again.version))


def test_taking_a_correction_back_is_taken_back_in_turn(two_hands: Scorer) -> None:
    done = sure_of(corrected(two_hands, {(1, "tricks"): took(1, 0, 0, 0)}))
    undone = sure_of(two_hands.undo(done.version))
    sure_of(two_hands.undo(undone.version))
    assert two_hands.reading.entries[1, "tricks"] == took(1, 0, 0, 0)


def test_last_hand_can_be_gone_back_to_after_another_was_corrected(two_hands: Scorer) -> None:
    scored = two_hands.reading.standing[2, "tricks"].first
    sure_of(corrected(two_hands, {(1, "tricks"): took(1, 0, 0, 0)}))
    sure_of(two_hands.undo(scored))
    assert two_hands.reading.next_hand == 2
    assert two_hands.reading.entries[1, "tricks"] == took(1, 0, 0, 0)


def test_hand_before_last_is_not_torn_open_by_it(two_hands: Scorer) -> None:
    scored = two_hands.reading.standing[1, "tricks"].first
    sure_of(corrected(two_hands, {(2, "tricks"): took(2, 0, 0, 0)}))
    assert isinstance(two_hands.undo(scored), Refused)


def test_pad_offers_no_way_back_to_a_hand_whose_tricks_were_corrected(two_hands: Scorer) -> None:
    assert pad_of(two_hands.reading).back
    sure_of(corrected(two_hands, {(2, "tricks"): took(2, 0, 0, 0)}))
    assert pad_of(two_hands.reading).back == ()
    back = what_is_taken_back(two_hands.reading)
    assert back is not None
    assert back.words == "the change of hand 2"


def back_of(table: Scorer) -> dict | None:
    """What the first button of the pad takes back."""
    return BiddingPad(pad_of(table.reading), page_of(table.reading)).back


@pytest.fixture
def blind_bids(db: None) -> Scorer:
    """A blind hand in which all four have bid nothing."""
    table = scorer(4, plan={"hands": 1})
    table.any_hand()
    for seat in table.reading.sheet.settlement.hand.order:
        sure_of(table.enter(SHEET, f"tie-1-bid-{seat}", bid=0))
    return table


def test_pad_takes_two_bids_of_the_blind_hand_back_as_the_one_change_they_are(blind_bids: Scorer) -> None:
    before = blind_bids.reading.entries
    last, other = reversed(blind_bids.reading.sheet.settlement.hand.order[2:])
    changes = {(SHEET, f"tie-1-bid-{seat}"): {"bid": 1} for seat in (last, other)}
    done = sure_of(corrected(blind_bids, changes))
    assert back_of(blind_bids) == {"version": done.version, "what": "the change of the blind hand"}
    sure_of(blind_bids.undo(done.version))
    assert blind_bids.reading.entries == before


def test_pad_looks_past_a_change_before_the_latest_bid(blind_bids: Scorer) -> None:
    first, *_, last = blind_bids.reading.sheet.settlement.hand.order
    said = blind_bids.reading.standing[SHEET, f"tie-1-bid-{last}"].first
    sure_of(corrected(blind_bids, {(SHEET, f"tie-1-bid-{first}"): {"bid": 1}}))
    back = back_of(blind_bids)
    assert (back["version"], back["what"]) == (said, "0")


def test_change_of_which_something_was_changed_again_is_taken_back_the_latest_first(blind_bids: Scorer) -> None:
    last, other = reversed(blind_bids.reading.sheet.settlement.hand.order[2:])
    first = sure_of(corrected(blind_bids, {(SHEET, f"tie-1-bid-{seat}"): {"bid": 1} for seat in (last, other)}))
    again = sure_of(corrected(blind_bids, {(SHEET, f"tie-1-bid-{other}"): {"bid": 2}}))
    assert back_of(blind_bids)["version"] == again.version
    sure_of(blind_bids.undo(again.version))
    assert back_of(blind_bids)["version"] == first.version
    sure_of(blind_bids.undo(first.version))
    assert back_of(blind_bids)["name"]


def test_change_that_cannot_be_taken_back_whole_is_not_named(two_hands: Scorer) -> None:
    seat = two_hands.reading.sheet.open.hand.order[0]
    sure_of(two_hands.bid(seat, 0))
    sure_of(corrected(two_hands, {(3, f"bid-{seat}"): {"bid": 1}, (3, "trump"): {"suit": "H"}}))
    assert what_is_taken_back(two_hands.reading).words == back_of(two_hands)["what"] == "the change of hand 3"
    sure_of(corrected(two_hands, {(3, "trump"): None}))
    assert what_is_taken_back(two_hands.reading) is None
    assert back_of(two_hands) is None


def test_open_hand_is_corrected_as_far_as_it_is_written(two_hands: Scorer) -> None:
    order = two_hands.reading.sheet.open.hand.order
    for seat in order[:2]:
        sure_of(two_hands.bid(seat, 0))
    sure_of(corrected(two_hands, {(3, f"bid-{order[0]}"): {"bid": 1}}))
    assert two_hands.reading.entries[3, f"bid-{order[0]}"] == {"bid": 1}
    answer = corrected(two_hands, {(3, f"bid-{order[3]}"): {"bid": 1}})
    assert isinstance(answer, Refused)
    assert answer.code == "no-such-bid"


def test_the_rule_is_no_dead_end_in_the_open_hand(two_hands: Scorer) -> None:
    order = two_hands.reading.sheet.open.hand.order
    two_hands.bids(dict.fromkeys(order, 0) | {order[-1]: 1})
    changes = {(3, f"bid-{order[0]}"): {"bid": 1}}
    assert isinstance(corrected(two_hands, changes), Refused)
    sure_of(corrected(two_hands, {**changes, (3, "rule-missed"): {"missed": True}}))
    assert len(two_hands.reading.sheet.open.hand.steps) == 5


def test_hand_with_a_misdeal_before_it_is_corrected(ann: Scorer) -> None:
    sure_of(enter.misdeal(ann.sheet, 1, 1, key=new_key(), by=ann.by))
    ann.any_hand()
    sure_of(corrected(ann, {(1, "tricks"): took(1, 0, 0, 0)}))
    assert [event.kind for event in ann.reading.sheet.row(1).events] == ["misdeal"]


def test_last_hand_is_dealt_again_in_one_write_and_comes_back(two_hands: Scorer) -> None:
    version = two_hands.reading.version
    done = sure_of(deal_again(two_hands.sheet, 2, 1, key=new_key(), by=two_hands.by))
    assert (done.verb, done.version) == ("misdeal", version + 1)
    assert two_hands.reading.next_hand == 2
    assert two_hands.reading.sheet.open.hand.steps == {}
    sure_of(two_hands.undo(done.version))
    assert two_hands.reading.next_hand == 3


def test_only_the_last_hand_is_dealt_again_and_only_before_the_next_has_begun(two_hands: Scorer) -> None:
    for hand, code in ((1, "hand-begun"), (3, "not-asked"), (9, "not-asked")):
        answer = deal_again(two_hands.sheet, hand, 1, key=new_key(), by=two_hands.by)
        assert isinstance(answer, Refused)
        assert answer.code == code
    sure_of(two_hands.bid(two_hands.reading.sheet.open.missing.seat, 0))
    answer = deal_again(two_hands.sheet, 2, 1, key=new_key(), by=two_hands.by)
    assert isinstance(answer, Refused)
    assert answer.code == "hand-begun"


def test_what_has_no_place_is_taken_off_and_comes_back(two_hands: Scorer) -> None:
    # As a change of the set-up may leave it: what stands behind a hand that is not whole.
    entry = two_hands.reading.standing[1, "tricks"]
    Entry.objects.filter(pk=entry.pk).update(withdrawn_by=entry.added_id)
    assert (2, "tricks") in two_hands.reading.sheet.unread
    done = sure_of(corrected(two_hands, {(2, "tricks"): None}))
    assert (2, "tricks") not in two_hands.reading.standing
    sure_of(two_hands.undo(done.version))
    assert (2, "tricks") in two_hands.reading.standing


def test_who_took_over_goes_with_the_event_that_has_no_place(two_hands: Scorer) -> None:
    sure_of(substitute(two_hands, 2, "Gil"))
    entry = two_hands.reading.standing[1, "tricks"]
    Entry.objects.filter(pk=entry.pk).update(withdrawn_by=entry.added_id)
    assert (3, "substitute-1") in two_hands.reading.sheet.unread
    done = sure_of(corrected(two_hands, {(3, "substitute-1"): None}))
    Entry.objects.filter(pk=entry.pk).update(withdrawn_by=None)
    sure_of(arrive(two_hands, "Joe"))
    assert two_hands.reading.names[2] == "Bo"
    sure_of(two_hands.undo())
    sure_of(two_hands.undo(done.version))
    assert two_hands.reading.names[2] == "Gil"
