"""Everything that cannot be in a hand of Bird Dog, with the code it is refused by; and what can be is not refused."""

import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.bird_dog.deck import DECK, RANKS
from rules.bird_dog.layouts import can_be, is_laid_out
from rules.bird_dog.showing import kind_of, tables_of_turned
from rules.core.engine.replay import problems_of_step, read
from tests.rules.bird_dog_paper import GAME, SEATS, codes, hand, problems
from tests.rules.deals.bird_dog import deal, faces, pairs, play, turned

FINE = hand(caller="Bo", pairs="2 2 1", tricks="3 2 2")

#: A hand, and every code it is refused by.
REFUSED = {
    "rule 2: no card turned": (hand("", pairs="2 2 1"), ["turned-count"]),
    "rule 2: four cards turned": (hand("9H TH JH QH", None, pairs="1 1 1"), ["turned-count"]),
    "rule 1: no card of this deck": (hand("2H", pairs="2 2 1"), ["bad-card"]),
    "rule 1: no card at all": (hand("9H", pairs="2 2 1") | {"turned": [""]}, ["bad-card"]),
    "rule 1: the fourth is none either": (
        hand("9H TH JH 2H", None, pairs="1 1 1"),
        ["turned-count", "bad-card"],
    ),
    "rule 2: a card turned twice": (hand("9H 9H", pairs="2 2 1"), ["duplicate-card"]),
    "rule 2: the fourth turned before": (hand("9H TH AH 9H", None, pairs="1 1 1"), ["turned-count", "duplicate-card"]),
    "rule 2: the third card, and a caller": (hand("9H TH AH", "Ann", pairs="2 2 1"), ["caller-turned"]),
    "rule 2: one card, and nobody called": (hand("9H", None, pairs="2 2 1"), ["caller-turned"]),
    "rule 2: two cards, and nobody called": (hand("9H TH", None, pairs="2 2 1"), ["caller-turned"]),
    "rule 2: a caller from elsewhere": (hand(caller="Zoe", pairs="2 2 1"), ["unknown-player"]),
    "rule 7: nil from elsewhere": (hand(nil="Zoe", pairs="2 2 1", tricks="3 2 2"), ["unknown-player"]),
    "rule 7: nil without tricks": (hand(nil="Cy", pairs="2 2 1"), ["bad-document"]),
    "rule 4: eight tricks": (hand(pairs="2 2 1", tricks="3 3 2"), ["tricks-sum"]),
    "rule 4: six tricks": (hand(pairs="2 2 1", tricks="2 2 2"), ["tricks-sum"]),
    "rule 4: below no trick": (hand(pairs="2 2 0", tricks="5 3 -1"), ["tricks-out-of-range"]),
    "rule 4: more than all": (hand(pairs="5 0 0", tricks="8 0 -1"), ["tricks-out-of-range"] * 2),
    "rule 5: nothing counted": (hand(), ["pairs-missing"]),
    "rule 5: five of a rank": (hand("9H", faces="5J4Q4K - -"), ["count-range", "rank-sum"]),
    "rule 5: below none of a rank": (
        hand(faces="4J4Q3K - -") | {"captured": {n: {"J": 0, "Q": 0, "K": -1} for n in ("Ann", "Bo", "Cy")}},
        ["count-range"] * 3 + ["faces-missing"],
    ),
    "rule 5: five of a rank together": (hand("9H", faces="3J4Q 2J 4K"), ["rank-sum"]),
    "rule 5: four of a rank of which one was turned": (hand("JH", faces="4J4Q 4K -"), ["rank-sum"]),
    "rule 5: three faces missing, two unseen": (hand("9H", faces="3J3Q 3K -"), ["faces-missing"]),
    "rule 5: two faces missing, one unseen": (hand("9H TH", faces="3J4Q 3K -"), ["faces-missing"]),
    "rule 5: a face missing, none unseen": (hand("9H TH AH", None, faces="3J4Q 4K -"), ["faces-missing"]),
    "rule 4: four faces in a trick": (hand("9H", faces="4J 4Q 4K", tricks="1 3 3"), ["faces-over-tricks"]),
    "rule 4: a face without a trick": (hand("9H", faces="4J 4Q3K 1K", tricks="3 4 0"), ["faces-over-tricks"]),
    "rule 5: seven pairs": (hand(pairs="7 0 0"), ["pairs-range", "pairs-sum"]),
    "rule 5: below no pair": (hand(pairs="-1 2 2"), ["pairs-range"]),
    "rule 4: two pairs in a trick": (
        hand(pairs="2 2 1", tricks="1 3 3"),
        ["pairs-over-tricks", "pairs-impossible"],
    ),
    "rule 4: a pair without a trick": (
        hand(pairs="2 2 1", tricks="3 4 0"),
        ["pairs-over-tricks", "pairs-impossible"],
    ),
    "rule 5: more pairs than the faces make": (hand("JH", pairs="3 3 0"), ["pairs-sum", "pairs-impossible"]),
    "rule 5: no pair, and a rank is complete": (hand("9H", pairs="0 0 0"), ["pairs-impossible"]),
    "rule 5: one pair, and two ranks are complete": (hand("9H TH", pairs="1 0 0"), ["pairs-impossible"]),
    "rule 5: all tricks, and only three pairs": (hand("9H", pairs="3 0 0", tricks="7 0 0"), ["pairs-impossible"]),
    "rule 5: six tricks, and only one pair": (hand("9H", pairs="1 0 0", tricks="6 1 0"), ["pairs-impossible"]),
    "rule 5: faces and pairs differ": (hand("9H", faces="4J4Q4K - -", pairs="5 0 0"), ["pairs-mismatch"]),
    "rule 5: somebody’s pairs are missing": (
        hand(pairs="2 2 1") | {"pairs": {"Ann": 2, "Bo": 2}},
        ["wrong-players"],
    ),
    "rule 5: somebody’s faces are missing": (
        hand() | {"captured": {"Ann": {"J": 5, "Q": 0, "K": 0}}},
        ["wrong-players", "wrong-players", "count-range"],
    ),
    "rule 5: somebody’s pairs are missing, and faces": (
        hand(faces="3J4Q 1K 1K") | {"pairs": {"Ann": 3, "Bo": 0}},
        ["wrong-players", "faces-missing"],
    ),
    "rule 5: somebody’s faces are missing, and there are too many pairs": (
        hand(pairs="3 3 1") | {"captured": {"Ann": {"J": 4, "Q": 2, "K": 0}, "Bo": {"J": 0, "Q": 2, "K": 5}}},
        ["wrong-players", "count-range", "pairs-sum", "pairs-impossible"],
    ),
    "rule 4: somebody’s tricks are missing": (hand(pairs="2 2 1") | {"tricks": {"Ann": 7}}, ["wrong-players"] * 2),
}


@pytest.mark.parametrize(("played", "found"), REFUSED.values(), ids=REFUSED)
def test_hand_that_cannot_be_is_refused_for_everything_that_is_wrong_with_it(played, found):
    assert codes(played) == found


@pytest.mark.parametrize(
    ("played", "sentence"),
    [
        (hand("JH JD JS", None, faces="2J4Q4K - -"), "Only 1 jack is in play; you counted 2."),
        (hand("JH TD 9S", None, faces="3J4Q3K - -"), "1 face is missing, and none lies in the middle unseen."),
        (hand("9H", faces="2J4Q4K - 2J", pairs="5 0 0"), "The faces make 1 pair, not 0."),
        (hand("9H", faces="4J4Q4K - -", tricks="3 3 1"), "3 tricks can hold 9 faces at most."),
        (hand("9H", faces="4J4Q3K - 1K", tricks="5 2 0"), "A player without a trick has no face cards."),
        (hand("9H", pairs="3 1 2", tricks="4 2 1"), "1 trick cannot hold 2 pairs."),
        (hand("9H", pairs="3 2 1", tricks="4 3 0"), "A player without a trick has no pairs."),
    ],
)
def test_sentence_of_a_problem_counts_as_one_speaks(played, sentence):
    assert sentence in [one["message"] for one in problems(played)]


#: Just inside of what is refused above.
FITS = {
    "rule 4: all tricks to one": hand("9H", pairs="6 0 0", tricks="7 0 0"),
    "rule 4: all tricks to one, two faces unseen": hand("9H", pairs="4 0 0", tricks="7 0 0"),
    "rule 4: three faces in a trick": hand("9H", faces="3J 4Q1J 4K", tricks="1 3 3"),
    "rule 4: one pair in a trick": hand("9H", pairs="1 3 1", tricks="1 3 3"),
    "rule 5: two faces unseen": hand("9H", faces="3J3Q 1J3K 1Q"),
    "rule 5: six tricks, and two pairs": hand("9H", pairs="2 0 0", tricks="6 1 0"),
    "rule 5: no pair, every rank short of one": hand("JH", faces="1J1Q1K 1J1Q1K 1J1Q1K"),
    "rule 5: no pair, told by pairs": hand("JH", pairs="0 0 0"),
    "rule 5: all twelve faces unpaired but three": hand("9H TH AH", None, pairs="1 1 1"),
    "rule 2: two cards and a caller": hand("9H KS", pairs="2 2 1"),
    "rule 7: the caller goes nil": hand(caller="Cy", nil="Cy", pairs="2 2 0", tricks="4 3 0"),
    "rule 5: faces and pairs agree": hand("9H", faces="4J4Q4K - -", pairs="6 0 0"),
    "no tricks counted": hand(caller="Bo", pairs="2 2 1"),
    "keys that may be null, and a note": FINE | {"caller": "Ann", "nil": None, "note": "windy"},
}


@pytest.mark.parametrize("played", FITS.values(), ids=FITS)
def test_hand_that_can_be_is_scored(played):
    assert codes(played) == []


@pytest.mark.parametrize(
    "wrong",
    [
        FINE | {"turned": "9H"},
        FINE | {"turned": [9]},
        FINE | {"caller": 1},
        FINE | {"pairs": {"Ann": 1.0, "Bo": 0, "Cy": 0}},
        FINE | {"captured": {"Ann": {"J": 1, "Q": 1}, "Bo": {}, "Cy": {}}},
        FINE | {"captured": {"Ann": {"J": 1, "Q": 1, "K": 1, "A": 1}}},
        FINE | {"tricks": [3, 2, 2]},
        FINE | {"tricks": None},
        FINE | {"captured": None},
        FINE | {"pairs": None},
        FINE | {"colour": "red"},
        {key: value for key, value in FINE.items() if key != "turned"},
    ],
)
def test_what_is_no_hand_of_a_sheet_file_is_a_bad_document(wrong):
    assert set(codes(wrong)) == {"bad-document"}


@pytest.mark.parametrize("number", [10**30, -(10**30)])
def test_number_of_any_size_has_the_code_of_its_range(number):
    big = {"Ann": number, "Bo": 0, "Cy": 0}
    assert "pairs-range" in codes(FINE | {"pairs": big})
    assert "tricks-out-of-range" in codes(FINE | {"tricks": big})


def test_every_problem_of_a_sheet_is_told_with_its_hand():
    found = problems(hand("9H 9H", None, pairs="7 0 0", tricks="9 0 0"), FINE, hand("2H", pairs="0 0 0"))
    assert [(one["code"], one["hand"], one["field"]) for one in found] == [
        ("duplicate-card", 1, "turned"),
        ("caller-turned", 1, "turned"),
        ("pairs-range", 1, "pairs"),
        ("pairs-sum", 1, "pairs"),
        ("tricks-out-of-range", 1, "tricks"),
        ("tricks-sum", 1, "tricks"),
        ("bad-card", 3, "turned"),
        ("pairs-impossible", 3, "pairs"),
    ]


@pytest.mark.parametrize(
    ("house_rules", "code"),
    [
        ({"target": 0}, "bad-house-rule"),
        ({"target": 100}, "bad-house-rule"),
        ({"target": True}, "bad-document"),
        ({"bonus_for_tied": 1}, "bad-document"),
        ({"solo": True}, "bad-document"),
    ],
)
def test_house_rule_takes_its_own_values_only(house_rules, code):
    assert codes(house_rules=house_rules) == [code]


def test_hand_after_the_end_is_refused():
    four = hand(caller="Bo", pairs="4 1 0")
    assert codes(four, four, four, four) == ["game-over"]


@pytest.mark.parametrize("players", [(), ("Ann", "Bo"), ("Ann", "Bo", "Cy", "Di")])
def test_bird_dog_is_for_three(players):
    assert codes(players=players) == ["bad-players"]


# Which pairs can be, by brute force


def every_layout(turned):
    """Pairs and faces of every way in which the faces can lie with three players and in the middle."""
    there = [4 - sum(card[0] == face for card in turned) for face in "JQK"]
    rank = {n: [some for some in product(range(5), repeat=4) if sum(some) == n] for n in there}
    found = {}
    for three in product(*(rank[n] for n in there)):
        if sum(some[3] for some in three) <= 3 - len(turned):
            pairs = tuple(sum(some[seat] // 2 for some in three) for seat in range(3))
            found.setdefault(pairs, set()).add(tuple(sum(some[seat] for some in three) for seat in range(3)))
    return found


TRICKS = [some for some in product(range(8), repeat=3) if sum(some) == 7]


def cards_of(kinds):
    """Turned cards of these kinds."""
    ranks = {"j": "J", "q": "Q", "k": "K", "x": "9"}
    return tuple(ranks[kind] + suit for kind, suit in zip(kinds, "CDH", strict=False))


@pytest.mark.parametrize("kinds", sorted(tables_of_turned()["together"]))
def test_pairs_can_be_exactly_where_some_layout_makes_them(kinds):
    layouts = every_layout(cards_of(kinds))
    threes = list(product(range(7), repeat=3))
    assert {pairs for pairs in threes if can_be(cards_of(kinds), pairs)} == set(layouts)
    told = {"".join(map(str, sorted(pairs, reverse=True))) for pairs in layouts}
    said = tables_of_turned()["together"][kinds]["pairs-possible"]
    assert set(said.split()) == told, "and so says the table for the page"


@pytest.mark.thorough(but=2)
@pytest.mark.parametrize("kinds", ["x", "j", "xx", "jq", "xxx", "jkq", "jjx"])
def test_pairs_can_be_with_tricks_exactly_where_a_layout_leaves_room(kinds):
    layouts = every_layout(cards_of(kinds))
    # Who has them makes no difference, as two kinds of turned cards show with all.
    for tricks in TRICKS if kinds in ("x", "jq") else [some for some in TRICKS if list(some) == sorted(some)]:
        room = [3 * count for count in tricks]
        fitting = {
            pairs
            for pairs, faces in layouts.items()
            if any(all(n <= most for n, most in zip(some, room, strict=True)) for some in faces)
        }
        found = {pairs for pairs in product(range(7), repeat=3) if can_be(cards_of(kinds), pairs, tricks)}
        assert found == fitting, tricks


def test_table_for_the_page_has_every_kind_of_turned_cards():
    for many in (1, 2, 3):
        for cards in product("9JQK", repeat=many):
            assert "".join(sorted(map(kind_of, cards))) in tables_of_turned()["together"]
    assert {kind_of(rank + "C") for rank in RANKS} == {"x", "j", "q", "k"}


# What was really played is never refused


@pytest.mark.parametrize("seed", range(150))
def test_hand_that_was_played_is_never_refused(seed):
    played = play(random.Random(seed), SEATS)
    steps = {
        "turned": turned(played),
        "nil": {"nil": played.nil},
        "faces": {f"pairs-{seat}": count for seat, count in pairs(played).items()}
        | {f"{face.lower()}-{seat}": n for seat, own in faces(played).items() for face, n in own.items()},
        "tricks": {f"tricks-{seat}": len(own) for seat, own in played.taken.items()},
    }
    table = GAME.open_table(SEATS, 1)
    written = GAME.deal(table)
    for ask in GAME.asks(table, written):
        assert problems_of_step(GAME, table, written, ask, steps[ask.name]) == ()
        written = written.with_step(ask.name, steps[ask.name])


@given(
    seed=st.integers(0, 2**32),
    ask=st.sampled_from(["turned", "nil", "faces", "tricks"]),
    values=st.lists(st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(DECK), st.text(max_size=2))),
)
def test_checking_never_raises_whatever_stands_in_the_step(seed, ask, values):
    table = GAME.open_table(SEATS, 1)
    written = GAME.deal(table)
    for name, step in deal(random.Random(seed), table, written).items():
        asked = next(one for one in GAME.asks(table, written) if one.name == name)
        if name == ask:
            step = dict(zip((field.name for field in asked.fields), values, strict=False))
            problems_of_step(GAME, table, written, asked, step)
        written = written.with_step(name, step)
    read(GAME, table, {(1, name): step for name, step in written.steps.items()})


@pytest.mark.parametrize(
    ("ask", "step", "code"),
    [
        ("turned", {"card-1": "9H", "card-3": "TH", "caller": 1}, "turned-count"),
        ("turned", {"card-1": "9H"}, "caller-turned"),
        ("turned", {"caller": 1}, "missing-field"),
        ("faces", {"pairs-1": 2, "pairs-2": 2}, "missing-field"),
        ("faces", {"j-1": 2}, "missing-field"),
        ("faces", {}, "pairs-missing"),
        ("tricks", {"tricks-1": 4, "tricks-2": 3}, "missing-field"),
        ("tricks", {}, "missing-field"),
    ],
)
def test_step_that_is_half_written_is_refused(ask, step, code):
    table = GAME.open_table(SEATS, 1)
    written = GAME.deal(table)
    for name, said in (("turned", {"card-1": "9H", "caller": 1}), ("nil", {"nil": 2})):
        if name == ask:
            break
        written = written.with_step(name, said)
    asked = next(one for one in GAME.asks(table, written) if one.name == ask)
    assert code in [problem.code for problem in problems_of_step(GAME, table, written, asked, step)]


def test_layouts_that_differ_in_nothing_are_looked_at_once() -> None:
    """Neither the order of the players nor room that no card is there for makes another layout."""
    is_laid_out.cache_clear()
    for three in product(range(9), repeat=3):
        can_be(("9H",), three)
    assert is_laid_out.cache_info().currsize < 2000
