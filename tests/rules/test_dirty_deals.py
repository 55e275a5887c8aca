"""Dirty Deals: what a claim pays, what is refused, rubbers and the match. The numbers are those of its rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.cards import card_shown
from rules.core.engine.replay import problems, read
from rules.dirty_deals.claims import CARDS, Claim, bower_of, pays
from tests.rules.claimed import GAME, NAMES, Kept, named, scored_by_hand

HEARTS = "9H TH JH QH KH AH"


@pytest.mark.parametrize(
    ("surplus", "elsewhere", "held"),
    [
        pytest.param(0, 9, None, id="Rule 6: nothing but the six"),
        pytest.param(1, 8, 6, id="Rule 6: one more, the bower or not"),
        pytest.param(2, 7, 5, id="Rule 6: two more"),
        pytest.param(6, 3, 1, id="Rule 6: six more"),
        pytest.param(7, 2, 0, id="Rule 6: the bower and six leave nothing"),
        pytest.param(8, 1, 0, id="Rule 6: eight more"),
        pytest.param(9, 0, 0, id="Rule 6: nine more leave nothing"),
        pytest.param(10, 0, 0, id="Rule 6: never below 0"),
        pytest.param(17, 0, 0, id="Rule 6: every card but the bower"),
        pytest.param(18, None, 0, id="Rule 6: every card there is"),
    ],
)
def test_rule_6_what_a_claim_pays(surplus, elsewhere, held):
    if elsewhere is not None:
        row = Kept().deals(f"a H {surplus} b").sheet.rows[0]
        assert row.points == {1: elsewhere, 2: 3, 3: 0, 4: 0}
        assert pays(surplus, holds_bower=False) == elsewhere
    if held is not None:
        row = Kept().deals(f"a H {surplus} a").sheet.rows[0]
        assert row.points == {1: held, 2: 0, 3: 0, 4: 0}
        assert pays(surplus, holds_bower=True) == held


@pytest.mark.parametrize(
    ("suit", "bower"),
    [
        pytest.param("H", "JD", id="Rule 5: hearts"),
        pytest.param("D", "JH", id="Rule 5: diamonds"),
        pytest.param("C", "JS", id="Rule 5: clubs"),
        pytest.param("S", "JC", id="Rule 5: spades"),
    ],
)
def test_rule_5_bower_is_the_other_jack_of_the_colour(suit, bower):
    assert bower_of(suit) == bower
    why = Kept().deals(f"a {suit} 3 b").sheet.rows[0]
    assert GAME.why(why.table, why.hand, 2) == f"holds the {card_shown(bower)}, the bower: +3"


@pytest.mark.parametrize(
    ("deal", "seat", "why"),
    [
        pytest.param("a H 0 b", 1, "claims hearts with nothing besides the six: +9", id="nothing comes off"),
        pytest.param("a C 1 b", 1, "claims clubs: 9, less 1 for the card besides the six: +8", id="one card"),
        pytest.param("a S 1 a", 1, "claims spades: 9, less 3 for the J♣: +6", id="the bower alone"),
        pytest.param(
            "a D 3 a", 1, "claims diamonds: 9, less 3 for the J♥, less 2 for the other cards besides the six: +4",
            id="both",
        ),
        pytest.param("a H 9 b", 1, "claims hearts: 9, less 9 for the cards besides the six: 0", id="exactly nothing"),
        pytest.param(
            "a H 12 b", 1,
            "claims hearts: 9, less 12 for the cards besides the six: nothing is left, and it never goes below 0",
            id="less than nothing",
        ),
        pytest.param("a H 12 b", 2, "holds the J♦, the bower: +3", id="the bower of a claim that pays nothing"),
        pytest.param("a H 12 b", 3, "no claim and no bower: 0", id="somebody else"),
        pytest.param("-", 3, "the deal was given up: 0", id="given up"),
    ],
)  # fmt: skip
def test_every_number_says_why(deal, seat, why):
    row = Kept().deals(deal).sheet.rows[0]
    assert GAME.why(row.table, row.hand, seat) == why


def test_rule_7_deal_that_is_given_up_pays_nothing_and_the_deal_passes():
    sheet = Kept(first_dealer=4).deals("-", "-").sheet
    assert [row.hand.dealer for row in sheet.rows] == [4, 1]
    assert sheet.open.hand.dealer == 2
    assert sheet.totals == {1: 0, 2: 0, 3: 0, 4: 0}


# -- what is refused ---------------------------------------------------------------------------------

ANN = {"claimer": "Ann", "suit": "H", "bower": "Bo"}
REFUSED = [
    pytest.param(ANN | {"surplus": -1}, ["surplus-range"], id="fewer than none"),
    pytest.param(ANN | {"surplus": 19}, ["surplus-range"], id="24 cards less the six are 18"),
    pytest.param(ANN | {"surplus": 18}, ["surplus-range"], id="18 would be the bower too, and Bo has it"),
    pytest.param(ANN | {"surplus": 0, "bower": "Ann"}, ["surplus-range"], id="the bower is one card already"),
    pytest.param(ANN | {"surplus": 3, "suit": "NT"}, ["bad-suit"], id="no suit"),
    pytest.param(ANN | {"surplus": 3, "claimer": 9}, ["unknown-player"], id="nobody claims"),
    pytest.param(ANN | {"surplus": 3, "bower": None}, ["missing-field"], id="somebody always holds the bower"),
    pytest.param(ANN, ["missing-field"], id="no number of cards"),
    pytest.param({}, ["missing-field"] * 4, id="nothing at all"),
    pytest.param(ANN | {"surplus": 3, "given_up": True}, ["claim-given-up"], id="given up and claimed"),
    pytest.param(ANN | {"cards": "9H TH JH QH KH"}, ["claim-incomplete"], id="the ace is missing"),
    pytest.param(ANN | {"cards": f"{HEARTS} JD"}, ["bower-mismatch"], id="Bo has what Ann holds"),
    pytest.param(ANN | {"cards": HEARTS, "bower": "Ann"}, ["bower-mismatch"], id="Ann has not what they holds"),
    pytest.param(ANN | {"cards": "9C", "bower": "Ann"}, ["bower-mismatch"], id="nor among the others alone"),
    pytest.param(ANN | {"cards": f"{HEARTS} 9C", "surplus": 2}, ["surplus-mismatch"], id="two counted, one shown"),
    pytest.param(
        ANN | {"cards": "9H TH JH JD", "surplus": 0, "suit": "S"},
        ["surplus-mismatch"], id="none of the six needs a tick, but what is ticked is counted",
    ),
    pytest.param(
        ANN | {"cards": "9H TH JS", "surplus": 0}, ["claim-incomplete", "surplus-mismatch"],
        id="everything that can be told",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("step", "codes"), REFUSED)
def test_claim_is_refused(step, codes):
    assert Kept().codes(**step) == codes


@pytest.mark.parametrize(
    ("cards", "step", "points"),
    [
        pytest.param(HEARTS, ANN, {1: 9, 2: 3, 3: 0, 4: 0}, id="the six alone"),
        pytest.param(f"{HEARTS} 9C JS", ANN, {1: 7, 2: 3, 3: 0, 4: 0}, id="two more"),
        pytest.param(f"{HEARTS} 9C JS", ANN | {"surplus": 2}, {1: 7, 2: 3, 3: 0, 4: 0}, id="counted as well"),
        pytest.param(f"{HEARTS} 9C JD", ANN | {"bower": "Ann"}, {1: 5, 2: 0, 3: 0, 4: 0}, id="the bower and one more"),
        pytest.param("9C JS", ANN, {1: 7, 2: 3, 3: 0, 4: 0}, id="the others alone: the six need no tick"),
        pytest.param(" ".join(CARDS), ANN | {"bower": "Ann"}, {1: 0, 2: 0, 3: 0, 4: 0}, id="the whole deck"),
    ],
)
def test_claim_may_be_the_whole_hand(cards, step, points):
    assert Kept().write(cards=cards, **step).sheet.rows[0].points == points


# -- rubbers and the match ---------------------------------------------------------------------------


def test_rule_8_rubber_ends_when_one_leads_alone_with_the_target():
    sheet = Kept().deals("a H 4 c", "a H 5 c").sheet
    assert [row.totals for row in sheet.rows] == [{1: 5, 2: 0, 3: 3, 4: 0}, {1: 9, 2: 0, 3: 6, 4: 0}]
    assert sheet.table.legs_won() == {1: 1, 2: 0, 3: 0, 4: 0}
    assert sheet.totals == {1: 0, 2: 0, 3: 0, 4: 0}


def test_rule_8_bower_alone_may_win_the_rubber():
    sheet = Kept().deals("a H 0 b", "c S 3 b", "c S 8 b", "d S 9 b").sheet
    assert [leg.winner for leg in sheet.table.legs] == [1, 2], "three bowers are nine points"


def test_rule_8_level_at_the_target_is_no_rubber_and_is_said():
    kept = Kept(target=3).deals("a H 6 b")
    assert (kept.sheet.totals, kept.sheet.table.legs) == ({1: 3, 2: 3, 3: 0, 4: 0}, ())
    assert shows(kept)["level"] == "Level at 3: play on until one leads alone."
    kept.deals("c H 5 d")
    assert kept.sheet.table.legs[-1].winner == 3, "a third overtakes the two"
    assert shows(kept)["level"] == ""


def test_rule_8_two_past_the_target_at_once_and_the_higher_wins():
    kept = Kept(target=3).deals("a H 4 b")
    assert kept.sheet.table.legs[-1].winner == 1
    assert kept.sheet.table.legs[-1].totals == {1: 5, 2: 3, 3: 0, 4: 0}


def test_rule_8_lead_that_is_shared_below_the_target_is_nothing_special():
    assert shows(Kept().deals("a H 6 b"))["level"] == ""


def test_rule_9_first_to_two_rubbers_wins_the_match_and_the_deal_goes_round():
    kept = Kept(first_dealer=3).deals("a H 0 b", "b H 0 c", "a S 0 d")
    sheet = kept.sheet
    assert [row.hand.dealer for row in sheet.rows] == [3, 4, 1]
    assert [leg.winner for leg in sheet.table.legs] == [1, 2, 1]
    assert (sheet.finished, sheet.winner, sheet.open) == (True, 1, None)
    assert sheet.totals == {1: 9, 2: 0, 3: 0, 4: 3}, "those of the last rubber"
    assert [(placing.place, placing.seat, placing.score) for placing in sheet.placings] == [
        (1, 1, 2), (2, 2, 1), (3, 3, 0), (3, 4, 0),
    ]  # fmt: skip


def test_house_rules_set_target_and_rubbers():
    assert Kept(rubbers_to_win=1).deals("a H 0 b").sheet.winner == 1
    assert Kept(target=10).deals("a H 0 b").sheet.table.legs == ()
    with_clock, without = (Kept(negotiation_minutes=minutes).deals("a H 3 b").sheet for minutes in (30, 0))
    assert with_clock.totals == without.totals, "the clock only"


@pytest.mark.parametrize(
    ("rule", "codes"),
    [
        ({"target": 0}, ["bad-house-rule"]),
        ({"target": 100}, ["bad-house-rule"]),
        ({"rubbers_to_win": 10}, ["bad-house-rule"]),
        ({"negotiation_minutes": 31}, ["bad-house-rule"]),
        ({"negotiation_minutes": True}, ["bad-document"]),
        ({"bowers": 1}, ["bad-document"]),
        ({"target": 99, "rubbers_to_win": 9, "negotiation_minutes": 0}, []),
    ],
)
def test_house_rules_take_what_they_take(rule, codes):
    assert [problem.code for problem in GAME.setup_problems([1, 2, 3, 4], {}, rule)] == codes


@pytest.mark.parametrize("players", [1, 2, 3, 5])
def test_four_play_and_nobody_else(players):
    assert [problem.code for problem in GAME.setup_problems(range(players), {}, {})] == ["bad-players"]


# -- negotiations ------------------------------------------------------------------------------------


def test_rule_3_negotiations_change_nothing_and_there_may_be_any_number():
    kept = Kept().deals("a H 3 b").happens("negotiation").happens("negotiation", ended=True).happens("negotiation")
    assert [event.name for event in kept.sheet.open.events] == ["negotiation-1", "negotiation-2", "negotiation-3"]
    assert kept.sheet.totals == {1: 6, 2: 3, 3: 0, 4: 0}
    kept.deals("b H 3 a")
    assert [len(row.events) for row in kept.sheet.rows] == [0, 3]
    assert kept.sheet.unread == ()


@pytest.mark.parametrize("minutes", [0, 3, 30])
def test_negotiation_lasts_as_long_as_the_house_says_or_until_it_is_ended(minutes):
    kept = Kept(negotiation_minutes=minutes).happens("negotiation").happens("negotiation", ended=True)
    kept.happens("misdeal")
    sheet = kept.sheet
    assert [GAME.lasts(sheet.table, event) for event in sheet.open.events] == [minutes, 0, None]


def test_no_negotiation_once_the_claim_stands():
    kept = Kept().deals("a H 3 b")
    assert [p.code for p in problems(GAME, kept.table, kept.entries, (1, "negotiation-1"), {})] == ["out-of-turn"]


# -- what the page is told ---------------------------------------------------------------------------


def shows(kept):
    sheet = kept.sheet
    return GAME.shows(sheet.table, sheet.open.hand)


def test_page_is_told_the_rubber_and_who_has_won_how_many():
    kept = Kept()
    assert shows(kept) == {"rubber": "Rubber 1 to 9", "first-to": "first to two", "level": ""}, "nobody has won any"
    kept.deals("a H 0 b", "b H 0 c")
    assert shows(kept)["rubber"] == "Rubber 3 to 9"
    assert [shows(kept).get(f"won-{seat}") for seat in NAMES] == ["1", "1", None, None]


def test_page_is_told_what_every_claim_pays():
    table = GAME.look_up(Kept(negotiation_minutes=5).table)
    assert table["minutes"] == 5
    assert table["claim"][0] == [9, None], "who holds the bower has a card besides the six"
    assert table["claim"][1:18] == [[max(9 - n, 0), max(7 - n, 0)] for n in range(1, 18)]
    assert table["claim"][18] == [None, 0], "who has not the bower has not all the cards"


def test_row_says_the_suit_and_how_the_points_came_about():
    row, given_up = Kept().deals("a H 4 a", "-").sheet.rows
    words = GAME.beside(row)
    assert (words.head, words.cells) == ("♥", {1: "9−3−3"})
    assert words.aloud == {1: "claims hearts: 9, less 3 for the J♦, less 3 for the other cards besides the six"}
    assert GAME.beside(Kept().deals("c S 0 d").sheet.rows[0]).cells == {3: "9", 4: "J♣"}
    assert GAME.beside(given_up).cells == {}


def test_help_page_knows_the_deal():
    sheet = Kept(target=7).deals("a H 0 b").sheet
    numbers = {number.label: number for number in GAME.hand_numbers(sheet.table, sheet.open.hand)}
    assert numbers["Dealer"].seat == 2
    assert numbers["Rubber"].value == "2"
    assert numbers["Wins the rubber"].value == "7 points, alone in the lead"
    assert "nine of clubs" in numbers["Leads"].value


# -- what must be true of every match ----------------------------------------------------------------

claims = st.builds(
    lambda claimer, suit, surplus, bower: {
        "claimer": claimer, "suit": suit, "bower": bower,
        "surplus": min(max(surplus, int(bower == claimer)), 17 + (bower == claimer)),
    },
    st.integers(1, 4), st.sampled_from("CDHS"), st.one_of(st.integers(0, 6), st.integers(0, 18)), st.integers(1, 4),
)  # fmt: skip
matches = st.lists(st.one_of(claims, claims, claims, st.just({"given-up": True})), max_size=40)


@given(matches, st.one_of(st.just(9), st.integers(1, 99)), st.integers(1, 3))
def test_match_comes_to_what_it_comes_to_by_hand(deals, target, rubbers):
    points, totals, winners = scored_by_hand(deals, target, rubbers)
    table = GAME.open_table([1, 2, 3, 4], 1, None, {"target": target, "rubbers_to_win": rubbers})
    sheet = read(GAME, table, {(number, "claim"): step for number, step in enumerate(deals, 1)})
    assert [list(row.points.values()) for row in sheet.rows] == points
    assert [list(row.totals.values()) for row in sheet.rows] == totals
    assert [leg.winner for leg in sheet.table.legs] == winners
    assert sheet.finished is any(winners.count(seat) >= rubbers for seat in NAMES)
    assert len(sheet.unread) == len(deals) - len(points)


@given(claims)
def test_deal_pays_twelve_at_the_most_and_nobody_loses(step):
    points = Claim.of(step)
    paid = [points.points(seat) for seat in NAMES]
    assert all(point >= 0 for point in paid)
    assert sum(paid) <= 12
    assert sum(point > 0 for point in paid) <= 2
    if step["bower"] != step["claimer"]:
        assert points.points(step["bower"]) == 3, "whatever the claim pays"


@given(claims, st.randoms(use_true_random=False))
def test_hand_that_is_ticked_pays_what_its_number_does(step, dice):
    suit, bower, held = step["suit"], bower_of(step["suit"]), step["bower"] == step["claimer"]
    rest = [card for card in CARDS if card[1] != suit and card != bower]
    others = [bower] * held + dice.sample(rest, step["surplus"] - held)
    six = [card for card in CARDS if card[1] == suit]
    ticked = {f"card-{card}": True for card in (*six, *others)} | {
        key: step[key] for key in ("claimer", "suit", "bower")
    }
    kept = Kept()
    assert problems(GAME, kept.table, {}, (1, "claim"), ticked) == ()
    assert [Claim.of(ticked).points(seat) for seat in NAMES] == [Claim.of(step).points(seat) for seat in NAMES]
    assert [Claim.of(ticked).why(seat) for seat in NAMES] == [Claim.of(step).why(seat) for seat in NAMES]


@given(matches)
def test_five_rubbers_always_give_somebody_two(deals):
    table = GAME.open_table([1, 2, 3, 4], 1)
    sheet = read(GAME, table, {(number, "claim"): step for number, step in enumerate(deals, 1)})
    assert len(sheet.table.legs) <= 5
    assert sheet.finished is (max(sheet.table.legs_won().values()) == 2)


def test_names_in_a_step_of_these_tests_are_seats_on_the_sheet():
    assert named({"claimer": "Cy", "given_up": True, "cards": "9H"}) == {
        "claimer": 3, "given-up": True, "card-9H": True,
    }  # fmt: skip


def test_rules_are_numbered_and_every_tag_has_a_word():
    assert [rule.number for rule in GAME.rules_text] == list(range(1, 10))
    assert set(GAME.tags) <= {word.term for word in GAME.words}
    assert all(word.meaning.endswith(".") for word in GAME.words)
