"""Dingo rule by rule: what a hunt brings, who is caught, who wins, and everything that is refused."""

import json

import pytest

from rules import find_game
from rules.core.engine.replay import problems, read
from rules.core.files.sheet_file import read_document
from tests.rules.hunting import LOW
from tests.rules.paper import problems_of, scored

GAME = find_game("dingo")
NAMES = ["Ann", "Bo", "Cy", "Di"]
#: An ace hunt in which nothing but the ace of hearts counts: Di scores it, Cy's rabbit stays.
QUIET_ACES = "Di: Cy"


def hunt(said):
    """ "Ann: Bo Cy" → who played the dingo, and the wolves in order; "?" was not noted, "" is nobody."""
    dingo, _, wolves = said.partition(":")
    return {"dingo": dingo or None, "wolves": [None if wolf == "?" else wolf for wolf in wolves.split()]}


def hand(aces=QUIET_ACES, rabbit="Cy kept", held=None, **hunts):
    """A hand of which only these hunts brought anything: ``hand(r7="Ann: Bo", aces="Di", rabbit="Cy kept")``."""
    holder, what = rabbit.split()
    said = {
        "hunts": {rank: hunt(hunts.get(f"r{rank}", "")) for rank in LOW},
        "ace_hunt": {**hunt(aces), "rabbit_holder": holder, "rabbit_played": what == "played"},
    }
    return said | ({"held_hearts": held} if held else {})


def document(*hands, **house):
    """A sheet file of these hands, which are the whole session unless the house says otherwise."""
    rules = {"hands": max(1, len(hands)), **house}
    return {
        "format": "score-sheet/1", "game": "dingo", "players": NAMES, "house_rules": rules, "hands": list(hands),
    }  # fmt: skip


def points(played, **house):
    return list(scored(document(played, **house))["hands"][0]["points"].values())


def codes(played, **house):
    return [problem["code"] for problem in problems_of(json.dumps(document(played, **house)))]


# -- the dealer (Rule 2) -------------------------------------------------------------------------------


def test_dealer_begins_every_round_and_nobody_leads_a_trick():
    table = GAME.open_table((1, 2, 3, 4), 3, house_rules={})
    dealt = GAME.deal(table)
    assert (dealt.dealer, GAME.leading.first_to_speak(dealt), GAME.leading.leader_of(dealt)) == (3, 3, None)
    numbers = [(number.label, number.seat) for number in GAME.hand_numbers(table, dealt)]
    assert numbers == [("Dealer", 3), ("Begins every round", 3)]


# -- what a hunt brings (Rules 5 to 7) -----------------------------------------------------------------

#: What QUIET_ACES brings: Di the ace of hearts, Cy a black ace and the rabbit that stayed.
QUIET = [0, 0, 0, 10]


@pytest.mark.parametrize(
    ("rank", "said", "brought"),
    [
        pytest.param("7", "", [0, 0, 0, 0], id="nobody: the rabbit gets away"),
        pytest.param("7", "Ann", [-1, 0, 0, 0], id="no wolf: the dingo is lost"),
        pytest.param("7", "Ann: Bo", [1, 2, 0, 0], id="one wolf: the dingo scores, and wolf and rabbit"),
        pytest.param("7", "Ann: Bo Cy", [2, 0, 2, 0], id="two: the first goes with the dingo"),
        pytest.param("7", "Ann: Bo Bo", [2, 2, 0, 0], id="two by one player"),
        pytest.param("7", "Ann: ? Cy", [2, 0, 2, 0], id="who played the first changes nothing"),
        pytest.param("9", "Ann: Bo", [1, 2, 0, 0], id="nine is worth 1"),
        pytest.param("T", "Ann: Bo", [2, 4, 0, 0], id="ten is worth 2"),
        pytest.param("J", "Ann: Bo", [2, 4, 0, 0], id="jack is worth 2"),
        pytest.param("K", "Ann", [-2, 0, 0, 0], id="king lost costs 2"),
    ],
)
def test_hunt_brings(rank, said, brought):
    found = points(hand(**{f"r{rank}": said}))
    assert [more - quiet for more, quiet in zip(found, QUIET, strict=True)] == brought


@pytest.mark.parametrize(
    ("aces", "rabbit", "brought"),
    [
        pytest.param("Ann", "Ann kept", [-6, 0, 0, 0], id="no wolf: both red aces are lost"),
        pytest.param("Ann: Bo", "Cy kept", [10, 3, -3, 0], id="one wolf saves the ace of hearts, not the rabbit"),
        pytest.param("Ann: Bo Cy", "Di kept", [10, 3, 3, -3], id="every wolf scores for its own player"),
        pytest.param("Ann: Bo Cy", "Di played", [10, 3, 3, 3], id="rabbit after both"),
        pytest.param("Ann: Bo Bo", "Bo played", [10, 9, 0, 0], id="rabbit on the turn of the second wolf"),
        pytest.param("Ann: Ann Ann", "Ann played", [19, 0, 0, 0], id="own last turn: all four by one player"),
        pytest.param("Ann: Bo Ann", "Ann played", [16, 3, 0, 0], id="own last turn, after a wolf to the left"),
    ],
)
def test_ace_hunt_brings(aces, rabbit, brought):
    assert points(hand(aces=aces, rabbit=rabbit)) == brought


@pytest.mark.parametrize(
    ("house", "brought"),
    [
        pytest.param({}, [10, 3, 3, 7], id="ace of hearts 10, ten 2"),
        pytest.param({"ten_value": 1}, [10, 3, 3, 5], id="ten_value 1: wolf and rabbit are one less each"),
        pytest.param({"ten_point_ace": "diamonds"}, [3, 3, 3, 14], id="ten_point_ace: the rabbit where it is scored"),
    ],
)
def test_house_rules_on_what_cards_are_worth(house, brought):
    played = hand(aces="Ann: Bo Cy", rabbit="Di played", rT="Ann: Di")
    found = points(played, **house)
    found[0] -= 1 if house.get("ten_value") == 1 else 2
    assert found == brought


def test_ace_of_ten_points_costs_three_where_it_is_lost():
    lost = hand(aces="Ann", rabbit="Bo kept")
    assert points(lost) == points(lost, ten_point_ace="diamonds") == [-3, -3, 0, 0]


# -- caught, tied, won (Rules 8 and 9) -----------------------------------------------------------------


def outcome(played, **house):
    row = scored(document(played, **house))["hands"][0]
    return row["winners"], row["red_handed"]


@pytest.mark.parametrize(
    ("played", "house", "winners", "caught"),
    [
        pytest.param(hand(), {}, ["Di"], [], id="highest score"),
        pytest.param(hand(held={"Di": ["4"]}), {}, ["Ann", "Bo", "Cy"], ["Di"], id="caught red-handed cannot win"),
        pytest.param(
            hand(aces="Ann", rabbit="Bo kept", held={name: [rank] for name, rank in zip(NAMES, LOW, strict=False)}),
            {}, [], NAMES, id="everybody caught: nobody wins",
        ),
        pytest.param(
            hand(aces="Ann", rabbit="Cy kept", r2="Bo: Di"), {}, ["Di"], [], id="a kept ace rabbit only costs 3"
        ),
        pytest.param(
            hand(rabbit="Di kept", aces="Di: Cy"), {"unplayed_ace_rabbit_is_red_handed": True}, ["Cy"], ["Di"],
            id="house rule: a kept ace rabbit is red-handed",
        ),
        pytest.param(
            hand(rabbit="Bo played", aces="Di: Ann Bo"), {"unplayed_ace_rabbit_is_red_handed": True}, ["Di"], [],
            id="house rule: a played one is not",
        ),
        pytest.param(
            hand(aces="Cy", rabbit="Cy kept", r5="Cy: Ann", r9="Cy: Bo"), {}, ["Bo"], [],
            id="level: the highest rabbit",
        ),
        pytest.param(hand(rK="Cy: Bo"), {}, ["Di"], [], id="most points, whoever has the rabbits"),
        pytest.param(
            hand(aces="Cy", rabbit="Di kept", r5="Ann: Cy", r9="Bo: Cy", rJ="Cy", rQ="Cy"), {}, ["Ann", "Bo"], [],
            id="level without a rabbit: shared",
        ),
    ],
)  # fmt: skip
def test_hand_is_won(played, house, winners, caught):
    assert outcome(played, **house) == (winners, caught)


def test_ace_rabbit_is_above_the_king():
    # Bo: an ace wolf and the ace rabbit, 3 + 3. Ann: an ace wolf, wolf and rabbit of the king, less an 8: 3 + 4 − 1.
    # Di: 10 less three dingoes of 2.
    played = hand(aces="Di: Ann Bo", rabbit="Bo played", rK="Cy: Ann", r8="Ann", rJ="Di", rQ="Di", rT="Di")
    row = scored(document(played))["hands"][0]
    assert (row["points"]["Ann"], row["points"]["Bo"]) == (6, 6)
    assert row["winners"] == ["Bo"]


def test_session_counts_hands_won_and_a_shared_one_counts_for_all():
    shared = hand(aces="Cy", rabbit="Di kept", r5="Ann: Cy", r9="Bo: Cy", rJ="Cy", rQ="Cy")
    found = scored(document(hand(), shared))
    assert found["hands_won"] == {"Ann": 1, "Bo": 1, "Cy": 0, "Di": 1}
    assert (found["finished"], found["winner"]) == (True, "Di")


def test_equal_totals_are_settled_by_hands_won_and_equal_hands_leave_no_winner():
    ann_by_one = hand(aces="Cy", rabbit="Cy kept", rJ="Di: Ann", r9="Di: Bo Bo")
    found = scored(document(ann_by_one))
    assert found["hands"][0]["points"] == {"Ann": 4, "Bo": 2, "Cy": -6, "Di": 4}
    assert found["hands"][0]["winners"] == ["Ann"], "level with Di, who has no rabbit"
    assert [(one["place"], one["player"], one["score"]) for one in found["placings"]] == [
        (1, "Ann", 4), (2, "Di", 4), (3, "Bo", 2), (4, "Cy", -6),
    ]  # fmt: skip
    assert found["winner"] == "Ann"
    shared = scored(document(hand(aces="Cy", rabbit="Di kept", r5="Ann: Cy", r9="Bo: Cy", rJ="Cy", rQ="Cy")))
    assert shared["winner"] is None
    assert [one["place"] for one in shared["placings"]] == [1, 1, 3, 3]


def test_deal_passes_left_and_the_session_ends_after_its_hands():
    found = scored(document(hand(), hand(), hand(), hand(), hand()))
    assert [row["dealer"] for row in found["hands"]] == ["Ann", "Bo", "Cy", "Di", "Ann"]
    usual = {**document(*[hand()] * 4), "house_rules": {}}
    assert scored(usual)["finished"], "four hands unless the house says otherwise"
    assert scored({**usual, "hands": usual["hands"][:3]})["waiting_for"] == [{"what": "hand", "number": 4}]
    assert [p["code"] for p in problems_of(json.dumps({**usual, "hands": [hand()] * 5}))] == ["game-over"]


# -- what is refused (rules.md 2.4) --------------------------------------------------------------------


def without(rank):
    played = hand()
    del played["hunts"][rank]
    return played


def with_rank(rank):
    played = hand()
    played["hunts"][rank] = hunt("")
    return played


@pytest.mark.parametrize(
    ("played", "expected"),
    [
        pytest.param(without("8"), ["missing-rank"], id="missing-rank"),
        pytest.param(with_rank("A"), ["bad-rank"], id="bad-rank: aces have a hunt of their own"),
        pytest.param(with_rank("10"), ["bad-rank"], id="bad-rank: ten is T"),
        pytest.param(hand(r7=": Bo"), ["wolf-without-dingo"], id="wolf-without-dingo"),
        pytest.param(hand(r7=": Bo Cy"), ["wolf-without-dingo"], id="wolf-without-dingo: two"),
        pytest.param(hand(r7="Ann: Ann"), ["dingo-player-wolf"], id="dingo-player-wolf"),
        pytest.param(hand(r7="Ann: Bo Ann"), ["dingo-player-wolf"], id="dingo-player-wolf: the second"),
        pytest.param(hand(r7="Ann: Ann Bo"), ["dingo-player-wolf"], id="dingo-player-wolf: the first"),
        pytest.param(hand(r7="Ann: Bo Cy Di"), ["too-many-wolves"], id="too-many-wolves"),
        pytest.param(
            hand(r7="Ann: Bo Cy Ann"), ["too-many-wolves", "dingo-player-wolf"], id="too-many-wolves: and all the rest"
        ),
        pytest.param(hand(aces="Ann: Bo Bo Cy"), ["too-many-wolves"], id="too-many-wolves: aces"),
        pytest.param(hand(r7="Bo: Ann Cy"), ["wolf-order"], id="wolf-order"),
        pytest.param(hand(aces="Ann: Ann Bo"), ["wolf-order"], id="wolf-order: who played the ace comes last"),
        pytest.param(hand(rabbit="Cy played"), ["rabbit-too-early"], id="rabbit-too-early: one wolf"),
        pytest.param(hand(aces="Di", rabbit="Di played"), ["rabbit-too-early"], id="rabbit-too-early: no wolf"),
        pytest.param(
            hand(aces="Di: Ann Cy", rabbit="Bo played"), ["rabbit-too-early"], id="rabbit-too-early: before that turn"
        ),
        pytest.param(hand(r4="Ann: Bo", held={"Cy": ["4"]}), ["heart-twice"], id="heart-twice: played"),
        pytest.param(hand(held={"Cy": ["4"], "Bo": ["4"]}), ["heart-twice"], id="heart-twice: two holders"),
        pytest.param(hand(held={"Cy": ["A"]}), ["bad-rank"], id="bad-rank: the ace is played or in the ace hunt"),
        pytest.param(
            hand(**{f"r{rank}": "Ann" for rank in "2345678"}), ["more-than-six"], id="more-than-six: dingoes"
        ),
        pytest.param(
            hand(r2="Ann", r3="Ann", r4="Ann", r5="Bo: Ann", r6="Bo: Ann", aces="Ann: Cy", rabbit="Ann kept"),
            ["more-than-six"], id="more-than-six: dingoes, wolves and aces",
        ),
        pytest.param(
            hand(**{f"r{rank}": "Di" for rank in "2345"}, held={"Di": ["6", "7"]}),
            ["more-than-six"], id="more-than-six: held ones count",
        ),
        pytest.param(
            hand(
                r2="Ann: Bo Cy", r3="Bo: Cy Di", r4="Cy: Di Ann", r5="Di: Ann Bo", r6="Ann: Bo Cy", r7="Bo: Cy Di",
                r8="Ann: Di Di", aces="Di: Cy", rabbit="Cy kept",
            ),
            ["too-many-cards", "more-than-six", "more-than-six"], id="too-many-cards",
        ),
        pytest.param(hand(r7="Zoe: Bo"), ["unknown-player"], id="unknown-player: dingo"),
        pytest.param(hand(r7="Ann: Zoe Bo"), ["unknown-player"], id="unknown-player: wolf"),
        pytest.param(hand(rabbit="Zoe kept"), ["unknown-player"], id="unknown-player: rabbit"),
        pytest.param(hand(held={"Zoe": ["2"]}), ["wrong-players"], id="wrong-players: held"),
        pytest.param(hand(aces=""), ["bad-document"], id="bad-document: somebody played the ace of hearts"),
        pytest.param(hand(aces="Di: ? Bo"), ["bad-document"], id="bad-document: every ace has its player"),
        pytest.param(hand(r7="Ann: ?"), ["bad-document"], id="bad-document: one wolf that nobody noted"),
        pytest.param(hand(r7="Ann: Bo ?"), ["bad-document"], id="bad-document: only the first may be open"),
        pytest.param(hand() | {"plan": {}}, ["bad-document"], id="bad-document: a key of another game"),
        pytest.param({"given_up": True}, ["bad-document"] * 3, id="bad-document: a hand of another game"),
    ],
)  # fmt: skip
def test_hand_is_refused(played, expected):
    assert sorted(codes(played)) == sorted(expected)


def test_problem_tells_the_hand_the_player_and_where_it_stands():
    found = problems_of(json.dumps(document(hand(), hand(r7="Ann: Bo Ann"))))
    where = {key: found[0].get(key) for key in ("code", "hand", "player", "field")}
    assert where == {"code": "dingo-player-wolf", "hand": 2, "player": "Ann", "field": "hunts, 7"}
    assert found[0]["message"].endswith(".")


@pytest.mark.parametrize("players", [3, 5])
def test_dingo_is_for_four(players):
    names = ["Ann", "Bo", "Cy", "Di", "Ed"][:players]
    assert [p["code"] for p in problems_of(json.dumps({**document(), "players": names}))] == ["bad-players"]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("hands", 0, "bad-house-rule"), ("hands", 41, "bad-house-rule"), ("hands", "4", "bad-document"),
        ("ten_value", 3, "bad-house-rule"), ("ten_point_ace", "clubs", "bad-house-rule"),
        ("unplayed_ace_rabbit_is_red_handed", 1, "bad-document"), ("target", 20, "bad-document"),
    ],
)  # fmt: skip
def test_house_rule_takes_only_its_values(key, value, code):
    assert codes(hand(), **{key: value}) == [code]


# -- answers at the table ------------------------------------------------------------------------------


def asked(ask, **step):
    """The codes of writing that first of all in the third hunt and later, everything before being nobody's."""
    entries, table = {}, GAME.open_table((1, 2, 3, 4), 1)
    for before in GAME.asks(table, GAME.deal(table)):
        if before.name == ask:
            return [problem.code for problem in problems(GAME, table, entries, (1, ask), step)]
        entries[1, before.name] = {"dingo": 4, "holder": 4} if before.name == "ace-hunt" else {}
    raise AssertionError(ask)


@pytest.mark.parametrize(
    ("ask", "step", "expected"),
    [
        ("hunt-4", {}, []),
        ("hunt-4", {"dingo": 1, "wolf": 2, "second": 3}, ["too-many-wolves"]),
        ("hunt-4", {"dingo": 1, "first": 2}, ["missing-field"]),
        ("hunt-4", {"dingo": 1, "second": 3}, []),
        ("hunt-4", {"wolf": 2}, ["wolf-without-dingo"]),
        ("hunt-4", {"dingo": 5}, ["unknown-player"]),
        ("ace-hunt", {}, ["missing-field", "missing-field"]),
        ("ace-hunt", {"dingo": 1, "holder": 2, "second": 3}, ["missing-field"]),
        ("ace-hunt", {"dingo": 1, "holder": 2, "first": 3, "second": 4, "played": True}, ["rabbit-too-early"]),
        ("ace-hunt", {"dingo": 1, "holder": 4, "first": 3, "second": 4, "played": True}, []),
        ("held", {}, []),
        ("held", {"heart-2": 1, "heart-13": 1}, []),
    ],
)
def test_answer_is_judged(ask, step, expected):
    assert asked(ask, **step) == expected


def test_hunts_are_asked_from_two_to_king_then_aces_then_what_is_held():
    table = GAME.open_table((1, 2, 3, 4), 1)
    names = [ask.name for ask in GAME.asks(table, GAME.deal(table))]
    assert names == [*(f"hunt-{number}" for number in range(2, 14)), "ace-hunt", "held"]


# -- what is said --------------------------------------------------------------------------------------


def first_row(played, **house):
    return read_document(json.dumps(document(played, **house))).sheet.rows[0]


def test_why_tells_piles_and_arithmetic():
    row = first_row(hand(r4="Ann: Bo Cy", rT="Ann", rK="Cy: Ann", held={"Bo": ["7"]}))
    said = [GAME.why(row.table, row.hand, seat) for seat in (1, 2, 3, 4)]
    assert said == [
        "scored rabbit K, dingo 4 and wolves 4 K: 6; penalty dingo 10: 2; 6 − 2 = 4",
        "scored nothing: 0; caught red-handed with the dingo 7",
        "scored rabbit 4, dingo K, wolf 4 and the ace wolf: 7; penalty the ace rabbit: 3; 7 − 3 = 4",
        "scored the ace dingo: 10",
    ]


def test_sheet_shows_piles_winner_and_who_was_caught():
    row = first_row(hand(r4="Ann: Bo", held={"Cy": ["7"]}))
    beside = GAME.beside(row)
    assert beside.cells == {1: "1 − 0", 2: "2 − 0", 3: "3 − 3\ncaught", 4: "10 − 0\nwon"}
    assert beside.aloud[4] == "10 scored, 0 in the penalty pile, won the hand"
    assert beside.missed == {3}


def test_places_tell_hands_won_and_the_average():
    sheet = read_document(json.dumps(document(hand(), hand(r4="Ann: Bo"), hand(rT="Ann")))).sheet
    assert GAME.beside_places(sheet.table) == {
        1: "0 hands won, −0.3 a hand", 2: "0 hands won, 0.7 a hand", 3: "0 hands won, 0.0 a hand",
        4: "3 hands won, 10.0 a hand",
    }  # fmt: skip


def test_piles_are_shown_as_they_grow():
    table = GAME.open_table((1, 2, 3, 4), 1)
    steps = {(1, "hunt-2"): {"dingo": 1}, (1, "hunt-3"): {"dingo": 1, "second": 2}, (1, "hunt-4"): {}}
    opened = read(GAME, table, steps).open
    shown = GAME.shows(table, opened.hand)
    assert {name: shown[f"{name}-1"] for name in ("hand", "dingoes", "wolves", "penalty")} == {
        "hand": "2 − 1", "dingoes": "3", "wolves": "3", "penalty": "♥2",
    }  # fmt: skip
    assert (shown["rabbits-2"], shown["wolves-2"], shown["hand-2"], shown["hand-3"]) == ("3", "3", "2 − 0", "")
    assert [shown[f"at-hunt-{number}"] for number in (2, 3, 4, 5)] == ["♥", "♥••", "–", ""]


def test_call_outs_say_who_is_caught_and_how_a_tie_was_settled():
    caught = GAME.hand_callouts(first_row(hand(held={"Bo": ["7", "J"]})))
    assert [(call.call, call.seats, call.reason) for call in caught] == [
        ("red-handed", (2,), "still held the dingo 7 and the dingo J")
    ]
    level = GAME.hand_callouts(first_row(hand(aces="Cy", rabbit="Cy kept", r5="Cy: Ann", r9="Cy: Bo")))
    assert [(call.call, call.seats) for call in level] == [("by-the-rabbit", (2,))]
    assert level[0].reason == "2 level at 2; the nine of rabbits decides"
    shared = GAME.hand_callouts(
        first_row(hand(aces="Cy", rabbit="Di kept", r5="Ann: Cy", r9="Bo: Cy", rJ="Cy", rQ="Cy"))
    )
    assert [(call.call, call.seats) for call in shared] == [("shared-hand", (1, 2))]
