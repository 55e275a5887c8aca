"""Balances of members: who finished ahead of whom, who is hardest to beat, and with whom games go best."""

from __future__ import annotations

import datetime
import itertools
from dataclasses import astuple

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Club, Member, Placing, Table
from clubs.ratings.games import RankedGame
from clubs.records.hands import Person
from clubs.records.opponents import (
    LEAST_TOGETHER,
    Balance,
    Opponents,
    balance_of,
    games_together,
    opponents_of,
    shares_by_company,
)
from tests.club_factories import MemberFactory, NightFactory, scored

ON = datetime.date(2026, 3, 1)
ENDED = datetime.datetime(2026, 3, 1, 22, tzinfo=datetime.UTC)
#: Games as ranks of people; 0 and 100 000 are those of who went home and was given the win, or the last place.
RANKS = st.lists(st.dictionaries(st.integers(1, 5), st.sampled_from([0, 1, 2, 3, 100_000]), min_size=1), max_size=12)


def games(ranks: list[dict[int, int]]) -> list[RankedGame]:
    return [RankedGame(places, dict.fromkeys(places, number)) for number, places in enumerate(ranks)]


@given(RANKS)
def test_balance_of_two_is_the_reverse_of_that_of_the_other(ranks: list[dict[int, int]]) -> None:
    for member, other in itertools.permutations(range(1, 6), 2):
        assert balance_of(games(ranks), member, other) == balance_of(games(ranks), other, member).reversed


@given(RANKS, RANKS)
def test_balance_of_all_games_is_that_of_their_parts(first: list[dict[int, int]], rest: list[dict[int, int]]) -> None:
    parts = [astuple(balance_of(games(part), 1, 2)) for part in (first, rest)]
    assert balance_of(games(first + rest), 1, 2) == Balance(*map(sum, zip(*parts, strict=True)))


@given(RANKS)
def test_balances_with_everybody_are_those_of_each_two(ranks: list[dict[int, int]]) -> None:
    person = Person(Member(pk=1), frozenset({1}), frozenset())
    mine = [game for game in games(ranks) if 1 in game.ranks]
    opponents = Opponents(person, mine, {pk: Member(pk=pk) for pk in range(2, 6)})
    for other in range(2, 6):
        assert opponents.balances.get(other, Balance()) == balance_of(games(ranks), 1, other)


@given(RANKS)
def test_shares_without_somebody_count_nobody_twice(ranks: list[dict[int, int]]) -> None:
    mine = [game for game in games(ranks) if 1 in game.ranks]
    shares = shares_by_company(mine, 1)
    large = [game for game in mine if len(game.ranks) > 2]
    assert len(shares.all) == len(large)
    for other in range(2, 6):
        assert len(shares.without[other]) == sum(other in game.ranks for game in large)
    assert all(0 <= share <= 10_000 for share in itertools.chain(shares.all, *shares.without.values()))


@pytest.mark.django_db
def test_balance_equals_a_recomputation_from_the_placings(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    scores = [(30, 20, 10, 0), (10, 20, 20, 5), (7, 7, 7, 1), (0, 40, 10, 10)]
    for ann_score, bo_score, cy_score, di_score in scores:
        scored(NightFactory(club=club), [(ann, ann_score), (bo, bo_score), (cy, cy_score), (di, di_score)])
    scored(NightFactory(club=club, for_fun=True), [(ann, 9), (bo, 1)])
    people = {member: Person.of(member) for member in four}
    for member, other in itertools.permutations(four, 2):
        ahead = behind = level = 0
        for table in Table.objects.filter(night__for_fun=False):
            mine, theirs = (Placing.objects.get(table=table, member=each).place for each in (member, other))
            assert mine is not None
            assert theirs is not None
            ahead, behind, level = ahead + (mine < theirs), behind + (mine > theirs), level + (mine == theirs)
        together = games_together(club, people[member], people[other])
        assert balance_of(together, member.pk, other.pk) == Balance(ahead, behind, level)
        assert opponents_of(club, people[member]).balances[other.pk] == Balance(ahead, behind, level)


def play(club: Club, *people: Member, times: int = 1) -> None:
    """So many games that ended in this order."""
    for _ in range(times):
        scored(NightFactory(club=club), [(member, 100 - at) for at, member in enumerate(people)])


@pytest.mark.django_db
def test_nobody_is_hardest_to_beat_before_there_are_enough_games(club: Club, four: list[Member]) -> None:
    ann, bo, cy, _ = four
    play(club, bo, ann, cy, times=LEAST_TOGETHER - 1)
    assert opponents_of(club, Person.of(ann)).nemesis is None
    play(club, bo, ann)
    nemesis = opponents_of(club, Person.of(ann)).nemesis
    assert nemesis is not None
    assert (nemesis.member, nemesis.balance) == (bo, Balance(behind=LEAST_TOGETHER))
    assert opponents_of(club, Person.of(bo)).nemesis is None, "they are ahead of everybody"


@pytest.mark.django_db
def test_good_company_is_told_where_games_go_better_with_somebody(club: Club, four: list[Member]) -> None:
    ann, bo, cy, di = four
    play(club, ann, bo, cy, times=LEAST_TOGETHER)
    assert opponents_of(club, Person.of(ann)).good_company is None, "there is no game without them"
    play(club, cy, ann, di, times=LEAST_TOGETHER)
    company = opponents_of(club, Person.of(ann)).good_company
    assert company is not None
    # Ahead of everybody but Bo in the games with Bo; ahead of Di and not of Cy in the others.
    assert (company.member, company.games, company.share, company.elsewhere) == (bo, LEAST_TOGETHER, 10_000, 5_000)


@pytest.mark.django_db
def test_records_that_were_merged_are_one_opponent_and_erased_people_none(club: Club, four: list[Member]) -> None:
    ann, bo, cy, _ = four
    bobby = MemberFactory(club=club, name="Bobby")
    play(club, bo, ann, cy, times=6)
    play(club, bobby, ann, cy, times=6)
    bobby.same_as = bo
    bobby.save()
    opponents = opponents_of(club, Person.of(ann))
    assert opponents.balances == {bo.pk: Balance(behind=12), cy.pk: Balance(ahead=12)}
    assert opponents.nemesis is not None
    Member.objects.filter(pk=bo.pk).update(erased_at=timezone.now())
    assert opponents_of(club, Person.of(ann)).balances == {cy.pk: Balance(ahead=12)}
    assert opponents_of(club, Person.of(ann)).nemesis is None
