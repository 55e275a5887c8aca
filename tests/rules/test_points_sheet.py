"""A sheet for any game: which total wins, and when it ends."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import find_game
from rules.core.engine.replay import read
from rules.core.files.sheet_file import score_document
from rules.core.options import is_offered
from rules.points_sheet import HOUSE_RULES
from tests.rules.paper import problems_of

GAME = find_game("points-sheet")
NAMES = ("Ann", "Bo", "Cy", "Di")

points = st.integers(-999, 999)
hands = st.lists(st.tuples(points, points, points), min_size=1, max_size=6)


def sheet(*rows, **house_rules):
    """The sheet with these points, hand by hand."""
    table = GAME.open_table(range(1, len(rows[0]) + 1), 1, None, house_rules)
    steps = [{f"points-{seat}": number for seat, number in enumerate(row, 1)} for row in rows]
    return read(GAME, table, {(number, "points"): step for number, step in enumerate(steps, 1)})


def places(read_sheet):
    return {placing.seat: placing.place for placing in read_sheet.placings}


@given(rows=hands)
def test_where_the_lowest_wins_everything_is_as_if_all_signs_were_changed(rows):
    low = sheet(*rows, hands=len(rows), wins="lowest")
    high = sheet(*([-number for number in row] for row in rows), hands=len(rows))
    assert places(low) == places(high)
    assert (low.boxed, low.circled, low.winner) == (high.boxed, high.circled, high.winner)
    assert [row.boxed for row in low.rows] == [row.boxed for row in high.rows]
    assert [row.circled for row in low.rows] == [row.circled for row in high.rows]


@given(rows=hands, total=st.integers(1, 2000), wins=st.sampled_from(["highest", "lowest"]))
def test_total_ends_it_with_the_first_hand_in_which_anybody_comes_to_it(rows, total, wins):
    found = sheet(*rows, ends="total", total=total, wins=wins)
    sums = [[sum(row[seat] for row in rows[:many]) for seat in range(3)] for many in range(1, len(rows) + 1)]
    ended = next((many for many, each in enumerate(sums, 1) if max(each) >= total), None)
    assert found.finished is (ended is not None)
    assert len(found.rows) == (ended or len(rows))
    assert len(found.unread) == len(rows) - len(found.rows), "what stands after the end is never lost"
    if ended:
        best = (max if wins == "highest" else min)(sums[ended - 1])
        assert [seat for seat, place in places(found).items() if place == 1] == [
            seat for seat in (1, 2, 3) if sums[ended - 1][seat - 1] == best
        ]


@given(rows=hands)
def test_without_an_end_it_goes_on_until_the_table_stops(rows):
    found = sheet(*rows, ends="table")
    assert not found.finished
    assert [hand.number for hand in found.coming()] == [len(rows) + 1], "nobody knows how many there will be"
    stopped = GAME.happen(found.table, "stop", {})
    assert GAME.over(stopped)


def test_box_of_a_low_game_is_round_the_lowest_and_its_circle_round_the_highest():
    found = sheet((3, -2, 9), wins="lowest")
    assert (found.boxed, found.circled) == ((2,), (3,))
    assert GAME.why(found.table, found.rows[0].hand, 2) == "−2 points, as the table counted"


@pytest.mark.parametrize("seats", [2, 10])
def test_two_to_ten_can_play(seats):
    assert list(GAME.setup_problems(range(1, seats + 1), {}, {})) == []


def test_numbers_that_belong_to_another_end_are_not_offered():
    offered = {
        ends: [rule.key for rule in HOUSE_RULES if is_offered(rule, GAME.house_rules, {"ends": ends})]
        for ends in ("hands", "total", "table")
    }
    assert offered == {
        "hands": ["wins", "ends", "hands"], "total": ["wins", "ends", "total"], "table": ["wins", "ends"],
    }  # fmt: skip


def test_every_problem_of_a_hand_is_told_with_the_name_it_is_about():
    names = list(NAMES[:2])
    document = {"format": "score-sheet/1", "game": "points-sheet", "players": names, "first_dealer": "Ann"}
    said = problems_of(json.dumps(document | {"hands": [{"points": {"Ann": 1000, "Bo": -1000}}]}))
    assert [(problem["code"], problem["player"], problem["hand"]) for problem in said] == [
        ("points-range", "Ann", 1),
        ("points-range", "Bo", 1),
    ]
    result = score_document(json.dumps(document | {"hands": [{"points": {"Ann": 5, "Bo": -5}}]}))
    assert result["totals"] == {"Ann": 5, "Bo": -5}
