"""Why a change moves what it moves: every kind of cause, read off a real sheet."""

from __future__ import annotations

import pytest

from rules.core.fields import SHEET
from rules.core.stakes import group
from scoresheets.commands.ruling import rule_cut
from scoresheets.log.append import Change
from scoresheets.log.state import SET_UP, SheetReading
from scoresheets.results.impact import Impact, moves, previewed
from tests.factories import Scorer, new_key, scorer, sure_of
from tests.scoresheets.ended import blind_hand, ended
from tests.scoresheets.laid import document, hand, reading_of
from tests.scoresheets.other_games import hotdog, picked
from tests.scoresheets.results.test_impact import CLEAR, SECOND, changed, plain, sheet, took
from tests.scoresheets.results.test_impact import FIRST as FIRST_OF_THREE
from tests.scoresheets.results.test_result import BLIND, FIRST, ONE, SETS


def laid(*hands: dict, **more: object) -> SheetReading:
    return reading_of(document(hands=list(hands), **{**ONE, **more}))


# What somebody came in with


def late(*after: dict) -> SheetReading:
    """Joe comes in before hand 3, with the lowest total of the others: Ann and Bo have 4."""
    return sheet(FIRST_OF_THREE, SECOND, {"arrives": "Joe"}, *after)


def test_lowest_total_somebody_came_in_with_is_said_where_it_is_another_one() -> None:
    told = changed(late(), h1_tricks=took(1, 0, 0, 0))
    assert plain(told.totals)[0] == "Joe came in with the lowest total, which is now −2 instead of 4."
    assert "Joe −2 instead of 4" in plain(told.totals)[1]


def test_lowest_total_that_stays_is_not_said() -> None:
    told = changed(late(), h1_tricks=took(0, 0, 1, 0))
    assert plain(told.totals) == ["Totals now: Bo 10 instead of 4, Cy 5 instead of 11."]


def test_it_is_said_of_somebody_who_has_played_since() -> None:
    told = changed(late(hand("Di Joe Ann Bo Cy", "00000", "00001")), h1_tricks=took(1, 0, 0, 0))
    assert plain(told.totals)[0] == "Joe came in with the lowest total, which is now −2 instead of 4."


def test_who_came_before_the_first_hand_came_in_with_nothing() -> None:
    reading = laid({"arrives": "Joe"}, hand("Bo Cy Di Joe Ann", "00000", "10000"), plan={"hands": 3})
    told = changed(reading, h1_tricks=took(0, 0, 1, 0, 0))
    assert not any("came in" in sentence for sentence in plain(told.totals))


# Box and circle


def test_box_and_circle_move_by_a_total_that_is_named() -> None:
    assert plain(changed(sheet(), h1_tricks=took(0, 0, 1, 0)).marks) == [
        "In hand 1 Ann, Bo and Di share the box, and Cy no longer has it: 5 is the highest total after hand 1.",
        "In hand 2 Cy no longer has the box: 11 is the highest total after hand 2.",
        "In hand 1 the circle passes from Bo to Cy: −1 is the lowest total after hand 1.",
        "In hand 2 Bo no longer has the circle: 4 is the lowest total after hand 2.",
        "From hand 3 on the circle passes from Ann and Bo to Cy: 4 is the lowest total after hand 3.",
    ]


# Which hands count


def test_hands_count_again_because_the_one_before_them_is_whole() -> None:
    whole = sheet()
    torn = previewed(whole, Change("undo", {}, [whole.standing[1, "tricks"]]))
    assert plain(moves(torn, whole).counting) == ["Hands 2 and 3 count again: hand 1 is complete now."]


def test_last_hand_that_becomes_whole_is_said_so() -> None:
    whole = sheet(FIRST)
    torn = previewed(whole, Change("undo", {}, [whole.standing[1, "tricks"]]))
    assert plain(moves(torn, whole).counting) == ["Hand 1 is complete."]


def planned(reading: SheetReading, hands: int) -> SheetReading:
    """The same sheet with another number of hands."""
    set_up = {**reading.standing[SET_UP].data, "plan": {"hands": hands}}
    return previewed(reading, Change("set-up", {SET_UP: set_up}, [reading.standing[SET_UP]]))


def test_hand_counts_no_more_because_the_game_ends_before_it_and_again_when_it_does_not() -> None:
    short = planned(CLEAR, 1)
    assert plain(moves(CLEAR, short).counting) == ["Hands 2 and 3 no longer count: the game ends with hand 1."]
    assert "the game no longer ends with hand 1." in plain(moves(short, CLEAR).counting)[0]


CARRIED = {"carried": {"hands": 1, "totals": {"Ann": 5, "Bo": 2, "Cy": -3, "Di": 1}, "last_dealer": "Ann"}}


def test_hand_counts_no_more_because_it_was_kept_elsewhere_and_again_when_it_was_not() -> None:
    reading = laid(CARRIED, hand("Cy Di Ann Bo", "0001", "2000"), plan={"hands": 4})
    carried = dict(reading.standing[SHEET, "carried"].data)
    entry = reading.standing[SHEET, "carried"]
    both = previewed(reading, Change("correct", {(SHEET, "carried"): {**carried, "hands": 2}}, [entry]))
    assert plain(moves(reading, both).counting) == ["Hand 2 no longer counts: hands 1 and 2 were scored elsewhere."]
    assert plain(moves(both, reading).counting) == ["Hand 2 counts again: no longer scored elsewhere."]


# How it ends


def ends(told: Impact) -> list[str]:
    return plain(told.ends)


def test_winner_and_loser_are_so_by_their_totals() -> None:
    told = changed(CLEAR, h1_tricks=took(0, 1, 0, 0), h1_bid_4={"bid": 1})
    assert ends(told)[0] == "The winner is now Cy instead of Ann, with 15, the highest total."
    other = changed(laid(SETS, draws=[{"Cy": "T", "Di": "4"}]), h1_bid_3={"bid": 0})
    assert "The loser stays Di." in ends(other)
    lowest = changed(laid(hand("Bo Cy Di Ann", "1100", "1000")), h1_bid_3={"bid": 0}, h1_bid_4={"bid": 1})
    assert "The loser is now Di instead of Cy, with −1, the lowest total." in ends(lowest)


def test_winner_is_so_by_the_blind_hand() -> None:
    told = changed(laid(FIRST, tie_breaks=[BLIND]), **{"h0_tie-1-tricks": took(3, 0, 1, 1)})
    assert ends(told)[0] == "The winner is now Cy instead of Di, by the blind hand."


def test_loser_is_so_by_the_lowest_card() -> None:
    told = changed(laid(SETS, draws=[{"Cy": "T", "Di": "4"}]), h0_draw_1={"rank_3": "3", "rank_4": "4"})
    assert "The loser is now Cy instead of Di, by the lowest card." in ends(told)


def test_nobody_leads_alone_any_more() -> None:
    told = changed(CLEAR, h1_tricks=took(0, 1, 0, 0))
    assert ends(told) == [
        "The game is open again: a blind hand for Cy and Di. Cy and Di have 15 each: nobody leads alone any more."
    ]


def test_nobody_is_lowest_alone_any_more() -> None:
    clear = laid(hand("Bo Cy Di Ann", "1100", "1000"))
    told = changed(clear, h1_bid_4={"bid": 1})
    assert ends(told) == [
        "The game is open again: a draw for Cy and Di. Cy and Di have −1 each: nobody is lowest alone any more."
    ]


def test_other_tie_than_before_is_said_with_who_is_level() -> None:
    told = changed(laid(FIRST), h1_tricks=took(0, 0, 1, 0))
    assert ends(told) == [
        "At the end there is now a blind hand for Ann, Bo and Di. Ann, Bo and Di have 5 each: nobody leads alone."
    ]


def test_match_is_won_by_games_and_not_by_a_total() -> None:
    rounds = [picked("Ann", 9), picked("Ann", 9), picked("Bo", 15), picked("Bo", 9)]
    open_match = reading_of(hotdog(*rounds))
    step = {"tricks-1": 2, "tricks-2": 15}
    told = moves(
        open_match,
        previewed(open_match, Change("correct", {(1, "tricks"): step}, [open_match.standing[1, "tricks"]])),
    )
    assert "The winner is Bo, with 2 games." in ends(told)


# Groups of a play-off


@pytest.mark.django_db
def test_who_goes_through_does_so_with_a_total() -> None:
    table = ended(30, 20, 10, 0, decides=group(2))
    carried = table.reading.standing[SHEET, "carried"]
    told = corrected(table, (SHEET, "carried"), {**carried.data, "total-3": 25})
    assert ends(told)[0] == "Now Bo goes to the losers (with 20), Cy goes through (with 25)."


@pytest.mark.django_db
def test_who_goes_through_does_so_by_the_high_card() -> None:
    table = ended(30, 10, 10, 4, decides=group(2, high_card=True))
    sure_of(table.enter(SHEET, "draw-1", rank_2="K", rank_3="4"))
    told = corrected(table, (SHEET, "draw-1"), {"rank-2": "3", "rank-3": "4"})
    assert ends(told)[0] == "Now Bo goes to the losers (by the low card), Cy goes through (by the high card)."


@pytest.mark.django_db
def test_who_goes_through_does_so_by_the_blind_hand() -> None:
    table = scorer(4, decides=group(2), plan={"hands": 1})
    table.hand({2: 1, 3: 0, 4: 0, 1: 1}, {2: 1, 3: 0, 4: 0, 1: 0})  # Bo 6, Cy and Di 5, Ann −1
    blind_hand(table, "0 0 1 0", "0 4 1 0")
    told = corrected(table, (SHEET, "tie-1-tricks"), took(0, 5, 0, 0))
    assert ends(told)[0] == "Now Cy goes to the losers (by the blind hand), Di goes through (by the blind hand)."


@pytest.mark.django_db
def test_line_that_is_tied_again_is_said_with_what_it_is_about() -> None:
    table = ended(30, 20, 10, 0, decides=group(2))
    carried = table.reading.standing[SHEET, "carried"]
    told = corrected(table, (SHEET, "carried"), {**carried.data, "total-3": 20})
    assert ends(told) == [
        "The game is open again: a blind hand for Bo and Cy. Bo and Cy are tied for the last place through."
    ]


@pytest.mark.django_db
def test_who_goes_through_does_so_by_the_ruling() -> None:
    table = ended(30, 10, 10, 4, decides=group(2))
    sure_of(rule_cut(table.sheet, (3,), key=new_key(), by=table.by))
    ruling = next(ask for hand, ask in table.reading.standing if ask.startswith("ruling-"))
    told = corrected(
        table, (SHEET, ruling), {**table.reading.standing[SHEET, ruling].data, "goes-2": True, "goes-3": False}
    )
    assert ends(told)[0] == (
        "Now Bo goes through (by the organiser’s ruling), Cy goes to the losers (by the organiser’s ruling)."
    )


def corrected(table: Scorer, address: tuple[int, str], step: dict) -> Impact:
    """What it moves to have another step there."""
    reading = table.reading
    return moves(reading, previewed(reading, Change("correct", {address: step}, [reading.standing[address]])))
