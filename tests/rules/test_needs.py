"""What each player needs near the end: compared with everything that the rules let happen in small hands."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import all_games, find_game
from rules.core.engine.needs import beside_rivals, needs
from rules.core.engine.replay import read
from rules.core.outcome import Need
from rules.core.stakes import Decides, group
from rules.core.table import Hand, Table
from rules.dirty_dog.needs import needs_of
from rules.dirty_dog.scoring import points
from tests.rules.dice import whole_hand
from tests.rules.test_chances import DIRTY_DOG, Step, hand_of, near_the_end, outcomes, with_totals

#: Points of the open hand by seat, and the final totals by seat.
Ending = tuple[dict[int, int], dict[int, int]]


def endings(table: Table, hands: list[Hand], bids: dict[int, int]) -> list[Ending]:
    """Every way in which the hands can end: The Rule kept, unless all bids stand."""
    seats = sorted(table.seats)
    first = outcomes(hands[0], bids, rule=len(bids) < len(seats))
    later: Iterable[tuple[int, ...]] = outcomes(hands[1], {}) if hands[1:] else [(0,) * len(seats)]
    return [
        (
            dict(zip(seats, row, strict=True)),
            {seat: table.totals[seat] + a + b for seat, a, b in zip(seats, row, more, strict=True)},
        )
        for row, more in itertools.product(first, later)
    ]


def is_reached(aim: str, seat: int, totals: dict[int, int]) -> bool:
    return totals[seat] == max(totals.values()) if aim == "box" else totals[seat] > min(totals.values())


def by_exhaustion(ends: list[Ending], seat: int, aim: str) -> tuple[int | None, int | None] | None:
    """Least and enough as `Need` has them, by looking at every ending; None: the aim is out of reach."""
    results = sorted({got[seat] for got, _ in ends})
    good = {got[seat] for got, totals in ends if is_reached(aim, seat, totals)}
    bad = {got[seat] for got, totals in ends if not is_reached(aim, seat, totals)}
    if not good:
        return None
    enough = min((value for value in results if value > max(bad)), default=None) if bad else None
    least = min(good)
    return least if least > results[0] else None, enough


@given(near_the_end())
def test_what_is_told_of_dirty_dog_is_true_and_one_less_is_not(case) -> None:
    table, hands, bids = case
    ends = endings(table, hands, bids)
    told = {(need.seat, need.aim): (need.least, need.enough) for need in needs_of(table, hands)}
    for seat, aim in itertools.product(table.seats, ("box", "circle")):
        real = by_exhaustion(ends, seat, aim)
        if real in (None, (None, None)):
            assert (seat, aim) not in told
        else:
            assert told[seat, aim] == real


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize("second", range(9))
def test_every_last_hand_of_one_card_with_three_players_is_told_as_it_is(second: int) -> None:
    """All totals that lie up to eight apart, and all bids that may stand: nothing is left to chance."""
    checked = 0
    for third in range(9):
        totals = {1: 0, 2: second, 3: third}
        table = replace(DIRTY_DOG.open_table((1, 2, 3), 1, {"peak": 1}), totals=totals, schedule=(1,))
        for said in itertools.chain.from_iterable(itertools.product((0, 1), repeat=n) for n in range(4)):
            hand = DIRTY_DOG.deal(table)
            bids = dict(zip(hand.order, said, strict=False))
            if len(bids) == 3 and sum(said) == 1:
                continue
            for seat, bid in bids.items():
                hand = hand.with_step(f"bid-{seat}", {"bid": bid})
            ends = endings(table, [hand], bids)
            told = {(need.seat, need.aim): (need.least, need.enough) for need in needs_of(table, [hand])}
            for seat, aim in itertools.product(table.seats, ("box", "circle")):
                assert told.get((seat, aim), (None, None)) == (by_exhaustion(ends, seat, aim) or (None, None))
                checked += 1
    assert checked == 9 * 12 * 6


def test_before_the_bids_a_bid_made_is_named_and_after_them_the_bid_that_stands() -> None:
    table, entries = with_totals({1: 8, 2: 0, 3: 6, 4: 7}, 3)
    sheet = read(DIRTY_DOG, table, entries)
    found = {(need.seat, need.aim): need for need in needs(sheet)}
    assert found[2, "circle"] == Need(2, "circle", least=6, by_least="a bid of 1 made")
    entries[4, f"bid-{sheet.open.hand.order[0]}"] = {"bid": 1}  # type: ignore[union-attr]
    entries[4, f"bid-{sheet.open.hand.order[1]}"] = {"bid": 1}  # type: ignore[union-attr]
    later = read(DIRTY_DOG, table, entries)
    assert later.open is not None
    assert 2 in later.open.hand.order[:2]
    found = {(need.seat, need.aim): need for need in needs(later)}
    assert found[2, "circle"].by_least == "the bid of 1 made"


def test_with_the_rule_missed_every_sum_of_the_bids_is_looked_at() -> None:
    """Two players of one card: both can make their bids only where these may come to one."""
    table = replace(DIRTY_DOG.open_table((1, 2), 1, {"peak": 1}), totals={1: 0, 2: 3}, schedule=(1,))
    hand = DIRTY_DOG.deal(table)
    kept = {(need.seat, need.aim): need for need in needs_of(table, [hand])}
    missed = {
        (need.seat, need.aim): need for need in needs_of(table, [hand.with_step("rule-missed", {"missed": True})])
    }
    assert kept[1, "circle"].enough == 5
    assert missed[1, "circle"].enough is None


@given(st.lists(st.integers(-6, 6), min_size=2, max_size=4), st.integers(1, 2))
@settings(max_examples=settings.default.max_examples // 2)
def test_what_is_told_beside_a_rival_is_true_of_all_points_and_one_less_is_not(start: list[int], hands: int) -> None:
    totals = dict(enumerate(start, 1))
    found = list(beside_rivals(totals, hands))
    spans = [range(14)] + [(0, 13)] * (len(start) - 1)
    for need in found:
        assert need.rival is not None
        rest = [seat for seat in totals if seat != need.seat]
        for own, *others in itertools.product(*spans):
            got = {need.seat: own, **dict(zip(rest, others, strict=True))}
            ends = {seat: total + got[seat] for seat, total in totals.items()}
            ahead = got[need.seat] - got[need.rival]
            if need.least is not None and is_reached("box", need.seat, ends):
                assert ahead >= need.least
            if need.enough is not None and ahead >= need.enough:
                assert is_reached("circle", need.seat, ends)
        # With just so many it can be, and with one less there is a way in which it is not.
        limit = need.least if need.aim == "box" else (need.enough or 0) - 1
        low = -99 if need.aim == "box" else 99
        edge = {seat: total + low for seat, total in totals.items()}
        edge |= {need.seat: totals[need.seat] + (limit or 0), need.rival: totals[need.rival]}
        assert is_reached(need.aim, need.seat, edge) is (need.aim == "box")


def test_who_is_in_the_circle_in_dingo_is_told_what_parts_them_from_the_next() -> None:
    game = find_game("dingo")
    table = replace(game.open_table((1, 2, 3, 4), 1), totals={1: 9, 2: 4, 3: 6, 4: 8}, hands_done=3)
    sheet = read(game, table, {})
    assert set(needs(sheet)) >= {
        Need(2, "circle", enough=3, rival=3), Need(2, "box", least=5, rival=1), Need(4, "box", least=1, rival=1),
    }  # fmt: skip


def test_nobody_is_told_what_six_cards_cannot_bring() -> None:
    game = find_game("dingo")
    table = replace(game.open_table((1, 2, 3, 4), 1), totals={1: 90, 2: 4, 3: 6, 4: 8}, hands_done=3)
    assert {need.aim for need in needs(read(game, table, {}))} == {"circle"}


def test_it_is_told_in_the_last_two_hands_and_not_before() -> None:
    for done, is_near in ((1, False), (2, True), (3, True)):
        table, entries = with_totals({1: 9, 2: 0, 3: 6, 4: 7}, done)
        assert bool(needs(read(DIRTY_DOG, table, entries))) is is_near
    table, entries = with_totals({1: 9, 2: 0, 3: 6, 4: 7}, 1)
    assert needs(read(DIRTY_DOG, table, entries), last=2), "the last one was announced"
    assert not needs(read(DIRTY_DOG, table, entries), last=1), "it was played"


@pytest.mark.parametrize(("decides", "aims"), [
    (Decides(), {"box", "circle"}), (Decides(bottom=False), {"box"}), (Decides(lead=False, bottom=False), set()),
    (group(1, 1), set()),
])  # fmt: skip
def test_only_what_the_sheet_decides_is_told(decides: Decides, aims: set[str]) -> None:
    table, entries = with_totals({1: 9, 2: 0, 3: 6, 4: 7}, 3)
    assert {need.aim for need in needs(read(DIRTY_DOG, replace(table, decides=decides), entries))} == aims


def test_nothing_is_told_while_somebody_is_about_to_come_or_in_a_race() -> None:
    table, entries = with_totals({1: 9, 2: 0, 3: 6, 4: 7}, 2)
    entries |= {(4, "arrive-1"): {"seat": 5}, (3, "bid-3"): {"bid": 0}}
    sheet = read(DIRTY_DOG, table, entries)
    assert sheet.noted
    assert needs(sheet) == ()
    for game in all_games():
        opened = game.open_table(range(1, game.made_for[0] + 1), 1)
        if not game.planned_hands(opened):
            assert needs(read(game, replace(opened, hands_done=1), {})) == (), game.slug


@pytest.mark.parametrize("game", [DIRTY_DOG, find_game("dingo")], ids=lambda game: game.slug)
@settings(max_examples=max(4, settings.default.max_examples // 25))
@given(seed=st.integers(0, 2**32))
def test_whole_games_end_as_it_was_told(game, seed: int) -> None:
    """By dice: after every step of the last two hands all that is told fits how the game ends."""
    dice = random.Random(seed)
    plan = {"hands": 4} if game.slug == "dirty-dog" else {}
    table = game.open_table(range(1, 5), 1, plan)
    entries: dict[tuple[int, str], Step] = {}
    said: list[tuple[int, Need]] = []
    while (sheet := read(game, table, entries)).open is not None:
        for ask, step in whole_hand(dice, game, sheet.table, sheet.open.hand).items():
            entries[sheet.open.hand.number, ask] = step
            if sheet.open.hand.number < 2:
                continue
            now = read(game, table, entries)
            said += [(now.open.hand.number, need) for need in needs(now) if now.open]
    assert said
    rows = read(game, table, entries).rows
    totals = dict(rows[-1].totals)
    for number, need in said:
        counted = [row for row in rows if number <= row.hand.number < number + need.hands]
        assert len(counted) == need.hands
        got = sum(row.points[need.seat] - (row.points[need.rival] if need.rival else 0) for row in counted)
        assert need.least is None or got >= need.least or not is_reached(need.aim, need.seat, totals)
        assert need.enough is None or got < need.enough or is_reached(need.aim, need.seat, totals)


def test_points_are_those_of_the_rules() -> None:
    """The proofs above go by `points`; a scored hand has the same."""
    table, entries = with_totals({1: 8, 2: 0, 3: 6, 4: 7}, 3)
    bids, tricks = {1: 1, 2: 1, 3: 0, 4: 0}, {1: 0, 2: 1, 3: 0, 4: 0}
    row = read(DIRTY_DOG, table, entries | hand_of(table, 4, bids, tricks)).rows[-1]
    assert dict(row.points) == {seat: points(bids[seat], tricks[seat]) for seat in bids}
