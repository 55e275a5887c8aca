"""Rule 14 on one sheet: how a group of a play-off ends, and how its finals do."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import find_game
from rules.core.engine.chances import chances
from rules.core.engine.replay import read, settle
from rules.core.fields import SHEET
from rules.core.files.results import result_document
from rules.core.files.sheet_file import Refused, read_object
from rules.core.files.writer import sheet_document
from rules.core.outcome import Chances, Waiting
from rules.core.playoffs.cut import cut
from rules.core.stakes import Decides, group
from rules.dirty_dog.chances import chances_of
from tests.rules.kept import Kept
from tests.rules.test_chances import endings, near_the_end

WINNERS, LOSERS = Decides(bottom=False), Decides(lead=False, bottom=False)
SIX = {"peak": 2}


def ended(*totals: int, decides: Decides, **house_rules) -> Kept:
    """A table after its last hand with these totals by seat."""
    return Kept(len(totals), SIX, decides=decides, **house_rules).carry(*totals)


def going(kept: Kept) -> tuple[set[int], set[int]]:
    settlement = kept.sheet.settlement
    return set(settlement.through), set(settlement.below)


# -- who goes on ------------------------------------------------------------------------------------


def test_rule_14_three_highest_go_through_and_the_others_to_the_losers_table():
    kept = ended(30, 8, 21, -3, 15, 14, decides=group(3))
    assert going(kept) == ({1, 3, 5}, {2, 4, 6})
    assert kept.sheet.finished
    assert (kept.sheet.winner, kept.sheet.loser) == (None, None)


def test_rule_14_bottom_two_go_to_the_losers_table_and_the_middle_is_done():
    assert going(ended(30, 8, 21, -3, 15, 14, decides=group(2, 2))) == ({1, 3}, {2, 4})


def test_rule_14_group_of_a_further_round_sends_on_one_side_alone():
    assert going(ended(30, 8, 21, -3, 15, 14, decides=group(2, 0))) == ({1, 3}, set())
    assert going(ended(30, 8, 21, -3, 15, 14, decides=group(0, 3))) == (set(), {2, 4, 6})


@pytest.mark.parametrize("totals", [(30, 30, 30, 2, 1, 0), (30, 20, 10, 2, 2, 2), (30, 30, 10, 2, 2, 0)])
def test_rule_14_tie_inside_or_outside_needs_nothing(totals):
    kept = ended(*totals, decides=group(3))
    assert kept.sheet.finished
    assert going(kept) == ({1, 2, 3}, {4, 5, 6})


def test_rule_14_tie_across_the_line_waits_for_a_blind_hand_among_the_tied():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3))
    assert kept.sheet.waiting == (Waiting("tie-break", seats=(3, 4, 5), cards=5, edge="through", places=1),)
    assert going(kept) == ({1, 2}, {6}), "these are certain all the same"
    assert [ask.name for ask in kept.sheet.settlement.asks] == ["tie-1-bid-2"], "the whole table plays it"


def test_rule_14_only_the_points_of_the_tied_count():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3))
    kept.blind_hand("0 0 1 0 5 0", "0 0 1 0 4 0")  # in bidding order: 2 3 4 5 6 1
    assert going(kept) == ({1, 2, 4}, {3, 5, 6})
    assert [(p.seat, p.place, p.score) for p in kept.sheet.placings][2:] == [
        (4, 3, 10), (3, 4, 10), (5, 4, 10), (6, 6, 0)
    ]  # fmt: skip


def test_rule_14_who_are_equal_on_one_side_of_the_line_share_their_place_whatever_the_blind_hand_brings():
    kept = ended(30, 30, 10, 10, 0, 0, decides=group(3))
    kept.blind_hand("0 1 0 0 0 5", "0 0 0 2 0 3")  # in bidding order: 2 3 4 5 6 1
    assert [(one.seat, one.place) for one in kept.sheet.placings] == [(1, 1), (2, 1), (4, 3), (3, 4), (5, 5), (6, 5)]


def test_rule_14_still_tied_across_the_line_play_again_and_nobody_else():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3))
    kept.blind_hand("0 1 1 0 4 0", "0 1 1 0 3 0")  # 3 and 4 have made one each
    assert kept.sheet.waiting[0].seats == (3, 4)
    kept.blind_hand("0 0 0 0 4 0", "0 0 0 0 5 0")  # in bidding order 3 4 5 6 1 2: level again
    assert [ask.name for ask in kept.sheet.settlement.asks] == ["tie-3-bid-4"]
    assert going(kept) == ({1, 2}, {5, 6})
    kept.blind_hand("1 0 0 0 5 0", "0 0 0 0 5 0")  # 4 5 6 1 2 3: four is set by one
    assert going(kept) == ({1, 2, 3}, {4, 5, 6})


def test_rule_14_one_blind_hand_serves_both_lines():
    kept = ended(30, 10, 10, 0, 0, 0, decides=group(2, 1))
    assert [(one.edge, one.seats, one.places) for one in kept.sheet.waiting] == [
        ("through", (2, 3), 1), ("below", (4, 5, 6), 1)
    ]  # fmt: skip
    kept.blind_hand("1 0 0 0 1 0", "1 0 0 0 4 0")  # 6 is set by four
    assert going(kept) == ({1, 2}, {6})


def test_rule_14_all_equal_are_tied_across_both_lines():
    kept = ended(*[7] * 6, decides=group(2, 2))
    assert [(one.edge, one.places) for one in kept.sheet.waiting] == [("through", 2), ("below", 2)]
    kept.blind_hand("2 1 0 0 5 1", "2 1 0 0 0 2")  # 2: 7, 3: 6, 4 and 5: 5, 6: -5, 1: -2
    assert going(kept) == ({2, 3}, {1, 6})


def test_rule_14_high_card_goes_first_and_equal_cards_that_matter_draw_again():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3, high_card=True))
    assert kept.sheet.waiting == (Waiting("draw", seats=(3, 4, 5), edge="through", places=1),)
    kept.draw(s3="K", s4="K", s5="A")
    assert going(kept) == ({1, 2, 5}, {3, 4, 6}), "the kings lose together"
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3, high_card=True)).draw(s3="K", s4="K", s5="Q")
    assert kept.sheet.waiting[0].seats == (3, 4)
    assert going(kept.draw(s3="2", s4="3"))[0] == {1, 2, 4}


def test_five_cannot_draw_the_same_rank_for_a_line_either():
    kept = ended(*[5] * 6, decides=group(3, high_card=True))
    assert kept.codes((SHEET, "draw-1"), **{f"rank-{seat}": "9" for seat in range(1, 7)}) == ["impossible-draw"]


def test_cards_that_nobody_can_have_drawn_settle_nothing():
    kept = ended(*[5] * 6, decides=group(3, high_card=True))
    kept.entries[SHEET, "draw-1"] = {f"rank-{seat}": "9" for seat in range(1, 6)} | {"rank-6": "2"}
    settlement = kept.sheet.settlement
    assert [problem.code for problem in settlement.problems] == ["impossible-draw"]
    assert (settlement.draws, [ask.name for ask in settlement.asks]) == ((), ["draw-1"])


# -- who comes and goes -------------------------------------------------------------------------------


def test_rule_10_who_goes_home_early_goes_on_nowhere_and_counts_for_nobodys_line():
    kept = Kept(6, {"hands": 3}, decides=group(3)).any_hands(1).happens("leave", seat=2).any_hands(2)
    settlement = kept.sheet.settlement
    assert 2 not in {*settlement.through, *settlement.below, *(s for w in settlement.waiting for s in w.seats)}
    assert (kept.sheet.winner, kept.sheet.loser) == (None, None)


@pytest.mark.parametrize("leavers", [(2,), (2, 4), (2, 4, 5)])
def test_as_many_places_as_are_left_at_the_table_need_no_line(leavers):
    kept = Kept(6, {"hands": 3}, decides=group(5)).any_hands(1)
    for seat in leavers:
        kept.happens("leave", seat=seat)
    kept.any_hands(2)
    assert kept.sheet.finished
    assert going(kept) == ({1, 2, 3, 4, 5, 6} - set(leavers), set())


def test_with_too_few_left_the_winners_table_is_filled_first():
    kept = Kept(6, {"hands": 3}, decides=group(2, 3)).any_hands(1)
    for seat in (2, 4, 5):
        kept.happens("leave", seat=seat)
    kept.any_hands(2)
    through, below = going(kept)
    assert (len(through), len(below)) == (2, 1) or kept.sheet.waiting


def test_rule_1_who_comes_late_plays_for_the_same_places():
    kept = Kept(4, {"hands": 3}, decides=group(4)).any_hands(1).happens("arrive", seat=9, left_of=4).any_hands(2)
    settlement = kept.sheet.settlement
    asked = {seat for waiting in settlement.waiting for seat in waiting.seats}
    assert 9 in {*settlement.through, *settlement.below, *asked}
    assert len(settlement.through) + sum(waiting.places for waiting in settlement.waiting) == 4


def test_who_went_home_takes_no_trophy_by_it_and_the_table_is_told():
    kept = Kept(6, {"hands": 3}, decides=group(3)).any_hands(1).happens("leave", seat=2)
    said = [remark.text for remark in kept.sheet.game.remarks(kept.sheet.table)]
    assert said == ["{names} went home early and goes no further"]
    for final in (WINNERS, LOSERS):
        kept = Kept(6, {"hands": 3}, decides=final).any_hands(1).happens("leave", seat=2)
        assert kept.sheet.game.remarks(kept.sheet.table) == ()


def test_group_that_stops_early_is_cut_as_the_last_hand_left_it():
    kept = Kept(4, {"hands": 8}, decides=group(1)).hand("1 0 0 1", "1 0 0 0").hand("0 0 0 1", "2 0 0 0")
    kept.happens("stop")
    totals = kept.sheet.totals
    found = cut(totals, 1, None)
    assert going(kept) == (set(found.through), set(found.below))


@pytest.mark.parametrize("players", [2, 25])
def test_smallest_and_largest_table_can_be_a_group(players):
    totals = [3] * players
    kept = ended(*totals, decides=group(1))
    (waiting,) = kept.sheet.waiting
    assert (len(waiting.seats), waiting.places, waiting.cards) == (players, 1, 5 if players == 2 else 2)


# -- the finals ---------------------------------------------------------------------------------------


def test_rule_14_winners_table_plays_out_its_lead_and_nothing_else():
    kept = ended(20, 20, 5, 5, decides=WINNERS)
    assert kept.sheet.waiting == (Waiting("tie-break", seats=(1, 2), cards=5),)
    kept.blind_hand("1 0 0 0", "1 0 0 4")
    assert (kept.sheet.winner, kept.sheet.loser) == (2, None)
    assert kept.sheet.finished, "what its bottom means depends on both finals"


def test_rule_14_losers_table_plays_out_nothing():
    kept = ended(20, 20, 5, 5, decides=LOSERS)
    assert kept.sheet.finished
    assert (kept.sheet.winner, kept.sheet.loser) == (None, None)


def test_bottom_by_blind_hand_is_no_question_where_the_bottom_is_none():
    assert ended(20, 9, 5, 5, decides=WINNERS, bottom_by_blind_hand=True).sheet.finished


def test_first_place_loser_is_called_where_the_lead_is_played_for():
    calls = {}
    for name, decides in {"own": Decides(), "winners": WINNERS, "losers": LOSERS, "group": group(2)}.items():
        calls[name] = [call.call for call in ended(20, 9, 5, 1, decides=decides).sheet.callouts]
    assert calls == {"own": ["first-place-loser"], "winners": ["first-place-loser"], "losers": [], "group": []}


def test_totals_are_carried_over_where_the_final_begins_with_them():
    kept = Kept(4, {"hands": 1}, decides=replace(WINNERS, start={1: 12, 2: -3, 3: 0, 4: 5}))
    assert dict(kept.sheet.totals) == {1: 12, 2: -3, 3: 0, 4: 5}
    kept.hand("1 0 0 1", "1 0 0 0")
    assert dict(kept.sheet.totals) == {1: 11, 2: 3, 3: 5, 4: 10}


def test_rule_1_who_comes_before_the_first_hand_of_such_a_final_takes_the_lowest_total_too():
    kept = Kept(4, {"hands": 2}, decides=replace(WINNERS, start={1: 12, 2: -3, 3: 0, 4: 5}))
    kept.happens("arrive", seat=9, left_of=4)
    assert kept.sheet.table.totals[9] == -3
    assert Kept(4, {"hands": 2}).happens("arrive", seat=9, left_of=4).sheet.table.totals[9] == 0


# -- the organiser's ruling ---------------------------------------------------------------------------


def test_ruling_settles_a_tie_and_stands_on_the_sheet():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3)).rule(5)
    assert going(kept) == ({1, 2, 5}, {3, 4, 6})
    assert kept.sheet.finished
    (ruled,) = kept.sheet.settlement.rulings
    assert (ruled.name, ruled.goes, ruled.stays) == ("ruling-1", (5,), (3, 4))


def test_ruling_after_a_blind_hand_that_left_some_equal():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3)).blind_hand("0 1 1 0 4 0", "0 1 1 0 3 0").rule(3)
    assert going(kept) == ({1, 2, 3}, {4, 5, 6})
    assert kept.sheet.unread == ()


def test_one_line_is_ruled_and_the_other_played():
    kept = ended(30, 10, 10, 0, 0, 0, decides=group(2, 1)).rule(3).blind_hand("1 0 0 0 1 0", "1 0 0 0 4 0")
    assert going(kept) == ({1, 3}, {6}), "the blind hand does not ask again what is ruled"
    assert kept.sheet.settlement.tied == ((4, 5, 6),)


def test_over_the_lower_line_go_those_who_are_named():
    kept = ended(30, 20, 10, 0, 0, 0, decides=group(1, 2)).rule(4, 5, edge="below")
    assert going(kept) == ({1}, {4, 5})


@pytest.mark.parametrize("goes", [(), (3, 4), (3, 4, 5)])
def test_ruling_for_too_few_or_too_many_is_none(goes):
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3)).rule(*goes)
    assert not kept.sheet.finished
    assert kept.sheet.unread == ((SHEET, "ruling-1"),), "it is not lost"


def test_ruling_counts_only_as_long_as_the_tie_it_is_about_is_there():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3)).rule(5)
    carried = dict(kept.entries[SHEET, "carried"])
    kept.entries[SHEET, "carried"] = carried | {"total-3": 11}
    assert going(kept) == ({1, 2, 3}, {4, 5, 6})
    assert kept.sheet.unread == ((SHEET, "ruling-1"),)
    kept.entries[SHEET, "carried"] = carried
    assert going(kept) == ({1, 2, 5}, {3, 4, 6}), "taken back, it counts again"


def test_blind_hand_of_a_tie_that_a_correction_takes_away_is_unread_and_never_lost():
    kept = ended(30, 20, 10, 10, 10, 0, decides=group(3)).blind_hand("0 0 1 0 5 0", "0 0 1 0 4 0")
    blind = {address for address in kept.entries if address[1].startswith("tie-1-")}
    carried = dict(kept.entries[SHEET, "carried"])
    kept.entries[SHEET, "carried"] = carried | {"total-3": 11}
    assert set(kept.sheet.unread) == blind
    assert len(blind) == 7
    kept.entries[SHEET, "carried"] = carried
    assert going(kept) == ({1, 2, 4}, {3, 5, 6})


def test_other_game_has_nothing_for_such_a_tie_but_the_organiser():
    game = find_game("bird-dog")
    table = game.open_table((1, 2, 3), 1, {}, {}, group(1))
    tied = replace(table, totals={1: 11, 2: 11, 3: 4}, hands_done=5)
    found = settle(game, tied, {})
    assert found.waiting == (Waiting("ruling", seats=(1, 2), edge="through", places=1),)
    assert found.asks == ()
    (ask,) = found.may_rule
    ruled = settle(game, tied, {(SHEET, ask.name): {"edge": "through", "after": 0, "goes-1": False, "goes-2": True}})
    assert (ruled.through, set(ruled.below), ruled.winner) == ((2,), {1, 3}, None)


# -- as a property ------------------------------------------------------------------------------------


@st.composite
def groups_played_out(draw):
    """A group after its last hand, with what was settled and how: ``(kept, settled)``."""
    totals = draw(st.lists(st.integers(0, 3), min_size=2, max_size=7))
    through = draw(st.integers(0, len(totals)))
    below = draw(st.none() | st.integers(0, len(totals) - through))
    decides = group(through, below, high_card=draw(st.booleans())) if through or below else group(1)
    kept, settled = ended(*totals, decides=decides), []
    for _ in range(draw(st.integers(0, 4))):
        settlement = kept.sheet.settlement
        if not settlement.waiting:
            break
        tie = draw(st.sampled_from(settlement.cut.ties))
        seats = {seat for one in settlement.cut.ties for seat in one.players}
        if draw(st.booleans()):
            goes = draw(st.permutations(tie.players))[: tie.places]
            kept.rule(*goes, edge=tie.edge)
            above = set(goes) if tie.edge == "through" else set(tie.players) - set(goes)
            settled.append({seat: int(seat in above) for seat in tie.players})
        elif decides.high_card:
            ranks = {seat: draw(st.sampled_from("23")) for seat in sorted(seats)}
            if max(map(list(ranks.values()).count, "23")) > 4:
                continue
            kept.draw(**{f"s{seat}": rank for seat, rank in ranks.items()})
            settled.append({seat: int(rank) for seat, rank in ranks.items()})
        else:
            order = settlement.hand.order
            bids = [draw(st.integers(0, 1)) for _ in order]
            if sum(bids) == settlement.hand.cards:
                continue
            tricks = [settlement.hand.cards, *[0] * (len(order) - 1)]
            kept.blind_hand(" ".join(map(str, bids)), " ".join(map(str, tricks)))
            points = kept.sheet.settlement.ties[-1].points
            settled.append({seat: points[seat] for seat in seats})
    return kept, settled


@given(groups_played_out())
def test_settlement_of_a_group_is_the_cut_of_its_totals(case):
    kept, settled = case
    table, sheet = kept.table, kept.sheet
    found = cut(sheet.totals, table.decides.through, table.decides.below, settled)
    assert (set(sheet.settlement.through), set(sheet.settlement.below)) == (set(found.through), set(found.below))
    assert {(one.edge, one.seats, one.places) for one in sheet.waiting} == {
        (tie.edge, tie.players, tie.places) for tie in found.ties
    }
    assert sheet.unread == ()
    places = {placing.seat: placing.place for placing in sheet.placings}
    assert all(places[above] < places[under] for above in found.through for under in (*found.out, *found.below))


@given(groups_played_out())
def test_group_that_is_written_down_and_read_again_is_the_same(case):
    kept, _ = case
    sheet = kept.sheet
    names = {seat: f"Seat {seat}" for seat in kept.table.seats}
    document = json.loads(json.dumps(sheet_document(sheet.game, kept.table, kept.entries, names)))
    found = read_object(document)
    assert found.entries == kept.entries
    assert found.table == kept.table
    once, again = result_document(found.sheet, found.names), result_document(sheet, names)
    assert once == again
    assert {"through", "below"} <= set(once)


def test_table_of_its_own_says_nothing_of_it_in_a_file_or_a_result():
    kept = ended(20, 9, 5, 1, decides=Decides())
    names = {seat: f"Seat {seat}" for seat in kept.table.seats}
    document = sheet_document(kept.sheet.game, kept.table, kept.entries, names)
    result = result_document(kept.sheet, names)
    assert not {"decides", "rulings"} & set(document)
    assert not {"through", "below"} & set(result)


# -- what a file may say ------------------------------------------------------------------------------

CARRIED = {"carried": {"hands": 2, "totals": {"Ann": 9, "Bo": 4, "Cy": 4, "Di": 1}, "last_dealer": "Bo"}}
FILE = {"format": "score-sheet/1", "game": "dirty-dog", "players": ["Ann", "Bo", "Cy", "Di"], "plan": {"hands": 2}}


def scored(**keys):
    """The result of the file with these keys, or the codes it is refused with."""
    try:
        found = read_object({**FILE, "hands": [CARRIED], **keys})
    except Refused as refused:
        return [problem.code for problem, _ in refused.problems]
    return result_document(found.sheet, found.names)


def test_result_of_a_group_says_who_goes_on_and_what_is_open():
    result = scored(decides={"through": 2})
    assert (result["through"], result["below"], result["finished"]) == (["Ann"], ["Di"], False)
    assert result["waiting_for"] == [
        {"what": "cut-tie-break", "edge": "through", "players": ["Bo", "Cy"], "places": 1, "cards": 5}
    ]
    ruled = scored(decides={"through": 2}, rulings=[{"edge": "through", "goes": ["Cy"]}])
    assert (ruled["through"], ruled["below"], ruled["finished"]) == (["Ann", "Cy"], ["Bo", "Di"], True)


@pytest.mark.parametrize(("keys", "codes"), [
    ({"decides": None}, ["bad-document"]),
    ({"decides": {}}, ["bad-document"]),
    ({"decides": {"through": True}}, ["bad-document"]),
    ({"decides": {"through": "2"}}, ["bad-document"]),
    ({"decides": {"through": 2, "lead": False}}, ["bad-document"]),
    ({"decides": {"through": 2, "places": 2}}, ["bad-document"]),
    ({"decides": {"lead": True}}, ["bad-document"]),
    ({"decides": {"through": 5}}, ["bad-places"]),
    ({"decides": {"through": -1}}, ["bad-places"]),
    ({"decides": {"through": 2, "below": 3}}, ["bad-places"]),
    ({"decides": {"through": 0, "below": 0}}, ["bad-places"]),
    ({"decides": {"through": 0}}, ["bad-places"]),
    ({"decides": {"start": {"Ed": 3}}}, ["unknown-player"]),
    ({"decides": {"start": {"Ann": 10**7}}}, ["count-range"]),
    ({"decides": {"through": 2}, "rulings": [{"edge": "through", "goes": ["Di"]}]}, ["ruling-not-needed"]),
    ({"decides": {"through": 2}, "rulings": [{"edge": "below", "goes": ["Cy"]}]}, ["ruling-not-needed"]),
    ({"decides": {"through": 2}, "rulings": [{"edge": "through", "goes": ["Bo", "Cy"]}]}, ["bad-places"]),
    ({"decides": {"through": 2}, "rulings": [{"edge": "through", "goes": ["Cy"], "after": 1}]}, ["ruling-not-needed"]),
    ({"decides": {"through": 2}, "rulings": [{"edge": "through"}]}, ["bad-document"]),
    ({"rulings": [{"edge": "through", "goes": ["Cy"]}]}, ["ruling-not-needed"]),
    ({"decides": {"through": 1}, "draws": [{"Bo": "2", "Cy": "3"}]}, ["draw-not-needed"]),
    ({"decides": {"lead": False, "bottom": False}, "draws": [{"Bo": "2", "Cy": "3"}]}, ["draw-not-needed"]),
], ids=str)  # fmt: skip
def test_file_that_decides_what_cannot_be_is_refused(keys, codes):
    assert scored(**keys) == codes


# -- who can still go on ------------------------------------------------------------------------------


def by_hand(table, ends, through, below):
    """Who is above, and who below the line, or level with it, in at least one ending."""
    seats = sorted(table.seats)
    up, down = set(), set()
    for end in ends:
        up |= {s for s, total in zip(seats, end, strict=True) if sum(other > total for other in end) < through}
        down |= {s for s, total in zip(seats, end, strict=True) if sum(other < total for other in end) < below}
    return up, down


@given(near_the_end(), st.data())
def test_nobody_is_left_out_who_can_still_go_on_and_nobody_named_who_cannot(case, data):
    table, hands, bids = case
    size = len(table.seats)
    through = data.draw(st.integers(0, size))
    below = data.draw(st.none() | st.integers(0, size - through))
    table = replace(table, decides=group(through, below))
    found = chances_of(table, hands) or Chances(None, through=table.seats, below=table.seats)
    lower = size - through if below is None else below
    up, down = by_hand(table, endings(table, hands, bids), through, lower)
    assert found.through is None or up <= set(found.through)
    assert found.below is None or down <= set(found.below)
    if len(bids) in (0, size) and chances_of(table, hands):
        assert up == set(found.through or ())
        assert down == set(found.below or ())


def test_chances_of_a_final_say_only_what_its_end_decides():
    kept = Kept(4, {"hands": 4}, decides=WINNERS).carry(40, 0, 1, 2, hands=3, last_dealer=3)
    kept.table = replace(kept.table, hands_done=0)
    assert chances(kept.sheet) is None, "nothing was scored on this sheet yet"
    for decides, said in ((WINNERS, (True, False)), (LOSERS, (False, False)), (Decides(), (True, True))):
        kept = Kept(4, {"hands": 2}, decides=replace(decides, start={1: 60, 2: 0, 3: 1, 4: 2})).any_hands(1)
        found = chances(read(kept.sheet.game, kept.table, kept.entries))
        assert (bool(found and found.win), bool(found and found.lose)) == said


def test_nothing_is_said_twice_of_the_same_seat():
    for through, below in itertools.product(range(3), (None, 0, 1)):
        if through or below:
            settlement = ended(9, 9, 9, 0, decides=group(through, below)).sheet.settlement
            sure = [*settlement.through, *settlement.below, *settlement.cut.out]
            assert len(sure) == len(set(sure))
