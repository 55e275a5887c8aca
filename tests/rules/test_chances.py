"""Who can still win and who can still lose: compared with everything that can still be played."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import all_games, find_game
from rules.core.engine.chances import chances, within_reach
from rules.core.engine.replay import read
from rules.core.fields import SHEET
from rules.core.outcome import Chances
from rules.core.table import Hand, Table
from rules.dingo.figures import LEAST, MOST
from rules.dirty_dog.chances import chances_of
from rules.dirty_dog.scoring import points
from tests.rules.dice import whole_hand

DIRTY_DOG = find_game("dirty-dog")
Step = dict[str, object]


def shares(cards: int, players: int):
    """Every way in which so many tricks can be taken."""
    if players == 1:
        return [(cards,)]
    return [(n, *rest) for n in range(cards + 1) for rest in shares(cards - n, players - 1)]


def outcomes(hand: Hand, bids: dict[int, int], *, rule: bool = True) -> set[tuple[int, ...]]:
    """Every row of points the hand can still bring, in the order of its seats: The Rule kept, unless told otherwise."""
    free = [seat for seat in hand.order if seat not in bids]
    found = set()
    for said in itertools.product(range(hand.cards + 1), repeat=len(free)):
        every = {**bids, **dict(zip(free, said, strict=True))}
        if rule and sum(every.values()) == hand.cards:
            continue
        for taken in shares(hand.cards, len(hand.order)):
            tricks = dict(zip(hand.order, taken, strict=True))
            found.add(tuple(points(every[seat], tricks[seat]) for seat in sorted(hand.order)))
    return found


def endings(table: Table, hands: list[Hand], bids: dict[int, int], *, rule: bool = True) -> set[tuple[int, ...]]:
    """Every row of final totals, by seat number."""
    reached = {tuple(table.totals[seat] for seat in sorted(table.seats))}
    for at, hand in enumerate(hands):
        rows = outcomes(hand, {} if at else bids, rule=rule)
        reached = {tuple(map(sum, zip(before, row, strict=True))) for before in reached for row in rows}
    return reached


def by_brute_force(table: Table, ends: set[tuple[int, ...]]) -> Chances:
    """Who is at the top and who at the bottom of at least one ending; who went home among the latter."""
    seats = sorted(table.seats)
    win, lose = set(), set()
    gone = table.gone
    leaver = [seat for seat, total in gone.items() if total == max(gone.values())]
    may_win = leaver[0] if table.house_rules["leaver_may_win"] and len(leaver) == 1 else None
    for end in ends:
        if may_win is not None and gone[may_win] > max(end):
            win.add(may_win)
        else:
            win |= {seat for seat, total in zip(seats, end, strict=True) if total == max(end)}
        lowest = min((*end, *gone.values()))
        lose |= {seat for seat, total in zip(seats, end, strict=True) if total == lowest}
        lose |= {seat for seat, total in gone.items() if total == lowest}
    everyone = (*table.seats, *gone)
    return Chances(tuple(s for s in everyone if s in win), tuple(s for s in everyone if s in lose))


def everybody(table: Table) -> Chances:
    return Chances(tuple(table.seats), tuple(table.seats))


@st.composite
def near_the_end(draw, *, gone: bool = False):
    """A table with one or two small hands to come, of which the open one may be begun: ``(table, hands, bids)``."""
    players = draw(st.integers(2, 4))
    most = {2: 4, 3: 3, 4: 2}[players]
    seats = tuple(range(1, players + 1))
    cards = [draw(st.integers(1, most))]
    if draw(st.booleans()):
        cards.append(draw(st.integers(1, 2 if players < 4 else 1)))
    totals = {seat: draw(st.integers(-12, 25)) for seat in seats}
    left = {9 + k: draw(st.integers(-20, 30)) for k in range(draw(st.integers(1, 2)))} if gone else {}
    rules = {"leaver_may_win": gone and draw(st.booleans())}
    table = DIRTY_DOG.open_table(seats, draw(st.sampled_from(seats)), {"peak": 2}, rules)
    table = Table(
        seats, table.first_dealer, table.next_dealer, {}, table.house_rules, tuple(cards), totals, left, hands_done=0
    )
    hands, ahead = [], table
    for _ in cards:
        hands.append(DIRTY_DOG.deal(ahead))
        ahead = DIRTY_DOG.dealt(ahead, hands[-1])
    said = draw(st.integers(0, players))
    bids: dict[int, int] = {}
    for seat in hands[0].order[:said]:
        bid = draw(st.integers(0, cards[0]))
        if len(bids) == players - 1 and sum(bids.values()) + bid == cards[0]:
            break
        bids[seat] = bid
        hands[0] = hands[0].with_step(f"bid-{seat}", {"bid": bid})
    return table, hands, bids


@given(near_the_end())
def test_whoever_can_still_win_or_lose_is_never_left_out(case) -> None:
    table, hands, bids = case
    found = chances_of(table, hands) or everybody(table)
    real = by_brute_force(table, endings(table, hands, bids))
    assert set(real.win) <= set(found.win)
    assert set(real.lose) <= set(found.lose)


@given(near_the_end())
def test_nobody_is_named_who_cannot_before_the_bidding_and_after_it(case) -> None:
    table, hands, bids = case
    if 0 < len(bids) < len(table.seats):
        return
    found = chances_of(table, hands) or everybody(table)
    assert found == by_brute_force(table, endings(table, hands, bids))


@given(near_the_end())
def test_it_holds_where_the_rule_is_missed_too(case) -> None:
    table, hands, bids = case
    found = chances_of(table, hands) or everybody(table)
    real = by_brute_force(table, endings(table, hands, bids, rule=False))
    assert set(real.win) <= set(found.win)
    assert set(real.lose) <= set(found.lose)


@given(near_the_end(gone=True))
def test_who_went_home_is_counted_as_the_house_says(case) -> None:
    table, hands, bids = case
    found = chances_of(table, hands)
    assert found is not None, "with somebody gone nothing is taken for granted"
    real = by_brute_force(table, endings(table, hands, bids))
    assert set(real.win) <= set(found.win)
    assert set(real.lose) <= set(found.lose)
    seated = set(table.seats)
    if len(bids) in (0, len(seated)):
        assert seated & set(real.win) == seated & set(found.win)
        assert seated & set(real.lose) == seated & set(found.lose)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
@settings(max_examples=settings.default.max_examples // 5)
@given(seed=st.integers(0, 2**32))
def test_who_wins_in_the_end_could_win_all_along(game, seed: int) -> None:
    """Whole games by dice: after every step of every hand the later winner and loser are among those named."""
    dice = random.Random(seed)
    plan = {"peak": 2} if game.plan_choices(game.made_for[0], {}) else {}
    table = game.open_table(range(1, game.made_for[0] + 1), 1, plan)
    entries: dict[tuple[int, str], Step] = {}
    said = []
    for _ in range(12):
        sheet = read(game, table, entries)
        if sheet.open is None:
            break
        hand = sheet.open.hand
        for ask, step in whole_hand(dice, game, sheet.table, hand).items():
            entries[hand.number, ask] = step
            found = chances(read(game, table, entries))
            said += [found] if found else []
    ended = read(game, table, entries)
    if ended.settlement is None:
        return
    first = {placing.seat for placing in ended.placings if placing.place == 1}
    lowest = min(ended.totals.values())
    for found in said:
        assert first <= set(found.win)
        if found.lose is not None:
            assert {seat for seat, total in ended.totals.items() if total == lowest} <= set(found.lose)


def with_totals(totals: dict[int, int], done: int, peak: int = 2) -> tuple[Table, dict]:
    """A table of Dirty Dog that comes with hands from paper, and its entries."""
    seats = tuple(totals)
    table = DIRTY_DOG.open_table(seats, seats[0], {"peak": peak})
    last = seats[(done - 1) % len(seats)]
    step = {"hands": done, "last_dealer": last} | {f"total-{seat}": total for seat, total in totals.items()}
    return table, {(SHEET, "carried"): step}


def hand_of(table: Table, number: int, bids: dict[int, int], tricks: dict[int, int]) -> dict:
    found: dict = {(number, f"bid-{seat}"): {"bid": bid} for seat, bid in bids.items()}
    return found | {(number, "tricks"): {f"tricks-{seat}": n for seat, n in tricks.items()}}


def test_nothing_is_said_while_everybody_can_do_everything() -> None:
    table, entries = with_totals({1: 0, 2: 0, 3: 0, 4: 0}, 1)
    entries |= hand_of(table, 2, {1: 0, 2: 0, 3: 0, 4: 0}, {1: 1, 2: 1, 3: 0, 4: 0})
    assert chances(read(DIRTY_DOG, table, entries)) is None


def test_before_the_last_hand_seven_points_can_be_made_up_and_eight_cannot() -> None:
    # One card: 5 + 1 for who bids and takes it, −1 for whoever bid it too.
    table, entries = with_totals({1: 8, 2: 0, 3: 1, 4: 1}, 2)
    entries |= hand_of(table, 3, {1: 1, 2: 1, 3: 1, 4: 1}, {1: 2, 2: 0, 3: 0, 4: 0})
    sheet = read(DIRTY_DOG, table, entries)
    assert dict(sheet.totals) == {1: 6, 2: -1, 3: 0, 4: 0}
    assert chances(sheet) is None, "all four can still come out level at five"
    table, entries = with_totals({1: 9, 2: 0, 3: 1, 4: 1}, 2)
    entries |= hand_of(table, 3, {1: 1, 2: 1, 3: 1, 4: 1}, {1: 2, 2: 0, 3: 0, 4: 0})
    assert chances(read(DIRTY_DOG, table, entries)) == Chances((1, 3, 4), (2, 3, 4))


def test_bids_that_stand_narrow_it_down() -> None:
    table, entries = with_totals({1: 8, 2: 0, 3: 1, 4: 1}, 2)
    entries |= hand_of(table, 3, {1: 1, 2: 1, 3: 1, 4: 1}, {1: 2, 2: 0, 3: 0, 4: 0})
    order = read(DIRTY_DOG, table, entries).open.hand.order  # type: ignore[union-attr]
    assert order == (1, 2, 3, 4)
    entries[4, "bid-1"] = {"bid": 0}
    entries[4, "bid-2"] = {"bid": 0}
    # Bid nothing, they can at best make five of the seven; the leader keeps six or loses one.
    found = chances(read(DIRTY_DOG, table, entries))
    assert found is not None
    assert 2 not in found.win


def test_nothing_is_said_while_somebody_is_about_to_come() -> None:
    table, entries = with_totals({1: 30, 2: 0, 3: 1, 4: 1}, 2)
    entries |= hand_of(table, 3, {1: 1, 2: 1, 3: 1, 4: 1}, {1: 2, 2: 0, 3: 0, 4: 0})
    assert chances(read(DIRTY_DOG, table, entries)) is not None
    # Noted while hand 3 is still open: it is read for the hand after it.
    del entries[3, "tricks"]
    entries[4, "arrive-1"] = {"seat": 5}
    sheet = read(DIRTY_DOG, table, entries)
    assert sheet.noted
    assert chances(sheet) is None


def test_before_the_first_hand_and_after_the_last_nothing_is_said() -> None:
    table = DIRTY_DOG.open_table((1, 2, 3, 4), 1, {"peak": 2})
    assert chances(read(DIRTY_DOG, table, {})) is None


def test_in_a_race_everybody_can_win_until_it_is_won() -> None:
    for game in all_games():
        if not game.planned_hands(game.open_table(range(1, game.made_for[0] + 1), 1, {})):
            assert game.chances(game.open_table(range(1, game.made_for[0] + 1), 1, {}), ()) is None


def test_a_lead_that_one_hand_can_bring_is_in_reach() -> None:
    assert within_reach({1: 41, 2: 0}, 27, -14) == (1, 2)
    assert within_reach({1: 42, 2: 0}, 27, -14) == (1,)


@settings(max_examples=settings.default.max_examples * 4)
@given(seed=st.integers(0, 2**32))
def test_six_cards_of_dingo_bring_no_more_and_no_less_than_is_said(seed: int) -> None:
    dice = random.Random(seed)
    dingo = find_game("dingo")
    table = dingo.open_table((1, 2, 3, 4), 1, {}, {"ten_point_ace": dice.choice(("hearts", "diamonds"))})
    hand = dingo.deal(table)
    for ask, step in whole_hand(dice, dingo, table, hand).items():
        hand = hand.with_step(ask, step)
    assert all(LEAST <= points <= MOST for points in dingo.result(table, hand).points.values())
