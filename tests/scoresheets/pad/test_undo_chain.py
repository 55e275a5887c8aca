"""What a phone is told so that it can take back without network, further than the last scored hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from rules.core.table import Event
from scoresheets.access.scorekeepers import hashed
from scoresheets.commands import enter
from scoresheets.commands.undo_label import what_is_taken_back
from scoresheets.corrections.setup import SetupCorrection, correct_setup
from scoresheets.files.sheet_file import open_from_file, sheet_file_of
from scoresheets.pad.bidding_pad import BiddingPad
from scoresheets.pad.build import pad_of, page_of
from scoresheets.pad.state import SeatingChange
from scoresheets.pad.undo_chain import brings, hands_back, with_whole_way
from scoresheets.views.table.pad import face_of
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.corrections.test_correct import corrected
from tests.scoresheets.corrections.test_setup import mend
from tests.scoresheets.people import arrive
from tests.scoresheets.taken_back import sheet_and_pad_name

pytestmark = pytest.mark.django_db


@pytest.fixture
def p() -> Scorer:
    """Three hands of twelve are scored."""
    kept = scorer(4, plan={"peak": 3, "extra_rounds": 1})
    for _ in range(3):
        kept.any_hand()
    return kept


def test_every_scored_hand_is_on_the_way_the_latest_last(p: Scorer) -> None:
    way = with_whole_way(pad_of(p.reading), p.reading)
    assert [hand.number for hand in way.back] == [1, 2, 3]
    assert set(way.back[0].steps) == {"bid-1", "bid-2", "bid-3", "bid-4", "tricks"}
    assert way.back[0].entries.keys() == way.back[0].steps.keys()
    assert way.brings == {}
    assert way.whole


def test_blind_hands_come_after_the_others() -> None:
    p = scorer(4, plan={"peak": 1})
    for taker in (1, 1, 2, 2):
        p.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})
    p.settle()
    back = hands_back(p.reading)
    assert [(hand.number, hand.blind) for hand in back] == [(1, 0), (2, 0), (3, 0), (4, 0), (0, 1)]


def test_the_way_ends_where_somebody_came(p: Scorer) -> None:
    """Hand 2 can be opened again; that they came before it is for the site to take back."""
    reading = p.reading
    came = Event("arrive-1", "arrive", {"seat": 5})
    rows = [replace(row, events=(came,)) if row.hand.number == 2 else row for row in reading.sheet.rows]
    table = replace(reading.sheet.table, rows=tuple(rows))
    with_him = replace(reading, known=replace(reading.sheet, table=table))
    assert [hand.number for hand in hands_back(with_him)] == [2, 3]


def test_no_way_leads_to_a_hand_behind_which_something_has_lost_its_place(p: Scorer) -> None:
    mended = SetupCorrection({}, plan={"peak": 1, "extra_rounds": 1})
    sure_of(correct_setup(p.sheet, mended, saw={}, digest=None, key=new_key(), by=p.by))
    reading = p.reading
    assert reading.next_hand == 2
    assert reading.sheet.unread
    assert hands_back(reading) == ()


def test_a_misdeal_says_what_it_swept_away(p: Scorer) -> None:
    order = p.reading.sheet.open.hand.order
    first = sure_of(p.bid(order[0], 1)).version
    swept = sure_of(enter.misdeal(p.sheet, 4, 1, key=new_key(), by=p.by)).version
    assert brings(p.reading) == {swept: [(4, f"bid-{order[0]}", {"bid": 1}, first)]}
    assert brings(p.reading, swept) == brings(p.reading)


def test_a_number_that_was_typed_wrong_says_what_it_took_the_place_of(p: Scorer) -> None:
    seat = p.reading.sheet.open.hand.order[0]
    first = sure_of(p.bid(seat, 1)).version
    saw = p.reading.entry_ids[4, f"bid-{seat}"]
    typed = enter.retype(p.sheet, (4, f"bid-{seat}"), {"bid": 2}, saw=saw, key=new_key(), by=p.by)
    assert brings(p.reading) == {sure_of(typed).version: [(4, f"bid-{seat}", {"bid": 1}, first)]}


def test_what_was_taken_back_stands_in_nobodys_way(p: Scorer) -> None:
    sure_of(p.bid(p.reading.sheet.open.hand.order[0], 1))
    sure_of(p.undo())
    assert brings(p.reading) == {}


def test_misdeals_of_a_scored_hand_are_told_with_it(p: Scorer) -> None:
    versions = [sure_of(enter.misdeal(p.sheet, 4, event, key=new_key(), by=p.by)).version for event in (1, 2)]
    p.any_hand()
    last = hands_back(p.reading)[-1]
    assert [version for _, version in last.misdeals] == versions
    assert last.event == 3


@pytest.mark.parametrize("hands", [1, 8])
def test_the_whole_way_costs_one_query_however_long_it_is(hands: int, django_assert_num_queries: object) -> None:
    p = scorer(4, plan={"peak": 3, "extra_rounds": 1})
    for _ in range(hands):
        p.any_hand()
    reading = p.reading
    state = pad_of(reading)
    with django_assert_num_queries(1):  # type: ignore[operator]
        with_whole_way(state, reading)


def test_bid_made_since_somebody_came_is_taken_back_first_though_an_older_one_comes_last() -> None:
    table = scorer(4, plan={"peak": 2})
    for seat in (2, 3):
        sure_of(table.bid(seat, 0))
    pad = pad_of(table.reading)
    old, new = 1, 9
    came = SeatingChange((1, 5), noted=False, says=["", "Joe", " joins"])
    entries = {"bid-2": (pad.entries["bid-2"][0], new), "bid-3": (pad.entries["bid-3"][0], old)}
    face = BiddingPad(replace(pad, happened=came, entries=entries), page_of(table.reading))
    assert face.back
    assert face.back["version"] == old
    bare = BiddingPad(replace(pad, happened=came, entries={}, steps={}), page_of(table.reading))
    assert bare.back
    assert bare.back["says"] == came.says


def test_coming_is_taken_back_before_the_hand_though_it_is_noted_since_that_the_rule_was_missed() -> None:
    table = scorer(4, plan={"peak": 3})
    table.clear_hand()
    came = sure_of(arrive(table, "Joe"))
    order = table.reading.sheet.open.hand.order
    table.bids(dict.fromkeys(order, 0) | {order[0]: 1})
    sure_of(mend(table, plan={"peak": 1}))
    assert (2, "rule-missed") in table.reading.standing
    for seat in reversed(order):
        version = table.reading.standing[2, f"bid-{seat}"].first
        assert sheet_and_pad_name(table.reading) == version
        sure_of(table.undo(version))
    assert set(table.reading.sheet.open.hand.steps) == {"rule-missed"}
    assert sheet_and_pad_name(table.reading) == came.version
    sure_of(table.undo(came.version))


def test_hand_before_is_open_again_and_nobody_need_take_back_that_the_rule_was_missed_after_it() -> None:
    table = scorer(4, plan={"peak": 3})
    table.clear_hand()
    order = table.reading.sheet.open.hand.order
    table.bids(dict.fromkeys(order, 0) | {order[0]: 1})
    sure_of(mend(table, plan={"peak": 1}))
    for _ in order:
        sure_of(table.undo(sheet_and_pad_name(table.reading)))
    before = table.reading.entries
    assert (2, "rule-missed") in before
    undone = sure_of(table.undo(sheet_and_pad_name(table.reading)))
    assert table.reading.next_hand == 1
    assert table.reading.sheet.unread == ()
    sure_of(table.undo(undone.version))
    assert table.reading.entries == before


# A draw beside a blind hand


@pytest.fixture
def two_ties() -> Scorer:
    """All hands are scored: seats 3 and 4 are tied for the lead, 1 and 2 at the bottom."""
    return tied_after_four(extra_rounds=0)


def tied_after_four(*, extra_rounds: int) -> Scorer:
    table = scorer(4, plan={"peak": 1, "extra_rounds": extra_rounds})
    for taker in (1, 1, 2, 2):
        table.hand(dict.fromkeys(range(1, 5), 0), {seat: int(seat == taker) for seat in range(1, 5)})
    return table


def draw(table: Scorer, k: int, *ranks: str) -> int:
    return sure_of(table.enter(0, f"draw-{k}", rank_1=ranks[0], rank_2=ranks[1])).version


def blind_bid(table: Scorer) -> int:
    ask = table.reading.sheet.settlement.asks[0]
    return sure_of(table.enter(0, ask.name, bid=0)).version


def test_draw_is_taken_back_before_the_blind_bids_that_were_made_before_it(two_ties: Scorer) -> None:
    scored = two_ties.reading.last_write
    written = [draw(two_ties, 1, "K", "K"), blind_bid(two_ties), draw(two_ties, 2, "K", "Q"), blind_bid(two_ties)]
    back = face_of(pad_of(two_ties.reading), page_of(two_ties.reading)).back
    assert back
    assert back["name"]
    sure_of(two_ties.undo(written.pop()))
    back = face_of(pad_of(two_ties.reading), page_of(two_ties.reading)).back
    assert back
    assert back["what"] == "draw 2"
    while written:
        assert sheet_and_pad_name(two_ties.reading) == written[-1]
        sure_of(two_ties.undo(written.pop()))
    assert sheet_and_pad_name(two_ties.reading) == scored


def test_draw_is_taken_back_after_a_blind_bid_that_was_typed_anew_since(two_ties: Scorer) -> None:
    bids = [blind_bid(two_ties), blind_bid(two_ties)]
    drawn = draw(two_ties, 1, "K", "Q")
    address = (0, f"tie-1-bid-{two_ties.reading.hand.order[0]}")
    saw = two_ties.saw(address)
    anew = sure_of(enter.retype(two_ties.sheet, address, {"bid": 2}, saw=saw, key=new_key(), by=two_ties.by))
    for version in (bids[1], anew.version, drawn, bids[0]):
        assert sheet_and_pad_name(two_ties.reading) == version
        sure_of(two_ties.undo(version))


def test_draw_is_taken_back_before_the_early_end_of_the_game() -> None:
    table = tied_after_four(extra_rounds=1)
    sure_of(enter.stop(table.sheet, 5, key=new_key(), by=table.by, sure=True))
    drawn = draw(table, 1, "K", "Q")
    assert sheet_and_pad_name(table.reading) == drawn
    sure_of(table.undo(drawn))
    assert face_of(pad_of(table.reading), page_of(table.reading)).back["plays_on"]


def test_change_of_a_draw_is_called_that(two_ties: Scorer) -> None:
    draw(two_ties, 1, "K", "Q")
    change = sure_of(corrected(two_ties, {(0, "draw-1"): {"rank-1": "A", "rank-2": "Q"}}))
    assert sheet_and_pad_name(two_ties.reading) == change.version
    assert what_is_taken_back(two_ties.reading).words == "the change of the draw"
    assert face_of(pad_of(two_ties.reading), page_of(two_ties.reading)).back["what"] == "the change of the draw"


def test_of_a_blind_hand_and_a_draw_from_a_file_the_draw_is_taken_back(two_ties: Scorer) -> None:
    blind_bid(two_ties)
    draw(two_ties, 1, "K", "Q")
    file = json.dumps(sheet_file_of(two_ties.reading)).encode()
    made = open_from_file(file, browser=hashed("s" * 22), key=new_key(), address=new_key())
    table = Scorer(made.sheet, made.keeper)
    assert face_of(pad_of(table.reading), page_of(table.reading)).back["what"] == "the draw"
    sure_of(table.undo(sheet_and_pad_name(table.reading)))
    assert (0, "draw-1") not in table.reading.entries
