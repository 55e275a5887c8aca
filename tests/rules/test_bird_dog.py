"""What a hand of Bird Dog is worth, why, and how the race ends."""

import random

import pytest

from rules.bird_dog.deck import DECK, bird_dog_of
from rules.core.engine.replay import read
from rules.core.files.sheet_file import read_object
from tests.rules.bird_dog_paper import GAME, NAMES, SEATS, by_hand, document, hand, points, scored
from tests.rules.deals.bird_dog import deal, play


def described(*hands, **keys):
    """What a result says of the last hand beside its points."""
    last = scored(*hands, **keys)["hands"][-1]
    return last["bonus"], last["nil_made"], last["bird_dog"]


# The cards (Rules 1 to 3)


@pytest.mark.parametrize(
    ("turned", "dog"),
    [("9H", "9D"), ("TD", "TH"), ("JC", "JS"), ("AS", "AC"), ("9H QS", "QC"), ("9H 9D", "9H"), ("JD TS KC", "KS")],
)
def test_bird_dog_is_the_twin_of_the_card_turned_last(turned, dog):
    caller = None if len(turned.split()) == 3 else "Ann"
    assert described(hand(turned, caller, pairs="1 1 1"))[2] == dog


def test_every_card_is_the_bird_dog_of_its_own_bird_dog():
    for card in DECK:
        dog = bird_dog_of(card)
        assert dog in DECK
        assert dog != card
        assert bird_dog_of(dog) == card
        assert {card[1], dog[1]} in ({"H", "D"}, {"C", "S"})


# Pairs, bonus and nil (Rules 5 to 7)

CASES = {
    "rule 5: a point for each pair": (hand(caller="Bo", pairs="1 3 1"), "1 3 1"),
    "rule 5: three of a rank are one pair": (hand(caller="Ann", faces="3J3K 1J2Q 2Q1K"), "2 1 1"),
    "rule 5: four of a rank are two": (hand(caller="Ann", faces="4J4K 1Q 3Q"), "4 0 1"),
    "rule 5: both ways of counting say the same": (
        hand(caller="Ann", faces="4J4K 1Q 3Q", pairs="4 0 1"),
        "4 0 1",
    ),
    "rule 6: the most pairs, not the caller": (hand(caller="Bo", pairs="3 1 1"), "4 1 1"),
    "rule 6: the most pairs, the caller": (hand(caller="Ann", pairs="3 1 1"), "3 1 1"),
    "rule 6: the most is shared": (hand(caller="Cy", pairs="2 2 1"), "2 2 1"),
    "rule 6: the most is shared with the caller": (hand(caller="Ann", pairs="2 2 1"), "2 2 1"),
    "rule 6: nobody called": (hand("9H TH AH", None, pairs="3 1 1"), "4 1 1"),
    "rule 6: nobody has a pair": (hand("JH", "Ann", faces="1J1Q1K 1J1Q1K 1J1Q1K"), "0 0 0"),
    "rule 7: nil made": (hand(caller="Bo", nil="Cy", pairs="1 4 0", tricks="2 5 0"), "1 4 3"),
    "rule 7: nil broken by one trick": (hand(caller="Bo", nil="Cy", pairs="1 4 0", tricks="2 4 1"), "1 4 -3"),
    "rule 7: nil broken, and its pairs count": (hand(caller="Bo", nil="Cy", pairs="1 2 1", tricks="2 3 2"), "1 2 -2"),
    "rule 7: nil broken, and the bonus counts": (hand(caller="Bo", nil="Cy", pairs="0 2 3", tricks="1 3 3"), "0 2 1"),
    "rule 7: the caller goes nil and makes it": (hand(caller="Cy", nil="Cy", pairs="1 4 0", tricks="2 5 0"), "1 5 3"),
    "rule 7: the caller goes nil and leads": (hand(caller="Cy", nil="Cy", pairs="0 2 3", tricks="1 3 3"), "0 2 0"),
}


@pytest.mark.parametrize(("played", "worth"), CASES.values(), ids=CASES)
def test_points_of_a_hand(played, worth):
    assert points(played) == worth


TIED = hand(caller="Cy", pairs="2 2 1")
NOBODY = hand("9H TH AH", None, pairs="3 1 1")
HOUSE = {
    "bonus_for_tied: both who share it": (TIED, {"bonus_for_tied": True}, "3 3 1"),
    "bonus_for_tied: not the caller among them": (
        hand(caller="Ann", pairs="2 2 1"),
        {"bonus_for_tied": True},
        "2 3 1",
    ),
    "bonus_for_tied: all three": (hand("9H TH AH", None, pairs="2 2 2"), {"bonus_for_tied": True}, "3 3 3"),
    "bonus_for_tied: never for no pair": (
        hand("JH", "Ann", faces="1J1Q1K 1J1Q1K 1J1Q1K"),
        {"bonus_for_tied": True},
        "0 0 0",
    ),
    "bonus_for_tied: who leads alone has it as ever": (
        hand(caller="Bo", pairs="3 1 1"),
        {"bonus_for_tied": True},
        "4 1 1",
    ),
    "no_bonus_without_caller: nobody called": (NOBODY, {"no_bonus_without_caller": True}, "3 1 1"),
    "no_bonus_without_caller: somebody did": (
        hand(caller="Bo", pairs="3 1 1"),
        {"no_bonus_without_caller": True},
        "4 1 1",
    ),
    "both: shared, and nobody called": (
        hand("9H TH AH", None, pairs="2 2 1"),
        {"bonus_for_tied": True, "no_bonus_without_caller": True},
        "2 2 1",
    ),
}


@pytest.mark.parametrize(("played", "house_rules", "worth"), HOUSE.values(), ids=HOUSE)
def test_house_rule_changes_the_bonus(played, house_rules, worth):
    assert points(played, house_rules=house_rules) == worth


@pytest.mark.parametrize(
    ("played", "house_rules", "bonus"),
    [
        (hand(caller="Bo", pairs="3 1 1"), {}, "Ann"),
        (hand(caller="Ann", pairs="3 1 1"), {}, None),
        (TIED, {"bonus_for_tied": True}, None),
        (NOBODY, {}, "Ann"),
        (NOBODY, {"no_bonus_without_caller": True}, None),
    ],
    ids=["led alone", "the caller led", "paid, but shared", "nobody called", "nobody called, house rule"],
)
def test_result_names_the_sole_leader_who_got_the_bonus(played, house_rules, bonus):
    assert described(played, house_rules=house_rules)[0] == bonus


@pytest.mark.parametrize(
    ("nil", "tricks", "made"), [(None, "2 5 0", None), ("Cy", "2 5 0", True), ("Bo", "2 5 0", False)]
)
def test_result_says_whether_nil_was_made(nil, tricks, made):
    assert described(hand(caller="Bo", nil=nil, pairs="1 4 0", tricks=tricks))[1] is made


@pytest.mark.parametrize("seed", range(300))
def test_played_hand_is_worth_what_the_reference_says(seed):
    dice = random.Random(seed)
    rules = {key: dice.random() < 0.5 for key in ("bonus_for_tied", "no_bonus_without_caller")}
    played = play(dice, SEATS)
    table = GAME.open_table(SEATS, 3, None, rules)
    steps = deal(random.Random(seed), table, GAME.deal(table))
    dealt = play(random.Random(seed), SEATS)
    sheet = read(GAME, table, {(1, name): step for name, step in steps.items()})
    assert [row.points for row in sheet.rows] == [by_hand(dealt, **rules)]
    assert set(played.taken) == set(SEATS)


# Why


@pytest.mark.parametrize(
    ("played", "house_rules", "seat", "said"),
    [
        (hand(caller="Bo", pairs="3 1 1"), {}, 1, "3 pairs; the most, and not the caller: 1 more: +4"),
        (hand(caller="Bo", pairs="3 1 1"), {}, 2, "1 pair: +1"),
        (hand(caller="Ann", pairs="3 1 1"), {}, 1, "3 pairs; the most, but the caller of trump gets no bonus: +3"),
        (TIED, {}, 1, "2 pairs; the most, but shared: no bonus: +2"),
        (TIED, {"bonus_for_tied": True}, 1, "2 pairs; the most, shared, and not the caller: 1 more: +3"),
        (NOBODY, {}, 1, "3 pairs; the most, and nobody called trump: 1 more: +4"),
        (
            NOBODY,
            {"no_bonus_without_caller": True},
            1,
            "3 pairs; the most, but nobody called trump (house rule): no bonus: +3",
        ),
        (
            hand(caller="Bo", nil="Cy", pairs="1 4 0", tricks="2 5 0"),
            {},
            3,
            "no pair; nil, and no trick taken: 3 more: +3",
        ),
        (
            hand(caller="Bo", nil="Cy", pairs="1 4 0", tricks="2 4 1"),
            {},
            3,
            "no pair; nil, but 1 trick taken: 3 off: −3",
        ),
        (
            hand(caller="Bo", nil="Cy", pairs="0 2 3", tricks="1 3 3"),
            {},
            3,
            "3 pairs; the most, and not the caller: 1 more; nil, but 3 tricks taken: 3 off: +1",
        ),
    ],
)
def test_why_gives_the_reason_of_bonus_and_nil(played, house_rules, seat, said):
    found = read_object(document(played, house_rules=house_rules))
    row = found.sheet.rows[0]
    assert GAME.why(row.table, row.hand, seat) == said


@pytest.mark.parametrize("seed", range(60))
def test_why_ends_with_the_points(seed):
    table = GAME.open_table(SEATS, 1)
    steps = deal(random.Random(seed), table, GAME.deal(table))
    (row,) = read(GAME, table, {(1, name): step for name, step in steps.items()}).rows
    for seat in SEATS:
        said = GAME.why(table, row.hand, seat).rpartition(": ")[2]
        assert int(said.replace("−", "-")) == row.points[seat]


# The race (Rule 8)

#: Four pairs and the bonus to Ann: 5. Each of the others as it says.
ANN = hand(caller="Bo", pairs="4 1 0")
BO = hand(caller="Ann", pairs="1 4 0")
CY = hand(caller="Ann", pairs="0 1 4")


def ended(*hands, **keys):
    """How a sheet with these hands stands: finished, winner, totals."""
    result = scored(*hands, **keys)
    return result["finished"], result["winner"], tuple(result["totals"].values())


def test_eleven_alone_at_the_top_wins():
    assert ended(ANN, ANN) == (False, None, (10, 2, 0))
    assert ended(ANN, ANN, ANN) == (True, "Ann", (15, 3, 0))


def test_of_two_past_eleven_the_higher_wins():
    # 10, 7, 0; then one pair against four and the bonus.
    hands = [ANN, ANN, hand(caller="Cy", pairs="0 4 0"), BO]
    assert ended(*hands[:3]) == (False, None, (10, 7, 0))
    assert ended(*hands) == (True, "Bo", (11, 12, 0))


def level():
    """Two at eleven, and Cy at eight."""
    return [
        hand("9H", "Ann", pairs="2 2 2"),
        hand("9H", "Ann", pairs="2 2 2"),
        hand("9H", "Ann", pairs="2 2 2"),
        hand("9H", "Cy", pairs="2 2 2"),
        hand("9H", "Cy", pairs="2 2 0"),
    ]


def test_level_at_the_top_another_hand_is_played():
    assert ended(*level()) == (False, None, (10, 10, 8))
    tied = [*level(), hand("9H", "Cy", pairs="1 1 0")]
    assert ended(*tied) == (False, None, (11, 11, 8))
    assert ended(*tied, hand("9H", "Cy", pairs="2 2 1")) == (False, None, (13, 13, 9))


def test_third_player_may_overtake_both_in_the_tied_hand():
    tied = [*level(), hand("9H", "Cy", pairs="1 1 0")]
    assert ended(*tied, hand("9H", "Ann", pairs="0 1 4")) == (True, "Cy", (11, 12, 13))


def test_level_below_the_target_nobody_has_won_and_nothing_is_tied():
    assert ended(hand("9H", "Cy", pairs="2 2 1")) == (False, None, (2, 2, 1))


@pytest.mark.parametrize(("target", "finished"), [(5, True), (6, False)])
def test_target_is_the_house_s(target, finished):
    assert ended(ANN, house_rules={"target": target})[0] is finished


def test_totals_may_be_below_zero():
    broken = hand(caller="Bo", nil="Cy", pairs="1 4 0", tricks="2 4 1")
    assert ended(broken, broken) == (False, None, (2, 8, -6))


def test_places_are_shared_and_skipped():
    result = scored(ANN, hand(caller="Ann", pairs="0 1 2"), ANN)
    places = {one["player"]: one["place"] for one in result["placings"]}
    assert result["totals"] == {"Ann": 10, "Bo": 3, "Cy": 3}
    assert places == {"Ann": 1, "Bo": 2, "Cy": 2}


def test_deal_passes_to_the_left():
    result = scored(ANN, BO, first_dealer="Bo")
    assert [row["dealer"] for row in result["hands"]] == ["Bo", "Cy"]
    assert NAMES == ("Ann", "Bo", "Cy")
