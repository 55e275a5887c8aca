"""What the core does for games that are no fixed list of hands: races, rubbers, and places by more than a total."""

import pytest

from rules.core.engine.replay import read
from rules.core.fields import Ask, Count, Tick
from rules.core.files.results import result_document
from rules.core.formats import FixedHands, Race
from rules.core.game import Game
from rules.core.problems import Problem
from rules.core.table import Result

#: The first to ten wins a rubber, and two rubbers the match.
RUBBERS = Race(10, 2)
NAMES = {1: "Ann", 2: "Bo", 3: "Cy"}


class Toy(Game):
    """Everybody says what they scored; who ticks has won the leg at once."""

    slug, name, players, made_for = "toy", "Toy", range(2, 4), range(2, 4)
    length: FixedHands | Race

    def format(self, table):
        return self.length

    def asks(self, table, hand):
        for seat in hand.order:
            yield Ask(f"scored-{seat}", (Count("points", -20, 20, seat=seat), Tick("wins")), seat=seat)

    def result(self, table, hand):
        wins = [seat for seat in table.seats if hand.steps[f"scored-{seat}"]["wins"]]
        points = {seat: hand.steps[f"scored-{seat}"]["points"] for seat in table.seats}
        return Result(points, wins_leg=wins[0] if wins else None)

    def why(self, table, hand, seat):
        return "said so"


class Given(Toy):
    """The result is given."""

    length = FixedHands(1)

    def __init__(self, points):
        self.points = points

    def result(self, table, hand):
        return Result(self.points)


TABLE = Given({}).open_table((1, 2, 3), 1)
HAND = Given({}).deal(TABLE)


def sheet(*hands, length=RUBBERS, seats=2):
    """A toy game: for each hand the points of every seat, ``!`` after those of who wins the leg at once."""
    game = Toy()
    game.length = length
    entries = {}
    for number, hand in enumerate(hands, 1):
        for seat, said in enumerate(hand.split(), 1):
            step = {"points": int(said.rstrip("!")), "wins": said.endswith("!")}
            entries[number, f"scored-{seat}"] = step
    return read(game, game.open_table(range(1, seats + 1), 1), entries)


def told(found):
    return result_document(found, NAMES)


def test_leg_ends_when_one_alone_has_the_target_and_the_next_starts_from_nothing():
    found = sheet("9 0", "1 0", "3 4")
    assert [dict(row.totals) for row in found.rows] == [{1: 9, 2: 0}, {1: 10, 2: 0}, {1: 3, 2: 4}]
    assert told(found)["legs"] == [{"winner": "Ann", "totals": {"Ann": 10, "Bo": 0}}]
    assert told(found)["legs_won"] == {"Ann": 1, "Bo": 0}
    assert told(found)["totals"] == {"Ann": 3, "Bo": 4}
    assert (found.finished, found.winner) == (False, None)
    assert told(found)["waiting_for"] == [{"what": "hand", "number": 4}]


def test_tie_at_or_past_the_target_is_played_on_and_a_third_may_overtake():
    found = sheet("10 10 0", "5 5 0", "0 0 16", seats=3)
    assert [len(row.table.legs) for row in found.rows] == [0, 0, 0]
    assert told(found)["legs"] == [{"winner": "Cy", "totals": {"Ann": 15, "Bo": 15, "Cy": 16}}]


def test_more_than_the_target_is_fine_and_the_higher_wins():
    assert sheet("11 12").table.legs[0].winner == 2


def test_deal_goes_round_through_the_legs():
    found = sheet("10 0", "0 10", "1 1")
    assert [row.hand.dealer for row in found.rows] == [1, 2, 1]
    assert found.open.hand.dealer == 2


def test_match_is_over_after_enough_legs_and_shows_how_the_last_one_ended():
    found = sheet("10 0", "0 12", "4 11", "1 1")
    assert len(found.rows) == 3
    assert (found.finished, found.winner, found.open) == (True, 2, None)
    assert dict(found.totals) == {1: 4, 2: 11}
    assert found.boxed == (2,)
    assert [(p.place, p.seat, p.score) for p in found.placings] == [(1, 2, 2), (2, 1, 1)]
    assert found.unread == ((4, "scored-1"), (4, "scored-2"))


def test_running_match_is_placed_by_legs_won():
    found = sheet("10 0", "0 9")
    assert [(p.place, p.seat, p.score) for p in found.placings] == [(1, 1, 1), (2, 2, 0)]


@pytest.mark.parametrize(
    ("hands", "totals"),
    [
        pytest.param(("4 0", "0! 0"), {1: 10, 2: 0}, id="lifted to the target"),
        pytest.param(("12 12", "2! 0"), {1: 14, 2: 12}, id="more than the target stays"),
    ],
)
def test_leg_may_be_won_at_once(hands, totals):
    found = sheet(*hands)
    assert dict(found.rows[-1].totals) == totals
    assert found.table.legs[-1].winner == 1


def test_race_without_legs_is_a_game_of_its_own():
    found = sheet("6 2", "3 1", "1 0", length=Race(10))
    assert (found.finished, found.winner) == (True, 1)
    assert [(p.place, p.seat, p.score) for p in found.placings] == [(1, 1, 10), (2, 2, 3)]
    assert "legs" not in told(found)
    assert dict(found.totals) == {1: 10, 2: 3}


def test_race_knows_no_hand_but_the_next():
    assert [hand.number for hand in sheet("1 0").coming()] == [2]


def test_hands_of_a_fixed_number_are_all_known():
    found = sheet("1 0", length=FixedHands(4))
    assert [hand.number for hand in found.coming()] == [2, 3, 4]
    assert (found.game.planned_hands(found.table), sheet().game.planned_hands(found.table)) == (4, 0)


def test_fixed_hands_end_by_totals_and_equals_leave_no_winner():
    found = sheet("5 5 1", length=FixedHands(1), seats=3)
    assert (found.finished, found.winner) == (True, None)
    assert [(p.place, p.seat) for p in found.placings] == [(1, 1), (1, 2), (3, 3)]
    assert sheet("5 6 1", length=FixedHands(1), seats=3).winner == 2


def test_game_may_place_equals_by_something_else():
    class ByHands(Toy):
        def rank(self, table, seat):
            return (*super().rank(table, seat), sum(row.points[seat] > 0 for row in table.rows))

    game = ByHands()
    game.length = FixedHands(2)
    entries = {
        (number, f"scored-{seat}"): {"points": points, "wins": False}
        for number, hand in ((1, (5, 2)), (2, (0, 3)))
        for seat, points in enumerate(hand, 1)
    }
    found = read(game, game.open_table([1, 2], 1), entries)
    assert found.winner == 2
    assert [(p.place, p.seat, p.score) for p in found.placings] == [(1, 2, 5), (2, 1, 5)]


def stopped(*hands, **more):
    """The same game, stopped by the table after those hands."""
    found = sheet(*hands, **more)
    entries = {(row.hand.number, name): step for row in found.rows for name, step in row.hand.steps.items()}
    entries[len(hands) + 1, "stop-1"] = {}
    return read(found.game, found.game.open_table(found.table.seats, 1), entries)


def test_race_that_is_stopped_early_is_won_by_who_leads():
    found = stopped("5 3 4", length=Race(10), seats=3)
    assert (found.finished, found.open, found.winner) == (True, None, 1)
    assert [(p.place, p.seat, p.score) for p in found.placings] == [(1, 1, 5), (2, 3, 4), (3, 2, 3)]


def test_match_that_is_stopped_early_is_placed_by_legs_and_then_by_the_leg_that_was_running():
    found = stopped("10 0 0", "0 10 0", "1 2 3", seats=3)
    assert [(p.place, p.seat, p.score) for p in found.placings] == [(1, 2, 1), (2, 1, 1), (3, 3, 0)]
    assert found.winner == 2
    assert dict(found.totals) == {1: 1, 2: 2, 3: 3}


def test_match_that_is_stopped_between_two_legs_may_have_no_winner():
    assert stopped("10 0", "0 10").winner is None


def test_nothing_is_stopped_before_the_first_hand_is_scored():
    found = stopped()
    assert found.open.problems == (Problem("bad-plan", "There is nothing to settle before the first hand is scored."),)


def test_misdeal_is_dealt_again_by_the_same_dealer_and_counts_nothing():
    found = sheet("1 0")
    entries = {(1, name): step for name, step in found.rows[0].hand.steps.items()} | {(2, "misdeal-1"): {}}
    again = read(found.game, found.game.open_table([1, 2], 1), entries)
    assert (again.open.hand, dict(again.totals), len(again.events)) == (found.open.hand, {1: 1, 2: 0}, 1)


def test_nobody_comes_or_goes_where_a_game_has_no_such_events():
    found = sheet("1 0")
    with pytest.raises(KeyError):
        found.game.event_ask(found.table, "arrive", 1)
    assert found.game.carried_ask(found.table) is None


def test_two_readings_of_a_long_race_are_compared_row_by_row():
    """Were what lies behind each row compared with it, the work would double with every hand."""
    long = ["1 1"] * 60
    assert sheet(*long).rows == sheet(*long).rows
    assert sheet(*long).rows != sheet("1 2", *long[1:]).rows


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 1, 2)])
def test_points_of_a_result_may_stand_in_any_order_of_the_seats(order):
    row = Given({seat: 10 * seat for seat in order}).score(TABLE, HAND)
    assert list(row.points.items()) == [(1, 10), (2, 20), (3, 30)]


@pytest.mark.parametrize(
    ("points", "given"),
    [({1: 5, 2: 0}, "1, 2"), ({1: 5, 2: 0, 3: 1, 4: 1}, "1, 2, 3, 4"), ({}, "nobody")],
    ids=["a seat is missing", "a stranger", "nobody"],
)
def test_result_without_the_points_of_every_seat_is_refused_with_a_sentence(points, given):
    with pytest.raises(ValueError, match=rf"every seat at the table \(1, 2, 3\) .* it has those of {given}\."):
        Given(points).score(TABLE, HAND)
