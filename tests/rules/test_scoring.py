"""Rules 9 and 11: points, box and circle; and what must be true of every hand."""

from itertools import product

import pytest

from rules.core.placings import boxed, circled, ranked
from rules.dirty_dog.scoring import points, why_points
from tests.rules.kept import GAME, Kept


@pytest.mark.parametrize(
    ("bid", "tricks", "worth", "why"),
    [
        pytest.param(0, 0, 5, "bid 0, took 0: made, which is five: +5", id="Rule 9: none bid, none taken"),
        pytest.param(1, 1, 6, "bid 1, took 1: made, five and one for each trick: +6", id="Rule 9: one"),
        pytest.param(7, 7, 12, "bid 7, took 7: made, five and one for each trick: +12", id="Rule 9: seven"),
        pytest.param(3, 2, -3, "bid 3, took 2: set, and the greater comes off: −3", id="Rule 9: the bid is greater"),
        pytest.param(3, 0, -3, "bid 3, took 0: set, and the greater comes off: −3", id="Rule 9: took nothing"),
        pytest.param(
            2, 5, -5, "bid 2, took 5: set, and the greater comes off: −5", id="Rule 9: the tricks are greater"
        ),
        pytest.param(0, 4, -4, "bid 0, took 4: set, and the greater comes off: −4", id="Rule 9: bid none"),
    ],
)
def test_rule_11_points(bid, tricks, worth, why):
    assert points(bid, tricks) == worth
    assert why_points(bid, tricks) == why


@pytest.mark.parametrize("cards", range(1, 27))
def test_points_of_a_hand_lie_where_they_must(cards):
    for bid, tricks in product(range(cards + 1), repeat=2):
        worth = points(bid, tricks)
        if bid == tricks:
            assert 5 <= worth <= 5 + cards
        else:
            assert -cards <= worth <= -1


def hands_of(cards: int, players: int):
    """Every hand a table could write down: bids that keep The Rule, tricks that come to the cards."""
    counts = list(product(range(cards + 1), repeat=players))
    bids = [some for some in counts if sum(some) != cards]
    taken = [some for some in counts if sum(some) == cards]
    return product(bids, taken)


@pytest.mark.parametrize(("cards", "players"), [(1, 2), (1, 4), (2, 3), (3, 3), (4, 2), (2, 4)])
def test_rule_7_sets_somebody_in_every_hand_and_no_score_is_nothing(cards, players):
    for bids, taken in hands_of(cards, players):
        worth = [points(bid, tricks) for bid, tricks in zip(bids, taken, strict=True)]
        assert min(worth) < 0, (bids, taken)
        assert 0 not in worth


def test_one_card_is_bid_by_nobody_or_by_several():
    assert {sum(bids) for bids, _ in hands_of(1, 4)} == {0, 2, 3, 4}


@pytest.mark.parametrize(
    ("totals", "top", "bottom"),
    [
        pytest.param({1: 3, 2: 9, 3: -4}, (2,), (3,), id="Rule 11: one of each"),
        pytest.param({1: 9, 2: 9, 3: -4, 4: -4}, (1, 2), (3, 4), id="Rule 11: equals share them"),
        pytest.param({1: 5, 2: 5}, (1, 2), (1, 2), id="Rule 11: everybody equal has both"),
    ],
)
def test_box_and_circle(totals, top, bottom):
    assert boxed(totals) == top
    assert circled(totals) == bottom


def test_nobody_is_marked_before_the_first_hand():
    kept = Kept(4, {"hands": 4})
    assert (kept.sheet.boxed, kept.sheet.circled) == ((), ())
    assert kept.sheet.totals == {1: 0, 2: 0, 3: 0, 4: 0}
    kept.bid(0)
    assert (kept.sheet.boxed, kept.sheet.circled) == ((), ())


def test_marks_stand_on_every_row_and_on_the_running_sheet():
    kept = Kept(4, {"hands": 4}).hand("0 0 0 0", "1 0 0 0").hand("2 1 0 0", "2 0 0 0")
    first, second = kept.sheet.rows
    assert (first.points, first.totals) == ({1: 5, 2: -1, 3: 5, 4: 5}, {1: 5, 2: -1, 3: 5, 4: 5})
    assert (first.boxed, first.circled) == ((1, 3, 4), (2,))
    assert (second.points, second.totals) == ({1: 5, 2: 5, 3: 7, 4: -1}, {1: 10, 2: 4, 3: 12, 4: 4})
    assert (second.boxed, second.circled) == ((3,), (2, 4))
    assert (kept.sheet.boxed, kept.sheet.circled) == ((3,), (2, 4))


def test_every_number_of_a_scored_hand_says_why():
    row = Kept(4, {"hands": 4}).hand("0 0 0 0", "1 0 0 0").sheet.rows[0]
    whys = {seat: GAME.why(row.table, row.hand, seat) for seat in row.points}
    assert whys[2] == "bid 0, took 1: set, and the greater comes off: −1"
    assert whys[1] == whys[3] == whys[4] == "bid 0, took 0: made, which is five: +5"
    for seat, why in whys.items():
        assert why.endswith(f"{row.points[seat]:+}".replace("-", "−"))


def test_running_places_are_by_totals_and_equals_share_them():
    kept = Kept(4, {"hands": 4}).carry(10, 7, 7, 1, hands=2)
    assert [(p.place, p.seat, p.score) for p in kept.sheet.placings] == [(1, 1, 10), (2, 2, 7), (2, 3, 7), (4, 4, 1)]


def test_equal_seats_keep_the_order_they_came_in():
    scores = {4: 1, 2: 3, 3: 1, 1: 3}
    assert [p.seat for p in ranked(scores, lambda seat: (scores[seat],), scores.__getitem__)] == [2, 1, 4, 3]
