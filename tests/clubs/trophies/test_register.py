"""Who holds a club's trophies, in whose hands they are, and who is the champion."""

import datetime

import pytest
from django.utils import timezone

from clubs.models import Award, Club, Member, Trophy
from clubs.trophies.awards import award
from clubs.trophies.holders import lineage_of
from clubs.trophies.register import carriers, champion, defences, holdings, holdings_with_questions
from tests.club_factories import ClubFactory, MemberFactory, TrophyFactory, played
from tests.clubs.trophy_night import FIRST, given, holders, night

pytestmark = pytest.mark.django_db


def names(rows: list[tuple[Trophy, Award | None]]) -> list[str]:
    return [row.shown if row else "" for _, row in rows]


def test_holder_is_who_won_last_and_the_trophy_is_where_it_was_handed_to(club: Club, four: list[Member]) -> None:
    ann, bo, *_ = four
    cup, spoon = TrophyFactory(club=club), TrophyFactory(club=club, name="The Spoon", goes="loser")
    TrophyFactory(club=club, name="An old one", archived_at=timezone.now())
    assert names(holders(club)) == ["", ""]
    given(cup, ann)
    given(cup, bo, 1, handed=False)
    given(spoon, ann, 1)
    assert names(holders(club)) == ["Bo", "Ann"]
    held = [(held.first.day, held.is_elsewhere) for held in holdings(club) if held.first]
    assert held == [("12 March 2026", True), ("12 March 2026", False)]
    assert names(carriers(club)) == ["Ann", "Ann"]


def test_what_nobody_has_confirmed_yet_has_not_changed_hands(club: Club, four: list[Member]) -> None:
    cup = TrophyFactory(club=club)
    given(cup, four[0])
    award(cup, four[1], on=FIRST, source="sheet")
    assert names(holders(club)) == ["Ann"]


def test_at_once_where_the_club_prefers_it(four: list[Member]) -> None:
    club = ClubFactory(awards_at_once=True)
    award(TrophyFactory(club=club), MemberFactory(club=club, name="Ann"), on=FIRST, source="sheet")
    assert names(holders(club)) == ["Ann"]


def test_merged_record_holds_what_the_other_has_won(club: Club, four: list[Member]) -> None:
    ann, annie, *_ = four
    given(TrophyFactory(club=club), annie)
    annie.same_as = ann
    annie.save()
    assert names(holders(club)) == ["Ann"]


def test_holders_and_carriers_take_three_queries_however_many_awards(
    club: Club, four: list[Member], django_assert_num_queries: pytest.FixtureRequest
) -> None:
    for trophy in TrophyFactory.create_batch(3, club=club):
        for week in range(5):
            given(trophy, four[week % 4], week)
    with django_assert_num_queries(3):
        assert names(holders(club)) == ["Ann"] * 3
    with django_assert_num_queries(3):
        assert names(carriers(club)) == ["Ann"] * 3


def test_trophies_held_for_years_take_two_more_queries_however_many(
    club: Club, four: list[Member], django_assert_num_queries: pytest.FixtureRequest
) -> None:
    for number, trophy in enumerate(TrophyFactory.create_batch(3, club=club)):
        for week in (-200, -100, -number):
            given(trophy, four[number], week)
        with django_assert_num_queries(5):
            held = holdings(club)
        assert [holding.times for holding in held] == [3] * (number + 1) + [0] * (2 - number)
        assert [holding.first.on for holding in held if holding.first] == [FIRST - datetime.timedelta(weeks=200)] * (
            number + 1
        )


def test_who_has_had_it_for_years_has_had_it_since_the_first_day(club: Club, four: list[Member]) -> None:
    cup, other = TrophyFactory(club=club), TrophyFactory(club=club)
    given(cup, four[1], -300)
    for week in range(-250, 0, 25):
        given(cup, four[0], week)
    given(other, four[2])
    given(other, four[3], -1)
    first, second = holdings(club)
    assert first.first is not None
    assert (first.first.on, first.times) == (FIRST - datetime.timedelta(weeks=250), 10)
    assert (second.times, names(holders(club))) == (1, ["Ann", "Cy"])


def test_champion_is_who_won_the_last_night(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    assert champion(club) is None
    played(night(club, 0), four)
    assert champion(club) == ann
    played(night(club, 1), [bo, cy, di, ann])
    assert champion(club) == bo
    played(night(club, 2, for_fun=True), [cy, di, ann, bo])
    assert champion(club) == bo


def test_several_winners_of_a_night_leave_it_to_the_trophy(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    given(TrophyFactory(club=club), di)
    both = night(club, 1, trophies="nothing")
    played(both, four)
    played(both, [bo, cy, ann, di])
    assert champion(club) == di


def test_champion_is_who_holds_a_winners_trophy_that_stands_on_the_register(club: Club, four: list[Member]) -> None:
    cup, spoon = TrophyFactory(club=club), TrophyFactory(club=club, name="The Spoon", goes="loser")
    given(cup, four[0])
    given(spoon, four[1], 1)
    assert champion(club) == four[0]
    Trophy.objects.filter(pk=cup.pk).update(archived_at=timezone.now())
    assert champion(club) is None


def test_nobody_defends_what_waits_for_a_yes_or_what_a_night_for_fun_leaves_alone(
    club: Club, four: list[Member]
) -> None:
    cup, next_week = TrophyFactory(club=club), night(club, 2)
    given(cup, four[0])
    assert defences(next_week, holdings_with_questions(club)) == ["<bdi>Ann</bdi> defends <bdi>The Cup</bdi>."]
    assert defences(night(club, 3, for_fun=True)) == ["No trophies on this night: they stay where they are."]
    award(cup, four[1], on=FIRST + datetime.timedelta(weeks=1), source="sheet", confirmed=False)
    assert defences(next_week, holdings_with_questions(club)) == []


def test_of_two_equal_stretches_the_later_stands_out(club: Club, four: list[Member]) -> None:
    cup = TrophyFactory(club=club)
    for week, member in enumerate([four[0], four[0], four[1], four[1], four[2]]):
        given(cup, member, week)
    most = lineage_of(cup).most_running
    assert most is not None
    assert (most.last.member, most.times) == (four[1], 2)
