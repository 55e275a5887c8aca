"""How the running sheet is laid out: players across, hands down, and what happens in between."""

import pytest

from scoresheets.sheet.scoreboard import TableTop
from scoresheets.sheet.table import RunningSheet
from tests.scoresheets.laid import document, hand, reading_of

FOUR = "Bo Cy Di Ann"
THREE = {"plan": {"hands": 3}}


def laid_out(*hands, players="Ann Bo Cy Di", quiet=False, **more) -> RunningSheet:
    """The running sheet of a table at which Ann deals first, with a plan of three hands: 1, 2 and 1 cards."""
    return RunningSheet(reading_of(document(players, list(hands), **{**THREE, **more}), quiet=quiet), "/here/")


def totals(running: RunningSheet, key: str) -> dict[str, object]:
    """The totals of a part by name."""
    part = next(part for part in running.parts if part.key == key)
    return {column.name: cell.total for column, cell in zip(running.columns, part.line.cells, strict=True)}


def kinds(running: RunningSheet, key: str) -> list[str]:
    part = next(part for part in running.parts if part.key == key)
    return [cell.kind for cell in part.line.cells]


FIRST = hand(FOUR, "0000", "1000")
SECOND = hand("Cy Di Ann Bo", "1110", "1100", trump="H")
THIRD = hand("Di Ann Bo Cy", "0000", "0001")


def test_columns_are_seats_in_the_order_they_sit():
    assert [column.name for column in laid_out().columns] == ["Ann", "Bo", "Cy", "Di"]


def test_scored_hand_has_bid_tricks_total_box_and_circle_of_everybody():
    running = laid_out(FIRST)
    ann, bo, *_ = running.parts[0].line.cells
    assert (ann.small, ann.aloud, ann.total, ann.boxed, ann.missed) == (("0", "0"), "bid 0, took 0", 5, True, False)
    assert (bo.small, bo.aloud, bo.total, bo.circled, bo.missed) == (("0", "1"), "bid 0, took 1, set", -1, True, True)


def test_hand_says_number_cards_trump_and_who_dealt():
    line = laid_out(FIRST, SECOND).parts[1].line
    assert (line.number, line.cards, line.suit[0], line.suit_is_red, line.dealer) == (2, 2, "♥", True, "Bo")


def test_turned_ace_is_no_trump():
    line = laid_out(FIRST | {"turned": "AS"}).parts[0].line
    assert line.is_no_trump
    assert line.suit == ""


def test_bids_of_the_open_hand_stand_in_its_row_as_they_fall():
    running = laid_out(FIRST, {"bids": {"Cy": 1, "Di": 0}})
    assert kinds(running, "hand-2") == ["next", "waiting", "said", "said"]
    assert [cell.small for cell in running.parts[1].line.cells] == [(), (), ("1",), ("0",)]
    assert [cell.aloud for cell in running.parts[1].line.cells] == ["bids next", "", "bids 1", "bids 0"]


def test_every_total_leads_to_its_reason():
    assert [cell.why for cell in laid_out(FIRST).parts[0].line.cells][:2] == ["/here/why/1/1/", "/here/why/1/2/"]


def test_misdeal_stands_before_the_hand_it_was_for():
    part = laid_out(FIRST, {"void": True}, SECOND).parts[1]
    assert part.key == "hand-2"
    assert part.happened == ("Misdeal: <bdi>Bo</bdi> deals again.",)


def test_late_arrival_has_an_empty_column_before_and_says_what_it_starts_with():
    running = laid_out(FIRST, {"arrives": "Ed"})
    assert [column.name for column in running.columns] == ["Ann", "Bo", "Cy", "Di", "Ed"]
    assert kinds(running, "hand-1") == ["total", "total", "total", "total", "absent"]
    assert running.parts[1].happened == ("<bdi>Ed</bdi> joins with −1, the lowest total.",)


def test_who_comes_before_anything_is_scored_starts_from_nothing():
    assert laid_out({"arrives": "Ed"}).parts[0].happened == ("<bdi>Ed</bdi> joins.",)


def test_who_goes_home_keeps_their_column_and_the_numbers_in_it():
    running = laid_out(FIRST, {"leaves": "Cy"}, hand("Di Ann Bo", "000", "110"))
    assert [(column.name, column.gone) for column in running.columns][2] == ("Cy", True)
    assert kinds(running, "hand-2") == ["total", "total", "left", "total"]
    assert running.parts[1].happened == ("<bdi>Cy</bdi> goes home with 5.",)


def test_first_in_the_order_goes_home_and_stays_the_first_column():
    running = laid_out(FIRST, {"leaves": "Ann"})
    assert [column.name for column in running.columns] == ["Ann", "Bo", "Cy", "Di"]


def test_who_comes_back_and_leaves_again_went_home_with_what_they_had_each_time():
    running = laid_out(
        FIRST, {"leaves": "Cy"}, hand("Di Ann Bo", "000", "020"), {"arrives": "Cy"}, {"leaves": "Cy"}, plan={"hands": 4}
    )
    assert [part.happened for part in running.parts][1] == ("<bdi>Cy</bdi> goes home with 5.",)
    assert running.parts[2].happened[1] == "<bdi>Cy</bdi> goes home with 3."


def test_change_of_seats_moves_the_columns():
    running = laid_out(FIRST, {"reseated": ["Di", "Cy", "Bo", "Ann"]})
    assert [column.name for column in running.columns] == ["Di", "Cy", "Bo", "Ann"]


def test_substitute_takes_over_the_column():
    running = laid_out(FIRST, {"substitute": "Gus", "for": "Cy"})
    assert [column.name for column in running.columns] == ["Ann", "Bo", "Gus", "Di"]
    assert running.parts[1].happened == ("<bdi>Gus</bdi> takes over this seat and its total.",)


def test_hands_kept_elsewhere_are_a_row_of_totals():
    carried = {"carried": {"hands": 2, "totals": {"Ann": 12, "Bo": 3, "Cy": 0, "Di": 7}, "last_dealer": "Bo"}}
    running = laid_out(carried)
    assert running.parts[0].line.head == "1 to 2"
    assert totals(running, "carried") == {"Ann": 12, "Bo": 3, "Cy": 0, "Di": 7}


def test_early_end_stands_at_the_end():
    running = laid_out(FIRST, stopped_after=1)
    assert running.parts[1].key == "end"
    assert running.parts[1].happened == ("The table stops here after hand 1 of 3.",)


# Ann, Cy and Di have 5 each after one hand, Bo is below.
TIED = {"plan": {"hands": 1}}
BLIND = hand("Cy Di Ann Bo", "1200", "1202") | {"tricks": {"Cy": 1, "Di": 2, "Ann": 2, "Bo": 0}}


def test_blind_hand_is_a_row_of_its_own_with_the_tied_total_still_there():
    running = laid_out(FIRST, tie_breaks=[BLIND], **TIED)
    ann, bo, cy, di = next(part for part in running.parts if part.key == "tie-1").line.cells
    assert (ann.total, ann.plus, ann.boxed) == (5, "−2", False)
    assert (cy.total, cy.plus, cy.boxed) == (5, "+6", False)
    assert (di.total, di.plus, di.boxed) == (5, "+7", True)
    assert bo.kind == "blank"


def test_second_blind_hand_is_for_those_still_tied():
    again = {"bids": {"Di": 0, "Ann": 0, "Bo": 0, "Cy": 1}, "tricks": {"Di": 0, "Ann": 5, "Bo": 0, "Cy": 0}}
    first = {"bids": {"Cy": 1, "Di": 1, "Ann": 0, "Bo": 0}, "tricks": {"Cy": 1, "Di": 1, "Ann": 3, "Bo": 0}}
    running = laid_out(FIRST, tie_breaks=[first, again], **TIED)
    assert [part.line.head for part in running.parts][1:] == ["Blind hand", "Blind hand 2"]
    assert kinds(running, "tie-2") == ["blank", "blank", "total", "total"]


def test_draw_is_a_row_of_its_own_with_the_tied_total_still_there():
    # Bo, Cy and Di are set alike; Ann leads.
    opening = hand("Bo Cy Di Ann", "1110", "1000") | {"bids": {"Bo": 1, "Cy": 1, "Di": 1, "Ann": 0}}
    running = laid_out(opening, draws=[{"Cy": "T", "Di": "4"}], **TIED)
    cells = next(part for part in running.parts if part.key == "draw-1").line.cells
    assert [(cell.total, cell.card, cell.circled) for cell in cells if cell.card] == [
        (-1, "10", False),
        (-1, "4", True),
    ]
    assert [cell.kind for cell in cells][:2] == ["blank", "blank"]


def marked(running: RunningSheet, key: str) -> tuple[str, str]:
    """Who is in the box, and who in the circle, in a row of the sheet."""
    part = next(part for part in running.parts if part.key == key)
    cells = list(zip(running.columns, part.line.cells, strict=True))
    boxed = " ".join(column.name for column, cell in cells if cell.boxed)
    return boxed, " ".join(column.name for column, cell in cells if cell.circled)


def test_those_who_drew_the_lowest_card_alike_share_the_circle_until_one_draws_lower():
    opening = hand("Bo Cy Di Ann", "1110", "1000")
    running = laid_out(opening, draws=[{"Cy": "T", "Di": "T"}, {"Cy": "4", "Di": "5"}], **TIED)
    assert marked(running, "draw-1") == ("", "Cy Di")
    assert marked(running, "draw-2") == ("", "Cy")


def test_table_top_marks_only_who_is_left_once_the_tied_are_parted():
    opening = hand("Bo Cy Di Ann", "1110", "1000")
    for draws, circled in ([], "Cy Di"), ([{"Cy": "T", "Di": "4"}], "Di"):
        places = TableTop(laid_out(opening, draws=draws, **TIED).reading).places
        assert " ".join(place.name for place in places if place.circled) == circled
    places = TableTop(laid_out(FIRST, tie_breaks=[BLIND], **TIED).reading).places
    assert [place.name for place in places if place.boxed] == ["Di"]


def test_table_top_marks_as_the_row_does_while_two_of_three_are_still_tied():
    alike = hand("Cy Di Ann Bo", "2200", "2210")
    running = laid_out(FIRST, tie_breaks=[alike], **TIED)
    assert marked(running, "tie-1")[0] == "Cy Di"
    assert " ".join(place.name for place in TableTop(running.reading).places if place.boxed) == "Cy Di"


def test_one_call_out_a_hand_is_opened_with_the_row():
    assert laid_out(FIRST).parts[0].called.term == "Dog Pile"


def test_quiet_sheet_calls_nothing_and_shows_no_sign():
    running = laid_out(FIRST, SECOND, THIRD, quiet=True)
    assert {part.called for part in running.parts} == {None}
    assert running.signs == ()


def test_signs_stand_beside_totals_in_the_last_third_only():
    early, late = laid_out(FIRST, SECOND), laid_out(FIRST, SECOND, THIRD)
    assert early.signs == ()
    assert {sign.term for sign in late.signs} == {"Spooning", "Proximity Alert"}


def test_signs_are_about_the_totals_as_they_stand():
    running = laid_out(FIRST, SECOND, THIRD)
    assert [bool(cell.signs) for part in running.parts[:2] for cell in part.line.cells] == [False] * 8
    assert any(cell.signs for cell in running.parts[2].line.cells)


def test_one_hand_can_be_laid_out_alone():
    running = laid_out(FIRST, SECOND)
    assert running.part(2) == running.parts[1]
    assert running.part(3).line.kind == "now"
    assert running.part(4) is None


@pytest.mark.parametrize(
    ("players", "many", "crowd"), [(8, False, False), (9, True, False), (10, True, False), (11, True, True)]
)
def test_columns_come_closer_from_nine_on_and_are_pushed_sideways_from_eleven_on(players, many, crowd):
    running = laid_out(players=" ".join(f"P{n}" for n in range(players)))
    assert (running.is_many, running.is_crowd) == (many, crowd)


def test_ten_with_totals_of_four_signs_are_pushed_sideways_too():
    players = " ".join(f"P{n}" for n in range(10))
    totals = dict.fromkeys(players.split(), 5) | {"P0": -104}
    carried = {"carried": {"hands": 1, "totals": totals, "last_dealer": "P0"}}
    assert laid_out(carried, players=players).is_crowd
    assert not laid_out(
        carried | {"carried": carried["carried"] | {"totals": totals | {"P0": -99}}}, players=players
    ).is_crowd


@pytest.mark.parametrize(
    ("players", "alike"),
    [
        (["Alexander Bell", "Alexander Pope", "Cy", "Di"], True), (["Maximilian", "MAXIMILIANE", "Cy", "Di"], True),
        (["Jo", "Jo Winter", "Cy", "Di"], False), (["Alexander Bell", "Alexander Pope", "Cy"], False),
    ],
)  # fmt: skip
def test_names_that_begin_alike_get_room_to_be_told_apart(players, alike):
    running = RunningSheet(reading_of(document(hands=[], **THREE) | {"players": players}), "/here/")
    assert running.has_alike is alike


def test_next_is_said_with_hand_and_dealer():
    assert laid_out(FIRST).next == "hand 2 of 3, <bdi>Bo</bdi> deals"


def test_next_is_a_blind_hand_for_the_tied():
    assert laid_out(FIRST, **TIED).next == "a blind hand for <bdi>Ann</bdi>, <bdi>Cy</bdi> and <bdi>Di</bdi>"
