"""What happens between hands and is neither a late arrival nor an early leave."""

import pytest

from rules.core.fields import SHEET
from rules.core.files.sheet_file import read_object
from rules.core.files.writer import sheet_document
from tests.rules.kept import GAME, Kept


def test_misdeal_is_dealt_again_by_the_same_dealer_with_the_same_cards():
    kept = Kept(4, first_dealer=2).any_hands(1)
    before = kept.coming
    kept.happens("misdeal")
    assert (kept.coming.number, kept.coming.dealer, kept.coming.cards) == (before.number, before.dealer, before.cards)
    assert len(kept.happens("misdeal").sheet.events) == 2


def test_events_stay_with_the_hand_they_came_before():
    kept = Kept(4).happens("misdeal").happens("arrive", seat=5).any_hands()
    assert [event.name for event in kept.sheet.rows[0].events] == ["misdeal-1", "arrive-2"]
    assert kept.sheet.events == ()


def test_substitute_takes_over_seat_and_total():
    kept = Kept(4).carry(1, 2, 3, 4, hands=2)
    before = kept.sheet
    after = kept.happens("substitute", seat=2).sheet
    assert (after.totals, after.table.seats, after.open.hand) == (before.totals, before.table.seats, before.open.hand)
    assert kept.codes((3, "substitute-2"), seat=9) == ["unknown-player"]


@pytest.mark.parametrize(
    ("order", "dealer"),
    [
        pytest.param((1, 3, 2, 4), 4, id="the last dealer's new left neighbour deals"),
        pytest.param((4, 3, 2, 1), 1, id="the other way round"),
        pytest.param((1, 2, 3, 4), 3, id="nothing changes"),
    ],
)
def test_reseated_table_deals_left_of_the_last_dealer(order, dealer):
    kept = Kept(4, {"hands": 8}, first_dealer=1).carry(1, 2, 3, 4, hands=2)
    kept.happens("reseat", **{f"place-{place}": seat for place, seat in enumerate(order, 1)})
    assert kept.sheet.table.seats == order
    assert kept.sheet.totals == {1: 1, 2: 2, 3: 3, 4: 4}
    assert kept.coming.dealer == dealer


def test_table_reseated_before_the_first_hand_keeps_its_first_dealer():
    kept = Kept(3, first_dealer=2).happens("reseat", **{"place-1": 3, "place-2": 2, "place-3": 1})
    assert kept.coming.order == (1, 3, 2)


def test_table_reseated_after_the_last_dealer_left_keeps_its_next_dealer():
    kept = Kept(4, first_dealer=1).any_hands(2).happens("leave", seat=2)
    kept.happens("reseat", **{"place-1": 1, "place-2": 4, "place-3": 3})
    assert kept.coming.dealer == 3


@pytest.mark.parametrize(
    ("places", "codes"),
    [
        ({"place-1": 1, "place-2": 2, "place-3": 2}, ["wrong-players"]),
        ({"place-1": 1, "place-2": 2}, ["missing-field"]),
        ({"place-1": 1, "place-2": 2, "place-3": 4}, ["unknown-player"]),
    ],
)
def test_everybody_needs_one_chair(places, codes):
    assert Kept(3).codes((1, "reseat-1"), **places) == codes


def test_carried_hands_count_and_leave_no_row():
    kept = Kept(4, {"peak": 4}, first_dealer=1).carry(30, -2, 8, 8, hands=5, last_dealer=3)
    assert (kept.coming.number, kept.coming.cards, kept.coming.dealer) == (6, 3, 4)
    assert (kept.sheet.boxed, kept.sheet.circled) == ((1,), (2,))
    assert kept.sheet.rows == ()
    assert kept.any_hands().sheet.rows[0].totals[1] == 27


@pytest.mark.parametrize(
    ("changed", "codes"),
    [
        ({"hands": 0}, ["bad-plan"]),
        ({"hands": 9}, ["bad-plan"]),
        ({"last_dealer": 5}, ["unknown-player"]),
        ({"total-1": 10**7}, ["count-range"]),
        ({"total-5": 0}, ["unknown-field"]),
    ],
)
def test_carried_hands_are_checked(changed, codes):
    step = {"hands": 4, "last_dealer": 1, **{f"total-{seat}": 0 for seat in range(1, 5)}}
    kept = Kept(4, {"hands": 8})
    assert kept.codes((SHEET, "carried"), **step) == []
    assert kept.codes((SHEET, "carried"), **(step | changed)) == codes


def test_carried_hands_are_checked_against_the_table_as_it_was_opened():
    step = {"hands": 4, "last_dealer": 1, **{f"total-{seat}": 0 for seat in range(1, 5)}}
    kept = Kept(4, {"hands": 4}).any_hands(1).happens("leave", seat=4)
    assert kept.codes((SHEET, "carried"), **step) == []
    assert kept.any_hands(3).sheet.open is None
    assert kept.codes((SHEET, "carried"), **step) == []


def test_table_may_stop_after_any_scored_hand_and_is_settled_as_at_the_end():
    kept = Kept(4, {"hands": 12}).any_hands(3)
    assert kept.codes((4, "stop-1")) == []
    sheet = kept.happens("stop").sheet
    assert sheet.table.stopped
    assert (sheet.open, sheet.finished, sheet.winner, sheet.loser) == (None, True, 1, 4)
    kept = Kept(4, {"hands": 12}).any_hands(1).happens("stop")
    assert [(w.what, w.seats) for w in kept.sheet.waiting] == [("tie-break", (1, 3, 4))]


@pytest.mark.parametrize(
    ("kind", "step"), [("misdeal", {}), ("leave", {"seat": 1}), ("arrive", {"seat": 5}), ("substitute", {"seat": 1})]
)
def test_table_stops_as_the_last_scored_hand_left_it_whatever_happened_since(kind, step):
    plain = Kept(4, {"hands": 12}).any_hands(3).happens("stop")
    kept = Kept(4, {"hands": 12}).any_hands(3).happens(kind, **step).happens("stop")
    assert kept.sheet.table == plain.sheet.table
    assert kept.sheet.settlement == plain.sheet.settlement
    names = {seat: f"Seat {seat}" for seat in range(1, 6)}
    replaced = {(4, "substitute-1"): "Was there"} if kind == "substitute" else {}
    found = read_object(sheet_document(GAME, kept.table, kept.entries, names, replaced=replaced))
    assert (found.sheet.totals, found.names) == (kept.sheet.totals, {seat: names[seat] for seat in range(1, 5)})


def test_table_cannot_stop_before_anything_is_scored():
    assert Kept(4).codes((1, "stop-1")) == ["bad-plan"]
    assert Kept(4, {"hands": 4}).carry(1, 2, 3, 4, hands=2).codes((3, "stop-1")) == []


def test_what_was_written_of_the_hand_is_unread_once_the_table_has_stopped():
    kept = Kept(4, {"hands": 12}).any_hands(3).happens("stop")
    kept.entries[4, "bid-1"] = {"bid": 0}
    assert kept.sheet.unread == ((4, "bid-1"),)


def test_every_event_is_asked_in_kinds_of_fields():
    table = Kept(4).table
    assert {kind: GAME.event_ask(table, kind, 1).name for kind in GAME.events} == {k: f"{k}-1" for k in GAME.events}
