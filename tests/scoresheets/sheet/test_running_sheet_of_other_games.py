"""How the running sheet lays out games in which nobody bids: points, words beside them, legs, what is asked next."""

import pytest

from rules.core.texts import RowWords
from scoresheets.sheet.table import RunningSheet
from tests.scoresheets.laid import reading_of
from tests.scoresheets.other_games import (
    GIVEN_UP,
    bird,
    claim,
    deals,
    dingo,
    hotdog,
    hunted,
    pairs,
    picked,
)


def laid_out(said: dict) -> RunningSheet:
    return RunningSheet(reading_of(said), "/here/")


def part(running: RunningSheet, number: int):
    found = running.part(number)
    assert found is not None
    return found


def totals(running: RunningSheet, number: int) -> list[int]:
    return [cell.total for cell in part(running, number).line.cells]


ONE_RUBBER = deals(claim("Ann"), claim("Bo", surplus=2))


def test_row_has_total_box_circle_and_the_points_of_the_hand():
    running = laid_out(deals(claim("Ann", surplus=2), claim("Ann", surplus=8)))
    ann, bo, _, di = part(running, 2).line.cells
    assert (ann.total, ann.points, ann.boxed, ann.circled) == (8, "+1", True, False)
    assert (bo.total, bo.points, bo.circled) == (0, "0", True)
    assert (di.total, di.points) == (6, "+3")


def test_row_has_what_the_game_says_beside_number_and_totals():
    line = part(laid_out(deals(claim("Ann", surplus=2))), 1).line
    assert "♥" in line.beside
    assert line.cells[0].small[0].startswith("9")
    assert line.cells[0].aloud.startswith("+7, ")
    assert line.cells[1].small == ()


def test_words_are_text_and_only_the_signs_of_suits_are_coloured(monkeypatch):
    reading = reading_of(deals(claim("Ann")))
    words = RowWords("<b>♦", {1: "a&b"}, missed=frozenset({1}))
    monkeypatch.setattr(type(reading.game), "beside", lambda game, row: words)
    line = part(RunningSheet(reading, "/here/"), 1).line
    assert line.beside == '&lt;b&gt;<i class="suit red">♦︎</i>'
    assert (line.cells[0].small, line.cells[0].missed) == (("a&amp;b",), True)


def test_number_that_says_no_more_than_the_points_is_not_said_twice():
    running = laid_out(bird(pairs(4, 1, 0)))
    bo = part(running, 1).line.cells[1]
    assert (bo.points, bo.small) == ("+1", ())


@pytest.mark.parametrize("said", [deals(), dingo(), bird(), hotdog()], ids=lambda said: said["game"])
def test_open_hand_says_what_is_asked_next_and_has_no_cells(said):
    line = part(laid_out(said), 1).line
    assert (line.kind, line.cells) == ("now", ())
    assert line.next_question.startswith("the ")
    assert line.across == len(said["players"])


def test_leg_that_was_won_is_said_with_its_totals_and_the_next_begins_at_nothing():
    running = laid_out(ONE_RUBBER)
    leg = part(running, 1).leg
    assert (leg.name, leg.winner, leg.totals, leg.at_once) == ("rubber 1", "Ann", "9 : 0 : 0 : 3", False)
    assert part(running, 2).leg is None
    assert totals(running, 2) == [0, 7, 0, 3]


def test_leg_that_is_won_whatever_the_totals_were_says_so():
    running = laid_out(hotdog(picked("Ann", 12), picked("Bo", 15)))
    leg = part(running, 2).leg
    assert (leg.winner, leg.totals, leg.at_once) == ("Bo", "5 : 2", True)
    assert totals(running, 2) == [2, 5]


def test_last_leg_is_said_too():
    running = laid_out(deals(claim("Ann"), claim("Ann")))
    assert [part(running, number).leg.name for number in (1, 2)] == ["rubber 1", "rubber 2"]


def test_game_without_legs_has_none():
    assert part(laid_out(bird(pairs(4, 1, 0))), 1).leg is None


@pytest.mark.parametrize(
    ("said", "strip"),
    [
        pytest.param(deals(), "Rubber 1 to 9, first to two", id="nobody has won any"),
        pytest.param(ONE_RUBBER, "Rubber 2 to 9: <bdi>Ann</bdi> 1, first to two", id="one rubber is won"),
        pytest.param(deals(claim("Ann"), claim("Bo")), "Rubber 3 to 9: <bdi>Ann</bdi> 1, <bdi>Bo</bdi> 1, first to two",
                     id="one each"),
        pytest.param(deals(claim("Ann"), claim("Ann")), "Rubbers: <bdi>Ann</bdi> 2", id="the match is won"),
        pytest.param(hotdog(), "Game 1 to 5, first to two", id="games"),
        pytest.param(bird(), "First to 11", id="a race without legs"),
        pytest.param(bird(pairs(4, 1, 0), pairs(4, 1, 0), pairs(4, 1, 0)), "", id="a race that is over"),
        pytest.param(dingo(), "", id="hands that are counted"),
    ],
)  # fmt: skip
def test_match_is_said_in_a_line(said, strip):
    assert laid_out(said).match.strip == strip


@pytest.mark.parametrize(
    ("said", "following"),
    [
        pytest.param(dingo(hunted(two="Ann Bo")), "hand 2 of 2, <bdi>Bo</bdi> deals", id="so many hands"),
        pytest.param(deals(), "hand 1, <bdi>Ann</bdi> deals", id="a race"),
    ],
)
def test_next_says_of_how_many_where_hands_are_planned_only(said, following):
    assert laid_out(said).next == following


def test_hand_that_was_given_up_changes_nothing_and_says_so():
    running = laid_out(deals(claim("Ann", surplus=3), GIVEN_UP))
    assert part(running, 2).line.beside not in ("", part(running, 1).line.beside)
    assert totals(running, 2) == totals(running, 1)


def test_row_that_says_the_same_is_the_same_row():
    assert laid_out(ONE_RUBBER).parts == laid_out(ONE_RUBBER).parts
    assert len({hash(one) for one in laid_out(ONE_RUBBER).parts}) == 3
