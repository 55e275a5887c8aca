"""The stages of a play-off: groups, what is drawn after them, and what is drawn anew."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.access.outdated import NotNow
from clubs.members.people import claim_code
from clubs.models import Award, Chair, KeptApart, Member, Stage
from clubs.play_off_rounds.stages import FINAL_OF_ONE, abandon, draw_next, open_next, restore
from clubs.tables.open import NotOpened, give_chair, take_back
from scoresheets.commands import enter
from scoresheets.log.answers import Refused
from scoresheets.models import ShareLink
from tests.club_factories import MemberFactory, TrophyFactory, UserFactory
from tests.clubs.play_offs.evening import drawn_groups, play_off, reading_of
from tests.counted import not_counted
from tests.factories import new_key

pytestmark = pytest.mark.django_db


def test_groups_are_opened_with_chairs_codes_and_what_is_played_for() -> None:
    evening = play_off([7, 6], places=3, house_rules={"replan": True, "bottom_buddies_gap": 12})
    first, second = evening.groups
    assert [str(table) for table in evening.groups] == ["Group 1", "Group 2"]
    assert [table.sheet.title.split(", ")[1] for table in evening.groups] == ["group 1", "group 2"]
    assert first.sheet.stakes == "Group 1: the top three go to the winners’ table, the others to the losers’ table."
    assert [chair.member.name for chair in second.chairs.all()] == ["Hal", "Ivy", "Joe", "Kit", "Lou", "Mo"]
    assert reading_of(first).table.first_dealer == 1
    assert ShareLink.objects.filter(sheet__table__stage__play_off=evening.play_off).count() == 2
    assert {first.sheet.home, second.sheet.home} == {evening.play_off.get_absolute_url()}
    for table in evening.groups:
        reading = reading_of(table)
        assert (reading.setup.decides.through, reading.setup.decides.below, reading.setup.decides.lead) == (
            3, None, False,
        )  # fmt: skip
        assert len(reading.table.schedule) == 4
        # It would give one table more hands than the other.
        assert reading.table.house_rules["replan"] is False
        assert reading.table.house_rules["bottom_buddies_gap"] == 12


@pytest.mark.thorough
def test_from_the_groups_to_both_trophies() -> None:
    evening = play_off([7, 6], places=3)
    TrophyFactory(club=evening.club, name="The Cup", goes="winner")
    TrophyFactory(club=evening.club, name="The Spoon", goes="loser")
    first, second = evening.groups
    assert evening.now.due == ()
    evening.finish(first, [20, 18, 16, 4, 3, 2, 1])
    assert evening.now.due == ()
    evening.finish(second, [1, 2, 3, 14, 15, 16])
    due = evening.now.due
    assert [(one.side, one.number, one.places) for one in due] == [("winners", 2, None), ("losers", 2, None)]
    assert [one.name for one in due[0].players] == ["Ann", "Bo", "Cy", "Mo", "Lou", "Kit"]
    assert [one.name for one in due[1].players] == ["Di", "Ed", "Flo", "Gus", "Joe", "Ivy", "Hal"]
    evening.open_next(hands=6)
    winners, losers = evening.final(), evening.final("losers")
    assert [str(winners), str(losers)] == ["Winners’ table", "Losers’ table"]
    assert winners.sheet.stakes == "Played for The Cup. Whoever is lowest of both tables takes The Spoon."
    assert losers.sheet.stakes == ("Played for The Spoon, unless the lowest of the winners’ table is lower still.")
    assert sorted(evening.names_at(winners)) == ["Ann", "Bo", "Cy", "Kit", "Lou", "Mo"]
    assert [reading_of(table).setup.decides.lead for table in (winners, losers)] == [True, False]
    evening.finish(winners, {"Ann": 30, "Bo": 9, "Cy": 8, "Kit": 7, "Lou": 6, "Mo": -7})
    assert evening.now.outcome is None
    evening.finish(losers, {"Di": 3, "Ed": 2, "Flo": 5, "Gus": 6, "Joe": -5, "Ivy": 8, "Hal": 9})
    state = evening.now
    found = state.outcome
    assert evening.names([found.winner, found.loser, *found.runners_up]) == ["Ann", "Mo", "Bo"]
    assert found.crossed is True
    assert state.is_over


def test_who_was_written_in_is_a_guest_at_once_and_can_claim_their_results() -> None:
    evening = play_off([5, 5], places=2)
    first, second = evening.groups
    evening.finish(second, [9, 8, 7, 6, 5])
    evening.play(first, [9, -8, -7, -6, -5], hands=2)
    evening.arrives(first, "Zed")
    evening.rest(first)
    state = evening.now
    zed = next(one for one in state.people.values() if one.name == "Zed")
    guest = Member.objects.get(name="Zed")
    assert (zed.member, guest.role, guest.attendances.get().night) == (guest, "guest", evening.night)
    evening.open_next()
    assert Member.objects.filter(name="Zed").count() == 1
    assert claim_code(guest)
    assert Chair.objects.filter(member=guest).count() == 1
    assert evening.now.people[zed.player].member == guest
    assert any("Zed" in evening.names_at(table) for table in (evening.final(), evening.final("losers")))


@pytest.mark.thorough
def test_a_name_that_waits_when_the_next_tables_are_drawn_becomes_a_guest() -> None:
    evening = play_off([5, 5], places=2)
    first, second = evening.groups
    evening.finish(second, [9, 8, 7, 6, 5])
    evening.play(first, [9, -8, -7, -6, -5], hands=2)
    MemberFactory(club=evening.club, name="Zed")
    evening.arrives(first, "zed")
    evening.rest(first)
    zed = next(one for one in evening.now.people.values() if one.name == "zed")
    assert zed.member is None
    evening.open_next()
    guest = Member.objects.get(name="zed")
    assert guest.role == "guest"
    assert claim_code(guest)
    assert Chair.objects.filter(member=guest).count() == 1
    assert evening.now.people[zed.player].member == guest


def test_the_same_tap_and_two_organisers_open_one_stage() -> None:
    evening = play_off([5, 5], places=2)
    evening.finish(evening.groups[0], [9, 8, 7, 6, 5])
    evening.finish(evening.groups[1], [9, 8, 7, 6, 5])
    proposed = draw_next(evening.now)
    again = draw_next(evening.now)
    assert [one.mark for one in proposed] == [one.mark for one in again]
    user = UserFactory()
    opened = [
        open_next(evening.play_off, drawn, hands=4, user=user, keeper="Olga") for drawn in (proposed, again, proposed)
    ]
    assert opened[0] == opened[1] == opened[2]
    assert Stage.objects.count() == 3
    assert evening.night.tables.count() == 4


@pytest.mark.thorough
def test_group_put_right_between_preview_and_tap_is_no_longer_opened_for() -> None:
    evening = play_off([5, 5], places=2)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6, 5])
    proposed = draw_next(evening.now)
    evening.correct(evening.groups[0], {"Cy": 12})
    with pytest.raises(NotNow, match="tables have changed"):
        open_next(evening.play_off, proposed, hands=4, user=UserFactory(), keeper="Olga")
    assert evening.play_off.stages.count() == 1
    assert {one.name for one in evening.now.due[0].players} == {"Cy", "Ann", "Flo", "Gus"}
    # Where nobody moves it is the same drawing.
    proposed = draw_next(evening.now)
    evening.correct(evening.groups[0], {"Ann": 20})
    assert len(open_next(evening.play_off, proposed, hands=4, user=UserFactory(), keeper="Olga")) == 2


def test_finals_are_drawn_without_who_went_home_and_refused_for_one_alone() -> None:
    evening = play_off([4, 4], places=1, losers_count=1)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    winners, losers = draw_next(evening.now, leaving=[evening.player("Ann")])
    assert [one.name for one in winners.leaving] == ["Ann"]
    assert winners.problems == [FINAL_OF_ONE]
    assert [(problem.code, problem.blocking) for problem in losers.problems] == [("small-final", False)]
    with pytest.raises(NotOpened):
        open_next(evening.play_off, [winners, losers], hands=4, user=UserFactory(), keeper="Olga")
    assert evening.play_off.stages.count() == 1


@pytest.mark.thorough
def test_more_than_ten_at_a_side_play_another_round() -> None:
    evening = play_off([8, 8, 8], places=4)
    for table in evening.groups:
        evening.finish(table, [20, 18, 16, 14, 4, 3, 2, 1])
    assert [(one.side, len(one.players), one.places) for one in evening.now.due] == [
        ("winners", 12, 3), ("losers", 12, 3),
    ]  # fmt: skip
    assert evening.groups[0].sheet.stakes == (
        "Group 1: the top four go to the winners’ second round, the others to the losers’ second round."
    )
    evening.open_next()
    winners = evening.tables("winners")
    assert [str(table) for table in winners] == ["Winners’ group 1", "Winners’ group 2"]
    assert (
        winners[0].sheet.stakes == "Winners’ group 1: the top three go on to the winners’ table; the others are done."
    )
    losers = evening.tables("losers")
    assert (
        losers[1].sheet.stakes == "Losers’ group 2: the bottom three go on to the losers’ table; the others are safe."
    )
    assert reading_of(winners[0]).setup.decides.below == 0
    assert (reading_of(losers[0]).setup.decides.through, reading_of(losers[0]).setup.decides.below) == (0, 3)
    for table in (*winners, *losers):
        evening.finish(table, [6, 5, 4, 3, 2, 1])
    state = evening.now
    assert [(one.side, one.number, len(one.players), one.places) for one in state.due] == [
        ("winners", 3, 6, None), ("losers", 3, 6, None),
    ]  # fmt: skip
    top = {name for table in winners for name in evening.names_at(table)[:3]}
    low = {name for table in losers for name in evening.names_at(table)[3:]}
    assert [{one.name for one in due.players} for due in state.due] == [top, low]
    evening.open_next()
    assert sorted(evening.names_at(evening.final("losers"))) == sorted(low)


def test_finals_that_carry_over_begin_with_the_totals_of_the_groups() -> None:
    evening = play_off([4, 4], places=2, carry_over=True)
    for table in evening.groups:
        evening.finish(table, [9, 8, -7, 6])
    evening.open_next()
    final = reading_of(evening.final())
    assert {final.names[seat]: total for seat, total in final.sheet.totals.items()} == {
        "Ann": 9, "Bo": 8, "Ed": 9, "Flo": 8,
    }  # fmt: skip


def test_champion_deals_first_at_the_final_where_they_sit() -> None:
    evening = play_off([4, 4], places=2)
    trophy = TrophyFactory(club=evening.club, goes="winner")
    Award.objects.create(trophy=trophy, member=evening.members["Flo"], on="2026-01-01", confirmed_at=timezone.now())
    for table in evening.groups:
        evening.finish(table, [9, 8, -7, 6])
    winners, losers = draw_next(evening.now)
    assert (winners.tables[0].dealer.name, winners.tables[0].dealer_by) == ("Flo", "champion")
    assert losers.tables[0].dealer_by == "jack"
    evening.open_next()
    final = reading_of(evening.final())
    assert final.names[final.setup.first_dealer] == "Flo"
    assert Chair.objects.get(table=evening.final(), deals=True).member.name == "Flo"


@pytest.mark.thorough
def test_pairs_kept_apart_sit_at_different_tables_of_another_round() -> None:
    evening = play_off([8, 8], places=6, losers_count=2)
    for table in evening.groups:
        evening.finish(table, [20, 18, 16, 14, 12, 10, 2, 1])
    KeptApart.objects.create(club=evening.club, one=evening.members["Ann"], other=evening.members["Ivy"])
    for again in range(6):
        tables = draw_next(evening.now, again=again)[0].tables
        assert not any({"Ann", "Ivy"} <= {one.name for one in table.people} for table in tables)


def test_final_drawn_anew_counts_for_nothing_and_there_is_a_way_back() -> None:
    evening = play_off([4, 4], places=2)
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    stages = evening.open_next()
    old = evening.final()
    evening.finish(old, [9, 8, 7, 6])
    evening.correct(evening.groups[0], {"Cy": 12})
    assert abandon(stages[0]) == [stages[0]]
    assert abandon(stages[0]) == []
    state = evening.now
    assert [one.stage for one in state.abandoned] == [stages[0]]
    assert len(state.abandoned[0].tables) == 1
    assert {one.name for one in state.due[0].players} == {"Cy", "Ann", "Ed", "Flo"}
    assert state.outcome is None
    old.sheet.refresh_from_db()
    assert old.sheet.stakes == "This table was drawn again: its sheet is closed and does not count."
    keeper = old.sheet.scorekeepers.first()
    refused = enter.stop(old.sheet, 1, key=new_key(), by=keeper)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.problems[0].message) == ("closed", old.sheet.stakes)
    assert old not in evening.night.tables.standing()
    (new,) = evening.open_next()
    assert sorted(evening.names_at(evening.final())) == ["Ann", "Cy", "Ed", "Flo"]
    restored = restore(stages[0])
    assert restored == [stages[0]]
    assert restore(stages[0]) == []
    assert evening.final().pk == old.pk
    refused = enter.stop(old.sheet, 1, key=new_key(), by=keeper)
    assert not (isinstance(refused, Refused) and refused.code == "closed")
    new.refresh_from_db()
    assert new.abandoned_at is not None
    assert [one.stage for one in evening.now.abandoned] == [new]
    numbers = list(evening.night.tables.standing().values_list("number", flat=True))
    assert len(numbers) == len(set(numbers)) == 4


@pytest.mark.thorough
def test_what_was_drawn_from_a_stage_is_abandoned_with_it_and_comes_back_with_it() -> None:
    evening = play_off([8, 8, 8], places=4, losers_count=2)
    for table in evening.groups:
        evening.finish(table, [20, 18, 16, 14, 4, 3, 2, 1])
    second = evening.open_next()[0]
    for table in evening.tables("winners"):
        evening.finish(table, [6, 5, 4, 3, 2, 1])
    (third,) = evening.open_next()
    assert set(abandon(second)) == {second, third}
    assert [one.number for one in evening.now.due] == [2]
    assert set(restore(second)) == {second, third}
    assert evening.now.final().stage == third


def test_groups_that_are_blank_are_taken_back_together_and_their_play_off_is_called_off() -> None:
    evening = play_off([5, 5], places=2)
    assert take_back(evening.night) == 2
    evening.play_off.refresh_from_db()
    evening.night.refresh_from_db()
    assert evening.play_off.called_off_at is not None
    assert (evening.night.trophies, evening.night.begun_at) == ("", None)


def test_blank_table_of_a_play_off_that_has_begun_is_not_taken_back() -> None:
    evening = play_off([5, 5], places=2)
    evening.play(evening.groups[0], [9, 8, 7, 6, 5], hands=2)
    assert take_back(evening.night) == 0
    for table, hands in ((evening.groups[1], None),):
        evening.play(table, [9, 8, 7, 6, 5], hands=hands)
    evening.rest(evening.groups[0])
    assert len(evening.now.groups.tables) == 2


def test_nobody_joins_a_final_by_the_roll_call() -> None:
    evening = play_off([4, 4], places=2)
    late = MemberFactory(club=evening.club, name="Zed")
    assert give_chair(evening.groups[0], late) is True
    for table in evening.groups:
        evening.finish(table, [9, 8, 7, 6])
    evening.open_next()
    assert give_chair(evening.final(), MemberFactory(club=evening.club, name="Zoe")) is False


def test_play_off_of_200_is_opened_in_as_many_queries_as_one_of_12() -> None:
    asked = []
    for size, groups in ((6, 2), (10, 20)):
        drawn, user = drawn_groups([size] * groups, places=1), UserFactory()
        with not_counted(), CaptureQueriesContext(connection) as queries:
            evening = drawn.open(user)
        asked.append(len(queries))
        assert len(evening.groups) == groups
    assert asked[0] == asked[1] <= 37


@pytest.mark.thorough
def test_finals_of_200_are_opened_in_as_many_queries_as_those_of_12() -> None:
    asked = []
    for sizes, tables in (([6, 6], 2), ([10] * 20, 12)):
        evening = play_off(sizes, places=3, losers_count=3)
        for table in evening.groups:
            evening.finish(table, list(range(30, 30 - sizes[0], -1)))
        proposed = draw_next(evening.now)
        user = UserFactory()
        with CaptureQueriesContext(connection) as queries:
            open_next(evening.play_off, proposed, hands=4, user=user, keeper="Olga")
        asked.append(len(queries))
        assert sum(len(one.tables) for one in proposed) == tables
    assert asked[0] == asked[1] <= 40
