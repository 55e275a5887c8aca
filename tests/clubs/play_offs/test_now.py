"""A play-off as it stands, read from its sheets."""

from __future__ import annotations

import itertools
import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.models import Member, PlayerAlias, Ruling
from clubs.play_off_rounds.stages import draw_next, open_next
from clubs.play_offs.state import now, play_off_of
from scoresheets.caches.versioned_cache import VersionedCache
from scoresheets.log.state import SheetReading
from scoresheets.sheet.summary import shown_readings
from tests.club_factories import MemberFactory, UserFactory
from tests.clubs.play_offs.evening import PlayOffEvening, play_off, reading_of

pytestmark = pytest.mark.django_db


def fates(evening: PlayOffEvening, group: int = 0) -> dict[str, str]:
    return {one.name: one.fate for one in evening.now.groups.tables[group].people}


def test_running_group_tells_who_is_above_and_below_now() -> None:
    evening = play_off([5, 5], places=2)
    assert set(fates(evening).values()) == {"tied"}
    evening.play(evening.groups[0], [1, 5, 3, 4, -3], hands=3)
    people = evening.now.groups.tables[0].people
    assert [(one.name, one.total, one.place, one.fate) for one in people] == [
        ("Bo", 5, 1, "through"), ("Di", 4, 2, "through"), ("Cy", 3, 3, "below"), ("Ann", 1, 4, "below"),
        ("Ed", -3, 5, "below"),
    ]  # fmt: skip
    assert all(one.member == evening.members[one.name] for one in people)
    assert not evening.now.groups.is_over


def test_tie_across_the_line_is_open_until_the_blind_hand_has_settled_it() -> None:
    evening = play_off([5, 5], places=2)
    evening.finish(evening.groups[1], [5, 4, 3, 2, 1])
    evening.finish(evening.groups[0], [9, 4, 4, 4, -3])
    state = evening.now
    table = state.groups.tables[0]
    assert (table.is_over, table.is_settled, state.groups.is_over, state.due) == (True, False, True, ())
    assert fates(evening) == {"Ann": "through", "Bo": "tied", "Cy": "tied", "Di": "tied", "Ed": "below"}
    (tie,) = table.cut.ties
    assert (sorted(evening.names(tie.players)), tie.edge, tie.places) == (["Bo", "Cy", "Di"], "through", 1)
    evening.blind(evening.groups[0], made=["Bo", "Cy", "Ed"])
    assert fates(evening) == {"Ann": "through", "Bo": "tied", "Cy": "tied", "Di": "below", "Ed": "below"}
    evening.blind(evening.groups[0], made=["Cy"])
    assert [one.name for one in evening.now.due[0].players] == ["Ann", "Cy", "Flo", "Gus"]


def test_high_card_settles_the_line_where_the_club_wants_it() -> None:
    evening = play_off([5, 5], places=2, cut_by_high_card=True)
    evening.finish(evening.groups[0], [9, 4, 4, 2, -3])
    evening.cards(evening.groups[0], {"Bo": "7", "Cy": "J"})
    assert fates(evening)["Cy"] == "through"


def test_whoever_goes_home_early_is_out_and_counts_for_nobodys_line() -> None:
    evening = play_off([5, 4], places=2)
    first, second = evening.groups
    evening.play(first, [30, 5, 3, 4, -3], hands=2)
    evening.leaves(first, "Ann")
    evening.rest(first)
    evening.finish(second, [4, 3, 2, 1])
    assert fates(evening)["Ann"] == "gone"
    due = evening.now.due
    assert "Ann" not in {one.name for side in due for one in side.players}
    assert [len(side.players) for side in due] == [4, 4]


def test_latecomer_of_a_group_is_dealt_in_and_counts() -> None:
    evening = play_off([4, 4], places=2)
    late = MemberFactory(club=evening.club, name="Zed")
    evening.members["Zed"] = late
    first = evening.groups[0]
    evening.play(first, [1, 2, 3, 4], hands=2)
    evening.arrives(first, "Zed")
    assert fates(evening)["Zed"] in {"below", "tied"}
    assert len(evening.now.groups.tables[0].people) == 5


def test_one_who_moves_from_one_group_to_the_other_counts_where_they_sit() -> None:
    evening = play_off([5, 4], places=2)
    first, second = evening.groups
    evening.play(first, [30, 5, 3, 4, -3], hands=2)
    evening.leaves(first, "Ann")
    evening.rest(first)
    evening.play(second, [9, 8, 7, 6], hands=2)
    evening.arrives(second, "Ann Again")
    player = next(one.player for one in evening.now.people.values() if one.name == "Ann Again")
    PlayerAlias.objects.create(club=evening.club, player_id=player, member=evening.members["Ann"])
    evening.rest(second)
    state = evening.now
    belongs = [one.member for side in state.due for one in side.players]
    assert belongs.count(evening.members["Ann"]) == 1
    drawn = draw_next(state)
    assert open_next(evening.play_off, drawn, hands=4, user=UserFactory(), keeper="")


def test_same_person_at_two_groups_has_one_chair_at_the_finals() -> None:
    evening = play_off([5, 5], places=2)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6, 5])
    # Two records that were one person's all along: nobody merges them any more, but it may have been done before.
    Member.objects.filter(pk=evening.members["Flo"].pk).update(same_as=evening.members["Ann"])
    state = evening.now
    everybody = [one for side in state.due for one in side.players]
    people = [one.member.main_record for one in everybody]
    assert len(people) == len(set(people))
    assert open_next(evening.play_off, draw_next(state), hands=4, user=UserFactory(), keeper="")


def test_outcome_with_cards_drawn_for_the_last_place() -> None:
    evening = play_off([4, 4], places=2)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    evening.open_next()
    winners, losers = evening.final(), evening.final("losers")
    assert evening.now.if_it_ended_now is None
    top, low = evening.names_at(winners), evening.names_at(losers)
    evening.play(winners, [1, 2, 3, 4], hands=2)
    evening.play(losers, [5, -4, -4, 8], hands=2)
    state = evening.now
    assert (state.outcome, state.is_over) == (None, False)
    ended = state.if_it_ended_now
    assert (ended.winner, ended.crossed, set(ended.draw)) == (
        evening.player(top[3]), False, {evening.player(low[1]), evening.player(low[2])},
    )  # fmt: skip
    evening.rest(winners)
    evening.rest(losers)
    state = evening.now
    assert state.outcome is not None
    totals = {one.player: one.total for one in state.final("losers").tables[0].people}
    while state.outcome.draw:
        ranks = iter("KQJT987")
        Ruling.objects.create(
            play_off=evening.play_off, kind="draw",
            says={str(player): next(ranks) for player in state.outcome.draw},
        )  # fmt: skip
        state = evening.now
    assert totals.get(state.outcome.loser) in {min(totals.values()), None}


def test_tie_for_the_lead_is_settled_on_the_sheet_of_the_winners_table() -> None:
    evening = play_off([4, 4], places=2)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    evening.open_next()
    evening.finish(evening.final(), [9, 9, 7, 6])
    evening.finish(evening.final("losers"), [9, 9, 7, 4])
    first, second = evening.names_at(evening.final())[:2]
    state = evening.now
    assert (state.outcome.winner, state.is_over) == (None, False)
    evening.blind(evening.final(), made=[second])
    state = evening.now
    assert evening.names([state.outcome.winner, *state.outcome.runners_up]) == [second, first]
    assert state.is_over


def test_one_final_without_losers_table_settles_both_ends_on_its_sheet() -> None:
    evening = play_off([5, 5], places=2, losers_count=0)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6, 5])
    assert [one.side for one in evening.now.due] == ["winners"]
    evening.open_next()
    final = evening.final()
    assert str(final) == "Final"
    assert reading_of(final).setup.decides.bottom
    evening.finish(final, [9, 8, 3, 3])
    third, fourth = evening.names_at(final)[2:]
    state = evening.now
    assert (state.outcome.loser, state.outcome.draw, state.is_over) == (None, (), False)
    evening.cards(final, {third: "K", fourth: "2"})
    state = evening.now
    assert (evening.names([state.outcome.loser]), state.outcome.crossed, state.is_over) == ([fourth], None, True)


@pytest.mark.thorough
def test_everybody_is_at_one_final_or_none_and_the_order_of_finishing_does_not_matter() -> None:
    dice = random.Random(6)
    evening = play_off([5, 4, 4], places=2, losers_count=2)
    totals = {str(table): dice.sample(range(-20, 30), len(evening.names_at(table))) for table in evening.groups}
    seen = []
    for order in itertools.permutations(range(3)):
        other = play_off([5, 4, 4], places=2, losers_count=2)
        groups = other.groups
        for at in order:
            other.finish(groups[at], totals[str(groups[at])])
        found = [[one.name for one in due.players] for due in other.now.due]
        seen.append(found)
        people = [name for side in found for name in side]
        assert len(people) == len(set(people)) == 12
    assert all(found == seen[0] for found in seen)


def test_play_off_of_200_is_read_in_as_many_queries_as_one_of_12() -> None:
    asked = []
    for sizes in ([6, 6], [10] * 20):
        evening = play_off(sizes, places=2, losers_count=2)
        for table in evening.groups[:2]:
            evening.play(table, list(range(len(evening.names_at(table)))), hands=2)
        shown_readings.clear()
        with CaptureQueriesContext(connection) as queries:
            state = now(play_off_of(evening.night))
        asked.append(len(queries))
        assert sum(len(table.people) for table in state.groups.tables) == sum(sizes)
        with CaptureQueriesContext(connection) as queries:
            # Who they are in the club is asked for when somebody wants to know.
            assert all(one.member for one in state.people.values())
        assert len(queries) == 1
        with CaptureQueriesContext(connection) as queries:
            now(play_off_of(evening.night))
        # What was read before is not read again.
        assert len(queries) == asked[-1] - 2
    assert asked == [6, 6]


def test_what_is_remembered_of_tables_is_bounded_by_their_people_and_holds_no_sheet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = play_off([5, 5, 4], places=2)
    monkeypatch.setattr("clubs.play_offs.table_state.tables_seen", seen := VersionedCache(11))
    shown_readings.clear()
    people = [evening.now.groups.tables[at].people for at in range(3)]
    assert (len(seen), seen.size) == (2, 9), "the table that was looked at first has gone"
    assert [evening.now.groups.tables[at].people for at in range(3)] == people
    kept = [part for version, _, value in seen.values.values() for part in (version, value)]
    assert not any(isinstance(part, SheetReading) for one in kept for part in vars_of(one))


def vars_of(kept: object) -> tuple[object, ...]:
    """What it holds: the parts of a tuple, or the attributes of anything else."""
    return tuple(kept) if isinstance(kept, tuple) else tuple(vars(kept).values())
