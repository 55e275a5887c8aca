"""Dingo against an account of really played hands that knows nothing of its code, and what may be tapped on the way."""

import json
import random

import pytest

from rules import find_game
from rules.core.engine.replay import problems, read
from rules.core.files.sheet_file import score_document
from rules.dingo.hunts import turn
from tests.rules.hunting import LOW, NUMBERS, play

GAME = find_game("dingo")
NAMES = ["Ann", "Bo", "Cy", "Di"]
SEATS = (1, 2, 3, 4)
HOUSES = (
    {},
    {"ten_value": 1},
    {"ten_point_ace": "diamonds"},
    {"ten_value": 1, "ten_point_ace": "diamonds", "unplayed_ace_rabbit_is_red_handed": True},
)


def session(seed):
    """A session of really played hands: its house rules, its hands, its sheet file."""
    dice = random.Random(seed)
    house = HOUSES[seed % len(HOUSES)]
    manner = {"missed": dice.choice((0, 0.04, 0.3)), "eager": dice.choice((0.2, 0.7, 1)), "noted": dice.random()}
    hands = [play(dice, **manner) for _ in range(dice.randint(1, 6))]
    document = {
        "format": "score-sheet/1",
        "game": "dingo",
        "players": NAMES,
        "house_rules": {**house, "hands": len(hands)},
        "hands": [hand.item(NAMES) for hand in hands],
    }
    return house, hands, document


def as_played(house, hands):
    """What the session comes to, by the account of those who played it."""
    values = {"ten": house.get("ten_value", 2), "ten_point_ace": house.get("ten_point_ace", "hearts")}
    totals, won, rows = [0, 0, 0, 0], [0, 0, 0, 0], []
    for number, hand in enumerate(hands):
        points = [hand.points(place, **values) for place in range(4)]
        totals = [total + more for total, more in zip(totals, points, strict=True)]
        winners = hand.winners(house)
        won = [count + (place in winners) for place, count in enumerate(won)]
        caught = hand.caught(rabbit_counts=house.get("unplayed_ace_rabbit_is_red_handed", False))
        rows.append({
            "number": number + 1, "dealer": NAMES[number % 4], "points": dict(zip(NAMES, points, strict=True)),
            "totals": dict(zip(NAMES, totals, strict=True)), "red_handed": [NAMES[place] for place in caught],
            "winners": [NAMES[place] for place in winners],
        })  # fmt: skip
    standing = sorted(zip(totals, won, strict=True), reverse=True)
    places = [1 + standing.index(pair) for pair in zip(totals, won, strict=True)]
    first = [name for name, place in zip(NAMES, places, strict=True) if place == 1]
    return {
        "finished": True, "totals": dict(zip(NAMES, totals, strict=True)),
        "hands_won": dict(zip(NAMES, won, strict=True)), "winner": first[0] if len(first) == 1 else None, "hands": rows,
        "placings": {name: (place, total) for name, place, total in zip(NAMES, places, totals, strict=True)},
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_session_comes_to_what_lies_in_the_piles(seed):
    house, hands, document = session(seed)
    found, expected = score_document(json.dumps(document)), as_played(house, hands)
    found["placings"] = {one["player"]: (one["place"], one["score"]) for one in found["placings"]}
    for row in found["hands"]:
        del row["boxed"], row["circled"]
    assert {key: found[key] for key in expected} == expected


def test_played_hands_meet_everything_that_can_happen():
    """Otherwise the comparison would say less than it seems to."""
    played = [(house, hand) for seed in range(60) for house, hands, _ in [session(seed)] for hand in hands]
    met = {
        "nobody": any(dingo is None for _, hand in played for dingo, _ in hand.hunts.values()),
        "both by one": any(
            len(wolves) == 2 and wolves[0] == wolves[1] for _, hand in played for _, wolves in hand.hunts.values()
        ),
        "not noted": any(None in wolves for _, hand in played for _, wolves in hand.hunts.values()),
        "rabbit played": any(hand.ace[3] for _, hand in played),
        "rabbit kept": any(not hand.ace[3] for _, hand in played),
        "ace lost": any("AH" in pile for _, hand in played for pile in hand.lost),
        "own last turn": any(hand.ace[0] in hand.ace[1] for _, hand in played),
        "caught": any(hand.held for _, hand in played),
        "level": any(len({hand.points(place) for place in range(4)}) < 4 for _, hand in played),
    }
    assert all(met.values()), met


# -- what cannot be is not offered ---------------------------------------------------------------------


def is_offered(shut, ask, step, *, aces=False):
    """Whether the page lets a finger come to that answer: `shut` and whose turn it is say what is not there."""
    table = GAME.open_table(SEATS, 1)
    dingo, wolf, second, first = (step.get(key) for key in ("dingo", "wolf", "second", "first"))
    holder = step.get("holder")
    if dingo is None:
        return wolf is second is first is None
    own = [seat for seat in (dingo, holder, wolf, second, first) if seat is not None]
    if f"{ask} dingo {dingo}" in shut or (holder and f"{ask} holder {holder}" in shut):
        return False
    wolves = [seat for seat in (wolf, second, first) if seat is not None]
    if any(f"{ask} wolf {seat}" in shut for seat in wolves) or (dingo in wolves and not aces):
        return False
    if (wolf and f"{ask} wolves-1" in shut) or (second and f"{ask} wolves-2" in shut):
        return False
    if any(f"{ask} room-{own.count(seat)} {seat}" in shut for seat in own):
        return False
    if first and turn(table, dingo, first) > turn(table, dingo, second):
        return False
    if step.get("played"):
        return bool(second) and turn(table, dingo, holder) >= turn(table, dingo, second)
    return True


def answers(*, aces=False):
    """Every answer there is to a hunt, those that cannot be included."""
    if not aces:
        yield {}
    for dingo in SEATS:
        for more in ({"holder": seat} for seat in SEATS) if aces else ({},):
            begun = {"dingo": dingo, **more}
            yield begun
            yield from ({**begun, "wolf": seat} for seat in SEATS)
            firsts = [{"first": seat} for seat in SEATS] + ([] if aces else [{}])
            two = [{**begun, "second": seat, **first} for seat in SEATS for first in firsts]
            yield from two
            if aces:
                yield from ({**one, "played": True} for one in two)


@pytest.mark.parametrize("seed", range(6))
def test_exactly_what_can_be_is_offered(seed):
    """At every rank of played hands, and again when it is opened later on with everything after it written down."""
    dice = random.Random(1000 + seed)
    table = GAME.open_table(SEATS, 1)
    hand, entries = GAME.deal(table), {}
    steps = play(dice, missed=0.1, eager=(0.3, 1)[seed % 2], noted=0.5).steps(SEATS)
    for ask in (*(f"hunt-{NUMBERS[rank]}" for rank in LOW), "ace-hunt"):
        shut, aces = GAME.shut(table, hand), ask == "ace-hunt"
        for step in answers(aces=aces):
            refused = problems(GAME, table, entries, (1, ask), step)
            assert is_offered(shut, ask, step, aces=aces) == (not refused), (ask, step, [p.code for p in refused])
        assert is_offered(shut, ask, steps[ask], aces=aces), "what was played can be tapped"
        hand, entries = hand.with_step(ask, steps[ask]), {**entries, (1, ask): steps[ask]}
    whole = {**entries, (1, "held"): steps["held"]}
    for number, heart in ((number, f"heart-{number}") for number in NUMBERS.values()):
        for seat in SEATS:
            refused = problems(GAME, table, entries, (1, "held"), {heart: seat})
            shut = GAME.shut(table, hand)
            offered = f"held {heart}" not in shut and f"held {heart} {seat}" not in shut
            assert offered == (not refused), (number, seat)
    for ask in ("hunt-2", "hunt-13"):
        shut = GAME.shut(table, read(GAME, table, whole).rows[0].hand)
        for step in answers():
            again = read(GAME, table, {**whole, (1, ask): step})
            assert is_offered(shut, ask, step) == bool(again.rows), (ask, step)
