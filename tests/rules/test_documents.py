"""What a sheet file may look like, and what is said about one that does not."""

import json
import time

import pytest

from rules.core.files.sheet_file import Refused, read_document, score_document
from rules.dirty_dog import DirtyDog
from tests.rules.paper import document, events, hand, problems_of, scored

ROUND = [hand("0 0 0 0", "0 1 0 0")]


def says(text, *words):
    """That ``text`` is refused as no document, with a message that says where."""
    (problem, *_) = problems_of(text)
    assert problem["code"] == "bad-document"
    for word in words:
        assert word in problem["message"]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        pytest.param("", "line 1, column 1", id="nothing at all"),
        pytest.param("hello", "line 1, column 1", id="no JSON"),
        pytest.param('{"format": "score-sheet/1",\n "game" 1}', "line 2, column 9", id="a colon is missing"),
        pytest.param('{"a": NaN}', "NaN", id="NaN"),
        pytest.param('{"a": -Infinity}', "Infinity", id="Infinity"),
        pytest.param('{"a": 01}', "line 1", id="a leading zero"),
        pytest.param('{"a": 1, "b": 2, "a": 1}', '"a" is repeated', id="a repeated key"),
        pytest.param('{"c": 1, "a": {"d": 2, "b": 1, "b": 1}}', '"b" is repeated', id="a repeated key inside"),
        pytest.param("[" * 51 + "]" * 51, "deeper than 50 at character 51", id="51 brackets"),
        pytest.param('{"a":' * 51 + "1" + "}" * 51, "deeper than 50", id="51 braces"),
        pytest.param("[" * 100_000, "deeper than 50", id="no end of brackets"),
        pytest.param('{"a": ' + "9" * 4001 + "}", "4000 digits", id="4001 digits"),
        pytest.param('{"a": -' + "9" * 4001 + "}", "4000 digits", id="minus 4001 digits"),
        pytest.param('{"a": "x\ny"}', "control character", id="a line break in a text"),
        pytest.param('\ufeff{"a": 1}', "line 1", id="a byte order mark"),
        pytest.param('{"a": 1}\x00', "line 1", id="NUL at the end"),
        pytest.param("[]", "The sheet file: an object", id="a list"),
        pytest.param("null", "The sheet file: an object", id="null"),
        pytest.param("1e400", "The sheet file: an object", id="a number"),
        pytest.param("{}", "format", id="no format"),
        pytest.param('{"format": "score-sheet/2"}', "format", id="another format"),
        pytest.param('{"format": ["score-sheet/1"]}', "format", id="a format that is no text"),
        pytest.param('{"format": "play-off/1", "game": "dirty-dog"}', "format", id="a play-off"),
        pytest.param('{"format": "score-sheet/1"}', "game", id="no game"),
        pytest.param('{"format": "score-sheet/1", "game": {}}', "game", id="a game that is no text"),
        pytest.param('{"format": "score-sheet/1", "game": "whist"}', "game", id="a game nobody knows"),
    ],
)
def test_text_that_is_no_sheet_file_says_where(text, where):
    says(text, where)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\xff\xfe\x00\x01 garbage \x80", id="garbage"),
        pytest.param('{"format": "score-sheet/1"}'.encode("utf-16"), id="UTF-16"),
        pytest.param(b'{"format": "caf\xe9"}', id="Latin 1"),
        pytest.param(b"\xef\xbb\xbf{}", id="a byte order mark"),
        pytest.param(b"\x00" * 100, id="NUL"),
        pytest.param(bytes(range(256)), id="every byte"),
    ],
)
def test_bytes_that_are_no_text_are_refused(content):
    says(content)


def test_message_says_which_byte_cannot_be_read():
    says(b'{"format": "caf\xe9"}', "byte 15")


def test_brackets_inside_a_text_nest_nothing():
    assert read_document(json.dumps(document(4, *ROUND, notes='[{"' * 1000))).names[1] == "Ann"


def test_fifty_brackets_are_deep_enough():
    says("[" * 50 + "]" * 50, "The sheet file: an object")


def test_crowd_of_empty_lists_is_refused_before_it_is_read():
    says("[" + "[]," * 150_000 + "[]]", "more brackets")


def test_largest_number_that_is_read_is_out_of_its_range():
    text = json.dumps(document(4, hand("0 0 0 0", "0 0 0 1"))).replace(
        '"tricks": {"Ann": 0', '"tricks": {"Ann": ' + "9" * 4000
    )
    assert [problem["code"] for problem in problems_of(text)] == ["tricks-out-of-range", "tricks-sum"]


def changed(**keys):
    """A good document with some keys changed; None: left out."""
    found = document(4, *ROUND) | keys
    return {key: value for key, value in found.items() if value is not None}


HALF = "\ud800"


@pytest.mark.parametrize(
    ("bad", "where"),
    [
        pytest.param(changed(players=None), "players", id="players are missing"),
        pytest.param(changed(hands=None), "hands", id="hands are missing"),
        pytest.param(changed(weather="fine"), "weather", id="an unknown key"),
        pytest.param(changed(**{HALF: 1}), "ud800", id="an unknown key with half a character"),
        pytest.param(changed(players="Ann"), "players", id="players that are no list"),
        pytest.param(changed(players=["Ann", 2]), "players, number 2", id="a player who is a number"),
        pytest.param(changed(players=["Ann", ""]), "players, number 2", id="a name of nothing"),
        pytest.param(changed(players=["Ann", "x" * 41]), "players, number 2", id="a name of 41 code points"),
        pytest.param(changed(players=["Ann", " Bo"]), "players, number 2", id="a leading space"),
        pytest.param(changed(players=["Ann", "Bo "]), "players, number 2", id="a trailing space"),
        pytest.param(changed(players=["Ann", "Bo\u3000"]), "players, number 2", id="a trailing wide space"),
        pytest.param(changed(players=["Ann", HALF]), "players, number 2", id="half a character"),
        pytest.param(changed(first_dealer=1), "first_dealer", id="a first dealer who is a number"),
        pytest.param(changed(first_dealer=["Ann"]), "first_dealer", id="a list of first dealers"),
        pytest.param(changed(house_rules=[]), "house_rules", id="house rules that are no object"),
        pytest.param(changed(house_rules={"jokers": True}), "jokers", id="an unknown house rule"),
        pytest.param(changed(house_rules={"replan": 1}), "replan", id="a house rule of another type"),
        pytest.param(changed(house_rules={"replan": "yes"}), "replan", id="a house rule in words"),
        pytest.param(changed(house_rules={"replan": None}), "replan", id="a yes or no that is null"),
        pytest.param(changed(house_rules={"tie_break_cards": None}), "tie_break_cards", id="a number that is null"),
        pytest.param(changed(house_rules={"tie_break_cards": True}), "tie_break_cards", id="a tick for a number"),
        pytest.param(changed(house_rules={"bottom_buddies_gap": 10.0}), "bottom_buddies_gap", id="10.0"),
        pytest.param(changed(plan=8), "plan", id="a plan that is a number"),
        pytest.param(changed(plan={}), "plan", id="an empty plan"),
        pytest.param(changed(plan={"peak": 1, "hands": 4}), "plan", id="both plans"),
        pytest.param(changed(plan={"hands": 4, "extra_rounds": 1}), "extra_rounds", id="rounds more of a length"),
        pytest.param(changed(plan={"hands": "4"}), "plan, hands", id="hands in words"),
        pytest.param(changed(plan={"peak": True}), "plan, peak", id="a tick for cards"),
        pytest.param(changed(stopped_after="4"), "stopped_after", id="stopped after words"),
        pytest.param(changed(stopped_after=1.0), "stopped_after", id="stopped after 1.0"),
        pytest.param(changed(tie_breaks={}), "tie_breaks", id="tie-breaks that are no list"),
        pytest.param(changed(tie_breaks=[{"bids": {}}]), "tie_breaks, number 1", id="a tie-break without tricks"),
        pytest.param(changed(draws=[{"Ann": 7}]), "draws, number 1", id="a rank that is a number"),
        pytest.param(changed(draws=["Ann"]), "draws, number 1", id="a draw that is a name"),
        pytest.param(changed(club=1), "club", id="a club that is a number"),
        pytest.param(changed(notes=HALF), "notes", id="half a character in the notes"),
        pytest.param(changed(table=3), "table", id="a table that is a number"),
        pytest.param(changed(played_on="19.3.2026"), "played_on", id="another way to write a date"),
        pytest.param(changed(played_on="2026-02-29"), "played_on", id="a day the calendar lacks"),
        pytest.param(changed(hands={}), "hands", id="hands that are no list"),
        pytest.param(changed(hands=[[]]), "hands, number 1", id="a hand that is a list"),
        pytest.param(changed(hands=[{}]), "hands, number 1", id="a hand of nothing"),
        pytest.param(changed(hands=[*ROUND, {"void": False}]), "hands, number 2", id="no misdeal"),
        pytest.param(changed(hands=[{"void": True, "bids": {}}]), "hands, number 1", id="a misdeal with bids"),
        pytest.param(changed(hands=[{"tricks": {}}]), "hands, number 1", id="tricks without bids"),
        pytest.param(changed(hands=[{"bids": []}]), "hands, number 1, bids", id="bids in a list"),
        pytest.param(changed(hands=[{"bids": {"Ann": "1"}}]), 'hands, number 1, bids, "Ann"', id="a bid in words"),
        pytest.param(changed(hands=[{"bids": {"Ann": 1.5}}]), 'hands, number 1, bids, "Ann"', id="half a bid"),
        pytest.param(changed(hands=[{"bids": {"Ann": None}}]), 'hands, number 1, bids, "Ann"', id="a bid of null"),
        pytest.param(changed(hands=[{"bids": {"Ann": True}}]), 'hands, number 1, bids, "Ann"', id="a tick for a bid"),
        pytest.param(changed(hands=[{"bids": {" Ann": 1}}]), "hands, number 1, bids", id="a name with a space"),
        pytest.param(changed(hands=[{"bids": {}, "tricks": None}]), "hands, number 1, tricks", id="tricks of null"),
        pytest.param(changed(hands=[{"bids": {}, "turned": 7}]), "hands, number 1, turned", id="a card in numbers"),
        pytest.param(changed(hands=[{"bids": {}, "rule_missed": 1}]), "rule_missed", id="a number for a tick"),
        pytest.param(changed(hands=[{"bids": {}, "note": 1}]), "hands, number 1, note", id="a note that is a number"),
        pytest.param(changed(hands=[{"arrives": ""}]), "hands, number 1, arrives", id="nobody arrives"),
        pytest.param(changed(hands=[{"arrives": "Ed", "left_of": None}]), "left_of", id="left of null"),
        pytest.param(changed(hands=[{"leaves": 1}]), "hands, number 1, leaves", id="a number leaves"),
        pytest.param(changed(hands=[{"substitute": "Ed"}]), "hands, number 1", id="a substitute for nobody"),
        pytest.param(changed(hands=[{"reseated": "Ann"}]), "hands, number 1, reseated", id="a name reseated"),
        pytest.param(changed(hands=[{"carried": {}}]), "hands, number 1, carried", id="nothing carried"),
        pytest.param(changed(hands=[ROUND[0] | {"turned": "7D", "trump": "D"}]), "not both", id="card and trump"),
        pytest.param(changed(hands=[{"bids": {}}, *ROUND]), "last hand", id="an open hand before another"),
        pytest.param(
            changed(hands=[*ROUND, {"carried": {"hands": 1, "totals": {}, "last_dealer": "Ann"}}]), "first of all",
            id="carried hands that are not first",
        ),
    ],
)  # fmt: skip
def test_value_where_it_does_not_belong_says_where(bad, where):
    says(json.dumps(bad), where)


@pytest.mark.parametrize("number", ["3.0", "1e2", "1E2", "0.5", "1e400", "-1e-400", "1" * 5000 + ".5"])
@pytest.mark.parametrize(
    "place", ['"stopped_after": 7777', '"hands": [{"bids": {"Ann": 7777}}]', '"notes": 7777', '"played_on": 7777']
)
def test_number_that_is_not_whole_stands_nowhere(place, number):
    text = json.dumps(changed(hands=[] if "hands" not in place else None))
    says(text[:-1] + ", " + place.replace("7777", number) + "}")


def test_every_fault_of_a_document_is_told_and_not_the_first_alone():
    bad = changed(players=["Ann", 2, ""], hands=[{"bids": {"Ann": 0.5}}, {}], club=1)
    assert len(problems_of(json.dumps(bad))) == 5


def test_every_problem_of_a_sheet_is_told_in_its_order():
    found = problems_of(
        json.dumps(document(4, hand("0 0 0 1", "2 0 0 0"), {"leaves": "Zoe"}, hand("3 0 0 0", "0 0 0 0")))
    )
    assert [(p["code"], p.get("hand"), p.get("player"), p.get("field")) for p in found] == [
        ("the-rule", 1, "Ann", "bids"),
        ("tricks-out-of-range", 1, "Ann", "tricks"),
        ("tricks-sum", 1, None, "tricks"),
        ("unknown-player", 2, "Zoe", "leaves"),
        ("bid-out-of-range", 2, "Ann", "bids"),
        ("tricks-sum", 2, None, "tricks"),
    ]


def codes(said):
    return [p["code"] for p in problems_of(json.dumps(said))]


def test_name_nobody_has_in_a_new_order_is_told_beside_whoever_lacks_a_chair():
    assert codes(document(4, hand("0 0 0 0", "1 0 0 0"), {"reseated": ["Ann", "Bo", "Cy", "Zoe"]})) == [
        "unknown-player",
        "wrong-players",
    ]


def test_hand_without_its_tricks_counts_as_played_when_the_next_is_judged():
    open_in_the_middle = {"bids": hand("0 0 0 0", "1 0 0 0")["bids"]}
    assert codes(document(4, open_in_the_middle, hand("0 0 0 0", "2 0 0 0"))) == ["bad-document"]


def test_nothing_false_is_told_after_carried_hands_that_are_refused():
    carried = {"carried": {"hands": 4, "totals": dict.fromkeys(("Ann", "Bo", "Cy", "Zoe"), 0), "last_dealer": "Ann"}}
    assert set(codes(document(4, carried, hand("0 0 0 0", "5 0 0 0")))) == {"wrong-players"}


@pytest.mark.parametrize(
    ("plan", "code"),
    [({"peak": 99}, "bad-peak"), ({"hands": 0}, "bad-plan"), ({"peak": 2, "extra_rounds": -1}, "bad-plan")],
)
def test_what_is_wrong_with_hands_is_told_beside_a_plan_that_is_none(plan, code):
    hands = [
        hand("0 0 0 14", "1 0 0 -1", turned="1X"),
        {"bids": {"Bo": 0, "Cy": 0, "Di": 0, "Zoe": 0}, "tricks": hand("0 0 0 0", "1 0 0 0")["tricks"]},
        {"leaves": "Zoe"},
    ]
    found = problems_of(json.dumps(document(4, *hands, plan=plan, draws=[{"Ann": "1", "Bo": "2"}])))
    assert [(p["code"], p.get("hand"), p.get("player"), p.get("field")) for p in found[1:]] == [
        ("bad-card", 1, None, "turned"),
        ("bid-out-of-range", 1, "Di", "bids"),
        ("tricks-out-of-range", 1, "Di", "tricks"),
        ("wrong-players", 2, "Ann", "bids"),
        ("wrong-players", 2, "Zoe", "bids"),
        ("unknown-player", 3, "Zoe", "leaves"),
        ("bad-rank", None, "Ann", "draws"),
    ]
    assert found[0]["code"] == code


def test_nothing_false_is_told_of_hands_without_a_plan():
    """Without a plan nobody knows how many cards a hand has: a card more each time, but no more than can be dealt."""
    climb = [hand(f"0 0 0 {min(cards, 12)}", "0 0 0 0") for cards in range(1, 60)]
    ties = {"tie_breaks": [hand("1 0 0 0", "0 1 0 0")], "draws": [{"Ann": "K", "Bo": "2"}]}
    assert codes(document(4, *climb, plan={"peak": 0}, **ties)) == ["bad-peak"]
    of_five = [hand("0 0 0 0 1", "0 0 0 0 0")] * 61
    assert codes(document(4, {"arrives": "Ed"}, *of_five, plan={"hands": -1}, stopped_after=61)) == ["bad-plan"]
    carried = {"hands": 1000, "totals": dict.fromkeys(("Ann", "Bo", "Cy", "Di"), 3), "last_dealer": "Bo"}
    assert codes(document(4, {"carried": carried}, *climb[11:20], plan={"peak": 0})) == ["bad-peak"]


def test_game_that_says_nothing_of_any_plan_is_told_of_a_bad_one_alone(monkeypatch):
    monkeypatch.delattr(DirtyDog, "most_in_any_plan")
    assert codes(document(4, hand("0 0 0 9", "1 0 0 0", turned="1X"), plan={"peak": 99})) == ["bad-peak"]


def test_what_no_plan_has_is_told_beside_a_plan_that_is_none():
    ties = [{"bids": {"Zoe": 9, "Ann": 99}, "tricks": hand("0", "-1")["tricks"]}]
    assert codes(document(4, hand("0 0 0 2", "0 0 0 0"), plan={"peak": 0}, tie_breaks=ties))[:3] == [
        "bad-peak", "bid-out-of-range", "wrong-players",
    ]  # fmt: skip
    assert {"bid-out-of-range", "tricks-out-of-range"} <= set(codes(document(4, plan={"peak": 0}, tie_breaks=ties)))
    too_many = [hand("0 0 0 0", "0 0 0 0")] * 1021
    assert codes(document(4, *too_many, plan={"peak": 0})) == ["bad-peak", "game-over"]


def test_turned_card_and_trump_exclude_each_other_whatever_else_is_wrong():
    both = hand("0 0 0 0", "1 0 0 0") | {"turned": "7D", "trump": "H"}
    assert codes(document(4, both) | {"plan": {"peak": 99}}) == ["bad-document"]


def test_hand_that_is_open_is_checked_and_leaves_no_row():
    found = scored(document(4, *ROUND, {"bids": {"Cy": 1, "Di": 0}}))
    assert len(found["hands"]) == 1
    assert found["waiting_for"] == [{"what": "hand", "number": 2}]
    bad = document(4, *ROUND, {"bids": {"Cy": 1, "Di": 9}})
    assert [p["code"] for p in problems_of(json.dumps(bad))] == ["bid-out-of-range"]


def test_bids_of_an_open_hand_are_those_of_the_first_bidders():
    bad = document(4, *ROUND, {"bids": {"Cy": 1, "Ann": 0}})
    assert {(p["code"], p["player"]) for p in problems_of(json.dumps(bad))} == {
        ("wrong-players", "Di"),
        ("wrong-players", "Ann"),
    }


def test_keys_without_effect_have_none():
    said = {"club": "A", "table": "B", "played_on": "2024-02-29", "notes": "C"}
    assert scored(document(4, *ROUND, **said)) == scored(document(4, *ROUND))
    noted = document(4, ROUND[0] | {"note": "a Dirt Bag"}, events("misdeal") | {"note": "dropped"})
    assert scored(noted) == scored(document(4, *ROUND))


def test_names_are_compared_exactly():
    found = scored(document(["Ann", "ann", "Ánn", "A\u0301nn"], {"bids": {"ann": 0}}))
    assert list(found["totals"]) == ["Ann", "ann", "Ánn", "A\u0301nn"]


def test_names_may_be_any_text():
    names = ["🂡" * 40, "<b>", "ان", "\u0000"]
    assert list(scored(document(names))["totals"]) == names


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('"' + '\\"' * 2_000_000, id="a text without end"),
        pytest.param('["' + '\\"' * 2_000_000, id="a text without end in a list"),
        pytest.param('{"a": "' + "\\" * 4_000_001, id="backslashes without end"),
        pytest.param("{" + ",".join(f'"k{n}": 1' for n in range(200_000)) + ', "k199999": 1}', id="a late repetition"),
        pytest.param("[" + "9" * 4_000_000 + "]", id="a number without end"),
        pytest.param("[" + "1," * 2_000_000 + "1]", id="a long list"),
        pytest.param('"' + "[" * 4_000_000 + '"', id="brackets in a text"),
    ],
)
def test_huge_text_is_refused_in_moments(text):
    start = time.monotonic()
    says(text)
    assert time.monotonic() - start < 60


def test_longest_game_is_scored_in_moments():
    start = time.monotonic()
    hands = [hand(" ".join(["0"] * 4), "0 0 0 1", names=4) for _ in range(1000)]
    cards = [*range(1, 13), *[12] * 976, *range(12, 0, -1)]
    for number, (played, count) in enumerate(zip(hands, cards, strict=True)):
        played["tricks"] = {name: count * (place == number % 4) for place, name in enumerate(played["tricks"])}
    assert len(scored(document(4, *hands, plan={"hands": 1000}))["hands"]) == 1000
    assert time.monotonic() - start < 60


def test_refusal_says_its_first_problem_as_an_exception_should():
    with pytest.raises(Refused, match="line 1"):
        score_document("x")
