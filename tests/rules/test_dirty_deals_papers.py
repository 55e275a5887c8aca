"""Dirty Deals in a sheet file: every code it can be refused with, and writing down what was read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.files.results import result_document
from rules.core.files.sheet_file import read_object
from rules.core.files.writer import sheet_document
from tests.rules.claimed import GAME, NAMES, Kept
from tests.rules.paper import problems_of, scored
from tests.rules.test_dirty_deals import matches

HEARTS = ["9H", "TH", "JH", "QH", "KH", "AH"]
CLAIM = {"claimer": "Ann", "suit": "H", "surplus": 2, "bower_holder": "Bo"}
WHOLE = {"claimer": "Ann", "suit": "H", "bower_holder": "Bo", "cards": [*HEARTS, "9C"]}
GIVEN_UP = {"given_up": True}


def document(*hands, **keys):
    players = list(NAMES.values())
    return {"format": "score-sheet/1", "game": "dirty-deals", "players": players, "hands": list(hands), **keys}


def without(item, *keys):
    return {key: value for key, value in item.items() if key not in keys}


def codes(sheet):
    return [problem["code"] for problem in problems_of(json.dumps(sheet))]


REFUSED = [
    pytest.param(document(players=["Ann", "Bo", "Cy"]), "bad-players", id="three players"),
    pytest.param(document(players=["Ann", "Bo", "Cy", "Di", "Ed"]), "bad-players", id="five players"),
    pytest.param(document(players=["Ann", "Bo", "Cy", "Ann"]), "duplicate-player", id="Ann twice"),
    pytest.param(document(first_dealer="Zoe"), "unknown-player", id="nobody deals first"),
    pytest.param(document(CLAIM | {"claimer": "Zoe"}), "unknown-player", id="nobody claims"),
    pytest.param(document(CLAIM | {"bower_holder": "Zoe"}), "unknown-player", id="nobody holds the bower"),
    pytest.param(document(CLAIM | {"suit": "X"}), "bad-suit", id="no suit"),
    pytest.param(document(CLAIM | {"suit": "NT"}), "bad-suit", id="no trump is no suit"),
    pytest.param(document(CLAIM | {"suit": ""}), "bad-suit", id="an empty suit"),
    pytest.param(document(CLAIM | {"surplus": -1}), "surplus-range", id="Rules 3.4: fewer than none"),
    pytest.param(document(CLAIM | {"surplus": 19}), "surplus-range", id="Rules 3.4: 24 less 6"),
    pytest.param(document(CLAIM | {"surplus": 10**100}), "surplus-range", id="a huge surplus"),
    pytest.param(document(CLAIM | {"surplus": 18}), "surplus-range", id="Rules 3.4: the bower is elsewhere"),
    pytest.param(
        document(CLAIM | {"surplus": 0, "bower_holder": "Ann"}), "surplus-range", id="Rules 3.4: the bower is one"
    ),
    pytest.param(document(WHOLE | {"cards": [*HEARTS, "8C"]}), "bad-card", id="an eight"),
    pytest.param(document(WHOLE | {"cards": [*HEARTS, "10C"]}), "bad-card", id="a ten is T"),
    pytest.param(document(WHOLE | {"cards": [*HEARTS, ""]}), "bad-card", id="an empty card"),
    pytest.param(document(WHOLE | {"cards": [*HEARTS, "9C", "9C"]}), "duplicate-card", id="a card twice"),
    pytest.param(document(WHOLE | {"cards": HEARTS[1:]}), "claim-incomplete", id="five hearts"),
    pytest.param(document(WHOLE | {"cards": []}), "claim-incomplete", id="no card at all"),
    pytest.param(document(WHOLE | {"cards": [*HEARTS, "JD"]}), "bower-mismatch", id="Ann has what Bo should hold"),
    pytest.param(document(WHOLE | {"bower_holder": "Ann"}), "bower-mismatch", id="Ann has not what they should hold"),
    pytest.param(document(WHOLE | {"surplus": 2}), "surplus-mismatch", id="two counted, one shown"),
    pytest.param(document(CLAIM, house_rules={"target": 0}), "bad-house-rule", id="a target of 0"),
    pytest.param(document(CLAIM, house_rules={"rubbers_to_win": 10}), "bad-house-rule", id="ten rubbers"),
    pytest.param(document(CLAIM, house_rules={"negotiation_minutes": 31}), "bad-house-rule", id="31 minutes"),
    pytest.param(document(CLAIM, CLAIM, house_rules={"target": 1, "rubbers_to_win": 1}), "match-over", id="too late"),
    pytest.param(
        document(CLAIM, GIVEN_UP, house_rules={"target": 1, "rubbers_to_win": 1}), "match-over", id="given up too late"
    ),
    pytest.param(document(CLAIM, GIVEN_UP, stopped_after=1), "match-over", id="a deal after the early end"),
]
NO_DOCUMENTS = [
    pytest.param(document(without(CLAIM, "surplus")), id="neither a number nor cards"),
    pytest.param(document(without(CLAIM, "suit")), id="no suit"),
    pytest.param(document(without(CLAIM, "bower_holder")), id="somebody always holds the bower"),
    pytest.param(document(without(CLAIM, "claimer")), id="nobody claims"),
    pytest.param(document({}), id="nothing"),
    pytest.param(document({"given_up": False}), id="not given up"),
    pytest.param(document(CLAIM | GIVEN_UP), id="claimed and given up"),
    pytest.param(document(CLAIM | {"bids": {}}), id="bids"),
    pytest.param(document({"negotiation": True}), id="negotiations are not kept"),
    pytest.param(document({"void": True}), id="nor are misdeals"),
    pytest.param(document(CLAIM | {"surplus": None}), id="null cards"),
    pytest.param(document(CLAIM | {"surplus": "2"}), id="a text for a number"),
    pytest.param(document(CLAIM | {"surplus": True}), id="a yes for a number"),
    pytest.param(document(CLAIM | {"cards": "9H"}), id="a text for the cards"),
    pytest.param(document(CLAIM | {"cards": [9]}), id="a number for a card"),
    pytest.param(document(CLAIM, plan={"hands": 9}), id="a plan"),
    pytest.param(document(CLAIM, house_rules={"target": "9"}), id="a text for the target"),
    pytest.param(document(CLAIM, house_rules={"bower": 3}), id="no such house rule"),
]


@pytest.mark.parametrize(("sheet", "code"), REFUSED)
def test_sheet_is_refused(sheet, code):
    assert codes(sheet) == [code]


@pytest.mark.parametrize("sheet", NO_DOCUMENTS)
def test_it_is_no_sheet_of_dirty_deals(sheet):
    assert set(codes(sheet)) == {"bad-document"}


def test_everything_that_can_be_told_is_told_where_it_stands():
    wrong = {"claimer": "Zoe", "suit": "X", "surplus": 19, "bower_holder": "Yan", "cards": ["9H", "9H", "8S"]}
    late = {"claimer": "Ann", "suit": "S", "surplus": 0, "bower_holder": "Ann", "cards": ["9S", "9C"]}
    found = problems_of(json.dumps(document(wrong, CLAIM, late)))
    assert [(problem["hand"], problem["code"], problem["field"]) for problem in found] == [
        (1, "unknown-player", "claimer"),
        (1, "unknown-player", "bower_holder"),
        (1, "duplicate-card", "cards"),
        (1, "bad-card", "cards"),
        (1, "bad-suit", "suit"),
        (1, "surplus-range", "surplus"),
        (3, "surplus-range", "surplus"),
        (3, "claim-incomplete", "cards"),
        (3, "bower-mismatch", "bower_holder"),
        (3, "surplus-mismatch", "surplus"),
    ]
    assert all(problem["message"].endswith(".") for problem in found)


def test_number_and_hand_may_stand_side_by_side():
    both = scored(document(WHOLE | {"surplus": 1}))
    assert both["hands"] == scored(document(WHOLE))["hands"] == scored(document(CLAIM | {"surplus": 1}))["hands"]


def test_order_of_the_cards_does_not_matter():
    assert scored(document(WHOLE | {"cards": ["9C", *reversed(HEARTS)]})) == scored(document(WHOLE))


def test_deal_passes_over_a_deal_that_is_given_up():
    found = scored(document(GIVEN_UP, CLAIM, first_dealer="Di"))
    assert [hand["dealer"] for hand in found["hands"]] == ["Di", "Ann"]
    assert found["hands"][0]["points"] == dict.fromkeys(NAMES.values(), 0)


def test_rubbers_stand_in_the_result():
    found = scored(document(CLAIM | {"surplus": 0}, CLAIM))
    assert found["legs"] == [{"winner": "Ann", "totals": {"Ann": 9, "Bo": 3, "Cy": 0, "Di": 0}}]
    assert found["legs_won"] == {"Ann": 1, "Bo": 0, "Cy": 0, "Di": 0}
    assert found["totals"] == {"Ann": 7, "Bo": 3, "Cy": 0, "Di": 0}
    assert found["waiting_for"] == [{"what": "hand", "number": 3}]


@given(matches, st.sampled_from([{}, {"target": 5}, {"rubbers_to_win": 3}]), st.booleans())
def test_sheet_that_is_written_down_is_read_as_the_same(deals, house_rules, stopped):
    table = GAME.open_table([1, 2, 3, 4], 2, None, house_rules)
    entries = {(number, "claim"): step for number, step in enumerate(deals, 1)}
    if stopped and deals:
        entries[len(deals) + 1, "stop-1"] = {}
    document = sheet_document(GAME, table, entries, NAMES)
    found = read_object(json.loads(json.dumps(document)))
    scored_again = result_document(found.sheet, found.names)
    assert scored_again == scored(document)
    assert [row.points for row in found.sheet.rows] == [
        {seat: hand["points"][name] for seat, name in NAMES.items()} for hand in scored_again["hands"]
    ]
    assert found.sheet.finished is bool(stopped and deals) or found.sheet.table.legs


def test_negotiations_leave_no_trace_in_a_sheet_file():
    plain = Kept().deals("a H 3 b")
    talked = Kept().happens("negotiation").happens("negotiation", ended=True).deals("a H 3 b").happens("negotiation")
    papers = [sheet_document(GAME, kept.table, kept.entries, NAMES) for kept in (plain, talked)]
    assert papers[0] == papers[1]
    assert papers[0]["hands"] == [CLAIM | {"surplus": 3}]


def test_hand_that_was_ticked_stays_a_hand():
    kept = Kept().write(cards=" ".join([*HEARTS, "9C"]), claimer="Ann", suit="H", bower="Bo")
    document = sheet_document(GAME, kept.table, kept.entries, NAMES)
    assert document["hands"][0]["cards"] == ["9C", *HEARTS]
    assert read_object(document).entries == kept.entries
