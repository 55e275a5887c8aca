"""Hotdog round by round: what every number of tricks pays, how games and the match end, what is said of it."""

import pytest

from rules import find_game
from rules.core.engine.replay import problems, read
from rules.core.table import Hand
from rules.hotdog.bidding import KINDS
from rules.hotdog.scoring import pay, pays
from tests.rules.hotdog_paper import ANN, BO, document, round_of
from tests.rules.paper import scored

GAME = find_game("hotdog")
POINTS_FAIL = {"footlong_fail": "points"}


def paid(picker, topping, took, **house_rules):
    """What Ann and Bo got in the first round, and who won the game at once. Ann deals."""
    row = scored(document(round_of(picker, topping, took), house_rules=house_rules))["hands"][0]
    return row["points"][ANN], row["points"][BO], row["wins_game"]


def table(**house_rules):
    return GAME.open_table((1, 2), 1, house_rules=house_rules)


def hand(bid, tricks=None, *, dealer=1, relish=None):
    """A round of seats 1 and 2; `tricks` are those of seat 1."""
    steps = {"bid": bid, "relish": {} if relish is None else {"relish": relish}}
    if tricks is not None:
        steps["tricks"] = {"tricks-1": tricks, "tricks-2": 17 - tricks}
    return Hand(1, dealer, (3 - dealer, dealer), steps=steps)


ORDINARY = [
    *((took, 0, 0, ANN) for took in (15, 16, 17)),
    *((took, 2, 0, None) for took in (12, 13, 14)),
    *((took, 1, 0, None) for took in (9, 10, 11)),
    *((took, 0, 2, None) for took in (6, 7, 8)),
    *((took, 0, 0, BO) for took in range(6)),
]


@pytest.mark.parametrize(("took", "ann", "bo", "wins"), ORDINARY, ids=lambda value: f"{value}")
@pytest.mark.parametrize("topping", ["ketchup H", "mustard C", "works", "smother"])
def test_5_3_ordinary_bid_pays(topping, took, ann, bo, wins):
    assert paid(ANN, topping, took) == (ann, bo, wins)
    assert paid(BO, topping, 17 - took) == (bo, ann, {ANN: BO, BO: ANN, None: None}[wins])


@pytest.mark.parametrize(("took", "house", "pays"), [
    pytest.param(15, {}, (0, 0, ANN), id="15: the game"),
    pytest.param(14, {}, (3, 0, None), id="14: 3"),
    pytest.param(12, {}, (3, 0, None), id="12: 3"),
    pytest.param(11, {}, (0, 0, BO), id="11: the game is the other’s"),
    pytest.param(9, {}, (0, 0, BO), id="9: the game is the other’s"),
    pytest.param(8, {}, (0, 0, BO), id="8: the game is the other’s"),
    pytest.param(0, {}, (0, 0, BO), id="0: the game is the other’s"),
    pytest.param(12, {"footlong_points": 9}, (9, 0, None), id="footlong_points"),
    pytest.param(15, {"footlong_points": 9}, (0, 0, ANN), id="footlong_points: 15 is the game all the same"),
    pytest.param(12, POINTS_FAIL, (3, 0, None), id="footlong_fail points: 12 made"),
    pytest.param(11, POINTS_FAIL, (0, 2, None), id="footlong_fail points: 11 is a failed bid"),
    pytest.param(9, POINTS_FAIL, (0, 2, None), id="footlong_fail points: 9 is a failed bid"),
    pytest.param(6, POINTS_FAIL, (0, 2, None), id="footlong_fail points: 6, the other has 11"),
    pytest.param(5, POINTS_FAIL, (0, 0, BO), id="footlong_fail points: 5, the other has 12"),
])  # fmt: skip
@pytest.mark.parametrize("topping", ["footlong ketchup H", "footlong works", "footlong smother"])
def test_5_5_1_footlong_pays(topping, took, house, pays):
    assert paid(ANN, topping, took, **house) == pays


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "house", [{}, POINTS_FAIL, *({"no_picker": rule} for rule in ("none", "non_dealer_is_picker"))]
)
def test_page_says_of_every_number_of_tricks_what_it_pays(kind, house):
    of_house = table(**house)
    said = {tricks: line for line in pays(of_house)[kind] for tricks in line["tricks"]}
    assert list(said) == [15, 16, 17, 12, 13, 14, 9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2]
    for tricks, line in said.items():
        assert line == {"tricks": line["tricks"], **pay(kind, tricks, of_house.house_rules)._asdict()}, tricks


@pytest.mark.parametrize(("took", "rule", "pays"), [
    pytest.param(17, "one_point", (1, 0, None), id="one_point: no automatic win"),
    pytest.param(9, "one_point", (1, 0, None), id="one_point: nine"),
    pytest.param(8, "one_point", (0, 1, None), id="one_point: the other has nine"),
    pytest.param(0, "one_point", (0, 1, None), id="one_point: none"),
    pytest.param(17, "none", (0, 0, None), id="none: all of them"),
    pytest.param(0, "none", (0, 0, None), id="none: none of them"),
    # Ann deals, so Bo counts as the picker.
    pytest.param(2, "non_dealer_is_picker", (0, 0, BO), id="non_dealer_is_picker: Bo has 15"),
    pytest.param(5, "non_dealer_is_picker", (0, 2, None), id="non_dealer_is_picker: Bo has 12"),
    pytest.param(8, "non_dealer_is_picker", (0, 1, None), id="non_dealer_is_picker: Bo has 9"),
    pytest.param(9, "non_dealer_is_picker", (2, 0, None), id="non_dealer_is_picker: Bo has 8"),
    pytest.param(12, "non_dealer_is_picker", (0, 0, ANN), id="non_dealer_is_picker: Bo has 5"),
])  # fmt: skip
def test_5_5_2_both_passed(took, rule, pays):
    assert paid(None, "works", took, no_picker=rule) == pays


def test_5_5_2_non_dealer_counts_as_picker_in_every_round():
    rounds = [round_of(None, "works", 12), round_of(None, "works", 12)]
    found = scored(document(*rounds, house_rules={"no_picker": "non_dealer_is_picker"}))
    assert [row["wins_game"] for row in found["hands"]] == [ANN, None], "first Bo has 5, then Ann has 12"
    assert found["hands"][1]["points"] == {ANN: 2, BO: 0}


def games(*rounds, **keys):
    return scored(document(*rounds, **keys))


TWO = round_of(ANN, "works", 12)


def test_5_3_first_to_five_wins_the_game_and_more_is_fine():
    found = games(TWO, TWO, TWO)
    assert found["legs"] == [{"winner": ANN, "totals": {ANN: 6, BO: 0}}]
    assert found["totals"] == {ANN: 0, BO: 0}, "the next game starts from nothing"
    assert (found["finished"], found["winner"]) == (False, None)
    assert found["waiting_for"] == [{"what": "hand", "number": 4}]


def test_5_5_6_automatic_win_lifts_the_total_to_the_target():
    found = games(TWO, round_of(ANN, "works", 3))
    assert found["hands"][1]["points"] == {ANN: 0, BO: 0}
    assert found["hands"][1]["totals"] == {ANN: 2, BO: 5}
    assert (found["hands"][1]["boxed"], found["hands"][1]["circled"]) == ([BO], [ANN])
    assert found["legs"] == [{"winner": BO, "totals": {ANN: 2, BO: 5}}]


def test_reaching_the_target_is_no_automatic_win():
    assert [row["wins_game"] for row in games(TWO, TWO, TWO)["hands"]] == [None, None, None]


def test_5_3_match_is_best_of_three():
    win = round_of(BO, "works", 2)
    found = games(win, round_of(ANN, "works", 15), win)
    assert found["legs_won"] == {ANN: 1, BO: 2}
    assert (found["finished"], found["winner"], found["waiting_for"]) == (True, BO, [])
    assert found["placings"] == [{"place": 1, "player": BO, "score": 2}, {"place": 2, "player": ANN, "score": 1}]
    assert found["totals"] == {ANN: 0, BO: 5}, "those the last game ended with"
    assert (found["loser"], found["callouts"]) == (None, [])


@pytest.mark.parametrize(("house", "rounds"), [
    ({"target": 1}, 2), ({"target": 4}, 4), ({"games_to_win": 1}, 3), ({"games_to_win": 3}, 9), ({"target": 99}, 100),
], ids=str)  # fmt: skip
def test_target_and_games_to_win_are_agreed(house, rounds):
    played = games(*[TWO] * rounds, house_rules=house)
    assert played["finished"]
    assert not games(*[TWO] * (rounds - 1), house_rules=house)["finished"]


def test_5_5_7_deal_alternates_through_the_games():
    win = round_of(BO, "works", 2)
    found = games(TWO, win, TWO, win, first_dealer=BO)
    assert [row["dealer"] for row in found["hands"]] == [BO, ANN, BO, ANN]


@pytest.mark.parametrize(("said", "whole"), [
    ({"tricks-2": 12}, {"tricks-2": 12, "tricks-1": 5}),
    ({"tricks-1": 0, "works-first": "mustard"}, {"tricks-1": 0, "tricks-2": 17, "works-first": "mustard"}),
    ({"tricks-1": 9, "tricks-2": 9}, {"tricks-1": 9, "tricks-2": 9}),
    ({"tricks-1": 18}, {"tricks-1": 18, "tricks-2": -1}),
    ({"tricks-1": "x"}, {"tricks-1": "x"}),
    ({"tricks-1": True}, {"tricks-1": True}),
    ({}, {}),
], ids=str)  # fmt: skip
def test_what_one_did_not_take_is_the_other_s(said, whole):
    start = Hand(1, 1, (2, 1))
    ask = next(ask for ask in GAME.asks(table(), start) if ask.name == "tricks")
    assert ask.completed(said) == whole


@pytest.mark.parametrize(("bid", "tricks", "seat", "says"), [
    ({"picker": 1, "topping": "ketchup", "trump": "H"}, 11, 1,
     "picked Ketchup in hearts, took 11: 9 to 11 are 1 point: +1"),
    ({"picker": 1, "topping": "ketchup", "trump": "H"}, 11, 2,
     "against Ketchup in hearts, took 6: the picker’s 9 to 11 bring 1 point: 0"),
    ({"picker": 2, "topping": "works", "smothered": True}, 11, 1,
     "against The Works by a smother, took 11: 9 to 11 are 2 points: +2"),
    ({"picker": 1, "topping": "works", "footlong": True}, 14, 1,
     "picked Footlong Works, took 14: 12 to 14 are 3 points: +3"),
    ({"picker": 1, "topping": "works", "footlong": True}, 11, 2,
     "against Footlong Works, took 6: 6 or more win the game, whatever the score"),
    ({"picker": 1, "topping": "works"}, 16, 1,
     "picked The Works, took 16: 15 or more win the game, whatever the score"),
    ({"picker": 1, "topping": "works"}, 7, 1, "picked The Works, took 7: 6 to 8 give the other player 2 points: 0"),
    ({"picker": 1, "topping": "works"}, 5, 1, "picked The Works, took 5: 5 or fewer give the other player the game: 0"),
    ({"picker": 1, "topping": "works"}, 16, 2,
     "against The Works, took 1: the picker’s 15 or more bring the game: 0"),
    ({"topping": "works"}, 9, 1, "both passed, took 9: nine or more are a point: +1"),
    ({"topping": "works"}, 9, 2, "both passed, took 8: fewer than nine are no point: 0"),
], ids=str)  # fmt: skip
def test_every_number_says_why(bid, tricks, seat, says):
    assert GAME.why(table(), hand(bid, tricks), seat) == says


def test_house_rules_for_rounds_without_picker_say_why():
    assert GAME.why(table(no_picker="none"), hand({"topping": "works"}, 17), 1) == (
        "both passed, took 17: the house pays nothing where both have passed: 0"
    )
    as_picker = table(no_picker="non_dealer_is_picker")
    assert GAME.why(as_picker, hand({"topping": "works"}, 5), 2) == (
        "both passed, took 12: the non-dealer counts as picker; 12 to 14 are 2 points: +2"
    )


def numbers(found):
    return {number.label: number.value or number.seat for number in GAME.hand_numbers(table(), found)}


def test_hand_says_who_deals_and_who_chooses_first():
    assert numbers(Hand(1, 1, (2, 1))) == {"Dealer": 1, "Chooses first": 2}


@pytest.mark.parametrize(
    ("bid", "leads"),
    [
        pytest.param({"picker": 1, "topping": "works"}, 1, id="7.5-picker-leads-though-they-deal"),
        pytest.param({"picker": 2, "topping": "ketchup", "trump": "H"}, 2, id="7.5-picker-leads"),
        pytest.param({"picker": 1, "smothered": True}, 1, id="7.5-whoever-smothers-is-the-picker"),
        pytest.param({}, 2, id="7.5-both-passed-non-dealer-leads"),
    ],
)
def test_picker_leads_the_first_trick_and_the_non_dealer_only_if_both_passed(bid: dict, leads: int):
    hand = Hand(1, 1, (2, 1)).with_step("bid", bid)
    assert GAME.leading.leader_of(hand) == leads
    assert numbers(hand)["Leads"] == leads
    assert "Chooses first" not in numbers(hand)


def test_hand_says_the_bid_and_the_relish_once_they_are_known():
    said = numbers(hand({"picker": 2, "topping": "mustard", "trump": "S"}, relish=5))
    assert (said["Picker"], said["Bid"], said["Relish"]) == (2, "Mustard in spades", "5")
    said = numbers(hand({"topping": "works"}))
    assert (said["Picker"], said["Bid"], said["Relish"]) == ("nobody: both passed", "The Works", "none")


def beside(bid, tricks):
    entries = {(1, name): step for name, step in hand(bid, tricks).steps.items()}
    return GAME.beside(read(GAME, table(), entries).rows[0])


def test_row_shows_trump_bid_and_tricks():
    found = beside({"picker": 1, "topping": "ketchup", "trump": "H"}, 11)
    assert (found.head, dict(found.cells), found.missed) == ("♥", {1: "Ketchup\ntook 11", 2: "took 6"}, frozenset())


def test_row_shows_a_failed_bid_and_a_game_won_at_once():
    found = beside({"picker": 1, "topping": "works", "footlong": True}, 11)
    assert (dict(found.cells), found.missed) == ({1: "Footlong Works\ntook 11", 2: "took 6, wins"}, {1})
    assert found.aloud[2] == "took 6, won the game at once"


@pytest.mark.parametrize(("bid", "took", "told"), [
    ({"picker": 1, "topping": "works"}, 12, {"game": "game 1", "last": "Hand 1:", "got-1": "+2"}),
    ({"picker": 1, "topping": "works"}, 7, {"game": "game 1", "last": "Hand 1:", "got-2": "+2"}),
    ({"picker": 2, "topping": "works"}, 17, {"game": "game 2", "last": "Game 1:", "got-1": "wins at once"}),
    ({"picker": 1, "topping": "works", "footlong": True}, 12, {"game": "game 2", "last": "Game 1:", "got-1": "wins"}),
    ({}, 12, {"game": "game 1", "last": "Hand 1:", "nobody": "nobody is paid"}),
], ids=str)  # fmt: skip
def test_page_tells_what_the_last_round_brought_until_the_next_bid(bid, took, told):
    agreed = {"footlong_points": 9, "no_picker": "none"}
    found = {(1, name): step for name, step in hand(bid, took).steps.items()}
    sheet = read(GAME, table(**agreed), found)
    assert GAME.shows(sheet.table, sheet.open.hand) == told
    sheet = read(GAME, table(**agreed), found | {(2, "bid"): {}})
    assert GAME.shows(sheet.table, sheet.open.hand) == {"game": told["game"]}


@pytest.mark.parametrize(("bid", "took", "called"), [
    ({"picker": 1, "topping": "works"}, 15, [("automatic-win", (1,), "15 tricks win the game")]),
    ({"picker": 1, "topping": "works"}, 4, [("automatic-win", (2,), "13 tricks against the picker win the game")]),
    ({"picker": 1, "topping": "works"}, 14, []),
    ({"topping": "works"}, 17, []),
], ids=str)  # fmt: skip
def test_automatic_win_is_called_out_in_words(bid, took, called):
    entries = {(1, name): step for name, step in hand(bid, took).steps.items()}
    found = GAME.hand_callouts(read(GAME, table(), entries).rows[0])
    assert [(call.call, call.seats, call.reason) for call in found] == called


@pytest.mark.parametrize(("said", "means"), [
    ({}, {"topping": "works"}),
    ({"picker": 2, "smothered": True}, {"picker": 2, "topping": "works", "smothered": True}),
], ids=str)  # fmt: skip
def test_topping_that_goes_without_saying(said, means):
    assert GAME.result(table(), hand(said, 9)) == GAME.result(table(), hand(means, 9))
    assert GAME.why(table(), hand(said, 9), 2) == GAME.why(table(), hand(means, 9), 2)


def test_picker_has_to_say_the_topping():
    assert [p.code for p in problems(GAME, table(), {}, (1, "bid"), {"picker": 1})] == ["bad-topping"]
    assert [p.code for p in problems(GAME, table(), {}, (1, "bid"), {"footlong": True})] == ["no-picker-is-works"]


def test_row_shows_that_both_passed():
    found = beside({"topping": "works"}, 11)
    assert (found.head, dict(found.cells), found.missed) == ("passed", {1: "took 11", 2: "took 6"}, frozenset())


def test_table_for_the_page_agrees_with_the_points():
    for house in (
        {},
        {"footlong_points": 5},
        POINTS_FAIL,
        {"no_picker": "none"},
        {"no_picker": "non_dealer_is_picker"},
    ):
        pays = GAME.look_up(table(**house))["pays"]
        for kind, bid in (
            ("ordinary", {"picker": 2, "topping": "works"}),
            ("footlong", {"picker": 2, "topping": "works", "footlong": True}),
            ("passed", {"topping": "works"}),  # seat 1 deals, so those of seat 2 count
        ):
            assert sorted(took for line in pays[kind] for took in line["tricks"]) == list(range(18))
            for took, said in ((took, line) for line in pays[kind] for took in line["tricks"]):
                result = GAME.result(table(**house), hand(bid, 17 - took))
                winner = {"picker": 2, "other": 1, "": None}[said["side"]]
                expected = {seat: said["points"] if seat == winner else 0 for seat in (1, 2)}
                assert (dict(result.points), result.wins_leg) == (expected, winner if said["wins"] else None)


def test_footlong_is_shut_where_the_club_does_not_play_it():
    start = Hand(1, 1, (2, 1))
    assert GAME.shut(table(), start) == frozenset()
    assert GAME.shut(table(footlong=False), start) == {"footlong"}


def test_worth_follows_the_house_rules():
    assert [row.label for row in GAME.worth(table(), hand({"topping": "works"}))] == [
        "Ketchup, Mustard or The Works", "Footlong", "Both pass",
    ]  # fmt: skip
    assert "Footlong" not in [row.label for row in GAME.worth(table(footlong=False), hand({"topping": "works"}))]


def test_texts_are_sentences_in_numbered_rules():
    assert [rule.number for rule in GAME.rules_text] == list(range(1, 13))
    for text in (*(rule.text for rule in GAME.rules_text), *(word.meaning for word in GAME.words)):
        assert text[0].isupper()
        assert text.endswith(".")
        assert "'" not in text
        assert "  " not in text
    assert set(GAME.tags) <= {word.term for word in GAME.words}


def test_bid_is_asked_again_where_it_does_not_fit():
    codes = [p.code for p in problems(GAME, table(), {}, (1, "bid"), {"picker": 1, "topping": "ketchup"})]
    assert codes == ["trump-missing"]
