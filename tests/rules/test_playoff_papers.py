"""A play-off as a file: what it comes to, and everything for which it is refused (`play-off/1`)."""

import json
from copy import deepcopy

import pytest

from rules.core.files.score import score_paper
from rules.core.files.sheet_file import Refused
from tests.rules.paper import hand

GROUPS = [{"Ann": 9, "Bo": 4, "Cy": 4, "Di": -1}, {"Ed": 3, "Flo": 7, "Gus": 0, "Hal": -2}]


def paper(groups=GROUPS, places=1, **more):
    said = [group if "scores" in group else {"scores": group} for group in groups]
    return {"format": "play-off/1", "game": "dirty-dog", "places": places, "groups": deepcopy(said)} | more


def blind(tricks, bids):
    """A blind hand of a group: Ann, Bo, Cy and Di."""
    return {key: dict(zip(GROUPS[0], said, strict=True)) for key, said in (("bids", bids), ("tricks", tricks))}


def tied(places=2, group=None, **more):
    """Bo and Cy are tied for the second place through."""
    return paper([{"scores": GROUPS[0]} | (group or {}), GROUPS[1]], places, **more)


def finals(winners, losers=None, **more):
    """After a first group whose Ann goes through, and a second whose Flo does."""
    ended = {"winners_table": {"scores": winners}} | ({"losers_table": {"scores": losers}} if losers else {})
    return paper(**(ended | more))


def result(document):
    return score_paper(json.dumps(document))


def problems(document):
    with pytest.raises(Refused) as refused:
        result(document)
    return refused.value.document()["problems"]


def codes(document):
    return [problem["code"] for problem in problems(document)]


LOW = {"Bo": 1, "Cy": -4, "Di": 5, "Ed": 2, "Gus": 3, "Hal": 0}


# The cut


def test_cut_alone_is_answered_in_the_order_of_groups_and_seats():
    found = result(paper(places=2, groups=[{"Ann": 1, "Bo": 9, "Cy": 4}, GROUPS[1]]))
    assert found == {
        "format": "play-off-result/1",
        "winners_table": ["Bo", "Cy", "Ed", "Flo"],
        "losers_table": ["Ann", "Gus", "Hal"],
        "winner": None,
        "loser": None,
        "waiting_for": [],
    }


def test_tie_across_the_cut_waits_for_its_group():
    found = result(tied())
    assert found["winners_table"] == ["Ann", "Ed", "Flo"]
    assert found["losers_table"] == ["Di", "Gus", "Hal"]
    assert found["waiting_for"] == [{"what": "cut-tie-break", "group": 0, "players": ["Bo", "Cy"], "places": 1}]


def test_tie_across_the_line_of_the_bottom_says_so():
    found = result(tied(1, house_rules={"losers_count": 2}))
    waits = {"what": "cut-tie-break", "group": 0, "players": ["Bo", "Cy"], "places": 1, "edge": "below"}
    assert found["waiting_for"] == [waits]
    assert found["losers_table"] == ["Di", "Gus", "Hal"]


def test_blind_hand_of_the_group_settles_the_cut_again_while_still_tied():
    first = blind(tricks=[1, 2, 2, 0], bids=[1, 3, 3, 1])
    assert result(tied(group={"tie_breaks": [first]}))["waiting_for"][0]["players"] == ["Bo", "Cy"]
    second = blind(tricks=[5, 0, 0, 0], bids=[0, 1, 0, 1])
    found = result(tied(group={"tie_breaks": [first, second]}))
    assert (found["winners_table"], found["waiting_for"]) == (["Ann", "Cy", "Ed", "Flo"], [])


def test_high_card_settles_the_cut_where_the_house_rule_says_so():
    rules = {"cut_by_high_card": True}
    equal = {"Bo": "Q", "Cy": "Q"}
    assert result(tied(group={"draws": [equal]}, house_rules=rules))["waiting_for"][0]["players"] == ["Bo", "Cy"]
    found = result(tied(group={"draws": [equal, {"Bo": "K", "Cy": "A"}]}, house_rules=rules))
    assert found["winners_table"] == ["Ann", "Cy", "Ed", "Flo"]


def test_middle_of_a_group_is_out_with_a_count_of_losers():
    found = result(paper(places=1, house_rules={"losers_count": 1}))
    assert (found["winners_table"], found["losers_table"]) == (["Ann", "Flo"], ["Di", "Hal"])


@pytest.mark.parametrize(
    ("groups", "places"),
    [([{"Ann": 1}], 1), ([{"Ann": 1, "Bo": 2}], 1), ([{f"P{n}": n for n in range(60)}], 30)],
)
def test_cut_is_answered_whatever_the_sizes(groups, places):
    found = result(paper(groups, places))
    assert len(found["winners_table"]) == places
    assert len(found["winners_table"]) + len(found["losers_table"]) == len(groups[0])


def test_group_that_is_too_large_for_a_blind_hand_still_waits():
    group = {f"P{n}": 0 for n in range(60)}
    assert result(paper([group], 30))["waiting_for"][0]["places"] == 30
    hand = {"bids": dict.fromkeys(group, 0), "tricks": dict.fromkeys(group, 0)}
    assert codes(paper([{"scores": group, "tie_breaks": [hand]}], 30)) == ["bad-players"]


def test_final_that_is_too_large_for_a_blind_hand_still_waits():
    first, second = ({f"{group}{n}": 20 - n for n in range(20)} for group in "AB")
    level = {name: 0 for group in (first, second) for name in list(group)[:15]}
    last = {name: 0 for group in (first, second) for name in list(group)[15:]}
    found = result(paper([first, second], 15, winners_table={"scores": level}, losers_table={"scores": last}))
    assert found["waiting_for"] == [
        {"what": "tie-break", "players": list(level)}, {"what": "draw", "players": list(last)},
    ]  # fmt: skip
    table = {"scores": level, "tie_breaks": [{"bids": level, "tricks": level}]}
    (wrong,) = problems(paper([first, second], 15, winners_table=table, losers_table={"scores": last}))
    assert (wrong["code"], wrong["field"]) == ("bad-players", "winners_table, tie_breaks")
    # Nor where it is in doubt who sits there.
    assert codes(paper([first, first], 15, winners_table=table, losers_table={"scores": last})) == [
        *["duplicate-player"] * 20, "bad-players",
    ]  # fmt: skip


# The finals


def test_trophies_and_no_crossing():
    found = result(finals({"Ann": 8, "Flo": -4}, LOW))
    assert list(found)[3:] == ["winner", "loser", "waiting_for", "cross_rule"]
    assert (found["winner"], found["loser"], found["waiting_for"], found["cross_rule"]) == ("Ann", "Cy", [], False)


def test_loser_trophy_crosses_to_the_winners_table():
    found = result(finals({"Ann": 8, "Flo": -5}, LOW))
    assert (found["winner"], found["loser"], found["cross_rule"]) == ("Ann", "Flo", True)


def test_carried_over_the_finals_begin_with_the_totals_of_the_groups():
    # Ann 9 - 3, Flo 7 + 0; Di -1 + 5 above Hal -2 + 3 and Cy 4 - 4.
    found = result(finals({"Ann": -3, "Flo": 0}, LOW | {"Hal": 3}, house_rules={"carry_over": True}))
    assert (found["winner"], found["loser"]) == ("Flo", "Cy")
    assert result(finals({"Ann": -3, "Flo": 0}, LOW | {"Hal": 3}))["loser"] == "Cy"
    assert result(finals({"Ann": -3, "Flo": 0}, LOW | {"Cy": 0}, house_rules={"carry_over": True}))["loser"] == "Hal"


def test_tie_for_the_lead_waits_for_a_blind_hand_and_its_cards():
    found = result(finals({"Ann": 8, "Flo": 8}, LOW))
    assert found["waiting_for"] == [{"what": "tie-break", "players": ["Ann", "Flo"], "cards": 5}]
    assert (found["winner"], found["loser"]) == (None, "Cy")
    found = result(finals({"Ann": 8, "Flo": 8}, LOW, house_rules={"tie_break_cards": 3}))
    assert found["waiting_for"][0]["cards"] == 3


def test_who_is_tied_at_a_final_is_told_in_the_order_of_its_seats():
    found = result(finals({"Flo": 8, "Ann": 8}, dict(reversed(LOW.items())) | {"Hal": -4}))
    assert [waiting["players"] for waiting in found["waiting_for"]] == [["Flo", "Ann"], ["Hal", "Cy"]]


def test_lead_and_lowest_may_be_open_together():
    found = result(finals({"Ann": 8, "Flo": 8}, LOW | {"Hal": -4}))
    assert [waiting["what"] for waiting in found["waiting_for"]] == ["tie-break", "draw"]
    assert found["waiting_for"][1]["players"] == ["Cy", "Hal"]


def test_blind_hand_settles_the_lead_and_all_equal_crossing_leaves_the_other():
    table = {"scores": {"Ann": -8, "Flo": -8}}
    found = result(finals({}, LOW, winners_table=table))
    assert (found["waiting_for"], found["cross_rule"]) == (
        [{"what": "tie-break", "players": ["Ann", "Flo"], "cards": 5}], True,
    )  # fmt: skip
    table["tie_breaks"] = [{"bids": {"Ann": 2, "Flo": 4}, "tricks": {"Ann": 1, "Flo": 4}}]
    found = result(finals({}, LOW, winners_table=table))
    assert (found["winner"], found["loser"], found["waiting_for"], found["cross_rule"]) == ("Flo", "Ann", [], True)


def test_equal_lowest_draw_and_equal_cards_draw_again():
    low = LOW | {"Hal": -4, "Bo": -4}
    drawn = [{"Bo": "3", "Cy": "3", "Hal": "J"}]
    assert result(finals({"Ann": 8, "Flo": 1}, low, draws=drawn))["waiting_for"] == [
        {"what": "draw", "players": ["Bo", "Cy"]}
    ]
    assert result(finals({"Ann": 8, "Flo": 1}, low, draws=[*drawn, {"Bo": "4", "Cy": "3"}]))["loser"] == "Cy"


def test_bottom_of_two_finals_is_drawn_even_where_the_house_plays_it_by_blind_hand():
    found = result(finals({"Ann": 8, "Flo": 1}, LOW | {"Hal": -4}, house_rules={"bottom_by_blind_hand": True}))
    assert found["waiting_for"] == [{"what": "draw", "players": ["Cy", "Hal"]}]


def one_final(scores, **more):
    return paper([{"Ann": 1, "Bo": 2, "Cy": 3}], 3, winners_table={"scores": scores} | more.pop("also", {}), **more)


def test_one_final_is_a_table_of_its_own():
    found = result(one_final({"Ann": 4, "Bo": 0, "Cy": -3}))
    assert (found["winner"], found["loser"], found["cross_rule"], found["losers_table"]) == ("Ann", "Cy", False, [])
    assert result(one_final({"Ann": 4, "Bo": -3, "Cy": -3}))["waiting_for"] == [
        {"what": "draw", "players": ["Bo", "Cy"]}
    ]
    assert result(one_final({"Ann": 4, "Bo": -3, "Cy": -3}, draws=[{"Bo": "2", "Cy": "A"}]))["loser"] == "Bo"


def test_one_final_settles_its_bottom_as_the_house_does():
    rules = {"bottom_by_blind_hand": True}
    found = result(one_final({"Ann": 4, "Bo": -3, "Cy": -3}, house_rules=rules))
    assert found["waiting_for"] == [{"what": "tie-break", "players": ["Bo", "Cy"], "cards": 5}]


def test_empty_losers_table_is_none():
    assert result(one_final({"Ann": 4, "Bo": 0, "Cy": -3}, losers_table={"scores": {}}))["cross_rule"] is False


def test_final_of_one_is_answered():
    found = result(
        paper([{"Ann": 1, "Bo": 2}], 1, winners_table={"scores": {"Bo": -30}}, losers_table={"scores": {"Ann": 0}})
    )
    assert (found["winner"], found["loser"], found["cross_rule"]) == ("Bo", "Ann", False)


# Refused


@pytest.mark.parametrize("places", [0, -1, 5, 10**3000])
def test_refused_bad_places(places):
    assert codes(paper(places=places)) == ["bad-places"]


def test_refused_more_places_than_the_smallest_group_has():
    assert codes(paper([*GROUPS, {"Ida": 1, "Jo": 2}], 3)) == ["bad-places"]
    result(paper([*GROUPS, {"Ida": 1, "Jo": 2}], 2))


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"losers_count": 0}, "bad-house-rule"),
        ({"losers_count": -1}, "bad-house-rule"),
        ({"losers_count": 4}, "bad-house-rule"),
        ({"losers_count": 10**3000}, "bad-house-rule"),
        ({"tie_break_cards": 13}, "bad-house-rule"),
        ({"tie_break_cards": 0}, "bad-house-rule"),
        ({"bottom_buddies_gap": 51}, "bad-house-rule"),
        ({"losers_count": True}, "bad-document"),
        ({"carry_over": 1}, "bad-document"),
        ({"carry_over": None}, "bad-document"),
        ({"cut_by_high_card": "yes"}, "bad-document"),
        ({"no_such_rule": True}, "bad-document"),
        ([], "bad-document"),
    ],
)
def test_refused_house_rules(rules, code):
    assert codes(paper(house_rules=rules)) == [code]


@pytest.mark.parametrize("rules", [{}, {"losers_count": None}, {"losers_count": 3}, {"tie_break_cards": 12}])
def test_house_rules_that_fit_are_taken(rules):
    result(paper(house_rules=rules))


def test_refused_name_in_two_groups():
    assert problems(paper([GROUPS[0], {"Ann": 3, "Flo": 2}]))[0] == {
        "code": "duplicate-player", "message": "That name is in two groups.", "player": "Ann",
        "field": "groups, number 2, scores",
    }  # fmt: skip


def test_refused_group_of_nobody():
    assert codes(paper([GROUPS[0], {"scores": {}}])) == ["bad-players"]


@pytest.mark.parametrize(
    ("group", "code"),
    [
        ({"tie_breaks": [blind([1, 2, 2, 0], [1, 2, 2, 0])]}, "the-rule"),
        ({"tie_breaks": [blind([1, 2, 1, 0], [1, 3, 3, 1])]}, "tricks-sum"),
        ({"tie_breaks": [blind([1, 2, 2, 0], [6, 3, 3, 1])]}, "bid-out-of-range"),
        ({"tie_breaks": [blind([6, 0, 0, -1], [1, 3, 3, 1])]}, "tricks-out-of-range"),
        ({"tie_breaks": [{"bids": {"Bo": 1, "Cy": 1}, "tricks": {"Bo": 5, "Cy": 0}}]}, "wrong-players"),
        ({"tie_breaks": [blind([1, 2, 2, 0], [1, 3, 2, 1])] * 2}, "tiebreak-not-needed"),
        ({"draws": [{"Bo": "2", "Cy": "3"}]}, "draw-not-needed"),
    ],
)
def test_refused_blind_hand_of_a_group(group, code):
    found = problems(tied(group=group))
    assert code in [problem["code"] for problem in found]
    assert all(problem["field"].startswith("groups, number 1, ") for problem in found)


@pytest.mark.parametrize(
    ("group", "code"),
    [
        ({"draws": [{"Bo": "2", "Ann": "3"}]}, "wrong-players"),
        ({"draws": [{"Bo": "2", "Cy": "10"}]}, "bad-rank"),
        ({"draws": [{"Bo": "2", "Cy": "T"}, {"Bo": "3", "Cy": "4"}]}, "draw-not-needed"),
        ({"tie_breaks": [blind([1, 2, 2, 0], [1, 3, 2, 1])]}, "tiebreak-not-needed"),
    ],
)
def test_refused_cards_of_a_group(group, code):
    assert code in codes(tied(group=group, house_rules={"cut_by_high_card": True}))


def test_refused_five_cards_of_one_rank_at_a_cut():
    group = {"scores": dict.fromkeys("PQRST", 1), "draws": [dict.fromkeys("PQRST", "7")]}
    assert codes(paper([group], 1, house_rules={"cut_by_high_card": True})) == ["impossible-draw"]


def test_refused_blind_hand_where_nobody_is_tied():
    assert codes(paper([{"scores": GROUPS[0], "tie_breaks": [blind([1, 2, 2, 0], [1, 3, 2, 1])]}])) == [
        "tiebreak-not-needed"
    ]


@pytest.mark.parametrize(
    ("document", "players"),
    [
        (finals({"Ann": 8, "Bo": -4}, LOW), {"Flo", "Bo"}),
        (finals({"Ann": 8, "Flo": -4, "Nobody": 3}, LOW), {"Nobody"}),
        (finals({"Ann": 8}, LOW), {"Flo"}),
        (finals({"Ann": 8, "Flo": -4}, {"Cy": 1, "Di": 2, "Ed": 3, "Gus": 3, "Hal": 4}), {"Bo"}),
        (finals({"Ann": 8, "Flo": -4}, LOW | {"Ann": 3}), {"Ann"}),
        (finals({"Ann": 8, "Flo": -4}), set(LOW)),
        (finals({"ann": 8, "Flo": -4}, LOW), {"ann", "Ann"}),
    ],
)
def test_refused_finals_whose_players_are_not_those_of_the_cut(document, players):
    assert {(problem["code"], problem.get("player")) for problem in problems(document)} == {
        ("wrong-players", player) for player in players
    }


def test_refused_finals_before_the_cut_is_settled():
    low = {"Di": 1, "Gus": 1, "Hal": 2}
    document = tied(winners_table={"scores": {"Ann": 1, "Ed": 2, "Flo": 3}}, losers_table={"scores": low})
    assert set(codes(document)) == {"wrong-players"}
    document["winners_table"]["scores"]["Bo"] = 4
    document["losers_table"]["scores"]["Cy"] = 4
    assert set(codes(document)) == {"wrong-players"}


def test_losers_table_alone_must_be_that_of_the_cut_too():
    assert "cross_rule" not in result(paper(losers_table={"scores": LOW}))
    assert codes(paper(losers_table={"scores": LOW | {"Ann": 2}})) == ["wrong-players"]


@pytest.mark.parametrize(
    ("draws", "code"),
    [
        ([{"Cy": "2", "Bo": "3"}], "wrong-players"),
        ([{"Cy": "2", "Hal": "3", "Bo": "4"}], "wrong-players"),
        ([{"Cy": "2", "Hal": "X"}], "bad-rank"),
        ([{}], "wrong-players"),
        ([{"Cy": "2", "Hal": "3"}] * 2, "draw-not-needed"),
    ],
)
def test_refused_draws(draws, code):
    assert code in codes(finals({"Ann": 8, "Flo": 1}, LOW | {"Hal": -4}, draws=draws))


def test_refused_five_cards_of_one_rank():
    low = dict.fromkeys(LOW, -4)
    assert codes(finals({"Ann": 8, "Flo": 1}, low, draws=[dict.fromkeys(low, "7")])) == ["impossible-draw"]


def test_four_may_draw_one_rank_and_draw_again():
    low = {"Bo": 0, "Cy": 0, "Di": 0, "Ed": 0, "Gus": 1, "Hal": 2}
    four = list(low)[:4]
    found = result(finals({"Ann": 8, "Flo": 1}, low, draws=[dict.fromkeys(four, "7")]))
    assert found["waiting_for"] == [{"what": "draw", "players": four}]


def test_refused_card_of_the_one_final_stands_beside_the_tables_and_its_blind_hand_within():
    (wrong,) = problems(one_final({"Ann": 4, "Bo": -3, "Cy": -3}, draws=[{"Bo": "X", "Cy": "A"}]))
    assert (wrong["code"], wrong["field"]) == ("bad-rank", "draws")
    names = ["Ann", "Bo", "Cy"]
    wrong = hand("0 0 0", "9 9 9", names)
    found = problems(one_final(dict.fromkeys(names, 4), also={"tie_breaks": [wrong]}))
    assert {problem["field"].split(",")[0] for problem in found} == {"winners_table"}


def test_refused_draw_that_nobody_needs():
    assert codes(finals({"Ann": 8, "Flo": 1}, LOW, draws=[{"Cy": "2", "Hal": "3"}])) == ["draw-not-needed"]
    assert codes(paper(draws=[{"Cy": "2", "Hal": "3"}])) == ["game-over"]


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ({"bids": {"Ann": 2, "Flo": 3}, "tricks": {"Ann": 1, "Flo": 4}}, "the-rule"),
        ({"bids": {"Ann": 2, "Flo": 2}, "tricks": {"Ann": 1, "Flo": 5}}, "tricks-sum"),
        ({"bids": {"Ann": 2, "Bo": 2}, "tricks": {"Ann": 1, "Bo": 4}}, "wrong-players"),
    ],
)
def test_refused_blind_hand_of_the_winners_table(hand, code):
    table = {"scores": {"Ann": 8, "Flo": 8}, "tie_breaks": [hand]}
    found = problems(finals({}, LOW, winners_table=table))
    assert code in [problem["code"] for problem in found]
    assert all(problem["field"].startswith("winners_table, tie_breaks") for problem in found)


def test_refused_blind_hand_of_a_lead_that_is_settled():
    hand = {"bids": {"Ann": 2, "Flo": 2}, "tricks": {"Ann": 1, "Flo": 4}}
    table = {"scores": {"Ann": 8, "Flo": 7}, "tie_breaks": [hand]}
    assert codes(finals({}, LOW, winners_table=table)) == ["tiebreak-not-needed"]


def test_all_problems_are_told_in_the_order_of_the_play_off():
    hand = blind([1, 2, 1, 0], [6, 3, 3, 1])
    second = {"scores": {"Ed": 3, "Flo": 7, "Gus": 3, "Hal": -2}, "tie_breaks": [{"bids": {}, "tricks": {}}]}
    found = problems(paper([{"scores": GROUPS[0], "tie_breaks": [hand]}, second], 2))
    assert [(problem["code"], problem["field"].rsplit(", ", 1)[0]) for problem in found[:2]] == [
        ("bid-out-of-range", "groups, number 1, tie_breaks"), ("tricks-sum", "groups, number 1, tie_breaks"),
    ]  # fmt: skip
    assert {problem["field"].split(",")[1] for problem in found[2:]} == {" number 2"}


WRONG = blind([1, 2, 1, 0], [6, 3, 3, 1])
FIVE = dict.fromkeys("PQRST", "7")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"places": 5}, "bad-places"),
        ({"house_rules": {"losers_count": 4}}, "bad-house-rule"),
        ({"groups": [{"scores": GROUPS[0], "tie_breaks": [WRONG]}, {"scores": GROUPS[0]}]}, "duplicate-player"),
    ],
)
def test_blind_hands_and_cards_are_judged_where_it_is_in_doubt_who_goes_on(change, code):
    final = {"scores": {"Zoe": 3, "Max": 3}, "tie_breaks": [hand("0 4", "5 1", ["Zoe", "Max"])]}
    document = tied(group={"tie_breaks": [WRONG]}, winners_table=final, draws=[FIVE, {"Bo": "1"}]) | change
    assert [found for found in codes(document) if found != code] == [
        "bid-out-of-range", "tricks-sum", "tricks-sum", "impossible-draw", "bad-rank",
    ]  # fmt: skip
    assert code in codes(document)


def test_house_rule_that_no_table_can_play_is_told_once_and_nobody_is_looked_for_where_it_is_in_doubt_who_goes_on():
    groups = [GROUPS[0], GROUPS[1] | {"Ivy": 1}]
    assert codes(paper(groups, house_rules={"tie_break_cards": 13})) == ["bad-house-rule"]
    assert codes(paper(places=5, losers_table={"scores": {"Zoe": 1}})) == ["bad-places"]


def test_blind_hands_are_not_judged_where_nobody_knows_how_many_cards_they_had():
    assert codes(tied(group={"tie_breaks": [WRONG]}, house_rules={"tie_break_cards": 13})) == ["bad-house-rule"]


def test_blind_hands_and_cards_are_judged_where_others_sit_at_the_finals():
    final = {"scores": {"Ann": 3, "Zoe": 3}, "tie_breaks": [hand("0 4", "5 1", ["Ann", "Zoe"])]}
    found = codes(finals({}, LOW, winners_table=final, draws=[FIVE, {"Bo": "1"}]))
    assert found == ["wrong-players", "wrong-players", "tricks-sum", "impossible-draw", "bad-rank"]


def test_card_that_nobody_needs_is_judged_too():
    assert codes(finals({"Ann": 8, "Flo": 1}, LOW, draws=[{"Cy": "1"}])) == ["bad-rank", "draw-not-needed"]


def test_cards_are_judged_where_a_blind_hand_for_the_lead_is_wrong():
    table = {"scores": {"Ann": 8, "Flo": 8}, "tie_breaks": [hand("0 4", "5 1", ["Ann", "Flo"])]}
    assert codes(finals({}, LOW | {"Hal": -4}, winners_table=table, draws=[{"Cy": "1", "Hal": "2"}, FIVE])) == [
        "tricks-sum", "bad-rank", "impossible-draw",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "change",
    [
        {"places": True}, {"places": "1"}, {"places": None}, {"groups": []}, {"groups": {}}, {"groups": [[]]},
        {"groups": [{}]}, {"groups": [{"scores": {"Ann": 1, "Bo": 2}, "hands": []}]}, {"game": None},
        {"groups": [{"scores": {" Ann": 1, "Bo": 2}}]}, {"groups": [{"scores": {"A" * 41: 1, "Bo": 2}}]},
        {"groups": [{"scores": {"": 1, "Bo": 2}}]}, {"groups": [{"scores": {"Ann": None, "Bo": 2}}]},
        {"winners_table": None}, {"winners_table": {}}, {"losers_table": {"scores": LOW, "tie_breaks": []}},
        {"draws": {}}, {"draws": [{"Cy": 2}]}, {"club": "Thursdays"},
    ],
)  # fmt: skip
def test_refused_as_no_such_file(change):
    assert set(codes(paper() | change)) == {"bad-document"}


@pytest.mark.parametrize("key", ["format", "game", "places", "groups"])
def test_refused_without_a_key_that_must_be_there(key):
    document = paper()
    del document[key]
    assert codes(document) == ["bad-document"]


@pytest.mark.parametrize(
    "text",
    [
        '{"format": "play-off/1", "format": "play-off/1"}',
        '{"format": "play-off/1", "game": "dirty-dog", "places": 1, "groups": [{"scores": {"Ann": 1, "Ann": 2}}]}',
        '{"format": "play-off/1", "game": "dirty-dog", "places": 1.0, "groups": [{"scores": {"Ann": 1}}]}',
        '{"format": "play-off/1", "game": "dirty-dog", "places": 1e0, "groups": [{"scores": {"Ann": 1}}]}',
        '{"format": "play-off/1", "game": "dirty-dog", "places": 1, "groups": [{"scores": {"Ann": '
        + "9" * 4001
        + "}}]}",
        '{"format": "play-off/1", "game": "dirty-dog", "places": 1, "groups": ' + "[" * 60 + "]" * 60 + "}",
        '{"format": "play-off/1", "game": "dirty-dog", "places": 1, "groups": [{"scores": {"\\ud800": 1}}]}',
    ],
    ids=["key twice", "name twice", "1.0", "1e0", "digits", "nesting", "half a character"],
)
def test_refused_as_json_that_is_not_read(text):
    with pytest.raises(Refused) as refused:
        score_paper(text)
    assert {problem.code for problem, _ in refused.value.problems} == {"bad-document"}


# The other games


def test_other_game_answers_the_cut_and_the_one_who_is_highest():
    document = paper(game="dingo", places=2)
    document["groups"][0]["scores"]["Cy"] = 3
    document["winners_table"] = {"scores": {"Ann": 1, "Bo": 5, "Ed": 2, "Flo": 3}}
    document["losers_table"] = {"scores": {"Cy": 1, "Di": 1, "Gus": 3, "Hal": 4}}
    found = result(document)
    assert (found["winner"], found["loser"], found["waiting_for"], found["cross_rule"]) == ("Bo", None, [], False)
    document["winners_table"]["scores"]["Flo"] = 5
    assert result(document)["winner"] is None


def test_other_game_that_has_nothing_for_ties_waits_and_knows_no_blind_hands():
    document = tied(game="dingo")
    assert result(document)["waiting_for"][0]["players"] == ["Bo", "Cy"]
    document["groups"][0]["tie_breaks"] = []
    assert codes(document) == ["bad-document"]
    assert codes(tied(game="dingo", draws=[])) == ["bad-document"]
