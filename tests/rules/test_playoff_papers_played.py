"""Whole play-offs as files, played from the groups to both trophies; and files that are no play-off at all."""

import json
import random
from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from rules.core.files.score import score_paper
from rules.core.files.sheet_file import Refused
from tests.rules.strategies import junk

RANKS = "23456789TJQKA"


def result(document):
    return score_paper(json.dumps(document))


def blind_hand(dice, names, cards):
    """Any blind hand that may have been played."""
    tricks = dict.fromkeys(names, 0)
    for _ in range(cards):
        tricks[dice.choice(names)] += 1
    bids = {name: dice.randint(0, cards) if dice.random() < 0.5 else tricks[name] for name in names}
    while sum(bids.values()) == cards:
        bids[dice.choice(names)] = dice.randint(0, cards)
    return {"bids": bids, "tricks": tricks}


def drawn(dice, names):
    deck = list(RANKS * 4)
    dice.shuffle(deck)
    return {name: deck.pop() for name in names}


class Evening:
    """A play-off that is kept as a file, whatever it asks for."""

    def __init__(self, dice, sizes, places, house_rules):
        self.dice, self.high_card = dice, house_rules.get("cut_by_high_card", False)
        names = [f"P{number}" for number in range(sum(sizes))]
        dice.shuffle(names)
        self.groups = [{names.pop(): dice.randint(-2, 3) for _ in range(size)} for size in sizes]
        self.document = {
            "format": "play-off/1", "game": "dirty-dog", "places": places, "house_rules": house_rules,
            "groups": [{"scores": scores} for scores in self.groups],
        }  # fmt: skip

    def settle_the_cut(self):
        while waiting := (found := result(self.document))["waiting_for"]:
            number = waiting[0]["group"]
            group = self.document["groups"][number]
            if self.high_card:
                due = [name for other in waiting if other["group"] == number for name in other["players"]]
                group.setdefault("draws", []).append(drawn(self.dice, dict.fromkeys(due)))
            else:
                hand = blind_hand(self.dice, list(group["scores"]), 5)
                group.setdefault("tie_breaks", []).append(hand)
        return found

    def play_the_finals(self, found):
        self.document["winners_table"] = winners = self.final(found["winners_table"])
        if found["losers_table"]:
            self.document["losers_table"] = self.final(found["losers_table"])
        while waiting := (found := result(self.document))["waiting_for"]:
            first = waiting[0]
            if first["what"] == "tie-break":
                winners.setdefault("tie_breaks", []).append(
                    blind_hand(self.dice, list(winners["scores"]), first["cards"])
                )
            else:
                self.document.setdefault("draws", []).append(drawn(self.dice, first["players"]))
        return found

    def final(self, names):
        names = self.dice.sample(names, len(names))
        return {"scores": {name: self.dice.randint(-2, 3) for name in names}}


@st.composite
def evenings(draw):
    sizes = draw(st.lists(st.integers(2, 6), min_size=1, max_size=3))
    places = draw(st.integers(1, min(sizes)))
    house_rules = {"cut_by_high_card": draw(st.booleans()), "carry_over": draw(st.booleans())}
    left = min(sizes) - places
    if left and draw(st.booleans()):
        house_rules["losers_count"] = draw(st.integers(1, left))
    return Evening(random.Random(draw(st.integers(0, 2**32))), sizes, places, house_rules)


@given(evenings())
def test_everybody_is_at_exactly_one_final_or_none_as_the_house_rules_say(evening):
    found = evening.settle_the_cut()
    below = evening.document["house_rules"].get("losers_count")
    places = evening.document["places"]
    assert not set(found["winners_table"]) & set(found["losers_table"])
    for scores in evening.groups:
        up = [name for name in found["winners_table"] if name in scores]
        down = [name for name in found["losers_table"] if name in scores]
        assert len(up) == places
        assert len(down) == (len(scores) - places if below is None else below)
        middle = scores.keys() - {*up, *down}
        assert all(scores[high] >= scores[low] for high in up for low in (*middle, *down))
        assert all(scores[high] >= scores[low] for high in middle for low in down)
    known = [name for scores in evening.groups for name in scores]
    told = [*found["winners_table"], *found["losers_table"]]
    assert sorted(told, key=known.index) == sorted(set(told), key=known.index), "nobody is lost or doubled"
    order = [name for name in known if name in found["winners_table"]]
    assert found["winners_table"] == order, "in the order of groups and seats"


@given(evenings())
def test_both_trophies_are_awarded_as_rule_14_reads(evening):
    found = evening.play_the_finals(evening.settle_the_cut())
    start = {}
    if evening.document["house_rules"]["carry_over"]:
        start = {name: score for scores in evening.groups for name, score in scores.items()}

    def totals(key):
        return {name: n + start.get(name, 0) for name, n in evening.document.get(key, {"scores": {}})["scores"].items()}

    winners, losers = totals("winners_table"), totals("losers_table")
    winner, loser = found["winner"], found["loser"]
    assert winners[winner] == max(winners.values())
    assert winner != loser
    if len(winners) == 1 and not losers:
        assert loser is None
        return
    lowest = {name for name, total in winners.items() if total == min(winners.values())} - {winner}
    if losers:
        crosses = bool(lowest) and min(winners.values()) < min(losers.values())
        assert found["cross_rule"] is crosses
        at_losers = {name for name, total in losers.items() if total == min(losers.values())}
        lowest = lowest if crosses else at_losers
    else:
        assert found["cross_rule"] is False
    assert loser in lowest


@given(evenings(), st.randoms(use_true_random=False))
def test_nothing_depends_on_the_order_in_which_groups_are_written(evening, dice):
    found = evening.play_the_finals(evening.settle_the_cut())
    other = deepcopy(evening.document)
    dice.shuffle(other["groups"])
    for group in other["groups"]:
        group["scores"] = dict(dice.sample(list(group["scores"].items()), len(group["scores"])))
    again = result(other)
    for key in ("winners_table", "losers_table"):
        assert sorted(again.pop(key)) == sorted(found.pop(key))
    assert again == found


# What is no play-off


def parts(value, where=()):
    """Where something stands in a document."""
    yield where
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        yield from parts(member, (*where, key))


KEYS = st.sampled_from(
    ["scores", "tie_breaks", "draws", "places", "groups", "house_rules", "bids", "P1", "losers_table"]
)


@given(evenings(), st.data())
def test_any_file_is_answered_or_refused(evening, data):
    evening.play_the_finals(evening.settle_the_cut())
    document = evening.document
    for _ in range(data.draw(st.integers(1, 3))):
        *where, last = data.draw(st.sampled_from([place for place in parts(document) if place]))
        at = document
        for key in where:
            at = at[key]
        match data.draw(st.sampled_from(["junk", "gone", "more", "number"])):
            case "junk":
                at[last] = data.draw(junk)
            case "number":
                at[last] = data.draw(st.integers(-7, 7))
            case "gone":
                del at[last]
            case "more" if isinstance(at, dict):
                at[data.draw(KEYS)] = data.draw(junk | st.just(deepcopy(at[last])))
            case "more":
                at.append(deepcopy(at[last]))
        try:
            said = result(document)
        except Refused as refused:
            said = refused.document()
            assert said["problems"]
            assert all(problem["code"] and problem["message"].endswith(".") for problem in said["problems"])
        assert json.loads(json.dumps(said)) == said
