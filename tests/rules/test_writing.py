"""A sheet written down as a sheet file is the same sheet when the file is read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.files.sheet_file import Refused, read_document, score_document
from rules.core.files.writer import sheet_document
from tests.rules.kept import Kept

NAMES = ["Ann", "Bo", "Cy", "Di"]
ONE = {"bids": {"Bo": 0, "Cy": 0, "Di": 0, "Ann": 0}, "tricks": {"Bo": 1, "Cy": 0, "Di": 0, "Ann": 0}}
TWO = {"bids": {"Cy": 1, "Di": 0, "Ann": 0, "Bo": 0}, "tricks": {"Cy": 1, "Di": 1, "Ann": 0, "Bo": 0}}
BLIND = {"bids": {"Cy": 1, "Di": 2, "Ann": 0, "Bo": 0}, "tricks": {"Cy": 1, "Di": 2, "Ann": 2, "Bo": 0}}


def document(*hands: object, **more: object) -> dict[str, object]:
    return {
        "format": "score-sheet/1",
        "game": "dirty-dog",
        "players": NAMES,
        "hands": list(hands),
        "plan": {"hands": 8},
    } | more


def written_again(said: dict[str, object]) -> dict[str, object]:
    found = read_document(json.dumps(said))
    return sheet_document(found.game, found.table, found.entries, found.names, replaced=found.replaced)


SHEETS = {
    "a sheet on which nothing stands": document(),
    "a plan by most cards with rounds more": document(plan={"peak": 2, "extra_rounds": 1}),
    "no plan at all": {key: value for key, value in document().items() if key != "plan"},
    "a hand": document(ONE),
    "a trump suit": document(ONE | {"trump": "H"}),
    "a turned card": document(ONE | {"turned": "AS"}),
    "The Rule, missed": document(ONE | {"bids": {"Bo": 1, "Cy": 0, "Di": 0, "Ann": 0}, "rule_missed": True}),
    "an open hand with some bids": document(ONE, {"bids": {"Cy": 1, "Di": 0}}),
    "an open hand with no bid but trump": document(ONE, {"bids": {}, "trump": "NT"}),
    "a misdeal": document({"void": True}, ONE, {"void": True}, {"void": True}, TWO),
    "a misdeal of the open hand": document(ONE, {"void": True}),
    "somebody who comes late": document(ONE, {"arrives": "Ed"}),
    "somebody who comes late and chooses a chair": document(ONE, {"arrives": "Ed", "left_of": "Ann"}),
    "somebody who goes home": document(ONE, {"leaves": "Cy"}),
    "somebody who goes home and comes back": document(ONE, {"leaves": "Cy"}, {"arrives": "Cy"}),
    "a substitute": document(ONE, {"substitute": "Gus", "for": "Cy"}),
    "two substitutes one after the other": document(
        {"substitute": "Flo", "for": "Cy"}, {"substitute": "Gus", "for": "Flo"}, {"substitute": "Cy", "for": "Ann"}
    ),
    "another order round the table": document(ONE, {"reseated": ["Di", "Bo", "Ann", "Cy"]}),
    "hands kept elsewhere": document(
        {"carried": {"hands": 3, "totals": {"Ann": 3, "Bo": -4, "Cy": 0, "Di": 12}, "last_dealer": "Cy"}}
    ),
    "an early end": document(ONE, TWO, stopped_after=2),
    "a blind hand": document(ONE, plan={"hands": 1}, tie_breaks=[BLIND]),
    "a draw that is drawn again": document(
        {"bids": {"Bo": 1, "Cy": 1, "Di": 1, "Ann": 0}, "tricks": {"Bo": 1, "Cy": 0, "Di": 0, "Ann": 0}},
        plan={"hands": 1},
        draws=[{"Cy": "T", "Di": "T"}, {"Cy": "2", "Di": "A"}],
    ),
    "house rules": document(house_rules={"leaver_may_win": True, "tie_break_cards": 3, "bottom_buddies_gap": 12}),
    "another first dealer": document(first_dealer="Cy"),
}


@pytest.mark.parametrize("said", SHEETS.values(), ids=SHEETS.keys())
def test_sheet_written_down_again_says_the_same(said):
    again = written_again(said)
    first, second = read_document(json.dumps(said)), read_document(json.dumps(again))
    assert second.entries == first.entries
    assert second.table == first.table
    assert second.names == first.names
    assert score_document(json.dumps(again)) == score_document(json.dumps(said))


@pytest.mark.parametrize("said", SHEETS.values(), ids=SHEETS.keys())
def test_file_is_the_one_that_was_read_but_for_what_is_usual(said):
    usual = {"first_dealer": "Ann"}
    assert written_again(said) == {**usual, **said}


def test_house_rules_that_are_as_usual_are_left_away():
    assert "house_rules" not in written_again(document(house_rules={"leaver_may_win": False, "bottom_buddies_gap": 10}))


def test_notes_stand_with_their_hands_and_those_of_no_hand_with_the_sheet():
    found = read_document(json.dumps(document(ONE)))
    notes, remarks = {1: "Dirt Bag: Cy", 2: "Kobayashi Maru"}, {"club": "The Pack", "table": "", "notes": "Rain."}
    said = sheet_document(found.game, found.table, found.entries, found.names, notes=notes, remarks=remarks)
    assert said["hands"][0]["note"] == "Dirt Bag: Cy"
    assert said["notes"] == "Rain. Hand 2: Kobayashi Maru"
    assert said["club"] == "The Pack"
    assert "table" not in said
    read_document(json.dumps(said))


def test_open_blind_hand_has_no_place_in_a_file_and_does_not_spoil_it():
    kept = Kept(3, {"hands": 1}).bid(0, 0, 0).take(1, 0, 0)
    kept.write((0, "tie-1-bid-3"), bid=1)
    said = sheet_document(kept.sheet.game, kept.table, kept.entries, {1: "Ann", 2: "Bo", 3: "Cy"})
    assert "tie_breaks" not in said
    read_document(json.dumps(said))


@given(st.data())
def test_any_game_written_down_scores_the_same(data):
    """Whatever is bid and taken, with misdeals, trump and a hand left open."""
    players = data.draw(st.integers(2, 6), "players")
    kept = Kept(
        players, {"hands": data.draw(st.integers(1, 8), "hands")}, first_dealer=data.draw(st.integers(1, players))
    )
    for _ in range(data.draw(st.integers(0, 9), "scored")):
        if kept.sheet.open is None:
            break
        if data.draw(st.booleans(), "misdeal"):
            kept.happens("misdeal")
        hand = kept.coming
        if data.draw(st.booleans(), "trump"):
            kept.write((hand.number, "trump"), suit=data.draw(st.sampled_from(["C", "D", "H", "S", "NT"])))
        bids = [data.draw(st.integers(0, hand.cards), "bid") for _ in hand.order]
        if sum(bids) == hand.cards:
            bids[-1] += 1 if bids[-1] < hand.cards else -1
        spoken = data.draw(st.integers(0, players), "spoken") if data.draw(st.booleans(), "left open") else players
        kept.bid(*bids[:spoken])
        if spoken < players:
            break
        takers = data.draw(st.lists(st.integers(0, players - 1), min_size=hand.cards, max_size=hand.cards), "takers")
        kept.take(*[takers.count(place) for place in range(players)])
    names = {seat: f"Player {seat}" for seat in kept.table.seats}
    said = json.dumps(sheet_document(kept.sheet.game, kept.table, kept.entries, names))
    found = read_document(said)
    assert found.sheet.totals == kept.sheet.totals
    assert found.sheet.waiting == kept.sheet.waiting
    assert found.sheet.boxed == kept.sheet.boxed
    assert found.entries == kept.entries


def test_document_that_is_refused_is_refused_before_anything_is_written():
    with pytest.raises(Refused):
        written_again(document({"bids": {"Bo": 9}}))
